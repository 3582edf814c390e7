import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import { formatShort, formatWhen } from '#kernel/local-time.ts';
import { actorName } from '#people/actor-names.ts';
import { listGroups, listKinds } from '#people/roll/kinds-and-groups.ts';
import { todayOf } from '#people/roll/people.ts';
import type { RollChoice } from '#views/voting/admin/invitations/invite-fields.ts';
import type { ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import type { Invitations, SharedProps } from '#views/voting/admin/sections/props.ts';
import { listBatches } from '#voting/ballots/tokens.ts';
import { listInvited } from '#voting/counting/results-mail.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import { getIssuer, type Issuer } from '#voting/elections/issuers.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { countByStatus, countVoters } from '#voting/invitations/invites.ts';
import { listMailings, type Mailing, progressOf } from '#voting/invitations/mailings.ts';

/**
 * Returns the election or the ballot paper that an officer's address names.
 * @throws 404; 409 for a question of a paper, whose codes are those of the paper
 */
export function issuerOf(ctx: Context, request: Pick<FastifyRequest, 'params' | 'routeOptions'>) {
  const issuer = getIssuer(ctx.db, (request.params as { id: string }).id);
  ensureAddress(issuer, request);
  return issuer;
}

/** Whether a request is about a ballot paper, by its address. */
export const isPaperAddress = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  routeOptions.url?.startsWith('/admin/papers/') ?? false;

/** @throws 404 for a paper at an address of elections, and the reverse */
export function ensureAddress({ isPaper }: Issuer, request: Pick<FastifyRequest, 'routeOptions'>): void {
  const named = isPaperAddress(request);
  if (isPaper !== named) throw notFound(named ? 'paper_not_found' : 'election_not_found');
}

/** The same for a refused form. Without one there is no page to show: the refusal is sent as an error. */
export function issuerOfRefused(ctx: Context, request: FastifyRequest, error: unknown): Issuer {
  try {
    return issuerOf(ctx, request);
  } catch {
    throw error;
  }
}

/** Loads the voting codes of an election or a ballot paper by batch. */
export const loadBatches = (
  ctx: Context,
  { id }: Pick<Issuer, 'id'>,
  request: FastifyRequest,
): SharedProps['batches'] =>
  listBatches(ctx.db, id, mayReadRoll(request)).map((one) => ({
    ...one,
    created: formatShort(one.created_at, ctx.config.TIME_ZONE),
  }));

/** Loads the part about invitations of a page for officers. The list of invitations has its own page. */
export function loadInvitations(
  ctx: Context,
  election: Issuer,
  said: { mailing?: string | undefined; said?: string | undefined },
): Invitations {
  const counts = { ...countByStatus(ctx.db, election.id), ...countVoters(ctx.db, election.id) };
  const waiting = electionStatus(election, ctx.now()) === 'scheduled' && counts.queued > 0;
  const mailings = listMailings(ctx.db, election.id).map((mailing) => showMailing(ctx, mailing));
  return {
    counts,
    goesOut: waiting ? goesOut(ctx, [election]) : undefined,
    lists: listDistributionLists(ctx.db),
    roll: rollChoice(ctx),
    resultMails: listInvited(ctx.db, election.id).length,
    mailings,
    said: whatIsSaid(mailings, said),
    ...mailState(ctx),
  };
}

function whatIsSaid(
  mailings: Invitations['mailings'],
  { mailing: id, said }: { mailing?: string | undefined; said?: string | undefined },
): Invitations['said'] {
  const mailing = mailings.find((one) => one.id === id);
  if (mailing) return { mailing };
  return said === 'reminders' || said === 'results' ? { nobody: said } : undefined;
}

/** What can be chosen from the roll: kinds of membership with a vote, and groups. */
export function rollChoice(ctx: Context): RollChoice {
  const kinds = listKinds(ctx.db).filter(({ votes }) => votes);
  return { kinds, groups: listGroups(ctx.db), today: todayOf(ctx) };
}

/** Whether mails can be sent, for pages with mail forms. */
export function mailState(ctx: Context) {
  const missing = ctx.mailer.needed();
  return { mailReady: missing.length === 0, missing, inFolder: ctx.mailer.isFolder };
}

/** Returns when the first queued invitations are sent: at the earliest opening of their elections. */
export function goesOut(ctx: Context, waiting: Issuer[]): string | undefined {
  const [first] = waiting.map(({ open_at }) => open_at).sort((a, b) => a - b);
  return first === undefined ? undefined : formatWhen(first, ctx.config.TIME_ZONE);
}

/** A mailing for display. */
export function showMailing(ctx: Context, mailing: Mailing): ShownMailing {
  const { id, kind, started_at, started_by, total, skipped, finished_at, note } = mailing;
  return {
    id,
    kind,
    total,
    skipped,
    note,
    ...progressOf(ctx.db, mailing),
    when: formatShort(started_at, ctx.config.TIME_ZONE),
    by: started_by === null ? null : actorName(ctx.db, started_by),
    finished: finished_at !== null,
  };
}
