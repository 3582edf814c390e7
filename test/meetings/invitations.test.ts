import { expect, it } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { send } from '#test/support/factories.ts';
import { expectBadField } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';
import { openRoom } from './a-meeting.ts';

const MEETING = {
  title: 'AGM 2026',
  held_at: '2026-12-04T19:00',
  place: 'The hall',
  quorum_share: { at_least: '1/3' },
};

async function club() {
  const server = await startMailServer();
  const service = await testApp(mailTo(server.url), { delays: [0, 0] });
  return Object.assign(service, { mails: server.mails });
}

async function addPeople(service: TestApp, ...names: string[]) {
  const kinds = [
    (await service.post('/api/admin/kinds', { name: 'Full', votes: true })).json(),
    (await service.post('/api/admin/kinds', { name: 'Friend', votes: false })).json(),
  ];
  return { kinds, names };
}

it('a meeting is called by mail with its agenda and a calendar file, each address once', async () => {
  await using service = await club();
  const { id } = (await service.post('/admin/meetings', { ...MEETING, agenda_of: 'usual' })).json();
  const invite = (fields: object) => service.post(`/admin/meetings/${id}/invite`, fields);
  expectBadField(await invite({}), 'emails', 'no_recipients');
  const emails = ['ann@club.example', 'Ann@club.example', 'bob@club.example', 'nobody'];
  expect((await invite({ emails })).json()).toMatchObject({
    queued: 2,
    waiting: 0,
    invalid: [{ email: 'nobody' }],
  });
  expect((await invite({ emails })).json()).toMatchObject({ queued: 0, waiting: 2 });
  await sendDueMails(service.ctx);
  expect(service.mails).toHaveLength(2);
  const [mail] = service.mails;
  expect(mail!.headers.subject).toContain('AGM 2026');
  expect(mail!.text).toContain('1. Opening, convening and quorum');
  expect(mail!.text).toContain(`${BASE}/m/${id}`);
  expect(mail!.calendar).toMatch(/SUMMARY:AGM 2026[\s\S]*LOCATION:The hall/);
  const { meeting } = (await service.get(`/admin/meetings/${id}`)).json();
  expect(meeting).toMatchObject({ invited: 2, invited_at: '2026-11-21T17:00:00.000Z' });
  const ics = await service.get(`/m/${id}/calendar.ics`);
  const sequence = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)![1]);
  service.clock.now += 60_000;
  await send(service, 'PATCH', `/admin/meetings/${id}`, { held_at: '2026-12-05T19:00' });
  const moved = await service.get(`/m/${id}/calendar.ics`);
  // Calendars take over a file only if its number is higher.
  expect(sequence(moved.body)).toBeGreaterThan(sequence(ics.body));
  expect([
    ics.headers['content-type'],
    ics.body.includes('DTSTART;TZID=America/New_York:20261204T190000'),
  ]).toEqual(['text/calendar; charset=utf-8', true]);
});

it('a form invites everybody who may vote on the day of the meeting', async () => {
  await using service = await club();
  await addPeople(service);
  const { id } = (await service.post('/admin/meetings', MEETING)).json();
  const none = await service.submit(`/admin/meetings/${id}/invite`, { roll: 'true', emails: '' });
  expect(none.statusCode).toBe(400);
  const sent = await service.submit(`/admin/meetings/${id}/invite`, { emails: 'ann@club.example' });
  expect([sent.statusCode, sent.body.includes('1 mail on the way.')]).toEqual([200, true]);
});

it('a meeting becomes an event of the calendar, once, and gives it a new day', async () => {
  await using service = await testApp({ BASE_URL: BASE });
  const { id } = (await service.post('/admin/meetings', MEETING)).json();
  const make = async () => (await service.post(`/admin/meetings/${id}/event`)).json().event_id;
  const event = await make();
  const shown = await service.get(`/events/${event}`, { accept: 'text/html' });
  expect([shown.statusCode, shown.body.includes('AGM 2026')]).toEqual([200, true]);
  await send(service, 'PATCH', `/admin/meetings/${id}`, { held_at: '2026-12-11T19:00' });
  expect(await make()).toBe(event);
  const ics = await service.get(`/events/${event}/calendar.ics`);
  expect(ics.body).toContain('20261211T190000');
});

