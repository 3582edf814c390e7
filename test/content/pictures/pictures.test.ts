import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { deleteUnusedPictures } from '#content/pictures/retention.ts';
import { DAY } from '#kernel/clock.ts';
import { backUp } from '#kernel/db/backup.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { build } from '#kernel/db/queries.ts';
import { NOON, type TestApp, testApp } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { editorAt } from '#test/support/content.ts';
import { expectBadField, expectForbidden, expectRefusal, message, onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { blankPng, noisyPicture, phonePhoto, smallPicture, upload } from '#test/support/pictures.ts';
import { tempFolder } from '#test/support/process/process.ts';

const storedIn = (service: TestApp) =>
  service.ctx.db.all(build.selectFrom('pictures').select('id')).map(({ id }) => id);

test('a photo of a phone is stored upright in two sizes, without location and camera data', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const photo = await phonePhoto(2_000, 1_500);
  expect(photo.includes('Phone 12')).toBe(true);

  const answer = await upload(service, headers, { bytes: photo });

  expect(answer.json()).toEqual({ ok: true, id: expect.any(String), width: 1_440, height: 1_920 });
  const { id } = answer.json();
  for (const [size, width, height] of [
    [1_920, 1_440, 1_920],
    [480, 360, 480],
  ] as const) {
    const file = await service.get(`/api/admin/pictures/${id}/file?size=${size}`, headers);
    expect(file.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-cache',
    });
    const { exif, orientation, ...found } = await sharp(file.rawPayload).metadata();
    expect([found.width, found.height, exif, orientation]).toEqual([width, height, undefined, undefined]);
    for (const text of ['Exif', 'GPS', 'Phone 12']) expect(file.rawPayload.includes(text)).toBe(false);
    const [top, bottom] = await coloursAt(file.rawPayload, [0.1, 0.9]);
    expect([top![0]! > 200, top![2]! < 60, bottom![0]! < 60, bottom![2]! > 200]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  }
  const json = await service.get(`/api/admin/pictures/${id}`, headers);
  expect(json.json()).toEqual({
    id,
    alt: 'The band on its stage',
    decorative: false,
    focus: 5,
    width: 1_440,
    height: 1_920,
    added_at: '2026-11-21T17:00:00.000Z',
    added_by: 'eve@club.example',
    used_in: [],
  });
  expect(recordedOf(service.ctx, 'picture.added')).toMatchObject([{ picture: id, width: 1_440 }]);
  expect(JSON.stringify(recordedOf(service.ctx, 'picture.added'))).not.toContain('band');
});

test('a poster stays a PNG, unless that would be large', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const blank = { create: { width: 800, height: 600, channels: 4 as const, background: '#ffffff80' } };
  const poster = await sharp(blank).png().toBuffer();
  const noisy = await noisyPicture(900, 700);

  expect(noisy.length).toBeGreaterThan(1_500_000);

  const typeOf = async (bytes: Buffer) => {
    const { id } = (await upload(service, headers, { bytes })).json();
    const file = await service.get(`/api/admin/pictures/${id}/file`, headers);
    return [file.headers['content-type'], file.rawPayload.length <= 1_500_000];
  };
  expect(await typeOf(poster)).toEqual(['image/png', true]);
  expect(await typeOf(blankPng(100))).toEqual(['image/png', true]);
  expect(await typeOf(noisy)).toEqual(['image/webp', true]);
});

test('a picture needs a description or a mark as decoration, and one of nine focus points', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const bytes = await smallPicture();
  const pathsOf = async (fields: Record<string, string>) => {
    const answer = await upload(service, headers, { bytes }, fields);
    return [answer.statusCode, answer.json().errors?.[0]?.path];
  };

  expect(await pathsOf({ alt: '  ' })).toEqual([400, 'alt']);
  expect(await pathsOf({ alt: 'x'.repeat(201) })).toEqual([400, 'alt']);
  expect(await pathsOf({ alt: 'A', focus: '10' })).toEqual([400, 'focus']);
  expect(storedIn(service)).toEqual([]);
  const { id } = (await upload(service, headers, { bytes }, { decorative: 'true', focus: '2' })).json();
  expect((await service.get(`/api/admin/pictures/${id}`, headers)).json()).toMatchObject({
    alt: '',
    decorative: true,
    focus: 2,
  });
  const none = await service.post('/api/admin/pictures', { alt: 'A' }, headers);
  expect([none.statusCode, none.json().errors[0].path]).toEqual([400, 'picture']);
});

