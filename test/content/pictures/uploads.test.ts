import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { multipart, smallPicture, upload } from '#test/support/pictures.ts';

const MB = 1024 * 1024;
const stored = (service: TestApp) => service.ctx.db.all(build.selectFrom('pictures').select('id')).length;
const errors = (service: TestApp) => service.logged.filter((line) => JSON.parse(line).level >= 50);

/** Sends a raw form. @returns the status and the field of the first error */
async function send(service: TestApp, headers: Record<string, string>, payload: Buffer) {
  const answer = await service.request({
    method: 'POST',
    url: '/api/admin/pictures',
    payload,
    headers: { accept: 'application/json', ...headers },
  });
  return [answer.statusCode, answer.json().errors?.[0]?.path];
}

test('uploads that are too large, too many, too long or incomplete are refused, and nothing is stored', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const bytes = await smallPicture();
  const whole = await multipart({ alt: 'A' }, { picture: { bytes } });
  const headers = { ...eve.headers, ...whole.headers };
  const refusal = async (fields: Record<string, string>, files: Parameters<typeof multipart>[1]) => {
    const form = await multipart(fields, files);
    return send(service, { ...eve.headers, ...form.headers }, form.payload);
  };
  const large = Buffer.concat([bytes, Buffer.alloc(10 * MB + 1 - bytes.length)]);

  expect(await refusal({ alt: 'A' }, { picture: { bytes: large } })).toEqual([413, 'picture']);
  expect(await refusal({ alt: 'A' }, { picture: { bytes: Buffer.alloc(12 * MB) } })).toEqual([
    413,
    'picture',
  ]);
  expect(await refusal({ alt: 'A' }, { picture: [{ bytes }, { bytes }] })).toEqual([413, 'picture']);
  expect(await refusal({ alt: 'A' }, { other: { bytes } })).toEqual([400, 'other']);
  expect(await refusal({ alt: 'x'.repeat(21_000) }, { picture: { bytes } })).toEqual([400, 'alt']);
  expect(await refusal({ alt: 'A' }, { picture: { bytes: Buffer.alloc(0) } })).toEqual([400, 'picture']);
  const fields = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`f${index}`, 'x']));
  expect(await refusal(fields(60), {})).toEqual([400, 'alt']);
  expect((await refusal(fields(61), {}))[0]).toBe(413);
  expect((await refusal({ __proto__x: 'A', toString: 'B' }, { picture: { bytes } }))[0]).toBe(400);
  expect((await send(service, headers, whole.payload.subarray(0, -40)))[0]).toBe(400);
  expect((await send(service, headers, whole.payload.subarray(0, -400)))[0]).toBe(400);
  expect((await send(service, { ...headers, 'content-type': 'multipart/form-data' }, whole.payload))[0]).toBe(
    400,
  );
  expect((await send(service, headers, Buffer.alloc(0)))[0]).toBe(400);
  expect(stored(service)).toBe(0);
  expect(errors(service)).toEqual([]);
  expect(await send(service, headers, whole.payload)).toEqual([200, undefined]);
});

test('a form with a file from another site is refused', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const bytes = await smallPicture();

  for (const site of ['cross-site', 'same-site'])
    expectRefusal(
      await upload(service, { ...headers, 'sec-fetch-site': site }, { bytes }),
      403,
      'cross_site_request',
    );
  const other = await upload(service, { ...headers, origin: 'https://other.example' }, { bytes });

  expect(other.statusCode).toBe(403);
  expect(stored(service)).toBe(0);
});

test('other routes refuse forms with a file', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const form = await multipart({ text: 'A' }, { picture: { bytes: await smallPicture() } });
  for (const url of ['/api/admin/content/announcement', '/sign-in', '/admin/elections']) {
    const headers = { ...eve.headers, ...form.headers };
    const answer = await service.request({ method: 'POST', url, payload: form.payload, headers });
    expect([url, answer.statusCode]).toEqual([url, 415]);
  }
});

test('a form with a file cannot override its method', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const bytes = await smallPicture();
  const { id } = (await upload(service, eve.headers, { bytes })).json();
  const form = await multipart({}, { picture: { bytes } });

  const answer = await service.request({
    method: 'POST',
    url: `/api/admin/pictures/${id}?_method=DELETE`,
    payload: form.payload,
    headers: { ...form.headers, ...eve.headers },
  });

  expect([answer.statusCode, stored(service)]).toEqual([404, 1]);
});

test('a person may send 60 pictures an hour', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const bytes = Buffer.from('no picture');
  for (let sent = 0; sent < 60; sent += 1) await upload(service, headers, { bytes });

  const refused = await upload(service, headers, { bytes });

  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
  service.clock.now += HOUR;
  expect((await upload(service, headers, { bytes: await smallPicture() })).statusCode).toBe(200);
});

/** Starts uploads that stall. @returns functions that cut each off, and wait until the service has noticed */
async function stalledUploads(service: TestApp, headers: Record<string, string>, count: number) {
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as net.AddressInfo;
  const form = await multipart({ alt: 'A' }, { picture: { bytes: Buffer.alloc(MB, 1) } });
  const head = Object.entries({ ...headers, ...form.headers, host: 'localhost:3000' });
  const lines = [
    ...['POST /api/admin/pictures HTTP/1.1', `content-length: ${form.payload.length}`],
    ...head.map(([name, value]) => `${name}: ${value}`),
  ];
  const ends: (() => Promise<void>)[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const begun = once(service.app.server, 'request');
    const socket = net.connect(port, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(form.payload.subarray(0, 300_000));
    const [request] = await begun;
    ends.push(async () => {
      // `once` would reject because of the error before it.
      const ended = new Promise((resolve) => request.on('close', resolve));
      socket.destroy();
      await ended;
    });
  }
  return ends;
}

test('aborted uploads leave nothing behind and do not block the next one', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);

  for (const end of await stalledUploads(service, headers, 5)) await end();

  expect((await upload(service, headers, { bytes: await smallPicture() })).statusCode).toBe(200);
  expect(stored(service)).toBe(1);
  expect(errors(service)).toEqual([]);
});

test('two stalled uploads do not delay forms without a picture, and delay other pictures until they end', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const ends = await stalledUploads(service, eve.headers, 2);
  const form = await multipart({ title: 'Quiz' }, { picture: { bytes: Buffer.alloc(0), name: '' } });

  const text = await service.request({
    method: 'POST',
    url: '/admin/content/announcement',
    payload: form.payload,
    headers: { accept: 'text/html', ...form.headers, ...eve.headers },
  });
  expect(text.statusCode).toBe(303);
  const pictures = ['#111111', '#222222', '#333333'].map(async (colour) =>
    upload(service, eve.headers, { bytes: await smallPicture(colour) }),
  );
  for (const end of ends) await end();

  expect((await Promise.all(pictures)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
});
