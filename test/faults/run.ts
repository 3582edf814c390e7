// npm run test:faults [-- names]: runs fault scripts one after the other, and prints a table of their results. Exit
// code 1 when any of them fails. README.md describes each script.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const SCRIPTS: [name: string, does: string][] = [
  ['stop', 'stops it under load'],
  ['restart', 'restarts it under 200 requests a second, in a socket that is kept'],
  ['lock', 'holds the write lock of its database'],
  ['clock', 'moves its clock back and forward'],
  ['kill', 'kills it under load'],
  ['standby', 'kills it beside a standby'],
  ['upgrades', 'kills it while it migrates old databases'],
  ['disk', 'fills its disk'],
  ['backups', 'takes backups under load, and spoils one'],
  ['nth-write', 'kills it in the n-th write'],
  ['content', 'kills it and fills its disk while content is edited'],
  ['attacks', 'attacks it from outside'],
  ['audit', 'attacks the vote with the rights of officers, and with access to the disk'],
];
/** The beginning of the line that scripts print for a case. */
const CASE = /^(ok|held|FAIL|BROKEN)\s+(.*)$/;

interface Row {
  name: string;
  does: string;
  held: number;
  lines: string[];
  broken: string[];
  minutes: number;
  code: number;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !SCRIPTS.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${SCRIPTS.map(([name]) => name).join(', ')}`);
  process.exit(1);
}
const rows: Row[] = [];
for (const [name, does] of SCRIPTS) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n== ${name}: ${does}`);
  rows.push(await run(name, does));
}
printTable(rows);
if (rows.some(hasFailed)) process.exitCode = 1;

async function run(name: string, does: string): Promise<Row> {
  const began = performance.now();
  const row: Row = { name, does, held: 0, lines: [], broken: [], minutes: 0, code: 1 };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    const [, outcome = '', what = ''] = CASE.exec(line) ?? [];
    if (outcome === '') continue;
    row.lines.push(what);
    if (outcome === 'ok' || outcome === 'held') row.held += 1;
    else row.broken.push(what);
  }
  const [code] = (await ended) as [number | null];
  return { ...row, code: code ?? 1, minutes: (performance.now() - began) / 60_000 };
}

function hasFailed({ code, broken, lines }: Row): boolean {
  return code !== 0 || broken.length > 0 || lines.length === 0;
}

function printTable(rows: Row[]): void {
  const table = [
    ['script', 'what it does', 'held', 'minutes', ''],
    ...rows.map((row) => {
      const { name, does, held, lines, minutes } = row;
      return [name, does, `${held} of ${lines.length}`, minutes.toFixed(1), hasFailed(row) ? 'FAIL' : 'pass'];
    }),
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  console.log(
    `\n${table.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')).join('\n')}`,
  );
  const total = rows.reduce((sum, { minutes }) => sum + minutes, 0);
  console.log(`\n${total.toFixed(0)} minutes in all. Figures:`);
  for (const { name, lines } of rows) for (const line of figuresOf(lines)) console.log(`  ${name}: ${line}`);
  for (const { name, broken } of rows) for (const line of broken) console.log(`FAIL ${name}: ${line}`);
}

/** Returns the lines with figures: all lines of scripts with few cases, else the last line. */
function figuresOf(lines: string[]): string[] {
  return lines.length <= 5 ? lines : lines.slice(-1);
}
