import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type ByThread, isByThread } from './thread-side.ts';

/** The thread ended, or was ended, before it answered. */
export class ThreadEnded extends Error {
  constructor() {
    super('The thread ended without an answer');
  }
}

/**
 * A separate thread, as the one who waits for it sees it: each wait ends, with an answer or with the error that ended
 * the thread. The thread speaks with the functions of thread-side.ts. Only one caller may wait at a time.
 */
export class Thread<Said, Asked = never> {
  readonly #worker: Worker;
  readonly #said: Said[] = [];
  #waiting: PromiseWithResolvers<Said> | undefined;
  #fault: Error | undefined;

  /** @param module the file that the thread runs */
  constructor(module: URL, options: WorkerOptions = {}) {
    this.#worker = new Worker(module, options);
    this.#worker.on('message', (message: ByThread<Said>) => {
      // Node itself sends messages too, for example to tell `--watch` what a thread has imported.
      if (isByThread(message)) this.#hear(message.said);
    });
    this.#worker.on('error', (error: Error) => this.#endWith(error));
    this.#worker.on('messageerror', (error) => this.#endWith(error));
    this.#worker.on('exit', () => this.#endWith(new ThreadEnded()));
  }

  /** Whether it has ended or is ending: it answers nothing any more. */
  get ended(): boolean {
    return this.#fault !== undefined;
  }

  /** Lets the process end while the thread still runs. */
  unref(): void {
    this.#worker.unref();
  }

  /**
   * The next answer.
   * @param limit milliseconds after which the thread is ended: nothing is waited for without one
   * @throws ThreadEnded, or the error that the thread did not catch
   */
  async next(limit: number): Promise<Said> {
    const said = this.#said.shift();
    if (said !== undefined) return said;
    if (this.#fault) throw this.#fault;
    this.#waiting = Promise.withResolvers();
    const timer = setTimeout(() => void this.end(), limit);
    try {
      return await this.#waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request to the thread. */
  tell(request: Asked): void {
    this.#worker.postMessage(request);
  }

  /** Sends a request and waits for its answer, see `next`. */
  ask(request: Asked, limit: number): Promise<Said> {
    this.tell(request);
    return this.next(limit);
  }

  /** Ends the thread; somebody who still waits gets a ThreadEnded. */
  async end(): Promise<void> {
    this.#endWith(new ThreadEnded());
    await this.#worker.terminate();
  }

  #hear(said: Said): void {
    const waiting = this.#takeWaiting();
    if (waiting) waiting.resolve(said);
    else this.#said.push(said);
  }

  #endWith(fault: Error): void {
    this.#fault ??= fault;
    this.#takeWaiting()?.reject(this.#fault);
  }

  /** At the end of a thread its last messages and its exit arrive together: only the first of them is for the caller. */
  #takeWaiting(): PromiseWithResolvers<Said> | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}
