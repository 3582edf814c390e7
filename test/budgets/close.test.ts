import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { testApp } from '#test/support/app.ts';
import { addRanked } from '#test/support/factories.ts';
import { storeBallots } from '#test/support/full-election.ts';
import { statementsOf } from '#test/support/statements.ts';
import { beyond } from './budget.ts';

/** Several pages of all that is read in pages. */
const BALLOTS = 3_000;

/** The rows that the close of a large election reads with one statement, at most: it has a turn of its own. */
const CLOSE = { read: 1_000 };

test('the close of a large election reads no more rows in one turn than it did', async () => {
  await using service = await testApp();
  const { ctx } = service;
  const { id } = await addRanked(service, ['Ann', 'Bob', 'Cid'], { settings: { receipts: 'included' } });
  await storeBallots(ctx, id, Array(BALLOTS).fill('[1,2,3]'));
  const sealed = build.selectFrom('elections').select('sealed_at').where('id', '=', id);

  const asked = await statementsOf(async () => {
    const closed = await service.post(`/admin/elections/${id}/close`);
    expect(closed.statusCode).toBe(200);
    while (!ctx.db.first(sealed)?.sealed_at) await setImmediate();
  });

  const read = Math.max(...asked.map((statement) => statement.read));
  expect(beyond({ 'the close': CLOSE }, { 'the close': { read } })).toEqual([]);
});
