import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { NominationSecondersTable, NominationsTable } from '#kernel/db/schema.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { optionalName } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { isSameName } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { countMail, countProposal } from '#meetings/proposals/limits.ts';
import { ensureInPeriod } from '#meetings/proposals/periods.ts';
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
import { getCall } from './calls.ts';

export type Nomination = Selectable<NominationsTable>;
export type Seconder = Selectable<NominationSecondersTable>;

const TEXT_AT_MOST = 1_000;

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `nominations`. */
    'nomination-consent': { origin: string };
    'nomination-decision': { origin: string };
    /** About a row of `nomination_seconders`. */
    'nomination-second': { origin: string };
  }
}

export const NominationInput = z.object({
  ...PEOPLE_INPUT,
  text: textUpTo(TEXT_AT_MOST).default(''),
  proposer: optionalName(300),
});

/**
 * Takes a nomination, which counts once the nominee and the seconders have confirmed it by mail. Where members are asked,
 * one of a stranger is dropped: the answer is the same for every address.
 * @param origin of the links @param client who sent it, for the limits
 * @throws 400 for too few seconders, or the nominee among them; 404; 409 outside the period; 429
 */
export function nominate(
  ctx: Context,
  meetingId: string,
  itemId: string,
  input: z.output<typeof NominationInput>,
  { origin, client }: { origin: string; client: string },
): Promise<void> {
  return ctx.write((tx) => {
    const now = ctx.now();
    const meeting = getMeeting(tx, meetingId);
    const item = getItem(tx, itemId, meetingId);
    const call = getCall(tx, itemId);
    ensureNotClosed(meeting);
    ensureInPeriod('nomination', call, now);
    ensureOpenTo(item);
    const asked = readAsked('nomination', input, call.seconders);
    countProposal(ctx, { client, emails: [input.email, ...asked] });
    const day = localDate(meeting.held_at, ctx.config.TIME_ZONE);
    const nominees = listVotersWith(tx, input.email, day);
    if (call.who === 'members' && nominees.length === 0) return;
    makeRoom(tx, 'nomination', input.email, now);
    const mail = (kind: 'nomination-consent' | 'nomination-second', ref: string, email: string) => {
      if (countMail(ctx, email)) putMail(tx, { kind, ref, email, facts: { origin } }, now);
    };
    const id = newRandomId();
    const { name, email, text, proposer } = input;
    tx.run(
      build.insertInto('nominations').values({
        id,
        item_id: itemId,
        code_hash: sha256(proposalCode(ctx, id)),
        name,
        email,
        text,
        proposer,
        picture: null,
        created_at: now,
        consented_at: null,
        withdrawn_at: null,
        decision: null,
        reason: null,
        decided_at: null,
        decided_by: null,
        option_id: null,
      }),
    );
    mail('nomination-consent', id, email);
    for (const one of call.seconders > 0 ? findSeconders(tx, asked, nominees, day) : []) {
      const seconder = newRandomId();
      tx.run(
        build.insertInto('nomination_seconders').values({
          id: seconder,
          nomination_id: id,
          code_hash: sha256(proposalCode(ctx, seconder)),
          email: one.email,
          seconded_at: null,
        }),
      );
      mail('nomination-second', seconder, one.email);
    }
  });
}

/** What a mailed link opens: a nomination, for its nominee or for one of its seconders. */
export interface OpenedNomination {
  nomination: Nomination;
  seconder: Seconder | undefined;
}

const nominationByCode = prepare((p: { code_hash: string }) =>
  build.selectFrom('nominations').selectAll().where('code_hash', '=', p.code_hash),
);
const seconderByCode = prepare((p: { code_hash: string }) =>
  build.selectFrom('nomination_seconders').selectAll().where('code_hash', '=', p.code_hash),
);
const nominationById = prepare((p: { id: string }) =>
  build.selectFrom('nominations').selectAll().where('id', '=', p.id),
);

export const findNomination = (reader: Reader, id: string): Nomination | undefined =>
  reader.first(nominationById({ id }));

/** @throws 404 for a link that is unknown, of another meeting, or of a nomination that nobody confirmed in time */
export function openNomination(
  reader: Reader,
  meetingId: string,
  token: string,
  now: number,
): OpenedNomination {
  const code_hash = hashOfLinkToken(token);
  const seconder = reader.first(seconderByCode({ code_hash }));
  const nomination = seconder
    ? findNomination(reader, seconder.nomination_id)
    : reader.first(nominationByCode({ code_hash }));
  if (!nomination || getItem(reader, nomination.item_id).meeting_id !== meetingId)
    throw notFound('nomination_link_unknown');
  if (now >= answerableUntil(reader, 'nomination', nomination)) throw notFound('nomination_link_unknown');
  return { nomination, seconder };
}

/** What else waits for the same address in the same meeting, see `countMail`; the oldest first. */
export function listWaitingFor(reader: Reader, meetingId: string, email: string, now: number) {
  const asNominee = reader
    .all(
      build
        .selectFrom('nominations')
        .selectAll()
        .where('email', '=', email)
        .where('consented_at', 'is', null)
        .orderBy('created_at'),
    )
    .map((nomination) => ({ id: nomination.id, nomination, role: 'nominee' as const }));
  const asSeconder = reader
    .all(
      build
        .selectFrom('nomination_seconders')
        .selectAll()
        .where('email', '=', email)
        .where('seconded_at', 'is', null),
    )
    .flatMap(({ id, nomination_id }) => {
      const nomination = findNomination(reader, nomination_id);
      return nomination ? [{ id, nomination, role: 'seconder' as const }] : [];
    });
  return [...asNominee, ...asSeconder].filter(
    ({ nomination: one }) =>
      one.withdrawn_at === null &&
      one.decision === null &&
      getItem(reader, one.item_id).meeting_id === meetingId &&
      now < answerableUntil(reader, 'nomination', one),
  );
}

export const listSeconders = (reader: Reader, nominationId: string): Seconder[] =>
  reader.all(
    build
      .selectFrom('nomination_seconders')
      .selectAll()
      .where('nomination_id', '=', nominationId)
      .orderBy('email'),
  );

/** The nominations of an item, the oldest first. */
export const listNominations = (reader: Reader, itemId: string): Nomination[] =>
  reader.all(
    build
      .selectFrom('nominations')
      .selectAll()
      .where('item_id', '=', itemId)
      .orderBy('created_at')
      .orderBy('id'),
  );

/** Another nomination of the same person for the same item, by which they stand already. */
export const findStanding = (
  reader: Reader,
  { id, item_id, name, email }: Nomination,
): Nomination | undefined =>
  listNominations(reader, item_id).find(
    (other) =>
      other.id !== id &&
      other.email === email &&
      isSameName(other.name, name) &&
      other.consented_at !== null &&
      other.withdrawn_at === null,
  );

/** Where a nomination stands. */
export const nominationState = (reader: Reader, nomination: Nomination): ProposalState =>
  proposalState(nomination, () => {
    const { seconders } = getCall(reader, nomination.item_id);
    const seconded = listSeconders(reader, nomination.id).filter(({ seconded_at }) => seconded_at !== null);
    return seconded.length < seconders;
  });

/** @throws 409 once voting on the item has opened */
export function ensureOpenTo({ state }: Item): void {
  if (state !== 'prepared') throw conflict('item_voted_on', { state });
}
