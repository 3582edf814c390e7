import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deriveKey, keyFromFile, open, sameSecret, seal } from '#kernel/secrets.ts';

test('a sealed text opens only with its key and purpose, and only unchanged', () => {
  const sealed = seal('key', 'links', 'https://café');

  expect(open('key', 'links', sealed)).toBe('https://café');
  expect(open('key', 'links', seal('key', 'links', ''))).toBe('');
  expect(seal('key', 'links', 'https://café')).not.toBe(sealed);
  expect(open('other', 'links', sealed)).toBeUndefined();
  expect(open('key', 'other', sealed)).toBeUndefined();
  for (const broken of ['', 'v1.', 'v1.AAAA', `${sealed}A`, sealed.slice(0, -1), sealed.replace('v1', 'v2')])
    expect(open('key', 'links', broken)).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    expect(open('key', 'links', changed)).toBeUndefined();
  }
});

test('secrets of any length can be compared, and an empty one equals no other', () => {
  expect(sameSecret('key', 'key')).toBe(true);
  expect(sameSecret('key', 'key2')).toBe(false);
  expect(sameSecret('', 'key')).toBe(false);
});

test('the key file is created once, readable only by its owner, and a damaged one is refused', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'key-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'service.key');

  const key = keyFromFile(file);

  expect(keyFromFile(file)).toBe(key);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(deriveKey(key, 'a')).toHaveLength(32);
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'b'))).toBe(false);
  const locked = path.join(folder, 'folder.key');
  fs.mkdirSync(locked);
  expect(() => keyFromFile(locked)).toThrow(/^The key file .*folder\.key cannot be read: EISDIR/);
  expect(() => keyFromFile(`${file}/service.key`)).toThrow(/^The key file .* cannot be written: ENOTDIR/);
  fs.writeFileSync(file, 'short');
  expect(() => keyFromFile(file)).toThrow('damaged');
});
