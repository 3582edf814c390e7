import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '#test/support/process/process.ts';

const SCRIPT = path.join(import.meta.dirname, '../../scripts/prune-image.cjs');

test('what a service does not read is deleted from the packages of an image; programs, fonts and licences stay', () => {
  const root = tempFolder();
  const platform = `${process.platform}-${process.arch}`;
  const kept = [
    `better-sqlite3/prebuilds/${platform}.node`,
    'better-sqlite3/lib/index.js',
    '@fontsource/inter/files/inter-latin-400-normal.woff',
    '@fontsource/inter/files/inter-latin-400-normal.woff2',
    '@fontsource/gowun-dodum/files/gowun-dodum-0-400-normal.woff',
    '@fontsource/inter/LICENSE',
    'lxgw-wenkai-screen-webfont/files/lxgwwenkaigbscreen-subset-100.woff2',
    'satori/dist/index.js',
    'pino/LICENSE.md',
    'zod/index.cjs',
  ];
  const deleted = [
    'better-sqlite3/prebuilds/other-arch.node',
    'better-sqlite3/deps/sqlite3/sqlite3.c',
    '@fontsource/inter/files/inter-latin-900-normal.woff',
    '@fontsource/gowun-dodum/files/gowun-dodum-0-400-normal.woff2',
    'lxgw-wenkai-screen-webfont/files/lxgwwenkaiscreenr-subset-100.woff2',
    'satori/dist/index.js.map',
    'satori/dist/standalone.js',
    'pino/README.md',
    'pino/test/basic.test.js',
    'zod/index.d.cts',
  ];
  for (const name of [...kept, ...deleted]) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), 'x');
  }

  execFileSync(process.execPath, [SCRIPT, root]);

  expect(deleted.filter((name) => fs.existsSync(path.join(root, name)))).toEqual([]);
  expect(kept.filter((name) => !fs.existsSync(path.join(root, name)))).toEqual([]);
});

test('another folder is refused', () => {
  expect(spawnSync(process.execPath, [SCRIPT, tempFolder()]).status).toBe(64);
});
