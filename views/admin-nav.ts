import type { Identity } from '#kernel/access/permissions.ts';
import { holds, type Needed } from '#kernel/access/roles.ts';
import type { Part } from '#kernel/settings/parts.ts';

/** An entry of the navigation. */
export interface NavLink {
  href: string;
  label: string;
}

/** The pages of a group that somebody may open. */
export interface AdminGroup {
  label: string;
  links: readonly NavLink[];
}

interface AdminPage extends NavLink {
  /** The permission that the page needs. */
  needs: Needed | 'officer' | 'any';
  /** The parts of the service that the page belongs to; it is hidden where all of them are switched off. */
  parts?: readonly Part[];
}

/**
 * The pages of officers and staff in the navigation. A page has its label as its title and its heading, so that whoever
 * follows a link knows that it is the right one.
 */
const GROUPS: readonly { label: string; pages: readonly AdminPage[] }[] = [
  {
    label: 'Votes',
    pages: [
      { href: '/admin', label: 'Elections', needs: 'officer', parts: ['voting'] },
      {
        href: '/admin/meetings',
        label: 'Meetings',
        needs: ['meetings:door', 'meetings:count'],
        parts: ['voting'],
      },
      { href: '/admin/bulk-invites', label: 'Invitations', needs: 'elections:run', parts: ['voting'] },
      { href: '/admin/distribution-lists', label: 'Distribution lists', needs: 'officer', parts: ['voting'] },
    ],
  },
  {
    label: 'Bar',
    pages: [
      { href: '/admin/pub', label: 'Tonight', needs: 'any' },
      { href: '/admin/pub/last-night', label: 'Last night', needs: 'any' },
      { href: '/admin/pub/screens', label: 'Screens', needs: 'now_showing:read', parts: ['screens'] },
      { href: '/admin/feedback', label: 'Feedback', needs: 'feedback:read', parts: ['feedback'] },
    ],
  },
  {
    label: 'Programme',
    pages: [
      { href: '/admin/content', label: 'Content', needs: 'content:read', parts: ['screens', 'calendar'] },
      { href: '/admin/calendar', label: 'Calendar', needs: 'calendar:read', parts: ['calendar'] },
    ],
  },
  {
    label: 'Club',
    pages: [
      { href: '/admin/people', label: 'People', needs: 'people:read' },
      { href: '/admin/people/kinds', label: 'Kinds and groups', needs: 'people:read' },
      { href: '/admin/pub/roles', label: 'Roles', needs: 'roles:read' },
    ],
  },
  {
    label: 'House',
    pages: [
      { href: '/admin/settings', label: 'Settings', needs: 'settings:write' },
      { href: '/admin/health', label: 'Health', needs: 'settings:write' },
      { href: '/admin/mails', label: 'Mails', needs: 'settings:write' },
      { href: '/admin/backups', label: 'Backups', needs: 'settings:write' },
      { href: '/admin/audit-logs', label: 'Audit log', needs: 'officer' },
      { href: '/admin/pub/audit', label: 'Audit log', needs: 'audit:read' },
    ],
  },
];

/**
 * The navigation of officers and staff: the pages that this person may open, each label once, in groups that are not
 * empty.
 * @param off see `Site`
 */
export function adminMenu(
  viewer: Identity | undefined,
  off: ReadonlySet<Part> = new Set(),
): readonly AdminGroup[] {
  if (!viewer) return [];
  const { officer, permissions, granted } = viewer;
  const isOpen = ({ needs, parts }: AdminPage) => {
    if (parts?.every((part) => off.has(part))) return false;
    if (needs === 'officer') return officer;
    if (needs === 'elections:run') return officer && (granted?.has(needs) ?? true);
    if (typeof needs !== 'string') return officer || holds(granted ?? permissions, needs);
    return needs === 'any' ? permissions.size > 0 : permissions.has(needs);
  };
  return GROUPS.map(({ label, pages }) => ({
    label,
    links: [...Map.groupBy(pages.filter(isOpen), (page) => page.label).values()].map(([first]) => first!),
  })).filter(({ links }) => links.length > 0);
}

/** The address of the search of officers and staff, which the key `/` opens. */
export const SEARCH = '/admin/search';

/** The first page that somebody may open; undefined without any. */
export const adminHome = (viewer: Identity | undefined, off?: ReadonlySet<Part>): NavLink | undefined =>
  adminMenu(viewer, off)[0]?.links[0];
