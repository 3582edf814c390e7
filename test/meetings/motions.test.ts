import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteOldProposals } from '#meetings/proposals/retention.ts';
import { listMeetingDifferences } from '#meetings/recorded.ts';
import { recordedOf } from '#test/support/audit.ts';
import { send } from '#test/support/factories.ts';
import { formAt, press } from '#test/support/forms.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { type Electorate, openElectorate, person } from '#test/voting/electors/electorate.ts';
import { openRoom } from './a-meeting.ts';

const WHEN = '2026-12-04T19:00';
const LAMPS = {
  title: 'New lamps',
  text: 'The hall gets new lamps, for at most 900.',
  reason: 'It is dark.',
};

const mailsTo = (club: Electorate, name: string) =>
  club.mails.mails.filter(({ recipients }) => recipients.includes(`${name.toLowerCase()}@club.example`));
/** The path of the link in the last mail to somebody. */
function linkOf(club: Electorate, name: string): string {
  const { text } = mailsTo(club, name).at(-1)!;
  return new URL(/https:\S+\/motions\/\S+/.exec(text)![0]).pathname;
}

async function openWithMembers() {
  const club = await openElectorate();
  for (const name of ['Ann', 'Bob', 'Cid', 'Dee'])
    await club.add(person(name, `${name.toLowerCase()}@club.example`));
  return club;
}

/** A meeting with the usual agenda, for which motions are called until in a week. */
async function call(club: Electorate, rules: object = {}) {
  const { service, olga } = club;
  const headers = { accept: 'application/json', ...olga };
  const send = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload: object = {}) =>
    service.request({ method, url, headers, ...(method !== 'GET' && { payload }) });
  const meeting = { title: 'AGM', held_at: WHEN, agenda_of: 'usual' };
  const { id } = (await send('POST', '/admin/meetings', meeting)).json();
  const base = `/admin/meetings/${id}`;
  const address = `${base}/motions`;
  const period = { opens_at: isoTime(service.clock.now), closes_at: isoTime(service.clock.now + 7 * DAY) };
  const put = (fields: object) =>
    send('PUT', address, { ...period, who: 'members', seconders: 0, ...fields });
  const called = await put(rules);
  expect([called.statusCode, called.body]).toEqual([200, expect.anything()]);
  const handIn = (name: string, fields: object = {}) =>
    service.post(`/m/${id}/motions`, {
      name,
      email: `${name.toLowerCase()}@club.example`,
      ...LAMPS,
      ...fields,
    });
  const answer = (link: string, action: string) => service.post(link, { action });
  return {
    id,
    base,
    address,
    send,
    put,
    period,
    handIn,
    answer,
    read: async () => (await send('GET', address)).json(),
    items: async () => (await send('GET', base)).json().items,
    decide: (motion: string, payload: object) => send('POST', `${address}/${motion}`, payload),
    /** Hands a motion in and confirms it. @returns its id, and the path of the author's link */
    async confirmed(name: string, fields: object = {}) {
      expect((await handIn(name, fields)).statusCode).toBe(202);
      await club.sendAll();
      const link = linkOf(club, name);
      const confirmed = (await answer(link, 'consent')).json();
      expect(confirmed.motion.state).toBe('ready');
      return { id: confirmed.motion.id as string, link };
    },
  };
}

