import { expect, test } from 'vitest';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

const TODAY = '2026-11-21';

const feedOf = async (service: TestApp): Promise<EventsFeed> => (await service.get('/api/events')).json();

async function openService() {
  const service = await testApp();
  const eve = await editorAt(service);
  const headers = { ...eve.headers, accept: 'text/html' };
  return Object.assign(service, {
    eve,
    page: (url: string) => service.get(`/admin/content${url}`, headers),
    send: (url: string, fields: Record<string, string | string[]>) =>
      service.submit(`/admin/content${url}`, fields, headers),
  });
}

test('an announcement is written and published with one form, and withdrawn with the button after it', async () => {
  await using service = await openService();

  const answer = await service.send('/announcement', {
    title: 'Quiz night',
    text: 'Bring a pen.',
    priority: 'high',
    publish: 'true',
    seconds: '',
    'from.date': TODAY,
    'from.time': '11am',
    'until.date': '',
    'until.time': '',
  });
  expect(answer.statusCode).toBe(303);
  const path = String(answer.headers.location).replace('/admin/content', '');
  expect((await feedOf(service)).announcements).toMatchObject([{ title: 'Quiz night', priority: 'high' }]);

  const page = await service.page(path);
  expect(page.body).toContain('Published.');
  expect(page.body).toContain('value="11:00"');
  const [, undo = ''] = /action="\/admin\/content([^"]+\/undo)"/.exec(page.body) ?? [];
  expect((await service.send(undo, { version: '1' })).statusCode).toBe(303);
  expect((await feedOf(service)).announcements).toEqual([]);
});

test('an announcement is for all screens, or for the chosen ones: known screens, groups, entered names', async () => {
  await using service = await openService();
  for (const screen of ['hall', 'snug'])
    await service.post('/api/screens/heartbeat', {
      screen,
      page: 'tv',
      version: 'x',
      uptime_s: 1,
      viewport: '1920x1080',
    });
  const staff = await appoint(service, 'mo@club.example', 'manager');
  const [hall] = (await service.get('/api/admin/screens', staff)).json().screens;
  const renamed = { revision: '1', name: 'Hall <left>', groups: 'downstairs, loud' };
  await service.submit(`/admin/pub/screens/${hall.id}`, renamed, staff);

  const form = (await service.page('/announcement/new')).body;
  const boxes = (body: string) =>
    [...body.matchAll(/name="screens" value="([^"]*)"( checked)?/g)].map(([, name, on]) => name + (on ?? ''));
  expect(boxes(form)).toEqual(['* checked', 'Hall &lt;left&gt;', 'snug', 'downstairs', 'loud']);
  const fields = { title: 'Darts', publish: 'true' };
  const save = async (path: string, more: Record<string, string | string[]>) => {
    const answer = await service.send(path, { ...fields, ...more });
    expect(answer.statusCode).toBe(303);
    const to = String(answer.headers.location).replace(/^\/admin\/content|\?.*$/g, '');
    return { to, screens: (await service.eve.read(to.slice(1))).body.screens };
  };
  const { to, screens } = await save('/announcement', {
    screens: ['*', 'Hall <left>', 'downstairs'],
    'screens.other': ' cellar, snug,, ',
  });
  expect(screens).toEqual(['Hall <left>', 'downstairs', 'cellar', 'snug']);
  expect(boxes((await service.page(to)).body)).toEqual([
    ...['*', 'Hall &lt;left&gt; checked', 'snug checked', 'downstairs checked', 'loud', 'cellar checked'],
  ]);
  expect((await save(to, { version: '1', screens: ['loud'] })).screens).toEqual(['loud']);
  expect((await save(to, { version: '2', screens: ['*', 'loud'] })).screens).toEqual([]);

  const long = await service.send('/announcement', { ...fields, 'screens.other': 'x'.repeat(41) });
  expect(long.statusCode).toBe(400);
  expect(long.body).toContain('href="#screens-group"');
});

