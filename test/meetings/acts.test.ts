import { describe, expect, it } from 'vitest';
import { HOUR, SECOND } from '#kernel/clock.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { closeTimers } from '#meetings/room/timers.ts';
import { send } from '#test/support/factories.ts';
import { expectBadField, expectForbidden, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';
import { hold, openRoom } from './a-meeting.ts';

const asPage = { accept: 'text/html' };
const yes = { choice: 'yes' };
const no = { choice: 'no' };
const abstain = { choice: 'abstain' };

describe('an item', () => {
  it('is opened, closed and announced, each once, and nobody sees figures before', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const motion = await one.add({ kind: 'motion', title: 'New lamps' });
    const early = await one.act(motion.id, 'close');
    expect([early.status, early.body.error]).toEqual([409, message('item_state', { state: 'prepared' })]);
    const opened = await Promise.all([one.act(motion.id, 'open'), one.act(motion.id, 'open')]);
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    expect(opened[0].body.item).toMatchObject({
      state: 'open',
      voters: { total: 3, here: 3 },
      quorate: true,
      closes_at: null,
    });
    expect((await one.read()).meeting.state).toBe('running');
    for (const [at, answer] of [yes, yes, no].entries())
      expect(await one.vote(one.codes[at]!, motion.election_id, answer)).toBe(200);
    expect((await one.item(motion.id)).result).toBeUndefined();
    const hidden = await one.service.get(`/admin/elections/${motion.election_id}/results-preview`);
    expect(hidden.statusCode).toBe(403);
    const closed = (await one.act(motion.id, 'close')).body.item;
    expect(closed).toMatchObject({
      state: 'closed',
      result: { total_ballots: 3, results: { yes: 2, no: 1, carried: true, valid: true } },
    });
    const reader = await signedIn(one.service, 'auditor');
    const seen = (await one.service.get(one.base, reader)).json();
    expect(seen.items).toHaveLength(1);
    expect(seen.items[0]).not.toHaveProperty('result');
    expect((await one.service.get(`/e/${motion.election_id}/results`)).statusCode).toBe(403);
    expect((await one.act(motion.id, 'open')).body.error).toBe(message('item_state', { state: 'closed' }));
    expect((await one.act(motion.id, 'declare')).body.item.state).toBe('declared');
    expect((await one.act(motion.id, 'declare')).status).toBe(200);
    expect((await one.service.get(one.base, reader)).json().items[0].result.results.yes).toBe(2);
    expect((await one.service.get(`/e/${motion.election_id}/results`)).json().results.yes).toBe(2);
    expect((await one.act(motion.id, 'close')).body.error).toBe(message('item_state', { state: 'declared' }));
    expect(verifyAudit(one.service.ctx.db).broken).toBeUndefined();
  });

  it('is led by the chair alone: the acts of other elections are refused', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann']);
    const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(id, 'open');
    const at = `/admin/elections/${election_id}`;
    const dates = { open_at: '2026-11-21T00:00:00Z', close_at: '2027-11-21T00:00:00Z' };
    for (const refused of [
      await one.service.post(`${at}/close`),
      await one.service.post(`${at}/announce`),
      await one.service.post(`${at}/void`, { reason: 'x', repeat: false }),
      await send(one.service, 'PATCH', `${at}/dates`, dates),
    ])
      expect([refused.statusCode, refused.json().error]).toEqual([409, message('led_by_chair')]);
  });

  it('is closed by its timer, which can be put off once at a time and survives whatever notices it', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann']);
    const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
    for (const seconds of [29, 3_601, 'soon'])
      expect((await one.act(id, 'open', { seconds })).status).toBe(400);
    const { clock, ctx } = one.service;
    const from = clock.now;
    const iso = (at: number) => new Date(at).toISOString();
    expect((await one.act(id, 'open', { seconds: 60 })).body.item.closes_at).toBe(iso(from + 60 * SECOND));
    await Promise.all([one.act(id, 'extend', { seconds: 60 }), one.act(id, 'extend', { seconds: 60 })]);
    expect((await one.item(id)).closes_at).toBe(iso(from + 120 * SECOND));
    clock.now += 119 * SECOND;
    expect(await one.vote(one.codes[0]!, election_id, yes)).toBe(200);
    clock.now += 2 * SECOND;
    expect(await one.vote(one.codes[1]!, election_id, yes)).toBe(403);
    await closeTimers(ctx);
    expect(await one.item(id)).toMatchObject({
      state: 'closed',
      closed_at: iso(from + 120 * SECOND),
      result: { total_ballots: 1 },
    });
    expect((await one.act(id, 'extend')).body.error).toBe(message('item_state', { state: 'closed' }));
    const other = await one.add({ kind: 'motion', title: 'New chairs' });
    await one.act(other.id, 'open');
    const soon = (await one.act(other.id, 'close', { seconds: 30 })).body.item;
    expect(soon).toMatchObject({ state: 'open', closes_at: iso(clock.now + 30 * SECOND) });
    clock.now += 31 * SECOND;
    expect((await one.act(other.id, 'close')).body.item.state).toBe('closed');
  });

  it('of a motion on the spot can wait: it is shown first, with its mover, and opened later', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const put = async (more: object) =>
      (
        await one.service.post(`${one.base}/motion`, { title: 'Open on Mondays', mover: 'Eve', ...more })
      ).json().item;

    const shown = await put({ open: false });
    expect(shown).toMatchObject({ state: 'prepared', mover: 'Eve' });
    expect((await put({ open: 'false' })).id).toBe(shown.id);
    const wall = async () => (await one.service.get(`/m/${one.id}/wall`, { accept: 'text/html' })).body;
    expect(await wall()).toContain('Open on Mondays');
    const other = await one.add({ kind: 'text', title: 'Any other business' });
    expect((await one.act(other.id, 'show')).status).toBe(200);
    expect(await wall()).not.toContain('Open on Mondays');
    expect((await one.act(shown.id, 'show')).status).toBe(200);
    expect(await put({})).toMatchObject({ id: shown.id, state: 'open' });
    expect((await one.read()).items).toHaveLength(2);
  });

  it('asks for permissions: whoever runs opens, whoever certifies closes and announces', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann']);
    const { id } = await one.add({ kind: 'motion', title: 'New lamps' });
    const reader = await signedIn(one.service, 'auditor');
    for (const name of ['open', 'extend', 'call', 'close', 'declare', 'void', 'hands', 'unopposed'])
      expect((await one.act(id, name, {}, reader)).status).toBe(403);
    expectForbidden(await one.service.post(`${one.base}/motion`, { title: 'X' }, reader), 'elections:run');
  });

  it('needs a question with candidates to be opened', async () => {
    await using one = await openRoom();
    const text = await one.add({ kind: 'text', title: 'Report' });
    expect((await one.act(text.id, 'open')).body.error).toBe(message('item_without_question'));
    expect((await one.act(text.id, 'call')).status).toBe(200);
    const board = await one.add({ kind: 'election', title: 'Board', question: { ballot_type: 'POLL' } });
    expect((await one.act(board.id, 'open')).body.error).toBe(message('too_few_candidates', { min: 2 }));
    expect((await one.act('nothing', 'open')).status).toBe(404);
  });
});

