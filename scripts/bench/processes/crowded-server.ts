// The service for the crowded bench: an election with many ballots and public results, codes for more ballots, and a
// setlist. A forked child: writes its port, codes and options to a file, then sends `ready`.
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { newRandomId } from '#kernel/ids.ts';
import { openContext } from '#kernel/open-context.ts';
import { sha256 } from '#kernel/secrets.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { addPlays, setlistOf } from '#test/stand-ins/plays.ts';
import { insertBallots } from '#voting/ballots/ballot-store.ts';
import { generateTokens, insertTokens } from '#voting/ballots/tokens.ts';
import { createElection, ElectionInput } from '#voting/elections/changes.ts';
import { listOptions } from '#voting/elections/elections.ts';
import { buildApp } from '../../../src/app.ts';

const [folder = '.', ballots = '1000', codes = '1000'] = process.argv.slice(2);
const CANDIDATES = ['Ann', 'Ben', 'Cem', 'Dora', 'Eva', 'Finn', 'Gus', 'Hala'];
const ROWS_AT_ONCE = 10_000;

const config = readConfig(
  {
    DATABASE_URL: `file:${path.join(folder, 'crowded.db')}`,
    LOG_LEVEL: 'error',
    TRUSTED_PROXIES: '127.0.0.1',
    // The rate limits would refuse the crowd; the bench measures how the service handles its load.
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_VOTE: '1000000',
  },
  '',
);
const ctx = await openContext(config);
const actor = { ip: 'bench', at: ctx.now() };
const id = await createElection(
  ctx,
  ElectionInput.parse({
    title: 'Bench',
    ballot_type: 'RANKED_CONDORCET',
    candidates: CANDIDATES,
    open_at: isoTime(actor.at - HOUR),
    close_at: isoTime(actor.at + HOUR),
    settings: { publish_results_to_home: true },
  }),
  actor,
);
await addBallots(Number(ballots));
const tokens: string[] = [];
while (tokens.length < Number(codes))
  tokens.push(...(await generateTokens(ctx, id, { count: 1_000, batch_name: null }, actor)).tokens);
await addPlays(ctx, [...setlistOf({ until: actor.at - DAY, evenings: 20, rows: 3_000 })]);
await refreshRollups(ctx);
await ctx.eraseLog();

const app = await buildApp(ctx);
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 });
const options = listOptions(ctx.db, id).map((option) => option.id);
fs.writeFileSync(
  path.join(folder, 'crowded.json'),
  JSON.stringify({ port: (app.server.address() as AddressInfo).port, id, tokens, options }),
);
process.send?.('ready');

/** Stores ballots and as many used codes, as if the ballots had been cast. */
async function addBallots(count: number): Promise<void> {
  const numbers = CANDIDATES.map((_, index) => index + 1);
  const token = {
    election_id: id,
    batch_name: null,
    created_at: actor.at,
    used_at: actor.at,
    submission_hash: null,
  };
  for (let left = count; left > 0; left -= ROWS_AT_ONCE) {
    const ids = Array.from({ length: Math.min(left, ROWS_AT_ONCE) }, newRandomId);
    const randomChoice = () => JSON.stringify(numbers.toSorted(() => Math.random() - 0.5));
    await ctx.write((tx) => {
      insertBallots(
        tx,
        ids.map(() => ({ election_id: id, id: newRandomId(), choice: randomChoice(), receipt: null })),
      );
      insertTokens(
        tx,
        ids.map((tokenId) => ({ token_hash: sha256(tokenId), ...token })),
      );
    });
  }
}
