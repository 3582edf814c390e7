import type { Context } from '#kernel/context.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type Box, boxedPng } from '#kernel/images/image.ts';
import { findPicture, getPictureFile } from './pictures.ts';

/**
 * The club's logo, drawn into a box. Of other pictures there is none: an address of a draft's picture shows nothing.
 * @throws 404
 */
export async function getLogo(ctx: Context, id: string, size: Box): Promise<CachedResponse> {
  if (ctx.config.club.logo !== id || !findPicture(ctx.db, id)) throw new AppError(404, 'Image not found');
  const kept = ctx.derived.get('logo', [ctx.config.club], () => new Map<Box, Promise<CachedResponse>>());
  return kept.getOrInsertComputed(size, async () =>
    cachedResponse(await boxedPng(getPictureFile(ctx.db, id).body, size), 'image/png'),
  );
}
