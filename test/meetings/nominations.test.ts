import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteOldProposals } from '#meetings/proposals/retention.ts';
import type { ReceivedMail } from '#test/stand-ins/mail-server.ts';
import { recordedOf } from '#test/support/audit.ts';
import { formAt, press } from '#test/support/forms.ts';
import { expectRefusal } from '#test/support/messages.ts';
import {
  type Electorate,
  FULL_SINCE_2020,
  openElectorate,
  person,
} from '#test/voting/electors/electorate.ts';

const WHEN = '2026-12-04T19:00';

/** A meeting with an election for which candidates are called until in a week. */
async function call(club: Electorate, rules: object = {}) {
  const { service, olga } = club;
  const post = (url: string, payload: object = {}) => service.post(url, payload, olga);
  const { id } = (await post('/admin/meetings', { title: 'AGM', held_at: WHEN })).json();
  const item = (await post(`/admin/meetings/${id}/items`, { kind: 'election', title: 'Treasurer' })).json()
    .id;
  const address = `/admin/meetings/${id}/items/${item}/nominations`;
  const put = (fields: object) =>
    service.request({
      method: 'PUT',
      url: address,
      payload: fields,
      headers: { accept: 'application/json', ...olga },
    });
  const period = { opens_at: isoTime(service.clock.now), closes_at: isoTime(service.clock.now + 7 * DAY) };
  const called = await put({ ...period, who: 'members', seconders: 0, ...rules });
  expect([called.statusCode, called.body]).toEqual([200, expect.anything()]);
  return {
    id,
    item,
    address,
    put,
    period,
    read: async () => (await service.get(address, olga)).json(),
    decide: (nomination: string, payload: object) => post(`${address}/${nomination}`, payload),
    nominate: (fields: object, headers: Record<string, string> = {}) =>
      service.post(
        `/m/${id}/nominate/${item}`,
        { name: 'Ann', email: 'ann@club.example', text: '', ...fields },
        headers,
      ),
    answer: (link: string, action: string) => service.post(new URL(link).pathname, { action }),
  };
}

const linkIn = ({ text }: ReceivedMail): string => /https:\S+\/nominations\/\S+/.exec(text)![0];
const mailsTo = (club: Electorate, address: string) =>
  club.mails.mails.filter(({ recipients }) => recipients.includes(address));

async function openWithMembers() {
  const club = await openElectorate();
  for (const name of ['Ann', 'Bob', 'Cid', 'Dee'])
    await club.add(person(name, `${name.toLowerCase()}@club.example`));
  return club;
}

