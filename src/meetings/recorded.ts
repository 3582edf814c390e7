import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import {
  type FactDifference,
  factSentence,
  listAllFactDifferences,
  listFactDifferences,
} from '#kernel/db/facts/compare.ts';
import { build, ONE, type Reader } from '#kernel/db/queries.ts';
import { type Message, t } from '#kernel/language/message.ts';
import type { Note } from '#kernel/language/words.ts';
import { areDocumentsWhole } from './documents/documents.ts';
import { type DoorSums, doorSums } from './door/sums.ts';
import { findMeeting, type Meeting } from './meetings.ts';

/** The names of what the log has as sums, in sentences. */
const SUMS = {
  people: t('voting.fact.people_at_door'),
  proxies: t('voting.fact.proxies'),
  elsewhere: t('voting.fact.people_elsewhere'),
  cards: t('voting.fact.cards_returned'),
} satisfies Record<keyof DoorSums, Message>;

/** By the meeting: a whole meeting asks at once, and a difference is said within ten seconds. */
const COMPARED = kept<Note[]>({ age: 10 * SECOND });

/**
 * Compares what is stored of a meeting with the log, for its pages: its facts, and the sums of the door at its end.
 * @returns a sentence for what differs, none where nothing does
 */
export function meetingDifferences({ cache, db }: Context, { id }: Meeting): Note[] {
  return cache.get(COMPARED, id, () => [sentenceOf(db, id, listFactDifferences(db, id)) ?? []].flat());
}

/**
 * Every meeting, ballot paper and lost election that differs from the log, with an English sentence. The elections that
 * there are: `listDifferences`.
 */
export function listMeetingDifferences(reader: Reader): { id: string; title: string; differences: string }[] {
  const ids = reader.all(build.selectFrom('elections').select('id'));
  const elections = new Set(ids.map(({ id }) => id));
  const meetings = reader.all(build.selectFrom('meetings').select('id'));
  const facts = Map.groupBy(listAllFactDifferences(reader), ({ subject }) => subject);
  const subjects = new Set([...facts.keys(), ...meetings.map(({ id }) => id)]);
  return [...subjects].flatMap((id) => {
    if (elections.has(id)) return [];
    const found = sentenceOf(reader, id, [...(facts.get(id) ?? []), ...changedDocuments(reader, id)]);
    return found === undefined ? [] : [{ id, title: titleOf(reader, id), differences: found.english }];
  });
}

function sentenceOf(reader: Reader, id: string, facts: readonly FactDifference[]): Note | undefined {
  const sums = listSums(reader, id).map(
    (name): FactDifference => ({ subject: id, name, table: 'attendance', key: '*' }),
  );
  return factSentence([...facts, ...sums]);
}

/** Documents whose bytes are not those that were uploaded. */
const changedDocuments = (reader: Reader, id: string): FactDifference[] =>
  areDocumentsWhole(reader, id)
    ? []
    : [{ subject: id, name: t('voting.fact.document_content'), table: 'meeting_document_files', key: '*' }];

/** The names of the sums of the door that are not those at the end of a closed meeting. */
function listSums(reader: Reader, id: string): Message[] {
  if (findMeeting(reader, id)?.state !== 'closed') return [];
  const end = reader.first(
    build
      .selectFrom('audit_log')
      .select(sql<string | null>`metadata -> 'door'`.as('door'))
      .where('action', '=', 'meeting.closed')
      .where(sql`metadata ->> 'meeting'`, '=', id)
      .orderBy('seq', 'desc')
      .limit(ONE),
  );
  // Earlier versions did not record it.
  if (!end?.door) return [];
  const then: DoorSums = JSON.parse(end.door);
  const now = doorSums(reader, id);
  // The door takes cards back after the end too, and replaces none.
  const differsInCards =
    now.cards.returned < then.cards.returned ||
    now.cards.lost < then.cards.lost ||
    now.cards.replaced !== then.cards.replaced;
  return (Object.keys(SUMS) as (keyof DoorSums)[])
    .filter((name) => (name === 'cards' ? differsInCards : !isDeepStrictEqual(now[name], then[name])))
    .map((name) => SUMS[name]);
}

const titleOf = (reader: Reader, id: string): string =>
  (findMeeting(reader, id) ?? reader.first(build.selectFrom('papers').select('title').where('id', '=', id)))
    ?.title ?? id;
