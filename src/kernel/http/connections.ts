import { limitedClient } from '#kernel/http/client.ts';

/** Places kept for each screen that staff named: its stream, one that was just lost, and one more. */
const KEPT_FOR_A_SCREEN = 3;

/**
 * Counts open connections (streams and sockets together) or requests: in all, and for each client. Those of screens
 * that staff named have places of their own beside, so that strangers cannot take them.
 */
export class Connections {
  readonly #atMost: number;
  readonly #perClient: number;
  readonly #ofClient = new Map<string, number>();
  readonly #ofScreen = new Map<string, number>();
  #inAll = 0;

  constructor(atMost: number, perClient: number) {
    this.#atMost = atMost;
    this.#perClient = perClient;
  }

  get size(): number {
    return this.#inAll + this.#ofScreen.values().reduce((sum, open) => sum + open, 0);
  }

  /** Whether one more of this client would exceed a limit. @param screen the screen with kept places that it is */
  full(client: string, screen?: string): boolean {
    if (this.#isKept(screen)) return false;
    const open = this.#ofClient.get(limitedClient(client)) ?? 0;
    return this.#inAll >= this.#atMost || open >= this.#perClient;
  }

  /** Adds one. @returns a function that removes it, once even if called repeatedly */
  enter(client: string, screen?: string): () => void {
    const isKept = this.#isKept(screen);
    const counts = isKept ? this.#ofScreen : this.#ofClient;
    const key = isKept ? screen : limitedClient(client);
    if (!isKept) this.#inAll += 1;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      if (!isKept) this.#inAll -= 1;
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  }

  #isKept(screen: string | undefined): screen is string {
    return screen !== undefined && (this.#ofScreen.get(screen) ?? 0) < KEPT_FOR_A_SCREEN;
  }
}
