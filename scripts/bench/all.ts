// npm run bench: every bench, one after the other, and one table of their figures at the end. About seventeen minutes.
// Exit code 1 when a target is missed. How to read the figures: README.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Figure, met, shown } from './figures.ts';

const BENCHES = [
  'ballots',
  'crowded',
  'tally',
  'recount-page',
  'close',
  'feeds',
  'feed-ics',
  'setlist',
  'listens',
  'sign-in',
  'rollups',
  'recurrence',
  'content',
  'stream',
];
const found: (Figure & { bench: string })[] = [];

for (const bench of BENCHES) {
  console.log(`\n== ${bench}`);
  const child = fork(path.join(import.meta.dirname, `${bench}.ts`));
  child.on('message', (figure: Figure) => found.push({ bench, ...figure }));
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}

const rows = found.map((figure) => {
  const { bench, name, value, unit, target } = figure;
  const wanted = 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
  return [bench, name, `${shown(value)} ${unit}`, wanted, met(figure) ? 'met' : 'MISSED'];
});
const table = [['bench', 'figure', 'result', 'target', ''], ...rows];
const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
console.log(
  `\n${table.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).join('\n')}`,
);
