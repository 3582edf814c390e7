import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSETS_DIR } from '#views/assets.ts';
import { JOINED } from '#views/stylesheets.ts';

/** The classes that a style sheet names. */
function classesOf(file: string): string[] {
  const text = readFileSync(join(ASSETS_DIR, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const selectors = [...text.matchAll(/([^{}]+)\{/g)]
    .map(([, selector = '']) => selector)
    .filter((one) => !one.includes('@'));
  return [...new Set(selectors.join(' ').match(/\.[a-z][\w-]*/gi))];
}

test('the pages of guests share a file, so a class of their own means one thing in it', () => {
  const house = new Set(JOINED.house.flatMap(classesOf));
  const own = JOINED.guests.filter((file) => !(JOINED.house as readonly string[]).includes(file));
  const named = own.flatMap((file) => classesOf(file).map((name) => ({ file, name })));
  const twice = [...Map.groupBy(named, ({ name }) => name)]
    .filter(([name, uses]) => uses.length > 1 && !house.has(name))
    .map(([name, uses]) => `${name} in ${uses.map(({ file }) => file).join(', ')}`);

  expect(twice).toEqual([]);
});