test('the same file is stored as one picture, with the latest description', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const bytes = await smallPicture();

  const first = (await upload(service, headers, { bytes }, { alt: 'A cat' })).json();
  const second = (await upload(service, headers, { bytes }, { alt: 'A dog' })).json();

  expect(second).toEqual(first);
  expect(storedIn(service)).toEqual([first.id]);
  expect((await service.get(`/api/admin/pictures/${first.id}`, headers)).json().alt).toBe('A dog');
});

test('the same file from several people at once is one picture', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const bytes = await smallPicture();

  const sent = Array.from({ length: 4 }, () => upload(service, headers, { bytes }, { alt: 'A cat' }));
  const ids = (await Promise.all(sent)).map((answer) => answer.json().id);

  expect(storedIn(service)).toEqual([ids[0]]);
  expect(new Set(ids).size).toBe(1);
});

test('pictures need the permissions to read and write content', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const viewer = await appoint(service, 'vic@club.example', 'viewer');
  const bytes = await smallPicture();
  const { id } = (await upload(service, headers, { bytes })).json();

  expectForbidden(await upload(service, viewer, { bytes }), 'content:write');
  expect((await service.get(`/api/admin/pictures/${id}/file`, viewer)).statusCode).toBe(200);
  expectRefusal(await service.get(`/api/admin/pictures/${id}/file`), 401, 'staff_key_required');
  const remove = (who: Record<string, string>) =>
    service.request({ method: 'DELETE', url: `/api/admin/pictures/${id}`, headers: who });
  expectForbidden(await remove(viewer), 'content:write');
  expect((await remove(headers)).json()).toEqual({ ok: true });
  expectRefusal(await remove(headers), 404, 'picture_not_found');
  expectRefusal(await service.get(`/api/admin/pictures/${id}/file`, headers), 404, 'image_not_found');
  expect(recordedOf(service.ctx, 'picture.removed')).toMatchObject([{ picture: id }]);
});

test('a picture in use is not deleted, and the error names where it is used', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const { id } = (await upload(service, eve.headers, { bytes: await smallPicture() })).json();
  const url = await eve.create('announcement', { title: 'Quiz', picture: id }, true);
  await eve.patch(url, { version: 1, body: { picture: null } });
  const remove = () =>
    service.request({ method: 'DELETE', url: `/api/admin/pictures/${id}`, headers: eve.headers });

  // The draft has no picture, but the published version has.
  const refused = await remove();

  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toEqual({
    error: message('picture_in_use', { titles: 'Quiz' }),
    code: 'picture_in_use',
    message: onPage('picture_in_use', { titles: 'Quiz' }),
    params: { titles: ['Quiz'] },
    used_in: [{ kind: 'announcement', id: url.split('/')[1], title: 'Quiz' }],
  });
  await eve.post(`${url}/publish`, { version: 2 });
  expect((await remove()).statusCode).toBe(200);
  // Restoring the version that had it restores everything except the picture.
  await eve.post(`${url}/restore`, { version: 1 });
  expect((await eve.read(url)).body).toMatchObject({ title: 'Quiz', picture: null });
});

test('a picture used in no version is deleted after 30 days; versions that can be restored keep theirs', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const colours = ['#111111', '#222222', '#333333', '#444444'];
  const sent = await Promise.all(
    colours.map(async (colour) =>
      (await upload(service, eve.headers, { bytes: await smallPicture(colour) })).json(),
    ),
  );
  const [unused, replaced, removed, again] = sent.map(({ id }) => id as string);
  const url = await eve.create('announcement', { title: 'Quiz', picture: replaced });
  await eve.patch(url, { version: 1, body: { picture: null } });
  await eve.post(`${await eve.create('announcement', { title: 'Old', picture: removed })}/remove`);

  service.clock.now = NOON + 30 * DAY - 1;
  await upload(service, eve.headers, { bytes: await smallPicture(colours[3]) });
  await deleteUnusedPictures(service.ctx);
  expect(storedIn(service)).toContain(unused);
  service.clock.now = NOON + 30 * DAY;
  await deleteUnusedPictures(service.ctx);

  expect(storedIn(service).toSorted()).toEqual([replaced, removed, again].toSorted());
});

