import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { clubName, type MailContent } from '#kernel/mail/message.ts';
import { sha256 } from '#kernel/secrets.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { createMagicLink } from './magic-links.ts';

/** One mail for an address in this time, whoever asks. */
const PAUSE = 10 * MINUTE;

/** What the mail with somebody's own link is composed from. */
export interface OwnLinkMail {
  clubName: string;
  elections: { title: string; opens: string; closes: string; isOpen: boolean }[];
  link: string;
}

/**
 * Mails the link to one's own elections, where an unused ballot waits for this address. Whoever asks is told nothing:
 * call it after the answer. Never throws.
 * @param email in lower case
 */
export async function mailOwnLink(
  ctx: Context,
  email: string,
  compose: (data: OwnLinkMail) => MailContent,
): Promise<void> {
  try {
    const waiting = listWaiting(ctx, email);
    if (waiting.length === 0 || ctx.mailer.missing().length > 0) return;
    if (!ctx.limiter.hit('own voting links', email, 1, PAUSE).allowed) return;
    const path = await createMagicLink(
      ctx,
      email,
      waiting.map(({ id }) => id),
    );
    if (path === undefined) return;
    const when = (at: number) => formatWhen(at, ctx.config.TIME_ZONE);
    const elections = waiting.map((election) => ({
      title: election.title,
      opens: when(election.open_at),
      closes: when(election.close_at),
      isOpen: electionStatus(election, ctx.now()) === 'open',
    }));
    const mail = compose({
      clubName: clubName(ctx.config),
      elections,
      link: `${ctx.config.BASE_URL}${path}`,
    });
    const sent = await ctx.mailer.send({ to: email, id: `own-link-${sha256(path).slice(0, 16)}`, ...mail });
    if (!sent.ok) ctx.log.error({ reason: sent.error }, 'a link to somebody’s elections could not be mailed');
  } catch (error) {
    ctx.log.error({ error }, 'a link to somebody’s elections could not be mailed');
  }
}

/** The elections that are not over, in which this address has a code that was not used. */
function listWaiting(ctx: Context, email: string) {
  const invited = ctx.db.all(
    build
      .selectFrom('elections')
      .innerJoin('invites', 'invites.election_id', 'elections.id')
      .innerJoin('tokens', (join) =>
        join
          .onRef('tokens.election_id', '=', 'invites.election_id')
          .onRef('tokens.token_hash', '=', 'invites.token_hash'),
      )
      .select(['elections.id', 'title', 'open_at', 'close_at', 'closed_at'])
      .where('invites.email', '=', email)
      .where('used_at', 'is', null)
      .where('closed_at', 'is', null)
      .orderBy('close_at'),
  );
  return invited.filter((election) => electionStatus(election, ctx.now()) !== 'closed');
}
