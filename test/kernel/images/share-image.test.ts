import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { SHARE_SANS, SHARE_SERIF, ShareImages, type ShareNode } from '#kernel/images/share-image.ts';

const clock = { now: 0 };
const images = new ShareImages(() => clock.now);
afterAll(() => images.close());

const text = (words: string, style: Record<string, string | number> = {}): ShareNode => ({
  type: 'div',
  props: {
    style: {
      display: 'flex',
      width: '100%',
      height: '100%',
      fontSize: 120,
      fontFamily: SHARE_SANS,
      ...style,
    },
    children: words,
  },
});

const WIDE = 150;

/** Draws up to eight texts beside each other, and returns the pixels of each as text. */
async function looks(...signs: string[]): Promise<string[]> {
  const { body } = await images.draw(row(signs));
  return Promise.all(
    signs.map(async (_sign, index) => (await cut(body, index).raw().toBuffer()).toString('base64')),
  );
}

function row(signs: string[], style: Record<string, string | number> = {}): ShareNode {
  const box = { display: 'flex', width: WIDE, height: 200, fontSize: 90, overflow: 'hidden', ...style };
  const children = signs.map((sign) => ({ type: 'div' as const, props: { style: box, children: sign } }));
  return { type: 'div', props: { style: { display: 'flex', fontFamily: SHARE_SANS }, children } };
}

const cut = (body: Buffer, index: number) =>
  sharp(body).extract({ left: index * WIDE, top: 0, width: WIDE, height: 200 });

test('a picture is a PNG of the size for link previews', async () => {
  const { body, type } = await images.draw(text('Dreams'));

  expect(type).toBe('image/png');
  expect(await sharp(body).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
});

// Characters that look alike, or like the empty box, have no font.
test.each([
  ['Latin beyond English', 'řŁğơ'],
  ['Cyrillic and Greek', 'Жщλξ'],
  ['Hebrew and Arabic', 'שםعف'],
  ['Chinese, in both scripts', '伦张學龍'],
  ['Japanese', 'ひカ栃ー'],
  ['Korean', '봄날쀍'],
  ['scripts that have a font of dots alone', 'ทहქத'],
  ['signs', '♫★☮→∞'],
])('%s can be read', async (_name, signs) => {
  const seen = await looks('\u{10fffd}', ' ', ...signs);

  expect(new Set(seen).size).toBe(seen.length);
});

test('emoji are drawn in colour, also those of several parts', async () => {
  const emoji = ['🔥', '❤️', '👩‍🚀', '🇺🇦', '👍🏽', '5️⃣', '🏳️‍🌈'];
  const { body } = await images.draw(row(emoji));
  const colourful = await Promise.all(
    emoji.map(async (_one, index) => {
      const { channels } = await sharp(await cut(body, index).png().toBuffer()).stats();
      const [red, green, blue] = channels.map(({ sum }) => sum);
      return Math.max(red!, green!, blue!) > 1.05 * Math.min(red!, green!, blue!);
    }),
  );

  expect(colourful).toEqual(emoji.map(() => true));
});

test('Arabic letters join, and headlines keep their typeface in letters with accents', async () => {
  const [word, letters] = await looks('سلام', 'س ل ا م');
  expect(word).not.toBe(letters);

  const serif = await images.draw(row(['ř'], { fontFamily: SHARE_SERIF, fontWeight: 600 }));
  const sans = await images.draw(row(['ř'], { fontWeight: 600 }));
  expect(serif.etag).not.toBe(sans.etag);
});

test('broken text is drawn as far as possible', async () => {
  for (const words of [
    'half a pair \ud83d',
    'nothing \u0000\u0007 here',
    'e\u0301\u0302\u0303'.repeat(40),
    '',
    'x'.repeat(5_000),
  ])
    expect((await images.draw(text(words))).body.length).toBeGreaterThan(500);
});

test('the same picture is drawn once, and again a day later', async () => {
  const first = images.draw(text('Once'));
  expect(images.draw(text('Once'))).toBe(first);
  await first;
  clock.now += DAY;

  expect(images.draw(text('Once'))).not.toBe(first);
  expect((await images.draw(text('Once'))).etag).toBe((await first).etag);
});

test('a tree that cannot be drawn fails alone, and others are still drawn', async () => {
  const broken = {
    type: 'div',
    props: { style: { display: 'grandiose' }, children: 'x' },
  } as unknown as ShareNode;
  const [one, bad, two] = await Promise.allSettled([
    images.draw(text('Before')),
    images.draw(broken),
    images.draw(text('After')),
  ]);

  expect([one.status, bad.status, two.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a drawing thread that ends is started again', async () => {
  await images.close();

  expect((await images.draw(text('Back again'))).body.length).toBeGreaterThan(500);
});