describe('a motion of a member', () => {
  it('counts once its author has confirmed it by the mailed link; opening the link changes nothing', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const sent = await one.handIn('Ann');
    expect([sent.statusCode, sent.json()]).toEqual([202, { ok: true }]);
    await club.sendAll();
    const link = linkOf(club, 'Ann');
    const seen = await club.service.get(link, { accept: 'text/html' });
    expect([seen.statusCode, seen.headers['referrer-policy'], seen.body.includes(LAMPS.text)]).toEqual([
      200,
      'no-referrer',
      true,
    ]);
    const [waiting] = (await one.read()).motions;
    expect(waiting).toMatchObject({ ...LAMPS, name: 'Ann', state: 'unconfirmed' });
    expectRefusal(await one.decide(waiting.id, { decision: 'accept' }), 409, 'motion_incomplete');
    expect((await one.answer(link, 'consent')).json()).toMatchObject({ motion: { state: 'ready' } });
    expect((await one.answer(link, 'consent')).statusCode).toBe(200);
    expectRefusal(await one.answer(link, 'second'), 409, 'motion_other_role');
    expect(recordedOf(club.service.ctx, 'motion.confirmed')).toHaveLength(1);
    expectRefusal(await one.answer(link.slice(0, -3), 'consent'), 404, 'motion_link_unknown');
    expect(JSON.stringify(club.service.logged)).not.toContain(link.split('/').at(-1));
  });

  it('becomes an item before the last one, with mover, seconders and reasons, and is voted on', async () => {
    await using club = await openWithMembers();
    const one = await call(club, { seconders: 1 });
    await one.handIn('Ann', { seconders: ['bob@club.example', 'cid@club.example', 'eve@elsewhere.example'] });
    await club.sendAll();
    await one.answer(linkOf(club, 'Ann'), 'consent');
    expect((await one.read()).motions[0].state).toBe('unseconded');
    expect((await one.answer(linkOf(club, 'Bob'), 'second')).json()).toMatchObject({ seconded: true });
    const { waiting } = (await one.send('GET', one.base)).json().motions;
    expect(waiting).toBe(1);
    const [{ id }] = (await one.read()).motions;
    for (const _ of [1, 2]) expect((await one.decide(id, { decision: 'accept' })).statusCode).toBe(200);
    expectRefusal(await one.decide(id, { decision: 'refuse', reason: 'No' }), 409, 'motion_decided');

    const items = await one.items();
    expect(items.map(({ number, title }: Record<string, string>) => `${number} ${title}`).slice(-3)).toEqual([
      '6 Motions of members',
      '7 New lamps',
      '8 Any other business',
    ]);
    const lamps = items.at(-2);
    expect(lamps).toMatchObject({
      ...LAMPS,
      kind: 'motion',
      mover: 'Ann',
      seconders: ['Bob'],
      state: 'prepared',
    });
    await club.sendAll();
    const told = mailsTo(club, 'Ann').at(-1)!;
    expect([told.headers.subject, told.text]).toEqual([
      'Your motion is on the agenda: New lamps',
      expect.stringContaining('item 7'),
    ]);
    const page = (await club.service.get(`/m/${one.id}`, { accept: 'text/html' })).body;
    expect(page).toContain('Proposed by Ann; seconded by Bob');
    expect(page).toContain('It is dark.');

    const at = `${one.base}/items/${lamps.id}`;
    const { body: shown } = await club.service.get(at, { accept: 'text/html', ...club.olga });
    const form = formAt(shown, `${at}?_method=PATCH`);
    expect(form.fields).toMatchObject({ mover: 'Ann', seconders: 'Bob', reason: 'It is dark.' });
    await club.service.submit(form.action, { ...form.fields, seconders: 'Bob\r\nDee' }, club.olga);
    expect((await one.items()).at(-2)).toMatchObject({ ...LAMPS, mover: 'Ann', seconders: ['Bob', 'Dee'] });
    const hands = { yes: 3, no: 1, present: 4 };
    const counted = await one.send('POST', `${at}/hands`, hands);
    expect([counted.statusCode, counted.body]).toEqual([200, expect.anything()]);
    await one.send('POST', `${at}/declare`);
    expectRefusal(await one.answer(linkOf(club, 'Ann'), 'withdraw'), 409, 'motion_on_agenda');
    await one.send('PATCH', one.base, { state: 'closed' });
    const minutes = (await club.service.get(`${one.base}/minutes.md`, club.olga)).body;
    expect(minutes).toContain('7. New lamps');
    expect(minutes).toMatch(/Proposed by\W+Ann/);
    expect(minutes).toMatch(/Seconded by\W+Bob and Dee/);
    expect(listMeetingDifferences(club.service.ctx.db)).toEqual([]);
  });

  it('is refused with a reason, which its author gets by mail', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const { id, link } = await one.confirmed('Ann');
    expect((await one.decide(id, { decision: 'refuse' })).json().errors[0].path).toBe('reason');
    expect((await one.decide(id, { decision: 'refuse', reason: 'Too late' })).statusCode).toBe(200);
    await club.sendAll();
    expect(mailsTo(club, 'Ann').at(-1)!.text).toContain('Too late');
    expect((await one.items()).map(({ title }: { title: string }) => title)).not.toContain('New lamps');
    expectRefusal(await one.answer(link, 'withdraw'), 409, 'motion_decided');
    expect((await one.read()).motions[0]).toMatchObject({ state: 'refused', decision_reason: 'Too late' });
  });

  it('leaves the agenda when its author withdraws it, or an officer takes it off, and its page says so', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const lamps = await one.confirmed('Ann');
    club.service.clock.now += MINUTE;
    const chairs = await one.confirmed('Bob', { title: 'New chairs' });
    expect((await one.send('POST', `${one.address}/accept-all`)).json()).toMatchObject({ now_accepted: 2 });
    const titles = async () => (await one.items()).map(({ title }: { title: string }) => title);
    expect((await titles()).slice(-3)).toEqual(['New lamps', 'New chairs', 'Any other business']);
    expect((await one.answer(lamps.link, 'withdraw')).json().motion).toMatchObject({
      state: 'withdrawn',
      item_id: null,
    });
    const item = (await one.items()).find(({ title }: { title: string }) => title === 'New chairs');
    await one.send('DELETE', `${one.base}/items/${item.id}`);
    expect(await titles()).toHaveLength(7);
    const page = (await club.service.get(chairs.link, { accept: 'text/html' })).body;
    expect(page).toContain('It is no longer on the agenda');
    expect(listMeetingDifferences(club.service.ctx.db)).toEqual([]);
  });

  it('has the same answer for every address, and mails go to members alone where members are asked', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const eve = { email: 'eve@elsewhere.example' };
    const answers = [await one.handIn('Ann'), await one.handIn('Eve', eve)];
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    await club.sendAll();
    expect(club.mails.mails.map(({ recipients }) => recipients)).toEqual([['ann@club.example']]);
    await one.put({ who: 'anybody' });
    await one.handIn('Eve', eve);
    await club.sendAll();
    expect(club.mails.mails.at(-1)!.recipients).toEqual([eve.email]);
  });

  it('is made once by three presses of its form, and its texts stay in a form that is refused', async () => {
    await using club = await openWithMembers();
    const one = await call(club, { seconders: 1 });
    const at = `/m/${one.id}/motions`;
    const empty = await club.service.submit(at, { name: '', email: 'x', title: '', text: 'Kept' });
    expect([empty.statusCode, empty.body.includes('Kept'), empty.body.includes('id="email-error"')]).toEqual([
      400,
      true,
      true,
    ]);
    const form = formAt((await club.service.get(at, { accept: 'text/html' })).body, at);
    const fields = {
      ...form.fields,
      name: 'Ann',
      email: 'Ann@club.example',
      ...LAMPS,
      seconders: 'bob@club.example\ncid@club.example',
    };
    const three = await Promise.all([1, 2, 3].map(() => press(club.service, form, fields)));
    expect(three.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
    expect((await one.read()).motions).toHaveLength(1);
    await club.sendAll();
    const link = linkOf(club, 'Ann');
    expect((await club.service.submit(link, { action: 'consent' })).headers.location).toBe(
      `${link}?done=yes`,
    );
    await club.service.submit(linkOf(club, 'Cid'), { action: 'second' });
    const [{ id }] = (await one.read()).motions;
    const desk = await club.service.get(one.address, { accept: 'text/html', ...club.olga });
    expect(desk.body).toContain('Waits for your decision');
    const accepted = await club.service.submit(`${one.address}/${id}`, { decision: 'accept' }, club.olga);
    expect(accepted.headers.location).toBe(`${one.address}?done=decided`);
  });

  it.each([
    ['seconders', { seconders: [] }],
    ['seconders', { seconders: ['ann@club.example'] }],
    ['text', { text: ' ' }],
    ['title', { title: 'x'.repeat(301) }],
    ['reason', { reason: 'x'.repeat(5_001) }],
  ])('is refused with a 400 that names %s', async (path, fields) => {
    await using club = await openWithMembers();
    const one = await call(club, { seconders: 1 });
    const refused = await one.handIn('Ann', { seconders: ['bob@club.example'], ...fields });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, path]);
  });
});

