import type { Identity } from '#kernel/access/permissions.ts';
import { holds, type Needed } from '#kernel/access/roles.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Part } from '#kernel/settings/parts.ts';

/** An entry of the navigation. */
export interface NavLink {
  href: string;
  label: Words;
}

/** The pages of a group that somebody may open. */
export interface AdminGroup {
  label: Words;
  links: readonly NavLink[];
}

interface AdminPage extends NavLink {
  /** The permission that the page needs. */
  needs: Needed | 'officer' | 'any';
  /** The parts of the service that the page belongs to; it is hidden where all of them are switched off. */
  parts?: readonly Part[];
}

/** The same for two pages, of which each reader has one. */
const AUDIT_LOG = t('settings.nav.audit_log');

/**
 * The pages of officers and staff in the navigation. A page has its label as its title and its heading, so that whoever
 * follows a link knows that it is the right one.
 */
const GROUPS: readonly { label: Words; pages: readonly AdminPage[] }[] = [
  {
    label: t('settings.nav.votes'),
    pages: [
      { href: '/admin', label: t('settings.nav.elections'), needs: 'officer', parts: ['voting'] },
      {
        href: '/admin/meetings',
        label: t('settings.nav.meetings'),
        needs: ['meetings:door', 'meetings:count'],
        parts: ['voting'],
      },
      {
        href: '/admin/bulk-invites',
        label: t('settings.nav.invitations'),
        needs: 'elections:run',
        parts: ['voting'],
      },
      {
        href: '/admin/distribution-lists',
        label: t('settings.nav.distribution_lists'),
        needs: 'officer',
        parts: ['voting'],
      },
    ],
  },
  {
    label: t('settings.nav.bar'),
    pages: [
      { href: '/admin/pub', label: t('settings.nav.tonight'), needs: 'any' },
      { href: '/admin/pub/last-night', label: t('settings.nav.last_night'), needs: 'any' },
      {
        href: '/admin/pub/screens',
        label: t('settings.nav.screens'),
        needs: 'now_showing:read',
        parts: ['screens'],
      },
      {
        href: '/admin/feedback',
        label: t('settings.nav.feedback'),
        needs: 'feedback:read',
        parts: ['feedback'],
      },
    ],
  },
  {
    label: t('settings.nav.programme'),
    pages: [
      {
        href: '/admin/content',
        label: t('settings.nav.content'),
        needs: 'content:read',
        parts: ['screens', 'calendar'],
      },
      {
        href: '/admin/calendar',
        label: t('settings.nav.calendar'),
        needs: 'calendar:read',
        parts: ['calendar'],
      },
    ],
  },
  {
    label: t('settings.nav.club'),
    pages: [
      { href: '/admin/people', label: t('settings.nav.people'), needs: 'people:read' },
      { href: '/admin/people/kinds', label: t('settings.nav.kinds_groups'), needs: 'people:read' },
      { href: '/admin/pub/roles', label: t('settings.nav.roles'), needs: 'roles:read' },
    ],
  },
  {
    label: t('settings.nav.house'),
    pages: [
      { href: '/admin/settings', label: t('settings.nav.settings'), needs: 'settings:write' },
      { href: '/admin/health', label: t('settings.nav.health'), needs: 'settings:write' },
      { href: '/admin/mails', label: t('settings.nav.mails'), needs: 'settings:write' },
      { href: '/admin/backups', label: t('settings.nav.backups'), needs: 'settings:write' },
      { href: '/admin/audit-logs', label: AUDIT_LOG, needs: 'officer' },
      { href: '/admin/pub/audit', label: AUDIT_LOG, needs: 'audit:read' },
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
