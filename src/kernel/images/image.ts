import PQueue from 'p-queue';
import type { Sharp } from 'sharp';
import { type Cache, kept } from '#kernel/cache.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { oneOf } from '#kernel/http/validation.ts';

/** A picture as it is sent: upright, without metadata of the camera. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

/** Output formats. Of an animation only the first frame is kept; encoding avif takes seconds. */
const SENT_AS = { png: 'png', jpeg: 'jpeg', webp: 'webp', gif: 'webp', avif: 'webp' } as const;
/** Limit for decoding: a small file may decode to gigabytes. */
const MOST_PIXELS = 60_000_000;

export const IMAGE_TYPE = 'image/webp';

/** One at a time: decoded, each may take 200 MB. */
const drawing = new PQueue({ concurrency: 1 });

/**
 * Re-encodes an untrusted picture, recognized by its bytes, as webp: upright, at most `size` pixels wide and high.
 * Undefined for anything that is not a picture.
 */
export async function scaledImage(bytes: Buffer, size: number): Promise<Buffer | undefined> {
  return formatOf(bytes) && drawing.add(() => redraw(bytes, size, 'webp'));
}

/** The same in the picture's own format, if that can be encoded quickly. */
export async function scaledPicture(bytes: Buffer, size: number): Promise<Picture | undefined> {
  const format = formatOf(bytes);
  if (!format) return undefined;
  const drawn = await drawing.add(() => redraw(bytes, size, SENT_AS[format]));
  return drawn && { type: `image/${SENT_AS[format]}`, bytes: drawn };
}

/** The size that a picture has to fit into, in pixels; with `square` it is padded with transparency. */
export interface Box {
  width: number;
  height: number;
  square: boolean;
}

/** Scales a stored picture to a box, as a png; enlarges it only for a square box. */
export async function boxedPng(bytes: Buffer, { width, height, square }: Box): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const nothing = { r: 0, g: 0, b: 0, alpha: 0 };
  const fit = square
    ? ({ fit: 'contain', background: nothing } as const)
    : ({ fit: 'inside', withoutEnlargement: true } as const);
  return drawing.add(() => sharp(bytes).resize(width, height, fit).png().toBuffer());
}

/** A picture to be stored, in two sizes. */
export interface DrawnPicture {
  /** Of the larger one, in pixels. */
  width: number;
  height: number;
  files: { size: StoredSize; picture: Picture }[];
}

export const STORED_SIZES = [1920, 480] as const;
export type StoredSize = (typeof STORED_SIZES)[number];

/** The largest file that is stored: each is one insert, for which other writes wait. */
const MOST_BYTES = 1_500_000;
const QUALITIES = [84, 65, 40];

/**
 * Re-encodes an uploaded picture in both sizes, decoding it once: upright, in sRGB, without metadata. A png stays one
 * up to 1.5 MB, everything else becomes webp.
 * @returns the picture, or why there is none: `heic`, which cannot be decoded here, `cut` off, or `unreadable`
 */
export async function drawPicture(bytes: Buffer): Promise<DrawnPicture | 'heic' | 'cut' | 'unreadable'> {
  const format = formatOf(bytes);
  if (!format) return isHeic(bytes) ? 'heic' : 'unreadable';
  return drawing.add(() => drawSizes(bytes, format === 'png'));
}

async function drawSizes(bytes: Buffer, isPng: boolean): Promise<DrawnPicture | 'cut' | 'unreadable'> {
  const { default: sharp } = await import('sharp');
  const [largest] = STORED_SIZES;
  const decoded = await sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS })
    .autoOrient()
    .resize(largest, largest, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => (isCutOff(error) ? 'cut' : 'unreadable'));
  if (typeof decoded === 'string') return decoded;
  const { width, height, channels } = decoded.info;
  const files: DrawnPicture['files'] = [];
  for (const size of STORED_SIZES) {
    // `clone` would copy the pixels.
    const scaled = () =>
      sharp(decoded.data, { raw: { width, height, channels } }).resize(size, size, {
        fit: 'inside',
        withoutEnlargement: true,
      });
    const png = isPng ? await scaled().png().toBuffer() : undefined;
    if (png && png.length <= MOST_BYTES) files.push({ size, picture: { type: 'image/png', bytes: png } });
    else files.push({ size, picture: { type: IMAGE_TYPE, bytes: await toWebp(scaled) } });
  }
  return { width, height, files };
}

/** Whether a picture could not be decoded because its end is missing, in the words of the library. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Error &&
  /premature end|end of file|truncated|not enough data|read error/i.test(error.message);

/** Encodes in the best quality that is small enough. @param scaled is called once for each quality */
async function toWebp(scaled: () => Sharp): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  for (const quality of QUALITIES) {
    bytes = await scaled().webp({ quality }).toBuffer();
    if (bytes.length <= MOST_BYTES) break;
  }
  return bytes;
}

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

async function redraw(
  bytes: Buffer,
  size: number,
  format: 'png' | 'jpeg' | 'webp',
): Promise<Buffer | undefined> {
  // Imported only when there is a picture, because the library takes long to load.
  const { default: sharp } = await import('sharp');
  try {
    return await sharp(bytes, { failOn: 'error', limitInputPixels: MOST_PIXELS })
      .autoOrient()
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      // A quality would reduce the colours of a png.
      .toFormat(format, format === 'png' ? {} : { quality: 84 })
      .toBuffer();
  } catch {
    return undefined;
  }
}

/** Recognizes the format by the first bytes: name and type are not trusted. Others, such as SVG, reach no decoder. */
function formatOf(bytes: Buffer): keyof typeof SENT_AS | undefined {
  const text = bytes.toString('latin1', 0, 32);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  return text.slice(4, 8) === 'ftyp' && /avi[fs]/.test(text.slice(8)) ? 'avif' : undefined;
}

/** Checks the first bytes only; decoding may still fail. */
export const looksLikePicture = (bytes: Buffer): boolean => formatOf(bytes) !== undefined;

/** Whether this is HEIC from a phone: the container of avif, but with a codec that is not free. */
function isHeic(bytes: Buffer): boolean {
  return /^ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)/.test(bytes.toString('latin1', 4, 12));
}