describe('limits of motions', () => {
  it('an address has at most ten that wait for a decision', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    for (let n = 0; n < 10; n += 1) {
      await one.confirmed('Ann', { title: `Motion ${n}` });
      club.service.clock.now += HOUR;
    }
    await one.handIn('Ann');
    await club.sendAll();
    expectRefusal(await one.answer(linkOf(club, 'Ann'), 'consent'), 409, 'motions_waiting', { max: 10 });
    const [{ id }] = (await one.read()).motions;
    await one.decide(id, { decision: 'refuse', reason: 'Twice' });
    expect((await one.answer(linkOf(club, 'Ann'), 'consent')).statusCode).toBe(200);
  });

  it('a mailbox gets five mails an hour, and the page behind each link leads to what else waits', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    for (let n = 0; n < 6; n += 1)
      expect((await one.handIn('Ann', { title: `No. ${n}` })).statusCode).toBe(202);
    await club.sendAll();
    expect(mailsTo(club, 'Ann')).toHaveLength(5);
    const page = (await club.service.get(linkOf(club, 'Ann'), { accept: 'text/html' })).body;
    expect(page).toContain('>No. 5</a>');
  });

  it('one that nobody confirmed is deleted after a day, the others a year after the meeting; the item stays', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const { id } = await one.confirmed('Ann');
    await one.decide(id, { decision: 'accept' });
    await one.handIn('Bob');
    await club.sendAll();
    const names = async () => {
      await deleteOldProposals(club.service.ctx);
      return (await one.read()).motions.map(({ name }: { name: string }) => name).toSorted();
    };
    expect(await names()).toEqual(['Ann', 'Bob']);
    club.service.clock.now += DAY;
    expectRefusal(await one.answer(linkOf(club, 'Bob'), 'consent'), 404, 'motion_link_unknown');
    expect(await names()).toEqual(['Ann']);
    club.service.clock.now += 400 * DAY;
    expect(await names()).toEqual([]);
    expect((await one.items()).at(-2)).toMatchObject({ title: 'New lamps', mover: 'Ann' });
    expect(listMeetingDifferences(club.service.ctx.db)).toEqual([]);
  });
});

