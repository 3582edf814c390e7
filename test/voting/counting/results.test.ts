import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  cast,
  castAll,
  page,
  send,
} from '#test/support/factories.ts';
import { settleClosedElections } from '#voting/counting/results.ts';

const resultsOf = async (service: TestApp, id: string, query = '') =>
  (await service.get(`/e/${id}/results${query}`)).json();
const close = (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`);

async function voteOnce(service: TestApp, id: string, choice: string): Promise<void> {
  const [token] = await addTokens(service, id, 1);
  expect((await cast(service, id, { token, choice })).statusCode).toBe(200);
}

describe('computed results', () => {
  it('of a simple vote have the documented shape', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { quorum: 3 } });
    await addTokens(service, id, 2);
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'YES' }, { choice: 'abstain' }]);
    const open = await resultsOf(service, id);
    await close(service, id);

    const closed = await resultsOf(service, id);

    expect(open).toEqual({
      election_id: id,
      results_mode: 'computed',
      ballot_type: 'SIMPLE_TRIPLE',
      status: 'open',
      total_ballots: 3,
      electors: 5,
      turnout: { issued: 5, used: 3 },
      results: expect.objectContaining({
        yes: 2,
        no: 0,
        abstain: 1,
        outcome: 'passed',
        quorum: 3,
        quorum_met: true,
      }),
    });
    expect(closed).toEqual({
      ...open,
      status: 'closed',
      ballot_set_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      question_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      ballot_set_salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      electors_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      books: {
        ballots: 3,
        tokens_used: 3,
        vote_entries: 3,
        tokens_made: 5,
        tokens_mailed: 0,
        tokens_deleted: 0,
        balanced: true,
      },
      anchor: {
        head: expect.stringMatching(/^[0-9a-f]{64}$/),
        entries: expect.any(Number),
        at: isoTime(service.clock.now),
      },
      result_matches: true,
    });
  });

  it('of a poll count every option and its share of the ballots', async () => {
    await using service = await testApp();
    const settings = { poll_response_type: 'multiple', quorum: 3 };
    const { id, ids } = await addPoll(service, ['Tea', 'Milk', 'Juice'], { settings });
    const answers = [{ selected_options: [ids.Tea, ids.Milk] }, { selected_options: [ids.Tea] }];
    await castAll(service, id, answers, 'vote/poll');

    const { results } = await resultsOf(service, id);

    expect(results).toMatchObject({
      options: [
        { id: ids.Tea, name: 'Tea', count: 2, share: 1 },
        { id: ids.Milk, name: 'Milk', count: 1, share: 0.5 },
        { id: ids.Juice, name: 'Juice', count: 0, share: 0 },
      ],
      winners: [ids.Tea],
      tied: false,
      quorum_met: false,
      valid: false,
    });
  });

  it('of one candidate without ballots name no winner, neither open nor closed', async () => {
    await using service = await testApp();
    const { id } = await addRanked(service, ['Ann']);
    const nobody = { winners: [], condorcet_winner: null, tied: false };

    expect(await resultsOf(service, id)).toMatchObject({ total_ballots: 0, results: nobody });
    await close(service, id);
    const exported = await service.get(`/admin/elections/${id}/export?format=json`);

    expect(await resultsOf(service, id)).toMatchObject({ total_ballots: 0, results: nobody });
    expect(exported.json().results).toMatchObject(nobody);
    expect((await page(service, `/e/${id}`)).body).toContain('No ballots were cast.');
    const voted = await addRanked(service, ['Ann']);
    await castAll(service, voted.id, [{ ranking: [voted.ids.Ann] }]);
    expect((await resultsOf(service, voted.id)).results.winners).toEqual([voted.ids.Ann]);
  });

  it('of a ranked election have the winner, the matrices and the candidates below “None of the above”', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob'], { none_of_the_above: true });
    const [ann, bob, none] = [ids.Ann, ids.Bob, ids['None of the above']];
    await castAll(service, id, [
      { ranking: [ann, none, bob] },
      { ranking: [ann, none, bob] },
      { ranking: [bob, ann, none] },
    ]);

    const { results } = await resultsOf(service, id);

    expect(results).toEqual({
      method: 'Schulze',
      variant: expect.any(String),
      candidates: [
        { id: ann, name: 'Ann', is_none_of_the_above: false },
        { id: bob, name: 'Bob', is_none_of_the_above: false },
        { id: none, name: 'None of the above', is_none_of_the_above: true },
      ],
      winners: [ann],
      condorcet_winner: ann,
      ranking: [
        { rank: 1, candidates: [ann] },
        { rank: 2, candidates: [none] },
        { rank: 3, candidates: [bob] },
      ],
      pairwise: [
        [0, 2, 3],
        [1, 0, 1],
        [0, 2, 0],
      ],
      strongest_paths: [
        [0, 2, 3],
        [0, 0, 0],
        [0, 2, 0],
      ],
      first_choices: [2, 1, 0],
      not_acceptable: [bob],
      tied: false,
      quorum: null,
      quorum_met: null,
      blank: 0,
      valid: true,
    });
  });

  it('are JSON if JSON is requested, and the election’s page for a browser', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const json = await service.get(`/e/${id}/results`);
    const html = await page(service, `/e/${id}/results`);

    expect(json.headers).toMatchObject({ vary: 'Accept', 'content-type': 'application/json; charset=utf-8' });
    expect([html.statusCode, html.headers.location]).toEqual([303, `/e/${id}`]);
    expect((await page(service, `/e/${id}/results?t=abc`)).headers.location).toBe(`/e/${id}?t=abc`);
  });
});

describe('the results of an open election', () => {
  it('are counted at most once a second, or again on request', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await voteOnce(service, id, 'yes');
    const first = await resultsOf(service, id);
    await voteOnce(service, id, 'yes');

    service.clock.now += SECOND - 1;
    const soon = await resultsOf(service, id);
    const refreshed = await resultsOf(service, id, '?refresh=1');
    await voteOnce(service, id, 'no');
    const notRefreshed = await resultsOf(service, id, '?refresh=false');
    service.clock.now += SECOND;
    const later = await resultsOf(service, id);

    const totals = [first, soon, refreshed, notRefreshed, later].map(({ total_ballots }) => total_ballots);
    expect(totals).toEqual([1, 1, 2, 2, 3]);
    for (const { total_ballots, turnout } of [first, soon, refreshed])
      expect(turnout.used).toBe(total_ballots);
  });
});

describe('the results of a closed election', () => {
  it('are computed once, and again only after a reopening', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'no' }, { choice: 'no' }]);
    await close(service, id);
    const closed = await resultsOf(service, id);
    await service.ctx.write((tx) => tx.run(build.deleteFrom('ballots').where('choice', '=', 'no')));
    service.clock.now += HOUR / 2;

    const later = await resultsOf(service, id);
    const refreshed = await resultsOf(service, id, '?refresh=1');
    await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(service.clock.now - HOUR),
      close_at: isoTime(service.clock.now + DAY),
      reopen: true,
      reason: 'For one more.',
    });
    await castAll(service, id, Array(5).fill({ choice: 'yes' }));
    await close(service, id);
    const again = await resultsOf(service, id);

    expect(closed.results).toMatchObject({ yes: 1, no: 2 });
    for (const kept of [later, refreshed])
      expect(kept).toEqual({
        ...closed,
        books: { ...closed.books, ballots: 1, balanced: false },
        result_matches: false,
      });
    expect(again.results).toMatchObject({ yes: 6, no: 0 });
    expect(again.ballot_set_sha256).not.toBe(closed.ballot_set_sha256);
  });

  it('include the last ballot even if the election is reopened and closed in the same millisecond', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const dates = (close_at: number) =>
      send(service, 'PATCH', `/admin/elections/${id}/dates`, {
        open_at: isoTime(service.clock.now - HOUR),
        close_at: isoTime(close_at),
        reopen: true,
        reason: 'For the last ballot.',
      });
    await dates(service.clock.now);
    const before = await resultsOf(service, id);
    await dates(service.clock.now + HOUR);
    await voteOnce(service, id, 'yes');
    await dates(service.clock.now);

    const after = await resultsOf(service, id);

    expect([before.total_ballots, after.total_ballots]).toEqual([0, 1]);
  });

  it('are computed by the job after the closing time, before anybody requests them', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const open = await addElection(service, { close_at: isoTime(service.clock.now + DAY) });
    await voteOnce(service, id, 'yes');
    service.clock.now += 2 * HOUR;

    await settleClosedElections(service.ctx);

    const stored = service.ctx.db.all(build.selectFrom('results').select(['election_id', 'computed_at']));
    expect(stored).toEqual([{ election_id: id, computed_at: service.clock.now }]);
    expect((await resultsOf(service, open)).status).toBe('open');
  });

  it('keep the quorum that applied when ballots were cast', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { quorum: 1 } });
    await voteOnce(service, id, 'yes');
    await close(service, id);
    const before = await resultsOf(service, id);

    const settings = { quorum: 2, publish_results_to_home: true };
    const refused = await send(service, 'PATCH', `/admin/elections/${id}/settings`, { settings });

    expect(refused.statusCode).toBe(409);
    expect(before.results).toMatchObject({ quorum: 1, quorum_met: true });
    expect(await resultsOf(service, id)).toEqual(before);
  });
});

describe('a result where all ballots are the same', () => {
  const SENTENCE = 'All ballots are the same, so this result shows how everybody voted.';
  type Ballots = (ids: Record<string, string>) => object[];
  const several = { settings: { poll_response_type: 'multiple' } };
  const partial = { settings: { ranking: 'partial' } };

  it.each<[string, 'simple' | 'poll' | 'ranked', object, Ballots, boolean]>([
    ['three times yes', 'simple', {}, () => Array(3).fill({ choice: 'yes' }), true],
    ['one abstention', 'simple', {}, () => [{ choice: 'abstain' }], true],
    ['yes and no', 'simple', {}, () => [{ choice: 'yes' }, { choice: 'no' }], false],
    ['no ballots', 'simple', {}, () => [], false],
    ['two options, twice', 'poll', several, ({ A, B }) => Array(2).fill({ selected_options: [A, B] }), true],
    [
      'one option, and two',
      'poll',
      several,
      ({ A, B }) => [{ selected_options: [A] }, { selected_options: [A, B] }],
      false,
    ],
    ['one order', 'ranked', {}, ({ A, B, C }) => Array(2).fill({ ranking: [B, A, C] }), true],
    ['two orders', 'ranked', {}, ({ A, B, C }) => [{ ranking: [B, A, C] }, { ranking: [B, C, A] }], false],
    ['one candidate, twice', 'ranked', partial, ({ A }) => Array(2).fill({ ranking: [A] }), true],
    ['a longer order', 'ranked', partial, ({ A, B }) => [{ ranking: [A] }, { ranking: [A, B] }], false],
  ])('says that it shows every vote: %s', async (_what, type, fields, ballots, said) => {
    await using service = await testApp();
    const names = ['A', 'B', 'C'];
    const add = { poll: addPoll, ranked: addRanked };
    const { id, ids } =
      type === 'simple'
        ? { id: await addElection(service, fields), ids: {} }
        : await add[type](service, names, fields);
    const cast = ballots(ids);
    if (cast.length > 0) await castAll(service, id, cast, type === 'poll' ? 'vote/poll' : 'vote');

    const open = await page(service, `/e/${id}`);
    await service.post(`/admin/elections/${id}/close`);
    const closed = await page(service, `/e/${id}`);

    const wall = await page(service, `/e/${id}/results?wall=1`);
    const seen = [open, closed, wall].map(({ body }) => body.includes(SENTENCE));
    expect(seen).toEqual([false, said, said]);
  });
});
