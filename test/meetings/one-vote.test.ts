import { describe, expect, it } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { send } from '#test/support/factories.ts';
import { expectBadField, expectRefusal, message } from '#test/support/messages.ts';
import { openRoom } from './a-meeting.ts';

const yes = { choice: 'yes' };
const no = { choice: 'no' };
const OF_PRESENT = { settings: { majority: { share: 'more_than_half', of: 'present' } } };

/** A room whose door hands out cards of opened packs, and that knows who has which. */
async function openDoor(fields: object = {}, people = ['Ann', 'Bob', 'Cid'], packs = 1) {
  const one = await openRoom(fields);
  const pile: string[] = [];
  const printed = (await one.service.post(`${one.base}/packs`, { class: 'Members', packs })).json().packs;
  for (const pack of printed) {
    await one.service.post(`${one.base}/packs/${pack.id}/open`);
    pile.push(...pack.cards.map(({ code }: { code: string }) => code));
  }
  const door = async (who: string, action: string, more: object = {}) => {
    const answer = await one.service.post(`${one.base}/door`, { person_id: one.ids[who], action, ...more });
    return { status: answer.statusCode, ...answer.json() };
  };
  const cards: Record<string, string> = {};
  for (const who of people) {
    expect((await door(who, 'in')).cards).toEqual({ Members: 1 });
    cards[who] = pile.shift()!;
  }
  const ask = async (title = 'Lamps', question: object = OF_PRESENT) =>
    (await one.add({ kind: 'motion', title, question })) as { id: string; election_id: string };
  return {
    ...one,
    pile,
    cards,
    door,
    ask,
    open: async (title?: string, question?: object) => {
      const item = await ask(title, question);
      expect((await one.act(item.id, 'open')).status).toBe(200);
      return item;
    },
    scan: (code: string) => one.service.post(`${one.base}/door/return`, { code }),
    close: async (item: { id: string }) => (await one.act(item.id, 'close')).body.item,
    waiting: async () => (await one.service.get(`${one.base}/door`)).json().waiting,
  };
}