test('all pictures together take at most 200 MB, and the list warns when little space is left', async () => {
  await using service = await testApp();
  const { headers } = await editorAt(service);
  const { id } = (await upload(service, headers, { bytes: await smallPicture() })).json();
  const most = sql<Uint8Array>`zeroblob(${sql.lit(199_999_990)})`;
  await service.ctx.write((tx) =>
    tx.run(build.updateTable('picture_files').set({ bytes: most }).where('size', '=', 480)),
  );

  const refused = await upload(service, headers, { bytes: await smallPicture('#993333') });

  expect([refused.statusCode, storedIn(service)]).toEqual([409, [id]]);
  expect(refused.json().error).toBe(`picture: ${onPage('no_room_for_pictures')}`);
  const page = await service.get('/admin/content/pictures', { ...headers, accept: 'text/html' });
  expect(page.body).toContain('There is little room left');
});

test('a backup has the pictures, byte for byte', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  await using service = await testApp({ DATABASE_URL: `file:${file}` });
  const { headers } = await editorAt(service);
  const { id } = (await upload(service, headers, { bytes: await phonePhoto(1_200, 900) })).json();
  const here = await service.get(`/api/admin/pictures/${id}/file`, headers);

  const backup = await backUp(file, { folder: path.join(folder, 'backups'), keep: 2, at: NOON });

  expect(fs.existsSync(backup)).toBe(true);
  using database = openDatabase(backup);
  const rows = database.sqlite
    .prepare('SELECT size, bytes FROM picture_files WHERE picture_id = ? ORDER BY size')
    .all(id) as { size: number; bytes: Buffer }[];
  expect(rows.map(({ size }) => size)).toEqual([480, 1_920]);
  expect(rows[1]?.bytes.equals(here.rawPayload)).toBe(true);
});

/** Returns red, green and blue in the middle of a picture at these heights, given as fractions of its height. */
async function coloursAt(bytes: Buffer, heights: number[]): Promise<number[][]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return heights.map((y) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(info.width / 2)) * info.channels;
    return [...data.subarray(at, at + 3)];
  });
}

test('the description of a picture is changed by JSON, field by field, wherever it is shown', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const { id } = (
    await upload(service, eve.headers, { bytes: await smallPicture() }, { alt: 'A cat' })
  ).json();
  await eve.publish('announcement', { title: 'Cat', picture: id });
  const patch = (payload: object, headers = eve.headers) =>
    service.request({
      method: 'PATCH',
      url: `/api/admin/pictures/${id}`,
      payload,
      headers: { accept: 'application/json', ...headers },
    });
  const said = async () => (await service.get('/api/events')).json().announcements[0].imageAlt;

  expect((await patch({ focus: 9 })).json()).toEqual({
    ok: true,
    id,
    alt: 'A cat',
    decorative: false,
    focus: 9,
  });
  expect((await patch({ alt: ' A  dog ' })).json()).toMatchObject({ alt: 'A dog', focus: 9 });
  expect(await said()).toBe('A dog');
  expect((await patch({ decorative: true })).json()).toMatchObject({ alt: '', decorative: true });
  expect((await patch({ alt: 'A dog' })).json()).toMatchObject({ alt: 'A dog', decorative: false });
  for (const [wrong, path] of [
    [{ alt: '' }, 'alt'],
    [{ alt: 'x'.repeat(201) }, 'alt'],
    [{ focus: 10 }, 'focus'],
    [{ decorative: true, alt: 'A dog' }, 'alt'],
    [{ decorative: false, alt: '' }, 'alt'],
  ] as const)
    expect([(await patch(wrong)).statusCode, (await patch(wrong)).json().errors[0].path]).toEqual([
      400,
      path,
    ]);
  expectBadField(await patch({ size: 1 }), 'size', 'unknown_field');
  const viewer = await appoint(service, 'vic@club.example', 'viewer');
  expectForbidden(await patch({ focus: 1 }, viewer), 'content:write');
  expect(await said()).toBe('A dog');
});
