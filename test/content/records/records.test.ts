import { expect, test } from 'vitest';
import { deleteOldContent } from '#content/records/retention.ts';
import { DAY } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { editorAt } from '#test/support/content.ts';
import { expectBadField, expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { shared } from '#test/support/shared-app.ts';

const open = shared(async () => {
  const service = await testApp();
  return Object.assign(service, { eve: await editorAt(service) });
});

test('a record is a draft until published, and later changes are drafts beside the published version', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', {
    title: '  Quiz   night ',
    text: 'At eight.\r\nBring a pen.',
  });

  expect(await eve.read(url)).toMatchObject({
    kind: 'announcement',
    version: 1,
    published_version: null,
    state: 'draft',
    changed_by: 'eve@club.example',
    changed_at: '2026-11-21T17:00:00.000Z',
    body: {
      title: 'Quiz night',
      text: 'At eight.\nBring a pen.',
      priority: 'normal',
      seconds: null,
      from: null,
      until: null,
      days: [],
      between: null,
      screens: [],
      picture: null,
    },
  });
  expect((await eve.post(`${url}/publish`, { version: 1 })).json()).toMatchObject({
    ok: true,
    version: 1,
  });
  expect(await eve.read(url)).toMatchObject({ state: 'published', published_version: 1 });
  expect((await eve.patch(url, { version: 1, body: { text: 'At nine.' } })).json()).toMatchObject({
    ok: true,
    version: 2,
  });
  expect(await eve.read(url)).toMatchObject({ state: 'changed', version: 2, published_version: 1 });
  await eve.patch(url, { version: 2, body: { priority: 'high' }, publish: true });
  expect(await eve.read(url)).toMatchObject({ state: 'published', version: 3, published_version: 3 });
});

test('the history has who changed which fields, and the audit log has ids and field names but no texts', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const { id } = (await eve.post('announcement', { body: { title: 'Secret guest' } })).json();
  await eve.patch(`announcement/${id}`, { version: 1, body: { title: 'Guest', seconds: 20 } });

  const { history } = await eve.read(`announcement/${id}`);
  expect(history).toMatchObject([
    {
      version: 2,
      by: 'eve@club.example',
      reason: 'changed',
      fields: ['title', 'seconds'],
      published_at: null,
    },
    { version: 1, by: 'eve@club.example', reason: 'created' },
  ]);
  expect(recordedOf(service.ctx, 'content.changed')).toMatchObject([
    { record: id, kind: 'announcement', version: 2, fields: ['title', 'seconds'] },
  ]);
  expect(JSON.stringify(recordedOf(service.ctx, 'content.created'))).not.toContain('guest');
});

test('concurrent changes of different fields are both kept; of the same field, a 409 has both texts', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'Quiz', text: 'At eight.' });

  const first = await eve.patch(url, { version: 1, body: { title: 'Big quiz' } });
  const second = await eve.patch(url, { version: 1, body: { text: 'At nine.' } });
  const third = await eve.patch(url, { version: 1, body: { title: 'Small quiz' } });

  expect([first.statusCode, second.statusCode, third.statusCode]).toEqual([200, 200, 409]);
  expect(second.json()).toMatchObject({ version: 3, merged: true });
  expect(third.json()).toMatchObject({
    error: message('changed_meanwhile'),
    message: expect.any(String),
    version: 3,
    fields: ['title'],
    current: { title: 'Big quiz', text: 'At nine.' },
    yours: { title: 'Small quiz', text: 'At eight.' },
    base: { title: 'Quiz', text: 'At eight.' },
  });
  await eve.patch(url, { version: 3, body: { title: 'Small quiz' } });
  const { body, history } = await eve.read(url);
  expect(body).toMatchObject({ title: 'Small quiz', text: 'At nine.' });
  expect(history).toHaveLength(4);
});

test('the days of a week are merged separately', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const evening = [{ opens: '17:00', closes: '23:00' }];
  const late = [{ opens: '17:00', closes: '01:00' }];
  const answer = await eve.post('hours', {
    body: { from: '2026-11-01', week: { fri: evening, sat: evening } },
  });
  const url = `hours/${answer.json().id}`;

  await eve.patch(url, { version: 1, body: { week: { fri: late, sat: evening } } });
  const merged = await eve.patch(url, { version: 1, body: { week: { fri: evening, sat: late } } });
  const refused = await eve.patch(url, { version: 1, body: { week: { fri: [], sat: evening } } });

  expect(merged.json()).toMatchObject({ ok: true, version: 3 });
  expect((await eve.read(url)).body.week).toMatchObject({ fri: late, sat: late, sun: [] });
  expect(refused.json().fields).toEqual(['week.fri']);
});

