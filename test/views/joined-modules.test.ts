import { expect, test } from 'vitest';
import { joined, joinedText } from '#views/joined-modules.ts';
import { MODULES } from '#views/modules.ts';

test.each([...MODULES.keys()])('%s can be joined with all that it imports', async (address) => {
  const text = joined([address]);

  expect(text).not.toMatch(/^(?:import|export)\b/m);
  // A syntax error would be thrown here.
  expect(() => new Function(`'use strict'; ${text}`)).not.toThrow();
});

/** Runs what was joined, and returns what the last module exports. */
const run = (entries: string[], sources: Record<string, string>) => {
  const text = joined(entries, new Map(Object.entries(sources)));
  const [last] = [...text.matchAll(/^const (\$\d+) =/gm)].slice(-1);
  return new Function('log', `'use strict'; ${text} return ${last?.[1]};`);
};

test('modules run once each, after those that they import, and share no names', () => {
  const sources = {
    '/a/entry.js':
      "import { one as first } from './b.js';\nimport {\n  two,\n} from '../c.js';\nimport './b.js';\nlog('entry');\nconst own = 1;\nexport const sum = first() + two.value + own;\n",
    '/a/b.js':
      "import { two } from '../c.js';\nlog('b');\nconst own = 10;\nexport function one() {\n  return own * two.value;\n}\n",
    '/c.js': "log('c');\nconst own = 100;\nexport class Two {}\nexport const two = { value: own };\n",
  };
  const order: string[] = [];
  const { sum } = run(['/a/b.js', '/a/entry.js'], sources)((name: string) => order.push(name));

  expect([sum, order]).toEqual([1101, ['c', 'b', 'entry']]);
});

test.each([
  ['a default export', 'export default 1;'],
  ['an export that changes', 'export let count = 0;'],
  ['a whole module', "import * as all from './b.js';"],
  ['an export of another module', "export { one } from './b.js';"],
  ['an import that waits', "const b = () => import('./b.js');"],
  ['its own address', 'log(import.meta.url);'],
  ['a wait of its own', 'await 1;'],
  ['a circle', "import { two } from './entry.js';\nexport const two = 1;"],
  ['a module that is not there', "import { two } from './c.js';"],
])('%s is refused', (_what, source) => {
  expect(() =>
    joined(
      ['/entry.js'],
      new Map([
        ['/entry.js', source],
        ['/b.js', ''],
      ]),
    ),
  ).toThrow();
});

test('a file has the modules of its name, and no others', () => {
  expect(joinedText('pub.menu.js')).toContain('data-menu-search');
  expect(joinedText('base.live+pub.song-search.js')).toContain('live-every');
  for (const name of ['pub.menu+pub.menu.js', 'pub.none.js', '..pub.menu.js', '.js', 'pub.menu+.js'])
    expect([name, joinedText(name)]).toEqual([name, undefined]);
});
