// A proxy between a browser and a service: it can be cut, go silent without a sign, and lead to another service.
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

interface Pair {
  browser: Socket;
  service: Socket;
  /** Whether it carries a stream of events. */
  stream: boolean;
}

export class CuttableProxy implements AsyncDisposable {
  /** What a browser connects to; it stays the same whatever is behind it. */
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

  /** Leads new connections to this service from now on; to none at all: nobody answers. */
  connectTo(service: string | undefined): void {
    this.#service = service === undefined ? undefined : new URL(service);
  }

  /** Ends every connection there is. */
  cut(): void {
    for (const { browser, service } of this.#pairs) {
      browser.destroy();
      service.destroy();
    }
  }

  /** Lets every stream there is go silent: it stays open, and nothing comes any more. */
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
