import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { message, onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { noisyPicture, upload } from '#test/support/pictures.ts';

/** Names of screens: a notice for all of them needs its own database page. */
const NAMES = Array.from({ length: 50 }, (_, at) => `screen ${at} `.padEnd(40, 'x'));

/** Limits the size of the database, or lifts the limit. */
const pagesAtMost = (service: TestApp, pages: number) =>
  service.ctx.db.all(sql`PRAGMA max_page_count = ${sql.lit(pages)}`.compile(build));

/** Fills the free space of the last pages with revisions of an extra record. */
async function fill(service: TestApp, eve: Awaited<ReturnType<typeof editorAt>>): Promise<void> {
  const url = await eve.create('announcement', { title: 'Filler' });
  pagesAtMost(service, 1);
  for (let version = 1; version < 100; version += 1) {
    const text = `${version} ${'x'.repeat(1_900)}`;
    if ((await eve.patch(url, { version, body: { text } })).statusCode === 503) return;
  }
  throw new Error('There is still room');
}

test('while the disk is full a change is refused with a reason, and published content stays unchanged', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'Quiz', text: 'At eight.' }, true);
  const tess = await appoint(service, 'tess@club.example', 'tender');
  await fill(service, eve);
  const before = (await service.get('/api/events')).body;
  const text = 'At nine. '.repeat(200);

  const refused = await eve.patch(url, { version: 1, body: { text }, publish: true });

  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '30']);
  expect(refused.json().error).toBe(message('disk_full'));
  const form = { title: 'Quiz', priority: 'normal', version: '1', text, publish: 'true' };
  const page = await service.submit(`/admin/content/${url}`, form, eve.headers);
  expect(page.statusCode).toBe(503);
  expect(page.body).toContain(onPage('disk_full'));
  expect(page.body).toContain('At nine. At nine.');
  const picture = await upload(service, eve.headers, { bytes: await noisyPicture(400, 300) });
  expect([picture.statusCode, picture.json().error]).toEqual([503, refused.json().error]);
  const notice = () => service.post('/api/admin/takeover', { kind: 'leave', screens: NAMES }, tess);
  const started: number[] = [];
  while (started.length < 10 && !started.includes(503)) started.push((await notice()).statusCode);
  const { takeover } = (await service.get('/api/takeover')).json();
  expect([started.at(-1), takeover?.earlier.length ?? -1]).toEqual([503, started.length - 2]);
  expect((await service.get('/api/events')).json().slides).toEqual(JSON.parse(before).slides);
  expect((await eve.read(url)).history).toHaveLength(1);

  pagesAtMost(service, 1_000_000);
  expect((await eve.patch(url, { version: 1, body: { text }, publish: true })).json().version).toBe(2);
  expect((await service.get('/api/events')).body).toContain('At nine.');
});

test('of a hundred concurrent saves by two people none is lost, and the history has each', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const mia = await appoint(service, 'mia@club.example', 'manager');
  const url = await eve.create('announcement', { title: 'Quiz' }, true);
  const patch = (headers: Record<string, string>, payload: object) =>
    service.request({ method: 'PATCH', url: `/api/admin/content/${url}`, headers, payload });

  /** Adds a line with each save: to the last saved text, or after a refusal to the stored text it returned. */
  const edit = async (name: string, headers: Record<string, string>) => {
    let opened = { version: 1, text: '' };
    let refusals = 0;
    for (let saved = 0; saved < 50; ) {
      const text = `${opened.text}\n${name}${saved}`;
      const body = { text, priority: saved % 2 === 0 ? 'high' : 'normal' };
      const { version } = opened;
      const answer = await patch(headers, { version, body, publish: saved % 10 === 0 });
      if (answer.statusCode === 200) {
        opened = { version: answer.json().version, text };
        saved += 1;
      } else {
        expect(answer.json()).toMatchObject({ error: message('changed_meanwhile'), fields: ['text'] });
        opened = { version: answer.json().version, text: answer.json().current.text };
        refusals += 1;
      }
    }
    return refusals;
  };
  const refusals = await Promise.all([edit('e', eve.headers), edit('m', mia)]);

  const { body, history, version } = await eve.read(url);
  const lines = body.text.split('\n');
  for (const name of ['e', 'm'])
    expect(lines.filter((line: string) => line.startsWith(name))).toEqual(
      Array.from({ length: 50 }, (_, at) => `${name}${at}`),
    );
  expect(refusals.some((count) => count > 0)).toBe(true);
  expect([lines.length, version]).toEqual([100, 101]);
  expect(history.map((entry: { version: number }) => entry.version)).toEqual(
    Array.from({ length: 101 }, (_, at) => 101 - at),
  );
  expect(new Set(history.map((entry: { by: string }) => entry.by))).toEqual(
    new Set(['eve@club.example', 'mia@club.example']),
  );
});
