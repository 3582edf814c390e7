import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { Cache, kept } from '#kernel/cache.ts';
import { type Clock, DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import type { Accent } from '#kernel/settings/colours.ts';
import { Thread } from '#kernel/thread.ts';

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

/** The answer of the thread. */
export type Drawn = { png: Uint8Array } | { fault: string };

/**
 * Draws share images as PNG, one at a time in a separate thread: drawing takes tens of milliseconds of processor
 * time that no other request should wait for. The newest images are cached by their content.
 */
export class ShareImages {
  readonly #kept: Cache;
  #thread: Thread<Drawn, ShareNode> | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(now: Clock) {
    this.#kept = new Cache(now);
  }

  /** The image of a tree, 1200 by 630 pixels. */
  draw(tree: ShareNode): Promise<CachedResponse> {
    const key = createHash('sha256').update(JSON.stringify(tree)).digest('base64url');
    return this.#kept.get(IMAGES, key, () => this.#queue.add(() => this.#drawOne(tree)));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread?.end();
  }

  async #drawOne(tree: ShareNode): Promise<CachedResponse> {
    clearTimeout(this.#idle);
    if (!this.#thread || this.#thread.ended) this.#thread = startDrawing();
    try {
      const drawn = await this.#thread.ask(tree, LIMIT);
      if ('fault' in drawn) throw new Error(drawn.fault);
      const { png } = drawn;
      return cachedResponse(Buffer.from(png.buffer, png.byteOffset, png.byteLength), 'image/png');
    } finally {
      this.#idle = setTimeout(() => void this.#thread?.end(), IDLE).unref();
    }
  }
}

function startDrawing(): Thread<Drawn, ShareNode> {
  const thread = new Thread<Drawn, ShareNode>(new URL('./share-image-thread.ts', import.meta.url));
  thread.unref();
  return thread;
}
