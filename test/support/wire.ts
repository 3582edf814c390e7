// A wire between a browser and a house: it can be cut, go dead without a sign, and lead to another house.
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

interface Pair {
  browser: Socket;
  house: Socket;
  /** Whether it carries a stream of events. */
  stream: boolean;
}

export class Wire implements AsyncDisposable {
  /** What a browser connects to; it stays the same whatever is behind it. */
  origin = '';
  #house: URL | undefined;
  readonly #pairs = new Set<Pair>();
  readonly #server = net.createServer((browser) => this.#join(browser));

  static async to(house: string): Promise<Wire> {
    const wire = new Wire();
    wire.lead(house);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    wire.origin = `http://127.0.0.1:${(wire.#server.address() as AddressInfo).port}`;
    return wire;
  }

  /** Leads to this house from now on; to none at all: nobody answers. */
  lead(house: string | undefined): void {
    this.#house = house === undefined ? undefined : new URL(house);
  }

  /** Ends every connection there is. */
  cut(): void {
    for (const { browser, house } of this.#pairs) {
      browser.destroy();
      house.destroy();
    }
  }

  /** Lets every stream there is go dead: it stays open, and nothing comes any more. */
  deaden(): void {
    for (const { browser, house, stream } of this.#pairs) {
      if (!stream) continue;
      house.unpipe(browser);
      house.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((closed) => this.#server.close(closed));
  }

  #join(browser: Socket): void {
    browser.on('error', () => browser.destroy());
    if (!this.#house) return void browser.destroy();
    const house = net.connect(Number(this.#house.port), this.#house.hostname);
    const pair: Pair = { browser, house, stream: false };
    this.#pairs.add(pair);
    house.on('data', (answer) => {
      pair.stream ||= answer.includes('text/event-stream');
    });
    for (const socket of [browser, house]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#pairs.delete(pair);
        browser.destroy();
        house.destroy();
      });
    }
    browser.pipe(house);
    house.pipe(browser);
  }
}