test('“closed on 24 December” needs only the day and the button', async () => {
  await using service = await openService();
  const form = await service.page('/special/new');
  expect(form.body).toMatch(/name="as" value="closed" checked/);

  await service.send('/special', {
    as: 'closed',
    from: '2026-11-24',
    to: '',
    reason: '',
    publish: 'true',
    'ranges.0.opens': '',
    'ranges.0.closes': '',
    'ranges.1.opens': '',
    'ranges.1.closes': '',
  });
  expect((await service.eve.read('special')).items).toMatchObject([
    { state: 'published', body: { from: '2026-11-24', to: '2026-11-24', closed: true, ranges: [] } },
  ]);
});

test('a refused form keeps the input and shows errors at their fields', async () => {
  await using service = await openService();

  const refused = await service.send('/announcement', {
    title: 'Late',
    text: 'Long text',
    'between.from': '25:00',
    'between.to': '8pm',
    days: ['mon', 'fri'],
  });
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain('value="Late"');
  expect(refused.body).toContain('Long text');
  expect(refused.body).toContain(`href="#between.from">Time of day: ${onPage('not_clock_time')}</a>`);
  expect(refused.body).toMatch(/value="fri" checked/);
  const answer = await service.send('/announcement', {
    title: 'Late',
    'between.from': '20.00',
    'between.to': '8pm',
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain(`Time of day: ${onPage('ends_at_start')}`);
});

test('weekly hours are entered in a table, and apply to pages and feed', async () => {
  await using service = await openService();
  const ann = await service.eve.publish('tender', { full_name: 'Ann Doe' });
  const answer = await service.send('/hours', {
    from: '2026-11-01',
    before: '30',
    after: '',
    note: '',
    publish: 'true',
    'crew.sat': ann,
    'week.sat.0.opens': '11h',
    'week.sat.0.closes': '2pm',
    'week.sat.1.opens': '17:00',
    'week.sat.1.closes': '1 am',
  });
  expect(answer.statusCode).toBe(303);
  const path = String(answer.headers.location).replace('/admin/content', '').replace(/\?.*/, '');

  const { body } = await service.eve.read(path.slice(1));
  expect(body.week.sat).toEqual([
    { opens: '11:00', closes: '14:00', before: 30, after: 0, tenders: [ann] },
    { opens: '17:00', closes: '01:00', before: 30, after: 0, tenders: [ann] },
  ]);
  expect(body.week.sun).toEqual([]);
  expect((await feedOf(service)).pubHoursWeek[6]?.hours).toBe('11:00 AM – 2:00 PM, 5:00 PM – 1:00 AM');
  const overview = await service.page('');
  expect(overview.body).toContain('11:00\u00a0AM – 2:00\u00a0PM, 5:00\u00a0PM – 1:00\u00a0AM');
  expect(overview.body).toContain('Ann Doe');
});

test('concurrent changes of other fields are kept; of the same field both versions are shown', async () => {
  await using service = await openService();
  const one = await service.eve.create('announcement', { title: 'Quiz', text: 'At eight.' });
  const fields = { text: 'At eight.', priority: 'normal', title: 'Quiz' };
  await service.eve.patch(one, { version: 1, body: { title: 'Big quiz', seconds: 20 } });

  const merged = await service.send(`/${one}`, { ...fields, version: '1', text: 'At nine.' });
  expect(merged.headers.location).toBe(`/admin/content/${one}?done=merged`);
  expect((await service.eve.read(one)).body).toMatchObject({
    title: 'Big quiz',
    text: 'At nine.',
    seconds: 20,
  });

  const mine = { ...fields, version: '1', title: 'Small quiz', priority: 'high', publish: 'true' };
  const conflict = await service.send(`/${one}`, mine);
  expect(conflict.statusCode).toBe(409);
  expect(conflict.body).toMatch(/value="theirs"[^>]* checked[^>]*>.*Big quiz.*Small quiz/s);
  expect(conflict.body).toContain('eve@club.example changed the same field');
  const hidden = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(conflict.body)?.[1] ?? '').replaceAll('&quot;', '"');
  const choice = { version: hidden('version'), changes: hidden('changes'), publish: hidden('publish') };

  const settled = await service.send(`/${one}/settle`, { ...choice, 'take.title': 'yours' });
  expect(settled.headers.location).toBe(`/admin/content/${one}?done=published`);
  expect((await service.eve.read(one)).body).toMatchObject({
    title: 'Small quiz',
    text: 'At nine.',
    priority: 'high',
    seconds: 20,
  });
  const broken = await service.send(`/${one}/settle`, { version: '4', changes: 'none' });
  expect(broken.statusCode).toBe(400);
});

test('a weekday that two people changed is chosen separately', async () => {
  await using service = await openService();
  const evening = { opens: '17:00', closes: '23:00' };
  const one = await service.eve.create('hours', { from: TODAY, week: { fri: [evening], sat: [evening] } });
  await service.eve.patch(one, {
    version: 1,
    body: {
      week: { fri: [{ opens: '18:00', closes: '23:00' }], sat: [{ opens: '12:00', closes: '23:00' }] },
    },
  });

  const conflict = await service.send(`/${one}`, {
    version: '1',
    from: TODAY,
    note: 'Winter',
    'week.fri.0.opens': '19:00',
    'week.fri.0.closes': '23:00',
    'week.sat.0.opens': '17:00',
    'week.sat.0.closes': '23:00',
  });
  expect(conflict.body).toMatch(/18:00 to 23:00.*19:00 to 23:00/s);
  const [, changes = ''] = /name="changes" value="([^"]*)"/.exec(conflict.body) ?? [];
  await service.send(`/${one}/settle`, {
    version: '2',
    changes: changes.replaceAll('&quot;', '"'),
    'take.week.fri': 'yours',
  });
  const { body } = await service.eve.read(one);
  expect([body.week.fri[0].opens, body.week.sat[0].opens, body.note]).toEqual(['19:00', '12:00', 'Winter']);
});

