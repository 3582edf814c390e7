import { describe, expect, it } from 'vitest';
import { verifyAudit } from '#kernel/db/audit.ts';
import { send } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { signedIn } from '#test/support/people/people.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { getElection } from '#voting/elections/elections.ts';
import { openRoom } from './a-meeting.ts';
import { type Item, type Who, withTellers } from './tellers.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;

const yes = { choice: 'yes' };
const no = { choice: 'no' };

/** A motion that is open, with cards. */
async function openMotion(one: Room, more: object = {}): Promise<Item> {
  const item = await one.add({ kind: 'motion', title: 'New lamps', ...more });
  expect((await one.act(item.id, 'open')).status).toBe(200);
  return item;
}

describe('a paper that is handed out', () => {
  it('ends the card for this question alone, which keeps counting in its base', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const present = { settings: { majority: { share: 'more_than_half', of: 'present' } } };
    const item = await one.add({ kind: 'motion', title: 'New lamps', question: present });
    const other = await one.add({ kind: 'motion', title: 'New chairs' });
    const early = await one.act(item.id, 'paper', { code: one.codes[0] });
    expect([early.status, early.body.error]).toEqual([409, message('item_state', { state: 'prepared' })]);
    for (const { id } of [item, other]) await one.act(id, 'open');
    expect((await one.act(item.id, 'paper', { code: one.codes[0] })).body).toEqual({
      ok: true,
      handed_out: 1,
    });
    const again = await one.act(item.id, 'paper', { code: one.codes[0] });
    expect([again.status, again.body.error]).toEqual([
      409,
      message('card_has_paper', { title: 'New lamps' }),
    ]);
    expect(await one.vote(one.codes[0]!, item.election_id, yes)).toBe(403);
    expect(await one.vote(one.codes[0]!, other.election_id, yes)).toBe(200);
    expect(await one.vote(one.codes[1]!, item.election_id, yes)).toBe(200);
    const voted = await one.act(item.id, 'paper', { code: one.codes[1] });
    expect([voted.status, voted.body.error]).toEqual([409, message('card_voted', { title: 'New lamps' })]);
    expect((await one.act(item.id, 'paper', { code: 'nothing' })).status).toBe(404);
    const { code } = (await one.service.get(`/m/${one.id}?t=${one.codes[0]}`)).json();
    expect(code.questions).toContainEqual({ id: item.election_id, state: 'open', used: true, paper: true });
    const followed = await one.service.get(`/m/${one.id}`, {
      accept: 'text/html',
      cookie: `house_card=${one.codes[0]}`,
    });
    expect(followed.body).toContain('you have a paper ballot');
    // A card that comes back ends elsewhere; its paper stays.
    await one.service.post(`${one.base}/door/return`, { code: one.codes[0] });
    await one.act(item.id, 'close');
    await (await withTellers(one)).box(item, 0);
    const closed = await one.item(item.id);
    expect(closed.result.results).toMatchObject({ base: 3, needed: 2, carried: false });
    // Of those who could vote: the other cards of the pack are nobody's.
    expect(closed.result.turnout).toEqual({ issued: 3, used: 1, of: 'voters' });
    expect(closed.paper).toMatchObject({ handed_out: 1, printed: null });
    const late = await one.act(item.id, 'paper', { code: one.codes[2] });
    expect([late.status, late.body.error]).toEqual([409, message('item_state', { state: 'closed' })]);
  });

  it('is for a card whose class votes on the item', async () => {
    await using one = await openRoom({ classes: ['Members', 'Board'] });
    await one.arrive(['Ann']);
    const [board] = await one.arrive(['Dee'], 'Board');
    const item = await openMotion(one, { classes: ['Members'] });
    const refused = await one.act(item.id, 'paper', { code: board });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      message('card_of_other_class', { title: 'New lamps' }),
    ]);
    const reader = await signedIn(one.service, 'auditor');
    expect((await one.act(item.id, 'paper', { code: one.codes[0] }, reader)).status).toBe(403);
  });
});

