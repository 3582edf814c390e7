import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const ENCODERS = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => promisify(gzip)(text, { level: 9 }),
};
type Encoding = keyof typeof ENCODERS;

/** A text that never changes, with its compressed forms, each made at the first request for it. */
export interface Packed {
  text: string;
  forms: Map<Encoding, Promise<Buffer>>;
}

export const packed = (text: string): Packed => ({ text, forms: new Map() });

/** Sends a text in the smallest form that the client accepts. It holds no secret: a length would tell about one. */
export async function sendPacked(request: FastifyRequest, reply: FastifyReply, { text, forms }: Packed) {
  reply.header('vary', 'accept-encoding');
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (!encoding) return reply.send(text);
  const form = forms.get(encoding) ?? ENCODERS[encoding](text);
  forms.set(encoding, form);
  return reply.header('content-encoding', encoding).send(await form);
}

function encodingFor(accepted: string | string[] = ''): Encoding | undefined {
  const wanted = String(accepted)
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]!.trim().toLowerCase());
  return (Object.keys(ENCODERS) as Encoding[]).find((encoding) => wanted.includes(encoding));
}
