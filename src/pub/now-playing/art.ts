import PQueue from 'p-queue';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { IMAGE_TYPE, scaledImage } from '#kernel/images/image.ts';
import { SingleFlight } from '#kernel/single-flight.ts';
import { fetchUpstream } from '#kernel/upstream.ts';

const PIXELS = 640;
const MOST_BYTES = 10 * 1024 * 1024;
/** Limit for all covers together. */
const CACHE_BYTES = 48 * 1024 * 1024;
const LIFETIME = 24 * HOUR;
/** How long an address without a usable picture is not requested again. */
const RETRY = 10 * MINUTE;
/** Concurrent requests to other hosts. */
const FETCHES_AT_ONCE = 4;
const MOST_WAITING = 100;

interface Entry {
  picture: CachedResponse | undefined;
  readAt: number;
}

/** Album covers, so that no page loads from another host: fetched once, scaled down, cached in memory. */
export class Covers {
  readonly #ctx: Context;
  /** By address, least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #flights = new SingleFlight<string, CachedResponse | undefined>();
  readonly #queue = new PQueue({ concurrency: FETCHES_AT_ONCE });
  #bytes = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /**
   * Returns the cover of a play; undefined when there is none that can be shown. Waits for the other host only the
   * first time: an expired cover is returned at once and fetched again in the background.
   */
  async find(playId: number): Promise<CachedResponse | undefined> {
    const play = this.#ctx.db.first(
      build.selectFrom('plays').select('album_art_url').where('id', '=', playId).where('hidden', '=', 0),
    );
    if (!play?.album_art_url) return undefined;
    const address = play.album_art_url;
    const kept = this.#entries.get(address);
    if (kept && this.#ctx.now() - kept.readAt < (kept.picture ? LIFETIME : RETRY)) {
      this.#keep(address, kept);
      return kept.picture;
    }
    if (!this.#flights.has(address) && this.#queue.size >= MOST_WAITING) return kept?.picture;
    const fetched = this.#flights.run(address, () =>
      this.#queue.add(() => this.#fetchAndKeep(address, kept)),
    );
    if (!kept?.picture) return fetched;
    fetched.catch((err: unknown) => this.#ctx.log.error({ err }, 'a cover could not be fetched'));
    return kept.picture;
  }

  async #fetchAndKeep(address: string, kept: Entry | undefined): Promise<CachedResponse | undefined> {
    const bytes = await this.#fetchImage(address);
    // When the host fails the old cover is kept.
    const picture = bytes ? cachedResponse(bytes, IMAGE_TYPE) : kept?.picture;
    this.#keep(address, { picture, readAt: this.#ctx.now() });
    return picture;
  }

  async #fetchImage(address: string): Promise<Buffer | undefined> {
    const answer = await fetchUpstream(address, {
      headers: { 'user-agent': this.#ctx.userAgent, accept: 'image/*' },
      maxBytes: MOST_BYTES,
      publicOnly: this.#ctx.config.NODE_ENV === 'production',
    });
    return answer.ok && answer.status === 200 ? scaledImage(answer.body, PIXELS) : undefined;
  }

  #keep(address: string, entry: Entry): void {
    this.#delete(address);
    this.#entries.set(address, entry);
    this.#bytes += entrySize(entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= CACHE_BYTES) break;
      this.#delete(oldest);
    }
  }

  #delete(address: string): void {
    const entry = this.#entries.get(address);
    if (!entry) return;
    this.#entries.delete(address);
    this.#bytes -= entrySize(entry);
  }
}

/** In bytes; an address without a picture takes space too. */
function entrySize({ picture }: Entry): number {
  return (picture?.body.byteLength ?? 0) + 1024;
}
