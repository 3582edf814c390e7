import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { badField, conflict, inPart } from '#kernel/http/errors.ts';
import { CLOSED_BY_CHAIR, OPENED_BY_CHAIR } from '#kernel/local-time.ts';
import { insertPaper } from '#voting/ballot-papers/papers.ts';
import { insertQuestion, planQuestion, putOnPaper, whyNotJoined } from '#voting/ballot-papers/questions.ts';
import { knowsSetting, readSettings } from '#voting/election-settings.ts';
import { ElectionInput, mergeSettings, moveDates, type PlannedElection } from '#voting/elections/changes.ts';
import {
  type Election,
  electionStatus,
  getElection,
  listElections,
  listOptions,
} from '#voting/elections/elections.ts';
import { addOptionIn, removeOptionIn } from '#voting/elections/options.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { keepClasses } from './door/classes.ts';
import { type Item, listItems, namedClasses } from './items.ts';
import type { Meeting } from './meetings.ts';

/** The fields of an election without its dates. A motion may leave all of them out. */
export const MeetingQuestion = ElectionInput.pick({
  description: true,
  settings: true,
  options: true,
  candidates: true,
  none_of_the_above: true,
  attachment_url: true,
  translations: true,
}).extend({
  title: ElectionInput.shape.title.optional(),
  ballot_type: ElectionInput.shape.ballot_type.optional(),
});

/** Nobody sees figures before the result is announced. */
const LED_BY_CHAIR = { announce: 'by_officer', hide_results_until_close: true } as const;

/** The settings that the questions of a meeting have, unless they say otherwise. */
const codesOf = ({ inclusion_codes }: Pick<Meeting, 'inclusion_codes'>) =>
  inclusion_codes === 1 ? ({ inclusion_codes: true, receipts: 'included' } as const) : {};

/** The type of a motion: the one without options. */
const MOTION = BALLOT_TYPES.find((type) => rulesOf(type).options === null);

/** The type that asks yes or no for each candidate: for as many as there are seats. */
export const EACH = BALLOT_TYPES.find((type) => knowsSetting(type, 'max_yes'));

/**
 * Checks the question of an item; undefined where it has none. Nobody sees figures before the result is announced.
 * @throws 400 naming the field
 */
export async function planItemQuestion(
  ctx: Context,
  meeting: Pick<Meeting, 'inclusion_codes'>,
  item: Pick<Item, 'kind' | 'title' | 'text'>,
  question: z.output<typeof MeetingQuestion> | undefined,
  actor: Actor,
): Promise<PlannedElection | undefined> {
  if (item.kind === 'text') {
    if (question) throw badField('question', 'text_has_no_question');
    return undefined;
  }
  if (item.kind === 'election' && !question) return undefined;
  const ballot_type = question?.ballot_type ?? (item.kind === 'motion' ? MOTION : undefined);
  if (ballot_type === undefined) throw badField('question.ballot_type', 'required');
  const asked = {
    attachment_url: null,
    ...question,
    title: question?.title ?? item.title,
    description: question?.description ?? item.text?.slice(0, 5_000) ?? null,
    ballot_type,
    open_at: isoTime(OPENED_BY_CHAIR),
    close_at: isoTime(CLOSED_BY_CHAIR),
    settings: { ...codesOf(meeting), ...question?.settings, ...LED_BY_CHAIR },
  };
  try {
    return await planQuestion(ctx, asked, {}, actor, { in_meeting: true });
  } catch (error) {
    throw inPart('question', error);
  }
}

/** The ballot paper of a meeting, which is made with its first need. @returns its id */
export function ensurePaper(tx: Tx, meeting: Pick<Meeting, 'id' | 'title'>, actor: Actor): string {
  const { paper_id } = tx.first(
    build.selectFrom('meetings').select('paper_id').where('id', '=', meeting.id),
  )!;
  if (paper_id !== null) return paper_id;
  const paper = {
    title: meeting.title,
    description: null,
    invite_mode: null,
    open_at: OPENED_BY_CHAIR,
    close_at: CLOSED_BY_CHAIR,
    settings: {},
  };
  const id = insertPaper(tx, paper, [], actor);
  tx.run(build.updateTable('meetings').set({ paper_id: id }).where('id', '=', meeting.id));
  return id;
}

/** Stores the question of an item on the meeting's paper. @returns its id */
export function insertItemQuestion(
  ctx: Context,
  tx: Tx,
  meeting: Meeting,
  { classes }: Pick<Item, 'classes'>,
  planned: PlannedElection,
  actor: Actor,
): string {
  const paper_id = ensurePaper(tx, meeting, actor);
  const id = insertQuestion(tx, paper_id, planned, actor);
  const named = namedClasses({ classes });
  if (named) keepClasses(ctx, tx, { ...meeting, paper_id }, id, named);
  return id;
}

/**
 * Puts an election that has not begun and has no codes on the meeting's paper: the chair opens, closes and announces it
 * from then on. @throws 404, 409
 */
