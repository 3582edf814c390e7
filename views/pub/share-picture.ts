import {
  SHARE_SANS,
  SHARE_SERIF,
  SHARE_SIZE,
  type ShareChild,
  type ShareNode,
  type ShareSite,
} from '#kernel/images/share-image.ts';

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

/** A box in a row, or in what its style says. */
export function box(style: Style, ...children: ShareChild[]): ShareNode {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

/** Boxes under each other. */
export const column = (style: Style, ...children: ShareChild[]): ShareNode =>
  box({ flexDirection: 'column', ...style }, ...children);

/** Words of at most `lines` lines; what does not fit ends in dots. */
export function words(text: string, style: Style, lines = 1): ShareNode {
  // A word too long for its line is cut in it; letters that join, as Arabic ones do, would come apart.
  const wordBreak = lines === 1 && /\p{Script=Latin}{24}/u.test(text) ? 'break-all' : 'break-word';
  const clamped = { display: 'block', lineClamp: lines, wordBreak };
  return { type: 'div', props: { style: { ...clamped, ...style }, children: text } };
}

export const serif = (fontSize: number): Style => ({
  fontFamily: SHARE_SERIF,
  fontWeight: 600,
  fontSize,
  lineHeight: 1.15,
  // Figures of one height, not those that dance.
  fontFeatureSettings: '"lnum" 1',
});

/** A picture in the colours of the house, with its green as the club's accent. */
export const inAccent = (picture: ShareNode, { accent }: Pick<ShareSite, 'accent'>): ShareNode =>
  accent.accent_light === PAINT.green
    ? picture
    : JSON.parse(JSON.stringify(picture).replaceAll(PAINT.green, accent.accent_light));

/** The frame of every picture: a printed programme with the name of the club, a title, and the source of the figures. */
export function sharePicture(
  site: ShareSite,
  { title, label, footer }: { title: string; label: string; footer: string },
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

/** The club's logo, on paper. */
export function shareLogo({ src, width, height }: NonNullable<ShareSite['logo']>): ShareNode {
  const picture: ShareNode = { type: 'img', props: { src, width, height } };
  return box({ padding: 6, borderRadius: 6, backgroundColor: PAINT.paper }, picture);
}

/** The house's own: a hanging sign. */
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
