import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { Cache, kept } from '#kernel/cache.ts';
import { type Clock, DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import type { Accent } from '#kernel/settings/colours.ts';

/** A box, text or picture of an image, as satori reads it. Pictures are data URLs: nothing is fetched. */
export interface ShareNode {
  type: 'div' | 'span' | 'img' | 'svg' | 'path' | 'circle' | 'line' | 'rect';
  props: {
    style?: Record<string, string | number>;
    children?: ShareChild | readonly ShareChild[];
    [attribute: string]: unknown;
  };
}

export type ShareChild = ShareNode | string | null | false;

/** What every share image shows about the club. */
export interface ShareSite {
  name: string;
  accent: Accent;
  /** The logo as a data URL, with twice the pixels of its displayed size; null: the default logo. */
  logo: { src: string; width: number; height: number } | null;
}

/** The fonts of our pages, for `fontFamily`; characters that they lack are drawn in other fonts. */
export const SHARE_SERIF = 'Fraunces latin, Fraunces latin-ext, Fraunces vietnamese';
export const SHARE_SANS = 'Inter latin, Inter latin-ext, Inter vietnamese';

/** The size that link previews ask for. */
export const SHARE_SIZE = { width: 1200, height: 630 };

/** Time-out for drawing an image. */
const LIMIT = 20 * SECOND;
/** The thread ends, and frees the fonts it has read, when nothing was drawn for so long. */
const IDLE = MINUTE;

/** By content. */
const IMAGES = kept<Promise<CachedResponse>>({ age: DAY, atMost: 64 });

interface Waiting {
  resolve: (png: Uint8Array) => void;
  reject: (error: Error) => void;
}

/**
 * Draws share images as PNG, one at a time in a separate thread: drawing takes tens of milliseconds of processor
 * time that no other request should wait for. The newest images are cached by their content.
 */
export class ShareImages {
  readonly #log: Logger;
  readonly #kept: Cache;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #waiting: Waiting | undefined;
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(now: Clock, log: Logger) {
    this.#log = log;
    this.#kept = new Cache(now);
  }

  /** The image of a tree, 1200 by 630 pixels. */
  draw(tree: ShareNode): Promise<CachedResponse> {
    const key = createHash('sha256').update(JSON.stringify(tree)).digest('base64url');
    return this.#kept.get(IMAGES, key, () => this.#queue.add(() => this.#drawOne(tree)));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  async #drawOne(tree: ShareNode): Promise<CachedResponse> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#spawn();
    const worker = this.#worker;
    const limit = setTimeout(() => void worker.terminate(), LIMIT);
    try {
      const png = await new Promise<Uint8Array>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        worker.postMessage(tree);
      });
      return cachedResponse(Buffer.from(png.buffer, png.byteOffset, png.byteLength), 'image/png');
    } finally {
      clearTimeout(limit);
      this.#waiting = undefined;
      this.#idle = setTimeout(() => void this.#worker?.terminate(), IDLE).unref();
    }
  }

  #spawn(): Worker {
    const worker = new Worker(new URL('./share-image-thread.ts', import.meta.url));
    worker.on('message', (answer: { png: Uint8Array } | { fault: string }) => {
      if ('png' in answer) this.#waiting?.resolve(answer.png);
      else this.#waiting?.reject(new Error(answer.fault));
    });
    worker.on('error', (err) => this.#log.error({ err }, 'the drawing thread broke'));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#waiting?.reject(new Error('The drawing thread ended'));
    });
    worker.unref();
    return worker;
  }
}