describe('nobody gets a second vote while a question is open', () => {
  it('by stepping out and in: the card waits, with one tap after the close, also on what is open then', async () => {
    await using one = await openDoor();
    const item = await one.open();
    await one.vote(one.cards.Ann!, item.election_id, no);
    await one.vote(one.cards.Bob!, item.election_id, yes);
    await one.door('Bob', 'out', { gave_back: true });
    await one.scan(one.cards.Bob!);
    expect(await one.door('Bob', 'in')).toMatchObject({ cards: {}, waits: true, waits_for: ['Lamps'] });
    expect(await one.waiting()).toEqual([
      { person_id: one.ids.Bob, name: 'Bob', cards: { Members: 1 }, for: ['Lamps'], ready: false },
    ]);
    expect((await one.door('Bob', 'card')).status).toBe(409);
    const later = await one.open('Chairs');
    const closed = await one.close(item);
    expect(closed.voters).toMatchObject({ total: 3, here: 2, voted_and_gone: 1 });
    expect(closed.result.results).toMatchObject({ yes: 1, no: 1, base: 3, carried: false });
    expect(await one.waiting()).toMatchObject([{ name: 'Bob', ready: true }]);
    expect((await one.door('Bob', 'card')).cards).toEqual({ Members: 1 });
    expect(await one.vote(one.pile.shift()!, later.election_id, yes)).toBe(200);
    expect((await one.item(later.id)).voters).toMatchObject({ total: 3, here: 3 });
  });

  it('and whoever gave it back before the opening, or keeps it, votes at once', async () => {
    await using one = await openDoor();
    await one.door('Ann', 'out', { gave_back: true });
    await one.scan(one.cards.Ann!);
    const item = await one.open();
    expect((await one.door('Ann', 'in')).cards).toEqual({ Members: 1 });
    await one.door('Bob', 'out');
    expect(await one.door('Bob', 'in')).not.toHaveProperty('waits');
    expect((await one.door('Dee', 'in')).cards).toEqual({ Members: 1 });
    for (const code of [one.pile.shift()!, one.pile.shift()!, one.cards.Bob!])
      expect(await one.vote(code, item.election_id, yes)).toBe(200);
    expect((await one.close(item)).voters).toMatchObject({ total: 4, here: 4 });
  });

  it('by a wrong tap: the door says what became of the card', async () => {
    await using one = await openDoor();
    const item = await one.open();
    const question = item.election_id;
    await one.door('Dee', 'in');
    const card = one.pile.shift()!;
    // It was Eve: the card stays in her hand, and she gets no other one.
    expect((await one.door('Dee', 'undo', { for: one.ids.Eve })).status).toBe(200);
    expect((await one.door('Eve', 'in')).status).toBe(409);
    expect((await one.item(item.id)).voters.total).toBe(4);
    expect((await one.door('Dee', 'in')).cards).toEqual({ Members: 1 });
    expect(await one.vote(card, question, yes)).toBe(200);
    expect(await one.vote(one.pile.shift()!, question, yes)).toBe(200);
    // The card is back: what it has voted decides whether somebody can come for the first time.
    await one.door('Fay', 'in');
    const mistaken = one.pile.shift()!;
    expect(await one.vote(mistaken, question, yes)).toBe(200);
    expect((await one.door('Fay', 'undo', { gave_back: true })).takes).toEqual({ Members: 1 });
    expect(await one.door('Fay', 'in')).toMatchObject({ cards: {}, waits: true, waits_for: ['Lamps'] });
    await one.scan(mistaken);
    expect((await one.door('Fay', 'card')).status).toBe(409);
    const closed = await one.close(item);
    expect([closed.voters.total, closed.voters.voted_and_gone, closed.result.total_ballots]).toEqual([
      6, 1, 3,
    ]);
    expect((await one.door('Fay', 'card')).cards).toEqual({ Members: 1 });
  });

  it('by the stub of a lost card, or by a card of the heap that was taken back', async () => {
    await using one = await openDoor();
    const item = await one.open();
    await one.vote(one.cards.Ann!, item.election_id, yes);
    await one.door('Ann', 'out', { gave_back: true });
    await one.scan(one.cards.Ann!);
    // Bob says that he gave his card back, and hands in the dead one.
    await one.door('Bob', 'out', { gave_back: true });
    expect((await one.scan(one.cards.Ann!)).json()).toMatchObject({
      returned: 0,
      given_back: { Members: 2 },
      scanned: { Members: 1 },
    });
    const page = await one.service.get(`${one.base}/door`, { accept: 'text/html' });
    expect(page.body).toContain('2 cards of Members were given back, 1 was scanned: scan the other below.');
    // The card that he kept still counts, and he gets no other one.
    expect((await one.item(item.id)).voters).toMatchObject({
      total: 3,
      left_with_card: 1,
      voted_and_gone: 1,
    });
    await one.close(item);
    expect(await one.door('Bob', 'in')).toMatchObject({ cards: {}, waits_cards: 'unscanned' });
    expect((await one.door('Bob', 'card')).status).toBe(409);
    await one.scan(one.cards.Bob!);
    expect((await one.door('Bob', 'card')).cards).toEqual({ Members: 1 });
  });

  it('by a proxy and the giver who turns up', async () => {
    await using one = await openDoor({ proxies_per_person: 1, proxies_count: true, quorum: 3 }, ['Cid']);
    expect((await one.door('Ann', 'in', { proxies: [one.ids.Dee] })).cards).toEqual({ Members: 2 });
    const [own, proxy] = [one.pile.shift()!, one.pile.shift()!];
    const item = await one.open();
    for (const code of [own, proxy]) await one.vote(code, item.election_id, yes);
    expect(await one.door('Dee', 'in')).toMatchObject({ cards: {}, waits: true, holder: 'Ann', present: 3 });
    expect((await one.read()).meeting.quorum).toMatchObject({ needed: 3, met: true });
    await one.scan(proxy);
    const early = await one.door('Dee', 'card', { gave_back: true });
    expect([early.status, early.error]).toEqual([
      409,
      message('proxy_card_votes', { name: 'Dee', title: 'Lamps' }),
    ]);
    const closed = await one.close(item);
    expect(closed.voters).toMatchObject({ total: 3, here: 2, represented: 1 });
    expect(closed.result.results).toMatchObject({ yes: 2, base: 3, carried: true });
    expect((await one.door('Dee', 'card', { gave_back: true })).cards).toEqual({ Members: 1 });
  });
});

