import { type Cache, kept } from '#kernel/cache.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { IMAGE_TYPE, scaledImage } from './image.ts';

/** The sizes in which a page can ask for a picture: its longest side, in pixels. */
export type ShownSize = 160 | 480 | 960 | 1920;

/** The size in the query of a picture's address. */
export const shownSize = (unless: ShownSize) =>
  oneOf(['160', '480', '960', '1920'] satisfies `${ShownSize}`[])
    .default(`${unless}`)
    .transform((text) => Number(text) as ShownSize);

/** By file and size, at most this many bytes. */
const DRAWN = kept<Promise<CachedResponse>>({ atMost: 16_000_000, size: ({ body }) => body.length });

/**
 * Returns a picture whose longest side is at most `size` pixels. It is drawn when it is first asked for. One that cannot
 * be drawn, or is not smaller as a file, is returned as it is.
 */
export function smallerImage(
  { cache }: { cache: Cache },
  image: CachedResponse,
  size: ShownSize,
): Promise<CachedResponse> {
  return cache.get(DRAWN, `${size} ${image.etag}`, async () => {
    const drawn = await scaledImage(image.body, size);
    return drawn && drawn.length < image.body.length ? cachedResponse(drawn, IMAGE_TYPE) : image;
  });
}
