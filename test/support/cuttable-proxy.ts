// A proxy between a browser and a service. It can cut connections, stall streams, and switch to another service.
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

interface Pair {
  browser: Socket;
  service: Socket;
  /** Whether it carries a stream of events. */
  stream: boolean;
}

export class CuttableProxy implements AsyncDisposable {
  /** The address for browsers; it stays the same when the service behind it changes. */
  origin = '';
  #service: URL | undefined;
  readonly #pairs = new Set<Pair>();
  readonly #server = net.createServer((browser) => this.#join(browser));

  static async to(service: string): Promise<CuttableProxy> {
    const proxy = new CuttableProxy();
    proxy.connectTo(service);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.origin = `http://127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** Sends new connections to this service; without one they are closed at once. */
  connectTo(service: string | undefined): void {
    this.#service = service === undefined ? undefined : new URL(service);
  }

  /** Closes every open connection. */
  cut(): void {
    for (const { browser, service } of this.#pairs) {
      browser.destroy();
      service.destroy();
    }
  }

  /** Stalls every open event stream: it stays open, but no more data arrives. */
  silence(): void {
    for (const { browser, service, stream } of this.#pairs) {
      if (!stream) continue;
      service.unpipe(browser);
      service.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((closed) => this.#server.close(closed));
  }

  #join(browser: Socket): void {
    browser.on('error', () => browser.destroy());
    if (!this.#service) return void browser.destroy();
    const service = net.connect(Number(this.#service.port), this.#service.hostname);
    const pair: Pair = { browser, service, stream: false };
    this.#pairs.add(pair);
    service.on('data', (answer) => {
      pair.stream ||= answer.includes('text/event-stream');
    });
    for (const socket of [browser, service]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#pairs.delete(pair);
        browser.destroy();
        service.destroy();
      });
    }
    browser.pipe(service);
    service.pipe(browser);
  }
}
