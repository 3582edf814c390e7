import { expect, test } from 'vitest';
import { readAddressList } from '#kernel/mail-addresses.ts';
import { sentenceOf } from '#kernel/messages/messages.ts';
import { listDoubts } from '#kernel/shared/decode.js';
import { message } from '#test/support/messages.ts';
import { openClub } from '#test/support/people/roll.ts';
import { check } from './import-steps.ts';

const LONG = message('cell_too_long', { column: 1, max: 10_000 });

test('a row with a cell of more than 10,000 characters is invalid and says so; the others are read', async () => {
  await using club = await openClub();
  const read = await check(
    club,
    `name,note\nAnn,\n${'a'.repeat(10_001)},x\n${'b'.repeat(1_000_000)},x\nBob,${'c'.repeat(10_001)}\n`,
  );
  expect(read.rows.map(({ state, reason }: { state: string; reason?: string }) => [state, reason])).toEqual([
    ['new', undefined],
    ['invalid', LONG],
    ['invalid', LONG],
    ['invalid', LONG.replace('column 1', 'column 2')],
  ]);
  const header = await check(club, `name,${'x'.repeat(10_001)}\nAnn,1\n`);
  expect([header.status, header.errors[0].message]).toEqual([
    400,
    message('csv_header_too_long', { column: 2, max: 10_000 }),
  ]);
});

test('a list of addresses names the row of a cell that is too long', () => {
  const [ann, long] = readAddressList(
    `Name,E-mail\nAnn,ann@club.example\n${'b'.repeat(10_001)},b@club.example`,
  );
  expect(ann?.status).toBe('added');
  expect([long?.row, long?.status, long?.reason && sentenceOf(long.reason)]).toEqual([3, 'invalid', LONG]);
});

test.each([
  ['one word', 'a', 1_000_000],
  ['addresses without end', '@', 5_000],
  ['white space', ' ', 5_000],
  ['tags of flags', '\u{1f3f4}\u{e0061}', 2_000],
])('a file that is full of %s is read to its end', async (_, unit, length) => {
  await using club = await openClub();
  const cell = `x${unit.repeat(length)} x`;
  const lines = Array.from({ length: length > 5_000 ? 1 : 100 }, () => `Ann,${cell},${cell},${cell}`);
  const read = await check(club, `name,note,joined,other\n${lines.join('\n')}\n`);
  expect([read.status, read.counts.invalid]).toEqual([200, lines.length]);
});

test('a word that looks wrongly read is shown with what stands around it, of a long line too', () => {
  expect(listDoubts('Ann\nfrom ZÃ¼rich, by train')).toEqual([
    { code: 'import_wrong_letters', n: 1, lines: '2', more: 'other', found: 'ZÃ¼rich,' },
  ]);
  const [doubt] = listDoubts(`${'a'.repeat(1_000_000)}Ã¼${'b'.repeat(1_000_000)}`);
  expect(doubt?.found).toMatch(/^a{40}Ã¼b{38}$/);
});
