import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { testApp } from '#test/support/app.ts';
import { message } from '#test/support/messages.ts';
import { playing, SUBMIT, TOKEN } from './players.ts';

const service = await testApp({ NOW_PLAYING_INGEST_TOKEN: TOKEN });
afterAll(() => service[Symbol.asyncDispose]());

const post = async (encoding: string, payload: Buffer, authorization = `Token ${TOKEN}`) => {
  const headers = { authorization, 'content-type': 'application/json', 'content-encoding': encoding };
  const answer = await service.request({ method: 'POST', url: SUBMIT, headers, payload });
  return [answer.statusCode, answer.json()];
};
const song = (title: string) => Buffer.from(JSON.stringify(playing({ artist: 'Toots', title, length: 200 })));
const titles = () => service.ctx.db.all(build.selectFrom('plays').select('title')).map(({ title }) => title);

test.each([
  ['gzip', 'One', gzipSync],
  ['GZIP', 'Two', gzipSync],
  ['x-gzip', 'Three', gzipSync],
  ['deflate', 'Four', deflateSync],
  ['br', 'Five', brotliCompressSync],
  ['identity', 'Six', (body: Buffer) => body],
])('a body in %s is read', async (encoding, title, compress) => {
  expect(await post(encoding, compress(song(title)))).toEqual([200, { status: 'ok' }]);
  expect(titles()).toContain(title);
});

const spaces = (bytes: number) => Buffer.alloc(bytes, ' ');
const large = gzipSync(spaces(64_000_000));
const TOO_LARGE = 'Payload too large. It cannot exceed 10240000 bytes.';
const OUT_OF_PROPORTION = message('inflates_too_much');
const notIn = (encoding: string) => `The body is not what its Content-Encoding ${encoding} says.`;
const compressed = gzipSync(song('Never'));

test.each<[what: string, encoding: string, body: Buffer, status: number, error: string]>([
  ['a gzip of 64 MB', 'gzip', large, 400, TOO_LARGE],
  [
    'many gzips in a row',
    'gzip',
    Buffer.concat(Array(40).fill(gzipSync(spaces(400_000)))),
    400,
    OUT_OF_PROPORTION,
  ],
  ['a small gzip that grows a thousandfold', 'gzip', gzipSync(spaces(4_000_000)), 400, OUT_OF_PROPORTION],
  ['a brotli of 12 MB', 'br', brotliCompressSync(spaces(12_000_000)), 400, OUT_OF_PROPORTION],
  ['half a gzip', 'gzip', compressed.subarray(0, -20), 400, notIn('gzip')],
  [
    'a gzip with a wrong sum',
    'gzip',
    Buffer.concat([compressed.subarray(0, -8), Buffer.alloc(8)]),
    400,
    notIn('gzip'),
  ],
  ['plain text as gzip', 'gzip', song('Never'), 400, notIn('gzip')],
  ['a gzip as brotli', 'br', compressed, 400, notIn('br')],
  ['nothing as gzip', 'gzip', Buffer.alloc(0), 400, notIn('gzip')],
  ['two encodings', 'gzip, gzip', gzipSync(compressed), 415, message('content_encoding_unknown')],
  ['a name of every object', 'constructor', compressed, 415, message('content_encoding_unknown')],
])('%s is refused with an error of the protocol', async (_, encoding, body, status, error) => {
  expect(await post(encoding, body)).toEqual([status, { code: status, error }]);
  expect(titles()).not.toContain('Never');
});

test('a gzip in a gzip is no JSON, and without the token nothing is inflated', async () => {
  const [status, { error }] = await post('gzip', gzipSync(compressed));
  expect([status, error]).toEqual([400, expect.stringMatching(/^Cannot parse JSON document/)]);
  expect((await post('gzip', large, 'Token wrong'))[0]).toBe(401);
});
