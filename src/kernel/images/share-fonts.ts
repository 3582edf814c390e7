import fs from 'node:fs';
import path from 'node:path';

/** A font file and the characters it is for. */
interface Face {
  name: string;
  weight: 400 | 600;
  file: string;
  ranges: readonly (readonly [first: number, last: number])[];
}

/** A font in satori's format. */
export interface Font {
  name: string;
  weight: 400 | 600;
  data: Buffer;
}

const PACKAGES = path.join(import.meta.dirname, '../../../node_modules');
/** Most files kept in memory; past that all are dropped, and read again when needed. */
const FILES_AT_MOST = 80;

/** The fonts of every image. */
const OWN = [...fontsource('inter', [400, 600], ['latin']), ...fontsource('fraunces', [600], ['latin'])];
/** Fonts read only for texts that need them, the best match first. Chinese, Japanese and Korean have one weight. */
const FURTHER = [
  ...fontsource('fraunces', [600], ['latin-ext', 'vietnamese']),
  ...fontsource(
    'inter',
    [400, 600],
    ['latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'],
  ),
  ...fontsource('noto-sans-hebrew', [400, 600], ['hebrew']),
  ...fontsource('noto-sans-arabic', [400, 600], ['arabic']),
  ...fontsource('gowun-dodum', [400], undefined),
  ...wenkai(),
];

const files = new Map<string, Buffer>();

/** The fonts for the characters of a text, as far as available. */
export function fontsFor(text: string): Font[] {
  const codes = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const unknown = codes.filter((code) => !OWN.some((face) => holds(face, code)));
  return [...OWN, ...FURTHER.filter((face) => unknown.some((code) => holds(face, code)))].map(read);
}

/** The fallback font: it has a coarse bitmap glyph for every character, which is better than an empty box. */
export function lastFont(): Font {
  const file = path.join(PACKAGES, '@fontsource/unifontex/files/unifontex-latin-400-normal.woff');
  return read({ name: 'UnifontEX', weight: 400, file, ranges: [] });
}

/** The emoji of a text with their pictures. */
export function emojiIn(text: string): Record<string, string> {
  const found = new Set(text.match(/\p{RGI_Emoji}/gv) ?? []);
  return Object.fromEntries(
    [...found].flatMap((emoji) => {
      const picture = pictureOf(emoji);
      return picture === undefined ? [] : [[emoji, picture]];
    }),
  );
}

/** The picture of an emoji as a data URL; undefined if there is none. */
export function pictureOf(emoji: string): string | undefined {
  const codes = [...emoji].map((character) => (character.codePointAt(0) ?? 0).toString(16));
  for (const name of [codes, codes.filter((code) => code !== 'fe0f')]) {
    const file = path.join(PACKAGES, `@twemoji/svg/${name.join('-')}.svg`);
    if (fs.existsSync(file)) return `data:image/svg+xml;base64,${fs.readFileSync(file).toString('base64')}`;
  }
  return undefined;
}

function holds({ ranges }: Face, code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

function read({ name, weight, file }: Face): Font {
  let data = files.get(file);
  if (!data) {
    if (files.size >= FILES_AT_MOST) files.clear();
    data = fs.readFileSync(file);
    files.set(file, data);
  }
  return { name, weight, data };
}

/** The named parts of a @fontsource package, or all numbered ones. */
function fontsource(name: string, weights: (400 | 600)[], parts: string[] | undefined): Face[] {
  const folder = path.join(PACKAGES, '@fontsource', name);
  const listed: Record<string, string> = JSON.parse(
    fs.readFileSync(path.join(folder, 'unicode.json'), 'utf8'),
  );
  const family = name[0]?.toUpperCase() + name.slice(1);
  return Object.entries(listed).flatMap(([key, ranges]) => {
    const part = key.replace(/[[\]]/g, '');
    if (parts ? !parts.includes(part) : part === key) return [];
    return weights.map((weight) => ({
      name: `${family} ${part}`,
      weight,
      file: path.join(folder, `files/${name}-${part}-${weight}-normal.woff`),
      ranges: readRanges(ranges),
    }));
  });
}

/** The parts of LXGW WenKai, as listed in its style sheet: Chinese in both scripts, and Japanese. */
function wenkai(): Face[] {
  const folder = path.join(PACKAGES, 'lxgw-wenkai-screen-webfont');
  const sheet = fs.readFileSync(path.join(folder, 'lxgwwenkaigbscreen.css'), 'utf8');
  const faces = sheet.matchAll(/url\('\.\/(files\/[^']+)'\)[^;]*;\s*unicode-range:\s*([^;}]+)/g);
  return [...faces].map(([, file = '', ranges = '']) => ({
    name: path.basename(file),
    weight: 400,
    file: path.join(folder, file),
    ranges: readRanges(ranges),
  }));
}

/** `U+0-FF, U+131` as pairs of numbers. */
function readRanges(text: string): [number, number][] {
  return text.split(',').map((range) => {
    const [first = 0, last = first] = range
      .trim()
      .replace(/^U\+/i, '')
      .split('-')
      .map((digits) => Number.parseInt(digits, 16));
    return [first, last];
  });
}
