import type { Site } from '#kernel/site.ts';
import type { NavLink } from './admin-nav.ts';

interface PatronPage extends NavLink {
  /** Whether it is also in the row beside the menu, which wide windows show. */
  inRow?: boolean;
  /** Whether the site has this page; absent where every site has it. */
  shown?: (site: Site) => boolean;
}

/** Links of the menu under one heading. */
export interface NavGroup {
  label: string;
  links: readonly PatronPage[];
}

/** Every page that members and patrons may open, in the order of the menu. */
const GROUPS: readonly NavGroup[] = [
  {
    label: 'At the pub',
    links: [
      { href: '/events', label: 'What’s on', inRow: true, shown: ({ parts }) => parts.screens },
      { href: '/events#hours', label: 'Opening hours', shown: ({ parts }) => parts.screens },
      { href: '/menu', label: 'Drinks and food', shown: ({ hasMenu }) => hasMenu },
      { href: '/tenders/', label: 'Behind the bar', shown: ({ parts }) => parts.screens },
      { href: '/now', label: 'Now playing', inRow: true, shown: ({ parts }) => parts.music },
      { href: '/requests', label: 'Ask for a song', shown: ({ parts }) => parts.requests },
      { href: '/setlist', label: 'The setlist', shown: ({ parts }) => parts.music },
      { href: '/screen', label: 'Films', shown: ({ parts }) => parts.films },
      { href: '/feedback', label: 'Send feedback', shown: ({ parts }) => parts.feedback },
    ],
  },
  {
    label: 'The club',
    links: [
      { href: '/', label: 'Elections', inRow: true, shown: ({ parts }) => parts.voting },
      { href: '/programme', label: 'The programme', shown: ({ parts }) => parts.calendar },
      {
        href: '/subscribe-programs',
        label: 'Calendar',
        inRow: true,
        shown: ({ parts, canMail }) => parts.calendar && canMail,
      },
      { href: '/me', label: 'Your own page' },
    ],
  },
];

/** The menu of members and patrons: the pages that this site has, in groups. */
export function patronMenu(site: Site): NavGroup[] {
  return GROUPS.map(({ label, links }) => ({
    label,
    links: links.filter(({ shown }) => shown?.(site) ?? true),
  })).filter(({ links }) => links.length > 0);
}

/** The links that a wide window shows beside the menu. */
export const patronRow = (menu: readonly NavGroup[]): readonly NavLink[] =>
  menu.flatMap(({ links }) => links.filter(({ inRow }) => inRow));
