import { type SqlBool, sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build, ONE, type Reader } from '#kernel/db/queries.ts';
import { listItems } from '#meetings/items.ts';
import { namesOfTwo } from '#voting/elections/history.ts';

/** What changes a result after the minutes say it, in words. */
const CHANGES: Record<string, string> = {
  'paper.joined': 'ballots on paper joined',
  'results.manual_set': 'figures were certified',
  'results.manual_cleared': 'certified figures were taken back',
  'election.voided': 'the vote is void',
  'meeting.item_declared': 'the result was announced',
  'meeting.item_voided': 'the vote is void',
  'election.lot_drawn': 'a lot was drawn',
  'option.withdrawn': 'an option was withdrawn',
  'candidate.withdrawn': 'a candidate was withdrawn',
};

/** A change of a result after the minutes were signed. */
export interface LaterChange {
  at: string;
  /** The title of the item. */
  item: string;
  what: string;
  reason: string | null;
  /** The two people who did it together; absent where one was enough. */
  by?: string;
}

/** What changed a result after a version of the minutes was signed by both, as the log has it; each once. */
export function listLaterChanges(reader: Reader, meetingId: string, version: number): LaterChange[] {
  const signed = reader.first(
    build
      .selectFrom('audit_log')
      .select('seq')
      .where('action', '=', 'meeting.minutes_signed')
      .where(sql<SqlBool>`metadata ->> 'meeting' = ${meetingId} AND metadata ->> 'version' = ${version}`)
      .orderBy('seq', 'desc')
      .limit(ONE),
  );
  if (!signed) return [];
  const items = listItems(reader, meetingId);
  const entries = reader.all(
    build
      .selectFrom('audit_log')
      .select(['action', 'timestamp', 'election_id', 'metadata', 'personal'])
      .where('action', 'in', Object.keys(CHANGES))
      .where('seq', '>', signed.seq)
      .orderBy('seq'),
  );
  const changes = entries.flatMap((entry): LaterChange[] => {
    const { item: id, reason, by_two } = shownMetadata(entry);
    const item = items.find(
      (one) => one.id === id || (entry.election_id !== null && one.election_id === entry.election_id),
    );
    if (!item) return [];
    const what = CHANGES[entry.action] ?? entry.action;
    return [
      {
        at: isoTime(entry.timestamp),
        item: item.title,
        what,
        reason: typeof reason === 'string' ? reason : null,
        ...(Array.isArray(by_two) && { by: namesOfTwo(reader, by_two) }),
      },
    ];
  });
  // The void of an item is recorded of the item and of its question.
  return changes.filter(
    ({ at, item, what }, index) =>
      !changes.slice(0, index).some((one) => one.at === at && one.item === item && one.what === what),
  );
}
