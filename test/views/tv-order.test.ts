import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder } from '#views/assets/tv/order.js';
import { type Slide, withCrew } from '#views/assets/tv/slide.js';
import { holdFor } from '#views/assets/tv/slides.js';

const says = (title: string, priority = 'normal', seconds?: number): Slide => ({
  type: 'announcement',
  title,
  priority,
  ...(seconds && { durationMs: seconds * 1_000 }),
});
const named = (letter: string, count: number, priority?: string) =>
  Array.from({ length: count }, (_, index) => says(`${letter}${index + 1}`, priority));
const codes = (count: number): Slide[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'link', title: `?${index + 1}` }));
const titles = (slides: readonly Slide[]) => slides.map(({ title }) => title).join(' ');
const round = (slides: Slide[], scans: Slide[] = []) => titles(inOrder(slides, scans, holdFor));

test.each([
  [
    'by priority',
    [says('l', 'low'), says('n'), says('?', 'unknown'), { type: 'tender', title: 't' }],
    0,
    'n l ? t',
  ],
  ['high is every third', [...named('n', 5), says('h', 'high')], 0, 'h n1 n2 h n3 n4 h n5'],
  ['two high ones take turns', [...named('n', 4), ...named('h', 2, 'high')], 0, 'h1 n1 n2 h2 n3 n4'],
  ['more high ones than others', [says('n'), ...named('h', 3, 'high')], 0, 'h1 n h2 n h3'],
  ['urgent, and again after four', [...named('n', 6), says('u', 'urgent')], 0, 'u n1 n2 n3 n4 u n5 n6'],
  ['urgent and high', [...named('n', 4), says('u', 'urgent'), says('h', 'high')], 0, 'u h n1 n2 h u n3 n4'],
  [
    'five urgent ones',
    [...named('n', 9), ...named('u', 5, 'urgent')],
    0,
    'u1 u2 u3 u4 u5 n1 n2 n3 n4 u1 u2 u3 n5 n6 n7 n8 u4 u5 u1 n9',
  ],
  ['nothing but urgent ones', named('u', 2, 'urgent'), 0, 'u1 u2'],
  ['the closed house first', [says('n'), { type: 'welcome', title: 'w' }], 0, 'w n'],
  ['a code after nine others', named('n', 3), 1, 'n1 n2 n3 n1 n2 n3 n1 n2 n3 ?1'],
  ['a house with one slide', [says('n')], 1, 'n n n n n n n n n ?1'],
] as [string, Slide[], number, string][])('a round: %s', (_what, slides, scans, expected) => {
  const equal = slides.map((slide) => ({
    ...slide,
    ...(slide.type === 'announcement' && { durationMs: 12_000 }),
  }));
  expect(round(equal, codes(scans))).toBe(expected);
});

test('any round shows everything, and keeps the shares of codes, of urgent slides and of those of priority high', () => {
  const seconds = fc.integer({ min: 5, max: 120 });
  const some = (priority: string, most: number) =>
    fc
      .array(seconds, { maxLength: most })
      .map((holds) => holds.map((hold, index) => says(`${priority}${index}`, priority, hold)));
  const mix = fc.tuple(some('urgent', 6), some('high', 6), some('normal', 12), some('low', 4));
  fc.assert(
    fc.property(mix, fc.integer({ min: 0, max: 5 }), (kinds, count) => {
      const slides = kinds.flat();
      const scans = codes(count);
      const shown = inOrder(slides, scans, holdFor);
      if (slides.length === 0) {
        expect(shown).toEqual(scans);
        return;
      }
      expect(new Set(shown)).toEqual(new Set([...slides, ...scans]));

      const isCode = ({ type }: Slide) => type === 'link';
      const isOf = (kind: string) => (slide: Slide) => slide.priority === kind;
      const time = (some: Slide[]) => some.reduce((sum, slide) => sum + holdFor(slide), 0);
      // Also over the end of the round, which begins anew.
      const twice = [...shown, ...shown];
      const tens = shown.map((_, at) => twice.slice(at, at + 10).filter(isCode).length);
      if (shown.length >= 10) expect(Math.max(...tens)).toBeLessThanOrEqual(1);
      expect(10 * shown.filter(isCode).length).toBeLessThanOrEqual(shown.length);
      expect(10 * time(shown.filter(isCode))).toBeLessThanOrEqual(time(shown));

      const [urgent, high, normal, low] = kinds;
      const others = normal.length + low.length;
      const gaps = (round: Slide[], is: (slide: Slide) => boolean) =>
        [...round, ...round]
          .map((slide) => (is(slide) ? '!' : '.'))
          .join('')
          .split('!')
          .slice(1, -1)
          .map(({ length }) => length);
      if (urgent.length > 0 && high.length + others > 0)
        expect(Math.max(...gaps(shown, isOf('urgent')))).toBeLessThanOrEqual(4);
      if (high.length > 0 && others > 0) {
        const calm = shown.filter((slide) => !isOf('urgent')(slide));
        expect(Math.max(...gaps(calm, isOf('high')))).toBeLessThanOrEqual(2);
      }
    }),
  );
});

test('people without a picture share slides of six, in the place of the first; a person with one has an own slide', () => {
  const person = (name: string, more: Partial<Slide> = {}): Slide => ({
    type: 'tender',
    id: `tender-${name}`,
    title: 'Meet your Tender',
    name,
    imageUrl: '',
    qrImageUrl: `/qr/${name}`,
    ...more,
  });
  const notice = says('n');
  const ann = person('Ann Byrne', { imageUrl: '/ann' });
  const shown = withCrew([notice, person('Bo Lee'), ann, person('Cy Ng', { tips: true }), person('Di Fox')]);
  expect(shown).toMatchObject([
    notice,
    { type: 'crew', title: 'Bo, Cy & Di', qrImageUrl: '/api/image/link-qr/tenders', tips: true },
    ann,
  ]);
  expect(withCrew([person('Bo Lee')])).toMatchObject([{ title: 'Bo', qrImageUrl: '/qr/Bo Lee' }]);
  expect(withCrew([person('Bo Lee')])[0]?.tips).toBeUndefined();
  const many = withCrew(Array.from({ length: 8 }, (_, index) => person(`P${index}`)));
  expect(many.map(({ title }) => title)).toEqual(['P0, P1, P2, P3, P4 & P5', 'P6 & P7']);
  // Without a way for phones to this house there is no code.
  expect(withCrew([person('Bo', { qrImageUrl: '' }), person('Cy', { qrImageUrl: '' })])[0]?.qrImageUrl).toBe(
    '',
  );
});
