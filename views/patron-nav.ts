import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Site } from '#kernel/site.ts';

/** A link to a page of members and patrons. */
export interface PatronLink {
  href: string;
  label: Words | string;
}

interface PatronPage extends PatronLink {
  /** Its words in the row beside the menu, which wide windows show; absent if it is only in the menu. */
  inRow?: Words | string | undefined;
  shown: boolean;
}

/** Links of the menu under one heading. */
export interface NavGroup {
  label: Words;
  links: readonly PatronLink[];
}

/** The links of members and patrons. */
export interface PatronNav {
  /** Where the name of the club leads. */
  home: string;
  /** The links that a wide window shows beside the menu. */
  row: readonly PatronLink[];
  menu: readonly NavGroup[];
}

/** Whether the front page is that of a pub, on which the elections are a part. */
const isPub = ({ parts }: Site): boolean => parts.screens || parts.music;

/** The list of elections. */
export const electionsLink = (site: Site): PatronLink =>
  isPub(site)
    ? { href: '/#vote', label: t('common.nav.vote') }
    : { href: '/', label: t('common.nav.elections') };

/** The programme of the club, and the same in a calendar of one's own. */
export const PROGRAMME_LINK = { href: '/programme', label: t('common.nav.programme') } as const;
export const CALENDAR_LINK = { href: '/subscribe-programs', label: t('common.nav.calendar') } as const;

/** Every page that members and patrons may open, in the order of the menu: first what a guest asks for most. */
function groupsOf(site: Site): readonly { label: Words; links: readonly PatronPage[] }[] {
  const { parts, hasMenu, canMail } = site;
  const elections = electionsLink(site);
  return [
    {
      label: t('common.nav.pub'),
      links: [
        {
          href: '/events',
          label: t('common.nav.whats_on'),
          inRow: t('common.nav.whats_on'),
          shown: parts.screens,
        },
        {
          href: '/menu',
          label: t('common.nav.drinks_and_food'),
          inRow: t('common.nav.drinks'),
          shown: hasMenu,
        },
        { href: '/hours', label: t('common.nav.hours'), shown: parts.screens },
        { href: '/requests', label: t('common.nav.song'), shown: parts.requests },
        { href: '/tenders/', label: t('common.nav.behind_the_bar'), shown: parts.screens },
      ],
    },
    {
      label: t('common.nav.music'),
      links: [
        {
          href: '/now',
          label: t('common.nav.now_playing'),
          inRow: t('common.nav.now_playing'),
          shown: parts.music,
        },
        { href: '/setlist', label: t('common.nav.setlist'), shown: parts.music },
        { href: '/screen', label: t('common.nav.films'), shown: parts.films },
      ],
    },
    {
      label: t('common.nav.club'),
      links: [
        { ...elections, inRow: elections.label, shown: parts.voting },
        {
          ...PROGRAMME_LINK,
          inRow: isPub(site) || canMail ? undefined : PROGRAMME_LINK.label,
          shown: parts.calendar,
        },
        {
          ...CALENDAR_LINK,
          inRow: isPub(site) ? undefined : CALENDAR_LINK.label,
          shown: parts.calendar && canMail,
        },
        { href: '/feedback', label: t('common.nav.feedback'), shown: parts.feedback },
        { href: '/me', label: t('common.nav.own_page'), shown: true },
      ],
    },
  ];
}

/** The links to the pages that this site has. */
export function patronNav(site: Site): PatronNav {
  const menu = groupsOf(site)
    .map(({ label, links }) => ({ label, links: links.filter(({ shown }) => shown) }))
    .filter(({ links }) => links.length > 0);
  const row = menu
    .flatMap(({ links }) => links)
    .flatMap(({ href, inRow }) => (inRow === undefined ? [] : [{ href, label: inRow }]));
  const hasFront = isPub(site) || site.parts.voting;
  return { home: hasFront ? '/' : (row[0]?.href ?? '/'), row, menu };
}