const TYPES = [
  ['SIMPLE_TRIPLE', { allow_blank: true }, () => ({ choice: 'no' }), { no: 2 }],
  ['POLL', { seats: 2 }, ([a, b]: string[]) => ({ selected_options: [a, b] }), { total: 3 }],
  ['RANKED_CONDORCET', {}, ([a, b, c]: string[]) => ({ ranking: [c, a, b] }), {}],
  ['RANKED_STV', { seats: 2 }, ([, b]: string[]) => ({ ranking: [b] }), { quota: 1 }],
  ['YES_NO_EACH', {}, ([a]: string[]) => ({ answers: { [a!]: 'yes' } }), {}],
] as const;

describe.each(TYPES)('papers of %s', (ballot_type, settings, fill) => {
  it('are counted with the rest: one valid, one blank, one invalid', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid', 'Dee']);
    const names = ['Ivy', 'Lee', 'Hugh'];
    const poll = ballot_type === 'POLL' ? { poll_response_type: 'multiple' } : {};
    const listed =
      ballot_type === 'SIMPLE_TRIPLE'
        ? {}
        : ballot_type.startsWith('RANKED')
          ? { candidates: names }
          : { options: names };
    const question = { ballot_type, ...listed, settings: { ...settings, ...poll, receipts: 'content' } };
    const item = await one.add({ kind: 'election', title: 'Board', question });
    await one.act(item.id, 'open');
    const { election } = (await one.service.get(`/e/${item.election_id}`)).json();
    const ids = (election.candidates ?? election.options ?? []).map(({ id }: { id: string }) => id);
    const ballot = fill(ids as never);
    expect(await one.vote(one.codes[3]!, item.election_id, ballot)).toBe(200);
    for (const code of one.codes.slice(0, 3))
      expect((await one.act(item.id, 'paper', { code })).status).toBe(200);
    await one.act(item.id, 'close');
    const paper = await withTellers(one);
    const id = await paper.count(item, { valid: 1, blank: 1, invalid: 1 }, [
      { number: 1, ...ballot },
      { number: 2, blank: true },
      { number: 3, invalid: true },
    ]);
    const { papers } = await paper.read(item, id);
    expect(papers.map(({ ballot: shown }: { ballot: unknown }) => shown).slice(1)).toEqual([
      'blank',
      'invalid',
    ]);
    await paper.call('PUT', `${item.id}/sheet`, { printed: 20, returned: 0, in_box: 3 });
    expect((await paper.sheet(item)).sheet).toEqual({
      printed: 20,
      handed_out: 3,
      returned: 0,
      in_box: 3,
      valid: 1,
      blank: 1,
      invalid: 1,
    });
    expect((await one.act(item.id, 'declare')).status).toBe(200);
    const result = (await one.service.get(`/e/${item.election_id}/results`)).json();
    expect(result).toMatchObject({
      total_ballots: 3,
      turnout: { used: 3 },
      channels: { online: 1, paper: 2 },
      invalid: 1,
      results: { blank: 1 },
      books: { ballots: 3, tokens_used: 1, paper: 2, vote_entries: 3, balanced: true },
      result_matches: true,
    });
    expect(result.inclusion_hashes).toHaveLength(3);
    const { ctx } = one.service;
    expect(await listDifferences(ctx, getElection(ctx.db, item.election_id))).toEqual([]);
    expect(verifyAudit(ctx.db).broken).toBeUndefined();
    const { papers: erased } = await paper.read(item, id);
    expect(erased).toEqual([]);
  });
});

/** Three papers were handed out, two members voted with cards, and voting is closed. */
async function closedMotion(one: Room) {
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee', 'Eve']);
  const item = await openMotion(one);
  for (const code of one.codes.slice(0, 3)) await one.act(item.id, 'paper', { code });
  for (const code of one.codes.slice(3, 5)) await one.vote(code, item.election_id, no);
  await one.act(item.id, 'close');
  return item;
}

const THREE = [
  { number: 7, ...yes },
  { number: 3, ...yes },
  { number: 5, ...no },
];

