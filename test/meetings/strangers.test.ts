// What strangers can fill at a meeting: it slows them down, and locks nobody out.

import { describe, expect, it } from 'vitest';
import { DAY, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { multipart, smallPicture } from '#test/support/pictures.ts';
import { type Electorate, openElectorate, person } from '#test/voting/electors/electorate.ts';
import { openRoom } from './a-meeting.ts';

const from = (client: string) => ({ 'x-forwarded-for': client });

/** A meeting of a club with members, with a call for candidates. */
async function openCall(rules: object = {}, members = ['Ann', 'Bob', 'Cid']) {
  const club = await openElectorate();
  const { service, olga } = club;
  for (const name of members) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  const { id } = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' }, olga)
  ).json();
  const item = (
    await service.post(`/admin/meetings/${id}/items`, { kind: 'election', title: 'Treasurer' }, olga)
  ).json().id;
  await service.request({
    method: 'PUT',
    url: `/admin/meetings/${id}/items/${item}/nominations`,
    payload: {
      opens_at: isoTime(service.clock.now),
      closes_at: isoTime(service.clock.now + 7 * DAY),
      who: 'members',
      seconders: 0,
      ...rules,
    },
    headers: { accept: 'application/json', ...olga },
  });
  return Object.assign(club, {
    nominate: (fields: object, client = '192.0.2.1') =>
      service.post(
        `/m/${id}/nominate/${item}`,
        { name: 'Ann', email: 'ann@club.example', text: '', ...fields },
        from(client),
      ),
    nominations: async () =>
      (await service.get(`/admin/meetings/${id}/items/${item}/nominations`, olga)).json().nominations as {
        name: string;
        text: string;
        state: string;
        picture: string | null;
      }[],
  });
}

const linksTo = ({ mails }: Electorate, address: string) =>
  mails.mails
    .filter(({ recipients }) => recipients.includes(address))
    .map(({ text }) => new URL(/https:\S+\/nominations\/\S+/.exec(text)![0]).pathname);

describe('nominations', () => {
  it('of addresses that get no mail keep no member from nominating', async () => {
    await using club = await openCall();
    for (let client = 0; client < 12; client += 1)
      for (let n = 0; n < 40; n += 1) {
        const email = `s${client}.${n}@elsewhere.example`;
        expect((await club.nominate({ email }, `198.51.100.${client}`)).statusCode).toBe(202);
      }
    expectRefusal(
      await club.nominate({ email: 'more@elsewhere.example' }, '198.51.100.1'),
      429,
      'too_many_requests',
    );
    expect((await club.nominate({})).statusCode).toBe(202);
    expect(await club.nominations()).toHaveLength(1);
  });

  it('are slowed down when 400 mails went out in an hour: whoever asks again within ten seconds is heard', async () => {
    const members = Array.from({ length: 90 }, (_, n) => `M${n}`);
    await using club = await openCall({}, members);
    let sent = 0;
    for (let round = 0; round < 5; round += 1)
      for (let n = 0; n < 80; n += 1, sent += 1)
        await club.nominate({ email: `m${n}@club.example`, name: `M${n}` }, `198.51.${n}.${round}`);
    expect(sent).toBe(400);
    const ask = async () => club.nominate({ email: 'm89@club.example', name: 'M89' });
    // The pace of the limit goes on: two in ten seconds.
    for (const n of [85, 86])
      expect((await club.nominate({ email: `m${n}@club.example` })).statusCode).toBe(202);
    const refused = await ask();
    expect([refused.statusCode, Number(refused.headers['retry-after']) <= 10]).toEqual([429, true]);
    const stranger = await club.nominate({ email: 'no@elsewhere.example' }, '198.51.200.1');
    expect([stranger.statusCode, stranger.body]).toEqual([429, refused.body]);
    club.service.clock.now += Number(refused.headers['retry-after']) * SECOND;
    expect((await ask()).statusCode).toBe(202);
  });

  it('that flood a mailbox are not mailed, and the page of an earlier link leads to them', async () => {
    await using club = await openCall({ seconders: 1 });
    const seconders = ['bob@club.example'];
    for (let n = 0; n < 5; n += 1) await club.nominate({ text: `Spam ${n}`, seconders }, `198.51.100.${n}`);
    const right = await club.nominate({ text: 'The right one', proposer: 'Cid', seconders });
    expect([right.statusCode, right.json()]).toEqual([202, { ok: true }]);
    await club.sendAll();
    for (const address of ['ann@club.example', 'bob@club.example']) {
      const links = linksTo(club, address);
      expect(links).toHaveLength(5);
      const { body } = await club.service.get(links[0]!, { accept: 'text/html' });
      expect(body).toContain('Also waiting for your answer');
      const [, other] =
        /href="([^"]*\/nominations\/[^"]*)">[^<]*<\/a> <span class="soft">proposed by Cid/.exec(body)!;
      const action = address.startsWith('ann') ? 'consent' : 'second';
      expect((await club.service.post(other!, { action })).statusCode).toBe(200);
    }
    expect((await club.nominations()).find(({ text }) => text === 'The right one')?.state).toBe('ready');
    const { body } = await club.service.get(linksTo(club, 'ann@club.example')[0]!, { accept: 'text/html' });
    expect(body).not.toContain('proposed by Cid');
  });

  it('of one person give way to newer ones while nobody has confirmed them; those of others stay', async () => {
    await using club = await openCall();
    await club.nominate({ name: 'Bob', email: 'bob@club.example' });
    for (let n = 0; n < 25; n += 1) {
      club.service.clock.now += SECOND;
      await club.nominate({ text: `${n}` });
    }
    const texts = (await club.nominations()).map(({ name, text }) => `${name} ${text}`);
    expect(texts).toEqual(['Bob ', ...Array.from({ length: 20 }, (_, n) => `Ann ${n + 5}`)]);
  });

  it('store a picture with the first consent alone', async () => {
    await using club = await openCall({ picture: true });
    await club.nominate({});
    await club.sendAll();
    const [link] = linksTo(club, 'ann@club.example');
    const consent = async (color: string) => {
      const form = await multipart({ action: 'consent' }, { picture: { bytes: await smallPicture(color) } });
      return club.service.request({ method: 'POST', url: link!, ...form });
    };
    const stored = () => club.service.ctx.db.all(build.selectFrom('pictures').select('id'));
    const broken = await multipart({ action: 'consent' }, { picture: { bytes: Buffer.from('no picture') } });
    const refused = await club.service.request({ method: 'POST', url: link!, ...broken });
    expect([refused.statusCode, (await club.nominations())[0]?.state]).toEqual([400, 'unconfirmed']);
    const colors = ['#111111', '#222222', '#333333', '#444444'];
    for (const { statusCode } of await Promise.all(colors.map(consent)))
      expect([200, 303]).toContain(statusCode);
    await consent('#555555');
    const [{ id }] = stored() as [{ id: string }];
    expect(stored()).toHaveLength(1);
    expect(await club.nominations()).toMatchObject([{ state: 'ready', picture: id }]);
  });
});

