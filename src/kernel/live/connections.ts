/** Counts open connections (streams and sockets together) or requests: in all, and for each client. */
export class Connections {
  readonly #atMost: number;
  readonly #perClient: number;
  readonly #ofClient = new Map<string, number>();
  #inAll = 0;

  constructor(atMost: number, perClient: number) {
    this.#atMost = atMost;
    this.#perClient = perClient;
  }

  get size(): number {
    return this.#inAll;
  }

  /** Whether one more of this client would exceed a limit. */
  full(client: string): boolean {
    return this.#inAll >= this.#atMost || (this.#ofClient.get(client) ?? 0) >= this.#perClient;
  }

  /** Adds one. @returns a function that removes it, once even if called repeatedly */
  enter(client: string): () => void {
    this.#inAll += 1;
    this.#ofClient.set(client, (this.#ofClient.get(client) ?? 0) + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#inAll -= 1;
      const left = (this.#ofClient.get(client) ?? 1) - 1;
      if (left > 0) this.#ofClient.set(client, left);
      else this.#ofClient.delete(client);
    };
  }
}
