import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { MotionSecondersTable, MotionsTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { optionalLines, requiredName } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { coded } from '#kernel/messages/messages.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { nameOnRecord } from '#meetings/minutes/facts.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { countMail, countProposal } from '#meetings/proposals/limits.ts';
import {
  answerableUntil,
  findSeconders,
  makeRoom,
  PEOPLE_INPUT,
  type ProposalState,
  proposalState,
  readAsked,
  textUpTo,
} from '#meetings/proposals/proof.ts';
import { listVotersWith } from '#people/roll/members.ts';
import { ensureTakesMotions, getMotionCall } from './calls.ts';

export type Motion = Selectable<MotionsTable>;
export type MotionSeconder = Selectable<MotionSecondersTable>;

const WORDING_AT_MOST = 10_000;
const REASON_AT_MOST = 5_000;

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `motions`. */
    'motion-consent': { origin: string };
    'motion-decision': { origin: string };
    /** About a row of `motion_seconders`. */
    'motion-second': { origin: string };
  }
}

/** What is handed in. `text` is the wording that would be decided on. */
export const HandedIn = z.object({
  ...PEOPLE_INPUT,
  title: requiredName(300),
  text: textUpTo(WORDING_AT_MOST).pipe(z.string().min(1, coded('required'))),
  reason: optionalLines(REASON_AT_MOST),
});

/**
 * Takes a motion, which counts once its author and the seconders have confirmed it by mail. Where members are asked, one of
 * a stranger is dropped: the answer is the same for every address.
 * @param origin of the links @param client who sent it, for the limits
 * @throws 400 for too few seconders, or the author among them; 404; 409 outside the period; 429
 */
export function handIn(
  ctx: Context,
  meetingId: string,
  input: z.output<typeof HandedIn>,
  { origin, client }: { origin: string; client: string },
): Promise<void> {
  return ctx.write((tx) => {
    const now = ctx.now();
    const meeting = getMeeting(tx, meetingId);
    const call = getMotionCall(tx, meetingId);
    ensureNotClosed(meeting);
    ensureTakesMotions(meeting, call, now);
    const asked = readAsked('motion', input, call.seconders);
    countProposal(ctx, { client, emails: [input.email, ...asked] });
    const day = localDate(meeting.held_at, ctx.config.TIME_ZONE);
    const authors = listVotersWith(tx, input.email, day);
    if (call.who === 'members' && authors.length === 0) return;
    makeRoom(tx, 'motion', input.email, now);
    const mail = (kind: 'motion-consent' | 'motion-second', ref: string, email: string) => {
      if (countMail(ctx, email)) putMail(tx, { kind, ref, email, facts: { origin } }, now);
    };
    const id = newRandomId();
    const { name, email, title, text, reason } = input;
    tx.run(
      build.insertInto('motions').values({
        id,
        meeting_id: meetingId,
        code_hash: sha256(proposalCode(ctx, id)),
        name,
        email,
        title,
        text,
        reason,
        created_at: now,
        consented_at: null,
        withdrawn_at: null,
        decision: null,
        decision_reason: null,
        decided_at: null,
        decided_by: null,
        item_id: null,
      }),
    );
    mail('motion-consent', id, email);
    for (const one of call.seconders > 0 ? findSeconders(tx, asked, authors, day) : []) {
      const seconder = newRandomId();
      tx.run(
        build.insertInto('motion_seconders').values({
          id: seconder,
          motion_id: id,
          code_hash: sha256(proposalCode(ctx, seconder)),
          email: one.email,
          name: nameOnRecord(tx, one.person),
          seconded_at: null,
        }),
      );
      mail('motion-second', seconder, one.email);
    }
  });
}

/** What a mailed link opens: a motion, for its author or for one of its seconders. */
export interface OpenedMotion {
  motion: Motion;
  seconder: MotionSeconder | undefined;
}

const motionByCode = prepare((p: { code_hash: string }) =>
  build.selectFrom('motions').selectAll().where('code_hash', '=', p.code_hash),
);
const seconderByCode = prepare((p: { code_hash: string }) =>
  build.selectFrom('motion_seconders').selectAll().where('code_hash', '=', p.code_hash),
);
const motionById = prepare((p: { id: string }) =>
  build.selectFrom('motions').selectAll().where('id', '=', p.id),
);

export const findMotion = (reader: Reader, id: string): Motion | undefined =>
  reader.first(motionById({ id }));

export const findMotionSeconder = (reader: Reader, id: string): MotionSeconder | undefined =>
  reader.first(build.selectFrom('motion_seconders').selectAll().where('id', '=', id));

/** @throws 404 for a link that is unknown, of another meeting, or of a motion that nobody confirmed in time */
export function openMotionLink(reader: Reader, meetingId: string, token: string, now: number): OpenedMotion {
  const code_hash = hashOfLinkToken(token);
  const seconder = reader.first(seconderByCode({ code_hash }));
  const motion = seconder
    ? findMotion(reader, seconder.motion_id)
    : reader.first(motionByCode({ code_hash }));
  if (motion?.meeting_id !== meetingId || now >= answerableUntil(reader, 'motion', motion))
    throw notFound('motion_link_unknown');
  return { motion, seconder };
}

export const listMotionSeconders = (reader: Reader, motionId: string): MotionSeconder[] =>
  reader.all(
    build.selectFrom('motion_seconders').selectAll().where('motion_id', '=', motionId).orderBy('email'),
  );

/** Those who have seconded it. */
export const listSeconded = (reader: Reader, motionId: string): MotionSeconder[] =>
  listMotionSeconders(reader, motionId).filter(({ seconded_at }) => seconded_at !== null);

const motionsOfMeeting = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('motions')
    .selectAll()
    .where('meeting_id', '=', p.meeting_id)
    .orderBy('created_at')
    .orderBy('id'),
);

/** The motions that were handed in, the oldest first. */
export const listMotions = (reader: Reader, meetingId: string): Motion[] =>
  reader.all(motionsOfMeeting({ meeting_id: meetingId }));

/** Where a motion stands. */
export const motionState = (reader: Reader, motion: Motion): ProposalState =>
  proposalState(motion, () => {
    const { seconders } = getMotionCall(reader, motion.meeting_id);
    return listSeconded(reader, motion.id).length < seconders;
  });

/** The motions that wait for a decision, the oldest first. */
export const listReadyMotions = (reader: Reader, meetingId: string): Motion[] =>
  listMotions(reader, meetingId).filter((one) => motionState(reader, one) === 'ready');

/** What else waits for the same address in the same meeting, see `countMail`; the oldest first. */
export function listMotionsWaitingFor(reader: Reader, meetingId: string, email: string, now: number) {
  return listMotions(reader, meetingId)
    .filter(
      (one) =>
        one.withdrawn_at === null && one.decision === null && now < answerableUntil(reader, 'motion', one),
    )
    .flatMap((motion) => [
      ...(motion.email === email && motion.consented_at === null
        ? [{ id: motion.id, motion, role: 'author' as const }]
        : []),
      ...listMotionSeconders(reader, motion.id)
        .filter((one) => one.email === email && one.seconded_at === null)
        .map(({ id }) => ({ id, motion, role: 'seconder' as const })),
    ]);
}
