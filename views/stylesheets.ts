import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from '#kernel/html.ts';
import { ASSETS_DIR, asset } from './assets.ts';

/** Those of every page, in the order of the cascade. */
const HOUSE = [
  'base/fonts.css',
  'base/tokens.css',
  'base/base.css',
  'base/shared.css',
  'base/layout.css',
  'base/menu.css',
  'base/page-head.css',
  'base/forms.css',
  'base/components.css',
  'base/figures.css',
  'base/tables.css',
  'base/charts.css',
  'base/slips.css',
  'voting/voting.css',
  'voting/ranking.css',
  'voting/paper.css',
  'voting/matrix.css',
  'base/print.css',
] as const;

/**
 * Style sheets that are sent as one file: a phone asks once on a page of members and guests. The pages of guests share
 * one, so that the next page needs none.
 */
export const JOINED = {
  house: HOUSE,
  officers: ['admin/invitations.css', 'admin/admin.css', 'admin/records.css'],
  content: ['content/content.css', 'content/roster.css', 'content/event.css', 'content/pictures.css'],
  staff: ['pub/staff.css', 'pub/staff-controls.css'],
  guests: [
    ...HOUSE,
    'pub/now.css',
    'pub/pages.css',
    'pub/menu.css',
    'pub/patrons.css',
    'pub/share.css',
    'calendar/calendar.css',
  ],
  setlist: [...HOUSE, 'pub/setlist.css', 'pub/setlist-charts.css', 'pub/share.css'],
  films: [...HOUSE, 'pub/screen.css'],
  meeting: [...HOUSE, 'meetings/meetings.css'],
  wall: ['base/fonts.css', 'base/tokens.css', 'voting/wall.css'],
  'tv-main': tv('main', 'slides', 'menu', 'mixes'),
  'tv-bar-right': tv('music', 'music-names', 'music-upright', 'lyrics'),
  'tv-pair': tv('main', 'slides', 'mixes', 'pair'),
  'tv-projector': tv('music', 'music-upright', 'lyrics'),
} as const;

/** The name of a joined style sheet. */
export type Joined = keyof typeof JOINED;

/** The name of a joined style sheet, or a file of views/assets. */
export type Stylesheet = Joined | `${string}.css`;

/** Style sheets of a page, in the order of the cascade. */
export function stylesheets(...names: Stylesheet[]): Html {
  return html`${names.map((name) => html`<link rel="stylesheet" href="${stylesheetAddress(name)}">\n`)}`;
}

/** The address of a style sheet; it changes with every asset. */
export function stylesheetAddress(name: Stylesheet): string {
  // The folder is as deep as those of the files, so that relative addresses in them resolve to the same files.
  return asset(name in JOINED ? `joined/${name}.css` : name);
}

/** The joined style sheets by their addresses. */
export const JOINED_STYLESHEETS: ReadonlyMap<string, () => string> = new Map(
  Object.entries(JOINED).map(([name, files]) => {
    const text = files.map((file) => readFileSync(join(ASSETS_DIR, file), 'utf8')).join('\n');
    return [stylesheetAddress(name as Joined), () => text];
  }),
);

function tv(...names: string[]): string[] {
  const own = ['tv', 'takeover', ...names].map((name) => `tv/styles/${name}.css`);
  return ['base/fonts.css', ...own];
}
