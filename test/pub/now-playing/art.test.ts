import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { errorJson, expectRefusal } from '#test/support/messages.ts';

/** A picture host, whose answers each test sets. */
let host: http.Server;
let origin: string;
let answer: (path: string, response: http.ServerResponse) => void;
let asked: string[];
let service: TestApp;

beforeEach(async () => {
  asked = [];
  answer = (_path, response) => response.writeHead(404).end();
  host = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request.url ?? '', response);
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  service = await testApp();
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  host.closeAllConnections();
  host.close();
});

test('a cover comes from our own host, at most 640 pixels wide, and is fetched once for all plays', async () => {
  const photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#d8a550' } })
    .withExif({ IFD0: { Copyright: 'where the camera was' } })
    .jpeg()
    .toBuffer();
  answer = (_path, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(photo);
  const [first, second] = [await play('/a.jpg'), await play('/a.jpg')];

  const answers = await Promise.all([first, second, first].map((id) => service.get(`/api/art/${id}`)));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const [cover] = answers;
  expect(cover?.headers['content-type']).toBe('image/webp');
  expect(cover?.headers['cache-control']).toBe('public, max-age=86400');
  const { width, height, exif } = await sharp(cover?.rawPayload).metadata();
  expect({ width, height, exif }).toEqual({ width: 640, height: 480, exif: undefined });
  expect(asked).toEqual(['/a.jpg']);

  const again = await service.get(`/api/art/${second}`, { 'if-none-match': String(cover?.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('a play without a cover and an unknown id are a 404', async () => {
  const bare = await play(undefined);
  for (const id of [bare, 999_999, 'x', '-1', '1e3', '9'.repeat(40)]) {
    const { statusCode, headers, json } = await service.get(`/api/art/${id}`);
    expect([id, statusCode, headers['cache-control'], json()]).toEqual([
      ...[id, 404, 'no-store', errorJson('image_not_found')],
    ]);
  }
  expect(asked).toEqual([]);
});

test('a hidden play has no cover', async () => {
  const id = await play('/a.png');
  await service.ctx.write((tx) => tx.run(build.updateTable('plays').set({ hidden: 1 })));

  expectRefusal(await service.get(`/api/art/${id}`), 404, 'image_not_found');
  expect(asked).toEqual([]);
});

test('files that are no picture are not shown, whatever their name and type', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const bodies: Record<string, [number, string | Buffer]> = {
    '/a.svg': [200, svg],
    '/page': [200, '<!doctype html><title>Sign in</title>'],
    '/half.png': [200, png.subarray(0, 40)],
    '/empty': [200, ''],
    '/gone.png': [404, png],
    '/busy.png': [503, png],
  };
  answer = (path, response) => {
    const [status, body] = bodies[path] ?? [500, ''];
    response.writeHead(status, { 'content-type': 'image/png' }).end(body);
  };
  for (const path of Object.keys(bodies)) {
    const id = await play(path);
    expect([path, (await service.get(`/api/art/${id}`)).statusCode]).toEqual([path, 404]);
  }
  expect(asked).toHaveLength(Object.keys(bodies).length);
});

test('a failed fetch is retried after ten minutes', async () => {
  const id = await play('/late.png');
  await service.get(`/api/art/${id}`);
  await service.get(`/api/art/${id}`);
  expect(asked).toHaveLength(1);

  await serve();
  service.clock.now += 10 * MINUTE;
  expect((await service.get(`/api/art/${id}`)).statusCode).toBe(200);
  expect(asked).toHaveLength(2);
});

test('an expired cover is sent at once while it is fetched again, and is kept if its host fails', async () => {
  await serve();
  const id = await play('/a.png');
  const before = await service.get(`/api/art/${id}`);
  service.clock.now += 25 * HOUR;
  // The host holds its answer back until the visitor was answered.
  const held: http.ServerResponse[] = [];
  answer = (_path, response) => void held.push(response);
  const during = await service.get(`/api/art/${id}`);
  await expect.poll(() => held.length).toBe(1);
  held[0]!.destroy();
  const after = await service.get(`/api/art/${id}`);

  expect([before.statusCode, during.statusCode, after.statusCode]).toEqual([200, 200, 200]);
  expect(hash(during.rawPayload)).toBe(hash(before.rawPayload));
  expect(hash(after.rawPayload)).toBe(hash(before.rawPayload));
});

test('in production only public hosts are asked, and only over https', async () => {
  await serve();
  await service[Symbol.asyncDispose]();
  service = await testApp({ NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(32) });
  const id = await play('/a.png');

  expectRefusal(await service.get(`/api/art/${id}`), 404, 'image_not_found');
  expect(asked).toEqual([]);
});

async function serve() {
  const png = await sharp({ create: { width: 50, height: 50, channels: 4, background: '#1f4d3a' } })
    .png()
    .toBuffer();
  answer = (_path, response) => response.writeHead(200).end(png);
}

/** Stores a play with a cover at this path of the host. @returns its id */
async function play(path: string | undefined): Promise<number> {
  const { id } = await service.ctx.write(
    (tx) =>
      tx.first(
        build
          .insertInto('plays')
          .values({
            started_at: service.clock.now,
            artist: 'The Lantern Ferry',
            title: 'Harbour Lights',
            album_art_url: path === undefined ? '' : `${origin}${path}`,
          })
          .returning('id'),
      )!,
  );
  return id;
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
