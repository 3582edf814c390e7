import { expect, it } from 'vitest';
import { page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';

/** A meeting with two members, and what its officer sends. */
async function openMeeting(fields: object) {
  const club = await openElectorate();
  const { service, olga } = club;
  for (const name of ['Ann', 'Bob']) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  const post = (url: string, payload: object = {}) => service.post(url, payload, olga);
  const meeting = { title: 'AGM', held_at: '2026-12-04T19:00', ...fields };
  const { id, paper_id } = (await post('/admin/meetings', meeting)).json();
  const send = (method: 'PATCH' | 'DELETE', url: string, payload: object) =>
    service.request({ method, url, payload, headers: { accept: 'application/json', ...olga } });
  return { ...club, id, base: `/admin/meetings/${id}`, paper: `/admin/papers/${paper_id}`, post, send };
}

it('members elsewhere get a link that says when the meeting is, from a page for nothing else', async () => {
  await using one = await openMeeting({ remote: true });
  await one.post(`${one.base}/items`, { kind: 'motion', title: 'Lamps' });
  expect((await one.send('PATCH', one.base, { title: 'AGM 2027' })).statusCode).toBe(200);
  const { body } = await page(one.service, `${one.base}/mails`, one.olga);
  expect(body).toContain(`${one.paper}/mails#invitations`);
  const shown = (await page(one.service, one.paper, one.olga)).body;
  for (const [text, is] of [
    ['Members at home', true],
    ['Invite people', true],
    ['Save the dates', false],
    ['New question', false],
    ['Make voting codes', false],
    ['Delete the ballot paper', false],
  ] as const)
    expect([text, shown.includes(text)]).toEqual([text, is]);
  for (const under of ['codes', 'rules'])
    expect((await page(one.service, `${one.paper}/${under}`, one.olga)).body).toContain('Invite people');
  const preview = await one.service.submit(
    `${one.paper}/invite/preview`,
    { invite_mode: 'individual' },
    one.olga,
  );
  expect(preview.body).toContain(`/m/${one.id}?t=…`);
  expect((await one.post(`${one.paper}/invite`, { roll: {} })).statusCode).toBe(200);
  await one.sendAll();
  const [mail] = one.mails.mails;
  expect(mail!.headers.subject).toBe('Your link to the meeting: AGM 2027');
  for (const text of ['When: Fri, Dec 4, 2026, 7:00 PM', `/m/${one.id}?t=`, 'you count as present'])
    expect(mail!.text).toContain(text);
  expect(mail!.text).toContain('1. Lamps');
  expect(mail!.text).not.toContain('when the chair opens it');
});

it('without members elsewhere a meeting has cards alone, which only its door takes back', async () => {
  await using one = await openMeeting({});
  const { packs } = (await one.post(`${one.base}/packs`, { class: 'Members', packs: 1 })).json();
  await one.post(`${one.base}/packs/${packs[0].id}/open`);
  const answers = [
    await one.post(`${one.paper}/invite`, { roll: {} }),
    await one.post(`${one.paper}/tokens`, { count: 2 }),
    await one.send('DELETE', `${one.paper}/batches`, { batch_name: null }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
  const { meeting } = (await one.service.get(one.base, one.olga)).json();
  expect(meeting).toMatchObject({ remote: 0, cards_too_many: 10 });
});

const YES = { choice: 'yes' };

/**
 * A meeting that is held, with a question that is open: Zoe is there with a card, and Ann and Bob have a link each.
 */
async function openHeld(fields: object = {}) {
  const one = await openMeeting({ remote: true, ...fields });
  await one.add(person('Zoe', null));
  const act = (item: { id: string }, name: string) => one.post(`${one.base}/items/${item.id}/${name}`);
  const add = async (title: string) =>
    (await one.post(`${one.base}/items`, { kind: 'motion', title, question: PRESENT })).json();
  const { packs } = (await one.post(`${one.base}/packs`, { class: 'Members', packs: 1 })).json();
  await one.post(`${one.base}/packs/${packs[0].id}/open`);
  const { people } = (await one.service.get(`${one.base}/door`, one.olga)).json();
  const idOf = (name: string) => people.find((person: { name: string }) => person.name === name).id;
  const pass = async (name: string, more: object = {}) =>
    (await one.post(`${one.base}/door`, { person_id: idOf(name), action: 'in', ...more })).json();
  await pass('Zoe');
  await one.post(`${one.paper}/invite`, { roll: {} });
  await one.sendAll();
  const lamps = await add('Lamps');
  await act(lamps, 'open');
  const linkOf = (name: string) =>
    /\?t=(\S+)/.exec(one.mails.mails.find(({ text }) => text.includes(`of ${name}.`))!.text)![1]!;
  return {
    ...one,
    act,
    lamps,
    idOf,
    pass,
    linkOf,
    ask: add,
    card: packs[0].cards[0].code as string,
    come: (name: string) =>
      one.service.post(`/m/${one.id}/card/here`, {}, { cookie: `house_card=${linkOf(name)}` }),
    vote: async (code: string, item: { election_id: string }) =>
      (
        await one.post(`/p/${one.paper.split('/').at(-1)}/vote`, {
          token: code,
          answers: { [item.election_id]: YES },
        })
      ).statusCode,
    read: async () => (await one.service.get(one.base, one.olga)).json(),
    back: (code: string) => one.post(`${one.base}/door/return`, { code }),
  };
}

const PRESENT = { settings: { majority: { share: 'more_than_half', of: 'present' } } };

it('a program that opens a link makes nobody present: their page says so, and so does a vote', async () => {
  await using one = await openHeld({ quorum: 3 });
  const figures = async () => {
    const { meeting, items } = await one.read();
    return [meeting.remote_present, items[0].voters.total];
  };
  const link = one.linkOf('Ann');
  await one.service.get(`/m/${one.id}?t=${link}`, { accept: 'text/html' });
  const head = await one.service.request({ method: 'HEAD', url: `/m/${one.id}?t=${link}` });
  expect([head.statusCode, await figures()]).toEqual([head.statusCode, [0, 1]]);
  for (const _ of [1, 2]) expect((await one.come('Ann')).statusCode).toBe(200);
  expect(await figures()).toEqual([1, 2]);
  expect(await one.vote(one.linkOf('Bob'), one.lamps)).toBe(200);
  expect(await figures()).toEqual([2, 3]);
  await one.act(one.lamps, 'close');
  const [closed] = (await one.read()).items;
  expect(closed).toMatchObject({ quorate: true, quorum_needed: 3, voters: { here: 1, elsewhere: 2 } });
});

it('whoever comes after all votes with the card, and not with the link too', async () => {
  await using one = await openHeld();
  const link = one.linkOf('Ann');
  await one.come('Ann');
  const [row] = (await one.service.get(`${one.base}/door?q=ann`, one.olga)).json().people;
  expect(row.has_link).toBe(true);
  expect(await one.pass('Ann')).toMatchObject({ present: 2, cards: { Members: 1 }, link_ended: true });
  const after = await one.read();
  expect([after.meeting.remote_present, after.meeting.remote]).toEqual([0, 1]);
  expect(after.items[0].voters).toMatchObject({ total: 2, here: 2, elsewhere: 0 });
  expect([await one.vote(link, one.lamps), await one.vote(one.card, one.lamps)]).toEqual([401, 200]);
  const fees = await one.ask('Fees');
  await one.act(fees, 'open');
  expect([await one.vote(link, fees), await one.vote(one.card, fees)]).toEqual([401, 200]);
});

it('whoever has voted with the link on an open question waits for the card until it is closed', async () => {
  await using one = await openHeld();
  const link = one.linkOf('Ann');
  expect(await one.vote(link, one.lamps)).toBe(200);
  expect(await one.pass('Ann')).toMatchObject({ cards: {}, waits: true, waits_for: ['Lamps'], present: 2 });
  const early = await one.post(`${one.base}/door`, { person_id: one.idOf('Ann'), action: 'card' });
  expect([early.statusCode, early.json().error]).toEqual([
    409,
    message('waits_for_question', { name: 'Ann', title: 'Lamps' }),
  ]);
  // The link stays valid for what is opened meanwhile.
  const chairs = await one.ask('Chairs');
  await one.act(chairs, 'open');
  expect(await one.vote(link, chairs)).toBe(200);
  await one.act(one.lamps, 'close');
  await one.act(chairs, 'close');
  const late = await one.post(`${one.base}/door`, { person_id: one.idOf('Ann'), action: 'card' });
  expect(late.json()).toMatchObject({ cards: { Members: 1 }, link_ended: true });
  expect((await one.read()).meeting.remote).toBe(1);
  const fees = await one.ask('Fees');
  await one.act(fees, 'open');
  expect(await one.vote(link, fees)).not.toBe(200);
});

it('a link that ended makes nobody present, also on what is opened later', async () => {
  await using one = await openHeld();
  expect(await one.vote(one.linkOf('Ann'), one.lamps)).toBe(200);
  await one.act(one.lamps, 'close');
  await one.pass('Ann');
  const fees = await one.ask('Fees');
  await one.act(fees, 'open');
  await one.come('Ann');
  const shown = (await one.service.get(`/m/${one.id}?t=${one.linkOf('Ann')}`)).json();
  expect(shown).toMatchObject({ present: 2, code: { valid: false } });
  expect((await one.read()).items[1].voters).toMatchObject({ total: 2, here: 2, elsewhere: 0 });
});

it('whoever has a card, or had one since a question was opened, gets no link by any route', async () => {
  await using one = await openHeld();
  await one.pass('Ann');
  const { invites } = (await one.service.get(`${one.paper}/invites`, one.olga)).json();
  const { id } = invites.find(({ name }: { name: string }) => name === 'Ann');
  const tries = async () => {
    const replaced = await one.post(`${one.paper}/invites/${id}/replace`, { reason: 'Asked for it' });
    const sent = await one.post(`${one.paper}/invites/${id}/resend`, {});
    const invited = await one.post(`${one.paper}/invite`, { person_ids: [one.idOf('Ann')] });
    const [row] = invited.json().results;
    return [replaced.statusCode, sent.statusCode, row.success ? 'invited' : row.error];
  };
  const HAS_CARD = message('has_card');
  expect(await tries()).toEqual([409, 409, HAS_CARD]);
  await one.post(`${one.base}/door`, { person_id: one.idOf('Ann'), action: 'out' });
  expect(await tries()).toEqual([409, 409, HAS_CARD]);
  await one.post(`${one.base}/door`, { person_id: one.idOf('Ann'), action: 'out', gave_back: true });
  await one.back(one.card);
  expect(await tries()).toEqual([409, 409, message('had_card', { title: 'Lamps' })]);
  await one.ask('Fees');
  await one.act(one.lamps, 'close');
  const replaced = await one.post(`${one.paper}/invites/${id}/replace`, { reason: 'Asked for it' });
  expect([replaced.statusCode, (await one.read()).meeting.remote]).toEqual([200, 2]);
});

it('links are for people of the roll who may vote that day, one each', async () => {
  await using one = await openHeld();
  await one.add({ name: 'Sue', addresses: [{ email: 'sue@club.example' }] });
  for (const name of ['Kim', 'Kit']) await one.add(person(name, 'home@club.example'));
  const emails = ['stranger@club.example', 'sue@club.example', 'home@club.example', 'Ann@club.example'];
  const { results } = (await one.post(`${one.paper}/invite`, { emails })).json();
  const errorOf = (email: string) => results.find((row: { email: string }) => row.email === email).error;
  const NOT_ON_ROLL = message('not_on_roll');
  expect([errorOf(emails[0]!), errorOf(emails[1]!)]).toEqual([NOT_ON_ROLL, NOT_ON_ROLL]);
  expect(errorOf(emails[2]!)).toContain(message('link_for_several'));
  expect((await one.read()).meeting.remote).toBe(2);
});

it('the link of somebody who is represented ends when their card is handed out', async () => {
  await using one = await openHeld({ proxies_per_person: 1 });
  expect(await one.pass('Ann', { proxies: [one.idOf('Bob')] })).toMatchObject({ cards: { Members: 2 } });
  expect(await one.vote(one.linkOf('Bob'), one.lamps)).toBe(401);
});

it('without members elsewhere from now on links end, and the rules stay while a question is open', async () => {
  await using one = await openHeld();
  const change = (fields: object) => one.send('PATCH', one.base, fields);
  const link = one.linkOf('Ann');
  expect(await one.vote(link, one.lamps)).toBe(200);
  for (const fields of [
    { remote: false },
    { quorum: 2 },
    { proxies_per_person: 1 },
    { classes: ['A', 'Members'] },
  ])
    expect([fields, (await change(fields)).statusCode]).toEqual([fields, 409]);
  expect((await change({ place: 'The hall' })).statusCode).toBe(200);
  await one.act(one.lamps, 'close');
  expect((await change({ remote: false })).statusCode).toBe(200);
  const closed = (await one.read()).items[0];
  expect([closed.voters.elsewhere, closed.result.total_ballots]).toEqual([1, 1]);
  const fees = await one.ask('Fees');
  await one.act(fees, 'open');
  expect([await one.vote(link, fees), await one.vote(one.linkOf('Bob'), fees)]).toEqual([401, 401]);
});

it('whose link has voted on a question that is void is told to nobody, also beside one that counts', async () => {
  await using one = await openHeld();
  const used = async () =>
    Object.fromEntries(
      (await one.service.get(`${one.paper}/invites`, one.olga))
        .json()
        .invites.map((row: { name: string }) => [
          row.name,
          (row as unknown as { used: boolean | null }).used,
        ]),
    );
  await one.vote(one.linkOf('Ann'), one.lamps);
  await one.post(`${one.base}/items/${one.lamps.id}/void`, { reason: 'The wrong wording' });
  expect(await used()).toMatchObject({ Ann: null, Bob: null });
  const heating = await one.ask('Heating');
  await one.act(heating, 'open');
  await one.vote(one.linkOf('Bob'), heating);
  await one.act(heating, 'close');
  expect(await used()).toMatchObject({ Ann: false, Bob: true });
});

it('a member whose link is replaced is one person still, and a withdrawn link is nobody', async () => {
  await using one = await openHeld();
  const counted = async () => {
    const { meeting, items } = await one.read();
    return [meeting.remote_present, items[0].voters.total];
  };
  for (const name of ['Ann', 'Bob']) await one.come(name);
  expect(await counted()).toEqual([2, 3]);
  await one.act(one.lamps, 'close');
  const fees = await one.ask('Fees');
  const idOf = async (name: string) =>
    (await one.service.get(`${one.paper}/invites`, one.olga))
      .json()
      .invites.find((row: { name: string }) => row.name === name).id;
  const end = async (name: string, how: string) =>
    (await one.post(`${one.paper}/invites/${await idOf(name)}/${how}`, { reason: 'Asked for it' }))
      .statusCode;
  expect([await end('Ann', 'replace'), await end('Bob', 'withdraw')]).toEqual([200, 200]);
  await one.act(fees, 'open');
  const { meeting, items } = await one.read();
  expect([meeting.remote_present, items[1].voters]).toMatchObject([1, { total: 2, here: 1, elsewhere: 1 }]);
});

it('a link that the door ended says so to its holder and to officers, who replace it and do not mail it again', async () => {
  await using one = await openHeld();
  const link = one.linkOf('Ann');
  await one.pass('Ann');
  await one.post(`${one.base}/door`, { person_id: one.idOf('Ann'), action: 'undo', gave_back: false });
  const phone = (await page(one.service, `/m/${one.id}?t=${link}`)).body;
  expect(phone).toContain('ask the officers for another link');
  expect(phone).not.toContain('This is no card of this meeting');
  const { code } = (await one.service.get(`/m/${one.id}?t=${link}`)).json();
  expect(code).toEqual({ valid: false, ended: true, questions: [] });
  const gone = (await one.service.get(`/m/${one.id}?t=${one.card}x`)).json().code;
  expect(gone?.ended).toBeUndefined();

  const { invites } = (await one.service.get(`${one.paper}/invites`, one.olga)).json();
  const own = invites.find(({ email }: { email: string }) => email === 'ann@club.example');
  expect([own.ended, invites.filter(({ ended }: { ended?: true }) => ended).length]).toEqual([true, 1]);
  const list = (await page(one.service, `${one.paper}/invitations`, one.olga)).body;
  expect(list).toContain('The door ended this link.');
  expect(list).not.toContain(`invites/${own.id}/resend`);
  expect((await page(one.service, `${one.paper}/invites/${own.id}`, one.olga)).body).toContain(
    'Give a new code',
  );
  const again = await one.post(`${one.paper}/invites/${own.id}/resend`);
  expect([again.statusCode, again.json().error]).toEqual([400, message('its_link_ended')]);
  const replaced = await one.post(`${one.paper}/invites/${own.id}/replace`, { reason: 'Not there' });
  expect(replaced.statusCode).toBe(200);
  const after = (await one.service.get(`${one.paper}/invites`, one.olga)).json().invites;
  expect(after.some(({ ended }: { ended?: true }) => ended)).toBe(false);
});
