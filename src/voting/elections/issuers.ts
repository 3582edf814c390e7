import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { untilStored } from '#kernel/cache.ts';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PapersTable } from '#kernel/db/schema.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { type Election, electionNotFound, findElection } from './elections.ts';
import { type Titled, titleInBoth } from './translations.ts';

export type Paper = Selectable<PapersTable>;

/** What issues voting codes: an election, or a ballot paper for all its questions. */
export type Issuer = Pick<
  Election,
  | 'id'
  | 'title'
  | 'description'
  | 'open_at'
  | 'close_at'
  | 'opened_at'
  | 'closed_at'
  | 'invite_mode'
  | 'created_at'
  | 'trial'
  | 'tokens_deleted'
  | 'used_tokens_deleted'
  | 'translations'
> & { isPaper: boolean };

const FIELDS = [
  'id',
  'title',
  'description',
  'open_at',
  'close_at',
  'opened_at',
  'closed_at',
  'invite_mode',
  'created_at',
  'tokens_deleted',
  'used_tokens_deleted',
  'translations',
] as const;

/** Elections with codes of their own, and papers: a source to join with tables of codes and invitations. */
export const issuers = build
  .selectFrom('elections')
  .select([...FIELDS, 'trial', sql<0 | 1>`0`.as('is_paper')])
  .where('paper_id', 'is', null)
  .unionAll(
    build.selectFrom('papers').select([...FIELDS, sql<0 | 1>`0`.as('trial'), sql<0 | 1>`1`.as('is_paper')]),
  );

/** A row of `issuers`. */
export type IssuerRow = Omit<Issuer, 'isPaper'> & { is_paper: 0 | 1 };

export const toIssuer = ({ is_paper, ...row }: IssuerRow): Issuer => ({ ...row, isPaper: is_paper === 1 });

/** Elections with codes of their own, and papers, the newest first. */
export const listIssuers = (reader: Reader): Issuer[] =>
  reader
    .all(
      build.selectFrom(issuers.as('issuer')).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
    )
    .map(toIssuer);

const paperById = prepare((p: { id: string }) =>
  build.selectFrom('papers').selectAll().where('id', '=', p.id),
);

export const findPaper = (reader: Reader, id: string): Paper | undefined => reader.first(paperById({ id }));

/** The same for pages, see `untilStored`. */
export const paperNow = untilStored(findPaper);

/** @throws 404 */
export function getPaper(reader: Reader, id: string): Paper {
  const paper = findPaper(reader, id);
  if (!paper) throw notFound('paper_not_found');
  return paper;
}