test('of twenty saves of one version that change the same field, one succeeds', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'Quiz' });

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => eve.patch(url, { version: 1, body: { title: `Quiz ${n}` } })),
  );

  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19);
  expect((await eve.read(url)).history).toHaveLength(2);
});

test('undo publishes the previous version, a second undo reverts that; a later publication stops both', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'One' }, true);
  await eve.patch(url, { version: 1, body: { title: 'Draft' } });
  await eve.patch(url, { version: 2, body: { title: 'Two' }, publish: true });

  expect((await eve.post(`${url}/undo`, { version: 3 })).json()).toMatchObject({ ok: true, version: 4 });
  expect(await eve.read(url)).toMatchObject({ state: 'published', body: { title: 'One' } });
  await eve.post(`${url}/undo`, { version: 4 });
  expect(await eve.read(url)).toMatchObject({ state: 'published', body: { title: 'Two' }, version: 5 });

  await eve.patch(url, { version: 5, body: { title: 'Theirs' }, publish: true });
  const late = await eve.post(`${url}/undo`, { version: 5 });
  expect([late.statusCode, late.json().error]).toEqual([409, message('changed_meanwhile')]);
  await eve.patch(url, { version: 6, body: { title: 'Draft again' } });
  expectRefusal(await eve.post(`${url}/undo`, { version: 7 }), 409, 'nothing_to_undo');
});

test('undo of the first publication makes it a draft, and a second undo publishes it again', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'One' }, true);

  await eve.post(`${url}/undo`, { version: 1 });
  expect(await eve.read(url)).toMatchObject({ state: 'draft', version: 2, body: { title: 'One' } });
  await eve.post(`${url}/undo`, { version: 2 });
  expect(await eve.read(url)).toMatchObject({ state: 'published', version: 3 });
});

test('restoring a version creates a draft from it, and the history keeps all versions', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'First' }, true);
  for (let version = 1; version < 12; version += 1)
    await eve.patch(url, { version, body: { title: `Title ${version}` } });

  expect((await eve.post(`${url}/restore`, { version: 1 })).json()).toMatchObject({ version: 13 });
  const { body, history, published_version } = await eve.read(url);
  expect([body.title, history.length, published_version]).toEqual(['First', 13, 1]);
  expectRefusal(await eve.post(`${url}/restore`, { version: 99 }), 404, 'version_not_kept');
  expectBadField(await eve.post(`${url}/restore`, {}), 'version', 'required');
});

test('a removed record can be restored unchanged for 30 days, then it is gone', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'Quiz' }, true);

  expect((await eve.post(`${url}/remove`, { version: 1 })).statusCode).toBe(200);
  expect((await eve.read('announcement')).total).toBe(0);
  expect((await eve.read(`announcement?state=removed`)).items).toMatchObject([{ state: 'removed' }]);
  expectRefusal(await eve.patch(url, { version: 1, body: { title: 'Late' } }), 409, 'removed_meanwhile');
  expect((await eve.post(`${url}/restore`)).json()).toMatchObject({ ok: true, version: 1 });
  expect(await eve.read(url)).toMatchObject({ state: 'published', published_version: 1 });

  await eve.post(`${url}/remove`);
  service.clock.now += 31 * DAY;
  expectRefusal(await eve.get(url), 404, 'no_such_record');
  expectRefusal(await eve.post(`${url}/restore`), 404, 'no_such_record');
  await deleteOldContent(service.ctx);
  expect((await eve.read(`announcement?state=removed`)).total).toBe(0);
});

