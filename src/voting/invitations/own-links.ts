import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { formatShort, formatWhen } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { MailContent } from '#kernel/mail/message.ts';
import { spellingsOf } from '#kernel/mail-addresses.ts';
import { sha256 } from '#kernel/secrets.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import type { MailedElection, MailedTo } from './invitation-mails.ts';
import { createMagicLink } from './magic-links.ts';

/** Links are mailed to an address at most once in this time, whoever asks. */
const PAUSE = 10 * MINUTE;

/** The data of the mail with a person's own link. */
export interface OwnLinkMail extends MailedTo {
  elections: MailedElection[];
}

export type ComposeOwnLink = (data: OwnLinkMail) => MailContent;

/**
 * Mails the link to a person's own elections if this address has unused ballots: one mail for each person with this
 * address. The client must not learn whether a mail is sent, so call it after the answer. Never throws.
 * @param email as `normalizeAddress` returns it
 */
export async function mailOwnLinks(ctx: Context, email: string, compose: ComposeOwnLink): Promise<void> {
  await logFailure(ctx, async () => {
    const waiting = ctx.db
      .all(waitingBallots.where('invites.email', 'in', spellingsOf(email)))
      .filter(isOpenTo(ctx));
    if (waiting.length === 0 || ctx.mailer.missing().length > 0) return;
    if (!ctx.limiter.hit('own voting links', email, 1, PAUSE).allowed) return;
    const people = [...Map.groupBy(waiting, ({ person_id }) => person_id).values()];
    for (const elections of people) await mailLink(ctx, elections, people.length > 1, compose);
  });
}

/**
 * Mails a person the link to their ballot in one election, to the address in the snapshot of the electors.
 * Sends nothing without an unused ballot, and at most one mail in ten minutes. Never throws.
 */
export async function mailBallotLink(
  ctx: Context,
  { election_id, person_id }: { election_id: string; person_id: string },
  compose: ComposeOwnLink,
): Promise<void> {
  await logFailure(ctx, async () => {
    const own = waitingBallots
      .where('invites.election_id', '=', election_id)
      .where('invites.person_id', '=', person_id)
      .where('invites.email', '!=', '');
    const waiting = ctx.db.all(own).filter(isOpenTo(ctx));
    if (waiting.length === 0 || ctx.mailer.missing().length > 0) return;
    const key = `${election_id} ${person_id}`;
    if (!ctx.limiter.hit('own voting links', key, 1, PAUSE).allowed) return;
    const others = ctx.db.all(waitingBallots.where('invites.email', '=', waiting[0]!.email));
    await mailLink(ctx, waiting, new Set(others.map((other) => other.person_id)).size > 1, compose);
  });
}

async function logFailure(ctx: Context, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    ctx.log.error({ err }, 'a link to somebody’s elections could not be mailed');
  }
}

type WaitingBallot = Query<typeof waitingBallots>;
type Query<Q> = Q extends { execute(): Promise<(infer Row)[]> } ? Row : never;

/** The elections that are not closed, with the invites whose codes are unused. */
const waitingBallots = build
  .selectFrom('elections')
  .innerJoin('invites', 'invites.election_id', 'elections.id')
  .innerJoin('tokens', (join) =>
    join
      .onRef('tokens.election_id', '=', 'invites.election_id')
      .onRef('tokens.token_hash', '=', 'invites.token_hash'),
  )
  .leftJoin('electors', (join) =>
    join
      .onRef('electors.election_id', '=', 'invites.election_id')
      .onRef('electors.person_id', '=', 'invites.person_id'),
  )
  .select(['elections.id', 'title', 'open_at', 'close_at', 'closed_at'])
  .select(['invites.email', 'invites.person_id', 'electors.name'])
  .where('used_at', 'is', null)
  .where('closed_at', 'is', null)
  .orderBy('close_at');

const isOpenTo = (ctx: Context) => (election: WaitingBallot) =>
  electionStatus(election, ctx.now()) !== 'closed';

/** @param waiting the unused ballots of one person at one address */
async function mailLink(
  ctx: Context,
  waiting: WaitingBallot[],
  isShared: boolean,
  compose: ComposeOwnLink,
): Promise<void> {
  const { email, person_id, name } = waiting[0]!;
  const ids = waiting.map(({ id }) => id);
  const path = await createMagicLink(ctx, { email, person_id }, ids);
  if (path === undefined) return;
  const elections = waiting.map((election) => ({
    title: election.title,
    opens: formatShort(election.open_at, ctx.config.TIME_ZONE),
    closes: formatWhen(election.close_at, ctx.config.TIME_ZONE),
    isOpen: electionStatus(election, ctx.now()) === 'open',
  }));
  const link = `${ctx.config.BASE_URL}${path}`;
  const mail = compose({ club: mailClub(ctx.config), elections, link, forName: name || null, isShared });
  const sent = await ctx.mailer.send({ to: email, id: `own-link-${sha256(path).slice(0, 16)}`, ...mail });
  if (!sent.ok) ctx.log.error({ reason: sent.error }, 'a link to somebody’s elections could not be mailed');
}
