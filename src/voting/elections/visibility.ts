import type { AuditReader } from '#kernel/access/audit-listing.ts';
import type { Permission } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { readSettings } from '#voting/election-settings.ts';
import { type Election, electionStatus, findElection } from './elections.ts';

/** The code of the refusal that says why figures are hidden. */
export type HiddenBecause =
  | 'results_hidden'
  | 'results_withheld'
  | 'results_not_announced'
  | 'papers_awaited';

/**
 * Returns why the result of an election is hidden: until the close by the settings or after a re-opening, and after
 * the close while an owner has not shown figures that only few ballots changed, or while the result is not announced.
 * A void election says that it is void before anything else, so nothing of it is hidden; `hasNoFigures` says whether it
 * shows more than its turnout. Every surface uses this.
 * @param granted permissions of the officer for whom an officers' page or answer is made; nobody else sees a result
 * that is not announced
 */
export function whyHidden(
  election: Election,
  now: number,
  granted?: ReadonlySet<Permission>,
): HiddenBecause | undefined {
  if (election.voided_at !== null) return undefined;
  const { hide_results_until_close, announce } = readSettings(election.settings);
  if (electionStatus(election, now) !== 'closed')
    return hide_results_until_close || election.reopened_at !== null ? 'results_hidden' : undefined;
  if (election.figures_withheld === 1) return 'results_withheld';
  const isAnnounced = announce === 'at_close' || election.announced_at !== null;
  if (!isAnnounced && !granted?.has('elections:certify')) return 'results_not_announced';
  // Whoever counts papers must not know what they would have to say.
  return election.papers_awaited === 1 ? 'papers_awaited' : undefined;
}

/**
 * Whether an election is void and shows its turnout alone, for ever and to everybody: it became void before its close,
 * so nobody was ever shown its result; its figures can show single votes; or its papers were not counted.
 */
export const hasNoFigures = ({
  voided_at,
  announced_at,
  figures_withheld,
  papers_awaited,
}: Pick<Election, 'voided_at' | 'announced_at' | 'figures_withheld' | 'papers_awaited'>): boolean =>
  voided_at !== null && (announced_at === null || figures_withheld === 1 || papers_awaited === 1);

/**
 * Whether nobody learns who has voted, because an election is void, or every question of a paper that was opened. The
 * number of ballots is public all the same.
 */
export function areVotersHidden(reader: Reader, issuerId: string): boolean {
  const opened = reader.all(openedOf({ id: issuerId }));
  return opened.length > 0 && opened.every(({ voided_at }) => voided_at !== null);
}

const openedOf = prepare((p: { id: string }) =>
  build
    .selectFrom('elections')
    .select('voided_at')
    .where((is) => is.or([is('id', '=', p.id), is('paper_id', '=', p.id)]))
    .where((is) => is.or([is('opened_at', 'is not', null), is('voided_at', 'is not', null)])),
);

/** Whether nobody but the officer of `granted` may see figures, see `whyHidden`. */
export const areResultsHidden = (
  election: Election,
  now: number,
  granted?: ReadonlySet<Permission>,
): boolean => hasNoFigures(election) || whyHidden(election, now, granted) !== undefined;

/** The reader of the audit log on officers' pages: what tells of figures is shown once everybody sees these. */
export const auditReader = (
  ctx: Context,
  permissions: ReadonlySet<Permission> = new Set(),
): Required<AuditReader> => ({
  permissions,
  now: ctx.now(),
  arePublic(id) {
    const election = findElection(ctx.db, id);
    if (!election) return false;
    const hands = findHands(ctx.db, id);
    return hands
      ? hands.state === 'declared' || hands.state === 'void'
      : !areResultsHidden(election, ctx.now());
  },
});

/** What the chair has done with a question whose hands were counted in a meeting. */
const findHands = (reader: Reader, election_id: string) =>
  reader.first(
    build
      .selectFrom('meeting_items')
      .select('state')
      .where('election_id', '=', election_id)
      .where('counted', 'is not', null),
  );