describe('a nomination', () => {
  it('counts once the nominee has consented by the mailed link; opening the link changes nothing', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const asked = await one.nominate({ text: 'Careful with money', proposer: 'Bob' });
    expect([asked.statusCode, asked.json()]).toEqual([202, { ok: true }]);
    await club.sendAll();
    const [mail] = mailsTo(club, 'ann@club.example');
    const link = linkIn(mail!);
    const seen = await club.service.get(new URL(link).pathname, { accept: 'text/html' });
    expect([
      seen.statusCode,
      seen.headers['referrer-policy'],
      seen.body.includes('Careful with money'),
    ]).toEqual([200, 'no-referrer', true]);
    const [waiting] = (await one.read()).nominations;
    expect(waiting).toMatchObject({ name: 'Ann', proposer: 'Bob', state: 'unconfirmed' });
    expect((await one.decide(waiting.id, { decision: 'accept' })).statusCode).toBe(409);

    expect((await one.answer(link, 'consent')).json()).toMatchObject({ nomination: { state: 'ready' } });
    expect((await one.answer(link, 'consent')).statusCode).toBe(200);
    expect((await one.answer(link, 'second')).statusCode).toBe(409);
    expect(recordedOf(club.service.ctx, 'nomination.confirmed')).toHaveLength(1);
    expect((await one.answer(link.slice(0, -3), 'consent')).statusCode).toBe(404);
    expect(JSON.stringify(club.service.logged)).not.toContain(new URL(link).pathname.split('/').at(-1));
  });

  it('has the same answer for every address, and mails go to members alone where members are asked', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const answers = [
      await one.nominate({}),
      await one.nominate({ name: 'Eve', email: 'eve@elsewhere.example' }),
      await one.nominate({ name: 'Sam', email: 'sam@club.example' }),
    ];
    const { date: _, 'x-request-id': __, ...headers } = answers[0]!.headers;
    for (const { statusCode, body, headers: own } of answers) {
      expect([statusCode, body]).toEqual([202, answers[0]!.body]);
      expect(Object.keys(own)).toEqual(expect.arrayContaining(Object.keys(headers)));
    }
    await club.sendAll();
    expect(club.mails.mails.map(({ recipients }) => recipients)).toEqual([['ann@club.example']]);
    const open = await call(club, { who: 'anybody' });
    await open.nominate({ name: 'Eve', email: 'eve@elsewhere.example' });
    await club.sendAll();
    expect(mailsTo(club, 'eve@elsewhere.example')).toHaveLength(1);
  });

  it('needs its seconders, who are members and confirm it by mail', async () => {
    await using club = await openWithMembers();
    const one = await call(club, { seconders: 2 });
    const few = await one.nominate({ seconders: ['bob@club.example'] });
    expect([few.statusCode, few.json().errors[0].path]).toEqual([400, 'seconders']);
    const own = await one.nominate({ seconders: ['bob@club.example', 'ann@club.example'] });
    expect(own.statusCode).toBe(400);
    const seconders = ['bob@club.example', 'cid@club.example', 'eve@elsewhere.example'];
    await one.nominate({ seconders });
    await club.sendAll();
    expect(mailsTo(club, 'eve@elsewhere.example')).toEqual([]);
    await one.answer(linkIn(mailsTo(club, 'ann@club.example')[0]!), 'consent');
    const state = async () => (await one.read()).nominations[0].state;
    expect(await state()).toBe('unseconded');
    const [bob, cid] = ['bob', 'cid'].map((name) => linkIn(mailsTo(club, `${name}@club.example`)[0]!));
    expect((await one.answer(bob!, 'second')).statusCode).toBe(200);
    expectRefusal(await one.answer(bob!, 'consent'), 409, 'nomination_other_role');
    expect((await one.answer(cid!, 'second')).statusCode).toBe(200);
    expect(await state()).toBe('ready');
    expect((await one.answer(cid!, 'withdraw')).statusCode).toBe(200);
    expect(await state()).toBe('unseconded');
  });

  it('is made once by three presses of its form', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const at = `/m/${one.id}/nominate/${one.item}`;
    const form = formAt((await club.service.get(at, { accept: 'text/html' })).body, at);
    expect(form.fields.once).toMatch(/^[\da-f]{32}$/);
    const fields = { ...form.fields, name: 'Ann', email: 'ann@club.example', text: 'Careful with money' };
    const three = await Promise.all([1, 2, 3].map(() => press(club.service, form, fields)));
    expect(new Set(three.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(three[0]!.statusCode).toBe(202);
    expect((await one.read()).nominations).toHaveLength(1);
    club.service.clock.now += 10 * MINUTE - 1;
    expect((await press(club.service, form, fields)).body).toBe(three[0]!.body);
    await club.sendAll();
    expect(mailsTo(club, 'ann@club.example')).toHaveLength(1);
  });

  it('is seconded by people, not by addresses: nobody seconds twice, or their own nomination', async () => {
    await using club = await openWithMembers();
    const two = (name: string) => [{ email: `${name}@club.example` }, { email: `${name}@work.example` }];
    await club.add({ name: 'Gus', addresses: two('gus'), ...FULL_SINCE_2020 });
    await club.add({ name: 'Hal', addresses: two('hal'), ...FULL_SINCE_2020 });
    const one = await call(club, { seconders: 1 });
    const seconders = ['gus@work.example', 'hal@club.example', 'hal@work.example'];
    expect((await one.nominate({ name: 'Gus', email: 'gus@club.example', seconders })).statusCode).toBe(202);
    await club.sendAll();
    expect(club.mails.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
      'gus@club.example',
      'hal@club.example',
    ]);
  });

  it('is accepted or refused with a reason, which the nominee gets by mail', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    for (const name of ['Ann', 'Bob']) {
      await one.nominate({ name, email: `${name.toLowerCase()}@club.example` });
      await club.sendAll();
      await one.answer(linkIn(mailsTo(club, `${name.toLowerCase()}@club.example`)[0]!), 'consent');
    }
    const { nominations } = await one.read();
    const [ann, bob] = ['Ann', 'Bob'].map((name) =>
      nominations.find((nomination: { name: string }) => nomination.name === name),
    );
    expect((await one.decide(bob.id, { decision: 'refuse' })).json().errors[0].path).toBe('reason');
    expect((await one.decide(bob.id, { decision: 'refuse', reason: 'Not paid' })).statusCode).toBe(200);
    for (const _ of [1, 2]) expect((await one.decide(ann.id, { decision: 'accept' })).statusCode).toBe(200);
    expectRefusal(await one.decide(ann.id, { decision: 'refuse', reason: 'No' }), 409, 'nomination_decided');
    await club.sendAll();
    expect(mailsTo(club, 'bob@club.example').at(-1)!.text).toContain('Not paid');
    expect(mailsTo(club, 'ann@club.example').at(-1)!.headers.subject).toContain('You are a candidate');
    const summary = (await club.service.get(`/admin/meetings/${one.id}`, club.olga)).json().items[0]
      .nominations;
    expect(summary).toMatchObject({ accepted: 1, seats: 1, too_few: false, state: 'open' });
    const shown = async () => (await club.service.get(`/m/${one.id}`)).json().items[0].nominations.candidates;
    expect(await shown()).toBeUndefined();
    club.service.clock.now += 7 * DAY;
    expect(await shown()).toEqual(['Ann']);
    const { id, item } = one;
    const desk = `/admin/meetings/${id}/items/${item}`;
    const proposed = await club.service.get(`${desk}/nominations`, { accept: 'text/html', ...club.olga });
    expect(proposed.body).toContain('Ask yes or no for each');
    const each = { type: 'YES_NO_EACH', seats: '1', names: '' };
    await club.service.submit(`${desk}?_method=PATCH`, each, club.olga);
    const { election_id } = (await club.service.get(`/admin/meetings/${id}`, club.olga)).json().items[0];
    const { election } = (await club.service.get(`/admin/elections/${election_id}`, club.olga)).json();
    expect(election).toMatchObject({ ballot_type: 'YES_NO_EACH', options: [{ name: 'Ann' }] });
    await one.answer(linkIn(mailsTo(club, 'ann@club.example')[0]!), 'withdraw');
    expect(await shown()).toEqual([]);
  });

  it('of somebody who stands already adds its seconders, and takes nothing away', async () => {
    await using club = await openWithMembers();
    const one = await call(club, { seconders: 1 });
    const ann = { name: 'Ann', email: 'ann@club.example' };
    await one.nominate({ ...ann, seconders: ['bob@club.example'] });
    await club.sendAll();
    await one.answer(linkIn(mailsTo(club, 'ann@club.example')[0]!), 'consent');
    await one.answer(linkIn(mailsTo(club, 'bob@club.example')[0]!), 'second');
    const states = async () =>
      (await one.read()).nominations.map(({ state }: { state: string }) => state).toSorted();
    expect(await states()).toEqual(['ready']);

    await one.nominate({ ...ann, seconders: ['cid@club.example', 'bob@club.example'] });
    await club.sendAll();
    const again = linkIn(mailsTo(club, 'ann@club.example')[1]!);
    const shown = async () => (await club.service.get(new URL(again).pathname, { accept: 'text/html' })).body;
    expect(await shown()).toContain('Ann stands already');
    await one.answer(again, 'consent');
    expect(await states()).toEqual(['ready', 'withdrawn']);
    expect(await shown()).toContain('The officers decide on it next.');
    // The other seconder’s link counts for the one that stands.
    await one.answer(linkIn(mailsTo(club, 'cid@club.example')[0]!), 'second');
    const ready = (await one.read()).nominations.find(({ state }: { state: string }) => state === 'ready');
    expect(ready.seconders.filter(({ seconded }: { seconded: boolean }) => seconded)).toHaveLength(2);
  });
});

