import {
  SHARE_SANS,
  SHARE_SERIF,
  SHARE_SIZE,
  type ShareChild,
  type ShareNode,
  type ShareSite,
} from '#kernel/images/share-image.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';

/** The colours of the light theme. */
export const PAINT = {
  paper: '#faf7f1',
  card: '#fffdf9',
  well: '#f1ebdf',
  ink: '#1d1b16',
  soft: '#5a5446',
  rule: '#ddd5c5',
  green: '#1f4d3a',
  brass: '#a86f1c',
} as const;

type Style = Record<string, string | number>;

/** A flex box; its children are in a row unless the style says otherwise. */
export function box(style: Style, ...children: ShareChild[]): ShareNode {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

/** A flex box with its children in a column. */
export const column = (style: Style, ...children: ShareChild[]): ShareNode =>
  box({ flexDirection: 'column', ...style }, ...children);

/** A text of at most `lines` lines; a longer one is cut off with an ellipsis. */
export function words(said: Words | string, style: Style, lines = 1): ShareNode {
  // The fonts have no narrow space: another one would draw it wide.
  const text = (typeof said === 'string' ? said : forClub(said)).replaceAll('\u202f', '\u00a0');
  // A word that is too long for a line is broken anywhere, but not in scripts with joined letters, such as Arabic.
  const wordBreak = lines === 1 && /\p{Script=Latin}{24}/u.test(text) ? 'break-all' : 'break-word';
  const clamped = { display: 'block', lineClamp: lines, wordBreak };
  return { type: 'div', props: { style: { ...clamped, ...style }, children: text } };
}

export const serif = (fontSize: number): Style => ({
  fontFamily: SHARE_SERIF,
  fontWeight: 600,
  fontSize,
  lineHeight: 1.15,
  // Lining figures: all digits have the same height.
  fontFeatureSettings: '"lnum" 1',
});

/** Replaces the default green of a picture with the accent of the club. */
export const inAccent = (picture: ShareNode, { accent }: Pick<ShareSite, 'accent'>): ShareNode =>
  accent.accent_light === PAINT.green
    ? picture
    : JSON.parse(JSON.stringify(picture).replaceAll(PAINT.green, accent.accent_light));

/** The frame of every picture, like a printed programme: title, content, club name and source of the figures. */
export function sharePicture(
  site: ShareSite,
  { title, label, footer }: { title: Words | string; label: Words | string; footer: Words | string },
  ...content: ShareChild[]
): ShareNode {
  const picture = box(
    {
      ...SHARE_SIZE,
      boxSizing: 'border-box',
      padding: 22,
      backgroundColor: PAINT.paper,
      color: PAINT.ink,
      fontFamily: SHARE_SANS,
    },
    column(
      {
        flexGrow: 1,
        boxSizing: 'border-box',
        padding: '34px 42px 28px',
        border: `3px solid ${PAINT.green}`,
        borderRadius: 10,
      },
      box(
        { justifyContent: 'space-between', alignItems: 'baseline' },
        words(title, { ...serif(46), color: PAINT.green, maxWidth: 700 }),
        words(label, { fontSize: 25, color: PAINT.soft, maxWidth: 400 }),
      ),
      box({
        height: 6,
        marginTop: 14,
        borderTop: `1px solid ${PAINT.green}`,
        borderBottom: `1px solid ${PAINT.green}`,
      }),
      column({ flexGrow: 1, justifyContent: 'center' }, ...content),
      box(
        { justifyContent: 'space-between', alignItems: 'center', fontSize: 23, color: PAINT.soft },
        box(
          { alignItems: 'center' },
          site.logo ? shareLogo(site.logo) : sign(),
          words(site.name, { ...serif(25), color: PAINT.ink, marginLeft: 12, maxWidth: 400 }, 2),
        ),
        words(footer, { maxWidth: 620 }),
      ),
    ),
  );
  return inAccent(picture, site);
}

/** The club's logo on a light background. */
export function shareLogo({ src, width, height }: NonNullable<ShareSite['logo']>): ShareNode {
  const picture: ShareNode = { type: 'img', props: { src, width, height } };
  return box({ padding: 6, borderRadius: 6, backgroundColor: PAINT.paper }, picture);
}

/** The default logo: a hanging sign. */
function sign(): ShareNode {
  const shape = (type: 'path' | 'rect', props: Record<string, unknown>): ShareNode => ({ type, props });
  const stroke = { fill: 'none', stroke: PAINT.ink, 'stroke-width': 2 };
  const children = [
    shape('path', { d: 'M3 2v30M3 5h27M11 5v5M25 5v5', ...stroke }),
    shape('rect', { x: 7, y: 10, width: 22, height: 19, rx: 3, fill: PAINT.green }),
    shape('path', { d: 'M13 19.5l3.5 3.5 7-8', ...stroke, stroke: PAINT.paper, 'stroke-width': 2.5 }),
  ];
  return { type: 'svg', props: { width: 34, height: 34, viewBox: '0 0 34 34', children } };
}
