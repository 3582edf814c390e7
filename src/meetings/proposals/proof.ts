import { sql } from 'kysely';
import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { atMost, emailAddress, listOf, requiredName } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { cleanLines } from '#kernel/names.ts';
import { listVotersWith } from '#people/roll/members.ts';
import type { ProposalKind } from './periods.ts';

/** How long a proposal waits for a first mailbox to confirm it, and how many of one address wait. */
const UNCONFIRMED_KEPT = DAY;
const UNCONFIRMED_OF_AN_ADDRESS = 20;
/** More addresses than seconders are needed may be named: somebody may not answer. */
const ASKED_AT_MOST = 10;

/** The tables of each kind, and how many wait in all: motions are longer. */
const TABLES = {
  nomination: {
    rows: 'nominations',
    seconders: 'nomination_seconders',
    of: 'nomination_id',
    unconfirmedAtMost: 1_000,
  },
  motion: { rows: 'motions', seconders: 'motion_seconders', of: 'motion_id', unconfirmedAtMost: 300 },
} as const satisfies Record<ProposalKind, object>;

/** A text of several lines. */
export const textUpTo = (most: number) =>
  z
    .string(coded('not_text'))
    .transform(cleanLines)
    .pipe(z.string().max(most, atMost(most)));

/** What every proposal says of people. */
export const PEOPLE_INPUT = {
  name: requiredName(300),
  email: emailAddress,
  seconders: listOf(emailAddress, ASKED_AT_MOST).default([]),
};

/**
 * The addresses that are asked to second a proposal, each once.
 * @throws 400 for too few of them, or the address of the proposal itself among them
 */
export function readAsked(
  kind: ProposalKind,
  { email, seconders }: { email: string; seconders: readonly string[] },
  needed: number,
): string[] {
  const asked = [...new Set(seconders)];
  if (asked.length < needed) throw badField('seconders', 'too_few_seconders', { min: needed });
  if (asked.includes(email))
    throw badField('seconders', kind === 'motion' ? 'mover_seconds' : 'nominee_seconds');
  return asked;
}

/**
 * Who of those addresses seconds: whoever may vote that day. Nobody counts twice, with two addresses, or for themselves.
 * @param own the people whose proposal it is, or who second it already
 */
export function findSeconders(
  reader: Reader,
  asked: readonly string[],
  own: readonly string[],
  day: string,
): { email: string; person: string }[] {
  const known = new Set(own);
  return asked.flatMap((email) => {
    const person = listVotersWith(reader, email, day).find((other) => !known.has(other));
    if (person === undefined) return [];
    known.add(person);
    return [{ email, person }];
  });
}

/** Proposals that neither their author nor a seconder has confirmed by a mail. */
const unconfirmed = (kind: ProposalKind) => {
  const { rows, seconders, of } = TABLES[kind];
  return build
    .selectFrom(rows)
    .where('consented_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('decision', 'is', null)
    .where(
      'id',
      'not in',
      build
        .selectFrom(seconders)
        .select(sql<string>`${sql.ref(of)}`.as('id'))
        .where('seconded_at', 'is not', null),
    );
};

/** Deletes what nobody has confirmed within a day. */
export function deleteUnconfirmed(tx: Tx, kind: ProposalKind, now: number): void {
  const old = unconfirmed(kind)
    .select('id')
    .where('created_at', '<=', now - UNCONFIRMED_KEPT);
  tx.run(build.deleteFrom(TABLES[kind].rows).where('id', 'in', old));
}

/** The oldest ones give way that nobody has confirmed: strangers enter them. */
export function makeRoom(tx: Tx, kind: ProposalKind, email: string, now: number): void {
  deleteUnconfirmed(tx, kind, now);
  const { rows, unconfirmedAtMost } = TABLES[kind];
  const latest = unconfirmed(kind).select('id').orderBy('created_at', 'desc').orderBy('id');
  const surplus = [
    ...tx.all(latest.where('email', '=', email)).slice(UNCONFIRMED_OF_AN_ADDRESS - 1),
    ...tx.all(latest).slice(unconfirmedAtMost - 1),
  ].map(({ id }) => id);
  if (surplus.length > 0) tx.run(build.deleteFrom(rows).where('id', 'in', surplus));
}

/** When the link of a proposal ends: after a day, unless a mailbox has confirmed it. */
export function answerableUntil(
  reader: Reader,
  kind: ProposalKind,
  { id, created_at }: { id: string; created_at: number },
): number {
  const isWaiting = reader.first(unconfirmed(kind).select('id').where('id', '=', id)) !== undefined;
  return isWaiting ? created_at + UNCONFIRMED_KEPT : Infinity;
}

/** Where a proposal stands: `ready` waits for the officers. */
export type ProposalState = 'unconfirmed' | 'unseconded' | 'ready' | 'accepted' | 'refused' | 'withdrawn';

interface Answered {
  consented_at: number | null;
  withdrawn_at: number | null;
  decision: 'accepted' | 'refused' | null;
}

/** @param missing whether seconders are missing */
export function proposalState(
  { withdrawn_at, decision, consented_at }: Answered,
  missing: () => boolean,
): ProposalState {
  if (withdrawn_at !== null) return 'withdrawn';
  if (decision !== null) return decision;
  if (consented_at === null) return 'unconfirmed';
  return missing() ? 'unseconded' : 'ready';
}

/** @throws 409 once it was withdrawn or decided on */
export function ensureUndecided(
  kind: ProposalKind,
  { decision, withdrawn_at }: Pick<Answered, 'decision' | 'withdrawn_at'>,
): void {
  if (withdrawn_at !== null) throw conflict(`${kind}_withdrawn`);
  if (decision !== null) throw conflict(`${kind}_decided`);
}

/**
 * Whether a decision changes anything: the same one again does not.
 * @throws 409 if it was withdrawn, was decided otherwise, or is accepted before it is confirmed and seconded
 */
export function isNewDecision(
  kind: ProposalKind,
  state: ProposalState,
  decision: 'accepted' | 'refused',
): boolean {
  if (state === decision) return false;
  if (state === 'withdrawn') throw conflict(`${kind}_withdrawn`);
  if (state === 'accepted' || state === 'refused') throw conflict(`${kind}_decided`);
  if (decision === 'accepted' && state !== 'ready') throw conflict(`${kind}_incomplete`);
  return true;
}