describe('the list of speakers', () => {
  async function openList() {
    const one = await openRoom();
    await send(one.service, 'PATCH', one.base, { members_ask: true });
    return Object.assign(one, {
      ask: (name: string, client: string) =>
        one.service.post(`/m/${one.id}/speakers`, { name }, from(client)),
      chair: (name: string) => one.service.post(`${one.base}/speakers`, { name }),
      names: async () =>
        (await one.service.get(`/m/${one.id}`))
          .json()
          .speakers.map(({ name }: { name: string }) => name) as string[],
    });
  }

  it('takes 40 waiting names from one network', async () => {
    await using one = await openList();
    for (let n = 0; n < 40; n += 1) expect((await one.ask(`${n}`, `2001:db8::${n}`)).statusCode).toBe(200);
    expectRefusal(await one.ask('one too many', '2001:db8::f'), 429, 'speakers_of_client', { max: 40 });
    expect((await one.ask('Member', '192.0.2.1')).statusCode).toBe(200);
    for (let n = 0; n < 5; n += 1) await one.service.post(`${one.base}/speakers/next`);
    expect((await one.ask('one more', '2001:db8::f')).statusCode).toBe(200);
  });

  it('takes 100 names of members: then the oldest of the longest queue gives way, and the chair can always add', async () => {
    await using one = await openList();
    await one.ask('Member', '192.0.2.1');
    for (const client of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
      for (let n = 0; n < 40; n += 1) expect((await one.ask(`${client} ${n}`, client)).statusCode).toBe(200);
    expect(await one.names()).toHaveLength(100);
    expect((await one.chair('Somebody at the microphone')).statusCode).toBe(200);
    const names = await one.names();
    expect(names).toHaveLength(101);
    expect(names).toEqual(expect.arrayContaining(['Member', 'Somebody at the microphone']));
  });

  it('forgets after a day what members asked, and keeps what the chair added', async () => {
    await using one = await openList();
    await one.ask('Asked', '192.0.2.1');
    await one.chair('Added');
    one.service.clock.now += DAY + MINUTE;
    await one.chair('New');
    expect(await one.names()).toEqual(['Added', 'New']);
  });
});
