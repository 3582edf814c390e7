import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ballotSetHash } from '#voting/ballots/ballot-hash.ts';

describe('the hash of the ballot set', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  it('is SHA-256 over the sorted ballots, one per line', () => {
    expect(ballotSetHash([])).toBe(sha256(''));
    expect(
      ballotSetHash([
        ['abstain', 1],
        ['no', 2],
        ['yes', 1],
      ]),
    ).toBe(sha256('abstain\nno\nno\nyes\n'));
  });

  it('is the same for grouped and single ballots', () => {
    const grouped = ballotSetHash([['[1,2]', 3]]);
    expect(
      ballotSetHash([
        ['[1,2]', 1],
        ['[1,2]', 2],
      ]),
    ).toBe(grouped);
    expect(ballotSetHash([['[1,2]', 2]])).not.toBe(grouped);
  });

  it('refuses ballots that are not sorted by their bytes', () => {
    expect(() =>
      ballotSetHash([
        ['[2]', 1],
        ['[10]', 1],
      ]),
    ).toThrow(/not sorted/);
    expect(
      ballotSetHash([
        ['[10]', 1],
        ['[2]', 1],
      ]),
    ).toBe(sha256('[10]\n[2]\n'));
  });
});
