import { expect, it } from 'vitest';
import { page } from '#test/support/factories.ts';
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
  const { body } = await page(one.service, one.base, one.olga);
  expect(body).toContain(`${one.paper}#invitations`);
  const shown = (await page(one.service, one.paper, one.olga)).body;
  for (const [text, is] of [
    ['Links for members elsewhere', true],
    ['Invite people', true],
    ['Save the dates', false],
    ['Add a question', false],
    ['Make voting codes', false],
    ['Delete the ballot paper', false],
  ] as const)
    expect([text, shown.includes(text)]).toEqual([text, is]);
  expect((await one.post(`${one.paper}/invite`, { roll: {} })).statusCode).toBe(200);
  await one.sendAll();
  const [mail] = one.mails.mails;
  expect(mail!.headers.subject).toBe('Your link to the meeting: AGM 2027');
  for (const text of ['When: Fri, Dec 4, 2026, 7:00 PM', `/m/${one.id}?t=`, 'you count as present'])
    expect(mail!.text).toContain(text);
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

/** A meeting that is held, with a question that is open, to which Ann and Bob have a link each and there are cards. */
async function openHeld(fields: object = {}) {
  const one = await openMeeting({ remote: true, ...fields });
  const add = async (title: string) =>
    (await one.post(`${one.base}/items`, { kind: 'motion', title })).json();
  const act = (item: { id: string }, name: string) => one.post(`${one.base}/items/${item.id}/${name}`);
  await one.post(`${one.paper}/invite`, { roll: {} });
  await one.sendAll();
  const { packs } = (await one.post(`${one.base}/packs`, { class: 'Members', packs: 1 })).json();
  await one.post(`${one.base}/packs/${packs[0].id}/open`);
  const lamps = await add('Lamps');
  await act(lamps, 'open');
  const { people } = (await one.service.get(`${one.base}/door`, one.olga)).json();
  const idOf = (name: string) => people.find((person: { name: string }) => person.name === name).id;
  return {
    ...one,
    add,
    act,
    lamps,
    idOf,
    card: packs[0].cards[0].code as string,
    linkOf: (name: string) =>
      /\?t=(\S+)/.exec(one.mails.mails.find(({ text }) => text.includes(`of ${name}.`))!.text)![1]!,
    pass: async (name: string, more: object = {}) =>
      (await one.post(`${one.base}/door`, { person_id: idOf(name), action: 'in', ...more })).json(),
    vote: async (code: string, item: { election_id: string }) =>
      (
        await one.post(`/p/${one.paper.split('/').at(-1)}/vote`, {
          token: code,
          answers: { [item.election_id]: YES },
        })
      ).statusCode,
    read: async () => (await one.service.get(one.base, one.olga)).json(),
  };
}

it('whoever comes after all votes with the card, and not with the link too', async () => {
  await using one = await openHeld();
  const link = one.linkOf('Ann');
  await one.service.get(`/m/${one.id}?t=${link}`);
  const before = await one.read();
  expect([before.meeting.remote_present, before.items[0].present]).toEqual([1, 1]);
  const [row] = (await one.service.get(`${one.base}/door?q=ann`, one.olga)).json().people;
  expect(row.has_link).toBe(true);
  expect(await one.pass('Ann')).toMatchObject({ present: 1, cards: { Members: 1 }, link_ended: true });
  const after = await one.read();
  expect([after.meeting.remote_present, after.meeting.remote, after.items[0].present]).toEqual([0, 1, 1]);
  expect([await one.vote(link, one.lamps), await one.vote(one.card, one.lamps)]).toEqual([401, 200]);
  const fees = await one.add('Fees');
  await one.act(fees, 'open');
  expect([await one.vote(link, fees), await one.vote(one.card, fees)]).toEqual([401, 200]);
});

it('whoever has voted with the link on an open question gets a card once it is closed', async () => {
  await using one = await openHeld();
  const link = one.linkOf('Ann');
  expect(await one.vote(link, one.lamps)).toBe(200);
  expect((await one.pass('Ann')).error).toBe(
    'Ann has voted with their link on “Lamps”, which is open: hand out a card once voting on it has closed',
  );
  await one.act(one.lamps, 'close');
  expect(await one.pass('Ann')).toMatchObject({ cards: { Members: 1 }, link_ended: true });
  expect((await one.read()).meeting.remote).toBe(1);
  const fees = await one.add('Fees');
  await one.act(fees, 'open');
  expect(await one.vote(link, fees)).not.toBe(200);
});

it('whoever votes with a card gets no link, as long as they are there', async () => {
  await using one = await openHeld();
  await one.pass('Ann');
  await one.post(`${one.paper}/invite`, { roll: {} });
  const { invites } = (await one.service.get(`${one.paper}/invites`, one.olga)).json();
  const { id } = invites.find(({ name }: { name: string }) => name === 'Ann');
  const replace = async () =>
    (await one.post(`${one.paper}/invites/${id}/replace`, { reason: 'Asked for it' })).statusCode;
  expect([await replace(), (await one.read()).meeting.remote]).toEqual([409, 1]);
  await one.post(`${one.base}/door`, { person_id: one.idOf('Ann'), action: 'out' });
  await one.post(`${one.base}/door/return`, { code: one.card });
  expect([await replace(), (await one.read()).meeting.remote]).toEqual([200, 2]);
});

it('the link of somebody who is represented ends when their card is handed out', async () => {
  await using one = await openHeld({ proxies_per_person: 1 });
  expect(await one.pass('Ann', { proxies: [one.idOf('Bob')] })).toMatchObject({ cards: { Members: 2 } });
  expect(await one.vote(one.linkOf('Bob'), one.lamps)).toBe(401);
});
