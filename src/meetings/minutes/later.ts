import { type SqlBool, sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build, ONE, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import type { Note, Words } from '#kernel/language/words.ts';
import { listItems } from '#meetings/items.ts';
import { namesOfTwo } from '#voting/elections/history.ts';

const VOIDED = t('meetings.minutes.later_voided');

/** What changes a result after the minutes say it, in words. */
const CHANGES: Record<string, Words> = {
  'paper.joined': t('meetings.minutes.later_paper_joined'),
  'results.manual_set': t('meetings.minutes.later_manual_set'),
  'results.manual_cleared': t('meetings.minutes.later_manual_cleared'),
  'election.voided': VOIDED,
  'meeting.item_declared': t('meetings.minutes.later_declared'),
  'meeting.item_voided': VOIDED,
  'election.lot_drawn': t('meetings.minutes.later_lot'),
  'option.withdrawn': t('meetings.minutes.later_option'),
  'candidate.withdrawn': t('meetings.minutes.later_candidate'),
};

/** A change of a result after the minutes were signed. */
export interface LaterChange {
  at: string;
  /** The title of the item. */
  item: string;
  what: Words;
  reason: string | null;
  /** The two people who did it together; absent where one was enough. */
  by?: Note;
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
    const what = CHANGES[entry.action]!;
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
