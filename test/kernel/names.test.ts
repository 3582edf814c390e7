import { expect, test } from 'vitest';
import { cleanName, isSameName, isVisible } from '#kernel/names.ts';

test.each<[one: string, other: string, same: boolean]>([
  ['Ann', 'An\u200bn', true],
  ['José', 'Jose\u0301', true],
  ['Ann Lee', 'Ann\u00a0\u2003Lee', true],
  ['Ann', '\u2066Ann\u2069', true],
  ['x\u2800y', 'x y', true],
  ['Straße', 'STRASSE', true],
  ['ΟΔΟΣ', 'οδος', true],
  ['ﬁne', 'FINE', true],
  ['İpek', 'i\u0307pek', true],
  ['Ilgın', 'Ilgin', false],
  ['José', 'Jose', false],
  ['रीना', 'राना', false],
  ['か', 'が', false],
  ['บา', 'บ่า', false],
])('%j and %j are the same name: %s', (one, other, same) => {
  expect(isSameName(one, other)).toBe(same);
});

test.each(['\u200b', '\u3164', '\u115f', '\u2800', '\u0081', '\u0301', '\u{1d159}', '\u00ad\ufe0f', ' '])(
  '%j has nothing to see',
  (text) => {
    expect(isVisible(text)).toBe(false);
  },
);

test.each<[text: string, clean: string]>([
  ['  Ann\r\nLee ', 'Ann Lee'],
  ['\u202eevil', 'evil'],
  ['An\u200d\u200cn', 'Ann'],
  ['Jose\u0301', 'José'],
  ['क\u094d\u200dष', 'क\u094d\u200dष'],
  ['👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
])('%j is stored as %j', (text, clean) => {
  expect(cleanName(text)).toBe(clean);
  expect(isVisible(clean)).toBe(true);
});
