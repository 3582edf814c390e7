import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { cast } from '#test/support/factories.ts';
import { tempFolder } from '#test/support/process.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import recorded from '../fixtures/before-books.json' with { type: 'json' };

const FILE = path.join(import.meta.dirname, '../fixtures/before-books.db.gz');

/**
 * A database as the version before books and seals left it: three ballots in each of 18 elections, of every type, with
 * and without codes, closed by hand, by the clock, and open. The JSON has what its results were then.
 */
test('an upgrade keeps results, codes and hashes of elections of every type, and adds books and an anchor', async () => {
  const file = path.join(tempFolder(), 'service.db');
  fs.writeFileSync(file, gunzipSync(fs.readFileSync(FILE)));
  await using service = await testApp({ DATABASE_URL: `file:${file}`, RATE_LIMIT_GENERAL: '1000' });
  service.clock.now = recorded.at + SECOND;
  await settleClosedElections(service.ctx);
  await sealElections(service.ctx);

  for (const { id, mode, token, route, ballot, results } of recorded.elections) {
    const now = (await service.get(`/e/${id}/results`)).json();
    const vote = await cast(service, id, { token, ...ballot }, route);

    expect(now).toMatchObject(results);
    if (mode === 'open') expect([now.books, vote.statusCode]).toEqual([undefined, 200]);
    else {
      expect(now).toMatchObject({
        books: { ballots: 3, tokens_used: 3, vote_entries: 3, tokens_made: 4, balanced: true },
        result_matches: true,
        anchor: { head: expect.any(String) },
      });
      expect([vote.statusCode, vote.json()]).toEqual([403, { error: 'Election is not open for voting' }]);
    }
  }
  const { logs } = (await service.get('/admin/audit-logs?action=election.sealed')).json();
  expect(logs).toHaveLength(12);
});
