import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { formatDay, formatShort, formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import type { MailRows, NotSent } from '#kernel/mail/outbox.ts';
import { votingPath } from '#voting/ballots/ballots.ts';
import { type Secrecy, secrecyOfPaper } from '#voting/ballots/secrecy.ts';
import { isWaiting } from '#voting/ballots/tokens.ts';
import { readSettings } from '#voting/election-settings.ts';
import { deleteAt, type Election, electionStatus, endTime } from '#voting/elections/elections.ts';
import {
  getIssuer,
  type Issuer,
  listNumberedTitles,
  listWaitingQuestions,
  meetingOf,
  questionsOfAll,
} from '#voting/elections/issuers.ts';
import { descriptionInBoth, titleInBoth } from '#voting/elections/translations.ts';
import { findElector } from '#voting/electors/electors.ts';
import type { InviteMailKind } from './invite-mails.ts';
import { findInvite, type Invite, openToken } from './invites.ts';
import { createMagicLink } from './magic-links.ts';
import { CODE_USED, LINK_GONE, VOTING_CLOSED } from './not-sent.ts';
import { ensureToken } from './renewed-links.ts';

/** The data of an election in a mail. */
export interface MailedElection {
  title: Words | string;
  opens: Words;
  closes: Words;
  isOpen: boolean;
  /** When the meeting is held that it is the paper of. */
  meeting?: Words | undefined;
  secrecy: Secrecy;
  /** When it is deleted, if it is a trial. */
  trial: Words | undefined;
  /** Of a ballot paper: what is asked. In a reminder, and in a list of own elections, what is not answered yet. */
  questions?: (Words | string)[];
}

/** The data of a mail to an invited person. */
export type InvitationMailData =
  | ({ template: 'voting-link'; description: Words | string | null } & MailedElection & MailedTo)
  | ({ template: 'my-elections'; elections: MailedElection[] } & MailedTo)
  | ({ template: 'reminder' } & Pick<MailedElection, 'title' | 'closes' | 'secrecy' | 'trial' | 'questions'> &
      MailedTo);

/** The recipient of a mail, and their link. */
export interface MailedTo {
  club: MailClub;
  link: string;
  /** The name of the person, if known. */
  forName: string | null;
  /** Whether others are invited at the same address. */
  isShared: boolean;
}

/** Returns the data of the mail for a recipient's invites: a voting link, or in batch mode a link to all elections. */
export async function prepareInvitation(
  ctx: Context,
  mails: MailRows<InviteMailKind>,
): Promise<InvitationMailData | NotSent> {
  const [{ kind, email }] = mails;
  const before = mails.flatMap(({ facts }) => ('before' in facts ? (facts.before ?? []) : []));
  const ids = new Set([...mails.map(({ ref }) => ref ?? ''), ...before]);
  const invites = [...ids].flatMap((id) => findInvite(ctx.db, id) ?? []);
  const invited = invites.map(({ election_id }) => getIssuer(ctx.db, election_id));
  const [[invite], [election]] = [invites, invited];
  if (kind === 'reminder') {
    if (election && electionStatus(election, ctx.now()) !== 'open')
      return { state: 'SKIPPED', error: VOTING_CLOSED };
    if (!invite || !isWaiting(ctx.db, invite.election_id, invite.token_hash))
      return { state: 'SKIPPED', error: CODE_USED };
  }
  if (!invite || !election || !hasToken(ctx, invites)) return GONE;
  if (invite.mode === 'batch') {
    const elections = invited.map(({ id }) => id);
    const path = await createMagicLink(ctx, { email, person_id: invite.person_id }, elections);
    if (path === undefined) return GONE;
    const to = mailedTo(ctx, `${ctx.config.BASE_URL}${path}`, invite);
    return kind === 'reminder' ? reminderData(ctx, election, invite, to) : myElectionsData(ctx, invited, to);
  }
  const token = openToken(ctx, invite) ?? (await ensureToken(ctx, invite.id));
  if (token === undefined) return GONE;
  const to = mailedTo(ctx, `${ctx.config.BASE_URL}${votingPath(ctx.db, election, token)}`, invite);
  return kind === 'reminder' ? reminderData(ctx, election, invite, to) : votingLinkData(ctx, election, to);
}

const GONE: NotSent = { state: 'FAILED', error: LINK_GONE };

function mailedTo(ctx: Context, link: string, invite?: Invite): MailedTo {
  const to = { club: mailClub(ctx.config), link };
  if (!invite) return { ...to, forName: null, isShared: false };
  const { election_id, person_id, email, id } = invite;
  const elector = person_id === null ? undefined : findElector(ctx.db, election_id, person_id);
  const other = build
    .selectFrom('invites')
    .select('id')
    .where('email', '=', email)
    .where('election_id', '=', election_id)
    .where('id', '!=', id);
  return { ...to, forName: elector?.name || null, isShared: ctx.db.first(other) !== undefined };
}

/**
 * Returns a sample of the invitation; its link does not work. It is made before most codes are, and does not warn of
 * few voters.
 */
export function sampleInvitation(
  ctx: Context,
  elections: Issuer[],
  mode: 'individual' | 'batch',
): InvitationMailData {
  const [election] = elections;
  if (mode === 'batch' || !election)
    return myElectionsData(
      ctx,
      elections,
      mailedTo(ctx, `${ctx.config.BASE_URL ?? ''}/vote/my-elections?…`),
      true,
    );
  return votingLinkData(
    ctx,
    election,
    mailedTo(ctx, `${ctx.config.BASE_URL ?? ''}${votingPath(ctx.db, election, '')}…`),
    true,
  );
}

/** Whether one of the invites still has its token: a batch of tokens may be deleted while its invites are queued. */
function hasToken(ctx: Context, invites: Invite[]): boolean {
  const hashes = invites.flatMap(({ token_hash }) => token_hash ?? []);
  const token = build.selectFrom('tokens').select('token_hash').where('token_hash', 'in', hashes);
  return ctx.db.first(token) !== undefined;
}

function votingLinkData(ctx: Context, election: Issuer, to: MailedTo, isSample = false): InvitationMailData {
  const description = descriptionInBoth(election);
  return { template: 'voting-link', description, ...mailedElection(ctx, election, isSample), ...to };
}

function myElectionsData(
  ctx: Context,
  elections: Issuer[],
  to: MailedTo,
  isSample = false,
): InvitationMailData {
  const mailed = elections.map((election) => mailedElection(ctx, election, isSample));
  return { template: 'my-elections', elections: mailed, ...to };
}

function reminderData(ctx: Context, election: Issuer, invite: Invite, to: MailedTo): InvitationMailData {
  const { title, closes, secrecy, trial } = mailedElection(ctx, election);
  const waiting = election.isPaper && {
    questions: listWaitingQuestions(ctx.db, election.id, invite.token_hash ?? ''),
  };
  return { template: 'reminder', title, closes, secrecy, trial, ...waiting, ...to };
}

/** The day on which an election is deleted, for a mail about it; undefined unless it is a trial. */
export const mailedTrial = (
  { config }: Pick<Context, 'config'>,
  { trial, created_at }: Pick<Election, 'trial' | 'created_at'>,
): Words | undefined => (trial === 1 ? formatDay(deleteAt({ created_at }), config.TIME_ZONE) : undefined);

/** What a mail says about the secrecy of the ballots that its link opens. */
export function mailedSecrecy(
  ctx: Pick<Context, 'db' | 'cache' | 'changes'>,
  issuer: Pick<Issuer, 'id' | 'isPaper'>,
): Secrecy {
  const questions = questionsOfAll(ctx.db, [issuer]).map(({ id, settings }) => ({
    id,
    settings: readSettings(settings),
  }));
  const secrecy = secrecyOfPaper(ctx, issuer.id, questions);
  // In a meeting only the opening of a question tells how many vote on it.
  return issuer.isPaper && meetingOf(ctx.db, issuer.id) ? { ...secrecy, few: undefined } : secrecy;
}

function mailedElection(ctx: Context, election: Issuer, isSample = false): MailedElection {
  const zone = ctx.config.TIME_ZONE;
  const meeting = election.isPaper ? meetingOf(ctx.db, election.id) : undefined;
  const secrecy = mailedSecrecy(ctx, election);
  return {
    title: titleInBoth(election),
    ...(meeting && { meeting: formatWhen(meeting.held_at, zone) }),
    opens: formatShort(election.open_at, zone),
    closes: formatWhen(endTime(election), zone),
    isOpen: electionStatus(election, ctx.now()) === 'open',
    secrecy: isSample && secrecy.few ? { ...secrecy, few: false } : secrecy,
    trial: mailedTrial(ctx, election),
    ...(election.isPaper && { questions: listNumberedTitles(ctx.db, election.id) }),
  };
}
