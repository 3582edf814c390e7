import type { Permission } from '#kernel/access/roles.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';

/** An act with serious effects. */
export interface GraveAct {
  /** For lists of these acts. */
  words: Words;
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
  close: { words: t('people-admin.act.close') },
  dates: { words: t('people-admin.act.dates') },
  void: { words: t('people-admin.act.void') },
  withdrawal: { words: t('people-admin.act.withdrawal') },
  deletion: { words: t('people-admin.act.deletion') },
  figures: { words: t('people-admin.act.figures') },
  codes: {
    words: t('people-admin.act.codes'),
  },
  cards: { words: t('people-admin.act.cards') },
  roles: { words: t('people-admin.act.roles'), permission: 'roles:write' },
  access: { words: t('people-admin.act.access'), permission: 'roles:write' },
  address: {
    words: t('people-admin.act.address'),
    permission: 'settings:write',
  },
  rule: { words: t('people-admin.act.rule'), permission: 'settings:write' },
  meeting_void: { words: t('people-admin.act.meeting_void'), always: true, anyRole: true },
  meeting_withdrawal: { words: t('people-admin.act.meeting_withdrawal'), always: true },
  meeting_figures: { words: t('people-admin.act.meeting_figures'), always: true },
  late_papers: { words: t('people-admin.act.late_papers'), always: true },
} as const satisfies Record<string, GraveAct>;

export type GraveActName = keyof typeof GRAVE_ACTS;

const TABLE: Readonly<Record<GraveActName, GraveAct>> = GRAVE_ACTS;

/** An act of the table by its name. */
export const graveAct = (name: GraveActName): GraveAct => TABLE[name];

/** The acts in words. @param always those that two people do in any case, or the others */
export const graveActWords = (always: boolean): Words[] =>
  Object.values(TABLE).flatMap((act) => (Boolean(act.always) === always ? [act.words] : []));
