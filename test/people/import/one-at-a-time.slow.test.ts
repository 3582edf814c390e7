import path from 'node:path';
import { expect, test } from 'vitest';
import { openClub } from '#test/support/people/roll.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { check } from './import-steps.ts';

const LONG = `number,name,email\n${Array.from({ length: 20_000 }, (_, n) => `${n},Person ${n},p${n}@club.example`).join('\n')}\n`;

test('one import runs at a time: the second is told to wait, and the list is read afterwards', async () => {
  await using club = await openClub({ DATABASE_URL: `file:${path.join(tempFolder(), 'service.db')}` });
  const answers = await Promise.all([check(club, LONG), check(club, 'name\nAnn\n')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.retryAfter).toBeLessThanOrEqual(10);
  expect((await check(club, 'name\nAnn\n')).status).toBe(200);
});