it('the quorum of a meeting is a number or a share of those who may vote', async () => {
  await using service = await testApp();
  const both = await service.post('/admin/meetings', { ...MEETING, quorum: 5 });
  expect([both.statusCode, both.json().errors[0].path]).toEqual([400, 'quorum_share']);
  const fields = { title: 'AGM', held_at: MEETING.held_at, quorum: '', quorum_share: '1/5' };
  const made = await service.submit('/admin/meetings', fields);
  const id = /meetings\/([^?]+)/.exec(String(made.headers.location))![1];
  const quorum = async () => (await service.get(`/admin/meetings/${id}`)).json().meeting.quorum;
  expect(await quorum()).toMatchObject({ needed: 1, share: { at_least: '1/5' }, met: false });
  await send(service, 'PATCH', `/admin/meetings/${id}`, { quorum_share: null, quorum: 2 });
  expect(await quorum()).toMatchObject({ needed: 2, share: null });
});

it('the mail has own words, the wordings of changes, and how to be represented and take part from elsewhere', async () => {
  await using service = await club();
  const fields = { ...MEETING, remote: true, proxies_per_person: 2 };
  const { id } = (await service.post('/admin/meetings', fields)).json();
  await service.post(`/admin/meetings/${id}/items`, {
    kind: 'motion',
    title: 'Fees',
    old_text: 'The fee is 50.',
    text: 'The fee is 60.',
  });
  await service.post(`/admin/meetings/${id}/invite`, {
    emails: ['ann@club.example'],
    message: 'Dear members,\n\nplease come.',
  });
  await sendDueMails(service.ctx);

  const [{ text } = { text: '' }] = service.mails;
  for (const words of ['Dear members,', 'please come.', 'The fee is 50.', 'The fee is 60.', 'a link before'])
    expect(text).toContain(words);
  expect(text).toMatch(/Nobody represents more than 2 members/);
  expect(text.indexOf('please come.')).toBeLessThan(text.indexOf('When:'));
});

it('an invitation is checked before it is sent: who gets it, who has no address, and what it says', async () => {
  await using service = await club();
  const { id } = (await service.post('/admin/meetings', { ...MEETING, agenda_of: 'usual' })).json();
  const base = `/admin/meetings/${id}/invite`;
  const entered = { emails: 'ann@club.example\nnobody', message: 'Please come.' };
  const page = (await service.submit(`${base}/check`, entered)).body;

  expect(page).toContain('1 mail');
  expect(page).toContain('ann@club.example');
  expect(page).toMatch(/Not addresses<\/dt>\s*<dd>nobody/);
  expect(page).toContain('Please come.');
  expect(page).toContain('1. Opening, convening and quorum');
  expect(page).toContain('votes@club.example');
  await sendDueMails(service.ctx);
  expect(service.mails).toEqual([]);
  expect((await service.get(`/admin/meetings/${id}`)).json().meeting.invited).toBe(0);

  const again = (await service.submit(`${base}/edit`, entered)).body;
  expect(again).toContain('nobody</textarea>');
  expect(again).toContain('Please come.</textarea>');
  expect((await service.submit(base, entered)).statusCode).toBe(200);
  await sendDueMails(service.ctx);
  expect(service.mails).toHaveLength(1);
});

it('members without an address get letters, each with a number by which the door finds them', async () => {
  await using one = await openRoom({ place: 'The hall' }, ['Ann', 'Bob']);
  const page = (url: string) => one.service.get(url, { accept: 'text/html' });
  expect((await page(`${one.base}/mails`)).body).toContain('Letters for 2 members without an address');
  expect((await page(`${one.base}/letters`)).body).not.toContain('class="card letter"');

  const made = await one.service.submit(`${one.base}/letters`, {});
  expect([made.statusCode, made.headers.location]).toEqual([303, `${one.base}/letters`]);
  const { body } = await page(`${one.base}/letters`);
  const letters = body.split('class="card letter"').slice(1);
  expect(letters).toHaveLength(2);
  const numbers = letters.map((letter) => /<p class="slip-code">([\d-]+)/.exec(letter)![1]!);
  expect(new Set(numbers).size).toBe(2);
  expect(letters[0]).toContain('<p>Ann</p>');
  expect(letters[0]).toContain('The hall');
  const found = (await one.service.get(`${one.base}/door?q=${numbers[0]}`)).json().people;
  expect(found.map(({ name }: { name: string }) => name)).toEqual(['Ann']);
  await one.service.submit(`${one.base}/letters`, {});
  expect((await page(`${one.base}/letters`)).body).toContain(numbers[0]);
});

