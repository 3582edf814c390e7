import { expect, it } from 'vitest';
import { message } from '#test/support/messages.ts';
import type { House } from './evenings/house.ts';
import { type Member, openHall } from './evenings/http-house.ts';
import type { Settings } from './evenings/world.ts';

const SETTINGS: Settings = {
  classes: ['Members'],
  remote: true,
  proxies_per_person: 1,
  proxies_count: false,
  quorum: null,
  quorum_share: null,
};

type Card = Awaited<ReturnType<House['printPack']>>['cards'][number];

/** A meeting with a question and ten cards, and what happens at its door. */
async function openMeeting(settings: Partial<Settings> = {}, classes?: string[]) {
  const hall = await openHall();
  const house = await hall.hold({ ...SETTINGS, ...settings });
  const ask = (title: string) => house.add({ kind: 'motion', title, ...(classes && { classes }) });
  const lamps = await ask('Lamps');
  const { id, cards } = await house.printPack('Members');
  await house.openPack(id);
  const [ann, bob, cid] = hall.members as [Member, Member, Member];
  let presses = 0;
  const at = async (who: Member, action: 'in' | 'out' | 'undo' | 'card', more: object = {}) =>
    (await house.door({ person_id: who.id, action, press: `a${++presses}`, ...more })).body;
  return {
    house,
    lamps,
    ask,
    cards: cards as [Card, Card, Card],
    ann,
    bob,
    cid,
    at,
    press: () => `a${presses}`,
    open: () => house.act(lamps.item, 'open'),
    votes: async (code: string, question = lamps) => (await house.cast(code, question)).status,
    voters: async (item = lamps.item) =>
      (await house.read()).body.items.find((one: { id: string }) => one.id === item).voters,
    [Symbol.asyncDispose]: () => hall[Symbol.asyncDispose](),
  };
}

it('whoever kept the card and said that it was given back gets no link until a card is scanned', async () => {
  await using one = await openMeeting();
  await one.at(one.ann, 'in');
  await one.at(one.ann, 'out', { gave_back: true });
  const refused = await one.house.invite(one.ann);
  expect([refused.code, refused.body.results[0].error]).toEqual([undefined, message('card_unscanned')]);
  await one.house.scan([one.cards[0].code]);
  expect((await one.house.invite(one.ann)).code).toBeDefined();
});

it('nor does somebody whose holder kept their card, and they wait for theirs', async () => {
  await using one = await openMeeting();
  const { id } = (await one.house.enterProxy(one.bob.id, one.ann.id)).body;
  expect((await one.at(one.ann, 'in')).cards).toEqual({ Members: 2 });
  await one.at(one.ann, 'out', { gave_back: true });
  await one.house.scan([one.cards[0].code]);
  expect((await one.house.removeProxy(id)).status).toBe(409);
  expect((await one.house.invite(one.bob)).code).toBeUndefined();
  expect(await one.at(one.bob, 'in')).toMatchObject({ cards: {}, waits: true });
  expect((await one.house.door({ person_id: one.bob.id, action: 'card' })).status).toBe(409);
  await one.house.scan([one.cards[1].code]);
  expect((await one.at(one.bob, 'card')).cards).toEqual({ Members: 1 });
});

it('a card that is scanned after an opening gives no other one while that question is open', async () => {
  await using one = await openMeeting();
  await one.at(one.ann, 'in');
  await one.at(one.ann, 'out', { gave_back: true });
  await one.open();
  expect(await one.votes(one.cards[0].code)).toBe(200);
  await one.house.scan([one.cards[0].code]);
  expect(await one.at(one.ann, 'in')).toMatchObject({ cards: {}, waits: true, waits_for: ['Lamps'] });
  await one.house.act(one.lamps.item, 'close');
  expect((await one.at(one.ann, 'card')).cards).toEqual({ Members: 1 });
});