describe('a call for motions', () => {
  it('takes motions and answers in its period alone, and is extended in public', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    club.service.clock.now += 7 * DAY - HOUR;
    await one.handIn('Ann');
    await club.sendAll();
    const link = linkOf(club, 'Ann');
    club.service.clock.now += HOUR;
    expectRefusal(await one.handIn('Bob'), 409, 'motions_over');
    expectRefusal(await one.answer(link, 'consent'), 409, 'motions_over');
    const later = await one.put({ closes_at: isoTime(club.service.clock.now + DAY) });
    expect(later.json()).toMatchObject({ state: 'open', first_closes_at: one.period.closes_at });
    expect(recordedOf(club.service.ctx, 'motions.extended')).toHaveLength(1);
    expect((await one.answer(link, 'consent')).statusCode).toBe(200);
  });

  it('is over when the meeting begins; what waits is still decided on, until the meeting is closed', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const lamps = await one.confirmed('Ann');
    const chairs = await one.confirmed('Bob', { title: 'New chairs' });
    const [first] = await one.items();
    await one.send('POST', `${one.base}/motion`, { title: 'Open the meeting', open: false });
    expect((await one.send('GET', one.base)).json().meeting.state).toBe('running');
    expectRefusal(await one.handIn('Cid'), 409, 'motions_over');
    expectRefusal(await one.put({}), 409, 'motions_over');
    const form = await club.service.get(`/m/${one.id}/motions`, { accept: 'text/html' });
    expect(form.body).not.toContain('name="title"');
    expect((await one.decide(lamps.id, { decision: 'accept' })).statusCode).toBe(200);
    expect((await one.items()).at(-1).title).toBe('Any other business');
    expect(first.number).toBe('1');
    await one.send('PATCH', one.base, { state: 'closed' });
    expectRefusal(await one.decide(chairs.id, { decision: 'accept' }), 409, 'meeting_closed');
    expectRefusal(await one.handIn('Cid'), 409, 'meeting_closed');
    expectRefusal(await one.answer(chairs.link, 'withdraw'), 409, 'meeting_closed');
  });

  it('goes with a meeting that is deleted, and every address says it when one is called off', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const { link } = await one.confirmed('Ann');
    await one.send('PATCH', one.base, { state: 'called_off', reason: 'Storm' });
    for (const url of [link, `/m/${one.id}/motions`])
      expect((await club.service.get(url, { accept: 'text/html' })).statusCode).toBe(410);
    expect((await one.handIn('Bob')).statusCode).toBe(410);
    expect((await one.answer(link, 'withdraw')).statusCode).toBe(410);
    await one.send('DELETE', one.base);
    expect(club.service.ctx.db.all(build.selectFrom('motions').select('id'))).toEqual([]);
    expect(listMeetingDifferences(club.service.ctx.db)).toEqual([]);
  });

  it('is mailed once to everybody who may vote, with the way to hand one in', async () => {
    await using club = await openWithMembers();
    await club.add({ name: 'Eve' });
    const one = await call(club, { seconders: 2 });
    const mail = (payload: object = {}) => one.send('POST', `${one.address}/mail`, payload);
    const { queued } = (await mail()).json();
    await club.sendAll();
    const sent = club.mails.mails.filter(({ headers }) => headers.subject === 'Motions for AGM');
    expect(sent).toHaveLength(queued);
    expect(sent[0]!.text).toMatch(new RegExp(`/m/${one.id}/motions\\?i=\\S`));
    expect(sent[0]!.text).toContain('Seconders: 2');
    expectRefusal(await mail(), 409, 'mailed_before');
    expect((await mail({ again: true })).json()).toEqual({ queued });
    club.service.clock.now += 8 * DAY;
    expectRefusal(await mail({ again: true }), 409, 'motions_over');
  });

  it('stands on the page of the meeting while it is open', async () => {
    await using club = await openWithMembers();
    const one = await call(club, { opens_at: isoTime(club.service.clock.now + MINUTE) });
    const page = async () => (await club.service.get(`/m/${one.id}`, { accept: 'text/html' })).body;
    expect(await page()).not.toContain(`/m/${one.id}/motions`);
    expectRefusal(await one.handIn('Ann'), 409, 'motions_not_open');
    club.service.clock.now += MINUTE;
    expect(await page()).toContain(`href="/m/${one.id}/motions"`);
    await one.confirmed('Ann');
  });

  it.each([
    ['closes_at', { closes_at: '2026-11-01T00:00' }],
    ['opens_at', { opens_at: 'soon' }],
    ['seconders', { seconders: 6 }],
    ['who', { who: 'friends' }],
  ])('is refused with a 400 that names %s', async (path, fields) => {
    await using club = await openElectorate();
    const one = await call(club);
    const answer = await one.put(fields);
    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path]);
  });
});

