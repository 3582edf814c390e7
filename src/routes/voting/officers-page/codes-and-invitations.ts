import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { formatInList, formatShort, formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { actorName } from '#people/actor-names.ts';
import { listGroups, listKinds } from '#people/roll/kinds-and-groups.ts';
import { todayOf } from '#people/roll/people.ts';
import type { RollChoice } from '#views/voting/admin/invitations/invite-fields.ts';
import type { ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import type { Invitations, ShownBatch } from '#views/voting/admin/sections/props.ts';
import { listBatches } from '#voting/ballots/tokens.ts';
import { listInvited } from '#voting/counting/results-mail.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { countByStatus, countVoters } from '#voting/invitations/invites.ts';
import { listMailings, type Mailing, progressOf } from '#voting/invitations/mailings.ts';

/** Loads the voting codes of an election or a ballot paper by batch. */
export const loadBatches = (
  ctx: Context,
  { id }: Pick<Issuer, 'id'>,
  request: FastifyRequest,
): readonly ShownBatch[] =>
  listBatches(ctx.db, id, mayReadRoll(request)).map((one) => ({
    ...one,
    created: formatInList(one.created_at, ctx.now(), ctx.config.TIME_ZONE),
  }));

/** What that page is asked for: the outcome of a request, or an invitation that was entered. */
interface Asked {
  mailing?: string | undefined;
  said?: string | undefined;
  enteredInvitation?: Record<string, unknown> | undefined;
}

/** Loads the part about invitations of a page for officers. The list of invitations has its own page. */
export function loadInvitations(
  ctx: Context,
  election: Issuer,
  { mailing, said, enteredInvitation: entered }: Asked,
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
    said: whatIsSaid(mailings, { mailing, said }),
    entered,
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
export function goesOut(ctx: Context, waiting: Issuer[]): Words | undefined {
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
    listed: formatInList(started_at, ctx.now(), ctx.config.TIME_ZONE),
    by: started_by === null ? null : actorName(ctx.db, started_by),
    finished: finished_at !== null,
  };
}
