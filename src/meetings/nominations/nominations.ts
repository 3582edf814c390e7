import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { NominationSecondersTable, NominationsTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { atMost, emailAddress, listOf, optionalName, requiredName } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { listVotersWith } from '#people/roll/members.ts';
import { ensureCallOpen, getCall } from './calls.ts';
import { nominationCode } from './codes.ts';
import { countMail, countNomination } from './limits.ts';

export type Nomination = Selectable<NominationsTable>;
export type Seconder = Selectable<NominationSecondersTable>;

const TEXT_AT_MOST = 1_000;
/** How long a nomination waits for a first mailbox to confirm it, and how many wait: for one nominee, and in all. */
const UNCONFIRMED_KEPT = DAY;
const UNCONFIRMED_OF_AN_ADDRESS = 20;
const UNCONFIRMED_AT_MOST = 1_000;
/** More addresses than seconders are needed may be named: somebody may not answer. */
const ASKED_AT_MOST = 10;

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
  name: requiredName(300),
  email: emailAddress,
  text: z
    .string(coded('not_text'))
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().max(TEXT_AT_MOST, atMost(TEXT_AT_MOST)))
    .default(''),
  proposer: optionalName(300),
  seconders: listOf(emailAddress, ASKED_AT_MOST).default([]),
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
    ensureCallOpen(call, now);
    ensureOpenTo(item);
    const asked = [...new Set(input.seconders)];
    if (asked.length < call.seconders)
      throw badField('seconders', 'too_few_seconders', { min: call.seconders });
    if (asked.includes(input.email)) throw badField('seconders', 'nominee_seconds');
    countNomination(ctx, { client, emails: [input.email, ...asked] });
    const day = localDate(meeting.held_at, ctx.config.TIME_ZONE);
    const nominees = listVotersWith(tx, input.email, day);
    if (call.who === 'members' && nominees.length === 0) return;
    makeRoom(tx, input.email, now);
    const mail = (kind: 'nomination-consent' | 'nomination-second', ref: string, email: string) => {
      if (countMail(ctx, email)) putMail(tx, { kind, ref, email, facts: { origin } }, now);
    };
    const id = newRandomId();
    const { name, email, text, proposer } = input;
    tx.run(
      build.insertInto('nominations').values({
        id,
        item_id: itemId,
        code_hash: sha256(nominationCode(ctx, id)),
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
    // A seconder is somebody who may vote, whoever may be nominated; nobody counts twice, with two addresses.
    const people = new Set(nominees);
    for (const one of call.seconders > 0 ? asked : []) {
      const person = listVotersWith(tx, one, day).find((other) => !people.has(other));
      if (person === undefined) continue;
      people.add(person);
      const seconder = newRandomId();
      tx.run(
        build.insertInto('nomination_seconders').values({
          id: seconder,
          nomination_id: id,
          code_hash: sha256(nominationCode(ctx, seconder)),
          email: one,
          seconded_at: null,
        }),
      );
      mail('nomination-second', seconder, one);
    }
  });
}

/** Nominations that neither the nominee nor a seconder has confirmed by a mail. */
const unconfirmed = () =>
  build
    .selectFrom('nominations')
    .where('consented_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('decision', 'is', null)
    .where(
      'id',
      'not in',
      build.selectFrom('nomination_seconders').select('nomination_id').where('seconded_at', 'is not', null),
    );

/** Deletes what nobody has confirmed within a day. */
export function deleteUnconfirmed(tx: Tx, now: number): void {
  const old = unconfirmed()
    .select('id')
    .where('created_at', '<=', now - UNCONFIRMED_KEPT);
  tx.run(build.deleteFrom('nominations').where('id', 'in', old));
}

/** The oldest ones give way that nobody has confirmed: strangers enter them. */
function makeRoom(tx: Tx, email: string, now: number): void {
  deleteUnconfirmed(tx, now);
  const latest = unconfirmed().select('id').orderBy('created_at', 'desc').orderBy('id');
  const surplus = [
    ...tx.all(latest.where('email', '=', email)).slice(UNCONFIRMED_OF_AN_ADDRESS - 1),
    ...tx.all(latest).slice(UNCONFIRMED_AT_MOST - 1),
  ].map(({ id }) => id);
  if (surplus.length > 0) tx.run(build.deleteFrom('nominations').where('id', 'in', surplus));
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
  if (now >= answerableUntil(reader, nomination)) throw notFound('nomination_link_unknown');
  return { nomination, seconder };
}

/** When the link of a nomination ends: after a day, unless a mailbox has confirmed it. */
export function answerableUntil(reader: Reader, { id, created_at }: Nomination): number {
  const isWaiting = reader.first(unconfirmed().select('id').where('id', '=', id)) !== undefined;
  return isWaiting ? created_at + UNCONFIRMED_KEPT : Infinity;
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
      now < answerableUntil(reader, one),
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

/** Where a nomination stands: `ready` waits for the officers. */
export type NominationState = 'unconfirmed' | 'unseconded' | 'ready' | 'accepted' | 'refused' | 'withdrawn';

export function nominationState(reader: Reader, nomination: Nomination): NominationState {
  const { withdrawn_at, decision, consented_at } = nomination;
  if (withdrawn_at !== null) return 'withdrawn';
  if (decision !== null) return decision;
  if (consented_at === null) return 'unconfirmed';
  const { seconders } = getCall(reader, nomination.item_id);
  const seconded = listSeconders(reader, nomination.id).filter(({ seconded_at }) => seconded_at !== null);
  return seconded.length >= seconders ? 'ready' : 'unseconded';
}

/** @throws 409 once voting on the item has opened */
export function ensureOpenTo({ state }: Item): void {
  if (state !== 'prepared') throw conflict('item_voted_on', { state });
}
