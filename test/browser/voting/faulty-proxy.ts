// A proxy between browser and service that loses, cuts off or holds back responses to ballots.
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * What happens to the response to a ballot. The ballot itself always arrives: `lost` closes the connection before the
 * first byte of the response, `cut` in the middle of it, `held` keeps it until `release` is called.
 */
export type Fault = 'delivered' | 'lost' | 'cut' | 'held';

const BALLOT = /^POST \/e\/[^/ ]+\/vote(\/poll)? /;

export class FaultyProxy implements AsyncDisposable {
  /** Ballots that were passed on. */
  ballots = 0;
  origin = '';
  #faults: Fault[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  readonly #server: net.Server;

  private constructor(service: string) {
    const { hostname, port } = new URL(service);
    this.#server = net.createServer((browser) => this.#join(browser, net.connect(Number(port), hostname)));
  }

  /** Opens a proxy for a service. */
  static async open(service: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(service);
    await new Promise<void>((listening) => proxy.#server.listen(0, '127.0.0.1', listening));
    proxy.origin = `http://127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** Counts from 0 again. Each ballot's response gets the next of `faults`; after the last it is delivered. */
  start(faults: Fault[]): void {
    this.ballots = 0;
    this.#faults = faults;
  }

  /** Delivers all held responses. */
  release(): void {
    for (const deliver of this.#held.splice(0)) deliver();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #join(browser: Socket, service: Socket): void {
    let fault: Fault = 'delivered';
    for (const socket of [browser, service]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        browser.destroy();
        service.destroy();
      });
    }
    browser.on('data', (bytes) => {
      const request = bytes.toString('latin1');
      if (BALLOT.test(request)) {
        this.ballots += 1;
        fault = this.#faults.shift() ?? 'delivered';
      } else if (request.startsWith('GET ')) {
        // A later request on the same connection.
        fault = 'delivered';
      }
      service.write(bytes);
    });
    service.on('data', (answer: Buffer) => {
      if (fault === 'delivered') browser.write(answer);
      else if (fault === 'held') this.#held.push(() => browser.write(answer));
      else if (fault === 'lost') browser.destroy();
      else browser.end(answer.subarray(0, Math.floor(answer.length / 2)));
    });
  }
}