export function joinQuestion(
  ctx: Context,
  tx: Tx,
  meeting: Meeting,
  { election_id, classes }: { election_id: string; classes: string | null },
  actor: Actor,
): Election {
  const election = getElection(tx, election_id);
  const refusal = whyNotOnAgenda(tx, election, actor.at);
  if (refusal) throw conflict(refusal);
  const paper_id = ensurePaper(tx, meeting, actor);
  mergeSettings(tx, election, LED_BY_CHAIR, actor);
  giveCodes(tx, meeting, election_id, actor);
  moveDates(
    tx,
    election,
    { asked: { open_at: OPENED_BY_CHAIR, close_at: CLOSED_BY_CHAIR }, reason: null },
    actor,
  );
  putOnPaper(tx, paper_id, election_id, actor);
  const named = namedClasses({ classes });
  if (named) keepClasses(ctx, tx, { ...meeting, paper_id }, election_id, named);
  return election;
}

/** Gives voters of a question that was made elsewhere, or is voted on again, codes where those of its meeting get some. */
export function giveCodes(
  tx: Tx,
  meeting: Pick<Meeting, 'inclusion_codes'>,
  electionId: string,
  actor: Actor,
): void {
  const question = getElection(tx, electionId);
  const given = codesOf(meeting);
  if (given.receipts && readSettings(question.settings).receipts === 'off')
    mergeSettings(tx, question, given, actor);
}

/** Follows a change of the meeting in the questions that are not open yet. Codes that cover the choice are kept. */
export function changeCodes(tx: Tx, meeting: Meeting, actor: Actor): void {
  const settings = {
    inclusion_codes: false,
    receipts: 'off' as const,
    ...codesOf(meeting),
  };
  for (const { state, election_id } of listItems(tx, meeting.id)) {
    if (state !== 'prepared' || election_id === null) continue;
    const question = getElection(tx, election_id);
    const { receipts } = readSettings(question.settings);
    if (receipts !== 'content' && receipts !== settings.receipts)
      mergeSettings(tx, question, settings, actor);
  }
}

const whyNotOnAgenda = (reader: Reader, election: Election, now: number) =>
  whyNotJoined(reader, election, now) ??
  (electionStatus(election, now) === 'open' ? 'election_began' : undefined);

/** The elections that could be put on an agenda, the newest first. */
export const listJoinable = (reader: Reader, now: number): Election[] =>
  listElections(reader).filter((election) => whyNotOnAgenda(reader, election, now) === undefined);

/** The kind of the item of a question. */
export const kindOf = ({ ballot_type }: Pick<Election, 'ballot_type'>): 'motion' | 'election' =>
  ballot_type === MOTION ? 'motion' : 'election';

/** The type and settings of a question for another meeting, which says itself whether there are codes. */
export function questionToCopy(reader: Reader, electionId: string): z.output<typeof MeetingQuestion> {
  const { ballot_type, settings } = getElection(reader, electionId);
  const { inclusion_codes, receipts, ...copied } = JSON.parse(settings);
  const covering = receipts === 'content' && { inclusion_codes, receipts };
  return {
    ballot_type,
    settings: { ...copied, ...covering },
    description: null,
    attachment_url: null,
  };
}

/** How many are elected; one where the question does not say. */
export function seatsOf(reader: Reader, { election_id }: Pick<Item, 'election_id'>): number {
  if (election_id === null) return 1;
  return readSettings(getElection(reader, election_id).settings).seats ?? 1;
}

/** @throws 409 for a question that cannot be opened: it has fewer candidates than its type needs, or none */
export function ensureAskable(reader: Reader, { election_id }: Pick<Item, 'election_id'>): void {
  if (election_id === null) throw conflict('item_without_question');
  const rules = rulesOf(getElection(reader, election_id).ballot_type).options;
  const needed = Math.max(1, rules?.least ?? 0);
  if (rules && listOptions(reader, election_id).length < needed)
    throw conflict('too_few_candidates', { min: needed });
}

/** What somebody brings to the ballot. */
export interface Candidate {
  name: string;
  text: string;
  picture: string | null;
}

/** Puts a candidate on the ballot of an item. @returns the id there; null while the item has no question */
export function addCandidate(
  tx: Tx,
  { election_id }: Pick<Item, 'election_id'>,
  candidate: Candidate,
  actor: Actor,
): string | null {
  if (election_id === null) return null;
  const kind = rulesOf(getElection(tx, election_id).ballot_type).options?.kind;
  if (kind === undefined) throw conflict('question_without_candidates');
  const { name, text, picture } = candidate;
  return addOptionIn(tx, kind, election_id, { name, text: text || null, picture }, actor).id;
}

/** Takes a candidate off the ballot of an item. */
export function withdrawCandidate(
  tx: Tx,
  { election_id }: Item,
  optionId: string | null,
  actor: Actor,
): void {
  if (election_id === null || optionId === null) return;
  const kind = rulesOf(getElection(tx, election_id).ballot_type).options?.kind;
  if (kind) removeOptionIn(tx, kind, election_id, optionId, actor);
}