test('buttons restore an earlier version, and a removed record', async () => {
  await using service = await openService();
  const one = await service.eve.create('announcement', { title: 'First' });
  await service.eve.patch(one, { version: 1, body: { title: 'Second' } });

  expect((await service.page(`/${one}/history`)).body).toContain('Changed: Title');
  await service.send(`/${one}/restore`, { version: '1' });
  expect((await service.eve.read(one)).body.title).toBe('First');
  await service.send(`/${one}/remove`, { version: '3' });
  const removed = await service.page(`/${one}`);
  expect(removed.body).toContain('This was removed');
  expect((await service.page('/announcement?state=removed')).body).toContain('First');
  await service.send(`/${one}/restore`, {});
  expect((await service.eve.read(one)).state).toBe('draft');
  const stale = await service.send(`/${one}/publish`, { version: '1' });
  expect([stale.statusCode, stale.body.includes('Somebody has changed this meanwhile')]).toEqual([409, true]);
});

test('pages say “behind the bar”, forms without times name no zone, and the roster begins with its days', async () => {
  await using service = await openService();
  const ann = await service.eve.publish('tender', { full_name: 'Ann' });
  await service.eve.publish('roster', { date: TODAY, tenders: [ann] });

  const form = (await service.page('/tender/new')).body;
  expect(form).toContain('New person behind the bar');
  expect(form).not.toContain('Times are');
  expect((await service.page('')).body).toContain('>Behind the bar</a>');
  expect((await service.page('/roster')).body).toMatch(
    /Save and publish.*Every entry.*New entry for some hours.*>Sat, Nov 21, 2026<.*>Ann</s,
  );
});

test('without active tenders nobody can be chosen, and the buttons for that are missing', async () => {
  await using service = await openService();
  await service.eve.publish('tender', { full_name: 'Ann', active: false });
  await service.eve.publish('hours', { from: TODAY, week: { sat: [{ opens: '18:00', closes: '23:00' }] } });

  const [overview, roster] = [await service.page(''), await service.page('/roster')];
  for (const { body } of [overview, roster]) {
    expect(body).toContain('Nobody can be chosen yet');
    expect(body).not.toMatch(/Save who works|Save and publish|As last week/);
  }
});

