import { type Html, html } from '#kernel/html.ts';
import type { LAYOUTS } from '#pub/devices/mixes.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';

type Block = readonly [x: number, y: number, width: number, height: number, look?: 'accent' | 'soft'];

const HEAD: readonly Block[] = [
  [8, 7, 26, 7],
  [120, 8, 32, 4, 'soft'],
];
const FOOT: readonly Block[] = [
  [8, 78, 36, 5, 'soft'],
  [58, 78, 36, 5, 'soft'],
  [108, 78, 44, 5, 'accent'],
];
const lines = (x: number, y: number, width: number, many: number): Block[] =>
  Array.from({ length: many }, (_, at) => [x, y + at * 9, at % 3 === 2 ? width * 0.7 : width, 4, 'soft']);

/** The parts of each layout of the main TV, in a picture of 160 by 90. */
const LAYOUT_BLOCKS: Record<(typeof LAYOUTS)[number], readonly Block[]> = {
  day: [...HEAD, [8, 22, 84, 48], ...lines(102, 24, 50, 5), ...FOOT],
  slides: [...HEAD, [8, 22, 144, 48], ...FOOT],
  menu: [8, 58, 108].flatMap((x) => [[x, 10, 22, 6, 'accent'] as const, ...lines(x, 24, 44, 7)]),
  picture: [[0, 0, 160, 90]],
};

const PAGE_BLOCKS: Record<Exclude<ScreenJson['page'], 'tv'>, readonly Block[]> = {
  'bar-right': [[12, 18, 54, 54, 'accent'], ...lines(78, 26, 66, 5)],
  projector: lines(30, 24, 100, 5),
};

/** A drawing of what a screen is divided into, for a list of screens: it costs no request and is always there. */
export function screenDrawing({ page, mix }: Pick<ScreenJson, 'page' | 'mix'>): Html {
  const blocks = page === 'tv' ? LAYOUT_BLOCKS[mix.layout] : PAGE_BLOCKS[page];
  return html`<svg class="screen-drawing" viewBox="0 0 160 90" width="160" height="90" aria-hidden="true" focusable="false">${blocks.map(
    ([x, y, w, h, look]) =>
      html`<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="1.5"${look && html` class="drawing-${look}"`}/>`,
  )}</svg>`;
}