describe('a batch', () => {
  it('with a mistake waits until both tellers have looked at the paper again', async () => {
    await using one = await openRoom();
    const item = await closedMotion(one);
    const paper = await withTellers(one);
    const id = await paper.batch(item, { valid: 3 });
    const missing = await paper.join(item, id);
    expect([missing.status, missing.body.error]).toEqual([409, message('entry_missing', { teller: '1' })]);
    await paper.enter(item, id, 1, THREE);
    const half = await paper.read(item, id);
    expect(half).toMatchObject({ differences: [], totals: null, entries: { 1: { papers: null }, 2: null } });
    expect(JSON.stringify(half)).not.toContain('yes');
    await paper.enter(item, id, 2, [
      { number: 7, ...yes },
      { number: 3, ...no },
      { number: 6, ...no },
    ]);
    const { differences } = await paper.read(item, id);
    const shown = differences.map((one: Record<string, unknown>) => [one.number, one.teller_1, one.teller_2]);
    expect(shown).toEqual([
      [3, 'yes', 'no'],
      [5, 'no', null],
      [6, null, 'no'],
    ]);
    const refused = await paper.join(item, id);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      message('differences_open', { numbers: '3, 5, 6' }),
    ]);
    const gone = (number: number) => ({ number, remove: true });
    await paper.correct(item, id, [gone(6), { number: 3, ...yes }, { number: 5, ...no }], paper.tom);
    await paper.box(item, 3);
    expect(await paper.read(item, id)).toMatchObject({
      differences: [],
      settled: 3,
      totals: { valid: 3, blank: 0, invalid: 0, open: false },
    });
    const joined = await Promise.all([paper.join(item, id), paper.join(item, id)]);
    expect(joined.map(({ status }) => status)).toEqual([200, 200]);
    expect(joined[1]!.body.item.result).toMatchObject({ total_ballots: 5, results: { yes: 2, no: 3 } });
    const again = await paper.enter(item, id, 1, THREE);
    expect([again.status, again.body.error]).toEqual([409, message('batch_of_papers_joined')]);
  });

  it('is entered by two people, and fits its control totals', async () => {
    await using one = await openRoom();
    const item = await closedMotion(one);
    const paper = await withTellers(one);
    const id = await paper.batch(item, { valid: 2, blank: 1 });
    await paper.enter(item, id, 1, THREE, paper.tess);
    const alone = await paper.enter(item, id, 2, THREE, paper.tess);
    expect([alone.status, alone.body.error]).toEqual([409, message('entries_of_one_person')]);
    await paper.enter(item, id, 2, THREE);
    const other = await paper.join(item, id);
    expect([other.status, other.body.error]).toEqual([
      409,
      message('totals_open', {
        entered: '3 valid, 0 blank, 0 invalid',
        control: '2 valid, 1 blank, 0 invalid',
      }),
    ]);
    expect((await paper.read(item, id)).totals).toMatchObject({ valid: 3, open: true });
    const control = { valid: 3, blank: 0, invalid: 0 };
    const change = (who: Who) => paper.call('PATCH', `${item.id}/batches/${id}`, { control }, who);
    expect((await change(paper.tess)).body).toMatchObject({ waiting: true, control: { blank: 1 } });
    expect((await change(paper.tess)).status).toBe(202);
    expect((await change(paper.tom)).body).toMatchObject({ control, control_asked: null });
    expect((await paper.join(item, id)).status).toBe(200);
  });

  it.each([
    [[{ number: 1, choice: 'perhaps' }], 'papers.0.choice'],
    [
      [
        { number: 1, ...yes },
        { number: 1, ...no },
      ],
      'papers.1.number',
    ],
    [[{ number: 1, invalid: true, ...yes }], 'papers.0.invalid'],
    [[{ number: 1, blank: true, ...yes }], 'papers.0.blank'],
    [[{ ...yes }], 'papers.0.number'],
    [[{ number: '07', ...yes }], 'papers.0.number'],
    [[{ number: 7.5, ...yes }], 'papers.0.number'],
  ])('refuses %j and names the field', async (papers, path) => {
    await using one = await openRoom();
    const item = await closedMotion(one);
    const paper = await withTellers(one);
    const id = await paper.batch(item, { valid: 1 });
    const refused = await paper.enter(item, id, 1, papers);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, path]);
  });

  it('is counted in the states of its item alone, by who certifies', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann']);
    const paper = await withTellers(one);
    const item = await one.add({ kind: 'motion', title: 'New lamps' });
    const make = (id: string, payload: object = { control: { valid: 1 } }) =>
      paper.call('POST', `${id}/batches`, payload);
    const states = [(await make(item.id)).body.error];
    await one.act(item.id, 'open');
    states.push((await make(item.id)).body.error);
    await one.act(item.id, 'void', { reason: 'No heating' });
    states.push((await make(item.id)).body.error);
    const hands = await one.add({ kind: 'motion', title: 'By hand' });
    await one.act(hands.id, 'hands', { yes: 1, no: 0 });
    states.push((await make(hands.id)).body.error);
    expect(states).toEqual([
      message('item_state', { state: 'prepared' }),
      message('item_state', { state: 'open' }),
      message('item_state', { state: 'void' }),
      message('counted_by_hand', { state: 'closed' }),
    ]);
    expect((await make(hands.id, { control: { valid: 0 } })).status).toBe(400);
    const reader = await signedIn(one.service, 'auditor');
    expect((await paper.call('POST', `${item.id}/batches`, { control: { valid: 1 } }, reader)).status).toBe(
      403,
    );
  });

  it('of papers with several questions is split by question', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const motion = await one.add({ kind: 'motion', title: 'New lamps' });
    const question = { ballot_type: 'YES_NO_EACH', options: ['Ivy', 'Lee'], settings: {} };
    const board = await one.add({ kind: 'election', title: 'Board', question });
    for (const { id } of [motion, board]) await one.act(id, 'open');
    for (const code of one.codes.slice(0, 3))
      expect((await one.act(motion.id, 'paper', { code, items: [board.id] })).status).toBe(200);
    for (const { id } of [motion, board]) await one.act(id, 'close');
    const [{ id: ivy }] = (await one.service.get(`/e/${board.election_id}`)).json().election.options;
    const paper = await withTellers(one);
    const answers = (mine: object, theirs: object) => ({
      answers: { [motion.election_id]: mine, [board.election_id]: theirs },
    });
    const papers = [
      { number: 1, ...answers(yes, { answers: { [ivy]: 'yes' } }) },
      { number: 2, ...answers(no, { invalid: true }) },
      { number: 3, answers: { [motion.election_id]: yes } },
    ];
    await paper.count(motion, { valid: 3 }, papers, { items: [board.id] });
    for (const one of [motion, board]) await paper.box(one, 3);
    const results = await Promise.all([motion, board].map(async ({ id }) => (await one.item(id)).result));
    expect(results[0]).toMatchObject({ total_ballots: 3, results: { yes: 2, no: 1, blank: 0 } });
    expect(results[1]).toMatchObject({ total_ballots: 2, invalid: 1, results: { blank: 1 } });
    expect((await paper.sheet(board)).sheet).toMatchObject({ handed_out: 3, valid: 1, blank: 1, invalid: 1 });
    const wrong = await paper.batch(motion, { valid: 1 }, { items: [board.id] });
    const strange = await paper.enter(motion, wrong, 1, [{ number: 1, answers: { nothing: yes } }]);
    expect(strange.body.errors[0].path).toBe('papers.0.answers.nothing');
  });
});

