import { type SqlBool, sql } from 'kysely';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { actorName } from '#people/actor-names.ts';

/** What everybody may know of an election's life, as the audit log calls it. */
export const HISTORY_ACTIONS = [
  'election.created',
  'election.opened',
  'electors.added',
  'election.text_changed',
  'election.dates_changed',
  'election.settings_changed',
  'election.closed',
  'election.reopened',
  'batch.deleted',
  'results.settled',
  'election.sealed',
  'results.manual_set',
  'results.manual_cleared',
] as const;

export interface HistoryEvent {
  action: (typeof HISTORY_ACTIONS)[number];
  /** Milliseconds. */
  at: number;
  /** The name of the person, or `clock`; null where only an officer is known. */
  by: string | null;
  metadata: Record<string, unknown>;
}

/** What has happened to an election, oldest first: what the public page shows for good. */
export function listHistory(reader: Reader, electionId: string): HistoryEvent[] {
  const rows = reader.all(
    build
      .selectFrom('audit_log')
      .select(['action', 'timestamp', 'metadata', 'personal'])
      .where('action', 'in', HISTORY_ACTIONS)
      // By the index of the actions: most entries of an election are its votes.
      .where(sql<SqlBool>`+election_id = ${electionId}`)
      .orderBy('seq'),
  );
  return rows.map(({ action, timestamp, ...row }) => {
    const { by, ...rest } = shownMetadata(row);
    return {
      action: action as HistoryEvent['action'],
      at: timestamp,
      by: typeof by === 'string' ? actorName(reader, by) : null,
      metadata: rest,
    };
  });
}

/** Codes made since the election opened; null where it has not, or nobody recorded how many there were. */
export function tokensMadeSinceOpening(
  { electors, tokens_deleted }: { electors: number | null; tokens_deleted: number },
  issued: number,
): number | null {
  return electors === null ? null : Math.max(0, issued + tokens_deleted - electors);
}
