import { promisify } from 'node:util';
import { brotliDecompress, gunzip, type InputType, inflate, type ZlibOptions } from 'node:zlib';
import { AppError, badRequest } from '#kernel/http/errors.ts';
import { ownValue } from '#kernel/own-value.ts';

/** By which factor a body may grow, and the size in bytes that any body may reach. */
const TIMES_AT_MOST = 250;
const ALWAYS_ALLOWED = 1_000_000;

type Inflate = (body: InputType, options: ZlibOptions) => Promise<Buffer>;

/** The decoders run on the threads of libuv and stop as soon as their output is too long. */
const ENCODINGS: Record<string, Inflate> = {
  gzip: promisify(gunzip) as Inflate,
  'x-gzip': promisify(gunzip) as Inflate,
  deflate: promisify(inflate) as Inflate,
  br: promisify(brotliDecompress) as Inflate,
};

/**
 * Decodes the Content-Encoding of a body.
 * @param encoding the value of the header; a list of several is not supported
 * @param max the largest decoded size in bytes
 * @throws 413 for a longer result, 415 for an unknown encoding, 400 for a body that cannot be decoded or grows by more
 * than the allowed factor
 */
export async function inflateBody(body: Buffer, encoding: string | undefined, max: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return body;
  const read = ownValue(ENCODINGS, name);
  if (!read) throw new AppError(415, 'content_encoding_unknown');
  const proportionate = Math.max(ALWAYS_ALLOWED, body.byteLength * TIMES_AT_MOST);
  try {
    return await read(body, { maxOutputLength: Math.min(max, proportionate) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
      throw badRequest('content_encoding_wrong', { name });
    if (proportionate < max) throw badRequest('inflates_too_much');
    throw new AppError(413, 'body_too_large');
  }
}
