/** The last state of a source. It is replaced by a new object whenever anything in it changes. */
export interface Snapshot<T> {
  /** Undefined when the source is not set up or was never read. */
  content: T | undefined;
  /** When it was read from the workspace. */
  readAt: number | null;
  /** The last read failed, or the source was unused for so long that the content is old. */
  stale: boolean;
  /** The hash of the content: the same for equal content, also after a restart. Empty without content. */
  version: string;
}

/** Reads one source of the workspace and holds what it read last. */
export interface SourceReader<T> {
  /** Whether the last read failed. */
  readonly failing: boolean;
  /** Returns the last state at once, and starts a read in the background when one is due. */
  read(): Snapshot<T>;
  /** Returns the last state; a source of which nothing more is asked is soon read no more. */
  last(): Snapshot<T>;
  /** Reads the source if it is due, and was used lately or not read in this run yet. */
  refresh(): Promise<void>;
  /** Reads the source if there is no content yet. */
  readFirst(): Promise<void>;
}
