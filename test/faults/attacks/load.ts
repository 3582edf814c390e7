// Expensive requests while people vote: every ballot must be accepted, however long it waits.
import { parseLrc } from '#pub/now-playing/lrc.ts';
import { type Alone, type Attack, count, type Outcome, statuses, unless } from './attack.ts';
import { type Answer, ask, each, freshAddress } from './request.ts';
import type { Target } from './target.ts';

const VOTERS = 40;

/** Casts ballots from different addresses, four at a time. */
function voteInLarge({ url, seed: { large } }: Target): Promise<Answer[]> {
  const path = `/e/${large.id}/vote`;
  const codes = large.codes.splice(0, VOTERS);
  return each(
    codes,
    (token) => ask(url, path, { method: 'POST', body: { token, ranking: large.ranking } }),
    4,
  );
}

/** Casts ballots during a flood of requests. @returns the outcome of both */
async function voteDuring(target: Target, flood: () => Promise<Answer[]>): Promise<Outcome> {
  const [flooded, votes] = await Promise.all([flood(), voteInLarge(target)]);
  const health = await target.ask('/health');
  return {
    saw: `flood ${statuses(flooded)}; ${VOTERS} ballots ${statuses(votes)}`,
    wrong: [
      ...unless(
        count(votes, 200) === VOTERS,
        `${VOTERS - count(votes, 200)} of ${VOTERS} ballots were not taken`,
      ),
      ...unless(health.status === 200, `afterwards /health answered ${health.status}`),
    ],
  };
}

/** A flood of recounts, within the rate limit of each address. */
const refreshFlood = (target: Target) =>
  voteDuring(target, async () => {
    const path = `/e/${target.seed.large.id}/results?refresh=1`;
    const rounds = await Promise.all(
      [freshAddress(), freshAddress(), freshAddress()].map((from) =>
        each(Array.from({ length: 90 }), () => target.ask(path, { from }), 90),
      ),
    );
    return rounds.flat();
  });

const pageFlood = (target: Target) =>
  voteDuring(target, () => {
    const pages = [
      '/openapi.json',
      '/',
      '/now',
      '/setlist',
      '/setlist/top-songs',
      '/og/setlist/top-songs.png',
      '/events',
    ];
    const from = freshAddress();
    const headers = { accept: '*/*' };
    return each(
      Array.from({ length: 1_400 }),
      (_, at) => target.ask(pages[at % pages.length]!, { from, headers }),
      200,
    );
  });

/** Posts each of 30 codes 40 times at once from different addresses: 30 ballots must result. */
async function castTwice(target: Target): Promise<Outcome> {
  const { election, codes } = target.seed;
  const stored = () =>
    target.query<{ ballots: number }>(
      'SELECT count(*) AS ballots FROM ballots WHERE election_id = ?',
      election,
    )[0]!.ballots;
  const before = stored();
  const posts = codes.splice(0, 30).flatMap((token) => Array.from({ length: 40 }, () => token));
  const answers = await each(
    posts,
    (token) => target.ask(`/e/${election}/vote`, { method: 'POST', body: { token, choice: 'yes' } }),
    200,
  );
  const ballots = stored() - before;
  return {
    saw: `1,200 posts of 30 codes: ${statuses(answers)}; ${ballots} ballots`,
    wrong: unless(
      ballots === 30 && count(answers, 200) === 30,
      'a code was worth more or less than one ballot',
    ),
  };
}

/** Far above the time to parse 64 KB, far below that of a regular expression with backtracking (seconds). */
const PARSING_MS = 700;

async function slowLyrics(): Promise<Outcome> {
  const texts: Record<string, string> = {
    '60,000 newlines': '\n'.repeat(60_000),
    '60,000 carriage returns': '\r'.repeat(60_000),
    '60,000 spaces': ' '.repeat(60_000),
    '30,000 blank lines': ' \n'.repeat(30_000),
    '20,000 line separators': '\u2028'.repeat(20_000),
    'an unfinished offset': `[offset:${' '.repeat(60_000)}`,
    'unfinished offsets': '[offset: \n'.repeat(6_000),
    'unfinished stamps': '[00:00'.repeat(10_000),
    'one line of stamps': '[00:00]'.repeat(8_000),
    'unfinished word stamps': '<00:00'.repeat(10_000),
  };
  const slow: string[] = [];
  for (const [what, text] of Object.entries(texts)) {
    const started = performance.now();
    parseLrc(text);
    const ms = performance.now() - started;
    if (ms > PARSING_MS) slow.push(`${what}: ${Math.round(ms)} ms`);
  }
  return { saw: `${Object.keys(texts).length} hostile texts`, wrong: slow };
}

export const load: Attack[] = [
  ['results counted afresh again and again', refreshFlood],
  ['200 connections that ask for pages', pageFlood],
  ['codes cast many times at once', castTwice],
];

export const parsing: Alone[] = [['lyrics that take long to read', slowLyrics]];
