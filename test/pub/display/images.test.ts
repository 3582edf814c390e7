import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteUnusedImages } from '#pub/display/images.ts';
import { file, onTv, type PubPages, record, tick } from '#test/stand-ins/pub-workspace.ts';
import { dashed, id } from '#test/stand-ins/workspace-server.ts';
import type { TestApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { errorJson } from '#test/support/messages.ts';
import { detailedPicture, sidesOf, upload } from '#test/support/pictures.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

const POSTER = id(0x901);
const ANN = id(0x902);
const QR = id(0x903);
const OTHER = id(0x904);

/** A file host on this machine, which sends for each path the body and the content type that a test sets. */
const files = new Map<string, { type?: string; body: Buffer | 'hang' | 'drop'; status?: number }>();
const asked: string[] = [];
const host = http.createServer((request, response) => {
  const path = request.url?.split('?')[0] ?? '';
  asked.push(path);
  const {
    type = 'image/png',
    body,
    status = 200,
  } = files.get(path) ?? { body: Buffer.from('no'), status: 404 };
  if (body === 'drop') return void response.destroy();
  if (body !== 'hang') response.writeHead(status, { 'content-type': type }).end(body);
});
let origin = '';
/** A service shared by the tests that do not change it. */
let shared: Pub;

beforeAll(async () => {
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  shared = await startPub(pages('/none.png'));
});
afterAll(async () => {
  await shared[Symbol.asyncDispose]();
  host.closeAllConnections();
  host.close();
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#1f4d3a' } });

const pages = (path = '/poster.png'): PubPages => ({
  announcements: [
    record('Poster', { ...onTv, Image: file(`${origin}${path}`) }, { id: POSTER }),
    record('Words', onTv, { id: OTHER }),
  ],
  tenders: [
    record('Ann Lee', { Active: tick(), Photo: file(`${origin}/ann.jpg`) }, { id: ANN }),
    record('Bob Ray', { Active: tick(), QR: file(`${origin}/qr.png`) }, { id: QR }),
    record('Gone Away', {}, { id: id(0x905) }),
  ],
});

test('an image is fetched once, and a client that has it gets a 304', async () => {
  files.set('/poster.png', { body: await picture(300, 200).png().toBuffer() });
  asked.length = 0;
  await using pub = await startPub(pages());

  const all = await Promise.all(Array.from({ length: 5 }, () => image(pub.service, 'announcement', POSTER)));
  const [first] = all;
  const again = await pub.service.get(`/api/image/announcement/${dashed(POSTER).toUpperCase()}?v=1`, {
    'if-none-match': `${first?.headers.etag}`,
  });

  expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  expect(first?.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=120',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
  expect(await sharp(first?.rawPayload).metadata()).toMatchObject({ width: 300, height: 200 });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect(asked).toEqual(['/poster.png']);
});

test('a photo is rotated upright, is at most 1920 px wide or high, and has no metadata', async () => {
  const body = await picture(3000, 1000)
    .jpeg()
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '40/1 42/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  files.set('/ann.jpg', { type: 'image/jpeg', body });
  await using pub = await startPub(pages());

  const answer = await image(pub.service, 'tender', ANN);

  const shown = await sharp(answer.rawPayload).metadata();
  expect(answer.headers['content-type']).toBe('image/jpeg');
  expect([shown.width, shown.height]).toEqual([640, 1920]);
  expect([shown.exif, shown.orientation]).toEqual([undefined, undefined]);
  expect(answer.rawPayload.includes('Phone')).toBe(false);
});

test.each(['webp', 'gif', 'avif'] as const)('a %s is shown', async (format) => {
  files.set(`/poster.${format}`, { body: await picture(20, 10).toFormat(format).toBuffer() });
  await using pub = await startPub(pages(`/poster.${format}`));

  const answer = await image(pub.service, 'announcement', POSTER);

  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
});

test('files that are no image, or too large, are refused whatever their content type', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const broken = (await picture(300, 200).png().toBuffer()).subarray(0, 200);
  const cases: Parameters<typeof files.set>[1][] = [
    { body: Buffer.from(svg), type: 'image/svg+xml' },
    { body: Buffer.from(svg), type: 'image/png' },
    { body: Buffer.from('<!doctype html><script>alert(1)</script>'), type: 'image/png' },
    { body: Buffer.from('%PDF-1.4'), type: 'image/jpeg' },
    { body: Buffer.concat([Buffer.from('GIF89a'), Buffer.from(svg)]), type: 'image/gif' },
    { body: broken },
    { body: Buffer.alloc(0) },
    { body: Buffer.alloc(10 * 1024 * 1024 + 1) },
    { body: claiming(await picture(20, 10).png().toBuffer(), 30_000) },
    { body: 'drop' },
    { body: Buffer.from('busy'), status: 503 },
  ];
  await using pub = await startPub(pages());

  for (const [index, one] of cases.entries()) {
    files.set('/poster.png', one);
    pub.service.clock.now += 31 * SECOND;
    const answer = await image(pub.service, 'announcement', POSTER);
    expect([index, answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([
      index,
      502,
      errorJson('image_upstream_failed'),
      'no-store',
    ]);
  }
});

test('a failed fetch is not repeated for every request', async () => {
  files.set('/poster.png', { body: 'drop' });
  asked.length = 0;
  await using pub = await startPub(pages());

  for (let count = 0; count < 5; count += 1) await image(pub.service, 'announcement', POSTER);

  expect(asked).toEqual(['/poster.png']);
});

test.each([
  ['an unknown kind', 'poster', POSTER],
  ['an unknown page', 'announcement', id(0xfff)],
  ['a page without a file', 'announcement', OTHER],
  ['a page of another kind', 'announcement', ANN],
  ['a tender without a photo', 'tender', QR],
  ['the code of who is in no directory', 'tender-qr', id(0x905)],
  ['no id', 'tender', '%2e%2e%2f'],
])('%s is a 404 without a call to the workspace', async (_what, kind, page) => {
  const { service, workspace } = shared;
  const calls = workspace.requests.length;

  const answer = await image(service, kind, page);

  expect([answer.statusCode, answer.json()]).toEqual([404, errorJson('image_not_found')]);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(workspace.requests.length).toBe(calls);
});

test('an edited page gets a new image, and the old one is shown until then', async () => {
  const [old, next] = [await picture(10, 10).png().toBuffer(), await picture(20, 10).png().toBuffer()];
  files.set('/poster.png', { body: old });
  await using pub = await startPub(pages(), {}, { durable: true });
  await image(pub.service, 'announcement', POSTER);
  const edit = async (edited: string) => {
    pub.workspace.page(POSTER).last_edited_time = edited;
    pub.service.clock.now += 2 * MINUTE;
    await pub.refresh();
  };
  const width = async (service = pub.service) =>
    (await sharp((await image(service, 'announcement', POSTER)).rawPayload).metadata()).width;

  files.set('/poster.png', { body: 'drop' });
  await edit('2026-11-21T17:01:00.000Z');
  expect(await width()).toBe(10);

  files.set('/poster.png', { body: next });
  await edit('2026-11-21T17:03:00.000Z');
  await expect.poll(() => width()).toBe(20);

  // After a restart the stored image is used, even with everything down.
  pub.workspace.down = { status: 503 };
  files.set('/poster.png', { body: 'drop' });
  const service = await pub.restart();
  expect(await width(service)).toBe(20);
  service.clock.now += 31 * DAY;
  await deleteUnusedImages(service.ctx);
  expect(await width(service)).toBe(20);
  await service.ctx.write((tx) => tx.run(build.updateTable('display_images').set({ page_id: id(0xdead) })));
  await deleteUnusedImages(service.ctx);
  expect(service.ctx.db.all(build.selectFrom('display_images').selectAll())).toEqual([]);
});

test('an image whose file was removed is a 404 as soon as that is known', async () => {
  files.set('/poster.png', { body: await picture(10, 10).png().toBuffer() });
  await using pub = await startPub(pages());
  await image(pub.service, 'announcement', POSTER);
  const page = pub.workspace.page(POSTER);
  page.last_edited_time = '2026-11-21T17:01:00.000Z';
  pub.service.clock.now += 2 * MINUTE;
  await pub.refresh();
  page.properties.Image = { type: 'files', files: [] };

  expect((await image(pub.service, 'announcement', POSTER)).statusCode).toBe(200);
  await expect.poll(async () => (await image(pub.service, 'announcement', POSTER)).statusCode).toBe(404);
});

test('pages get a picture in the size in which they show it, whoever stored it', async () => {
  const tall = await picture(900, 1200).png().toBuffer();
  files.set('/ann.jpg', { body: await detailedPicture(900, 1_200), type: 'image/jpeg' });
  await using pub = await startPub(pages());
  const { service } = pub;
  const eve = await editorAt(service);
  const own = (await upload(service, eve.headers, { bytes: tall })).json().id;
  const bob = await eve.publish('tender', { full_name: 'Bob Own', picture: own });

  for (const [page, stored] of [
    [ANN, 1_200],
    [bob, 1_200],
  ] as const) {
    const sides = async (size: number) => {
      const answer = await service.get(`/api/image/tender/${page}?size=${size}`);
      return Math.max(...(await sidesOf(answer.rawPayload)));
    };
    expect([await sides(160), await sides(480), await sides(960), await sides(1_920)]).toEqual([
      160,
      480,
      960,
      stored,
    ]);
  }
  const small = await service.get(`/api/image/tender/${ANN}?size=160`);
  expect([small.headers['content-type'], small.headers['cache-control']]).toEqual([
    'image/webp',
    'public, max-age=120',
  ]);
  const code = await service.get(`/api/image/tender-qr/${ANN}?size=160`);
  expect([code.headers['content-type'], await sidesOf(code.rawPayload)]).toEqual(['image/png', [960, 960]]);
});

test('a tender without a QR code of their own gets one that leads to their profile', async () => {
  const { service } = shared;

  const answer = await image(service, 'tender-qr', ANN);

  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
  expect((await sharp(answer.rawPayload).metadata()).width).toBeGreaterThan(300);
  files.set('/qr.png', { body: await picture(50, 50).png().toBuffer() });
  expect((await sharp((await image(service, 'tender-qr', QR)).rawPayload).metadata()).width).toBe(50);
});

test('a generated QR code never follows Host, and may be cached only if BASE_URL is set', async () => {
  await using pub = await startPub(pages());
  await using fixed = await startPub(pages(), { BASE_URL: 'https://pub.example' });
  const ask = (service: TestApp, host: string) => service.get(`/api/image/tender-qr/${ANN}`, { host });

  const [known, same] = [await ask(fixed.service, 'pub.example'), await ask(fixed.service, 'evil.example')];
  const [here, other] = [await ask(pub.service, 'localhost:3000'), await ask(pub.service, 'evil.example')];

  expect([known, same].map(({ headers }) => headers['cache-control'])).toEqual(
    Array(2).fill('public, max-age=120'),
  );
  expect(same.rawPayload.equals(known.rawPayload)).toBe(true);
  expect([here, other].map(({ headers }) => headers['cache-control'])).toEqual(Array(2).fill('no-store'));
  // A file of the tender is the same for every host.
  files.set('/qr.png', { body: await picture(50, 50).png().toBuffer() });
  expect((await image(pub.service, 'tender-qr', QR)).headers['cache-control']).toBe('public, max-age=120');
  expect([here, other].map(({ statusCode }) => statusCode)).toEqual([200, 500]);
});

test('in production no file is fetched from local addresses or over plain HTTP', async () => {
  files.set('/poster.png', { body: await picture(10, 10).png().toBuffer() });
  asked.length = 0;
  await using pub = await startPub(pages(), { NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.1' });
  const { port } = new URL(origin);

  for (const [minute, address] of [
    `${origin}/poster.png`,
    `https://127.0.0.1:${port}/poster.png`,
    `https://localhost:${port}/poster.png`,
    `https://[::ffff:127.0.0.1]:${port}/poster.png`,
    'https://169.254.169.254/latest/meta-data/',
  ].entries()) {
    pub.workspace.page(POSTER).properties.Image = file(address);
    pub.service.clock.now += MINUTE * minute;
    expect((await image(pub.service, 'announcement', POSTER)).statusCode).toBe(502);
  }
  expect(asked).toEqual([]);
});

/** Makes the header of a PNG claim `size` pixels of width and height. */
function claiming(png: Buffer, size: number): Buffer {
  png.writeUInt32BE(size, 16);
  png.writeUInt32BE(size, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

const image = (service: TestApp, kind: string, page: string) => service.get(`/api/image/${kind}/${page}`);
