import { type SqlBool, sql } from 'kysely';
import { untilStored } from '#kernel/cache.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import { Note } from '#kernel/language/words.ts';
import { actorName } from '#people/actor-names.ts';
import type { Election } from './elections.ts';
import { countTokensMade, type Turnout } from './turnout.ts';

/** The audit actions of an election that are public. */
const HISTORY_ACTIONS = [
  'election.created',
  'election.opened',
  'election.opening_taken_back',
  'electors.added',
  'election.text_changed',
  'election.dates_changed',
  'election.attachment_changed',
  'election.settings_changed',
  'election.closed',
  'election.reopened',
  'election.lot_drawn',
  'paper.joined',
  'election.voided',
  'election.followed_up',
  'candidate.withdrawn',
  'option.withdrawn',
  'batch.deleted',
  'code.replaced',
  'code.withdrawn',
  'results.settled',
  'election.sealed',
  'results.shown',
  'results.announced',
  'results.manual_set',
  'results.manual_cleared',
  'database.restored',
] as const;

export interface HistoryEvent {
  action: (typeof HISTORY_ACTIONS)[number];
  /** Milliseconds. */
  at: number;
  /** The name of the person, or `clock`; null if only that an officer did it is known or may be shown. */
  by: Note | string | null;
  /** Whether these are the two people who did it together. */
  isByTwo: boolean;
  metadata: Record<string, unknown>;
}

const historyOf = (actions: readonly HistoryEvent['action'][]) =>
  prepare((p: { id: string }) =>
    build
      .selectFrom('audit_log')
      .select(['action', 'timestamp', 'metadata', 'personal'])
      .where('action', 'in', actions)
      // The plus makes SQLite use the index of the actions: most entries of an election are its votes.
      .where(sql<SqlBool>`(+election_id IN (${issuerIds(p.id)}) OR ${isAffected(p.id)})`)
      .orderBy('seq'),
  );

/** By their actions. */
const queries = new Map<string, ReturnType<typeof historyOf>>();

/** Returns the public history of an election, oldest first. Its page shows it permanently. */
export function listHistory(
  reader: Reader,
  electionId: string,
  actions: readonly HistoryEvent['action'][] = HISTORY_ACTIONS,
): HistoryEvent[] {
  const query = queries.getOrInsertComputed(actions.join(), () => historyOf(actions));
  const rows = reader.all(query({ id: electionId }));
  return rows.map(({ action, timestamp, ...row }) => {
    const { by, by_two, ...shown } = shownMetadata(row);
    // Why one elector got another code may name them: that is for officers.
    const { reason, ...others } = shown;
    const rest = action.startsWith('code.') ? others : shown;
    return {
      action: action as HistoryEvent['action'],
      at: timestamp,
      by: Array.isArray(by_two)
        ? namesOfTwo(reader, by_two)
        : typeof by === 'string'
          ? publicName(reader, by)
          : null,
      isByTwo: Array.isArray(by_two),
      metadata: rest,
    };
  });
}

/** The id of an election, and that of its paper: the log has changes of codes and electors of a paper with its id. */
export const issuerIds = (electionId: string) =>
  sql`${electionId}, (SELECT paper_id FROM elections WHERE id = ${electionId})`;

/** The names of the two people who did an act on an election last; undefined where one person was enough. */
export function findTwo(
  reader: Reader,
  electionId: string,
  action: HistoryEvent['action'],
  isMeant: (metadata: HistoryEvent['metadata']) => boolean = () => true,
): Note | undefined {
  const event = listHistory(reader, electionId, [action]).findLast(({ metadata }) => isMeant(metadata));
  return event?.by instanceof Note ? event.by : undefined;
}

/** The names of two people in public, by `person:<id>`; a name that is an address is not told. */
export function namesOfTwo(reader: Reader, people: readonly string[]): Note {
  const names = people.flatMap((by) => publicName(reader, by) ?? []);
  const [name] = names;
  if (name === undefined) return new Note(t('voting.history.two_officers'));
  return new Note(
    names.length < people.length ? t('voting.history.named_and_officer', { name }) : allOf(names),
  );
}

/** The name of an actor in public: never an address, which is the name of some people. */
export function publicName(reader: Reader, by: string): string | null {
  const name = actorName(reader, by);
  return name?.includes('@') ? null : name;
}

/** Whether an event is a change of the document since the first ballot, which ballot and result mention. */
export const isDocumentChange = ({ action, metadata }: HistoryEvent): boolean =>
  action === 'election.attachment_changed' && metadata.while !== undefined;

export const listDocumentChanges = (reader: Reader, electionId: string): HistoryEvent[] =>
  listHistory(reader, electionId, ['election.attachment_changed']).filter(isDocumentChange);

/** The same for pages, see `untilStored`. */
export const documentChangesNow = untilStored(listDocumentChanges);

/** Whether an entry is a restore of a copy since which an election was open or was closed. */
const isAffected = (electionId: string) => sql<SqlBool>`action = 'database.restored' AND EXISTS (
  SELECT 1 FROM elections WHERE elections.id = ${electionId}
    AND created_at <= timestamp
    AND min(open_at, coalesce(opened_at, open_at)) <= timestamp
    AND (closed_at IS NULL
      OR closed_at > unixepoch(metadata ->> 'made_at', 'subsec') * 1000))`;

/** Codes made since the election opened; null if it has not, or if the number at the opening was not recorded. */
export function tokensMadeSinceOpening(
  election: Pick<Election, 'electors' | 'tokens_deleted' | 'used_tokens_deleted'>,
  turnout: Turnout,
): number | null {
  const { electors } = election;
  return electors === null ? null : Math.max(0, countTokensMade(election, turnout) - electors);
}
