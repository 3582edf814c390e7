import { z } from 'zod';
import { addPicture } from '#content/pictures/pictures.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { ensureInPeriod } from '#meetings/proposals/periods.ts';
import { ensureUndecided } from '#meetings/proposals/proof.ts';
import { withdrawCandidate } from '#meetings/questions.ts';
import { listVotersWith } from '#people/roll/members.ts';
import { getCall } from './calls.ts';
import {
  ensureOpenTo,
  findStanding,
  listSeconders,
  type Nomination,
  openNomination,
  type Seconder,
} from './nominations.ts';

export const AnswerInput = z.object({ action: oneOf(['consent', 'second', 'withdraw']) });

/**
 * Answers by a mailed link: the nominee consents or withdraws, a seconder seconds or withdraws. Repeated, it changes
 * nothing.
 * @param upload a picture of the nominee, which is stored with the first consent alone
 * @throws 400 for a file that is not a picture; 404; 409 outside the period, for a decided nomination, and for a
 * withdrawal once voting has opened
 */
export async function answerNomination(
  ctx: Context,
  meetingId: string,
  token: string,
  { action }: z.output<typeof AnswerInput>,
  actor: Actor,
  upload?: Buffer,
): Promise<void> {
  const answer = (tx: Tx): Done => {
    const { nomination, seconder } = openNomination(tx, meetingId, token, ctx.now());
    const item = getItem(tx, nomination.item_id);
    const day = localDate(getMeeting(tx, meetingId).held_at, ctx.config.TIME_ZONE);
    if (action !== 'withdraw' && action !== (seconder ? 'second' : 'consent'))
      throw conflict('nomination_other_role');
    const done = seconder
      ? answerSecond(tx, { nomination, seconder, item }, action === 'second', actor)
      : action === 'consent'
        ? consent(tx, nomination, item, { at: actor.at, day })
        : withdraw(tx, nomination, item, actor);
    if (done === undefined) return;
    recordAudit(tx, actor, {
      action: done,
      metadata: { meeting: meetingId, item: item.id, nomination: nomination.id },
    });
    return done;
  };
  const { nomination, seconder } = openNomination(ctx.db, meetingId, token, ctx.now());
  const isFirst = action === 'consent' && !seconder && nomination.consented_at === null;
  if (!upload || !isFirst || getCall(ctx.db, nomination.item_id).picture === 0) {
    await ctx.write(answer);
    return;
  }
  const words = { bytes: upload, alt: nomination.name.slice(0, 200), decorative: false, focus: 5 };
  await addPicture(ctx, words, actor, (tx, { id }) => {
    if (answer(tx) === undefined) throw new ConsentedMeanwhile();
    tx.run(build.updateTable('nominations').set({ picture: id }).where('id', '=', nomination.id));
  }).catch((error: unknown) => {
    if (!(error instanceof ConsentedMeanwhile)) throw error;
  });
}

/** Ends the transaction that stores a picture: another request has consented. */
class ConsentedMeanwhile extends Error {}

/** The action for the log; undefined if nothing changed. */
type Done = string | undefined;

function answerSecond(
  tx: Tx,
  { nomination, seconder, item }: { nomination: Nomination; seconder: Seconder; item: Item },
  seconds: boolean,
  { at }: Actor,
): Done {
  if ((seconder.seconded_at !== null) === seconds) return undefined;
  ensureUndecided('nomination', nomination);
  ensureInPeriod('nomination', getCall(tx, item.id), at);
  tx.run(
    build
      .updateTable('nomination_seconders')
      .set({ seconded_at: seconds ? at : null })
      .where('id', '=', seconder.id),
  );
  return seconds ? 'nomination.seconded' : 'nomination.second_withdrawn';
}

function consent(tx: Tx, nomination: Nomination, item: Item, { at, day }: { at: number; day: string }): Done {
  if (nomination.consented_at !== null && nomination.withdrawn_at === null) return undefined;
  ensureUndecided('nomination', nomination);
  ensureInPeriod('nomination', getCall(tx, item.id), at);
  const standing = findStanding(tx, nomination);
  if (standing) joinStanding(tx, nomination, standing, { at, day });
  else tx.run(build.updateTable('nominations').set({ consented_at: at }).where('id', '=', nomination.id));
  return 'nomination.confirmed';
}

function withdraw(tx: Tx, nomination: Nomination, item: Item, actor: Actor): Done {
  if (nomination.withdrawn_at !== null) return undefined;
  ensureOpenTo(item);
  const withdrawn = build.updateTable('nominations').set({ withdrawn_at: actor.at });
  tx.run(withdrawn.where('id', '=', nomination.id));
  withdrawCandidate(tx, item, nomination.option_id, actor);
  return 'nomination.withdrawn';
}

/**
 * A second nomination of somebody who stands already adds its seconders to the first, which keeps its state: nobody who
 * is complete becomes incomplete by another proposal. A person who seconds both counts once.
 */
function joinStanding(
  tx: Tx,
  own: Nomination,
  standing: Nomination,
  { at, day }: { at: number; day: string },
): void {
  if (standing.decision === 'refused') throw conflict('nomination_decided');
  const known = listSeconders(tx, standing.id);
  const people = new Set([standing, ...known].flatMap(({ email }) => listVotersWith(tx, email, day)));
  for (const one of listSeconders(tx, own.id)) {
    const same = known.find(({ email }) => email === one.email);
    const person = listVotersWith(tx, one.email, day).find((other) => !people.has(other));
    const rows = build.updateTable('nomination_seconders');
    if (same === undefined && person !== undefined) {
      people.add(person);
      tx.run(rows.set({ nomination_id: standing.id }).where('id', '=', one.id));
    } else if (same?.seconded_at === null && one.seconded_at !== null)
      tx.run(rows.set({ seconded_at: one.seconded_at }).where('id', '=', same.id));
  }
  tx.run(build.updateTable('nominations').set({ withdrawn_at: at }).where('id', '=', own.id));
}
