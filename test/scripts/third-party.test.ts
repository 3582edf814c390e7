import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { thirdParty } from '../../scripts/third-party.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const written = fs.readFileSync(path.join(ROOT, 'THIRD-PARTY.md'), 'utf8');

test('THIRD-PARTY.md is that of the lock file: `npm run third-party -- --write` updates it', () => {
  expect(written).toBe(thirdParty());
});

test('it names every package that the service itself asks for, and the attribution of the emoji', () => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const missing = Object.entries(dependencies).filter(
    ([name, version]) => !written.includes(`${name} ${version}`),
  );

  expect(missing).toEqual([]);
  expect(written).toContain('CC-BY 4.0');
});
