import { expect, test } from 'vitest';
import { open, seal } from '#kernel/secrets.ts';

test('what was sealed opens with its key and purpose alone, and only as it was', () => {
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