it('a card that came back after a mistake and has voted keeps newcomers from links too', async () => {
  await using one = await openMeeting();
  await one.at(one.cid, 'in');
  await one.open();
  await one.at(one.ann, 'in');
  const undoes = one.press();
  expect(await one.votes(one.cards[0].code)).toBe(200);
  await one.at(one.ann, 'undo', { undoes, gave_back: true });
  await one.house.scan([one.cards[0].code]);
  const refused = await one.house.invite(one.bob);
  expect([refused.code, refused.body.results[0].error]).toEqual([
    undefined,
    message('card_undone', { title: 'Lamps' }),
  ]);
  await one.ask('Chairs');
  await one.house.act(one.lamps.item, 'close');
  expect((await one.house.invite(one.bob)).code).toBeDefined();
});

it('a link that is made or replaced later votes on the questions of its class alone', async () => {
  await using one = await openMeeting({ classes: ['Members', 'Board'] }, ['Members']);
  await one.at(one.ann, 'in');
  await one.open();
  // The second member is on the board.
  const { code = '' } = await one.house.invite(one.bob);
  expect(await one.votes(code)).not.toBe(200);
  const { code: other = '' } = await one.house.replaceLink(one.bob);
  expect(other).not.toBe(code);
  expect(await one.votes(other)).not.toBe(200);
  expect((await one.voters()).elsewhere).toBe(0);
});

it('a vote by a link makes its holder present on every open question', async () => {
  await using one = await openMeeting();
  const chairs = await one.ask('Chairs');
  await one.at(one.bob, 'in');
  const { code = '' } = await one.house.invite(one.ann);
  await one.open();
  await one.house.act(chairs.item, 'open');
  expect(await one.votes(code)).toBe(200);
  for (const item of [one.lamps.item, chairs.item])
    expect(await one.voters(item)).toMatchObject({ total: 2, here: 1, elsewhere: 1 });
});

it('a chair who is alone with members elsewhere says that nobody else is present', async () => {
  await using one = await openMeeting();
  const { code = '' } = await one.house.invite(one.ann);
  expect((await one.open()).body.needs).toBe('present');
  expect((await one.house.act(one.lamps.item, 'open', { present: 0 })).status).toBe(200);
  expect(await one.votes(code)).toBe(200);
  expect(await one.voters()).toMatchObject({ total: 1, here: 0, elsewhere: 1 });
});

it('more votes than the door has counted are named before an announcement, which waits for a note', async () => {
  await using one = await openMeeting();
  await one.at(one.ann, 'in');
  await one.open();
  for (const { code } of one.cards.slice(0, 2)) expect(await one.votes(code)).toBe(200);
  await one.house.act(one.lamps.item, 'close');
  const declared = await one.house.act(one.lamps.item, 'declare');
  expect([declared.status, declared.body.needs]).toEqual([409, ['votes']]);
  const noted = await one.house.act(one.lamps.item, 'declare', {
    note: 'Two cards were handed to one person',
  });
  expect(noted.status).toBe(200);
});

it('the giver of a proxy gets the card that came back while they waited, and the holder not again', async () => {
  await using one = await openMeeting();
  await one.house.enterProxy(one.bob.id, one.ann.id);
  expect((await one.at(one.ann, 'in')).cards).toEqual({ Members: 2 });
  expect(await one.at(one.bob, 'in')).toMatchObject({ cards: {}, holder: one.ann.name });
  await one.at(one.ann, 'out', { gave_back: true });
  // One of the two cards is kept: nobody gets another one.
  await one.house.scan([one.cards[0].code]);
  expect((await one.house.door({ person_id: one.bob.id, action: 'card' })).status).toBe(409);
  await one.house.scan([one.cards[1].code]);
  expect((await one.at(one.ann, 'in')).cards).toEqual({ Members: 1 });
  expect((await one.at(one.bob, 'card')).cards).toEqual({ Members: 1 });
  await one.at(one.ann, 'out');
  expect((await one.at(one.ann, 'in')).cards).toEqual({});
});

it('a stub gives no other card when none is left', async () => {
  await using one = await openMeeting();
  await one.at(one.ann, 'in');
  await one.house.scan(one.cards.slice(1).map(({ code }) => code));
  const refused = await one.house.replace(one.cards[0].stub);
  expect([refused.status, refused.body.error]).toEqual([409, message('no_card_left', { name: 'Members' })]);
  await one.house.openPack((await one.house.printPack('Members')).id);
  expect((await one.house.replace(one.cards[0].stub)).body.cards).toEqual({ Members: 1 });
});
