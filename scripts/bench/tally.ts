// npm run bench:tally: measures the counting of ranked ballots. See README.md beside this file.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { ballotSetHash } from '#voting/ballots/ballot-hash.ts';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { TallyResult } from '#voting/shared/results.ts';
import type { Tally } from '#voting/shared/tally.ts';
import { figure } from './figures.ts';

const BALLOTS = [1_000, 10_000, 100_000, 1_000_000];
const CANDIDATES = [5, 10, 20, 40];
/** Sets with more ballots than this repeat a pool of `POOL` different ones, to fit into memory. */
const LARGEST_FULL_SET = 100_000;
const POOL = 50_000;
/** The best of this many runs counts, because other processes only add time. */
const RUNS = 3;
const TARGET_MS = 150;
/** The seats of an election by the single transferable vote, and how many times as long as the other count it may take. */
const SEATS = 7;
const SETTINGS: Record<RankedType, { seats?: number }> = {
  RANKED_CONDORCET: {},
  RANKED_STV: { seats: SEATS },
};
const TRANSFERABLE_AT_MOST = 3;

type RankedType = Extract<BallotType, `RANKED_${string}`>;

interface Row {
  case: string;
  ms: string;
  'ballots/s': string;
  'x reading': string;
}

/** Random rankings in their stored form. JSON.stringify returns flat strings, like those that SQLite returns. */
function randomTexts(ballots: number, candidates: number): string[] {
  const ranking = Array.from({ length: candidates }, (_, index) => index + 1);
  return Array.from({ length: ballots }, () => {
    for (let last = candidates - 1; last > 0; last--) {
      const pick = Math.floor(Math.random() * (last + 1));
      [ranking[last], ranking[pick]] = [ranking[pick]!, ranking[last]!];
    }
    return JSON.stringify(ranking);
  });
}

function newTally(type: RankedType, ids: readonly string[]): Tally<TallyResult> {
  const options = ids.map((id, index) => ({
    id,
    number: index + 1,
    name: `Candidate ${index + 1}`,
    is_none_of_the_above: false,
  }));
  return createTally(type, options, { poll_response_type: 'single', quorum: null, ...SETTINGS[type] });
}

/** Counts the ballots and computes the whole result: matrix, paths, order; or all stages. */
function countTexts(
  texts: readonly string[],
  ballots: number,
  candidates: number,
  type: RankedType = 'RANKED_CONDORCET',
): void {
  const ids = Array.from({ length: candidates }, (_, index) => `c${index + 1}`);
  const tally = newTally(type, ids);
  for (let at = 0; at < ballots; at++) tally.add(texts[at % texts.length]!);
  tally.result([ids]);
}

/** The bare loop to compare with: reads every character of the same texts once. */
function readTexts(texts: readonly string[], ballots: number): number {
  let sum = 0;
  for (let at = 0; at < ballots; at++) {
    const text = texts[at % texts.length]!;
    for (let index = 0; index < text.length; index++) sum = (sum + text.charCodeAt(index)) | 0;
  }
  return sum;
}

/** Milliseconds of the best run. */
function best(run: () => unknown, runs = RUNS): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

function row(name: string, ballots: number, ms: number, readingMs: number): Row {
  return {
    case: name,
    ms: ms.toFixed(1),
    'ballots/s': Math.round((ballots / ms) * 1_000).toLocaleString('en-US'),
    'x reading': (ms / readingMs).toFixed(1),
  };
}

function benchCounting(ballots: number, candidates: number): { row: Row; ms: number } {
  const texts = randomTexts(ballots > LARGEST_FULL_SET ? POOL : ballots, candidates);
  const readingMs = best(() => readTexts(texts, ballots));
  const ms = best(() => countTexts(texts, ballots, candidates));
  return { row: row(`${ballots.toLocaleString('en-US')} x ${candidates}`, ballots, ms, readingMs), ms };
}