describe('a call for candidates', () => {
  it('takes nominations and consents in its period alone, and is extended in public', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    club.service.clock.now += 7 * DAY - HOUR;
    await one.nominate({});
    await club.sendAll();
    const link = linkIn(mailsTo(club, 'ann@club.example')[0]!);
    club.service.clock.now += HOUR;
    expectRefusal(await one.nominate({}), 409, 'nominations_over');
    expectRefusal(await one.answer(link, 'consent'), 409, 'nominations_over');
    const summary = async () =>
      (await club.service.get(`/admin/meetings/${one.id}`, club.olga)).json().items[0].nominations;
    expect(await summary()).toMatchObject({ too_few: true, state: 'over' });
    const later = {
      ...one.period,
      closes_at: isoTime(club.service.clock.now + DAY),
      who: 'members',
      seconders: 0,
    };
    expect((await one.put(later)).json()).toMatchObject({
      open: true,
      first_closes_at: one.period.closes_at,
    });
    expect(recordedOf(club.service.ctx, 'nominations.extended')).toHaveLength(1);
    expect((await one.answer(link, 'consent')).statusCode).toBe(200);
  });

  it('counts whoever is on the ballot, also those who were not nominated', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const path = `/admin/meetings/${one.id}/items/${one.item}`;
    const headers = { accept: 'application/json', ...club.olga };
    const question = { ballot_type: 'POLL', options: ['Ivy', 'Hugh'], settings: { seats: 2 } };
    await club.service.request({ method: 'PATCH', url: path, payload: { question }, headers });
    club.service.clock.now += 7 * DAY;
    expect(await one.read()).toMatchObject({ accepted: 2, seats: 2, too_few: false, as_many_as_seats: true });
    const { items } = (await club.service.get(`/m/${one.id}`)).json();
    expect(items[0].nominations.candidates).toEqual(['Hugh', 'Ivy']);
  });

  it('ends with its meeting', async () => {
    await using club = await openWithMembers();
    const one = await call(club);
    const headers = { accept: 'application/json', ...club.olga };
    const url = `/admin/meetings/${one.id}`;
    await club.service.request({ method: 'PATCH', url, payload: { state: 'closed' }, headers });
    expectRefusal(await one.nominate({}), 409, 'meeting_closed');
    const form = await club.service.get(`/m/${one.id}/nominate/${one.item}`, { accept: 'text/html' });
    expect(form.body).not.toContain('Their mail address');
  });

  it('keeps a nomination for a day until a mailbox confirms it, that of a seconder too; the mail says so', async () => {
    await using club = await openWithMembers();
    const closes_at = isoTime(club.service.clock.now + 40 * DAY);
    const one = await call(club, { closes_at, seconders: 1 });
    await one.nominate({ name: 'Ann', seconders: ['bob@club.example'] });
    await one.nominate({ name: 'Cid', email: 'cid@club.example', seconders: ['dee@club.example'] });
    await club.sendAll();
    const [ann] = mailsTo(club, 'ann@club.example');
    expect(ann!.text).toContain('Answer until: Sun, Nov 22, 2026');
    await one.answer(linkIn(mailsTo(club, 'bob@club.example')[0]!), 'second');
    club.service.clock.now += DAY;
    expectRefusal(
      await one.answer(linkIn(mailsTo(club, 'cid@club.example')[0]!), 'consent'),
      404,
      'nomination_link_unknown',
    );
    club.service.clock.now += 30 * DAY;
    await deleteOldProposals(club.service.ctx);
    expect((await one.read()).nominations).toMatchObject([{ name: 'Ann', state: 'unconfirmed' }]);
    expect((await one.answer(linkIn(ann!), 'consent')).statusCode).toBe(200);
  });

  it.each([
    ['closes_at', { closes_at: '2026-11-01T00:00' }],
    ['opens_at', { opens_at: 'soon' }],
    ['seconders', { seconders: 6 }],
    ['who', { who: 'friends' }],
  ])('is refused with a 400 that names %s', async (path, fields) => {
    await using club = await openElectorate();
    const one = await call(club);
    const answer = await one.put({ ...one.period, who: 'members', seconders: 0, ...fields });
    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, path]);
  });
});

