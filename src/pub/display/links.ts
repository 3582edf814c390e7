import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { forClub } from '#kernel/locale.ts';
import { ownValue } from '#kernel/own-value.ts';
import { isOn, isSwitchedOff, type Part } from '#kernel/settings/parts.ts';
import { hasMenu } from '#pub/menu/facts.ts';
import { findLatestPlay } from '#pub/now-playing/current.ts';
import { findDeviceRow } from '#pub/now-playing/device.ts';

/** A slide with the QR code of a page for phones. */
export interface LinkSlide {
  id: `link-${LinkPage}`;
  type: 'link';
  title: string;
  body: string;
  imageUrl: '';
  qrImageUrl: string;
  /** The target of the code; without BASE_URL a path, relative to the host that the screen was loaded from. */
  url: string;
}

const PAGES = {
  now: { path: '/now', title: t('tv.link.now'), body: t('tv.link.now_body') },
  requests: { path: '/requests', title: t('tv.link.requests'), body: t('tv.link.requests_body') },
  events: { path: '/events', title: t('tv.link.events'), body: t('tv.link.events_body') },
  menu: { path: '/menu', title: t('tv.link.menu'), body: t('tv.link.menu_body') },
  calendar: {
    path: '/subscribe-programs',
    title: t('tv.link.calendar'),
    body: t('tv.link.calendar_body'),
  },
} as const;

export type LinkPage = keyof typeof PAGES;

/** A page whose code stands on other slides: screens put the people behind the bar together who have no picture. */
const PEOPLE = { tenders: { path: '/tenders/' } } as const;

/** Facts from other domains that decide whether a code is shown. */
export interface LinkFacts {
  /** Whether anybody can subscribe to the programme now. */
  takesSubscribers: () => boolean;
}

/** Lists the pages whose part is switched on, configured, and has content. */
export function listLinkPages(ctx: Context, hasEvents: boolean, { takesSubscribers }: LinkFacts): LinkPage[] {
  const music = hasMusic(ctx);
  const isOff = (part: Part) => isSwitchedOff(ctx, part);
  const open = {
    now: music && !isOff('music'),
    requests: music && isOn(ctx, 'requests'),
    events: hasEvents,
    menu: hasMenu(ctx),
    calendar: hasEvents && !isOff('calendar') && takesSubscribers(),
  };
  return (Object.keys(PAGES) as LinkPage[]).filter((page) => open[page]);
}

/** Whether any music was ever reported: until then the part may be switched on, but has nothing to show. */
const hasMusic = (ctx: Context): boolean =>
  ctx.config.SETLIST_DB && (findDeviceRow(ctx.db) !== undefined || findLatestPlay(ctx) !== undefined);

/** @param origin prefix of the address, empty for a relative one */
export function linkSlide(page: LinkPage, origin: string): LinkSlide {
  const { path, title, body } = PAGES[page];
  const qrImageUrl = `/api/image/link-qr/${page}`;
  return {
    id: `link-${page}`,
    type: 'link',
    title: forClub(title),
    body: forClub(body),
    imageUrl: '',
    qrImageUrl,
    url: origin + path,
  };
}

/** The path of a page by its name; undefined for an unknown name. */
export function linkPath(page: string): string | undefined {
  return ownValue({ ...PAGES, ...PEOPLE }, page)?.path;
}
