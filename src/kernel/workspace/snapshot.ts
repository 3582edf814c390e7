/** What is known of a source. A new object takes its place whenever anything in it changes. */
export interface Snapshot<T> {
  /** Undefined when the source is not set up or was never read. */
  content: T | undefined;
  /** When the workspace answered it. */
  readAt: number | null;
  /** The last try failed, or nobody asked for so long that it is old. */
  stale: boolean;
  /** The hash of the content: equal texts, equal version, also after a restart. Empty without content. */
  version: string;
}

/** Keeps what is known of one source. */
export interface ContentReader<T> {
  /** Whether the last try failed. */
  readonly failing: boolean;
  /** What is known, at once. It starts a read in the background when one is due. */
  read(): Snapshot<T>;
  /** Reads when a read is due and somebody asked lately, or this run has not read yet. */
  refresh(): Promise<void>;
  /** Reads when nothing is known yet. */
  readFirst(): Promise<void>;
}
