// npm run bench:listens: measures the import of ten thousand past listens, as a player sends them, then the same again,
// and the largest document that the protocol allows. How to read it: README.md beside this file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { build } from '#kernel/db/queries.ts';
import { openContext } from '#kernel/open-context.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { buildApp } from '../../src/app.ts';
import { figure } from './figures.ts';

const LISTENS = Number(process.argv[2] ?? 10_000);
const AT_ONCE = 1_000;
const SONGS = 3_000;
const NOW = 1_790_000_000_000;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'listens-bench-'));
try {
  await measure();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const config = readConfig(
    { DATABASE_URL: `file:${path.join(folder, 'x.db')}`, LOG_LEVEL: 'error', OVERLOAD_DELAY_MS: '0' },
    '',
  );
  const ctx = await openContext(config, { now: () => NOW });
  await using _ctx = ctx;
  const app = await buildApp(ctx);
  const documents = Array.from({ length: Math.ceil(LISTENS / AT_ONCE) }, (_, page) => document(page));
  const send = async (payload: string) => {
    const answer = await app.inject({ method: 'POST', url: '/api/listenbrainz/1/submit-listens', payload });
    if (answer.statusCode !== 200) throw new Error(answer.body);
  };
  const stored = () =>
    ctx.db.first(build.selectFrom('plays').select((of) => of.fn.countAll<number>().as('n')))!.n;

  const first = await watch(async () => {
    for (const one of documents) await send(one);
  });
  const counted = await watch(() => refreshRollups(ctx));
  const again = await watch(async () => {
    for (const one of documents) await send(one);
  });
  const largest = await watch(() => send(padded(documents[0]!)));
  if (stored() !== LISTENS) throw new Error(`${stored()} plays are stored instead of ${LISTENS}`);
  for (const [name, { ms, longest }] of Object.entries({ import: first, rollups: counted, again, largest }))
    console.log(`${name.padEnd(10)} ${(ms / SECOND).toFixed(2)} s, longest slice ${longest.toFixed(0)} ms`);
  const name = `${LISTENS.toLocaleString('en-US')} past listens`;
  figure({ name, value: first.ms / SECOND, unit: 's', target: { atMost: 30 } });
  figure({ name: 'longest slice of it', value: first.longest, unit: 'ms', target: { atMost: 50 } });
  await app.close();
}

/** A document of a thousand listens, three minutes apart, in the format of a player. */
function document(page: number): string {
  const payload = Array.from({ length: Math.min(AT_ONCE, LISTENS - page * AT_ONCE) }, (_, index) => {
    const nth = page * AT_ONCE + index;
    const song = (nth * 7_919) % SONGS;
    return {
      listened_at: Math.floor((NOW - (LISTENS - nth) * 3 * MINUTE) / SECOND),
      track_metadata: {
        artist_name: `Artist ${song % 500}`,
        track_name: `Song number ${song}`,
        release_name: `Album ${song % 900}`,
        additional_info: {
          duration_ms: 180_000 + (song % 60) * SECOND,
          submission_client: 'bench',
          ...(song % 3 === 0 && {
            isrc: `USRC17${String(600_000 + song)
              .padStart(7, '0')
              .slice(-7)}`,
          }),
          recording_mbid: '98255a8c-017a-4bc7-8dd6-1fa36124572b',
        },
      },
    };
  });
  return JSON.stringify({ listen_type: 'import', payload });
}

/** The same listens, padded to the maximum size of a document. */
function padded(text: string): string {
  const parsed = JSON.parse(text) as { payload: { track_metadata: { additional_info: object } }[] };
  for (const { track_metadata } of parsed.payload)
    Object.assign(track_metadata.additional_info, { comment: 'x'.repeat(9_600) });
  return JSON.stringify(parsed);
}

/** Runs `work` and measures the processor time of each event loop turn, which other load changes little. */
async function watch(work: () => Promise<unknown>): Promise<{ ms: number; longest: number }> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = used();
  let over = false;
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  const start = performance.now();
  await work();
  over = true;
  return { ms: performance.now() - start, longest };
}
