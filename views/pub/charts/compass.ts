import { type Html, html } from '#kernel/html.ts';
import type { ShareNode } from '#kernel/images/share-image.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { formatHour } from '#pub/setlist/rollups/story-format.ts';
import type { Quadrant, VibeCompass } from '#pub/setlist/rollups/vibe-compass.ts';
import { box, PAINT, words } from '#views/pub/share-picture.ts';

/** The distance from the middle of the drawing to the end of an axis. */
const REACH = 170;
const MIDDLE = 200;

interface Point {
  x: number;
  y: number;
}

const place = ({ x, y }: Point): Point => ({
  x: Math.round(MIDDLE + x * REACH),
  y: Math.round(MIDDLE - y * REACH),
});

/** The names of the quarters; `x` is the middle of the text, `y` its baseline. */
export const QUARTERS: Record<Quadrant, Words> = {
  Singalong: t('pub.setlist.singalong'),
  'Dance floor': t('pub.setlist.dance_floor'),
  Fireside: t('pub.setlist.fireside'),
  'Late drive': t('pub.setlist.late_drive'),
};
const NAMES = [
  { name: QUARTERS.Singalong, x: 108, y: 128 },
  { name: QUARTERS['Dance floor'], x: 292, y: 128 },
  { name: QUARTERS.Fireside, x: 108, y: 282 },
  { name: QUARTERS['Late drive'], x: 292, y: 282 },
];

/** The least distance between the middle of the mark and the middle of a name. */
const CLEAR = { x: 90, y: 34 };
const LINE = 6;

/** The names of the quarters; one that the mark would cover is moved up or down. */
export function quarterNames(mark: Point | undefined): typeof NAMES {
  return NAMES.map((one) => {
    // The baseline is a little below the middle of the letters.
    const below = mark ? mark.y - one.y + LINE : 0;
    if (!mark || Math.abs(mark.x - one.x) >= CLEAR.x || Math.abs(below) >= CLEAR.y) return one;
    // There is more space towards the axis than towards the rim.
    const inwards = one.y < MIDDLE ? 1 : -1;
    const side = below * inwards <= 13 ? inwards : -inwards;
    return { ...one, y: mark.y + side * CLEAR.y + LINE };
  });
}

/** A dial with four quarters, the path of the latest evening, and a mark for the whole range. */
export function compass({ x, y, quadrant, trail }: VibeCompass): Html {
  const mark = x === null || y === null ? undefined : place({ x, y });
  const path = trail.map(place);
  return html`<svg class="compass" viewBox="0 0 400 400" role="img" aria-label="${spoken(quadrant, trail)}">
<circle class="compass-dial" cx="200" cy="200" r="${REACH + 14}"/>
<path class="compass-axis" d="M200 16v368M16 200h368"/>
<g class="compass-name">${quarterNames(mark).map(({ name, x, y }) => html`<text x="${x}" y="${y}">${name}</text>`)}</g>
<g class="compass-end"><text x="200" y="44">${t('pub.setlist.hype')}</text><text x="200" y="368">${t('pub.setlist.mellow')}</text><text class="compass-left" x="26"
y="194">${t('pub.setlist.acoustic')}</text><text class="compass-right" x="374" y="194">${t('pub.setlist.electronic')}</text></g>
${path.length > 1 && html`<polyline class="compass-trail" points="${path.map((at) => `${at.x},${at.y}`).join(' ')}"/>`}
${path.map((at) => html`<circle class="compass-stop" cx="${at.x}" cy="${at.y}" r="4"/>`)}
${
  mark &&
  html`<circle class="compass-halo" cx="${mark.x}" cy="${mark.y}" r="17"/><circle class="compass-mark"
cx="${mark.x}" cy="${mark.y}" r="11"/>`
}
</svg>`;
}

function spoken(quadrant: VibeCompass['quadrant'], trail: VibeCompass['trail']): Words | undefined {
  const [first, last] = [trail[0], trail.at(-1)];
  return sentences([
    t('pub.setlist.compass_spoken'),
    quadrant === null
      ? t('pub.setlist.compass_unknown')
      : t('pub.setlist.compass_quarter', { quarter: QUARTERS[quadrant] }),
    first &&
      last &&
      first !== last &&
      t('pub.setlist.compass_path', {
        start: sideOf(first),
        since: formatHour(first.hour),
        end: sideOf(last),
        until: formatHour(last.hour),
      }),
  ]);
}

const sideOf = ({ x, y }: Point): Words =>
  x < 0
    ? t(y < 0 ? 'pub.setlist.acoustic_mellow' : 'pub.setlist.acoustic_hype')
    : t(y < 0 ? 'pub.setlist.electronic_mellow' : 'pub.setlist.electronic_hype');

/** The dial for a share picture, 400 pixels square. Its texts are boxes: an SVG in a picture has no fonts. */
export function compassPicture({ x, y, trail }: VibeCompass): ShareNode {
  const mark = x === null || y === null ? undefined : place({ x, y });
  const path = trail.map(place);
  const shape = (type: 'path' | 'circle', props: Record<string, unknown>): ShareNode => ({ type, props });
  const circle = (at: Point, r: number, fill: string) => shape('circle', { cx: at.x, cy: at.y, r, fill });
  const drawn = [
    shape('circle', {
      cx: 200,
      cy: 200,
      r: REACH + 14,
      fill: PAINT.card,
      stroke: PAINT.green,
      'stroke-width': 3,
    }),
    shape('path', { d: 'M200 16v368M16 200h368', stroke: PAINT.rule, 'stroke-width': 2, fill: 'none' }),
    path.length > 1 &&
      shape('path', {
        d: `M${path.map((at) => `${at.x} ${at.y}`).join('L')}`,
        stroke: PAINT.brass,
        'stroke-width': 3,
        fill: 'none',
      }),
    ...path.map((at) => circle(at, 4, PAINT.brass)),
    mark && circle(mark, 18, '#1f4d3a33'),
    mark && circle(mark, 12, PAINT.green),
  ].filter((one) => one !== undefined && one !== false);
  const name = (text: Words, left: number, top: number) =>
    words(text, {
      position: 'absolute',
      left,
      top,
      width: 164,
      textAlign: 'center',
      fontSize: 19,
      color: PAINT.soft,
    });
  return box(
    { position: 'relative', width: 400, height: 400 },
    { type: 'svg', props: { width: 400, height: 400, viewBox: '0 0 400 400', children: drawn } },
    ...quarterNames(mark).map((one) =>
      name(one.name, one.x < MIDDLE ? 33 : 203, one.y < MIDDLE ? one.y - 26 : one.y - 8),
    ),
  );
}
