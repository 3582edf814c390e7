// A form with an id is done once: the second press gets the answer of the first one.
import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { forgetAnswers } from '#kernel/http/once.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, page } from '#test/support/factories.ts';
import { formAt } from '#test/support/forms.ts';
import { onPage } from '#test/support/messages.ts';
import { tempFolder } from '#test/support/process/process.ts';

const ID = 'a-random-id-of-a-form';
const AGM = { title: 'AGM', held_at: '2026-12-04T19:00' };

const meetings = async (service: TestApp) => (await service.get('/admin/meetings')).json().meetings.length;
const codes = async (service: TestApp, id: string) =>
  (await service.get(`/admin/elections/${id}/tokens`))
    .json()
    .batches.reduce((sum: number, batch: { count: number }) => sum + batch.count, 0);

/** The form on a page, with its id and what somebody enters. */
async function filled(service: TestApp, url: string, action: string, entered: Record<string, string>) {
  const form = formAt((await page(service, url)).body, action);
  expect(form.fields.once).toMatch(/^[\da-f]{32}$/);
  return { ...form.fields, ...entered };
}

test('two presses of one form make one thing, one after the other and at once', async () => {
  await using service = await testApp();
  const fields = await filled(service, '/admin/meetings/new', '/admin/meetings', AGM);
  const first = await service.submit('/admin/meetings', fields);
  const second = await service.submit('/admin/meetings', fields);
  expect([first.statusCode, second.statusCode, second.headers.location]).toEqual([
    303,
    303,
    first.headers.location,
  ]);
  const other = await filled(service, '/admin/meetings/new', '/admin/meetings', AGM);
  const three = await Promise.all([1, 2, 3].map(() => service.submit('/admin/meetings', other)));
  expect(new Set(three.map(({ headers }) => headers.location)).size).toBe(1);
  expect(await meetings(service)).toBe(2);
});

test('other fields, another address, no id and the time after ten minutes are other requests', async () => {
  await using service = await testApp();
  const make = (fields: object) => service.submit('/admin/meetings', { ...AGM, ...fields });
  await make({ once: ID });
  await make({ once: ID, title: 'Another' });
  expect(await meetings(service)).toBe(2);
  await make({});
  await make({});
  expect(await meetings(service)).toBe(4);
  service.clock.now += 10 * MINUTE - 1;
  await make({ once: ID });
  expect(await meetings(service)).toBe(4);
  service.clock.now += 1;
  await make({ once: ID });
  expect(await meetings(service)).toBe(5);
});

test('a refused form is not remembered: corrected or sent again, it is done', async () => {
  await using service = await testApp();
  expect((await service.submit('/admin/meetings', { ...AGM, held_at: '', once: ID })).statusCode).toBe(400);
  expect((await service.submit('/admin/meetings', { ...AGM, once: ID })).statusCode).toBe(303);
  expect(await meetings(service)).toBe(1);
  const rows = service.ctx.db.all(build.selectFrom('once_answers').selectAll());
  expect(rows).toHaveLength(1);
});

test('a script names its request by the header Idempotency-Key', async () => {
  await using service = await testApp();
  const make = () => service.post('/admin/meetings', AGM, { 'idempotency-key': ID });
  const [first, second] = [await make(), await make()];
  expect([first.statusCode, second.json()]).toEqual([200, first.json()]);
  expect(await meetings(service)).toBe(1);
});

test('a script that repeats a form gets JSON, not the page that a lost answer was', async () => {
  await using service = await testApp();
  const fields = { title: 'Members', name: 'Members', once: ID };
  const lost = await service.submit('/admin/distribution-lists', fields);
  expect(lost.statusCode).toBe(303);
  const again = await service.submit('/admin/distribution-lists', fields, { accept: 'application/json' });
  expect(again.headers['content-type']).toContain('application/json');
});

test('another officer with the same id makes a thing of their own', async () => {
  await using service = await testApp();
  const as = (email: string) => ({ 'edge-access-authenticated-user-email': email });
  for (const email of ['ann@club.example', 'bob@club.example'])
    await service.post('/admin/meetings', AGM, { 'idempotency-key': ID, ...as(email) });
  expect(await meetings(service)).toBe(2);
});

