import type { FastifyRequest } from 'fastify';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { nestForm } from '#kernel/http/form.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { formatShort, toLocalInput, zoneInFull, zoneName } from '#kernel/local-time.ts';
import { isSameName } from '#kernel/names.ts';
import { listFoldedAudit } from '#people/folded-log.ts';
import {
  loadBatches,
  loadInvitations,
  rollChoice,
} from '#routes/voting/invitations/codes-and-invitations.ts';
import {
  type Ask,
  adminElectionPage,
  type ElectionPageProps,
  type FormProblem,
  type SectionId,
} from '#views/voting/admin/election/election.ts';
import { countOpenSeats } from '#voting/counting/follow-up.ts';
import { findManualResults } from '#voting/counting/manual-results.ts';
import { publishedStatus } from '#voting/counting/publication.ts';
import { isLotAwaited } from '#voting/elections/drawn-lots.ts';
import {
  closedEarlyAt,
  type Election,
  type ElectionJson,
  electionJson,
  endTime,
  findElection,
} from '#voting/elections/elections.ts';
import { getIssuer, getPaper, listQuestions } from '#voting/elections/issuers.ts';
import { listEditableOptions, OPTION_TEXT_AT_MOST } from '#voting/elections/options.ts';
import { officersTurnout } from '#voting/elections/shown-turnout.ts';
import { countBallots, getOfficerTurnout } from '#voting/elections/turnout.ts';
import { auditReader, whyHidden } from '#voting/elections/visibility.ts';

/** What a page of an election or a ballot paper is asked to show. */
export interface Asked {
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
  const hidden = whyHidden(election, ctx.now(), request.granted);
  // A void result fills no seats.
  const counts = hidden === undefined && election.voided_at === null;
  const paper = findPlace(ctx, election);
  const syncedAt = json.workspace_link?.synced_at ?? null;
  return adminElectionPage({
    election: json,
    times: formatTimes(election, zone, ctx.now()),
    publicUrl: `${linkOrigin(ctx, request) ?? ''}/e/${election.id}`,
    turnout: turnoutFor(ctx, election),
    batches: paper ? [] : loadBatches(ctx, election, request),
    options: listEditableOptions(ctx.db, election.id),
    optionTextAtMost: OPTION_TEXT_AT_MOST,
    ballots: countBallots(ctx.db, election.id),
    publication: publishedStatus(ctx, election),
    hidden,
    openSeats: counts ? countOpenSeats(ctx.db, election.id) : 0,
    awaitsLot: counts && isLotAwaited(ctx.db, election.id),
    manual: manual && { contests: contests.length, items: contests.flatMap(({ items }) => items).length },
    paper,
    invitations: paper ? undefined : loadInvitations(ctx, getIssuer(ctx.db, election.id), { mailing, said }),
    enteredInvitation: enteredInvitation ?? proposeInvitation(ctx, json),
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

function turnoutFor(ctx: Context, election: Election): ElectionPageProps['turnout'] {
  const { invited, ...codes } = getOfficerTurnout(ctx.db, election.id);
  return { ...officersTurnout(ctx.db, election, codes), invited };
}

/** The ballot paper that an election is a question of, and its place there. */
function findPlace(ctx: Context, { paper_id, paper_position }: Election): ElectionPageProps['paper'] {
  if (paper_id === null) return undefined;
  const { id, title } = getPaper(ctx.db, paper_id);
  return { id, title, isPaper: true, place: paper_position ?? 0, of: listQuestions(ctx.db, id).length };
}

/** The invitation of a copy: the kinds and groups from which its electors came, as the roll is now; never the people. */
function proposeInvitation(ctx: Context, { id, status, invited_from }: ElectionJson) {
  if (!invited_from || status === 'closed' || getOfficerTurnout(ctx.db, id).invited > 0) return undefined;
  const { kinds, groups } = rollChoice(ctx);
  const chosen = (all: readonly { id: string; name: string }[], given: string[]) =>
    all
      .filter((one) => given.some((text) => one.id === text || isSameName(one.name, text)))
      .map((one) => one.id);
  const of = invited_from.kinds.length === 0 ? kinds.map((one) => one.id) : chosen(kinds, invited_from.kinds);
  const queue = status === 'scheduled' ? 'true' : '';
  return { roll_kinds: of, roll_groups: chosen(groups, invited_from.groups), queue };
}

/** Entries of the audit log that the page shows. */
const HISTORY_ENTRIES = 10;
/** Entries that are read for this, at most: the page is loaded often, and the log has an entry for each ballot. */
const HISTORY_SPAN = 1_000;

/** The newest entries of the audit log about an election or a ballot paper, for officers who may read them. */
export function readHistory(ctx: Context, { id }: Pick<Election, 'id'>, { granted }: FastifyRequest) {
  if (!granted?.has('audit:read')) return undefined;
  const query = { election_id: id, action: undefined, limit: HISTORY_ENTRIES, offset: 0 };
  const reader = auditReader(ctx, granted);
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

/** The page of an election with the electors of another one, with the sentence about that. */
export function copiedPage(ctx: Context, id: string, done: 'repeated' | 'followed-up'): string {
  const { invited } = getOfficerTurnout(ctx.db, id);
  return `/admin/elections/${id}?done=${done}${invited === 0 ? '-by-code' : ''}`;
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
    'repeated-by-code': [
      'The election before is void. This is its repetition. Nobody was invited by name: make a voting code for each elector.',
      'tokens',
    ],
    'followed-up': ['This is the follow-up, with the same electors.', 'invitations'],
    'followed-up-by-code': [
      'This is the follow-up. Nobody was invited by name: make a voting code for each elector.',
      'tokens',
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
    'candidate-withdrawn': ['The candidate is withdrawn. The page and the ballot say so.', 'candidates'],
    'option-withdrawn': ['The option is withdrawn. The page and the ballot say so.', 'options'],
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