test('after 400 days the newest 20 versions and the published one are kept', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const url = await eve.create('announcement', { title: 'Shown' }, true);
  for (let version = 1; version < 30; version += 1)
    await eve.patch(url, { version, body: { title: `Title ${version}` } });
  await deleteOldContent(service.ctx);
  expect((await eve.read(url)).history).toHaveLength(30);

  service.clock.now += 401 * DAY;
  await deleteOldContent(service.ctx);

  const { history, published_version } = await eve.read(url);
  const kept = history.map(({ version }: { version: number }) => version);
  expect(kept).toEqual([...Array.from({ length: 20 }, (_, n) => 30 - n), 1]);
  expect(published_version).toBe(1);
  // Saving over a version that is no longer kept returns the stored one.
  const stale = await eve.patch(url, { version: 5, body: { title: 'Mine' } });
  expect([stale.statusCode, stale.json().current.title]).toEqual([409, 'Title 29']);
});

test('lists are searched, and narrowed by dates and state', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const days = [
    { from: '2026-12-24', closed: true, reason: 'Christmas' },
    { from: '2026-12-30', to: '2027-01-02', ranges: [{ opens: '18:00', closes: '22:00' }] },
    { from: '2026-11-26', closed: true, reason: 'Thanksgiving' },
  ];
  for (const [at, body] of days.entries()) await eve.post('special', { body, publish: at > 0 });
  const list = async (query: string) => {
    const { items, total } = await eve.read(`special?${query}`);
    return [...items.map(({ body }: { body: { from: string } }) => body.from), total];
  };

  expect(await list('')).toEqual(['2026-11-26', '2026-12-24', '2026-12-30', 3]);
  expect(await list('q=christ')).toEqual(['2026-12-24', 1]);
  expect(await list('from=2027-01-01&to=2027-02-01')).toEqual(['2026-12-30', 1]);
  expect(await list('state=draft')).toEqual(['2026-12-24', 1]);
  expect(await list('limit=1&offset=1')).toEqual(['2026-12-24', 3]);
});

test.each([
  ['announcement', { title: ' ' }, 'body.title'],
  ['announcement', { title: 'A', colour: 'red' }, 'body.colour'],
  ['announcement', { title: 'A', between: { from: '8pm', to: '22:00' } }, 'body.between.from'],
  ['announcement', { title: 'A', from: '2026-12-02', until: '2026-12-01' }, 'body.until'],
  ['announcement', { title: 'A', days: ['monday'] }, 'body.days.0'],
  ['announcement', { title: 'A', picture: 'nowhere' }, 'body.picture'],
  ['announcement', { title: 'A', seconds: 4 }, 'body.seconds'],
  ['hours', { from: 'today', week: {} }, 'body.from'],
  [
    'hours',
    { from: '2026-11-01', week: { mon: [{ opens: '20:00', closes: '20:00' }] } },
    'body.week.mon.0.closes',
  ],
  [
    'hours',
    {
      from: '2026-11-01',
      week: {
        mon: [
          { opens: '11:00', closes: '18:00' },
          { opens: '17:00', closes: '23:00' },
        ],
      },
    },
    'body.week.mon.1.opens',
  ],
  ['special', { from: '2026-12-24' }, 'body.ranges'],
  ['special', { from: '2026-12-24', to: '2026-12-23', closed: true }, 'body.to'],
  ['roster', { date: '2026-02-30' }, 'body.date'],
  ['roster', { date: '2026-12-24', tenders: ['Ann'] }, 'body.tenders.0'],
  ['tender', { full_name: 'Ann', page_url: 'javascript:alert(1)' }, 'body.page_url'],
])('an invalid field is named: %s %j', async (kind, body, path) => {
  const { eve } = await open();
  const answer = await eve.post(kind, { body });

  expect([answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([400, path]);
});

test('unknown kinds and records are a 404, and changes need content:write', async () => {
  await using service = await testApp({ LOCAL_BYPASS: 'off' });
  const viewer = await appoint(service, 'vic@club.example', 'viewer');
  const events = await appoint(service, 'eve@club.example', 'events');

  expectRefusal(await service.get('/api/admin/content/menu', viewer), 404, 'no_such_kind');
  expectRefusal(await service.get('/api/admin/content/announcement/nowhere', viewer), 404, 'no_such_record');
  expect(
    (await service.post('/api/admin/content/announcement', { body: { title: 'A' } }, viewer)).json()
      .permission,
  ).toBe('content:write');
  expect(
    (await service.post('/api/admin/content/announcement', { body: { title: 'A' } }, events)).statusCode,
  ).toBe(200);
  expect((await service.get('/api/admin/content/announcement', viewer)).json().total).toBe(1);
});
