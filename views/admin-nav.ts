import type { Identity } from '#kernel/access/permissions.ts';
import type { Permission } from '#kernel/access/roles.ts';
import type { Part } from '#kernel/settings/parts.ts';

/** An entry of the navigation. */
export interface NavLink {
  href: string;
  label: string;
}

/** The pages of officers and staff in the navigation, with the permission that each needs. */
const ADMIN_PAGES: readonly (NavLink & {
  needs: Permission | 'officer' | 'any';
  /** The parts of the service that the page belongs to; it is hidden where all of them are switched off. */
  parts?: readonly Part[];
})[] = [
  { href: '/admin', label: 'Elections', needs: 'officer', parts: ['voting'] },
  { href: '/admin/meetings', label: 'Meetings', needs: 'officer', parts: ['voting'] },
  { href: '/admin/bulk-invites', label: 'Invitations', needs: 'elections:run', parts: ['voting'] },
  { href: '/admin/distribution-lists', label: 'Lists', needs: 'officer', parts: ['voting'] },
  { href: '/admin/people', label: 'People', needs: 'people:read' },
  { href: '/admin/pub', label: 'Pub', needs: 'any' },
  { href: '/admin/content', label: 'Content', needs: 'content:read', parts: ['screens', 'calendar'] },
  { href: '/admin/feedback', label: 'Feedback', needs: 'feedback:read', parts: ['feedback'] },
  { href: '/admin/calendar', label: 'Calendar', needs: 'calendar:read', parts: ['calendar'] },
  { href: '/admin/pub/roles', label: 'Roles', needs: 'roles:read' },
  { href: '/admin/settings', label: 'Settings', needs: 'settings:write' },
  { href: '/admin/health', label: 'Health', needs: 'settings:write' },
  { href: '/admin/audit-logs', label: 'Audit log', needs: 'officer' },
  { href: '/admin/pub/audit', label: 'Audit log', needs: 'audit:read' },
];

/** The navigation of officers and staff: the pages this person may open, each label once. @param off see `Site` */
export function adminLinks(
  viewer: Identity | undefined,
  off: ReadonlySet<Part> = new Set(),
): readonly NavLink[] {
  if (!viewer) return [];
  const { officer, permissions, granted } = viewer;
  const open = ADMIN_PAGES.filter(({ needs, parts }) => {
    if (parts?.every((part) => off.has(part))) return false;
    if (needs === 'officer') return officer;
    if (needs === 'elections:run') return officer && (granted?.has(needs) ?? true);
    return needs === 'any' ? permissions.size > 0 : permissions.has(needs);
  });
  return open.filter(({ label }, index) => open.findIndex((other) => other.label === label) === index);
}