it.each([
  ['waits for its lot', {}, 409],
  ['waits for no lot without its quorum', { quorum: 5 }, 200],
])('an election that is tied %s before it is declared', async (_, quorum, status) => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const settings = { seats: 1, lot: 'drawn', ...quorum };
  const question = { ballot_type: 'RANKED_STV', candidates: ['Ivy', 'Lee', 'Hugh'], settings };
  const item = await one.add({ kind: 'election', title: 'Chair', question });
  const { candidates } = (await one.service.get(`/e/${item.election_id}`)).json().election;
  const ballots = candidates.slice(0, 2).map(({ id }: { id: string }) => ({ ranking: [id] }));
  await hold(one, item, ballots);

  const declared = await one.act(item.id, 'declare');
  expect(declared.status).toBe(status);
  if (status === 200) expect(declared.body.item).not.toHaveProperty('elected');
});

describe('the base of a vote', () => {
  const present = { share: 'more_than_half', of: 'present' };
  const question = { settings: { majority: present } };

  it('of those present has whoever is there at the opening or comes while it is open', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const item = await one.add({ kind: 'motion', title: 'Rules', question });
    await one.act(item.id, 'open');
    await one.service.post(`${one.base}/door`, { person_id: one.ids.Dee, action: 'in' });
    // Whoever leaves counts with the card.
    await one.service.post(`${one.base}/door`, { person_id: one.ids.Ann, action: 'out' });
    expect((await one.item(item.id)).voters).toMatchObject({ total: 4, here: 3, left_with_card: 1 });
    for (const at of [0, 1]) await one.vote(one.codes[at]!, item.election_id, yes);
    const closed = (await one.act(item.id, 'close')).body.item;
    expect(closed.result.results).toMatchObject({ base: 4, needed: 3, carried: false, outcome: 'failed' });
    expect(closed.result).toMatchObject({ present: 4, electors: 4 });
    await one.service.post(`${one.base}/door`, { person_id: one.ids.Eve, action: 'in' });
    expect((await one.item(item.id)).voters.total).toBe(4);
    // A scan alone changes no count of people.
    await one.service.post(`${one.base}/door/return`, { code: one.codes[3] });
    const next = await one.add({ kind: 'motion', title: 'Rules again', question });
    expect((await one.act(next.id, 'open')).body.item.voters.total).toBe(5);
  });

  it('has whoever left with the card, and whoever voted and gave it back, in either order with the scan', async () => {
    await using one = await openRoom({ classes: ['Members', 'Board'] });
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const [board = ''] = await one.arrive(['Dee'], 'Board');
    const back = (code: string | undefined) => one.service.post(`${one.base}/door/return`, { code });
    const door = (name: string, action: string, more: object = {}) =>
      one.service.post(`${one.base}/door`, { person_id: one.ids[name], action, ...more });
    const item = await one.add({ kind: 'motion', title: 'Rules', question });
    await one.act(item.id, 'open');
    const voters = async () => (await one.item(item.id)).voters;
    for (const code of [one.codes[0]!, one.codes[1]!, board]) await one.vote(code, item.election_id, yes);
    expect(await voters()).toMatchObject({ total: 4, here: 4 });
    await door('Ann', 'out', { gave_back: true });
    // Until it is scanned it can vote.
    expect(await voters()).toMatchObject({ total: 4, here: 3, left_with_card: 1, voted_and_gone: 0 });
    await back(one.codes[0]);
    expect(await voters()).toMatchObject({ total: 4, here: 3, left_with_card: 0, voted_and_gone: 1 });
    await back(one.codes[1]);
    expect((await voters()).total).toBe(4);
    await door('Bob', 'out', { gave_back: true });
    expect(await voters()).toMatchObject({ total: 4, here: 2, voted_and_gone: 2 });
    // Cid gives back a card that has not voted: there is one vote less.
    await door('Cid', 'out', { gave_back: true });
    await back(one.codes[2]);
    expect(await voters()).toMatchObject({ total: 3, here: 1, voted_and_gone: 2 });
    const closed = (await one.act(item.id, 'close')).body.item;
    expect(closed.result.results).toMatchObject({ base: 3, needed: 2, carried: true });
    expect(closed).not.toHaveProperty('alarm');
  });

  it('of the electors has the cards that were handed out, never those of the pile', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const electors = { settings: { majority: { share: 'two_thirds', of: 'electors' } } };
    const item = await one.add({ kind: 'motion', title: 'Rules', question: electors });
    const closed = await hold(one, item, [yes, yes]);
    expect(closed.result.results).toMatchObject({ base: 3, needed: 2, carried: true });
  });

  it('has only the classes that vote on the item', async () => {
    await using one = await openRoom({ classes: ['Members', 'Board'] });
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const [board] = await one.arrive(['Dee'], 'Board');
    const item = await one.add({ kind: 'motion', title: 'Discharge', classes: ['Members'], question });
    const open = (await one.act(item.id, 'open')).body.item;
    expect(open.voters.total).toBe(3);
    expect(await one.vote(board!, item.election_id, yes)).not.toBe(200);
    for (const at of [0, 1]) await one.vote(one.codes[at]!, item.election_id, yes);
    expect((await one.act(item.id, 'close')).body.item.result.results).toMatchObject({
      base: 3,
      carried: true,
    });
  });

  it('lacks the quorum of the meeting: the vote is not valid, unless enough people come while it is open', async () => {
    await using one = await openRoom({ quorum: 3 });
    await one.arrive(['Ann', 'Bob']);
    const first = await one.add({ kind: 'motion', title: 'One' });
    const closed = await hold(one, first, [yes, yes]);
    expect(closed).toMatchObject({ quorate: false });
    expect(closed.result.results).toMatchObject({ valid: false, carried: false, outcome: 'passed' });
    await one.act(first.id, 'declare');
    const page = await one.service.get(`/e/${first.election_id}`, { accept: 'text/html' });
    expect(page.body).toContain('the meeting had no quorum');
    const second = await one.add({ kind: 'motion', title: 'Two' });
    await one.act(second.id, 'open');
    await one.service.post(`${one.base}/door`, { person_id: one.ids.Cid, action: 'in' });
    await one.vote(one.codes[0]!, second.election_id, yes);
    const valid = (await one.act(second.id, 'close')).body.item;
    expect(valid.result.results).toMatchObject({ valid: true, carried: true });
    const hands = await one.add({ kind: 'motion', title: 'Three' });
    await one.service.post(`${one.base}/door`, { person_id: one.ids.Cid, action: 'out' });
    const counted = (await one.act(hands.id, 'hands', { yes: 2, no: 0 })).body.item;
    expect(counted.result.results).toMatchObject({ valid: false, carried: false });
  });
});

