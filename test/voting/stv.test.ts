import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import type { TestApp } from '#test/support/app.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, auditOf, castAll, page, send } from '#test/support/factories.ts';
import { atField, expectBadField, expectRefusal, message, ofField, refusal } from '#test/support/messages.ts';
import { recount } from '#test/support/process/recount.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { getElection } from '#voting/elections/elections.ts';

const open = sharedApp();

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An open election of candidates A, B, C ... @returns its id and the ids by name */
async function addStv(service: TestApp, names: string[], settings: object) {
  const id = await addElection(service, { ballot_type: 'RANKED_STV', candidates: names, settings });
  const { election } = (await service.get(`/e/${id}`)).json();
  const ids: Record<string, string> = Object.fromEntries(
    election.candidates.map((one: { id: string; name: string }) => [one.name, one.id]),
  );
  return { id, ids };
}

/** Casts ballots such as `4 AB` and `2 C`. */
const castStv = (service: TestApp, id: string, ids: Record<string, string>, ...ballots: string[]) =>
  castAll(
    service,
    id,
    ballots.flatMap((text) => {
      const [times, names = ''] = text.split(' ');
      return Array.from({ length: Number(times) }, () => ({ ranking: [...names].map((name) => ids[name]) }));
    }),
  );

const close = (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`);
const resultsOf = async (service: TestApp, id: string) => (await service.get(`/e/${id}/results`)).json();
const textOf = (html: string) =>
  html
    .replace(/<(style|script|svg)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,])/g, '');

describe('a tie over the last seat', () => {
  const KINDS = {
    'a poll': {
      fields: { ballot_type: 'POLL', options: ['A', 'B', 'C'] },
      settings: { poll_response_type: 'multiple', seats: 2, max_choices: 3 },
      route: 'vote/poll',
      answer: (names: string[], ids: Record<string, string>) => ({
        selected_options: names.map((name) => ids[name]),
      }),
    },
    'yes or no to each': {
      fields: { ballot_type: 'YES_NO_EACH', options: ['A', 'B', 'C'] },
      settings: { seats: 2 },
      route: 'vote',
      answer: (names: string[], ids: Record<string, string>) => ({
        answers: Object.fromEntries(names.map((name) => [ids[name], 'yes'])),
      }),
    },
  };
  const CASES = Object.entries(KINDS).flatMap(([name, kind]) =>
    [{ lot: 'drawn' }, {}].map((lot) => [name, lot, kind] as const),
  );

  test.each(CASES)('of %s with %j is decided by a lot that the chair draws', async (_name, lot, kind) => {
    const service = await open();
    const settings = { ...kind.settings, ...lot, publish_ballots: true };
    const id = await addElection(service, { ...kind.fields, settings });
    const { election } = (await service.get(`/e/${id}`)).json();
    const ids: Record<string, string> = Object.fromEntries(
      election.options.map((one: { id: string; name: string }) => [one.name, one.id]),
    );
    const answers = ['A', 'A', 'AB', 'AB', 'AC', 'AC', 'A', 'A', 'B', 'C'];
    await castAll(
      service,
      id,
      answers.map((names) => kind.answer([...names], ids)),
      kind.route,
    );
    await close(service, id);
    const before = (await resultsOf(service, id)).results;
    expect(before).toMatchObject({ elected: [ids.A], tied_for_last: [ids.B, ids.C], open_seats: 1 });
    expect(before.awaiting_lot).toEqual('lot' in lot ? [ids.B, ids.C] : undefined);

    const drawn = { order: [ids.C, ids.B], drawn_by: 'Ann' };
    const answer = await service.post(`/admin/elections/${id}/lot`, drawn);
    expect(answer.statusCode).toBe(200);
    const { results, result_matches, lots } = await resultsOf(service, id);
    expect(results).toMatchObject({ elected: [ids.A, ids.C], tied_for_last: [], open_seats: 0 });
    expect(results).not.toHaveProperty('next');
    expect(results).not.toHaveProperty('awaiting_lot');
    expect({ result_matches, lots }).toMatchObject({ result_matches: true, lots: [drawn] });
    expectRefusal(await service.post(`/admin/elections/${id}/lot`, drawn), 409, 'no_lot_awaited');
    expect(textOf((await page(service, `/e/${id}`)).body)).toMatch(/Elected: A \(8\), C \(3, by lot\)\./);
    expect(textOf((await page(service, `/e/${id}`)).body)).toContain(
      'Lot drawn by Ann: C, B, in this order.',
    );
    expect((await recount((await service.get(`/e/${id}/ballots.json`)).json())).code).toBe(0);
    expect(await listDifferences(service.ctx, getElection(service.ctx.db, id))).toEqual([]);
  });
});

describe('an election by the single transferable vote', () => {
  it('is counted, explained, exported and counted again', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B', 'C', 'D'], { seats: 2, publish_ballots: true });
    await castStv(service, id, ids, '7 AB', '3 BC', '3 C', '2 DC');
    const live = await resultsOf(service, id);
    await close(service, id);

    const { results, result_matches, ballot_set_sha256 } = await resultsOf(service, id);
    expect(live.results).toMatchObject({ elected: [ids.A, ids.C] });
    expect(results).toMatchObject({
      method: 'STV',
      variant: 'Scottish',
      seats: 2,
      quota: 6,
      uncontested: false,
      blank: 0,
      valid: true,
      elected: [ids.A, ids.C],
      ties: [],
    });
    expect(result_matches).toBe(true);
    const stage = (action: string, [candidate, ...votes]: (string | null)[], rest: object) => ({
      action,
      candidate: candidate && ids[candidate],
      votes: Object.fromEntries(votes.map((each, at) => [ids['ABCD'[at]!], each])),
      elected: [],
      excluded: action === 'exclude' ? [ids[candidate!]] : [],
      ...rest,
    });
    expect(results.stages).toEqual([
      stage('first', [null, '7.00000', '3.00000', '3.00000', '2.00000'], {
        non_transferable: '0.00000',
        elected: [ids.A],
      }),
      stage('surplus', ['A', '6.00000', '3.99995', '3.00000', '2.00000'], { non_transferable: '0.00005' }),
      stage('exclude', ['D', '6.00000', '3.99995', '5.00000', '0.00000'], { non_transferable: '0.00005' }),
      stage('exclude', ['B', '6.00000', '0.00000', '8.00000', '0.00000'], {
        non_transferable: '1.00000',
        elected: [ids.C],
      }),
    ]);

    const text = textOf((await page(service, `/e/${id}`)).body);
    for (const said of [
      'Elected: A and C.',
      'A has 7 votes, 1 more than the quota of 6.',
      'Nobody has a surplus, and a seat is open. D has the fewest votes (2)',
      'C has the quota and is elected.',
    ])
      expect(text).toContain(said);
    expect(textOf((await page(service, `/e/${id}/results?wall=1`)).body)).toContain('Elected: A and C.');

    const blt = (await service.get(`/admin/elections/${id}/export?format=blt`)).body.split('\n');
    expect(blt[0]).toBe('4 2');
    expect(blt.slice(1, 5).toSorted()).toEqual(['2 4 3 0', '3 2 3 0', '3 3 0', '7 1 2 0']);
    expect(blt.slice(5)).toEqual(['0', '"A"', '"B"', '"C"', '"D"', '"Shall we buy a piano?"', '']);
    const cef = (await service.get(`/admin/elections/${id}/export?format=cef`)).body;
    expect(cef).toContain('#/Number of Seats: 2');
    expect(cef).toContain('#/Implicit Ranking: false');

    for (const address of [`/e/${id}/ballots.json`, `/admin/elections/${id}/export?format=json`]) {
      const { code, out: said } = await recount((await service.get(address)).json());
      expect(said).toContain('Elected: A and C.');
      expect(said).toContain('(Scottish rules): 6 of 15 votes are needed for a seat.');
      expect(said).toContain(ballot_set_sha256);
      expect(code).toBe(0);
    }
  });

  it('decides lots by the check number of the ballots, once voting has closed', async () => {
    const service = await open();
    const tied = await addStv(service, ['A', 'B', 'C'], { publish_ballots: true });
    await castStv(service, tied.id, tied.ids, '5 A', '4 B', '4 C');
    expect((await resultsOf(service, tied.id)).results).toMatchObject({
      elected: [],
      awaiting_lot: [tied.ids.B, tied.ids.C],
    });

    await close(service, tied.id);

    const { results, ballot_set_sha256: set } = await resultsOf(service, tied.id);
    const [first] = [tied.ids.B!, tied.ids.C!].toSorted((a, b) =>
      sha256(`${set}:${a}`) < sha256(`${set}:${b}`) ? -1 : 1,
    );
    expect(results.ties).toEqual([
      {
        stage: 2,
        candidates: [tied.ids.B, tied.ids.C],
        by: 'lot',
        taken: first,
        lot_among: [tied.ids.B, tied.ids.C],
        same_elected: true,
      },
    ]);
    expect(results).toMatchObject({ elected: [tied.ids.A] });
    const text = textOf((await page(service, `/e/${tied.id}`)).body);
    expect(text).toContain('so a lot decided');
    expect(text).toContain('The other order gives the same persons.');
    const file = (await service.get(`/e/${tied.id}/ballots.json`)).json();
    expect((await recount(file)).code).toBe(0);
  });

  it('waits for the chair’s lots where they are to be drawn, one after the other', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B', 'C', 'D', 'E'], {
      seats: 1,
      lot: 'drawn',
      publish_ballots: true,
    });
    const { A, B, C, D } = ids;
    const draw = (order: unknown, rest: object = { drawn_by: 'Ann Bee', witnesses: ['Cem', 'Dora'] }) =>
      service.post(`/admin/elections/${id}/lot`, { order, ...rest });
    await castStv(service, id, ids, '4 AB', '4 BA', '2 CE', '2 D', '1 E');
    const early = await draw([A, B]);
    await close(service, id);

    const waiting = await resultsOf(service, id);
    expect(waiting.results).toMatchObject({ elected: [], awaiting_lot: [C, D], quota: 7 });
    const said = textOf((await page(service, `/e/${id}`)).body);
    expect(said).toContain('A lot must decide who is excluded: C or D.');
    expect((await page(service, `/admin/elections/${id}`)).body).toContain(
      `href="/admin/elections/${id}/lot"`,
    );
    const wrong = [[C], [C, C], [C, D, A], 'C', undefined].map((order) => draw(order));
    for (const answer of await Promise.all(wrong)) {
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('order');
    }
    expectBadField(await draw([C, D], { witnesses: [] }), 'drawn_by', 'required');

    const form = (await page(service, `/admin/elections/${id}/lot`)).body;
    expect(form).toContain(`name="place_${C}"`);
    const refused = await service.submit(`/admin/elections/${id}/lot`, {
      [`place_${C}`]: '1',
      [`place_${D}`]: '1',
      drawn_by: 'Ann Bee',
      witnesses: 'Cem\nDora',
    });
    expect(refused.statusCode).toBe(400);
    expect(textOf(refused.body)).toContain(atField('not_order_of_tied', { ids: [] }));
    const entered = await service.submit(`/admin/elections/${id}/lot`, {
      [`place_${C}`]: '2',
      [`place_${D}`]: '1',
      drawn_by: 'Ann Bee',
      witnesses: 'Cem\nDora',
    });
    expect([early.statusCode, entered.statusCode]).toEqual([409, 303]);

    const next = await resultsOf(service, id);
    expect(next.results).toMatchObject({ ties: [{ stage: 3, by: 'lot', taken: D }], awaiting_lot: [A, B] });
    expect(next).toMatchObject({ result_matches: true, anchor: waiting.anchor });
    const second = await draw([A, B]);
    expect(second.json()).toMatchObject({ success: true, results: { results: { elected: [B] } } });
    expectRefusal(await draw([A, B]), 409, 'no_lot_awaited');

    const { results, lots, result_matches } = await resultsOf(service, id);
    expect(results).not.toHaveProperty('awaiting_lot');
    expect(lots).toMatchObject([
      { order: [D, C], drawn_by: 'Ann Bee', witnesses: ['Cem', 'Dora'] },
      { order: [A, B], drawn_by: 'Ann Bee', witnesses: ['Cem', 'Dora'] },
    ]);
    expect(result_matches).toBe(true);
    const log = (await auditOf(service, id)).filter(({ action }) => action === 'election.lot_drawn');
    expect(log.map(({ metadata }) => metadata)).toMatchObject([
      { order: [D, C], drawn_by: 'Ann Bee', witnesses: ['Cem', 'Dora'] },
      { order: [A, B] },
    ]);
    const shown = textOf((await page(service, `/e/${id}`)).body);
    expect(shown).toContain('Lot drawn by Ann Bee, seen by Cem and Dora: D, C, in this order.');
    expect(shown).toContain('A lot was drawn by Ann Bee, seen by Cem and Dora.');
    expect((await recount((await service.get(`/e/${id}/ballots.json`)).json())).code).toBe(0);
    expect(await listDifferences(service.ctx, getElection(service.ctx.db, id))).toEqual([]);
  });

  it.each([
    ['one seat, the two best', 1, ['A', 'B', 'C'], ['3 A', '2 B', '1 C'], 'two_best', ['A', 'B']],
    [
      'several seats, everybody who is not elected',
      2,
      ['A', 'B', 'C'],
      ['3 A'],
      'unelected',
      ['A', 'B', 'C'],
    ],
    ['fewer candidates than seats, everybody', 2, ['A'], ['6 A'], 'all', ['A']],
    ['fewer candidates than seats, others', 4, ['A'], ['6 A'], 'unelected', []],
  ] as const)('without its quorum, or with %s, is followed by a vote on open seats', async (...row) => {
    const [, seats, names, ballots, kind, left] = row;
    const service = await open();
    const quorum = names.length > 1 ? 50 : null;
    const { id, ids } = await addStv(service, [...names], { seats, quorum, lot: 'drawn' });
    await castStv(service, id, ids, ...ballots);
    await close(service, id);

    const { results, result_matches } = await resultsOf(service, id);
    const officers = (await page(service, `/admin/elections/${id}`)).body;
    const day = (hours: number) => new Date(service.clock.now + hours * 3_600_000).toISOString();
    const asked = { kind, open_at: day(1), close_at: day(2) };
    const made = await service.post(`/admin/elections/${id}/follow-up`, asked);
    const { election } = (await service.get(`/e/${made.json().id}`)).json();

    expect(officers).toMatch(/seats? (is|are) open\. Make a follow-up/);
    expect({ result_matches, open_seats: results.open_seats }).toEqual({
      result_matches: true,
      open_seats: quorum === null ? seats - 1 : seats,
    });
    expect(election.candidates.map(({ name }: { name: string }) => name)).toEqual(left);
    // Candidates that are added later can take the other seats.
    expect(election.settings.seats).toBe(Math.min(results.open_seats, left.length || seats));
  });

  it('awaits no lot without its quorum, and mails no result before a lot is drawn', async () => {
    await using service = await testApp();
    const addTied = async (settings: object) => {
      const { id, ids } = await addStv(service, ['A', 'B'], { lot: 'drawn', ...settings });
      await castStv(service, id, ids, '1 A', '1 B');
      await close(service, id);
      return { id, ids };
    };
    const few = await addTied({ quorum: 3 });
    const tied = await addTied({});
    const mail = () =>
      service.post(`/admin/elections/${tied.id}/results-email`, { emails: ['a@club.example'] });
    const order = [tied.ids.A, tied.ids.B];
    const waits = async () => (await page(service, '/admin')).body.split('A lot must be drawn').length - 1;
    const before = await waits();

    expect((await resultsOf(service, few.id)).results).not.toHaveProperty('awaiting_lot');
    expect((await mail()).json().error).toBe(message('lot_awaited', { title: 'Shall we buy a piano?' }));
    await service.post(`/admin/elections/${tied.id}/lot`, { order, drawn_by: 'Ann' });
    expect((await mail()).body).not.toContain('A lot must be drawn');
    expect([before, await waits()]).toEqual([1, 0]);
  });

  it('says without its quorum who would be elected', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B'], { quorum: 2 });
    await castStv(service, id, ids, '1 A');
    await close(service, id);

    const { body } = await page(service, `/e/${id}`);
    expect(body.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')).toMatch(
      /whoever has 1 vote is elected\..*A has the quota and would be elected\./,
    );
  });

  it('notices a lot that differs from the log', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B'], { lot: 'drawn' });
    await castStv(service, id, ids, '1 A', '1 B');
    await close(service, id);
    const drawn = { order: [ids.A, ids.B], drawn_by: 'Ann' };
    await service.post(`/admin/elections/${id}/lot`, drawn);
    const other = JSON.stringify([ids.B, ids.A]);
    await service.ctx.write((tx) =>
      tx.run(build.updateTable('drawn_lots').set({ drawn_order: other }).where('election_id', '=', id)),
    );
    const differences = await listDifferences(service.ctx, getElection(service.ctx.db, id));
    expect(differences).toContain('the lots are not those that the log has recorded');
  });

  it('shows the votes of many stages in tables that fit on paper', async () => {
    const service = await open();
    const names = [...'ABCDEFGHIJK'];
    const { id, ids } = await addStv(service, names, {});
    await castStv(service, id, ids, ...names.map((name, at) => `${at + 1} ${name}`));
    await close(service, id);

    const text = textOf((await page(service, `/e/${id}`)).body);

    expect((await resultsOf(service, id)).results.stages).toHaveLength(11);
    expect(text).toMatch(/end of stages 1 to 8 .* Stage 8 .* end of stages 9 to 11 Candidate Stage 9 /);
  });

  it('lets the way of the lot be changed until the close', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B'], {});
    await castStv(service, id, ids, '1 A', '1 B');
    const change = (lot: string | null) =>
      send(service, 'PATCH', `/admin/elections/${id}/settings`, { settings: { lot } });
    expect((await change('drawn')).statusCode).toBe(200);
    await close(service, id);
    expectRefusal(await change(null), 409, 'fixed_after_close');
    expect((await resultsOf(service, id)).results.awaiting_lot).toHaveLength(2);
  });

  test.each([
    [{ seats: 0 }, 'settings.seats'],
    [{ seats: 1.5 }, 'settings.seats'],
    [{ lot: 'hash' }, 'settings.lot'],
    [{ max_choices: 2 }, 'settings.max_choices'],
    [{ threshold: { share: 'all' } }, 'settings.threshold'],
  ])('is refused with %j', async (settings, field) => {
    const service = await open();
    const fields = { ballot_type: 'RANKED_STV', candidates: ['A', 'B'], settings };
    const election = { title: 'Board', open_at: '2026-11-20T10:00:00Z', close_at: '2026-12-20T10:00:00Z' };
    const answer = await service.post('/admin/elections', { ...election, ...fields });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(field);
  });

  it('takes rankings of one candidate or more, and nothing else', async () => {
    const service = await open();
    const { id, ids } = await addStv(service, ['A', 'B', 'C'], { seats: 2 });
    const [token] = (await service.post(`/admin/elections/${id}/tokens`, { count: 1 })).json().tokens;
    const cast = (ranking: unknown) => service.post(`/e/${id}/vote`, { token, ranking });
    for (const [ranking, problem] of [
      [[], ofField('ranking', 'nothing_ranked')],
      [[ids.A, ids.A], ofField('ranking', 'repeated_ids', { ids: [ids.A!] })],
      [['other'], ofField('ranking', 'unknown_ids', { ids: ['other'] })],
      [undefined, ofField('ranking', 'not_ids')],
    ])
      expect(refusal(await cast(ranking))).toEqual([400, problem]);
    expect((await cast([ids.C])).statusCode).toBe(200);
  });
});