it('motions go with the person, are in the export of their data, and the item names nobody afterwards', async () => {
  await using club = await openWithMembers();
  const one = await call(club, { seconders: 1 });
  await one.handIn('Ann', { seconders: ['bob@club.example', 'cid@club.example'] });
  await club.sendAll();
  await one.answer(linkOf(club, 'Ann'), 'consent');
  for (const name of ['Bob', 'Cid']) await one.answer(linkOf(club, name), 'second');
  const [{ id }] = (await one.read()).motions;
  await one.decide(id, { decision: 'accept' });
  const idOf = async (name: string) =>
    (await club.call('GET', `people?q=${name.toLowerCase()}@club.example`)).body.people[0].id as string;
  const { kept } = (await club.call('GET', `people/${await idOf('Ann')}/export`)).body;
  expect(kept.motions).toMatchObject([{ meeting: 'AGM', ...LAMPS, decision: 'accepted' }]);
  const bob = (await club.call('GET', `people/${await idOf('Bob')}/export`)).body.kept;
  expect(bob.motion_seconders).toMatchObject([{ motion: 'New lamps', name: 'Bob' }]);
  const lamps = async () => (await one.items()).at(-2);
  expect((await club.call('POST', `people/${await idOf('Bob')}/erase`)).status).toBe(200);
  expect(await lamps()).toMatchObject({ mover: 'Ann', seconders: ['Erased person', 'Cid'] });
  expect((await club.call('POST', `people/${await idOf('Ann')}/erase`)).status).toBe(200);
  expect(await lamps()).toMatchObject({ mover: 'Erased person', seconders: ['Erased person', 'Cid'] });
  expect(club.service.ctx.db.all(build.selectFrom('motions').select('id'))).toEqual([]);
  expect(listMeetingDifferences(club.service.ctx.db)).toEqual([]);
});

it('the form of a call proposes a week before the meeting, without that its beginning, and nothing past', async () => {
  await using one = await openRoom();
  const { service } = one;
  const board = await one.add({ kind: 'election', title: 'Board' });
  const proposed = async () => {
    const until = async (url: string) => {
      const { body } = await service.get(`${one.base}/${url}`, { accept: 'text/html' });
      const inputs = body.match(/<input[^>]*name="closes_at"[^>]*>/)?.[0] ?? '';
      return /value="([^"]*)"/.exec(inputs)?.[1];
    };
    return [await until('motions'), await until(`items/${board.id}/nominations`)];
  };
  const to = (held_at: string) => send(service, 'PATCH', one.base, { held_at });
  await to('2027-03-20T19:00');
  // The clock changes within that week.
  expect(await proposed()).toEqual(['2027-03-13T19:00', '2027-03-13T19:00']);
  const soon = service.clock.now + 7 * DAY + 1_000;
  await to(isoTime(soon));
  const [motions] = await proposed();
  expect(Date.parse(`${motions}-05:00`)).toBeGreaterThan(service.clock.now + 6 * DAY);
});