describe('more ballots than cards', () => {
  it('stop declaring until it is noted why they change nothing', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob']);
    const item = await one.add({ kind: 'motion', title: 'New lamps' });
    const closed = await hold(one, item, [yes, yes, yes]);
    expect(closed.alarm).toEqual({ votes: 3, voters: 2 });
    const refused = await one.act(item.id, 'declare');
    expect([refused.status, refused.body.error]).toEqual([
      409,
      message('more_ballots_than_cards', { ballots: 3, voters: 2 }),
    ]);
    expect((await one.act(item.id, 'declare', { note: 'Nobody was against.' })).body.item).toMatchObject({
      state: 'declared',
      note: 'Nobody was against.',
    });
  });
});

describe('a vote that is made void', () => {
  it('while it is open by one person, after the close by two, and never by a key', async () => {
    await using one = await openRoom({}, undefined, { ADMIN_API_KEY: 'the key of a script' });
    await one.arrive(['Ann', 'Bob']);
    const open = await one.add({ kind: 'motion', title: 'One' });
    await one.act(open.id, 'open');
    expect((await one.act(open.id, 'void', {})).status).toBe(400);
    const key = { authorization: 'the key of a script' };
    const stopped = await one.act(open.id, 'void', { reason: 'Wrong wording' }, key);
    expect([stopped.status, stopped.body.needs]).toEqual([403, 'person']);
    const gone = (await one.act(open.id, 'void', { reason: 'Wrong wording' })).body;
    expect(gone).toEqual({
      item: expect.objectContaining({
        state: 'void',
        void: { reason: 'Wrong wording', at: expect.any(String) },
      }),
    });
    expect((await one.act(open.id, 'void', { reason: 'Again' })).body.item.void.reason).toBe('Wrong wording');
    expect(await one.vote(one.codes[0]!, open.election_id, yes)).not.toBe(200);

    const item = await one.add({ kind: 'motion', title: 'Two' });
    await hold(one, item, [yes, no]);
    const cat = await appoint(one.service, 'cat@club.example', 'officer');
    const dan = await appoint(one.service, 'dan@club.example', 'officer');
    const ask = async (who: Record<string, string>) =>
      (await one.act(item.id, 'void', { reason: 'Two cards were lost' }, who)).body;
    expect(await ask(cat)).toMatchObject({ waiting: true, item: { state: 'closed' } });
    expect(await ask(cat)).toMatchObject({ waiting: true, item: { state: 'closed' } });
    const byKey = await one.act(item.id, 'void', { reason: 'x' }, { authorization: 'the key of a script' });
    expect([byKey.status, byKey.body.needs]).toEqual([403, 'person']);
    expect(await ask(dan)).toMatchObject({
      item: { state: 'void', void: { by: 'two officers' } },
    });
    const published = (await one.service.get(`/e/${item.election_id}/results`)).json();
    expect(published).toMatchObject({ void: { reason: 'Two cards were lost' }, results: { yes: 1, no: 1 } });
    const repeat = await one.service.post(`/admin/elections/${item.election_id}/follow-up`, {
      kind: 'repeat',
    });
    const { items } = await one.read();
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['void', 'void', 'prepared']);
    expect(items[2]).toMatchObject({ id: repeat.json().item, election_id: repeat.json().id, kind: 'motion' });
    await hold(one, items[2], [abstain, yes]);
  });
});

