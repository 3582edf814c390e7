import { isDeepStrictEqual } from 'node:util';
import { type SqlBool, sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { type FactDifference, factSentence, listFactDifferences } from '#kernel/db/facts/compare.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { listLots } from '#voting/elections/drawn-lots.ts';
import { type Election, listOptions } from '#voting/elections/elections.ts';
import { askedQuestion, QUESTION_ACTIONS, readQuestion } from '#voting/elections/question.ts';
import { findResultRow, type StoredResult } from '#voting/elections/stored-result.ts';
import { DIFFERENCES, NAMED_DIFFERENCES } from './differences.ts';
import { hashesOf } from './settled-result.ts';

/** An entry of the audit log. The chain is the reference for the rows of an election. */
export interface Entry {
  seq: number;
  action: string;
  metadata: Record<string, unknown>;
}

/** The facts of a result that its entry in the log repeats, and their names in sentences. */
const FACTS = {
  total_ballots: 'the number of ballots',
  ballot_set_sha256: 'the check number of the ballots',
  question_sha256: 'the check number of the question',
  results_sha256: 'the figures',
  electors_sha256: 'the check number of the voting codes',
  books: 'the books',
};

/** Returns a sentence for each thing in which an election's question or stored result differs from the audit log. */
export function listChainDifferences(
  reader: Reader,
  election: Election,
  settled: StoredResult | undefined,
): string[] {
  return [
    ...readable(() => questionDifferences(reader, election)),
    ...readable(() =>
      settled ? resultDifferences(reader, election, settled) : missingResult(reader, election),
    ),
    ...sentence(listElectionFacts(reader, election)),
  ];
}

const sentence = (differences: FactDifference[]): string[] => [factSentence(differences) ?? []].flat();

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
function readable(list: () => string[]): string[] {
  try {
    return list();
  } catch (error) {
    return [`${NAMED_DIFFERENCES.unreadable}${(error as Error).message}`];
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
function questionDifferences(reader: Reader, election: Election): string[] {
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
    : [DIFFERENCES.question];
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
function missingResult(reader: Reader, { id, closed_at }: Election): string[] {
  if (closed_at === null || findResultRow(reader, id)) return [];
  const entries = listEntries(reader, id, [...QUESTION_ACTIONS, ...ANEW, 'results.settled']);
  return entries.at(-1)?.action === 'results.settled' ? [DIFFERENCES.missing] : [];
}

/** The actions after which the ballots are counted anew. */
const ANEW = ['election.reopened', 'paper.joined', 'election.voters_corrected'];

function resultDifferences(reader: Reader, election: Election, settled: StoredResult): string[] {
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
  if (!settling) return [DIFFERENCES.no_entry];
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
      : [`${NAMED_DIFFERENCES.stored}${differing.map(([, name]) => name).join(', ')}`]),
    ...(isDeepStrictEqual(
      drawn,
      lots.map(({ metadata }) => metadata.order),
    )
      ? []
      : [DIFFERENCES.lots]),
    ...(onPaper === election.paper_ballots ? [] : [DIFFERENCES.on_paper]),
    ...(isRepeated ? [DIFFERENCES.repeated] : []),
    ...(isAnchored(reader, election, settled) ? [] : [DIFFERENCES.not_anchored]),
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