describe('the sheet', () => {
  it('with more papers than were handed out stops the announcement until that is noted', async () => {
    await using one = await openRoom();
    const item = await closedMotion(one);
    const paper = await withTellers(one);
    await paper.count(item, { valid: 4 }, [...THREE, { number: 8, ...yes }]);
    await paper.call('PUT', `${item.id}/sheet`, { printed: 10, returned: 0, in_box: 4 });
    expect((await one.item(item.id)).paper_alarm).toEqual({ papers: 4, handed_out: 3 });
    const refused = await one.act(item.id, 'declare');
    expect([refused.status, refused.body.error]).toEqual([
      409,
      message('more_papers_than_handed_out', { papers: 4, handed_out: 3 }),
    ]);
    expect((await one.act(item.id, 'declare', { note: 'A majority of 20.' })).status).toBe(200);
    expect((await paper.sheet(item)).sheet).toMatchObject({ in_box: 4, note: 'A majority of 20.' });
    const [entry] = one.service.ctx.db.all({
      sql: `SELECT metadata FROM audit_log WHERE action = 'meeting.item_declared'`,
      parameters: [],
    } as never) as { metadata: string }[];
    expect(JSON.parse(entry!.metadata).papers).toMatchObject({ in_box: 4, handed_out: 3 });
  });

  it('and the log tell nothing that tellers found before the announcement', async () => {
    await using one = await openRoom();
    const item = await closedMotion(one);
    const paper = await withTellers(one);
    await paper.count(item, { valid: 2, invalid: 1 }, [...THREE.slice(0, 2), { number: 5, invalid: true }]);
    const reader = await signedIn(one.service, 'auditor');
    const { body } = await paper.call('GET', `${item.id}/sheet`, undefined, reader);
    expect(body.sheet).toEqual({ printed: null, handed_out: 3, returned: null, in_box: null });
    expect((await one.service.get(one.base, reader)).json().items[0].paper).toEqual({ handed_out: 3 });
    const { logs } = (await one.service.get('/admin/audit-logs?limit=200', reader)).json();
    const own = logs.filter(({ action }: { action: string }) =>
      /^paper\.(batch|joined|sheet|diff|control)/.test(action),
    );
    expect(own.map(({ action }: { action: string }) => action).sort()).toEqual([
      'paper.batch_entered',
      'paper.batch_entered',
      'paper.batch_made',
      'paper.joined',
    ]);
    expect(JSON.stringify(own)).not.toMatch(/invalid|valid|blank|yes/);
  });
});

