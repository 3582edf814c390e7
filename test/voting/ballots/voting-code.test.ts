import { describe, expect, it } from 'vitest';
import { newRandomId } from '#kernel/ids.ts';
import { TYPED_ALPHABET } from '#people/codes.ts';
import { isShortCode, newShortCode, plainCode, readVotingCode } from '#voting/ballots/voting-code.ts';

const plain = (code: string) => code.replaceAll('-', '');
const made = (count: number) => Array.from({ length: count }, newShortCode);
const CODE = newShortCode();
const UUID = newRandomId();
const LINK = `https://club.example/e/0198b7a4-1111-7abc-8def-0123456789ab/vote?t=`;

describe('a short code', () => {
  it('is sixteen characters in groups of four, and no two are the same', () => {
    const codes = made(2_000);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.every(isShortCode)).toBe(true);
    expect(isShortCode(UUID)).toBe(false);
  });

  it('has 15 characters that are all random', () => {
    const codes = made(2_000).map(plain);
    for (let place = 0; place < 15; place++)
      expect(new Set(codes.map((code) => code[place])).size).toBe(TYPED_ALPHABET.length);
  });

  it('detects every single wrong character', () => {
    for (const code of made(50).map(plain))
      for (let place = 0; place < code.length; place++)
        for (const wrong of TYPED_ALPHABET.replace(code[place]!, ''))
          expect(readVotingCode(code.slice(0, place) + wrong + code.slice(place + 1))).toEqual({
            state: 'misread',
          });
  });

  it('detects any two swapped characters', () => {
    for (const code of made(200).map(plain)) {
      for (let a = 0; a < code.length; a++) {
        for (let b = a + 1; b < code.length; b++) {
          if (code[a] === code[b]) continue;
          const swapped = [...code];
          [swapped[a], swapped[b]] = [code[b]!, code[a]!];
          expect(readVotingCode(swapped.join(''))).toEqual({ state: 'misread' });
        }
      }
    }
  });
});

describe('reading a voting code', () => {
  const spellings = (code: string): [string, string][] => [
    ['as it is shown', code],
    ['without hyphens', plain(code)],
    ['with spaces', code.replaceAll('-', ' ')],
    ['with long dashes', code.replaceAll('-', '—')],
    ['with short dashes and spaces', code.replaceAll('-', ' – ')],
    ['in small letters', code.toLowerCase()],
    ['in capitals', code.toUpperCase()],
    [
      'with letters for digits',
      code.toUpperCase().replaceAll('0', 'O').replace('1', 'I').replaceAll('1', 'l'),
    ],
    ['between spaces and line breaks', `\n  ${code}\t\r\n`],
    ['in a sentence', `Hello Ann, your voting code is “${code}”. Thank you!`],
    ['behind a label', `Code: ${code}`],
    ['as a link', LINK + code],
    ['as a link with tracking parameters', `${LINK}${code}&utm_source=mail&fbclid=IwAR0abcdEFGH1234&t=x#top`],
    [
      'as a link behind a tracker',
      `https://track.example/c?t=42&u=${encodeURIComponent(LINK + code)}&h=ABCD1234`,
    ],
    [
      'as a link wrapped twice',
      `https://safe.example/?url=${encodeURIComponent(`https://b.example/?u=${encodeURIComponent(LINK + code)}`)}`,
    ],
    ['as a link in a sentence', `Please vote: <${LINK}${code}> until 8 PM.`],
    ['with characters that nobody sees', `\u200b${code.replaceAll('-', '\u00ad-')}\u200b`],
    [
      'in wide characters',
      code.replace(/[0-9A-Za-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    ],
  ];

  it.each(spellings(CODE))('works for a slip’s code %s', (_how, text) => {
    expect(readVotingCode(text)).toEqual({ code: CODE });
  });

  it.each(spellings(UUID))('works for a mail’s code %s', (_how, text) => {
    expect(readVotingCode(text)).toEqual({ code: UUID });
  });

  it('is not misled by a word of four letters before the code', () => {
    // One in 32 such words gives a valid code together with the first three groups.
    for (const code of made(200))
      for (const text of [`Code: ${code}`, `Your vote ${code.replaceAll('-', ' ')}`, `Code – ${code}, Lena`])
        expect(readVotingCode(text)).toEqual({ code });
  });

  it.each<[string, string, object]>([
    ['nothing', '', { state: 'empty' }],
    ['dashes alone', ' — – - ', { state: 'empty' }],
    ['a character too few', plain(CODE).slice(1), { state: 'length', length: 15 }],
    ['a character too many', `${plain(CODE)}Z`, { state: 'length', length: 17 }],
    ['a letter that no code has', `U${plain(CODE).slice(1)}`, { state: 'misread' }],
    ['a link without a code', 'https://club.example/e/1', { state: 'unreadable' }],
    ['half of a code of a mail', UUID.slice(0, 8), { state: 'unreadable' }],
    ['a very long text', 'word '.repeat(20_000), { state: 'unreadable' }],
    ['broken encoding', '%zz%', { state: 'unreadable' }],
  ])('finds none in %s', (_what, text, problem) => {
    expect(readVotingCode(text)).toEqual(problem);
  });
});

it('has a fixed check character', () => {
  expect(readVotingCode('K7P4-2MQX-9TDW-5HRC')).toEqual({ code: 'K7P4-2MQX-9TDW-5HRC' });
});

/** Its last sixteen characters are a short code by chance. */
const ENDS_SHORT = '33b04d6c-957d-4742-a509-17ec4d424781';

describe('a code in a link', () => {
  it.each([CODE, UUID, ENDS_SHORT])('is read with what mail programs take into the link: %s', (code) => {
    for (const text of [
      `${code}.`,
      `${code})`,
      `${code}>`,
      `${code}"`,
      `${code}%3E`,
      `${code}%22`,
      `3D${code}`,
      `“${code}”`,
    ])
      expect([text, plainCode(text), readVotingCode(LINK + text)]).toEqual([text, code, { code }]);
    const dashed = ['\u2011', '\u2212', '\u30fc', '\u200b-'].map((dash) => code.replaceAll('-', dash));
    expect(dashed.map(plainCode)).toEqual(dashed.map(() => code));
    expect(dashed.map(readVotingCode)).toEqual(dashed.map(() => ({ code })));
  });
});

describe('a code that a program sends', () => {
  it.each([CODE, UUID])('may be spelled in many ways: %s', (code) => {
    for (const text of [
      code,
      code.toLowerCase(),
      code.toUpperCase(),
      code.replaceAll('-', ' '),
      code.replaceAll('-', ''),
      ` ${code} `,
    ])
      expect(plainCode(text)).toBe(code);
  });

  it.each([CODE, UUID])('may contain nothing else: %s', (code) => {
    const others = ['', 'nonsense', `${code},${code}`, `,${code}`, `code ${code}`, code + code, LINK + code];
    expect(others.map(plainCode)).toEqual(others.map(() => undefined));
  });
});