/** How many times as long the same ballots take by the single transferable vote. */
function compareTransferable(ballots: number, candidates: number): { row: Row; ratio: number } {
  const texts = randomTexts(ballots, candidates);
  const readingMs = best(() => readTexts(texts, ballots));
  const pairs = best(() => countTexts(texts, ballots, candidates));
  const ms = best(() => countTexts(texts, ballots, candidates, 'RANKED_STV'));
  const name = `${ballots.toLocaleString('en-US')} x ${candidates}, ${SEATS} seats`;
  return { row: row(name, ballots, ms, readingMs), ratio: ms / pairs };
}

/** Measures reading, counting and hashing of ballots in a database file with the table layout of the server. */
function benchDatabase(ballots: number, candidates: number): Row[] {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-tally-'));
  const db = new Database(path.join(dir, 'ballots.db'));
  try {
    const texts = randomTexts(ballots, candidates);
    fill(db, texts);
    const readingMs = best(() => readTexts(texts, ballots));
    const name = `${ballots.toLocaleString('en-US')} x ${candidates} from SQLite`;
    return [
      row(
        `${name}: read only`,
        ballots,
        best(() => choicesIn(db)),
        readingMs,
      ),
      row(
        `${name}: read and count`,
        ballots,
        best(() => countTexts(choicesIn(db), ballots, candidates)),
        readingMs,
      ),
      row(
        `${name}: sort, group and hash`,
        ballots,
        best(() => hashOf(db)),
        readingMs,
      ),
    ];
  } finally {
    db.close();
    fs.rmSync(dir, { recursive: true });
  }
}

function fill(db: Database.Database, texts: readonly string[]): void {
  db.pragma('journal_mode = WAL');
  db.exec(
    'CREATE TABLE ballots (election_id TEXT, id TEXT, choice TEXT, PRIMARY KEY (election_id, id)) WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT INTO ballots VALUES (?, ?, ?)');
  db.transaction(() => {
    for (const text of texts) insert.run('e1', randomUUID(), text);
  })();
}

/** Reads the choices page by page in the order of the ids, as the server does. */
function choicesIn(db: Database.Database): string[] {
  const page = db.prepare<[string, string], { id: string; choice: string }>(
    'SELECT id, choice FROM ballots WHERE election_id = ? AND id > ? ORDER BY id LIMIT 10000',
  );
  const choices: string[] = [];
  for (let after = ''; ; ) {
    const rows = page.all('e1', after);
    for (const { choice } of rows) choices.push(choice);
    if (rows.length < 10_000) return choices;
    after = rows.at(-1)!.id;
  }
}

function hashOf(db: Database.Database): string {
  const grouped = db
    .prepare<[string], [string, number]>(
      'SELECT choice, count(*) FROM ballots WHERE election_id = ? GROUP BY choice ORDER BY choice',
    )
    .raw();
  return ballotSetHash(grouped.iterate('e1'));
}

function printTable(lines: readonly Row[]): void {
  const columns = Object.keys(lines[0]!) as (keyof Row)[];
  const cells = [columns, ...lines.map((line) => columns.map((column) => line[column]))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]!.length)));
  for (const [first = '', ...others] of cells) {
    const numbers = others.map((cell, at) => cell.padStart(widths[at + 1]!));
    console.log([first.padEnd(widths[0]!), ...numbers].join('  '));
  }
}

// Runs every number of candidates once before measuring, so that the first case does not include JIT compilation.
for (const candidates of CANDIDATES) countTexts(randomTexts(2_000, candidates), 10_000, candidates);

const rows: Row[] = [];
let target = Number.NaN;
for (const ballots of BALLOTS) {
  for (const candidates of CANDIDATES) {
    const { row: line, ms } = benchCounting(ballots, candidates);
    if (ballots === 100_000 && candidates === 20) target = ms;
    rows.push(line);
  }
}
const transferable = compareTransferable(100_000, 20);
rows.push(transferable.row, ...benchDatabase(100_000, 20));
console.log(`Node ${process.version}, ${os.cpus()[0]?.model ?? 'unknown processor'}, best of ${RUNS} runs`);
printTable(rows);
figure({
  name: '100,000 ballots of 20 candidates counted',
  value: target,
  unit: 'ms',
  target: { atMost: TARGET_MS },
});
figure({
  name: `The same for ${SEATS} seats by the single transferable vote`,
  value: transferable.ratio,
  unit: 'of that',
  target: { atMost: TRANSFERABLE_AT_MOST },
});