describe('papers that come after the announcement', () => {
  it('are a correction in public, with its reason and the result before', async () => {
    await using one = await openRoom();
    const item = await closedMotion(one);
    const paper = await withTellers(one);
    await paper.count(item, { valid: 2 }, THREE.slice(0, 2));
    await paper.box(item, 2);
    await one.act(item.id, 'declare');
    await send(one.service, 'PATCH', one.base, { state: 'closed' });
    const make = (more: object) =>
      paper.call('POST', `${item.id}/batches`, { control: { valid: 1 }, ...more });
    const refused = await make({});
    expect([refused.status, refused.body.error]).toEqual([
      409,
      message('papers_after_declaration', { state: 'declared' }),
    ]);
    const reason = 'It was under a magazine';
    const { id } = (await make({ reason })).body;
    for (const teller of [1, 2] as const) await paper.enter(item, id, teller, THREE.slice(2));
    const asked = await one.service.get(`${one.base}/items/${item.id}/batches/${id}`, {
      accept: 'text/html',
    });
    for (const said of ['the difference is what these papers say', reason])
      expect(asked.body).toContain(said);
    const first = await paper.join(item, id);
    expect([first.status, first.body.waiting]).toEqual([202, true]);
    expect(first.body.warning).toBe(
      'Whose votes these are: the person who took a paper that was not counted',
    );
    expect((await paper.call('POST', `${item.id}/batches/${id}/join`, {}, paper.tom)).status).toBe(200);
    const result = (await one.service.get(`/e/${item.election_id}/results`)).json();
    expect(result).toMatchObject({
      total_ballots: 5,
      results: { yes: 2, no: 3 },
      channels: { online: 2, paper: 3 },
    });
    expect(result.result_matches).toBe(true);
    const page = (await one.service.get(`/e/${item.election_id}`, { accept: 'text/html' })).body;
    expect(page).toContain('The announced result was corrected');
    expect(page).toContain(reason);
    expect(page).toContain('2 voted online, 3 on paper');
    const by = 'two officers';
    expect((await one.item(item.id)).corrections).toEqual([{ reason, ballots: 1, by }]);
    expect((await paper.read(item, id)).papers).toEqual([]);
  });
});
