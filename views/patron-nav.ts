import type { Site } from '#kernel/site.ts';
import type { NavLink } from './admin-nav.ts';

interface PatronPage extends NavLink {
  /** Its words in the row beside the menu, which wide windows show; absent if it is only in the menu. */
  inRow?: string | undefined;
  shown: boolean;
}

/** Links of the menu under one heading. */
export interface NavGroup {
  label: string;
  links: readonly NavLink[];
}

/** The links of members and patrons. */
export interface PatronNav {
  /** Where the name of the club leads. */
  home: string;
  /** The links that a wide window shows beside the menu. */
  row: readonly NavLink[];
  menu: readonly NavGroup[];
}

/** Whether the front page is that of a pub, on which the elections are a part. */
const isPub = ({ parts }: Site): boolean => parts.screens || parts.music;

/** The list of elections. */
export const electionsLink = (site: Site): NavLink =>
  isPub(site) ? { href: '/#vote', label: 'Vote' } : { href: '/', label: 'Elections and results' };

/** The programme of the club, and the same in a calendar of one's own. */
export const PROGRAMME_LINK = { href: '/programme', label: 'All events of the season' } as const;
export const CALENDAR_LINK = { href: '/subscribe-programs', label: 'In your calendar' } as const;

/** Every page that members and patrons may open, in the order of the menu: first what a guest asks for most. */
function groupsOf(site: Site): readonly { label: string; links: readonly PatronPage[] }[] {
  const { parts, hasMenu, canMail } = site;
  const elections = electionsLink(site);
  return [
    {
      label: 'At the pub',
      links: [
        { href: '/events', label: 'What’s on', inRow: 'What’s on', shown: parts.screens },
        { href: '/menu', label: 'Drinks and food', inRow: 'Drinks', shown: hasMenu },
        { href: '/hours', label: 'Opening hours', shown: parts.screens },
        { href: '/requests', label: 'Ask for a song', shown: parts.requests },
        { href: '/tenders/', label: 'Behind the bar', shown: parts.screens },
      ],
    },
    {
      label: 'Music and films',
      links: [
        { href: '/now', label: 'Now playing', inRow: 'Now playing', shown: parts.music },
        { href: '/setlist', label: 'The setlist', shown: parts.music },
        { href: '/screen', label: 'Films', shown: parts.films },
      ],
    },
    {
      label: 'The club',
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
        { href: '/feedback', label: 'Send feedback', shown: parts.feedback },
        { href: '/me', label: 'Your own page', shown: true },
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