/** The newest first. */
export const listPapers = (reader: Reader): Paper[] =>
  reader.all(build.selectFrom('papers').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'));

const questionsOf = prepare((p: { paper_id: string }) =>
  build.selectFrom('elections').selectAll().where('paper_id', '=', p.paper_id).orderBy('paper_position'),
);

/** The questions of a paper, in their order. */
export const listQuestions = (reader: Reader, paper_id: string): Election[] =>
  reader.all(questionsOf({ paper_id }));

/**
 * Returns what issues the voting codes with this id.
 * @throws 404; 409 for a question of a paper, whose codes are those of the paper
 */
export function getIssuer(reader: Reader, id: string): Issuer {
  const election = findElection(reader, id);
  if (election) {
    ensureOwnCodes(election);
    return { ...election, isPaper: false };
  }
  const paper = findPaper(reader, id);
  if (!paper) throw electionNotFound();
  return { ...paper, trial: 0, isPaper: true };
}

/** The id under which the invitations of an election are stored: its own, or that of the paper it is a question of. */
export const invitesOf = (electionId: string): RawBuilder<string> =>
  sql<string>`(SELECT coalesce(paper_id, id) FROM elections WHERE id = ${electionId})`;

/** Whether it is a question of a meeting, whose people are counted. */
export const isInMeeting = (reader: Reader, { paper_id }: Pick<Election, 'paper_id'>): boolean =>
  paper_id !== null && findMeetingOfPaper(reader, paper_id) !== undefined;

const meetingByPaper = prepare((p: { paper_id: string }) =>
  build
    .selectFrom('meetings')
    .select(['id', 'title', 'state', 'held_at', 'remote', 'classes', 'paper_id'])
    .where('paper_id', '=', p.paper_id),
);

/** The meeting that a paper belongs to. */
export const meetingOf = (reader: Reader, paperId: string) =>
  reader.first(meetingByPaper({ paper_id: paperId }));

/** The id of the meeting that a paper belongs to. */
export const findMeetingOfPaper = (reader: Reader, paperId: string): string | undefined =>
  meetingOf(reader, paperId)?.id;

const numberedQuestions = prepare((p: { paper_id: string }) =>
  build
    .selectFrom('meeting_items')
    .innerJoin('elections', 'elections.id', 'election_id')
    .select(['elections.id', 'number'])
    .where('paper_id', '=', p.paper_id),
);

/** The numbers of the questions of a paper on the agenda of its meeting, by their ids; none of a paper of no meeting. */
export const agendaNumbers = (reader: Reader, paper_id: string): ReadonlyMap<string, string> =>
  new Map(reader.all(numberedQuestions({ paper_id })).map(({ id, number }) => [id, number]));

/** @throws 409 for the paper of a meeting in which members elsewhere cannot take part: it has cards alone */
export function ensureTakesLinks(reader: Reader, issuerId: string): void {
  if (meetingOf(reader, issuerId)?.remote === 0) throw conflict('meeting_without_links');
}

/** @throws 409 for a question of a meeting, which the chair opens, closes and announces */
export function ensureNotLed(reader: Reader, election: Pick<Election, 'paper_id'>): void {
  if (isInMeeting(reader, election)) throw conflict('led_by_chair');
}

/** @throws 409 for the paper of a meeting and its questions, which are those of the agenda */
export function ensureOffAgenda(reader: Reader, election: Pick<Election, 'paper_id'>): void {
  if (isInMeeting(reader, election)) throw conflict('on_agenda');
}

/** @throws 409 for a question of a paper, whose codes are those of the paper */
function ensureOwnCodes({ paper_id }: Pick<Election, 'paper_id'>): void {
  if (paper_id !== null) throw conflict('codes_of_paper', {}, { extra: { paper_id } });
}

/** What codes of these issuers are valid for: an election itself, or the questions of a paper in their order. */
export const questionsOfAll = (reader: Reader, all: readonly Pick<Issuer, 'id' | 'isPaper'>[]): Election[] =>
  all.flatMap(({ id, isPaper }) => (isPaper ? listQuestions(reader, id) : (findElection(reader, id) ?? [])));

const questionIds = prepare((p: { paper_id: string }) =>
  build.selectFrom('elections').select(['id', 'closed_at']).where('paper_id', '=', p.paper_id),
);

/** Every id under which a code of this issuer is stored: its own, and for a paper those of the questions. */
export const codeHolders = (reader: Reader, issuerId: string): string[] => [
  issuerId,
  ...reader.all(questionIds({ paper_id: issuerId })).map(({ id }) => id),
];

/** The questions of a paper that take new codes: those that have not been closed. None for an election. */
export const openHolders = (reader: Reader, issuerId: string): string[] =>
  reader
    .all(questionIds({ paper_id: issuerId }))
    .flatMap(({ id, closed_at }) => (closed_at === null ? id : []));

/** The codes of an election or a paper that have ended. */
export const endedCodes = (issuerId: string) =>
  build.selectFrom('withdrawn_codes').select('token_hash').where('election_id', '=', issuerId);

/** Makes the codes of a paper valid for a question that is new in it, but for those that have ended. @returns their number */
export function coverQuestion(tx: Tx, { id, paper_id }: Pick<Election, 'id' | 'paper_id'>): number {
  return tx.run(
    build
      .insertInto('tokens')
      .columns(['election_id', 'token_hash', 'batch_name', 'created_at'])
      .expression(
        build
          .selectFrom('tokens')
          .select([sql.val(id).as('election_id'), 'token_hash', 'batch_name', 'created_at'])
          .where('election_id', '=', paper_id ?? '')
          .where('token_hash', 'not in', endedCodes(paper_id ?? '')),
      ),
  );
}

/**
 * A condition on a row of `tokens`: a ballot waits for this code. For a code of a paper: any of its questions that has not
 * been closed, or with `now` any that is open.
 */
export const waits = (now?: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`((tokens.used_at IS NULL AND tokens.on_paper = 0) OR EXISTS (
    SELECT 1 FROM elections AS question JOIN tokens AS own
      ON own.election_id = question.id AND own.token_hash = tokens.token_hash
    WHERE question.paper_id = tokens.election_id AND question.closed_at IS NULL
      AND own.used_at IS NULL AND own.on_paper = 0
      ${now === undefined ? sql`` : sql`AND question.open_at <= ${now} AND question.close_at > ${now}`}))`;

/** A condition on a row of `tokens`: it has answered something that is not void. Who voted on that is told to nobody. */
export const hasCounted: RawBuilder<SqlBool> = sql`EXISTS (
  SELECT 1 FROM elections AS counted JOIN tokens AS answered
    ON answered.election_id = counted.id AND answered.token_hash = tokens.token_hash
  WHERE (counted.id = tokens.election_id OR counted.paper_id = tokens.election_id)
    AND counted.voided_at IS NULL AND (answered.used_at IS NOT NULL OR answered.on_paper = 1))`;

/** A title with its number on the agenda of a meeting, as it was written. */
const numbered = ({ number, title }: { number: string | null; title: string }): string =>
  number === null ? title : `${number}. ${title}`;

/** The same as each reader reads it, see `titleInBoth`. */
function numberedInBoth({ number, ...of }: Titled & { number: string | null }): Words | string {
  const title = titleInBoth(of);
  return typeof title === 'string'
    ? numbered({ number, title })
    : formatted((reader) => numbered({ number, title: title.for(reader) }));
}

const titlesOf = prepare((p: { paper_id: string }) =>
  build
    .selectFrom('elections')
    .leftJoin('meeting_items', 'meeting_items.election_id', 'elections.id')
    .select(['elections.title', 'elections.translations', 'meeting_items.number'])
    .where('paper_id', '=', p.paper_id)
    .orderBy('paper_position'),
);

/** The titles of a paper's questions, in their order, with their numbers on the agenda of a meeting. */
export const listNumberedTitles = (reader: Reader, paper_id: string): (Words | string)[] =>
  reader.all(titlesOf({ paper_id })).map(numberedInBoth);

const waitingQuestions = prepare((p: { paper_id: string; token_hash: string }) =>
  build
    .selectFrom('elections')
    .innerJoin('tokens', 'tokens.election_id', 'elections.id')
    .leftJoin('meeting_items', 'meeting_items.election_id', 'elections.id')
    .select(['elections.title', 'elections.translations', 'meeting_items.number'])
    .where('paper_id', '=', p.paper_id)
    .where('token_hash', '=', p.token_hash)
    .where('used_at', 'is', null)
    .where('on_paper', '=', 0)
    .where('elections.closed_at', 'is', null)
    .orderBy('paper_position'),
);

/** The same of those that a code has not answered and that are not closed. */
export const listWaitingQuestions = (
  reader: Reader,
  paper_id: string,
  token_hash: string,
): (Words | string)[] => reader.all(waitingQuestions({ paper_id, token_hash })).map(numberedInBoth);

/** Their titles as they were written. */
export const listWaitingTitles = (reader: Reader, paper_id: string, token_hash: string): string[] =>
  reader.all(waitingQuestions({ paper_id, token_hash })).map(numbered);

const usePaperCode = prepare((p: { election_id: string; token_hash: string; used_at: number }) =>
  build
    .updateTable('tokens')
    .set({ used_at: p.used_at })
    .where('election_id', '=', p.election_id)
    .where('token_hash', '=', p.token_hash)
    .where('used_at', 'is', null),
);

const eraseLink = prepare((p: { token_hash: string }) =>
  build.updateTable('invites').set({ token_plaintext: null }).where('token_hash', '=', p.token_hash),
);

const waitingCode = prepare((p: { election_id: string; token_hash: string }) =>
  build
    .selectFrom('tokens')
    .select('token_hash')
    .where('election_id', '=', p.election_id)
    .where('token_hash', '=', p.token_hash)
    .where(waits()),
);

const anyInvite = prepare((p: { election_id: string }) =>
  build.selectFrom('invites').select('id').where('election_id', '=', p.election_id).limit(ONE),
);

/** Whether an election or paper has invitations, looked up once a transaction. */
function hasInvites(tx: Tx, election_id: string): boolean {
  const known = invited.getOrInsertComputed(tx, () => new Map());
  return known.getOrInsertComputed(election_id, () => tx.first(anyInvite({ election_id })) !== undefined);
}

const invited = new WeakMap<Tx, Map<string, boolean>>();

/** Erases the copy of a voting link that was used: it is kept only for resending. */
export function deleteKeptLink(tx: Tx, code: { election_id: string; token_hash: string }): void {
  if (hasInvites(tx, code.election_id)) tx.run(eraseLink(code));
}

/** Notes that a code of a paper was used for one of its questions or more. A link is kept while any waits for a ballot. */
export function notePaperUse(
  tx: Tx,
  code: { election_id: string; token_hash: string; used_at: number },
): void {
  tx.run(usePaperCode(code));
  if (hasInvites(tx, code.election_id) && !tx.first(waitingCode(code))) tx.run(eraseLink(code));
}

/** Gives a paper the dates from the first opening to the last close of its questions. */
export function followQuestions(tx: Tx, paper_id: string): void {
  tx.run(takeDates({ paper_id }));
}

/** The same for the paper of an election, if it is a question of one. */
export function followQuestion(tx: Tx, electionId: string): void {
  const row = tx.first(paperOf({ id: electionId }));
  if (row && row.paper_id !== null) followQuestions(tx, row.paper_id);
}

const paperOf = prepare((p: { id: string }) =>
  build.selectFrom('elections').select('paper_id').where('id', '=', p.id),
);

const takeDates = prepare((p: { paper_id: string }) =>
  build
    .updateTable('papers')
    .from(
      build
        .selectFrom('elections')
        .select((of) => [
          'paper_id',
          of.fn.min('open_at').as('first_open'),
          of.fn.max('close_at').as('last_close'),
          of.fn.min('opened_at').as('first_opened'),
          sql<number | null>`iif(count(*) = count(closed_at), max(closed_at), NULL)`.as('ended'),
        ])
        .where('paper_id', '=', p.paper_id)
        .groupBy('paper_id')
        .as('own'),
    )
    .set((of) => ({
      open_at: of.ref('first_open'),
      close_at: of.ref('last_close'),
      opened_at: of.ref('first_opened'),
      closed_at: of.ref('ended'),
    }))
    .whereRef('papers.id', '=', 'own.paper_id'),
);