describe('the base of a vote', () => {
  it('has the votes of those who are represented', async () => {
    await using one = await openDoor({ proxies_per_person: 2 }, []);
    const { Bob, Cid, Dee, Eve } = one.ids;
    await one.door('Ann', 'in', { proxies: [Bob, Cid] });
    await one.door('Fay', 'in', { proxies: [Dee, Eve] });
    const item = await one.open();
    for (const [at, choice] of [yes, yes, no, no, no, no].entries())
      expect(await one.vote(one.pile[at]!, item.election_id, choice)).toBe(200);
    const closed = await one.close(item);
    expect(closed.result.results).toMatchObject({ base: 6, needed: 4, carried: false });
    expect(closed.voters).toMatchObject({ total: 6, here: 2, represented: 4 });
  });

  it('is never smaller than the votes, and both are said; the alarm comes as soon as there are more', async () => {
    await using one = await openDoor({}, ['Ann', 'Bob']);
    const item = await one.open();
    for (const code of [one.cards.Ann!, one.cards.Bob!, one.pile[0]!])
      await one.vote(code, item.election_id, yes);
    const chair = async () => (await one.service.get(`${one.base}/chair`, { accept: 'text/html' })).body;
    const wall = async () => (await one.service.get(`/m/${one.id}/wall`, { accept: 'text/html' })).body;
    expect((await one.item(item.id)).alarm).toEqual({ votes: 3, voters: 2 });
    expect(await chair()).toContain('More votes than the door has counted');
    expect(await wall()).toMatch(/<strong>3<\/strong> have voted/);
    const closed = await one.close(item);
    expect(closed.result.results).toMatchObject({ base: 3, yes: 3, carried: true });
    expect((await one.act(item.id, 'declare')).status).toBe(409);
    expect((await one.act(item.id, 'declare', { note: 'A spare card; all said yes.' })).status).toBe(200);
  });

  it('is counted by the chair where the door checks nobody in', async () => {
    await using one = await openDoor({}, []);
    const item = await one.ask();
    const early = await one.act(item.id, 'open');
    expect([early.status, early.body.needs]).toEqual([409, 'present']);
    await one.act(item.id, 'open', { present: 4 });
    for (const at of [0, 1]) await one.vote(one.pile[at]!, item.election_id, yes);
    const closed = await one.close(item);
    expect(closed.result.results).toMatchObject({ base: 4, needed: 3, carried: false });
    const hands = await one.ask('Chairs');
    expect((await one.act(hands.id, 'hands', { yes: 3, no: 1 })).body.needs).toBe('present');
    const counted = await one.act(hands.id, 'hands', { yes: 3, no: 1, present: 9 });
    expect(counted.body.item.result.results).toMatchObject({ base: 9, needed: 5, carried: false });
    await one.door('Ann', 'in');
    const third = await one.ask('Tables');
    expect((await one.act(third.id, 'open', { present: 4 })).status).toBe(409);
  });
});

