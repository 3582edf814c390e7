import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { NominationSecondersTable, NominationsTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { atMost, emailAddress, listOf, optionalName, requiredName } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { coded } from '#kernel/messages/messages.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { listVotersWith } from '#people/roll/members.ts';
import { getItem, type Item } from '../items.ts';
import { ensureNotClosed, getMeeting } from '../meetings.ts';
import { ensureCallOpen, getCall } from './calls.ts';
import { nominationCode } from './codes.ts';

export type Nomination = Selectable<NominationsTable>;
export type Seconder = Selectable<NominationSecondersTable>;

const TEXT_AT_MOST = 1_000;
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
 * @throws 400 for too few seconders, or the nominee among them; 404; 409 outside the period
 */
export function nominate(
  ctx: Context,
  meetingId: string,
  itemId: string,
  input: z.output<typeof NominationInput>,
  origin: string,
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
    const day = localDate(meeting.held_at, ctx.config.TIME_ZONE);
    const nominees = listVotersWith(tx, input.email, day);
    if (call.who === 'members' && nominees.length === 0) return;
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
    putMail(tx, { kind: 'nomination-consent', ref: id, email, facts: { origin } }, now);
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
      putMail(tx, { kind: 'nomination-second', ref: seconder, email: one, facts: { origin } }, now);
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

/** @throws 404 for a link that is unknown, or of another meeting */
export function openNomination(reader: Reader, meetingId: string, token: string): OpenedNomination {
  const code_hash = hashOfLinkToken(token);
  const seconder = reader.first(seconderByCode({ code_hash }));
  const nomination = seconder
    ? findNomination(reader, seconder.nomination_id)
    : reader.first(nominationByCode({ code_hash }));
  if (!nomination || getItem(reader, nomination.item_id).meeting_id !== meetingId)
    throw notFound('nomination_link_unknown');
  return { nomination, seconder };
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
