import type { Context } from '#kernel/context.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { clubName } from '#kernel/mail/message.ts';
import type { Mail } from '#views/mail/layout.ts';
import { myElectionsMail } from '#views/mail/my-elections.ts';
import { reminderMail } from '#views/mail/reminder.ts';
import { votingLinkMail } from '#views/mail/voting-link.ts';
import { ballotRouteOf } from '#voting/ballots/ballots.ts';
import { type Election, endOf, statusOf } from '#voting/elections/elections.ts';
import { type Invite, tokenOf } from './invites.ts';
import { createMagicLink } from './magic-links.ts';

export type InvitationKind = 'invitation' | 'resend' | 'reminder';

/**
 * The mail that brings invites to their recipient: a voting link, or in batch mode a link to all their elections.
 * @returns undefined when the voting link is no longer there to be sent
 */
export async function invitationMail(
  ctx: Context,
  email: string,
  invites: Invite[],
  elections: Map<string, Election>,
  kind: InvitationKind,
): Promise<Mail | undefined> {
  const [invite] = invites;
  const invited = invites.flatMap(({ election_id }) => elections.get(election_id) ?? []);
  const [election] = invited;
  if (!invite || !election || !(await hasToken(ctx, invites))) return undefined;
  if (invite.mode === 'batch') {
    const path = await createMagicLink(
      ctx,
      email,
      invited.map(({ id }) => id),
    );
    if (path === undefined) return undefined;
    const link = `${ctx.config.BASE_URL}${path}`;
    return kind === 'reminder' ? reminderFor(ctx, election, link) : batchMail(ctx, invited, link);
  }
  const token = tokenOf(ctx, invite);
  if (token === undefined) return undefined;
  const link = votingLink(ctx, election, token);
  return kind === 'reminder' ? reminderFor(ctx, election, link) : individualMail(ctx, election, link);
}

/** An invitation as its first recipient will get it; its link opens nothing. */
export function sampleMail(ctx: Context, elections: Election[], mode: 'individual' | 'batch'): Mail {
  const [election] = elections;
  if (mode === 'batch' || !election)
    return batchMail(ctx, elections, `${ctx.config.BASE_URL ?? ''}/vote/my-elections?…`);
  return individualMail(ctx, election, `${ctx.config.BASE_URL ?? ''}/e/${election.id}/…`);
}

/** Whether one of the links still leads to a ballot: a batch of tokens may be deleted while its invites wait. */
async function hasToken(ctx: Context, invites: Invite[]): Promise<boolean> {
  const hashes = invites.flatMap(({ token_hash }) => token_hash ?? []);
  const token = ctx.db.selectFrom('tokens').select('token_hash').where('token_hash', 'in', hashes);
  return (await token.executeTakeFirst()) !== undefined;
}

function individualMail(ctx: Context, election: Election, link: string): Mail {
  const { title, description } = election;
  return votingLinkMail({
    clubName: clubName(ctx.config),
    title,
    description,
    ...timesOf(ctx, election),
    link,
  });
}

function batchMail(ctx: Context, elections: Election[], link: string): Mail {
  const rows = elections.map((election) => ({ title: election.title, ...timesOf(ctx, election) }));
  return myElectionsMail({ clubName: clubName(ctx.config), elections: rows, link });
}

function reminderFor(ctx: Context, election: Election, link: string): Mail {
  const { closes } = timesOf(ctx, election);
  return reminderMail({ clubName: clubName(ctx.config), title: election.title, closes, link });
}

function votingLink(ctx: Context, election: Election, token: string): string {
  return `${ctx.config.BASE_URL}/e/${election.id}/${ballotRouteOf(election.ballot_type)}?t=${encodeURIComponent(token)}`;
}

function timesOf(ctx: Context, election: Election) {
  const zone = ctx.config.TIME_ZONE;
  return {
    opens: formatWhen(election.open_at, zone),
    closes: formatWhen(endOf(election), zone),
    isOpen: statusOf(election, ctx.now()) === 'open',
  };
}