test('a second press shows the same voting codes; none is stored in an answer', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  const url = `/admin/elections/${id}/tokens`;
  const fields = await filled(service, `/admin/elections/${id}/codes`, url, { count: '5' });
  const [first, second] = await Promise.all([service.submit(url, fields), service.submit(url, fields)]);
  expect([first.statusCode, second.body]).toEqual([200, first.body]);
  expect(await codes(service, id)).toBe(5);
  const [row] = service.ctx.db.all(build.selectFrom('once_answers').selectAll());
  expect(row).toMatchObject({ answer: null, made: expect.stringContaining('tokens.voting_codes_made') });
});

/** The same database in another run of the service. */
async function restarted(first: TestApp, folder: string): Promise<TestApp> {
  await first[Symbol.asyncDispose]();
  const next = await testApp({ DATABASE_URL: `file:${folder}/service.db` });
  next.clock.now = first.clock.now;
  return next;
}

test('answers survive a restart; of codes it tells what was made, and deletes it unused', async () => {
  const folder = tempFolder();
  const before = await testApp({ DATABASE_URL: `file:${folder}/service.db` });
  const made = await before.submit('/admin/meetings', { ...AGM, once: ID });
  const id = await addElection(before);
  const url = `/admin/elections/${id}/tokens`;
  await before.submit(url, { count: '3', batch_name: '' });
  before.clock.now += 1;
  await before.submit(url, { count: '5', batch_name: '', once: ID });
  expect(await codes(before, id)).toBe(8);

  await using service = await restarted(before, folder);
  const again = await service.submit('/admin/meetings', { ...AGM, once: ID });
  expect([again.statusCode, again.headers.location]).toEqual([303, made.headers.location]);
  expect(await meetings(service)).toBe(1);

  const lost = await service.submit(url, { count: '5', batch_name: '', once: ID });
  expect(lost.statusCode).toBe(409);
  expect(lost.body).toContain('5 voting codes for');
  expect(await codes(service, id)).toBe(8);
  const { action, fields } = formAt(lost.body, `/admin/elections/${id}/batches?_method=DELETE`);
  expect((await service.submit(action, fields)).statusCode).toBe(303);
  expect(await codes(service, id)).toBe(3);
});

test('packs of cards that were printed twice over a restart can be dropped unopened', async () => {
  const folder = tempFolder();
  const before = await testApp({ DATABASE_URL: `file:${folder}/service.db` });
  const { id } = (await before.post('/admin/meetings', AGM)).json();
  const url = `/admin/meetings/${id}/packs`;
  const fields = { class: 'Member', packs: '2', once: ID };
  const names = (await before.get(`/admin/meetings/${id}`)).json().meeting.classes;
  const first = await before.submit(url, { ...fields, class: names[0] });
  expect(first.statusCode).toBe(200);

  await using service = await restarted(before, folder);
  const lost = await service.submit(url, { ...fields, class: names[0] });
  expect([lost.statusCode, lost.body]).toEqual([409, expect.stringContaining('packs: 1, 2')]);
  const drop = formAt(lost.body, `${url}/drop`);
  expect((await service.submit(drop.action, drop.fields)).statusCode).toBe(303);
  const packs = service.ctx.db.all(build.selectFrom('card_packs').select(['number', 'state']));
  expect(packs.map(({ state }) => state)).toEqual(['void', 'void']);
});

test('a press whose first run the service did not survive is not repeated blindly', async () => {
  const folder = tempFolder();
  const before = await testApp({ DATABASE_URL: `file:${folder}/service.db` });
  await before.submit('/admin/meetings', { ...AGM, once: ID });
  // The state of a service that was killed after the act, and before its answer.
  await before.ctx.write((tx) => tx.run(build.updateTable('once_answers').set({ answer: null })));
  await using service = await restarted(before, folder);
  const again = await service.submit('/admin/meetings', { ...AGM, once: ID });
  expect([again.statusCode, await meetings(service)]).toEqual([409, 1]);
  expect(again.body).toContain(onPage('once_not_known'));
});

test('what was remembered is forgotten after ten minutes', async () => {
  await using service = await testApp();
  await service.submit('/admin/meetings', { ...AGM, once: ID });
  service.clock.now += 10 * MINUTE;
  await forgetAnswers(service.ctx);
  expect(service.ctx.db.all(build.selectFrom('once_answers').selectAll())).toEqual([]);
});