describe('what is counted without ballots', () => {
  it('is decided by the majority of the item, and its numbers change only as a correction', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay']);
    const question = { settings: { majority: { share: 'two_thirds', of: 'yes_no' } } };
    const { id, election_id } = await one.add({ kind: 'motion', title: 'Rules', question });
    const numbers = { yes: 3, no: 2, abstain: 1 };
    const counted = await Promise.all([one.act(id, 'hands', numbers), one.act(id, 'hands', numbers)]);
    expect(counted.map(({ status }) => status)).toEqual([200, 200]);
    expect(counted[0].body.item).toMatchObject({
      state: 'closed',
      way: 'hands',
      result: { results_mode: 'hands', results: { yes: 3, no: 2, abstain: 1, needed: 4, carried: false } },
    });
    const other = await one.act(id, 'hands', { yes: 4, no: 1, abstain: 1 });
    expect([other.status, other.body.error]).toEqual([
      409,
      message('hands_other_numbers', { state: 'closed' }),
    ]);
    const corrected = await one.act(id, 'hands', { yes: 4, no: 1, abstain: 1, correction: true });
    expect(corrected.body.item.result).toMatchObject({ carried: true, results: { base: 5, carried: true } });
    expect((await one.act(id, 'open')).body.error).toBe(message('counted_by_hand', { state: 'closed' }));
    expect(await one.vote(one.codes[0]!, election_id, yes)).not.toBe(200);
    expect((await one.act(id, 'declare')).body.item.state).toBe('declared');
    expect((await one.act(id, 'hands', numbers)).body.error).toBe(
      message('item_state', { state: 'declared' }),
    );
    const many = await one.add({ kind: 'motion', title: 'Too many' });
    await one.act(many.id, 'hands', { yes: 7, no: 0 });
    expect((await one.act(many.id, 'declare')).status).toBe(409);
    for (const wrong of [{ yes: -1, no: 0 }, { yes: 1 }, {}])
      expect((await one.act(many.id, 'hands', wrong)).status).toBe(400);
  });

  it('is entered with the fields that apply, and a refused form keeps what was typed', async () => {
    await using one = await openRoom();
    const { id } = await one.add({ kind: 'motion', title: 'Hands' });
    await one.act(id, 'call');
    const url = `${one.base}/items/${id}/hands`;
    const refused = await one.service.submit(url, { yes: '31', no: 'four', abstain: '' });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toMatch(/name="yes"[^>]*value="31"/);
    expect(refused.body).toMatch(/<details[^>]* open[^>]*>\s*<summary>Show of hands, or nobody against/);
    expect((await one.service.submit(url, { yes: '31', no: '4', abstain: '' })).statusCode).toBe(303);
    const { result } = (await one.act(id, 'declare')).body.item;
    expect(result.results).toMatchObject({ yes: 31, no: 4, abstain: 0 });
  });

  it('can be that nobody is against it, or that as many stand as there are seats', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob']);
    const thanks = await one.add({ kind: 'motion', title: 'Thanks' });
    for (let times = 0; times < 2; times++)
      expect((await one.act(thanks.id, 'unopposed')).body.item).toMatchObject({
        state: 'closed',
        way: 'unopposed',
        result: { carried: true },
      });
    const question = { settings: { majority: { share: 'two_thirds', of: 'yes_no' } } };
    const rules = await one.add({ kind: 'motion', title: 'Rules', question });
    expect((await one.act(rules.id, 'unopposed')).body.error).toBe(
      message('unopposed_needs_numbers', { share: 'two thirds of yes and no' }),
    );
    const poll = { ballot_type: 'POLL', options: ['Ivy', 'Hugh'], settings: { seats: 2 } };
    const board = await one.add({ kind: 'election', title: 'Board', question: poll });
    expect((await one.act(board.id, 'hands', { yes: 1, no: 0 })).status).toBe(409);
    const closed = (await one.act(board.id, 'unopposed')).body.item;
    const [ivy, hugh] = closed.elected;
    expect([ivy.name, hugh.name, ivy.accepts]).toEqual(['Ivy', 'Hugh', null]);
    const accepts = { [ivy.id]: true };
    expect((await one.act(board.id, 'declare', { accepts: { nobody: true } })).status).toBe(400);
    await one.act(board.id, 'declare', { accepts });
    await one.act(board.id, 'declare', { accepts: { [ivy.id]: false, [hugh.id]: false } });
    expect((await one.item(board.id)).elected).toMatchObject([{ accepts: true }, { accepts: false }]);
    const chair = {
      ballot_type: 'POLL',
      options: ['Ivy', 'Hugh'],
      settings: { threshold: { share: 'more_than_half' } },
    };
    const two = await one.add({ kind: 'election', title: 'Chair', question: chair });
    expect((await one.act(two.id, 'unopposed')).body.error).toBe(
      message('more_than_seats', { candidates: 2, seats: 1 }),
    );
  });
});

