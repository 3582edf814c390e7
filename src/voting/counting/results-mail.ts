import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, badRequest, conflict } from '#kernel/http/errors.ts';
import { flag } from '#kernel/http/validation.ts';
import { formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import type { NotSent, OutboxMail, Outcome } from '#kernel/mail/outbox.ts';
import type { MailReason } from '#kernel/mail/reasons.ts';
import { coded } from '#kernel/messages/messages.ts';
import { getResults, type ResultsJson } from '#voting/counting/results.ts';
import { type Election, electionStatus, endTime, getElection } from '#voting/elections/elections.ts';
import { findPaper, type Issuer, listQuestions } from '#voting/elections/issuers.ts';
import { titleInBoth } from '#voting/elections/translations.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { mailedTrial } from '#voting/invitations/invitation-mails.ts';
import { ensureMailConfigured, sendClaimed } from '#voting/invitations/invite-mails.ts';
import {
  abandonMailing,
  createMailing,
  finishMailing,
  lastMailing,
  SENT_AT_ONCE,
} from '#voting/invitations/mailings.ts';
import { type MailResult, RecipientsInput, readRecipients } from '#voting/invitations/recipients.ts';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About an election or a ballot paper. */
    results: object;
  }
}

export interface ResultsMailData {
  club: MailClub;
  title: Words | string;
  /** The result of an election, or of each question of a ballot paper. */
  questions: { title: Words | string; results: ResultsJson }[];
  isPaper: boolean;
  /** When voting closed. */
  closed: Words;
  /** The address of the public page. */
  link: string;
  /** When it is deleted, if it is a trial. */
  trial?: Words | undefined;
}

/** Why the rest of the results of a mailing is not sent. */
const HIDDEN_AGAIN = 'Results are hidden until voting closes' satisfies MailReason;

/** Returns the data of the mail with a result, which is the same for everybody. */
export async function prepareResults(ctx: Context, id: string): Promise<ResultsMailData | NotSent> {
  const { issuer, elections } = getAsked(ctx.db, id);
  if (elections.some((election) => areResultsHidden(election, ctx.now())))
    return { state: 'SKIPPED', error: HIDDEN_AGAIN };
  const questions: ResultsMailData['questions'] = [];
  for (const election of elections)
    questions.push({ title: titleInBoth(election), results: await getResults(ctx, election) });
  const { isPaper } = issuer;
  return {
    club: mailClub(ctx.config),
    title: titleInBoth(issuer),
    questions,
    isPaper,
    closed: formatWhen(endTime(issuer), ctx.config.TIME_ZONE),
    link: `${ctx.config.BASE_URL}/${isPaper ? 'p' : 'e'}/${id}`,
    trial: mailedTrial(ctx, issuer),
  };
}

/** An election, or a ballot paper with its questions that are not void. @throws 404 */
function getAsked(reader: Reader, id: string): { issuer: Issuer; elections: Election[] } {
  const paper = findPaper(reader, id);
  if (!paper) {
    const election = getElection(reader, id);
    return { issuer: { ...election, isPaper: false }, elections: [election] };
  }
  const elections = listQuestions(reader, id).filter(({ voided_at }) => voided_at === null);
  return { issuer: { ...paper, trial: 0, isPaper: true }, elections };
}

/** @throws 404; 403 while a result is hidden; 409 for one that is void or awaits a lot, and while a paper is open */
export async function ensureDecided(ctx: Context, id: string): Promise<Issuer> {
  const { issuer, elections } = getAsked(ctx.db, id);
  if (issuer.isPaper && electionStatus(issuer, ctx.now()) !== 'closed') throw conflict('paper_not_closed');
  for (const election of elections) {
    const result = await getResults(ctx, election);
    if (result.void) throw conflict('election_void_no_result');
    if ('results' in result && 'awaiting_lot' in result.results)
      throw conflict('lot_awaited', { title: election.title });
  }
  if (elections.length === 0) throw conflict('election_void_no_result');
  return issuer;
}

/** Ends the mailing of a result that is hidden again; the last mail finishes it. */
export function settleResults(
  tx: Tx,
  { group_id }: OutboxMail<'results'>,
  outcome: Outcome,
  actor: Actor,
): void {
  if ('error' in outcome && outcome.error === HIDDEN_AGAIN)
    abandonMailing(tx, group_id, HIDDEN_AGAIN, actor.at);
  finishMailing(tx, group_id, actor);
}

/** Who gets the result again: nobody, those for whom it is unknown whether the mail was sent, or everybody. */
export type Again = 'new' | 'unsure' | 'all';

export const ResultsMailInput = RecipientsInput.extend({
  again: z
    .union(
      [z.enum(['new', 'unsure', 'all']), flag.transform((all): Again => (all ? 'all' : 'new'))],
      coded('not_true_or_false'),
    )
    .optional(),
  /** The id of the newest mailing when the form was shown: pressing the button twice sends one mailing. */
  after: z.string().max(64).optional(),
});

type Input = z.output<typeof ResultsMailInput>;

/** The recipients of the result, by whether they already have it. */
export interface ResultsRecipients {
  fresh: string[];
  had: string[];
  /** The service stopped while their mails were being sent. */
  unsure: string[];
  invalid: MailResult[];
}

export interface MailedResults {
  success: boolean;
  summary: { total: number; sent: number; failed: number; skipped: number };
  results: MailResult[];
  /** Absent if there was nobody to mail. */
  mailing_id?: string;
}

