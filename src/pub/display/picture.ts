import sharp from 'sharp';

/** An image as it is sent: upright, at most 1920 px on its longer side, without what the camera wrote into it. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

const LONGEST_SIDE = 1920;
/** A larger one would fill the memory when it is unpacked. */
const PIXELS_AT_MOST = 64_000_000;

type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';

/** Formats as they are sent. Of what moves the first frame stands still; avif takes seconds to write. */
const SENT_AS = { png: 'png', jpeg: 'jpeg', webp: 'webp', gif: 'webp', avif: 'webp' } as const;

/** Makes a picture of whatever came. Undefined for what is none: other formats, svg above all, and broken files. */
export function toPicture(bytes: Buffer): Promise<Picture | undefined> {
  const format = formatOf(bytes);
  if (!format) return Promise.resolve(undefined);
  // One at a time: unpacked, each may take 200 MB.
  const picture = turn.then(() => convert(bytes, SENT_AS[format]));
  turn = picture;
  return picture;
}

let turn: Promise<unknown> = Promise.resolve();

async function convert(bytes: Buffer, format: 'png' | 'jpeg' | 'webp'): Promise<Picture | undefined> {
  try {
    const image = sharp(bytes, { failOn: 'error', limitInputPixels: PIXELS_AT_MOST })
      .autoOrient()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
      .toFormat(format, { quality: 84 });
    return { type: `image/${format}`, bytes: await image.toBuffer() };
  } catch {
    return undefined;
  }
}

/** By its first bytes: neither the name nor the type that was sent with it can be trusted. */
function formatOf(bytes: Buffer): Format | undefined {
  const text = bytes.toString('latin1', 0, 32);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  return text.slice(4, 8) === 'ftyp' && /avi[fs]/.test(text.slice(8)) ? 'avif' : undefined;
}
