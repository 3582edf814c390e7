// The cable between a screen and the house: it can be pulled out, and put into another house.
import net, { type AddressInfo, type Socket } from 'node:net';

export class Cable implements AsyncDisposable {
  origin = '';
  /** The port it leads to; undefined while it is pulled out. */
  #port: number | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server = net.createServer((browser) => this.#join(browser));

  /** A cable to the house on a port of this machine. */
  static async to(port: number): Promise<Cable> {
    const cable = new Cable();
    await new Promise<void>((listening) => cable.#server.listen(0, '127.0.0.1', listening));
    cable.origin = `http://127.0.0.1:${(cable.#server.address() as AddressInfo).port}`;
    cable.plugInto(port);
    return cable;
  }

  plugInto(port: number): void {
    this.pull();
    this.#port = port;
  }

  /** Ends every connection, and those to come at once. */
  pull(): void {
    this.#port = undefined;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pull();
    await new Promise((closed) => this.#server.close(closed));
  }

  #join(browser: Socket): void {
    if (this.#port === undefined) return void browser.destroy();
    const house = net.connect(this.#port, '127.0.0.1');
    for (const socket of [browser, house]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        browser.destroy();
        house.destroy();
      });
    }
    browser.pipe(house).pipe(browser);
  }
}