it('an opening is taken back before anybody has voted or come, and the item can be opened again', async () => {
  await using one = await openDoor();
  const item = await one.open();
  expect((await one.act(item.id, 'take-back')).body.item).toMatchObject({
    state: 'prepared',
    opened_at: null,
  });
  expect(await one.vote(one.cards.Ann!, item.election_id, yes)).toBe(403);
  // What happened meanwhile is no reason to wait.
  await one.door('Ann', 'out', { gave_back: true });
  await one.scan(one.cards.Ann!);
  expect((await one.act(item.id, 'open')).status).toBe(200);
  expect((await one.door('Ann', 'in')).cards).toEqual({ Members: 1 });
  expect((await one.act(item.id, 'take-back')).status).toBe(409);
  expect(await one.vote(one.cards.Bob!, item.election_id, yes)).toBe(200);
  const other = await one.open('Chairs');
  await one.vote(one.cards.Bob!, other.election_id, yes);
  expect((await one.act(other.id, 'take-back')).status).toBe(409);
});

it('cards are renewed while no question is open: whoever is in waits for a new one', async () => {
  await using one = await openDoor();
  const item = await one.open();
  const renew = (confirm = true) => one.service.post(`${one.base}/packs/renew`, { confirm });
  expectRefusal(await renew(), 409, 'question_open', { title: 'Lamps' });
  await one.close(item);
  expectBadField(await renew(false), 'confirm', 'required');
  expect((await renew()).json()).toEqual({ ok: true, ended: 10 });
  expect((await one.read()).meeting).toMatchObject({ present: 3, without_card: 3 });
  const next = await one.open('Chairs');
  expect(await one.vote(one.cards.Ann!, next.election_id, yes)).toBe(401);
  expect((await one.door('Ann', 'card')).status).toBe(409);
  const { packs } = (await one.service.post(`${one.base}/packs`, { class: 'Members', packs: 1 })).json();
  await one.service.post(`${one.base}/packs/${packs[0].id}/open`);
  expect((await one.door('Ann', 'card')).cards).toEqual({ Members: 1 });
  expect(await one.vote(packs[0].cards[0].code, next.election_id, yes)).toBe(200);
});

it('a day ends with everybody gone, with the cards they have', async () => {
  await using one = await openDoor();
  const item = await one.open();
  const end = () => one.service.post(`${one.base}/door`, { action: 'all_out' });
  expectRefusal(await end(), 409, 'question_open', { title: 'Lamps' });
  await one.close(item);
  expect((await end()).json()).toMatchObject({ ok: true, present: 0 });
  expect(await one.door('Ann', 'in')).toMatchObject({ present: 1, cards: {} });
});

it('without a card in the pile whoever comes waits for one', async () => {
  await using one = await openDoor();
  await one.service.post(`${one.base}/packs/renew`, { confirm: true });
  expect(await one.door('Dee', 'in')).toMatchObject({ cards: {}, waits: true, waits_cards: 'none_left' });
  const page = await one.service.get(`${one.base}/door`, { accept: 'text/html' });
  expect(page.body).toContain('No pack of Members is open: cards do not work yet');
});

it('a press that a door sends late counts in what was open then, until it is announced', async () => {
  await using one = await openDoor();
  const [first, second] = [await one.open('Lamps'), await one.open('Chairs')];
  await one.close(first);
  await one.act(first.id, 'declare');
  await one.close(second);
  one.service.clock.now += 60 * SECOND;
  const third = await one.open('Tables');
  expect((await one.door('Dee', 'in', { ago: 90 })).cards).toEqual({ Members: 1 });
  const totals = (await one.read()).items.map(({ voters }: { voters: { total: number } }) => voters.total);
  expect(totals).toEqual([3, 4, 4]);
  expect((await one.item(second.id)).result.present).toBe(4);
  await one.door('Eve', 'in', { ago: 30 });
  expect((await one.item(second.id)).voters.total).toBe(4);
  expect((await one.item(third.id)).voters.total).toBe(5);
});

it('the rules of a vote stay while one is open', async () => {
  await using one = await openDoor({ quorum: 3 });
  const item = await one.open();
  const lower = () => send(one.service, 'PATCH', one.base, { quorum: 1 });
  expectRefusal(await lower(), 409, 'rules_while_open', { title: 'Lamps' });
  await one.close(item);
  expect((await lower()).statusCode).toBe(200);
  expect((await one.item(item.id)).quorum_needed).toBe(3);
});
