import { type CompiledQuery, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, castAll, page, send } from '#test/support/factories.ts';
import { takeBooks } from '#voting/counting/books.ts';
import { recheckRecentResults } from '#voting/counting/recheck.ts';
import { settleResult } from '#voting/counting/settled-result.ts';
import { getElection } from '#voting/elections/elections.ts';
import { endVoting } from '#voting/elections/lifecycle.ts';
import { findSettledResult } from '#voting/elections/stored-result.ts';

let service: TestApp;
let id: string;

const results = async () => (await service.get(`/e/${id}/results`)).json();
const change = (query: Parameters<Tx['run']>[0]) => service.ctx.write((tx) => tx.run(query));

/** Inserts ballots directly, like an attacker with the database file while the service is stopped. */
async function insertBallots(count: number): Promise<void> {
  const ballots = Array.from({ length: count }, () => ({ election_id: id, id: newRandomId(), choice: 'no' }));
  await change(build.insertInto('ballots').values(ballots));
}

beforeEach(async () => {
  service = await testApp();
  id = await addElection(service);
  await castAll(service, id, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'no' }]);
});

/** A reader that notes how SQLite finds the first row of each query. */
function planning(db: Reader) {
  const plans = new Map<string, string[]>();
  const asking: Reader = {
    all: (query) => db.all(query),
    first(query) {
      const { sql: text, parameters } = 'compile' in query ? query.compile() : query;
      const explain: CompiledQuery<{ detail: string }> = {
        ...sql.raw(`EXPLAIN QUERY PLAN ${text}`).compile(build),
        parameters,
      };
      plans.set(
        text,
        db.all(explain).map(({ detail }) => detail),
      );
      return db.first(query);
    },
  };
  return { asking, plans };
}

describe('the books of an election', () => {
  it('are counted in pages in index order, without sorting', async () => {
    const { db, queue } = service.ctx;
    const { asking, plans } = planning(db);
    await takeBooks({ db: asking, queue }, getElection(db, id));

    expect(plans.size).toBe(5);
    expect([...plans.values()].flat().filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  });

  it('are unbalanced if there are ballots that nobody cast, and the page says so', async () => {
    await insertBallots(30);
    await service.post(`/admin/elections/${id}/close`);

    expect((await results()).books).toMatchObject({
      ballots: 33,
      tokens_used: 3,
      vote_entries: 3,
      balanced: false,
    });
    expect((await page(service, `/e/${id}`)).body).toContain(
      'There are 33 ballots, but 3 voting codes were used, and the log has 3 votes.',
    );
    expect((await page(service, '/admin')).body).toContain(
      'Ballots, used codes and log entries do not agree, or a recount gave another result: see its page.',
    );
  });

  it.each([
    ['added', () => insertBallots(1)],
    ['deleted', () => change(build.deleteFrom('ballots').where('choice', '=', 'no'))],
  ])(
    'are compared with the ballots on each request, even if some were %s after the close',
    async (_, tamper) => {
      await service.post(`/admin/elections/${id}/close`);
      expect(await results()).toMatchObject({ result_matches: true, books: { balanced: true } });
      await tamper();
      service.clock.now += 2_000;

      expect(await results()).toMatchObject({ result_matches: false, books: { balanced: false } });
      expect((await page(service, `/e/${id}`)).body).toContain('Something does not agree');
    },
  );

  it.each([
    ['stored', () => insertBallots(1)],
    ['deleted', () => change(build.deleteFrom('ballots').where('choice', '=', 'no'))],
  ])('are taken again if a ballot is %s while the ballots are counted', async (_, tamper) => {
    await service.ctx.write((tx) => endVoting(tx, id, service.clock.now));
    const { ctx } = service;
    const counting: typeof ctx = Object.create(ctx, {
      write: {
        async value(work: Parameters<typeof ctx.write>[0]) {
          await tamper();
          return ctx.write(work);
        },
      },
    });

    await settleResult(counting, getElection(ctx.db, id));
    expect(findSettledResult(ctx.db, id)).toBeUndefined();

    const { books, total_ballots } = await results();
    expect(books.ballots).toBe(total_ballots);
    expect(books).toMatchObject({ vote_entries: 3, balanced: false });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a start', () => recheckRecentResults(service.ctx)],
    ['an export', () => service.get(`/admin/elections/${id}/export?format=json`)],
  ])('reveal ballots altered after the close, once %s has checked them', async (_, look) => {
    await service.post(`/admin/elections/${id}/close`);
    await change(build.updateTable('ballots').set({ choice: 'no' }));
    await look();

    expect(await results()).toMatchObject({ result_matches: false, results: { yes: 2, no: 1 } });
    expect((await page(service, `/e/${id}`)).body).toContain(
      'The stored ballots no longer give the result that was settled, of 3 ballots.',
    );
    expect(service.logged.join()).toContain('the ballots are not those whose check number was published');
  });

  it('are in the audit log with the result, and the anchor follows that entry', async () => {
    await service.post(`/admin/elections/${id}/close`);
    const { anchor, books, ballot_set_sha256, electors_sha256 } = await results();
    const entry = (await auditOf(service, id)).find(({ action }) => action === 'results.settled');
    const chain = build
      .selectFrom('audit_log')
      .select(['seq', 'hash'])
      .where('seq', 'in', [anchor.entries - 1, anchor.entries]);
    const [before, settled] = service.ctx.db.all(chain);

    expect(entry).toMatchObject({
      action: 'results.settled',
      metadata: { total_ballots: 3, books, ballot_set_sha256, electors_sha256, previous_head: before?.hash },
    });
    expect(anchor).toMatchObject({ head: settled?.hash, entries: settled?.seq });
    await addElection(service);
    expect((await results()).anchor).toEqual(anchor);
  });

  it('are shown beside certified figures, with the count that these replace', async () => {
    await service.post(`/admin/elections/${id}/close`);
    const { total_ballots, results: tally, ballot_set_sha256, books, anchor } = await results();
    const certified = { contests: [{ label: 'Piano', items: [{ label: 'Steinway', votes: 99 }] }] };
    await send(service, 'PUT', `/admin/elections/${id}/manual-results`, { results: certified });

    expect(await results()).toMatchObject({
      results_mode: 'manual',
      computed: { total_ballots, results: tally, ballot_set_sha256, books, anchor, result_matches: true },
    });
    const { body } = await page(service, `/e/${id}`);
    for (const shown of ['Steinway', 'Counted from the ballots', 'Carried: 2 yes to 1 no.', anchor.head])
      expect(body).toContain(shown);
  });

  it('are computed again for a result that an earlier version stored', async () => {
    await service.post(`/admin/elections/${id}/close`);
    const { results: tally } = await results();
    // It hashed the ballots alone, and what it published stays.
    const choices = service.ctx.db.all(
      build.selectFrom('ballots').select('choice').where('election_id', '=', id),
    );
    const ballot_set_sha256 = sha256(
      choices
        .map(({ choice }) => `${choice}\n`)
        .sort()
        .join(''),
    );
    const old = JSON.stringify({ total_ballots: 3, results: tally, ballot_set_sha256 });
    await change(sql`UPDATE results SET result = ${old}`.compile(build));

    expect(await results()).toMatchObject({ ballot_set_sha256, results: tally, books: { balanced: true } });
  });
});
