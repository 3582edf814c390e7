// The service for the close bench, with several elections full of ballots that can be closed and one that stays open.
// A forked child: sends its port and elections to the parent, and on request how long its event loop was busy.
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { performance as nodePerformance } from 'node:perf_hooks';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { build } from '#kernel/db/queries.ts';
import { openContext } from '#kernel/open-context.ts';
import { startJobs } from '#kernel/scheduler.ts';
import { storeBallots } from '#test/support/full-election.ts';
import { generateTokens } from '#voting/ballots/tokens.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import { createElection, ElectionInput } from '#voting/elections/changes.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';
import { buildApp } from '../../../src/app.ts';

const [folder = '.', ballots = '1000', elections = '1'] = process.argv.slice(2);
const OPTIONS = Array.from({ length: 10 }, (_, index) => `Candidate ${index + 1}`);
const numbers = OPTIONS.map((_, index) => index + 1);

const config = readConfig(
  {
    DATABASE_URL: `file:${path.join(folder, 'close.db')}`,
    LOG_LEVEL: 'error',
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_VOTE: '1000000',
  },
  '',
);
await using ctx = await openContext(config);
const actor = { ip: 'bench', at: ctx.now() };
const window = { open_at: isoTime(actor.at - HOUR), close_at: isoTime(actor.at + HOUR) };

const full: string[] = [];
while (full.length < Number(elections)) {
  const input = { title: 'The board', ballot_type: 'RANKED_CONDORCET', candidates: OPTIONS, ...window };
  const settings = { inclusion_codes: true, hide_results_until_close: true };
  const id = await createElection(ctx, ElectionInput.parse({ ...input, settings }), actor);
  const choices = Array.from({ length: Number(ballots) }, () =>
    JSON.stringify(numbers.toSorted(() => Math.random() - 0.5)),
  );
  await storeBallots(ctx, id, choices);
  full.push(id);
}
const open = await createElection(
  ctx,
  ElectionInput.parse({ title: 'A piano', ballot_type: 'SIMPLE_TRIPLE', ...window }),
  actor,
);
const tokens: string[] = [];
while (tokens.length < 5_000)
  tokens.push(...(await generateTokens(ctx, open, { count: 1_000, batch_name: null }, actor)).tokens);

await using app = await buildApp(ctx);
await app.listen({ host: '127.0.0.1', port: 0 });
// At the same intervals as in the service.
await using _jobs = startJobs(
  [
    { name: 'open, close and settle elections', every: 2_000, run: () => settleClosedElections(ctx) },
    { name: 'seal closed elections', every: 10_000, run: () => sealElections(ctx) },
    { name: 'delete links of closed elections', every: 5_000, run: () => deleteClosedLinks(ctx) },
  ],
  ctx.log,
);
const { port } = app.server.address() as AddressInfo;
process.send?.({ port, full, open, tokens });

/** The longest time between two runs of the timer below, which fires in each turn of the event loop. */
let longest = 0;
let looked = performance.now();
let measured = nodePerformance.eventLoopUtilization();
setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - looked);
  looked = now;
}, 1);
// The message is the id of an election, or '' to restart the measurement.
process.on('message', (id: string) => {
  const { active } = nodePerformance.eventLoopUtilization(measured);
  const { sealed_at } = ctx.db.first(
    build.selectFrom('elections').select('sealed_at').where('id', '=', id),
  ) ?? { sealed_at: null };
  process.send?.({ active, longest, sealed: sealed_at !== null });
  if (id !== '') return;
  longest = 0;
  measured = nodePerformance.eventLoopUtilization();
});
await new Promise(() => {});
