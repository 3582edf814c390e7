import sharp from 'sharp';

/** What is drawn from pixels alone: an SVG or a page could hold anything. AVIF is a kind of heif. */
const FORMATS = ['png', 'jpeg', 'webp', 'gif', 'heif'];
/** A small file may unfold into gigabytes. */
const MOST_PIXELS = 60_000_000;

export const IMAGE_TYPE = 'image/webp';

/**
 * A picture from outside, told by its bytes and drawn anew: upright, without what a camera wrote into it, at most
 * `size` pixels wide and high. Undefined for anything that is not a picture.
 */
export async function scaledImage(bytes: Uint8Array, size: number): Promise<Buffer | undefined> {
  try {
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS });
    const { format } = await image.metadata();
    if (!FORMATS.includes(format)) return undefined;
    return await image
      .rotate()
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer();
  } catch {
    return undefined;
  }
}