test('the roster has a row per day, and can be copied from last week', async () => {
  await using service = await openService();
  const ann = await service.eve.publish('tender', { full_name: 'Ann Doe' });
  const bob = await service.eve.publish('tender', { full_name: 'Bob Roe' });
  await service.eve.publish('roster', { date: '2026-11-14', tenders: [ann, bob] });
  await service.eve.publish('hours', {
    from: '2026-01-01',
    week: { sat: [{ opens: '11:00', closes: '23:00' }] },
  });

  const copied = await service.page('/roster?like=last-week');
  expect(copied.body).toMatch(new RegExp(`name="crew.${TODAY}" value="${bob}" checked`));
  expect(copied.body).toMatch(new RegExp(`name="crew.2026-11-28" value="${bob}" checked`));
  const saved = await service.send('/roster/days', {
    first: TODAY,
    publish: 'true',
    [`crew.${TODAY}`]: [ann, bob],
    'crew.2026-11-28': ann,
  });
  expect(saved.statusCode).toBe(303);
  expect((await feedOf(service)).pubTender.name).toBe('Ann & Bob');
  expect((await service.eve.read('roster')).total).toBe(3);

  const form = { first: TODAY, publish: 'true', [`version.${TODAY}`]: '1', 'version.2026-11-28': '1' };
  await service.send('/roster/days', { ...form, [`crew.${TODAY}`]: [bob], 'crew.2026-11-28': ann });
  expect((await feedOf(service)).pubTender.name).toBe('Bob');
  const stale = await service.send('/roster/days', {
    ...form,
    [`crew.${TODAY}`]: [ann],
    'crew.2026-11-28': ann,
  });
  expect([stale.statusCode, stale.body.includes('Sat, Nov 21')]).toEqual([409, true]);
  expect((await feedOf(service)).pubTender.name).toBe('Bob');
});

test('users who may only look see everything without buttons', async () => {
  await using service = await openService();
  const vic = { ...(await appoint(service, 'vic@club.example', 'viewer')), accept: 'text/html' };
  const one = await service.eve.create('announcement', { title: 'Quiz' });

  for (const url of ['', '/announcement', '/roster', `/${one}`]) {
    const page = await service.get(`/admin/content${url}`, vic);
    expect([url, page.statusCode, page.body.includes('method="post"')]).toEqual([url, 200, false]);
  }
  expect((await service.get('/admin/content/announcement/new', vic)).statusCode).toBe(403);
  expect((await service.page('/menu')).statusCode).toBe(404);
  expect((await service.page('/announcement/nowhere')).statusCode).toBe(404);
});

test('the editor shows a slide in a frame as on the screen, and no other site may frame either page', async () => {
  await using service = await openService();
  const one = await service.eve.create('announcement', { title: 'Quiz', text: 'Bring <a> pen.' });
  const page = await service.page(`/${one}`);
  const [, address = ''] = /<iframe src="\/admin\/content([^"]+)"/.exec(page.body) ?? [];
  expect(page.headers['content-security-policy']).toMatch(/frame-src 'self';frame-ancestors 'none'/);

  const slide = await service.page(address);
  expect(slide.statusCode).toBe(200);
  expect(slide.headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'cache-control': 'no-store' });
  expect(slide.headers['content-security-policy']).toContain("frame-ancestors 'self'");
  expect(slide.body).toContain('<h1 data-part="title">Quiz</h1>');
  expect(slide.body).toContain('Bring &lt;a&gt; pen.');
  expect(slide.body).not.toContain('guard.js');
  expect((await service.page(address.replace(/1$/, '9'))).statusCode).toBe(404);
  const hours = await service.eve.create('hours', { from: TODAY, week: {} });
  expect((await service.page(`/${hours}`)).body).not.toContain('<iframe');
  expect((await service.page(`/preview/${hours}/1`)).statusCode).toBe(404);
});
