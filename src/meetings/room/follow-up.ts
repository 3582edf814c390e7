import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { CLOSED_BY_CHAIR, OPENED_BY_CHAIR } from '#kernel/local-time.ts';
import { followAgenda } from '#meetings/agenda.ts';
import { keepClasses } from '#meetings/door/classes.ts';
import { recordAct } from '#meetings/item-acts.ts';
import { findItemOf, getItem, type Item, insertItem, namedClasses } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { giveCodes } from '#meetings/questions.ts';
import { putOnPaper } from '#voting/ballot-papers/questions.ts';
import {
  countOpenSeats,
  type FollowUpChoice,
  type FollowUpInput,
  findFollowUp,
  listFollowUps,
  planFollowUp,
  storeFollowUp,
} from '#voting/counting/follow-up.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { type Election, getElection } from '#voting/elections/elections.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { acceptsOf, showItem } from './acts.ts';

/**
 * Makes the follow-up of a question of a meeting: a prepared item behind it, for the same cards.
 * @param goes whether the chair, who is at the vote before, goes on to it
 * @returns undefined for an election of no meeting @throws as `createFollowUp`; 409 once the meeting is closed
 */
export async function followUpInMeeting(
  ctx: Context,
  electionId: string,
  input: z.output<typeof FollowUpInput>,
  actor: Actor,
  goes: boolean,
): Promise<{ id: string; item: string; meeting: string } | undefined> {
  if (!findItemOf(ctx.db, electionId)) return undefined;
  await settleClosedElections(ctx);
  const dates = { open_at: OPENED_BY_CHAIR, close_at: CLOSED_BY_CHAIR };
  const declined = listDeclined(ctx.db, electionId);
  const plan = await planFollowUp(ctx, electionId, input, () => dates, declined);
  return ctx.write((tx) => {
    const before = findItemOf(tx, electionId);
    if (!before) throw notFound('not_found');
    const meeting = getMeeting(tx, before.meeting_id);
    ensureNotClosed(meeting);
    const known = findFollowUp(tx, plan);
    if (known !== undefined) return { id: known, item: findItemOf(tx, known)?.id ?? '', meeting: meeting.id };
    const id = storeFollowUp(tx, plan, actor);
    giveCodes(tx, meeting, id, actor);
    putOnPaper(tx, plan.source.paper_id ?? '', id, actor);
    const named = namedClasses(before);
    if (named) keepClasses(ctx, tx, meeting, id, named);
    const item = newId(actor.at);
    const { kind, text, old_text, reason, mover, seconders, classes } = before;
    const { title } = plan.planned;
    const written = { kind, title, text, old_text, reason, mover, seconders, classes };
    const row = { id: item, meeting_id: meeting.id, election_id: id, ...written };
    insertItem(tx, row, { behind: before.id });
    followAgenda(tx, meeting.id);
    const made = getItem(tx, item);
    recordAct(tx, made, 'meeting.item_followed_up', { kind: plan.kind }, actor);
    if (goes && meeting.current_item === before.id) showItem(tx, made);
    return { id, item, meeting: meeting.id };
  });
}

/** The elected who do not accept; nobody outside a meeting. */
export function listDeclined(reader: Reader, electionId: string): string[] {
  const item = findItemOf(reader, electionId);
  const answers = Object.entries(item ? acceptsOf(item) : {});
  return answers.filter(([, accepts]) => !accepts).map(([id]) => id);
}

/**
 * Lists the follow-ups that the chair can make of a vote that is over with one press, the most usual first: each that
 * can be opened as it is, was not made yet, and asks about other names than those before it.
 */
export async function listNext(ctx: Context, electionId: string): Promise<FollowUpChoice[]> {
  const election = getElection(ctx.db, electionId);
  const { options: rules } = rulesOf(election.ballot_type);
  const all = await listFollowUps(ctx, election, listDeclined(ctx.db, electionId));
  const names = ({ options, kind }: FollowUpChoice) =>
    kind === 'repeat' ? kind : options.map(({ id }) => id).join();
  return all.filter(
    (one, at) =>
      one.options.length >= (rules?.least ?? 0) &&
      all.findIndex((other) => names(other) === names(one)) === at &&
      findFollowUp(ctx.db, { source: election, kind: one.kind }) === undefined,
  );
}

/**
 * Looks, before a result is announced, whether its open seats can be voted on again: nothing is announced by a request of
 * which the other half is refused. @throws 409 without an open seat, and once the meeting is closed
 */
export async function ensureOpenSeats(
  ctx: Context,
  { meeting_id, election_id }: Pick<Item, 'meeting_id' | 'election_id'>,
): Promise<void> {
  ensureNotClosed(getMeeting(ctx.db, meeting_id));
  await settleClosedElections(ctx);
  if (election_id === null || countOpenSeats(ctx.db, election_id) === 0) throw conflict('no_open_seats');
}

/** Makes the follow-up that is the most usual after an announcement, such as the tied once more. @throws 409 without one */
export async function voteAgain(ctx: Context, election: Election, actor: Actor): Promise<void> {
  const declined = listDeclined(ctx.db, election.id);
  const [first] = await listFollowUps(ctx, election, declined);
  if (!first || first.kind === 'repeat') throw conflict('no_open_seats');
  // The wall shows the tie that is announced, until the chair goes on.
  await followUpInMeeting(ctx, election.id, { kind: first.kind, title: null }, actor, false);
}
