import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Prepared, prepare } from '#kernel/http/cached-response.ts';
import { IMAGE_TYPE, scaledImage } from '#kernel/images/image.ts';
import { fetchUpstream } from '#kernel/upstream.ts';

const PIXELS = 640;
const MOST_BYTES = 10 * 1024 * 1024;
/** All covers together. */
const SHELF_BYTES = 48 * 1024 * 1024;
const KEPT = 24 * HOUR;
/** A host that has no picture now is not asked again sooner. */
const RETRY = 10 * MINUTE;
/** However many old plays are looked at, no more hosts are asked at once. */
const FLIGHTS = 4;
const MOST_WAITING = 100;

interface Entry {
  picture: Prepared | undefined;
  readAt: number;
}

/** Album covers, so that no page needs a foreign host: fetched once, scaled down, kept in memory. */
export class Covers {
  readonly #ctx: Context;
  /** By address, the longest unused first. */
  readonly #shelf = new Map<string, Entry>();
  readonly #flights = new Map<string, Promise<Prepared | undefined>>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #flying = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /**
   * The cover of a play; undefined when there is none, or none that can be shown. Only the first time this waits for
   * its host: an old cover is answered at once and fetched anew in the background.
   */
  async find(playId: number): Promise<Prepared | undefined> {
    const play = await this.#ctx.db
      .selectFrom('plays')
      .select('album_art_url')
      .where('id', '=', playId)
      .where('hidden', '=', 0)
      .executeTakeFirst();
    if (!play?.album_art_url) return undefined;
    const address = play.album_art_url;
    const kept = this.#shelf.get(address);
    if (kept && this.#ctx.now() - kept.readAt < (kept.picture ? KEPT : RETRY)) {
      this.#put(address, kept);
      return kept.picture;
    }
    const fetched = this.#flights.get(address) ?? this.#start(address, kept);
    return kept?.picture ?? fetched;
  }

  /** Undefined while too many wait already. */
  #start(address: string, kept: Entry | undefined): Promise<Prepared | undefined> | undefined {
    if (this.#waiting.length >= MOST_WAITING) return undefined;
    const started = this.#fly(address, kept);
    started.catch((err: unknown) => this.#ctx.log.error({ err }, 'a cover could not be fetched'));
    this.#flights.set(address, started);
    return started;
  }

  async #fly(address: string, kept: Entry | undefined): Promise<Prepared | undefined> {
    if (this.#flying >= FLIGHTS) await new Promise<void>((go) => this.#waiting.push(go));
    this.#flying += 1;
    try {
      const bytes = await this.#fetch(address);
      // A host that is away does not take a cover from the wall.
      const picture = bytes ? prepare(bytes, IMAGE_TYPE) : kept?.picture;
      this.#put(address, { picture, readAt: this.#ctx.now() });
      return picture;
    } finally {
      this.#flying -= 1;
      this.#flights.delete(address);
      this.#waiting.shift()?.();
    }
  }

  async #fetch(address: string): Promise<Buffer | undefined> {
    const answer = await fetchUpstream(address, {
      headers: { 'user-agent': this.#ctx.userAgent, accept: 'image/*' },
      maxBytes: MOST_BYTES,
      publicOnly: this.#ctx.config.NODE_ENV === 'production',
    });
    return answer.ok && answer.status === 200 ? scaledImage(answer.body, PIXELS) : undefined;
  }

  #put(address: string, entry: Entry): void {
    this.#take(address);
    this.#shelf.set(address, entry);
    this.#bytes += weightOf(entry);
    for (const oldest of this.#shelf.keys()) {
      if (this.#bytes <= SHELF_BYTES) break;
      this.#take(oldest);
    }
  }

  #take(address: string): void {
    const entry = this.#shelf.get(address);
    if (!entry) return;
    this.#shelf.delete(address);
    this.#bytes -= weightOf(entry);
  }
}

/** An address without a picture takes room too. */
function weightOf({ picture }: Entry): number {
  return (picture?.body.byteLength ?? 0) + 1024;
}
