// npm run bench [-- --only names] [-- --against folder]: runs every bench except fanout, one after another,
// and prints one table of their figures. Exit code 1 when a target is missed. How to read the figures: README.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, met, shown } from './figures.ts';

const BENCHES = [
  'ballots',
  'crowded',
  'meeting',
  'tally',
  'close',
  'feeds',
  'feed-ics',
  'rollups',
  'memory',
  'stream',
];
/** A bench that runs longer than this is killed; the table says so, and the next one starts. */
const LONGEST_MINUTES = 15;

const { values } = parseArgs({
  options: { only: { type: 'string' }, against: { type: 'string' } },
});
const only = values.only?.split(',');
const unknown = only?.filter((name) => !BENCHES.includes(name)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${BENCHES.join(', ')}`);
  process.exit(1);
}
const HERE = import.meta.dirname;
/** The same folder of a worktree of an older commit. */
const THERE = values.against && path.resolve(values.against, 'scripts/bench');
if (THERE && !fs.existsSync(THERE)) {
  console.error(`--against: ${THERE} is not there; see README.md`);
  process.exit(1);
}

/** The figures that a bench reported, and why some or all are missing. */
interface Outcome {
  figures: Figure[];
  problem?: string;
}

const table: string[][] = [['bench', 'figure', ...(THERE ? ['before'] : []), 'now', 'target', '']];
for (const bench of BENCHES) {
  if (only && !only.includes(bench)) continue;
  // Run directly one after the other, so that other load on the machine is nearly the same for both.
  const before = THERE ? await run(THERE, bench) : undefined;
  const now = await run(HERE, bench);
  table.push(...rowsOf(bench, now, before));
}
const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
console.log(
  `\n${table.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).join('\n')}`,
);

async function run(folder: string, bench: string): Promise<Outcome> {
  const file = path.join(folder, `${bench}.ts`);
  const old = folder !== HERE;
  console.log(`\n== ${bench}${old ? ', before' : ''}`);
  if (!fs.existsSync(file)) return { figures: [], problem: 'not there' };
  const figures: Figure[] = [];
  const child = fork(file, { cwd: path.resolve(folder, '../..'), detached: true });
  child.on('message', (figure: Figure) => figures.push(figure));
  let stopped = false;
  const timer = setTimeout(() => {
    stopped = true;
    // The negative id addresses the process group: it includes the servers that the bench started.
    process.kill(-child.pid!, 'SIGKILL');
  }, LONGEST_MINUTES * 60_000);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  if (code !== 0 && !old) process.exitCode = 1;
  if (stopped) return { figures, problem: `stopped after ${LONGEST_MINUTES} minutes` };
  return figures.length > 0 ? { figures } : { figures, problem: `ended with ${code}` };
}

function rowsOf(bench: string, now: Outcome, before: Outcome | undefined): string[][] {
  const cell = (figure: Figure | undefined, problem = '-') =>
    figure ? `${shown(figure.value)} ${figure.unit}` : problem;
  const row = (name: string, figure: Figure | undefined, old: Figure | undefined) => {
    const target = figure?.target ?? old?.target;
    const wanted = target && ('atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`);
    const verdict = figure ? (met(figure) ? 'met' : 'MISSED') : '';
    const past = before ? [cell(old, before.problem)] : [];
    return [bench, name, ...past, cell(figure, now.problem), wanted ?? '', verdict];
  };
  const names = new Set([...now.figures, ...(before?.figures ?? [])].map(({ name }) => name));
  if (names.size === 0) return [row('-', undefined, undefined)];
  const rows = [...names].map((name) => {
    const named = (figure: Figure) => figure.name === name;
    return row(name, now.figures.find(named), before?.figures.find(named));
  });
  return now.problem && now.figures.length > 0 ? [...rows, row('the rest', undefined, undefined)] : rows;
}