it('a call is mailed once to everybody who may vote, with the way to nominate', async () => {
  await using club = await openWithMembers();
  await club.add({ name: 'Eve' });
  const one = await call(club, { seconders: 1 });
  const page = async () => (await club.service.get(one.address, { accept: 'text/html', ...club.olga })).body;
  const mail = (payload: object = {}) => club.service.post(`${one.address}/mail`, payload, club.olga);
  const called = 'Who stands for Treasurer?';
  expect(await page()).toContain('Mail the call to');

  const { queued } = (await mail()).json();
  await club.sendAll();
  const sent = club.mails.mails.filter(({ headers }) => headers.subject === called);
  expect(sent).toHaveLength(queued);
  expect(sent.flatMap(({ recipients }) => recipients)).toEqual(
    expect.arrayContaining(['ann@club.example', 'bob@club.example', 'cid@club.example', 'dee@club.example']),
  );
  expect(sent[0]!.text).toMatch(new RegExp(`/m/${one.id}/nominate/${one.item}\\?i=\\S`));
  expect(sent[0]!.text).toContain('Seconders: 1');
  expectRefusal(await mail(), 409, 'mailed_before');
  expect(await page()).toContain('name="again" value="true"');
  expect((await mail({ again: true })).json()).toEqual({ queued });

  club.service.clock.now += 8 * DAY;
  expectRefusal(await mail({ again: true }), 409, 'nominations_over');
});

