import { forbidden } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';

/** All permissions, each with its description for people. */
export const PERMISSIONS = {
  'controls:write': t('people.permission.controls_write'),
  'lighting:write': t('people.permission.lighting_write'),
  'lighting:strobe': t('people.permission.lighting_strobe'),
  'sound:write': t('people.permission.sound_write'),
  'now_showing:read': t('people.permission.now_showing_read'),
  'now_showing:write': t('people.permission.now_showing_write'),
  'screenings:write': t('people.permission.screenings_write'),
  'requests:moderate': t('people.permission.requests_moderate'),
  'feedback:read': t('people.permission.feedback_read'),
  'feedback:write': t('people.permission.feedback_write'),
  'calendar:read': t('people.permission.calendar_read'),
  'calendar:write': t('people.permission.calendar_write'),
  'roles:read': t('people.permission.roles_read'),
  'roles:write': t('people.permission.roles_write'),
  'audit:read': t('people.permission.audit_read'),
  'elections:read': t('people.permission.elections_read'),
  'elections:write': t('people.permission.elections_write'),
  'elections:run': t('people.permission.elections_run'),
  'elections:certify': t('people.permission.elections_certify'),
  'elections:export': t('people.permission.elections_export'),
  'meetings:door': t('people.permission.meetings_door'),
  'meetings:count': t('people.permission.meetings_count'),
  'people:read': t('people.permission.people_read'),
  'people:write': t('people.permission.people_write'),
  'people:export': t('people.permission.people_export'),
  'people:erase': t('people.permission.people_erase'),
  'people:sign_in': t('people.permission.people_sign_in'),
  'content:read': t('people.permission.content_read'),
  'content:write': t('people.permission.content_write'),
  'screens:takeover': t('people.permission.screens_takeover'),
  'menu:stock': t('people.permission.menu_stock'),
  'screens:manage': t('people.permission.screens_manage'),
  'settings:write': t('people.permission.settings_write'),
} as const;

export type Permission = keyof typeof PERMISSIONS;

/** What a route needs: a permission, or one of several. */
export type Needed = Permission | readonly [Permission, ...Permission[]];

/** Whether somebody with these permissions may do what needs `needed`. */
export const holds = (granted: ReadonlySet<Permission> | undefined, needed: Needed): boolean =>
  [needed].flat().some((permission) => granted?.has(permission) ?? false);

/** The permission that a refusal names. */
export const namedOf = (needed: Needed): Permission => (typeof needed === 'string' ? needed : needed[0]);

/** The 403 for somebody who lacks a permission. */
export function lacksPermission(needed: Needed) {
  const permission = namedOf(needed);
  return forbidden(
    'permission_required',
    { permission, words: PERMISSIONS[permission] },
    { extra: { permission } },
  );
}

/** The permissions of PUB_ADMIN_TOKEN: those of pub and calendar from before elections and people had roles too. */
export const PUB_PERMISSIONS = [
  'controls:write',
  'lighting:write',
  'lighting:strobe',
  'sound:write',
  'now_showing:read',
  'now_showing:write',
  'screenings:write',
  'requests:moderate',
  'feedback:read',
  'feedback:write',
  'calendar:read',
  'calendar:write',
  'roles:read',
  'roles:write',
  'audit:read',
  'screens:manage',
] as const satisfies Permission[];

export const ELECTION_PERMISSIONS = [
  'elections:read',
  'elections:write',
  'elections:run',
  'elections:certify',
  'elections:export',
  'meetings:door',
  'meetings:count',
] as const satisfies Permission[];

/**
 * Bundles of permissions that a person can be given. All but `owner` are listed in full: a computed one would grow with
 * every new permission.
 */
export const ROLES = {
  owner: Object.keys(PERMISSIONS) as Permission[],
  officer: [...ELECTION_PERMISSIONS, 'people:read', 'roles:read', 'audit:read'],
  /** Leads a meeting; given for its day. */
  chair: ['elections:read', 'elections:run', 'elections:certify', 'meetings:door', 'meetings:count'],
  /** Keeps the door of a meeting; given for its day. */
  door: ['meetings:door'],
  /** Enters its papers; given for its day. Never sees figures before they are announced. */
  teller: ['meetings:count'],
  secretary: [
    'elections:read',
    'elections:write',
    'people:read',
    'people:write',
    'people:export',
    'people:erase',
    'people:sign_in',
    'content:read',
    'content:write',
    'roles:read',
    'audit:read',
    'screens:takeover',
  ],
  manager: [
    'controls:write',
    'lighting:write',
    'lighting:strobe',
    'sound:write',
    'now_showing:read',
    'now_showing:write',
    'screenings:write',
    'requests:moderate',
    'feedback:read',
    'feedback:write',
    'calendar:read',
    'calendar:write',
    'roles:read',
    'audit:read',
    'content:read',
    'content:write',
    'screens:takeover',
    'menu:stock',
    'screens:manage',
  ],
  dj: [
    'controls:write',
    'lighting:write',
    'lighting:strobe',
    'sound:write',
    'requests:moderate',
    'content:read',
  ],
  tender: [
    'controls:write',
    'lighting:write',
    'lighting:strobe',
    'sound:write',
    'now_showing:read',
    'now_showing:write',
    'requests:moderate',
    'feedback:read',
    'content:read',
    'screens:takeover',
    'menu:stock',
    'screens:manage',
  ],
  events: [
    'now_showing:read',
    'now_showing:write',
    'screenings:write',
    'calendar:read',
    'calendar:write',
    'content:read',
    'content:write',
    'screens:takeover',
  ],
  auditor: [
    'now_showing:read',
    'feedback:read',
    'calendar:read',
    'roles:read',
    'audit:read',
    'elections:read',
    'elections:export',
    'people:read',
    'content:read',
  ],
  viewer: ['now_showing:read', 'feedback:read', 'calendar:read', 'roles:read', 'content:read'],
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof ROLES;

/** The roles that PUB_ADMIN_TOKEN grants and takes away, those of the pub. */
export const PUB_ROLES: readonly string[] = ['manager', 'dj', 'tender', 'events', 'viewer'] satisfies Role[];

/** Their names for people. */
export const ROLE_LABELS: Readonly<Record<Role, Words>> = {
  owner: t('people.role.owner'),
  officer: t('people.role.officer'),
  chair: t('people.role.chair'),
  door: t('people.role.door'),
  teller: t('people.role.teller'),
  secretary: t('people.role.secretary'),
  manager: t('people.role.manager'),
  dj: t('people.role.dj'),
  tender: t('people.role.tender'),
  events: t('people.role.events'),
  auditor: t('people.role.auditor'),
  viewer: t('people.role.viewer'),
};

/** The label of a role, or the name of one that this version does not know. */
export const roleLabel = (role: string): Words | string => (isRole(role) ? ROLE_LABELS[role] : role);

/** Whether this is the name of a role; names come from clients and from older versions. */
export const isRole = (name: string): name is Role => Object.hasOwn(ROLES, name);

/** The permissions of several roles together; unknown roles have none. */
export function permissionsOf(roles: readonly string[]): ReadonlySet<Permission> {
  return new Set(roles.flatMap((role) => (isRole(role) ? ROLES[role] : [])));
}
