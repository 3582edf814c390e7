import { type Html, html } from '#kernel/html.ts';

/** A colour and a shape for each class by its place: the shape tells them apart in black and white. 10 by 10, from `x`. */
const SIGNS: readonly [colour: string, shape: (x: number) => string][] = [
  ['#1f4d3a', (x) => `M${x} 5a5 5 0 1 0 10 0a5 5 0 1 0-10 0z`],
  ['#b03a00', (x) => `M${x} 0h10v10h-10z`],
  ['#1d4ed8', (x) => `M${x + 5} 0l5 10h-10z`],
  ['#9d174d', (x) => `M${x + 5} 0l5 5l-5 5l-5-5z`],
  ['#6b4f00', (x) => `M${x + 3.5} 0h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z`],
  [
    '#0e6377',
    (x) => `M${x} 5a5 5 0 1 0 10 0a5 5 0 1 0-10 0zM${x + 2.5} 5a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1-5 0z`,
  ],
  ['#5b21b6', (x) => `M${x + 2} 0l3 3l3-3l2 2l-3 3l3 3l-2 2l-3-3l-3 3l-2-2l3-3l-3-3z`],
  ['#b91c1c', (x) => `M${x} 0h10l-5 10z`],
  ['#3f6212', (x) => `M${x} 1h10v3h-10zM${x} 6h10v3h-10z`],
  ['#374151', (x) => `M${x} 0h10v10h-10zM${x + 2.5} 2.5v5h5v-5z`],
];

/**
 * The sign of a class of cards, on the cards and wherever it is chosen; null where there is only one class.
 * @param times how often it is repeated
 */
export function classSign(classes: readonly string[], name: string, times = 1): Html | null {
  const [colour, shape] = SIGNS[classes.indexOf(name)] ?? [];
  if (classes.length < 2 || colour === undefined || shape === undefined) return null;
  const width = 13 * times + 3;
  const all = Array.from({ length: times }, (_, at) => shape(13 * at));
  return html`<svg viewBox="-3 -3 ${width} 16" width="${width * 1.25}" height="20" aria-hidden="true" data-class-sign="${classes.indexOf(name)}"><rect x="-3" y="-3"
width="${width}" height="16" rx="2" fill="#fff"/><path d="${all.join('')}" fill="${colour}" fill-rule="evenodd"/></svg> `;
}

/** The signs of the cards that are handed out. */
export const classSigns = (classes: readonly string[], cards: Record<string, number>): Html =>
  html`${Object.keys(cards).map((name) => classSign(classes, name))}`;
