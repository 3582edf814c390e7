// A line between browser and house that goes wrong on purpose.
import net, { type AddressInfo, type Socket } from 'node:net';

/**
 * What happens to the answer to a ballot. The ballot itself always arrives: `lost` closes the connection before a
 * byte of the answer, `cut` in the middle of it, `held` keeps it until `release` is called.
 */
export type Fate = 'delivered' | 'lost' | 'cut' | 'held';

const BALLOT = /^POST \/e\/[^/ ]+\/vote(\/poll)? /;

export class Line implements AsyncDisposable {
  /** Ballots that went through. */
  ballots = 0;
  origin = '';
  readonly #fates: Fate[];
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  readonly #server: net.Server;

  private constructor(house: string, fates: Fate[]) {
    const { hostname, port } = new URL(house);
    this.#fates = fates;
    this.#server = net.createServer((browser) => this.#join(browser, net.connect(Number(port), hostname)));
  }

  /** A line to a house; each ballot's answer has the next of `fates`, and is delivered when there is none. */
  static async open(house: string, fates: Fate[]): Promise<Line> {
    const line = new Line(house, fates);
    await new Promise<void>((listening) => line.#server.listen(0, '127.0.0.1', listening));
    line.origin = `http://127.0.0.1:${(line.#server.address() as AddressInfo).port}`;
    return line;
  }

  /** Lets go of every answer that was held. */
  release(): void {
    for (const deliver of this.#held.splice(0)) deliver();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #join(browser: Socket, house: Socket): void {
    let fate: Fate = 'delivered';
    for (const socket of [browser, house]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        browser.destroy();
        house.destroy();
      });
    }
    browser.on('data', (request) => {
      if (BALLOT.test(request.toString('latin1'))) {
        this.ballots += 1;
        fate = this.#fates.shift() ?? 'delivered';
      }
      house.write(request);
    });
    house.on('data', (answer: Buffer) => {
      if (fate === 'delivered') browser.write(answer);
      else if (fate === 'held') this.#held.push(() => browser.write(answer));
      else if (fate === 'lost') browser.destroy();
      else browser.end(answer.subarray(0, Math.floor(answer.length / 2)));
    });
  }
}
