import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { MotionCallsTable } from '#kernel/db/schema.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { record } from '#kernel/http/record.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { invitedPath } from '#meetings/keys.ts';
import { findMeeting, getMeeting, type Meeting } from '#meetings/meetings.ts';
import { type CallMailInput, putCallMails } from '#meetings/proposals/call-mails.ts';
import {
  CALL_FIELDS,
  type CallState,
  periodOf,
  periodState,
  planPeriod,
} from '#meetings/proposals/periods.ts';
import { ensureMailConfigured } from '#voting/invitations/invite-mails.ts';

export type MotionCall = Selectable<MotionCallsTable>;

/** The rules of a call for motions. The words of its form are `MOTION_CALL_WORDS`. */
export const MOTION_CALL = record(CALL_FIELDS);

const callByMeeting = prepare((p: { meeting_id: string }) =>
  build.selectFrom('motion_calls').selectAll().where('meeting_id', '=', p.meeting_id),
);

export const findMotionCall = (reader: Reader, meetingId: string): MotionCall | undefined =>
  reader.first(callByMeeting({ meeting_id: meetingId }));

/** @throws 404 where no motions are called for */
export function getMotionCall(reader: Reader, meetingId: string): MotionCall {
  const call = findMotionCall(reader, meetingId);
  if (!call) throw notFound('no_motions');
  return call;
}

/** Whether motions are taken. With the beginning of the meeting that is over, whatever the dates say. */
export const motionCallState = ({ state }: Meeting, call: MotionCall, now: number): CallState =>
  state === 'prepared' ? periodState(call, now) : 'over';

/** @throws 409 outside the period, and once the meeting has begun */
export function ensureTakesMotions(meeting: Meeting, call: MotionCall, now: number): void {
  const state = motionCallState(meeting, call, now);
  if (state !== 'open') throw conflict(state === 'before' ? 'motions_not_open' : 'motions_over');
}

/** @throws 409 once the meeting has begun */
function ensureNotBegun({ state }: Meeting): void {
  if (state !== 'prepared') throw conflict('motions_over');
}

/**
 * Calls for motions, or changes the call; a later close extends it, also once it is over.
 * @throws 400; 404; 409 once the meeting has begun
 */
export function callForMotions(
  ctx: Context,
  meetingId: string,
  input: z.output<typeof MOTION_CALL.input>,
  actor: Actor,
): Promise<void> {
  const fields = MOTION_CALL.columns(input, ctx);
  const { who, seconders } = fields;
  return ctx.write((tx) => {
    ensureNotBegun(getMeeting(tx, meetingId));
    const before = findMotionCall(tx, meetingId);
    const { isExtended, first_closes_at } = planPeriod(fields, before, actor.at);
    tx.run(
      build
        .insertInto('motion_calls')
        .values({ meeting_id: meetingId, ...fields, first_closes_at })
        .onConflict((known) => known.column('meeting_id').doUpdateSet({ ...fields, first_closes_at })),
    );
    const metadata = {
      meeting: meetingId,
      ...(before && { from: periodOf(before) }),
      to: periodOf(fields),
      who,
      seconders,
    };
    recordAudit(tx, actor, { action: isExtended ? 'motions.extended' : 'motions.called', metadata });
  });
}

/**
 * Mails the call to everybody who may vote on the day of the meeting.
 * @returns how many mails @throws 404; 409 as `putCallMails`
 */
export function mailMotionCall(
  ctx: Context,
  { meetingId, origin }: { meetingId: string; origin: string },
  input: z.output<typeof CallMailInput>,
  actor: Actor,
): Promise<number> {
  ensureMailConfigured(ctx);
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    const call = getMotionCall(tx, meetingId);
    const { mailed_at } = call;
    const state = motionCallState(meeting, call, actor.at);
    const mails = putCallMails(
      ctx,
      tx,
      'motion',
      { meeting, ref: meetingId, state, mailed_at, origin },
      input,
    );
    const mailed = build.updateTable('motion_calls').set({ mailed_at: actor.at });
    tx.run(mailed.where('meeting_id', '=', meetingId));
    recordAudit(tx, actor, { action: 'motions.mailed', metadata: { meeting: meetingId, mails } });
    return mails;
  });
}

/** What the mail of a call is composed from; undefined once motions are not taken any more. */
export function prepareMotionCallMail(ctx: Context, { ref, facts }: OutboxMail<'motion-call'>) {
  const meeting = findMeeting(ctx.db, ref ?? '');
  const call = findMotionCall(ctx.db, ref ?? '');
  if (!meeting || !call || motionCallState(meeting, call, ctx.now()) === 'over') return undefined;
  const zone = ctx.config.TIME_ZONE;
  return {
    club: mailClub(ctx.config),
    meeting: meeting.title,
    when: formatWhen(meeting.held_at, zone),
    opens: call.opens_at > ctx.now() ? formatWhen(call.opens_at, zone) : undefined,
    closes: formatWhen(call.closes_at, zone),
    seconders: call.seconders,
    link: facts.origin + invitedPath(ctx, meeting, motionsPath(meeting.id)),
  };
}

/** The page on which motions are handed in. */
export const motionsPath = (meetingId: string): string => `/m/${meetingId}/motions`;

/** A call in few words, for the pages of its meeting; undefined without one. */
export function motionCallSummary(reader: Reader, meeting: Meeting, now: number) {
  const call = findMotionCall(reader, meeting.id);
  if (!call) return undefined;
  return {
    state: motionCallState(meeting, call, now),
    opens_at: isoTime(call.opens_at),
    closes_at: isoTime(call.closes_at),
  };
}
