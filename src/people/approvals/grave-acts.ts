import type { Permission } from '#kernel/access/roles.ts';

/** An act with serious effects. */
export interface GraveAct {
  /** For lists of these acts. */
  words: string;
  /** The permission needed to do or confirm it; by default the one for acts about an election. */
  permission?: Permission;
  /** Whether two people do it even where the club lets one be enough. */
  always?: true;
  /** Whether it can be confirmed with a role of less than seven days: roles in a meeting are given for its day. */
  anyRole?: true;
}

/**
 * The acts that no person should do without others knowing. Routes ask with these names, and /admin/approvals and the
 * README list them.
 */
export const GRAVE_ACTS = {
  close: { words: 'closing before the time' },
  dates: { words: 'other dates of an election that has opened' },
  void: { words: 'declaring an election void' },
  withdrawal: { words: 'withdrawing a name after the opening' },
  deletion: { words: 'deleting an election or a ballot paper' },
  figures: { words: 'certified figures' },
  codes: {
    words: 'voting codes and electors that are added, replaced, withdrawn or deleted while voting is open',
  },
  cards: { words: 'voting cards that are printed while voting is open' },
  roles: { words: 'new officers and owners, and roles taken away', permission: 'roles:write' },
  access: { words: 'addresses and sign-in links of people with a role', permission: 'roles:write' },
  address: {
    words: 'the address of the service, its mail server and its OpenID provider',
    permission: 'settings:write',
  },
  rule: { words: 'letting one person be enough', permission: 'settings:write' },
  meeting_void: { words: 'making a closed vote of a meeting void', always: true, anyRole: true },
  meeting_withdrawal: { words: 'withdrawing a name from a vote of a meeting that is open', always: true },
  meeting_figures: { words: 'certified figures of a vote of a meeting', always: true },
  late_papers: { words: 'papers that join an announced result', always: true },
} as const satisfies Record<string, GraveAct>;

export type GraveActName = keyof typeof GRAVE_ACTS;

const TABLE: Readonly<Record<GraveActName, GraveAct>> = GRAVE_ACTS;

/** An act of the table by its name. */
export const graveAct = (name: GraveActName): GraveAct => TABLE[name];

/** The acts in words. @param always those that two people do in any case, or the others */
export const graveActWords = (always: boolean): string[] =>
  Object.values(TABLE).flatMap((act) => (Boolean(act.always) === always ? [act.words] : []));
