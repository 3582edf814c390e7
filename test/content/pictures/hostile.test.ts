import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { message } from '#test/support/messages.ts';
import { blankPng, heicHeader, phonePhoto, smallPicture, upload, withChunk } from '#test/support/pictures.ts';

let service: TestApp;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await testApp();
  ({ headers } = await editorAt(service));
});
afterAll(() => service[Symbol.asyncDispose]());

const stored = () => service.ctx.db.all(build.selectFrom('pictures').select('id'));

const UNREADABLE: [
  name: string,
  bytes: () => Promise<Buffer> | Buffer,
  why?: 'picture_cut_off' | 'picture_unreadable',
][] = [
  ['an svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a pdf', () => Buffer.from('%PDF-1.7\n1 0 obj\n')],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['half a jpeg', async () => (await phonePhoto(800, 600)).subarray(0, 2_500), 'picture_cut_off'],
  [
    'a jpeg without its last bytes',
    async () => (await phonePhoto(800, 600)).subarray(0, -2),
    'picture_cut_off',
  ],
  ['a png of 225 megapixels', () => blankPng(15_000)],
  ['a png that ends before its pixels', () => blankPng(3_000).subarray(0, 200), 'picture_cut_off'],
  [
    'the beginning of a jpeg before a page',
    () => Buffer.from('\xff\xd8\xff<script>alert(1)</script>', 'latin1'),
  ],
];

test.each(UNREADABLE)(
  '%s called a photo is refused, and nothing is stored',
  async (_name, make, why = 'picture_unreadable') => {
    const answer = await upload(service, headers, { bytes: await make() });

    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, 'picture']);
    expect(answer.json().error).toContain(message(why));
    expect(stored()).toEqual([]);
  },
);

test.each(['heic', 'heix', 'mif1', 'msf1'])(
  'a photo in %s is refused with advice on what to do',
  async (brand) => {
    const answer = await upload(service, headers, { bytes: heicHeader(brand) });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toContain(message('picture_of_iphone'));
  },
);

const SMUGGLED = '<script>alert(1)</script>';

const POLYGLOTS: [name: string, bytes: () => Promise<Buffer>][] = [
  ['a jpeg with a page after it', async () => Buffer.concat([await smallPicture(), Buffer.from(SMUGGLED)])],
  [
    'a jpeg with a page in its comment',
    async () => {
      const jpeg = await smallPicture();
      const comment = Buffer.from(
        `\xff\xfe\0${String.fromCharCode(SMUGGLED.length + 2)}${SMUGGLED}`,
        'latin1',
      );
      return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
    },
  ],
  [
    'a png with a page in its texts',
    async () => withChunk(blankPng(64), 'tEXt', Buffer.from(`a\0${SMUGGLED}`)),
  ],
  [
    'a png whose text unpacks to 20 MB',
    async () => {
      const packed = deflateSync(Buffer.alloc(20_000_000), { level: 1 });
      return withChunk(blankPng(64), 'zTXt', Buffer.concat([Buffer.from('a\0\0'), packed]));
    },
  ],
  ['a png of 59 megapixels in some kilobytes', async () => blankPng(7_700)],
];

test.each(POLYGLOTS)('of %s only the pixels are kept', async (_name, make) => {
  const answer = await upload(service, headers, { bytes: await make() });

  expect(answer.statusCode).toBe(200);
  for (const size of [1_920, 480]) {
    const url = `/api/admin/pictures/${answer.json().id}/file?size=${size}`;
    const file = await service.get(url, headers);
    expect(file.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(String(file.headers['content-type'])).toMatch(/^image\/(webp|png)$/);
    expect(file.rawPayload.includes(SMUGGLED)).toBe(false);
    expect(file.rawPayload.length).toBeLessThan(100_000);
  }
});
