import type { FastifyRequest } from 'fastify';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import type { Context } from '#kernel/context.ts';
import { listOwners } from '#kernel/db/owners.ts';
import { NO_ADDRESS } from '#kernel/mail/message.ts';
import type { MailFacts, MailKind, NewMail } from '#kernel/mail/outbox.ts';
import { mailNow } from '#kernel/mail/sender.ts';
import { listAddresses } from './persons.ts';

/** What happened to a passkey. */
export type PasskeyNews = { is: 'added' | 'removed'; name: string } | { is: 'copied' };

/** A setting that decides who can sign in: where links lead, who carries the codes, and who vouches for people. */
export type WayIn = 'base_url' | 'house_network' | 'mail.host' | 'oidc.issuer';

/** When it happened, and what the links of its mail begin with. */
interface Notice {
  at: number;
  origin: string;
}

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    'passkey-notice': Notice & { news: PasskeyNews };
    'account-notice': Notice & { account: string; isLinked: boolean };
    'address-notice': Notice & { email: string };
    'role-notice': Notice & { roles: readonly string[]; by: string };
    'owner-notice': Notice & { owner: string; by: string };
    /** `labels`: what changes of it, by `keepText`; an earlier version stored none. */
    'settings-notice': Notice & {
      changed: WayIn;
      now: string | null;
      by: string;
      labels?: readonly string[];
    };
    'act-notice': Notice & {
      act: string;
      details: readonly { label: string; value: string }[];
      by: string;
      /** Whether another person has to confirm it first. */
      waits: boolean;
    };
  }
}

/** The kinds of mail that are notices. */
export type NoticeKind = Extract<MailKind, `${string}-notice`>;

/**
 * Mails a notice to all addresses of some people, without waiting. A failure is only logged, because it must not undo
 * the act that the notice is about.
 */
export function mailNotice<Kind extends NoticeKind>(
  ctx: Context,
  request: FastifyRequest,
  people: readonly string[],
  kind: Kind,
  facts: Omit<MailFacts[Kind], keyof Notice>,
): void {
  const mails = noticesTo(ctx, request, people, kind, facts);
  if (mails.length === 0) return;
  mailNow(ctx, mails).catch((err: unknown) => ctx.log.error({ err }, 'a notice could not be mailed'));
}

/** A notice to all addresses of some people; none while the address of the service is not known. */
function noticesTo<Kind extends NoticeKind>(
  ctx: Context,
  request: FastifyRequest,
  people: readonly string[],
  kind: Kind,
  facts: Omit<MailFacts[Kind], keyof Notice>,
): NewMail[] {
  const origin = linkOrigin(ctx, request);
  if (origin === undefined) {
    ctx.log.error({ reason: NO_ADDRESS }, 'a notice could not be mailed');
    return [];
  }
  const addresses = new Set(people.flatMap((id) => listAddresses(ctx.db, id).map(({ email }) => email)));
  const whole = { ...facts, at: ctx.now(), origin };
  return [...addresses].map((email) => ({ kind, email, facts: whole }) as unknown as NewMail);
}

/**
 * Mails all owners that a way in changes, and waits for the mails: they go out by the mail server of now.
 * @param within the longest time to wait, in milliseconds
 * @returns what became of each; `error` says why it did not go out. None while no mail can be sent
 */
export async function warnAllOwners(
  ctx: Context,
  request: FastifyRequest,
  facts: Omit<MailFacts['settings-notice'], keyof Notice>,
  within: number,
): Promise<{ email: string; error: string | undefined }[]> {
  if (ctx.mailer.missing().length > 0) return [];
  const mails = noticesTo(ctx, request, listOwners(ctx.db, ctx.now()), 'settings-notice', facts);
  const tried = await mailNow(ctx, mails, { isFinal: true, within, triesOnce: true });
  return tried.map(({ mails: [{ email }], outcome }) => ({
    email,
    error: 'error' in outcome ? outcome.error : undefined,
  }));
}

/** Mails a notice to all owners. */
export function mailOwners<Kind extends NoticeKind>(
  ctx: Context,
  request: FastifyRequest,
  kind: Kind,
  facts: Omit<MailFacts[Kind], keyof Notice>,
): void {
  mailNotice(ctx, request, listOwners(ctx.db, ctx.now()), kind, facts);
}

/** Mails somebody which roles they have now, if these are others than before. @param by who changed them */
export function mailRoles(
  ctx: Context,
  request: FastifyRequest,
  { email, before, after }: { email: string; before: readonly string[]; after: readonly string[] },
  by: string,
): void {
  if (before.join() === after.join()) return;
  const people = listPeopleOf(ctx.db, email).map(({ id }) => id);
  mailNotice(ctx, request, people, 'role-notice', { roles: after, by });
}
