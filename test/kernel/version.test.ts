import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildIn } from '#kernel/version.ts';
import { testApp } from '#test/support/app.ts';
import { tempFolder } from '#test/support/process/process.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

test.each<[string, Record<string, string>, string | undefined]>([
  ['a folder without a repository', {}, undefined],
  ['an image with the commit of its build', { commit: `${COMMIT}\n` }, '0123456789ab'],
  ['an image whose build did not know it', { commit: '\n' }, undefined],
  ['a clone with a tag checked out', { '.git/HEAD': `${COMMIT}\n` }, '0123456789ab'],
  [
    'a clone with a branch',
    { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` },
    '0123456789ab',
  ],
  [
    'a clone whose branches are packed',
    { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `# pack\n${COMMIT} refs/heads/main\n` },
    '0123456789ab',
  ],
  ['a clone without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }, undefined],
])('the build of %s', (_what, files, commit) => {
  const root = tempFolder();
  for (const [name, text] of Object.entries({ ...files, 'package.json': '{"version":"1.2.3"}' })) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }

  expect(buildIn(root)).toEqual({ version: '1.2.3', commit });
});

test('/health names the version to everybody, and the foot of officers’ pages too', async () => {
  await using service = await testApp();
  const html = { accept: 'text/html' };
  const { version } = buildIn(path.join(import.meta.dirname, '../..'));

  expect(version).toMatch(/^[1-9]\d*\.\d+\.\d+$/);
  expect((await service.app.inject('/health')).json()).toMatchObject({ version });
  expect((await service.get('/admin', html)).body).toContain(`Version ${version}`);
  expect((await service.get('/now', html)).body).not.toContain(`Version ${version}`);
});
