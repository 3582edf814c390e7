import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { formatShort, formatWhen } from '#kernel/language/times.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { MailFacts, NotSent, OutboxMail } from '#kernel/mail/outbox.ts';
import { mailNow } from '#kernel/mail/sender.ts';
import { spellingsOf } from '#kernel/mail-addresses.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { issuers, listWaitingQuestions, waits } from '#voting/elections/issuers.ts';
import { titleInBoth } from '#voting/elections/translations.ts';
import { codeOfInvite, electorOfInvite } from '#voting/electors/joins.ts';
import { type MailedElection, type MailedTo, mailedSecrecy, mailedTrial } from './invitation-mails.ts';
import { createMagicLink } from './magic-links.ts';
import { NO_BALLOT } from './not-sent.ts';

/** Links are mailed to an address at most once in this time, for all requests together. */
const PAUSE = 10 * MINUTE;

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** Whose link it is, and to which election alone, if to one. */
    'own-link': { person_id: string | null; election_id?: string };
  }
}

/** The data of the mail with a person's own link. */
export interface OwnLinkMail extends MailedTo {
  elections: MailedElection[];
}

/**
 * Mails the link to a person's own elections if this address has unused ballots: one mail for each person with this
 * address. The client must not learn whether a mail is sent, so call it after the answer. Never throws.
 * @param email as `normalizeAddress` returns it
 */
export async function mailOwnLinks(ctx: Context, email: string): Promise<void> {
  await mailLinks(ctx, email, () => {
    const waiting = listWaiting(ctx, waitingBallots.where('invites.email', 'in', spellingsOf(email)));
    const people = [...Map.groupBy(waiting, ({ person_id }) => person_id).values()];
    return people.map(([one]) => ({ email: one!.email, facts: { person_id: one!.person_id } }));
  });
}

/**
 * Mails a person the link to their ballot in one election, to the address in the snapshot of the electors.
 * Sends nothing without an unused ballot, and at most one mail in ten minutes. Never throws.
 */
export async function mailBallotLink(
  ctx: Context,
  { election_id, person_id }: { election_id: string; person_id: string },
): Promise<void> {
  const own = waitingBallots
    .where('invites.election_id', '=', election_id)
    .where('invites.person_id', '=', person_id)
    .where('invites.email', '!=', '');
  await mailLinks(ctx, `${election_id} ${person_id}`, () =>
    listWaiting(ctx, own).map(({ email }) => ({ email, facts: { person_id, election_id } })),
  );
}

/** @param key what is mailed at most once in `PAUSE` */
async function mailLinks(
  ctx: Context,
  key: string,
  list: () => { email: string; facts: MailFacts['own-link'] }[],
): Promise<void> {
  try {
    const mails = list();
    if (mails.length === 0 || ctx.mailer.missing().length > 0) return;
    if (!ctx.limiter.hit('own voting links', key, 1, PAUSE).allowed) return;
    await mailNow(
      ctx,
      mails.map((mail) => ({ kind: 'own-link', ...mail })),
    );
  } catch (err) {
    ctx.log.error({ err }, 'a link to somebody’s elections could not be mailed');
  }
}

type WaitingBallot = Query<typeof waitingBallots>;
type Query<Q> = Q extends { execute(): Promise<(infer Row)[]> } ? Row : never;

/** The elections and ballot papers that are not closed, with the invites whose codes a ballot waits for. */
const waitingBallots = build
  .selectFrom(issuers.as('issuer'))
  .innerJoin('invites', 'invites.election_id', 'issuer.id')
  .innerJoin('tokens', codeOfInvite)
  .leftJoin('electors', electorOfInvite)
  .select([
    'issuer.id',
    'title',
    'issuer.translations',
    'open_at',
    'close_at',
    'closed_at',
    'trial',
    'is_paper',
    'issuer.created_at',
  ])
  .select(['invites.email', 'invites.person_id', 'electors.name', 'tokens.token_hash'])
  .where(waits())
  .where('closed_at', 'is', null)
  .orderBy('close_at');

const listWaiting = (ctx: Context, ballots: typeof waitingBallots): WaitingBallot[] =>
  ctx.db.all(ballots).filter((election) => electionStatus(election, ctx.now()) !== 'closed');

/** Returns the data of the mail with a person's own link, which is made now. */
export async function prepareOwnLink(
  ctx: Context,
  { email, facts: { person_id, election_id } }: OutboxMail<'own-link'>,
): Promise<OwnLinkMail | NotSent> {
  const all = listWaiting(ctx, waitingBallots.where('invites.email', 'in', spellingsOf(email)));
  const waiting = all.filter(
    (ballot) => ballot.person_id === person_id && (election_id === undefined || ballot.id === election_id),
  );
  const ids = waiting.map(({ id }) => id);
  const path = ids.length === 0 ? undefined : await createMagicLink(ctx, { email, person_id }, ids);
  if (path === undefined) return { state: 'SKIPPED', error: NO_BALLOT };
  return {
    club: mailClub(ctx.config),
    elections: waiting.map((election) => ({
      title: titleInBoth(election),
      opens: formatShort(election.open_at, ctx.config.TIME_ZONE),
      closes: formatWhen(election.close_at, ctx.config.TIME_ZONE),
      isOpen: electionStatus(election, ctx.now()) === 'open',
      secrecy: mailedSecrecy(ctx, { id: election.id, isPaper: election.is_paper === 1 }),
      trial: mailedTrial(ctx, election),
      ...(election.is_paper === 1 && {
        questions: listWaitingQuestions(ctx.db, election.id, election.token_hash),
      }),
    })),
    link: `${ctx.config.BASE_URL}${path}`,
    forName: waiting[0]?.name || null,
    isShared: new Set(all.map((ballot) => ballot.person_id)).size > 1,
  };
}
