/**
 * Carries news inside the process, not data: who listens to a topic is woken and reads the present state itself.
 * Waking is synchronous and cheap; a listener that throws does not keep the others from hearing.
 */
export class Hub<Topic extends string = string> {
  readonly #listeners = new Map<Topic, Set<() => void>>();
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Listens to a topic. @returns what ends the listening */
  on(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Says that something under this topic has changed. */
  tell(topic: Topic): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener();
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
