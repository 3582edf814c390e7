/** The topics, each with the change that it announces. Publish one after the commit of the change. */
export const TOPICS = [
  /** A play was stored, changed, hidden or shown, or became music or film sound. */
  'plays',
  /** A heartbeat came. */
  'device',
  /** A display setting was changed. */
  'controls',
  /** Lyrics were found or entered. */
  'lyrics',
  /** The device reported its position in the song. */
  'offset',
  /** The cached content of any workspace source was changed. */
  'content',
  /** Staff decided what is on the big screen. */
  'showing',
  /** A notice began to fill screens, or was ended. */
  'takeovers',
  /** Staff renamed a screen, or asked it to reload its page. */
  'screens',
  /** What was kept about a person was erased. */
  'erasures',
  /** A tap or what is sold out was changed, or the published list of drinks and food. */
  'menu',
  /** The chair did something with an item of a meeting. */
  'meetings',
  /** The settings of the club were changed; the configuration has them already. */
  'settings',
] as const;

export type Topic = (typeof TOPICS)[number];

/**
 * Publishes changes inside the process, without data: a listener reads the present state itself. Listeners run
 * synchronously and must be cheap; one that throws does not keep the others from running.
 */
export class Hub {
  readonly #listeners = new Map<Topic, Set<() => void>>();
  readonly #versions = Object.fromEntries(TOPICS.map((topic) => [topic, 0])) as Record<Topic, number>;
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Subscribes to topics. @returns a function that unsubscribes */
  on(topics: Topic | readonly Topic[], listener: () => void): () => void {
    const all = [topics].flat().map((topic) => this.#listeners.getOrInsertComputed(topic, () => new Set()));
    for (const listeners of all) listeners.add(listener);
    return () => {
      for (const listeners of all) listeners.delete(listener);
    };
  }

  /** A number that grows with each change of the topic: what is made of its data and kept depends on it. */
  version(topic: Topic): number {
    return this.#versions[topic];
  }

  /** Runs the listeners of this topic. */
  publish(topic: Topic): void {
    this.#versions[topic] += 1;
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener();
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
