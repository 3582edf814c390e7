import { forbidden } from '#kernel/http/errors.ts';

/** All permissions, each with its description for people. */
export const PERMISSIONS = {
  'controls:write': 'Display and lyrics switches',
  'lighting:write': 'Lights',
  'lighting:strobe': 'Strobe light',
  'sound:write': 'Sound mode',
  'now_showing:read': 'See what is showing and why',
  'now_showing:write': 'Choose what is showing',
  'screenings:write': 'Screenings: revert, close, rename',
  'requests:moderate': 'Song requests and plays',
  'feedback:read': 'Read feedback',
  'feedback:write': 'Answer feedback',
  'calendar:read': 'See calendar subscribers',
  'calendar:write': 'Stop and start calendar subscribers',
  'roles:read': 'See who may do what',
  'roles:write': 'Decide who may do what',
  'audit:read': 'Read the audit log',
  'elections:read': 'See elections, turnout and invitations',
  'elections:write': 'Create and edit elections',
  'elections:run': 'Voting codes, invitations, reminders',
  'elections:certify': 'Close, re-open and delete elections, certified results',
  'elections:export': 'Download the ballots',
  'meetings:door': 'The door of a meeting: who is in, cards, papers',
  'meetings:count': 'Enter the papers of a meeting',
  'people:read': 'See the roll of members',
  'people:write': 'Change the roll of members',
  'people:export': 'Download the roll of members',
  'people:erase': 'Erase what is kept about a person',
  'people:sign_in': 'End the sessions of others, make sign-in links',
  'content:read': 'See drafts of events, hours and slides',
  'content:write': 'Change events, hours and slides',
  'screens:takeover': 'Fill the screens with a notice',
  'menu:stock': 'Say what is on tap and what is sold out',
  'screens:manage': 'Pair screens and decide what each shows',
  'settings:write': 'Change the settings of the club',
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
export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  officer: 'Officer',
  chair: 'Chair',
  door: 'Door',
  teller: 'Teller',
  secretary: 'Secretary',
  manager: 'Manager',
  dj: 'DJ',
  tender: 'Bartender',
  events: 'Events',
  auditor: 'Auditor',
  viewer: 'Viewer',
};

/** The label of a role, or the name of one that this version does not know. */
export const roleLabel = (role: string): string => (isRole(role) ? ROLE_LABELS[role] : role);

/** Whether this is the name of a role; names come from clients and from older versions. */
export const isRole = (name: string): name is Role => Object.hasOwn(ROLES, name);

/** The permissions of several roles together; unknown roles have none. */
export function permissionsOf(roles: readonly string[]): ReadonlySet<Permission> {
  return new Set(roles.flatMap((role) => (isRole(role) ? ROLES[role] : [])));
}