describe('a motion on the spot', () => {
  it('is made and opened with one request behind what is discussed, once', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann']);
    const first = await one.add({ kind: 'text', title: 'Report' });
    await one.add({ kind: 'text', title: 'Any other business' });
    await one.act(first.id, 'call');
    const motion = { title: 'Extend the meeting', text: 'By an hour', seconds: 60 };
    const send = () => one.service.post(`${one.base}/motion`, motion);
    const made = await Promise.all([send(), send()]);
    const ids = made.map((answer) => answer.json().item.id);
    expect(new Set(ids).size).toBe(1);
    expect(made[0]!.json().item).toMatchObject({ state: 'open', voters: { total: 1 }, kind: 'motion' });
    const { items } = await one.read();
    expect(items.map(({ title }: { title: string }) => title)).toEqual([
      'Report',
      'Extend the meeting',
      'Any other business',
    ]);
    one.service.clock.now += HOUR;
    const share = { title: 'Rules', majority: { share: 'three_quarters', of: 'present' } };
    const opened = (await one.service.post(`${one.base}/motion`, share)).json().item;
    await one.vote(one.codes[0]!, opened.election_id, yes);
    expect((await one.act(opened.id, 'close')).body.item.result.results).toMatchObject({
      majority: share.majority,
      carried: true,
    });
    expectBadField(await one.service.post(`${one.base}/motion`, { text: 'x' }), 'title', 'required');
  });

  it('a closed meeting says who has not accepted an election, until the answer is there', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob']);
    const poll = { ballot_type: 'POLL', options: ['Ivy', 'Hugh'], settings: { seats: 2 } };
    const board = await one.add({ kind: 'election', title: 'Board', question: poll });
    const [ivy, hugh] = (await one.act(board.id, 'unopposed')).body.item.elected;
    await one.act(board.id, 'declare', { accepts: { [ivy.id]: true } });
    const awaited = 'Hugh is elected and has not said yet whether they accept.';
    const warned = () =>
      Promise.all(
        [one.base, `${one.base}/chair`].map(async (page) =>
          (await one.service.get(page, asPage)).body.includes(awaited),
        ),
      );
    expect(await warned()).toEqual([false, false]);
    await send(one.service, 'PATCH', one.base, { state: 'closed' });
    expect(await warned()).toEqual([true, true]);
    expect((await one.service.get(one.base, asPage)).body).toContain(
      `<a href="${one.base}/minutes#answers">Record the answers</a>`,
    );
    await one.act(board.id, 'declare', { accepts: { [hugh.id]: false } });
    expect(await warned()).toEqual([false, false]);
  });
});