/**
 * Mails the result of an election or a ballot paper to the given recipients, or to everyone who was invited. Recipients who already have it get it again
 * only if `again` says so.
 * @param wait whether to return only after all mails are sent; otherwise larger mailings are sent in the background
 * @throws as `ensureDecided`, 400 without recipients
 */
export async function mailResults(
  ctx: Context,
  electionId: string,
  input: Input,
  actor: Actor,
  wait: boolean,
): Promise<MailedResults> {
  const election = await ensureDecided(ctx, electionId);
  ensureMailConfigured(ctx);
  const started = await ctx.write((tx) => {
    const last = lastMailing(tx, electionId, 'results');
    if (input.after !== undefined && input.after !== (last?.id ?? '')) return undefined;
    const recipients = findResultsRecipients(tx, electionId, input);
    if (election.trial === 1) ensureInvited(tx, electionId, recipients);
    const mailed = chosen(recipients, input.again ?? 'new');
    const all = recipients.fresh.length + recipients.had.length + recipients.unsure.length;
    const mails = mailed.map((email) => ({ kind: 'results' as const, ref: electionId, email, facts: {} }));
    const of = { kind: 'results', election_id: electionId, skipped: all - mailed.length } as const;
    const run = wait || mailed.length <= SENT_AT_ONCE ? ctx.run : undefined;
    const mailing = mailed.length > 0 ? createMailing(tx, of, mails, actor, run) : undefined;
    return { mailing, recipients, left: all - mailed.length, count: mailed.length };
  });
  const nothing = { success: true, summary: { total: 0, sent: 0, failed: 0, skipped: 0 }, results: [] };
  if (!started) return nothing;
  const { mailing, recipients, left, count } = started;
  const sent = await sendClaimed(ctx, mailing, actor);
  const results = [...sent, ...skippedRows(recipients, input.again ?? 'new'), ...recipients.invalid];
  const ok = sent.filter(({ success, queued }) => success && !queued).length;
  const later = sent.filter(({ queued }) => queued).length;
  const failed = sent.length - ok - later + recipients.invalid.length;
  return {
    success: ok + later > 0 || count === 0,
    summary: { total: results.length, sent: ok, failed, skipped: left },
    results,
    ...(mailing && { mailing_id: mailing.id }),
  };
}

/** @throws 404 for an unknown list, 400 without recipients */
export function findResultsRecipients(
  reader: Reader,
  electionId: string,
  input: Pick<Input, 'emails' | 'distribution_list_ids'> = {},
): ResultsRecipients {
  const named = (input.emails?.length ?? 0) + (input.distribution_list_ids?.length ?? 0) > 0;
  const { emails, invalid } = named
    ? readRecipients(reader, input)
    : { emails: listInvited(reader, electionId), invalid: [] };
  if (emails.length + invalid.length === 0) throw badRequest('nobody_invited');
  const before = findMailed(reader, electionId);
  const of = (state: 'had' | 'unsure' | undefined) => emails.filter((email) => before.get(email) === state);
  return { fresh: of(undefined), had: of('had'), unsure: of('unsure'), invalid };
}

/** @throws 400 if the result of a trial would be mailed to somebody who was not invited to it */
function ensureInvited(reader: Reader, electionId: string, { fresh, had, unsure }: ResultsRecipients): void {
  const invited = new Set(listInvited(reader, electionId));
  if ([...fresh, ...had, ...unsure].some((email) => !invited.has(email)))
    throw badField('emails', 'trial_only_invited');
}

function chosen({ fresh, had, unsure }: ResultsRecipients, again: Again): string[] {
  switch (again) {
    case 'new':
      return fresh;
    case 'unsure':
      return [...fresh, ...unsure];
    case 'all':
      return [...fresh, ...unsure, ...had].sort();
  }
}

function skippedRows({ had, unsure }: ResultsRecipients, again: Again): MailResult[] {
  const row = (error: MailReason) => (email: string) => ({ email, success: false, error });
  return [
    ...(again === 'all' ? [] : had.map(row('Already mailed'))),
    ...(again === 'new' ? unsure.map(row('It is not known whether it was mailed')) : []),
  ];
}

/** Finds who was mailed this result. Mails from before the close, or from before a reopening, had another result. */
function findMailed(reader: Reader, electionId: string): Map<string, 'had' | 'unsure'> {
  const { closed_at } = getAsked(reader, electionId).issuer;
  const rows = reader.all(
    build
      .selectFrom('outbox')
      .innerJoin('mailings', 'mailings.id', 'group_id')
      .select(['email', 'state'])
      .where('election_id', '=', electionId)
      .where('mailings.kind', '=', 'results')
      .where('started_at', '>=', closed_at ?? 0)
      .where('state', 'in', ['WAITING', 'SENDING', 'SENT', 'UNSURE']),
  );
  const mailed = new Map<string, 'had' | 'unsure'>();
  for (const { email, state } of rows)
    if (state !== 'UNSURE') mailed.set(email, 'had');
    else if (!mailed.has(email)) mailed.set(email, 'unsure');
  return mailed;
}

/** The addresses that get a mail of the result: of everybody who was invited, each once. */
export function listInvited(reader: Reader, electionId: string): string[] {
  const rows = reader.all(
    build
      .selectFrom('invites')
      .select('email')
      .distinct()
      .where('election_id', '=', electionId)
      .where('email', '!=', '')
      .where('email', 'not like', 'erased:%')
      .where('withdrawn_at', 'is', null)
      .orderBy('email'),
  );
  return rows.map(({ email }) => email);
}
