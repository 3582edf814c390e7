import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const VIEWS = path.join(import.meta.dirname, '../../views');
/** A TV shows a picture as large as it is; a mail says its own sizes; the width of a logo is that of its words. */
const OTHERS = /^(pub\/tv|mail)\/|^components\/club\.ts$/;

const pictures = readdirSync(VIEWS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !OTHERS.test(file))
  .flatMap((file) => {
    const source = readFileSync(path.join(VIEWS, file), 'utf8');
    return [...source.matchAll(/<img\b[^>]*>/g)].map(([tag]) => ({ file, tag }));
  });

test('the room for a picture of a page is known before it is there', () => {
  expect(pictures.length).toBeGreaterThan(12);
  expect(pictures.filter(({ tag }) => !/ width="[^"]+" height="/.test(tag))).toEqual([]);
});

test('a page asks for a picture in the size in which it shows it', () => {
  const whole = pictures.filter(({ tag }) => {
    const [, address = ''] = /src="([^"]*)"/.exec(tag) ?? [];
    return (
      /imageUrl|picture\.url|api\/image|pictures\//.test(address) && !/sized\(|size=|link-qr/.test(address)
    );
  });
  expect(whole).toEqual([]);
});
