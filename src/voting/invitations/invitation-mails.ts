import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { clubName, type MailContent } from '#kernel/mail/message.ts';
import { ballotRoute } from '#voting/ballots/ballots.ts';
import { type Election, electionStatus, endTime } from '#voting/elections/elections.ts';
import { type Invite, openToken } from './invites.ts';
import { createMagicLink } from './magic-links.ts';
import { ensureToken } from './renewed-links.ts';

export type InvitationKind = 'invitation' | 'resend' | 'reminder';

/** What a mail says of an election; times are formatted. */
export interface MailedElection {
  title: string;
  opens: string;
  closes: string;
  isOpen: boolean;
}

/** What a mail to somebody who was invited is made of. */
export type InvitationMailData =
  | ({
      template: 'voting-link';
      clubName: string;
      description: string | null;
      link: string;
    } & MailedElection)
  | { template: 'my-elections'; clubName: string; elections: MailedElection[]; link: string }
  | { template: 'reminder'; clubName: string; title: string; closes: string; link: string };

/** Makes the mail of its data: the templates are views, which this layer does not know. */
export type ComposeInvitation = (data: InvitationMailData) => MailContent;

/**
 * The mail that brings invites to their recipient: a voting link, or in batch mode a link to all their elections.
 * @returns undefined when the voting link was deleted in the meantime
 */
export async function prepareInvitation(
  ctx: Context,
  email: string,
  invites: Invite[],
  elections: Map<string, Election>,
  kind: InvitationKind,
): Promise<InvitationMailData | undefined> {
  const [invite] = invites;
  const invited = invites.flatMap(({ election_id }) => elections.get(election_id) ?? []);
  const [election] = invited;
  if (!invite || !election || !hasToken(ctx, invites)) return undefined;
  if (invite.mode === 'batch') {
    const path = await createMagicLink(
      ctx,
      email,
      invited.map(({ id }) => id),
    );
    if (path === undefined) return undefined;
    const link = `${ctx.config.BASE_URL}${path}`;
    return kind === 'reminder' ? reminderData(ctx, election, link) : myElectionsData(ctx, invited, link);
  }
  const token = openToken(ctx, invite) ?? (await ensureToken(ctx, invite.id));
  if (token === undefined) return undefined;
  const link = votingLink(ctx, election, token);
  return kind === 'reminder' ? reminderData(ctx, election, link) : votingLinkData(ctx, election, link);
}

/** An invitation as its first recipient will get it; its link opens nothing. */
export function sampleInvitation(
  ctx: Context,
  elections: Election[],
  mode: 'individual' | 'batch',
): InvitationMailData {
  const [election] = elections;
  if (mode === 'batch' || !election)
    return myElectionsData(ctx, elections, `${ctx.config.BASE_URL ?? ''}/vote/my-elections?…`);
  return votingLinkData(ctx, election, `${ctx.config.BASE_URL ?? ''}/e/${election.id}/…`);
}

/** Whether one of the links still leads to a ballot: a batch of tokens may be deleted while its invites wait. */
function hasToken(ctx: Context, invites: Invite[]): boolean {
  const hashes = invites.flatMap(({ token_hash }) => token_hash ?? []);
  const token = build.selectFrom('tokens').select('token_hash').where('token_hash', 'in', hashes);
  return ctx.db.first(token) !== undefined;
}

function votingLinkData(ctx: Context, election: Election, link: string): InvitationMailData {
  return {
    template: 'voting-link',
    clubName: clubName(ctx.config),
    description: election.description,
    ...mailedElection(ctx, election),
    link,
  };
}

function myElectionsData(ctx: Context, elections: Election[], link: string): InvitationMailData {
  return {
    template: 'my-elections',
    clubName: clubName(ctx.config),
    elections: elections.map((election) => mailedElection(ctx, election)),
    link,
  };
}

function reminderData(ctx: Context, election: Election, link: string): InvitationMailData {
  const { title, closes } = mailedElection(ctx, election);
  return { template: 'reminder', clubName: clubName(ctx.config), title, closes, link };
}

function votingLink(ctx: Context, election: Election, token: string): string {
  return `${ctx.config.BASE_URL}/e/${election.id}/${ballotRoute(election.ballot_type)}?t=${encodeURIComponent(token)}`;
}

function mailedElection(ctx: Context, election: Election): MailedElection {
  const zone = ctx.config.TIME_ZONE;
  return {
    title: election.title,
    opens: formatWhen(election.open_at, zone),
    closes: formatWhen(endTime(election), zone),
    isOpen: electionStatus(election, ctx.now()) === 'open',
  };
}
