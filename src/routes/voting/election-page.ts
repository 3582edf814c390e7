import type { FastifyRequest } from 'fastify';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { nestForm } from '#kernel/http/form.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { formatShort, formatWhen, toLocalInput, zoneInFull, zoneName } from '#kernel/local-time.ts';
import { actorName } from '#people/actor-names.ts';
import { listFoldedAudit } from '#people/folded-log.ts';
import { listGroups, listKinds } from '#people/roll/kinds-and-groups.ts';
import { todayOf } from '#people/roll/people.ts';
import {
  type Ask,
  adminElectionPage,
  type ElectionPageProps,
  type FormProblem,
  type Invitations,
  type SectionId,
} from '#views/voting/admin/election.ts';
import type { RollChoice } from '#views/voting/admin/invitations/invite-fields.ts';
import type { ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import { listBatches } from '#voting/ballots/tokens.ts';
import { countOpenSeats } from '#voting/counting/follow-up.ts';
import { findManualResults } from '#voting/counting/manual-results.ts';
import { publishedStatus } from '#voting/counting/publication.ts';
import { listInvited } from '#voting/counting/results-mail.ts';
import {
  closedEarlyAt,
  type Election,
  electionJson,
  electionStatus,
  endTime,
  findElection,
} from '#voting/elections/elections.ts';
import { listEditableOptions, OPTION_TEXT_AT_MOST } from '#voting/elections/options.ts';
import { countBallots, getOfficerTurnout } from '#voting/elections/turnout.ts';
import { whyHidden } from '#voting/elections/visibility.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { countByStatus, countVoters } from '#voting/invitations/invites.ts';
import { listMailings, type Mailing, progressOf } from '#voting/invitations/mailings.ts';

interface Asked {
  ask?: string | undefined;
  batch?: string | undefined;
  done?: string | undefined;
  problem?: FormProblem | undefined;
  /** The mailing that was just started; `said` is the kind of one that had no recipients. */
  mailing?: string | undefined;
  said?: string | undefined;
  /** The fields of the invitation form, on the way back from the check page. */
  enteredInvitation?: Record<string, unknown> | undefined;
}

/** Loads and renders the officer's page of one election. */
export function renderElectionPage(
  ctx: Context,
  election: Election,
  request: FastifyRequest,
  { ask, batch, done, problem, mailing, said, enteredInvitation }: Asked,
): Html {
  const { TIME_ZONE: zone } = ctx.config;
  const [sentence, doneAt] = DONE.get(done ?? '') ?? [];
  const manual = findManualResults(ctx.db, election.id);
  const contests = manual?.results.contests ?? [];
  const json = electionJson(ctx, election);
  const syncedAt = json.workspace_link?.synced_at ?? null;
  return adminElectionPage({
    election: json,
    times: formatTimes(election, zone, ctx.now()),
    publicUrl: `${linkOrigin(ctx, request) ?? ''}/e/${election.id}`,
    turnout: getOfficerTurnout(ctx.db, election.id),
    batches: listBatches(ctx.db, election.id, mayReadRoll(request)).map((one) => ({
      ...one,
      created: formatShort(one.created_at, zone),
    })),
    options: listEditableOptions(ctx.db, election.id),
    optionTextAtMost: OPTION_TEXT_AT_MOST,
    ballots: countBallots(ctx.db, election.id),
    publication: publishedStatus(ctx, election),
    hidden: whyHidden(election, ctx.now(), request.granted),
    openSeats: countOpenSeats(ctx.db, election.id),
    manual: manual && { contests: contests.length, items: contests.flatMap(({ items }) => items).length },
    invitations: loadInvitations(ctx, election, { mailing, said }),
    enteredInvitation,
    workspace: ctx.workspace && { synced: syncedAt === null ? null : formatShort(syncedAt, zone) },
    history: readHistory(ctx, election, request),
    ask: readAsk(ask, batch),
    done: sentence,
    doneAt,
    problem,
    clockJumped: ctx.clockWatch.jumped,
    viewer: request.viewer,
  });
}

/** Entries of the audit log that the page shows. */
const HISTORY_ENTRIES = 10;
/** Entries that are read for this, at most: the page is loaded often, and the log has an entry for each ballot. */
const HISTORY_SPAN = 1_000;

function readHistory(ctx: Context, { id }: Election, { granted }: FastifyRequest) {
  if (!granted?.has('audit:read')) return undefined;
  const query = { election_id: id, action: undefined, limit: HISTORY_ENTRIES, offset: 0 };
  const reader = { permissions: granted, now: ctx.now() };
  const { entries, shown, total } = listFoldedAudit(ctx, query, reader, true, HISTORY_SPAN);
  return { entries, ...(shown >= HISTORY_SPAN && shown < total && { span: shown }) };
}

/**
 * The config of a form's route on the election's page: a refusal shows the page again, with the form as it was sent.
 */
export function refusedOnElectionPage(ctx: Context, form: FormProblem['form']) {
  const refused = (request: FastifyRequest, { error, message, errors, entered }: RefusedForm): Html => {
    const { id = '' } = request.params as { id?: string };
    const election = findElection(ctx.db, id);
    // Without an election there is no page to show: the refusal is sent as an error.
    if (!election) throw error;
    const problem = { form, message, errors, entered: nestForm(entered) };
    return renderElectionPage(ctx, election, request, { problem });
  };
  return { refused, refusedStatuses: [400, 409] };
}

/** By the parameter `done`: the sentence that the page shows, and the section that it is about. */
const DONE = new Map<string, [sentence: string, at?: SectionId]>(
  Object.entries({
    'created-mail': [
      'The election was created. Next: invite people. Each gets a link of their own, so no other voting ' +
        'codes are needed.',
      'invitations',
    ],
    'created-paper': [
      'The election was created. Next: make a voting code for each person who votes, and print the slips.',
      'tokens',
    ],
    'created-trial': [
      'The trial is open and its invitations are sent. Look at them below, or vote yourself.',
    ],
    created: ['The election was created. Nobody can vote yet: make voting codes when you are ready.'],
    repeated: [
      'The election before is void. This is its repetition, with the same electors: nobody was mailed yet.',
      'invitations',
    ],
    voided: ['The election is void. Its page says so, with the reason.', 'ending'],
    'followed-up': [
      'This is the follow-up, with the same electors. They get their codes when voting opens.',
      'invitations',
    ],
    cloned: ['This is the copy. Nobody has a link to it yet.'],
    announced: ['The result is announced. Everybody can see it now.', 'results'],
    closed: ['Voting is closed. The next ballot is refused.'],
    dates: ['The dates were changed.', 'dates'],
    settings: ['The settings were changed.', 'settings'],
    attachment: ['The document was changed.', 'attachments'],
    'candidate-added': ['The candidate was added.', 'candidates'],
    wording: ['Title and description were changed.', 'text'],
    'candidate-changed': ['The candidate was changed.', 'candidates'],
    'option-changed': ['The option was changed.', 'options'],
    'candidate-removed': ['The candidate was removed.', 'candidates'],
    'option-added': ['The option was added.', 'options'],
    'option-removed': ['The option was removed.', 'options'],
    'batch-deleted': ['The batch was deleted.', 'tokens'],
    'manual-set': ['The certified results were saved. They are the result from now on.', 'results'],
    'manual-cleared': ['The counted result is shown again.', 'results'],
    'workspace-linked': ['The page was linked.', 'workspace'],
    'workspace-unlinked': ['The page was unlinked. It stays as it is.', 'workspace'],
    'workspace-synced': ['The page is up to date.', 'workspace'],
  } satisfies Record<string, [sentence: string, at?: SectionId]>),
);

function formatTimes(election: Election, zone: string, now: number): ElectionPageProps['times'] {
  const { open_at, close_at } = election;
  const closedEarly = closedEarlyAt(election);
  return {
    opens: formatShort(open_at, zone),
    closes: formatShort(close_at, zone),
    ends: formatShort(endTime(election), zone),
    opensInput: toLocalInput(open_at, zone),
    closesInput: toLocalInput(close_at, zone),
    closedEarly: closedEarly === null ? null : formatShort(closedEarly, zone),
    zone: zoneName(zone),
    zoneInFull: zoneInFull(now, zone),
  };
}

function readAsk(kind: string | undefined, batch: string | undefined): Ask | undefined {
  if (kind === 'batch') return { kind, batch_name: batch || null };
  return kind === 'close' || kind === 'delete' || kind === 'computed' ? { kind } : undefined;
}

/** Loads the part about invitations of an election's page for officers. The list of invitations has its own page. */
export function loadInvitations(
  ctx: Context,
  election: Election,
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
export function goesOut(ctx: Context, waiting: Election[]): string | undefined {
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