it('the check of an invitation shows addresses of the roll to those alone who may read it', async () => {
  await using electorate = await openElectorate();
  const { service, olga } = electorate;
  await electorate.add(person('Ann', 'ann@club.example'));
  const { id } = (await service.post('/admin/meetings', MEETING, olga)).json();
  const check = (who: Record<string, string>) =>
    service.submit(`/admin/meetings/${id}/invite/check`, { roll: 'true', emails: 'guest@club.example' }, who);
  const reads = (await check(olga)).body;
  const runs = (await check(await appoint(service, 'cleo@club.example', 'chair'))).body;

  for (const body of [reads, runs]) expect(body).toContain('<li>guest@club.example');
  expect(reads).toContain('<li>ann@club.example');
  expect(runs).not.toContain('ann@club.example');
  const sent = (body: string) => /Send (\d+) invitations/.exec(body)?.[1];
  expect(sent(runs)).toBe(sent(reads));
});

it('the mail, its check and the letters say where candidates are nominated and motions are handed in', async () => {
  await using one = await openElectorate();
  const { service, olga } = one;
  await one.add(person('Ann', 'ann@club.example'));
  await one.add(person('Leo', null));
  const post = (url: string, payload: object = {}) => service.post(url, payload, olga);
  const { id } = (await post('/admin/meetings', MEETING)).json();
  const base = `/admin/meetings/${id}`;
  await post(`${base}/items`, { kind: 'text', title: 'Opening' });
  const item = (await post(`${base}/items`, { kind: 'election', title: 'Committee' })).json().id;
  const closed = (await post(`${base}/items`, { kind: 'election', title: 'Auditors' })).json().id;
  const call = (url: string, from: number, until: number) =>
    service.request({
      method: 'PUT',
      url,
      payload: {
        opens_at: isoTime(service.clock.now + from * DAY),
        closes_at: isoTime(service.clock.now + until * DAY),
        who: 'members',
        seconders: 0,
      },
      headers: { accept: 'application/json', ...olga },
    });
  await call(`${base}/items/${closed}/nominations`, 0, 1);
  service.clock.now += 2 * DAY;
  await call(`${base}/items/${item}/nominations`, 0, 7);
  await call(`${base}/motions`, 1, 5);

  const check = await service.submit(
    `${base}/invite/check`,
    { emails: 'ann@club.example', message: '' },
    olga,
  );
  await post(`${base}/invite`, { emails: ['ann@club.example'] });
  await one.sendAll();
  const mail = one.mails.mails.find(({ recipients }) => recipients.includes('ann@club.example'))!;
  expect(mail.text).toMatch(
    /^Candidates for 2\. Committee can be nominated until Mon, Nov 30.*:\nhttps:\S+\/m\/\S+\/nominate\/\S+\?i=[\w-]+/m,
  );
  expect(mail.text).toMatch(
    /^Members can hand in motions from Tue, Nov 24.* until Sat, Nov 28.*:\nhttps:\S+\/motions\?i=[\w-]+/m,
  );
  expect(mail.text).not.toContain('Candidates for 3. Auditors');
  const [, link = ''] = /(https:\S+\/nominate\/\S+)/.exec(mail.text) ?? [];
  const { pathname, search } = new URL(link);
  // The key is kept in the browser, and not in the address.
  const came = await service.get(pathname + search, { accept: 'text/html' });
  expect([came.statusCode, came.headers.location]).toEqual([303, pathname]);
  expect((await service.get(pathname, { accept: 'text/html' })).statusCode).toBe(200);
  // Titles with a number of their own have no bullet.
  expect(mail.text).toMatch(/^1\. Opening\n2\. Committee$/m);
  expect(check.body).toContain('Candidates for 2. Committee can be nominated until');
  expect((await service.submit(`${base}/letters`, {}, olga)).statusCode).toBe(303);
  const letters = (await service.get(`${base}/letters`, { accept: 'text/html', ...olga })).body;
  expect(letters).toMatch(
    /Candidates for 2\. Committee can be nominated until.*<br>\S+\/nominate\/[^?<]+\?i=[\w-]+<\/p>/,
  );
  expect(letters).toMatch(/<ul role="list"><li>1\. Opening/);

  // Once it is called off, nobody is asked for anything.
  await send(service, 'PATCH', base, { state: 'called_off', reason: 'The boiler is broken.' });
  await post(`${base}/tell`);
  await one.sendAll();
  const off = one.mails.mails.findLast(({ recipients }) => recipients.includes('ann@club.example'))!;
  expect(off.text).toContain('The boiler is broken.');
  expect(off.text).not.toContain('can be nominated');
});
