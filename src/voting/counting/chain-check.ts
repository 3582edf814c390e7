import { isDeepStrictEqual } from 'node:util';
import { type SqlBool, sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { type FactDifference, factSentence, listFactDifferences } from '#kernel/db/facts/compare.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import { Note } from '#kernel/language/words.ts';
import { sha256 } from '#kernel/secrets.ts';
import { listLots } from '#voting/elections/drawn-lots.ts';
import { type Election, listOptions } from '#voting/elections/elections.ts';
import { askedQuestion, QUESTION_ACTIONS, readQuestion } from '#voting/elections/question.ts';
import { findResultRow, type StoredResult } from '#voting/elections/stored-result.ts';
import { unreadable } from './differences.ts';
import { hashesOf } from './settled-result.ts';

/** An entry of the audit log. The chain is the reference for the rows of an election. */
export interface Entry {
  seq: number;
  action: string;
  metadata: Record<string, unknown>;
}

/** The facts of a result that its entry in the log repeats, and their names in sentences. */
const FACTS = {
  total_ballots: t('voting.fact.ballots'),
  ballot_set_sha256: t('voting.fact.ballots_number'),
  question_sha256: t('voting.fact.question_number'),
  results_sha256: t('voting.fact.figures'),
  electors_sha256: t('voting.fact.codes_number'),
  books: t('voting.fact.books'),
};

/** Returns a sentence for each thing in which an election's question or stored result differs from the audit log. */
export function listChainDifferences(
  reader: Reader,
  election: Election,
  settled: StoredResult | undefined,
): Note[] {
  return [
    ...readable(() => questionDifferences(reader, election)),
    ...readable(() =>
      settled ? resultDifferences(reader, election, settled) : missingResult(reader, election),
    ),
    ...[factSentence(listElectionFacts(reader, election)) ?? []].flat(),
  ];
}

/** The facts of an election that the log states otherwise, with those of its ballot paper and its item of a meeting. */
function listElectionFacts(reader: Reader, { id, paper_id }: Election): FactDifference[] {
  const item = reader.first(
    build.selectFrom('meeting_items').select(['id', 'meeting_id']).where('election_id', '=', id),
  );
  return [
    ...listFactDifferences(reader, id),
    ...(paper_id === null ? [] : listFactDifferences(reader, paper_id)),
    ...(item ? listFactDifferences(reader, item.meeting_id, item.id) : []),
  ];
}

/** What cannot be read any more does not agree either. */
function readable(list: () => Note[]): Note[] {
  try {
    return list();
  } catch (error) {
    return [new Note(t('voting.difference.unreadable'), unreadable(error as Error))];
  }
}

/** Whether the audit log has the entry that a stored result names as its anchor. */
export function isAnchored(reader: Reader, election: Election, { anchor }: StoredResult): boolean {
  const entry = reader.first(
    build
      .selectFrom('audit_log')
      .select(['hash', 'action', 'election_id', 'timestamp'])
      .where('seq', '=', anchor.entries),
  );
  return (
    entry?.hash === anchor.head &&
    entry.action === 'results.settled' &&
    entry.election_id === election.id &&
    isoTime(entry.timestamp) === anchor.at
  );
}

/** Elections of earlier versions have no recorded question. */
function questionDifferences(reader: Reader, election: Election): Note[] {
  const recorded = sinceTakenBack(listEntries(reader, election.id, [...QUESTION_ACTIONS, TAKEN_BACK]))
    .map(({ metadata }) => metadata.question_sha256)
    .findLast((hash) => hash !== undefined);
  if (recorded === undefined) return [];
  const { question } = election;
  // The document can be changed after the first ballot; everything else is fixed then.
  const present = readQuestion(reader, {
    ...election,
    attachment_url: askedQuestion(election).attachment_url,
  });
  return question !== null &&
    sha256(question) === recorded &&
    present === question &&
    isDeepStrictEqual(withdrawnOptions(reader, election.id), recordedWithdrawals(reader, election.id))
    ? []
    : [new Note(t('voting.difference.question'))];
}

/** After this the question waits for another opening, and its texts can change. */
export const TAKEN_BACK = 'election.opening_taken_back';

/** The entries after the last opening that was taken back. */
export const sinceTakenBack = (entries: readonly Entry[]): Entry[] =>
  entries.slice(entries.findLastIndex(({ action }) => action === TAKEN_BACK) + 1);

/** Ids of the options that are taken off all ballots, as the rows and as the log have them. */
const withdrawnOptions = (reader: Reader, electionId: string): string[] =>
  listOptions(reader, electionId)
    .flatMap(({ id, withdrawn_at }) => (withdrawn_at === null ? [] : id))
    .sort();

const recordedWithdrawals = (reader: Reader, electionId: string): string[] =>
  listEntries(reader, electionId, ['candidate.withdrawn', 'option.withdrawn'])
    .map(({ metadata }) => String(metadata.option))
    .sort();

/** A result that was settled is there until the question changes without ballots, or voting opens again. */
function missingResult(reader: Reader, { id, closed_at }: Election): Note[] {
  if (closed_at === null || findResultRow(reader, id)) return [];
  const entries = listEntries(reader, id, [...QUESTION_ACTIONS, ...ANEW, 'results.settled']);
  return entries.at(-1)?.action === 'results.settled' ? [new Note(t('voting.difference.missing'))] : [];
}

/** The actions after which the ballots are counted anew. */
const ANEW = ['election.reopened', 'paper.joined', 'election.voters_corrected'];

function resultDifferences(reader: Reader, election: Election, settled: StoredResult): Note[] {
  const entries = listEntries(reader, election.id, [...ANEW, 'election.lot_drawn', 'results.settled']);
  const joined = entries.filter(({ action }) => action === 'paper.joined');
  const onPaper = joined.reduce((sum, { metadata }) => sum + Number(metadata.ballots), 0);
  const isAnew = ({ action }: Entry) => ANEW.includes(action);
  const since = entries.slice(entries.findLastIndex(isAnew) + 1);
  const current = since.filter(({ action }) => action === 'results.settled');
  // Papers that join late keep the lots; in earlier versions they took them away.
  const isWithoutLots = ({ action, metadata }: Entry) =>
    action === 'election.reopened' || (action === 'paper.joined' && metadata.keeps_lots !== true);
  const lots = entries
    .slice(entries.findLastIndex(isWithoutLots) + 1)
    .filter(({ action }) => action === 'election.lot_drawn');
  const settling = current.at(-1);
  if (!settling) return [new Note(t('voting.difference.no_entry'))];
  // A lot that is drawn after the count gives other figures, which its entry names.
  const { results_sha256 = settling.metadata.results_sha256 } =
    lots.findLast(({ seq }) => seq > settling.seq)?.metadata ?? {};
  const last: Record<string, unknown> = { ...settling.metadata, results_sha256 };
  const drawn = listLots(reader, election.id).map(({ order }) => order);
  const stored: Record<string, unknown> = { ...settled, ...hashesOf(settled) };
  const differing = Object.entries(FACTS).filter(([key]) => !isDeepStrictEqual(stored[key], last[key]));
  const first = current[0]?.metadata;
  // Without ballots new rules make a new result.
  const isRepeated = current.some(
    ({ metadata }) => metadata.total_ballots !== 0 && metadata.ballot_set_sha256 !== first?.ballot_set_sha256,
  );
  return [
    ...(differing.length === 0
      ? []
      : [new Note(t('voting.difference.stored', { what: commas(differing.map(([, name]) => name)) ?? '' }))]),
    ...(isDeepStrictEqual(
      drawn,
      lots.map(({ metadata }) => metadata.order),
    )
      ? []
      : [new Note(t('voting.difference.lots'))]),
    ...(onPaper === election.paper_ballots ? [] : [new Note(t('voting.difference.on_paper'))]),
    ...(isRepeated ? [new Note(t('voting.difference.repeated'))] : []),
    ...(isAnchored(reader, election, settled) ? [] : [new Note(t('voting.difference.not_anchored'))]),
  ];
}

/** Entries of an election, in their order. */
export function listEntries(reader: Reader, electionId: string, actions: readonly string[]): Entry[] {
  const rows = reader.all(
    build
      .selectFrom('audit_log')
      .select(['seq', 'action', 'metadata'])
      .where('action', 'in', actions)
      // The plus makes SQLite use the index of the actions: most entries of an election are its votes.
      .where(sql<SqlBool>`+election_id = ${electionId}`)
      .orderBy('seq'),
  );
  return rows.map((row) => ({ ...row, metadata: JSON.parse(row.metadata) }));
}
