import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addRanked, addTokens, cast, send } from '#test/support/factories.ts';
import { showWithheldFigures } from '#voting/elections/changes.ts';

const MANY = 60_000;

const kinds = {
  simple: async (service: TestApp) => ({
    id: await addElection(service, { settings: { inclusion_codes: true } }),
    stored: ['yes', 'no', 'abstain'],
    ballot: { choice: 'yes' } as object,
  }),
  ranked: async (service: TestApp) => {
    const { id, ids } = await addRanked(service, ['Ann', 'Bob', 'Cem'], {
      settings: { inclusion_codes: true },
    });
    return { id, stored: ['[1,2,3]', '[3,1,2]'], ballot: { ranking: [ids.Ann, ids.Bob, ids.Cem] } };
  },
};

test.each(Object.entries(kinds))('a ballot does not wait for a count of many %s ones', async (_kind, add) => {
  await using service = await testApp();
  const { id, stored, ballot } = await add(service);
  await addBallots(service, id, stored);
  const [token] = await addTokens(service, id, 1);
  const order: string[] = [];

  const results = service.get(`/e/${id}/results?refresh=1`).then((answer) => {
    order.push('results');
    return answer.json();
  });
  const answer = await cast(service, id, { token, ...ballot });
  order.push('ballot');
  const { total_ballots, turnout } = await results;

  expect(answer.statusCode).toBe(200);
  expect(order).toEqual(['ballot', 'results']);
  expect([MANY, MANY + 1]).toContain(total_ballots);
  expect(turnout.used).toBe(1);
});

test('a request for a fresh count during a count gets the result of that count', async () => {
  await using service = await testApp();
  const { id, stored, ballot } = await kinds.simple(service);
  await addBallots(service, id, stored);
  const [token] = await addTokens(service, id, 1);
  const order: string[] = [];
  const fresh = async (name: string) => {
    const answer = await service.get(`/e/${id}/results?refresh=1`);
    order.push(name);
    return answer.json();
  };

  const first = fresh('first');
  await cast(service, id, { token, ...ballot, inclusion_code: earlyCode() });
  order.push('ballot');
  const second = fresh('second');
  const totals = [await first, await second].map(({ total_ballots }) => total_ballots);

  expect(order).toEqual(['ballot', 'first', 'second']);
  // The ballot is stored at a place that the count has already passed.
  expect(totals).toEqual([MANY, MANY]);
  expect((await fresh('third')).total_ballots).toBe(MANY + 1);
});

test('a ballot is in the result even if voting was open only briefly while the others were counted', async () => {
  await using service = await testApp();
  const { id, stored, ballot } = await kinds.simple(service);
  await addBallots(service, id, stored);
  const [token] = await addTokens(service, id, 1);
  const dates = (close_at: number) =>
    send(service, 'PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(service.clock.now - HOUR),
      close_at: isoTime(close_at),
      reopen: true,
      reason: 'For a moment.',
    });
  await dates(service.clock.now);

  const first = service.get(`/e/${id}/results`);
  await dates(service.clock.now + HOUR);
  await cast(service, id, { token, ...ballot, inclusion_code: earlyCode() });
  await dates(service.clock.now - 1);
  await first;
  // One ballot since the re-opening: only an owner shows the figures.
  await showWithheldFigures(service.ctx, id, { ip: 'the test', at: service.clock.now });

  expect((await service.get(`/e/${id}/results`)).json().total_ballots).toBe(MANY + 1);
});

/** Stores ballots with ids over the whole range, in the order of their ids, which is much faster. */
async function addBallots(service: TestApp, id: string, choices: string[]): Promise<void> {
  const insert = sql`
    WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(MANY - 1)})
    INSERT INTO ballots (election_id, id, choice, receipt)
    SELECT ${id}, printf('%08x-0000-4000-8000-000000000000', n * ${sql.lit(Math.floor(2 ** 32 / MANY))}),
      json_extract(${JSON.stringify(choices)}, '$[' || (n % ${sql.lit(choices.length)}) || ']'), NULL FROM numbers`;
  await service.ctx.write((tx) => tx.run(insert.compile(build)));
}

/** Returns an inclusion code whose ballot is sorted before almost all others. */
function earlyCode(): string {
  for (let number = 0; ; number += 1) {
    const code = number.toString(16).padStart(32, '0');
    if (sha256(code).startsWith('000')) return code;
  }
}
