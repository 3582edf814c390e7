import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type Box, boxedPng } from '#kernel/images/image.ts';
import type { ShareSite } from '#kernel/images/share-image.ts';
import { siteOf } from '#kernel/site.ts';
import { findPicture, getPictureFile } from './pictures.ts';

/** By size. */
const LOGOS = kept<Promise<CachedResponse>>();

/**
 * Returns the club's logo, scaled to a box. Other pictures are not served, so a draft's picture stays private.
 * @throws 404
 */
export async function getLogo(ctx: Context, id: string, size: Box): Promise<CachedResponse> {
  if (ctx.config.settings.logo !== id || !findPicture(ctx.db, id)) throw new AppError(404, 'image_not_found');
  const make = async () => cachedResponse(await boxedPng(getPictureFile(ctx.db, id).body, size), 'image/png');
  return ctx.cache.get(LOGOS, JSON.stringify(size), make, [ctx.config.settings.logo]);
}

/** Size on share images: twice the pixels that it is shown with. */
const SHARED: Box = { width: 480, height: 96, square: false };

/** Returns the club's name, color and logo for share images. */
export async function shareSiteOf(ctx: Context): Promise<ShareSite> {
  const { name, accent, logo: id } = siteOf(ctx);
  if (id === null || !findPicture(ctx.db, id)) return { name, accent, logo: null };
  const { body } = await getLogo(ctx, id, SHARED);
  // The first chunk of a PNG file has its width and height.
  const [width, height] = [16, 20].map((offset) => body.readUInt32BE(offset) / 2);
  return {
    name,
    accent,
    logo: { src: `data:image/png;base64,${body.toString('base64')}`, width: width!, height: height! },
  };
}
