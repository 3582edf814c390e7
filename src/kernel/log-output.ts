import fs from 'node:fs';
import type { DestinationStream } from 'pino';

/** Bytes that wait at most while nothing can be written. */
const WAITING_AT_MOST = 1_048_576;
/** How long after a failed write the next one is tried. */
const TRIED_AGAIN_MS = 200;
/** How long a process that ends waits for a slow reader, and how often. */
const LAST_WAIT_MS = 10;
const LAST_WAITS = 100;

/**
 * Writes the log to a file descriptor without holding up the service, and without ending it: a full disk, a reader that
 * stands still or has gone only lets lines wait, up to a limit. Lines above it are dropped and counted.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number;
  readonly #tellLost: (lost: number) => void;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #lost = 0;
  /** The rest of the lines that are being written; undefined while there is nothing to write. */
  #rest: Buffer | undefined;
  /** Whether the system writes them now: they must not be written a second time. */
  #isUnderWay = false;

  /** @param tellLost writes a line about the lost ones, as soon as all that waited was written */
  constructor(fd: number, tellLost: (lost: number) => void) {
    this.#fd = fd;
    this.#tellLost = tellLost;
    process.on('exit', () => this.#end());
  }

  /** Takes a line, which ends with a line break. After a lost one all are, until what waits was written. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#lost > 0 || this.#waitingBytes + bytes > WAITING_AT_MOST) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    if (!this.#rest) this.#writeWaiting();
  }

  #writeWaiting(): void {
    this.#rest = this.#takeWaiting();
    this.#writeRest(this.#rest);
  }

  #takeWaiting(): Buffer {
    const taken = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    return taken;
  }

  #writeRest(rest: Buffer): void {
    this.#isUnderWay = true;
    fs.write(this.#fd, rest, (error, written) => {
      this.#isUnderWay = false;
      if (error) setTimeout(() => this.#writeRest(rest), TRIED_AGAIN_MS).unref();
      else this.#goOn(rest.subarray(written), written);
    });
  }

  /** @param rest what a full disk or pipe did not take @param written bytes that it took */
  #goOn(rest: Buffer, written: number): void {
    this.#rest = rest;
    this.#waitingBytes -= written;
    if (rest.length === 0 && this.#waiting.length === 0) this.#reportLost();
    if (rest.length > 0) this.#writeRest(rest);
    else if (this.#waiting.length > 0) this.#writeWaiting();
    else this.#rest = undefined;
  }

  #reportLost(): void {
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) this.#tellLost(lost);
  }

  /** Writes what waits when the process ends, if it can be written. */
  #end(): void {
    const rest = this.#isUnderWay ? undefined : this.#rest;
    // From here on lines only wait.
    this.#rest ??= Buffer.alloc(0);
    try {
      this.#writeNow(Buffer.concat([...(rest ? [rest] : []), this.#takeWaiting()]));
      this.#waitingBytes = 0;
      this.#reportLost();
      this.#writeNow(this.#takeWaiting());
    } catch {
      // Nobody can be told: the log is where it would be said.
    }
  }

  /** Writes at once. A reader that is slow is waited for, up to a second after what it took last. */
  #writeNow(all: Buffer): void {
    let waits = 0;
    for (let rest = all; rest.length > 0; ) {
      try {
        rest = rest.subarray(fs.writeSync(this.#fd, rest));
        waits = 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waits === LAST_WAITS) throw error;
        waits += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_WAIT_MS);
      }
    }
  }
}
