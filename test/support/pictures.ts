import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { TestApp } from './app.ts';

export type FormFile = { bytes: Uint8Array; name?: string; type?: string };

/** Encodes a form with files as a browser does, fields first. */
export async function multipart(
  fields: Record<string, string | string[]>,
  files: Record<string, FormFile | FormFile[]> = {},
): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) form.append(name, value);
  for (const [name, sent] of Object.entries(files))
    for (const { bytes, name: file = 'photo.jpg', type = 'image/jpeg' } of [sent].flat())
      form.append(name, new Blob([new Uint8Array(bytes)], { type }), file);
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
}

/** Uploads a picture through the API. */
export async function upload(
  service: TestApp,
  headers: Record<string, string>,
  file: FormFile | FormFile[],
  fields: Record<string, string> = { alt: 'The band on its stage' },
) {
  const form = await multipart(fields, { picture: file });
  return service.request({
    method: 'POST',
    url: '/api/admin/pictures',
    payload: form.payload,
    headers: { accept: 'application/json', ...form.headers, ...headers },
  });
}

/**
 * A photo as a phone stores it: rotated by its EXIF orientation, and with a GPS position. Its left third is red.
 * Made once in a process.
 */
export function phonePhoto(width = 4_000, height = 3_000): Promise<Buffer> {
  const size = `${width} × ${height}`;
  const photo = photos.get(size) ?? takePhoto(width, height);
  photos.set(size, photo);
  return photo;
}

const photos = new Map<string, Promise<Buffer>>();

async function takePhoto(width: number, height: number): Promise<Buffer> {
  const red = sharp({
    create: { width: Math.round(width / 3), height, channels: 3, background: '#ff0000' },
  }).png();
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } })
    .composite([{ input: await red.toBuffer(), left: 0, top: 0 }])
    .withExif({ IFD0: { Model: 'Phone 12' }, IFD3: { GPSLatitude: '40/1 42/1 46/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

export const smallPicture = (background = '#336699', width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** A PNG of noise, which hardly compresses. */
export const noisyPicture = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();

/** A picture with as many details as a photo, in its size for a TV. */
export const detailedPicture = async (width = 1_600, height = 1_000): Promise<Buffer> =>
  sharp(await noisyPicture(Math.round(width / 40), Math.round(height / 40)))
    .resize(width, height, { kernel: 'cubic' })
    .jpeg()
    .toBuffer();

/** Width and height of a picture. */
export async function sidesOf(bytes: Buffer): Promise<number[]> {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
}

/** The beginning of a phone's HEIC file; no decoder here reads further. */
export const heicHeader = (brand = 'heic'): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}\0\0\0\0${brand}mif1`),
    Buffer.alloc(2_000, 7),
  ]);

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const PNG_HEAD = 33;

/** A PNG with an extra chunk after its header. */
export const withChunk = (png: Buffer, type: string, data: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, PNG_HEAD), pngChunk(type, data), png.subarray(PNG_HEAD)]);

/** A PNG of `side` by `side` pixels, all black, one bit each. */
export function blankPng(side: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))), { level: 1 });
  const chunks = [pngChunk('IHDR', head), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}
