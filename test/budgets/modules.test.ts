import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { beyond } from './budget.ts';

/** The modules that a start loads: what else is needed is loaded when it is used. */
const LOADED = { own: 1_169, libraries: 751 };

const SERVICE = path.join(import.meta.dirname, '../../src/service.ts');
const COUNT = `
  import { registerHooks } from 'node:module';
  const loaded = { own: 0, libraries: 0 };
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) loaded[url.includes('/node_modules/') ? 'libraries' : 'own'] += 1;
      return next(url, context);
    },
  });
  await import(${JSON.stringify(SERVICE)});
  console.log(JSON.stringify(loaded));
  process.exit();`;

test('a start loads no more modules than it did', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', COUNT]);

  expect(beyond({ 'a start': LOADED }, { 'a start': JSON.parse(stdout) })).toEqual([]);
});
