import PQueue from 'p-queue';
import { kept } from '#kernel/cache.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { servesOthers } from '#kernel/house-network.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { IMAGE_TYPE, scaledImage } from '#kernel/images/image.ts';
import { fetchUpstream, hasContent } from '#kernel/upstream.ts';

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

interface Cover {
  /** Undefined if the address has no usable picture. */
  picture: CachedResponse | undefined;
  /** In milliseconds, see `Kept`. */
  age: number;
}

/** By address; one without a picture takes space too. */
const COVERS = kept<Promise<Cover | undefined>>({
  age: (cover) => cover?.age ?? 0,
  atMost: CACHE_BYTES,
  size: (cover) => (cover?.picture?.body.byteLength ?? 0) + 1024,
  oldMeanwhile: (cover) => cover?.picture !== undefined,
});
const QUEUE = kept<PQueue>();

/**
 * Returns the cover of a play, so that no page loads from another host; undefined when there is none that can be shown.
 * It is fetched once and scaled down. Waits for the other host only the first time: an expired cover is returned at
 * once and fetched again in the background.
 */
export async function findCover(ctx: Context, playId: number): Promise<CachedResponse | undefined> {
  const play = ctx.db.first(
    build.selectFrom('plays').select('album_art_url').where('id', '=', playId).where('hidden', '=', 0),
  );
  if (!play?.album_art_url) return undefined;
  const address = play.album_art_url;
  const cover = await ctx.cache.get(COVERS, address, (before) => loadCover(ctx, address, before));
  return cover?.picture;
}

/** @returns undefined while too many are waiting */
async function loadCover(
  ctx: Context,
  address: string,
  before: Promise<Cover | undefined> | undefined,
): Promise<Cover | undefined> {
  const queue = ctx.cache.get(QUEUE, '', () => new PQueue({ concurrency: FETCHES_AT_ONCE }));
  if (queue.size >= MOST_WAITING) return undefined;
  const bytes = await queue.add(() => fetchImage(ctx, address));
  // When the host fails the old cover is kept.
  const picture = bytes ? cachedResponse(bytes, IMAGE_TYPE) : (await before)?.picture;
  return { picture, age: picture ? LIFETIME : RETRY };
}

async function fetchImage(ctx: Context, address: string): Promise<Buffer | undefined> {
  const answer = await fetchUpstream(address, {
    headers: { 'user-agent': ctx.userAgent, accept: 'image/*' },
    maxBytes: MOST_BYTES,
    publicOnly: servesOthers(ctx.config),
  });
  return answer.ok && hasContent(answer) ? scaledImage(answer.body, PIXELS) : undefined;
}
