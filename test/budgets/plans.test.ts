import fs from 'node:fs';
import { type CompiledQuery, type SqlBool, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { EVERYTHING, startSamplePub } from '#test/browser/pub/pub-fixtures.ts';
import { heldMeeting } from '#test/meetings/held-meeting.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, castAll } from '#test/support/factories.ts';
import { type Asked, statementsOf } from '#test/support/statements.ts';
import { jobs } from '../../src/jobs.ts';

/**
 * SQLite may use an index with a condition only if it can prove the condition. It cannot from `status = +?`, the way in
 * which values are passed, so such a condition has to stand in the statement: `sql.lit`. Without its index a statement
 * read all invitations of an election to find none that waits.
 */

/** The GET routes without parameters. */
const PAGES = fs
  .readFileSync(new URL('../routes.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('GET '))
  .map((line) => line.split(/\s+/)[1]!)
  .filter((url) => !/[:*<]/.test(url) && url !== '/api/now-playing/current');

function planOf({ db }: Context, text: string, parameters: readonly unknown[]): string {
  const query: CompiledQuery<{ detail: string }> = {
    ...sql.raw(`EXPLAIN QUERY PLAN ${text}`).compile(build),
    parameters,
  };
  return db
    .all(query)
    .map(({ detail }) => detail)
    .join('\n');
}

test('no statement misses an index with a condition because its values are passed', async () => {
  await using stack = new AsyncDisposableStack();
  const asked = await statementsOf(async () => {
    const { pub, owner } = await startSamplePub(EVERYTHING);
    const service = stack.use(pub.service);
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'yes' }]);
    for (const url of PAGES) await service.get(url, { accept: 'text/html', ...owner });
    for (const rest of ['', '/vote', '/results']) await service.get(`/e/${id}${rest}`);
    await service.post(`/admin/elections/${id}/close`);
    for (const { run } of jobs(service.ctx, service.calendarContext)) await run();
    const { one: meeting } = await heldMeeting();
    stack.use(meeting.service);
    for (const page of ['', '/chair', '/door', '/minutes'])
      await meeting.service.get(`${meeting.base}${page}`, { accept: 'text/html' });
  });
  const { ctx } = stack.use(await testApp());
  const isConditional = sql<SqlBool>`sql LIKE 'CREATE%INDEX%WHERE%'`;
  const conditional = ctx.db.all(
    sql<{ name: string }>`SELECT name FROM sqlite_master WHERE ${isConditional}`.compile(build),
  );
  const indexesOf = (plan: string) =>
    conditional.map(({ name }) => name).filter((name) => plan.includes(name));
  const statements = new Map(asked.filter((one) => one.sql.includes('+?')).map((one) => [one.sql, one]));

  const missed = [...statements.values()].flatMap(({ sql: text, values }: Asked) => {
    const used = indexesOf(planOf(ctx, text, values));
    const could = indexesOf(planOf(ctx, text.replaceAll('+?', '?'), values));
    return could.filter((name) => !used.includes(name)).map((name) => `${name}: ${text}`);
  });

  expect(statements.size).toBeGreaterThan(300);
  expect(missed).toEqual([]);
});