it('nominations that wait are counted on the agenda, and all are accepted with one press', async () => {
  await using club = await openWithMembers();
  const one = await call(club);
  for (const name of ['Ann', 'Bob', 'Cid'])
    await one.nominate({ name, email: `${name.toLowerCase()}@club.example` });
  await club.sendAll();
  for (const name of ['ann', 'bob']) {
    const [asked] = mailsTo(club, `${name}@club.example`);
    await one.answer(linkIn(asked!), 'consent');
  }
  const waiting = async () =>
    (await club.service.get(`/admin/meetings/${one.id}`, club.olga)).json().items[0].nominations.waiting;
  expect(await waiting()).toBe(2);

  expect((await one.decide('accept-all', {})).json()).toMatchObject({ now_accepted: 2, accepted: 2 });
  expect(await waiting()).toBe(0);
  expect(
    (await one.read()).nominations.map(({ name, state }: Record<string, string>) => [name, state]),
  ).toEqual(
    expect.arrayContaining([
      ['Ann', 'accepted'],
      ['Bob', 'accepted'],
      ['Cid', 'unconfirmed'],
    ]),
  );
});

it('works with forms alone, from the call to the candidate', async () => {
  await using club = await openWithMembers();
  const { service, olga } = club;
  const one = await call(club);
  const form = `/m/${one.id}/nominate/${one.item}`;
  const empty = await service.submit(form, { name: '', email: 'x', text: 'Kept' });
  expect([empty.statusCode, empty.body.includes('Kept'), empty.body.includes('id="email-error"')]).toEqual([
    400,
    true,
    true,
  ]);
  const sent = await service.submit(form, {
    name: 'Ann',
    email: 'Ann@club.example',
    text: 'Me',
    proposer: '',
  });
  expect([sent.statusCode, sent.body.includes('Thank you')]).toEqual([202, true]);
  await club.sendAll();
  const path = new URL(linkIn(mailsTo(club, 'ann@club.example')[0]!)).pathname;
  const yes = await service.submit(path, { action: 'consent' });
  expect(yes.headers.location).toBe(`${path}?done=yes`);
  const desk = `/admin/meetings/${one.id}/items/${one.item}/nominations`;
  const page = await service.get(desk, { accept: 'text/html', ...olga });
  expect(page.body).toContain('Waits for your decision');
  const { id } = (await one.read()).nominations[0];
  const accepted = await service.submit(`${desk}/${id}`, { decision: 'accept' }, olga);
  expect(accepted.headers.location).toBe(`${desk}?done=accepted`);
  expect((await service.get(path, { accept: 'text/html' })).body).toContain('the name is on the ballot');
});

it('nominations go with the person, and are in the export of their data', async () => {
  await using club = await openWithMembers();
  const one = await call(club, { seconders: 1 });
  await one.nominate({ seconders: ['bob@club.example'], text: 'About me' });
  const { people } = (await club.call('GET', 'people?q=ann@club.example')).body;
  const { kept } = (await club.call('GET', `people/${people[0].id}/export`)).body;
  expect(kept.nominations).toMatchObject([{ office: 'Treasurer', text: 'About me', confirmed_at: null }]);
  expect((await club.call('POST', `people/${people[0].id}/erase`)).status).toBe(200);
  const left = club.service.ctx.db.all(build.selectFrom('nominations').select('id'));
  expect(left).toEqual([]);
});

it('nominations that nobody confirmed are deleted after a day, the others a year after the meeting', async () => {
  await using club = await openWithMembers();
  const { service } = club;
  const one = await call(club);
  for (const name of ['Ann', 'Bob'])
    await one.nominate({ name, email: `${name.toLowerCase()}@club.example` });
  await club.sendAll();
  await one.answer(linkIn(mailsTo(club, 'ann@club.example')[0]!), 'consent');
  const names = async () => {
    await deleteOldProposals(service.ctx);
    return (await one.read()).nominations.map(({ name }: { name: string }) => name).toSorted();
  };
  service.clock.now += DAY - HOUR;
  expect(await names()).toEqual(['Ann', 'Bob']);
  service.clock.now += HOUR;
  expect(await names()).toEqual(['Ann']);
  service.clock.now += 400 * DAY;
  expect(await names()).toEqual([]);
});
