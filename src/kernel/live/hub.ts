/** Everything that is told, each with what has changed. `tell` it after the commit of the change. */
export const TOPICS = [
  /** A play was stored, changed, hidden or shown, or became music or film sound. */
  'plays',
  /** A heartbeat came. */
  'device',
  /** A display setting was changed. */
  'controls',
  /** Lyrics were found or entered. */
  'lyrics',
  /** The device told where in the song it is. */
  'offset',
  /** What is kept of any source of the workspace. */
  'content',
] as const;

export type Topic = (typeof TOPICS)[number];

/**
 * Carries news inside the process, not data: who listens to a topic is woken and reads the present state itself.
 * Waking is synchronous and cheap; a listener that throws does not keep the others from hearing.
 */
export class Hub {
  readonly #listeners = new Map<Topic, Set<() => void>>();
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Listens to topics. @returns what ends the listening */
  on(topics: Topic | readonly Topic[], listener: () => void): () => void {
    const all = [topics].flat().map((topic) => this.#listeners.getOrInsertComputed(topic, () => new Set()));
    for (const listeners of all) listeners.add(listener);
    return () => {
      for (const listeners of all) listeners.delete(listener);
    };
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
