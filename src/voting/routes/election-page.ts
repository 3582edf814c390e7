import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { originOf } from '#kernel/http/http.ts';
import { formatShort, formatWhen, toLocalInput } from '#kernel/local-time.ts';
import {
  type Ask,
  type ElectionDesk,
  electionDeskPage,
  type FormProblem,
  type Invitations,
  type SectionId,
} from '#views/voting/admin/election.ts';
import { countBallots } from '#voting/ballots/ballot-store.ts';
import { listBatches, officerTurnout } from '#voting/ballots/tokens.ts';
import { findManualResults } from '#voting/counting/manual-results.ts';
import { type Election, electionJson, endOf } from '#voting/elections/elections.ts';
import { listEditableOptions } from '#voting/elections/options.ts';
import { publishedStatus } from '#voting/elections/publication.ts';
import { invitationsOf } from './election-invitations.ts';

interface Asked {
  ask?: string | undefined;
  batch?: string | undefined;
  done?: string | undefined;
  problem?: FormProblem | undefined;
  /** Filter and page of the invitations. */
  invites?: string | undefined;
  invites_page?: number | undefined;
  /** What was entered to invite people, on the way back from the check page. */
  inviting?: Record<string, unknown> | undefined;
  /** What became of mails that were just sent. */
  mailed?: Invitations['mailed'];
}

/** The officer's page of one election, with everything on it read. */
export async function electionPageOf(
  ctx: Context,
  election: Election,
  request: FastifyRequest,
  { ask, batch, done, problem, invites, invites_page, inviting, mailed }: Asked,
): Promise<Html> {
  const { BASE_URL, TIME_ZONE: zone } = ctx.config;
  const [sentence, doneAt] = DONE.get(done ?? '') ?? [];
  const manual = await findManualResults(ctx, election.id);
  const contests = manual?.results.contests ?? [];
  const json = await electionJson(ctx, election);
  const syncedAt = json.workspace_link?.synced_at ?? null;
  return electionDeskPage({
    election: json,
    times: timesOf(election, zone),
    publicUrl: `${BASE_URL ?? originOf(request)}/e/${election.id}`,
    turnout: await officerTurnout(ctx, election.id),
    batches: (await listBatches(ctx, election.id)).map((one) => ({
      ...one,
      created: formatShort(one.created_at, zone),
    })),
    options: await listEditableOptions(ctx, election.id),
    ballots: await countBallots(ctx, election.id),
    publication: publishedStatus(ctx, election),
    manual: manual && { contests: contests.length, items: contests.flatMap(({ items }) => items).length },
    invitations: await invitationsOf(ctx, election, { filter: invites, page: invites_page }, mailed),
    inviting,
    workspace: ctx.workspace && { synced: syncedAt === null ? null : formatShort(syncedAt, zone) },
    ask: askOf(ask, batch),
    done: sentence,
    doneAt,
    problem,
    reader: request.reader,
  });
}

/** What the address says was just done: a sentence, and the section it was done in. */
const DONE = new Map<string, [sentence: string, at?: SectionId]>(
  Object.entries({
    created: ['The election was created. Nobody has a link yet: make tokens when you are ready.'],
    cloned: ['This is the copy. It opens tomorrow unless you change its dates.'],
    closed: ['Voting is closed. The next ballot is refused.'],
    dates: ['The dates were changed.', 'dates'],
    settings: ['The settings were changed.', 'settings'],
    attachment: ['The document was changed.', 'attachments'],
    'candidate-added': ['The candidate was added.', 'candidates'],
    'candidate-removed': ['The candidate was removed.', 'candidates'],
    'option-added': ['The option was added.', 'options'],
    'option-removed': ['The option was removed.', 'options'],
    'batch-deleted': ['The batch was deleted.', 'tokens'],
    'manual-set': ['The certified results were saved. They are the result from now on.', 'results'],
    'manual-cleared': ['The counted result stands again.', 'results'],
    'workspace-linked': ['The page was linked.', 'workspace'],
    'workspace-unlinked': ['The page was unlinked. It stays as it is.', 'workspace'],
    'workspace-synced': ['The page is up to date.', 'workspace'],
  } satisfies Record<string, [sentence: string, at?: SectionId]>),
);

function timesOf(election: Election, zone: string): ElectionDesk['times'] {
  const { open_at, close_at, closed_at } = election;
  return {
    opens: formatWhen(open_at, zone),
    closes: formatWhen(close_at, zone),
    opensShort: formatShort(open_at, zone),
    closesShort: formatShort(endOf(election), zone),
    opensInput: toLocalInput(open_at, zone),
    closesInput: toLocalInput(close_at, zone),
    closedEarly: closed_at === null ? null : formatWhen(closed_at, zone),
    zone,
  };
}

function askOf(kind: string | undefined, batch: string | undefined): Ask | undefined {
  if (kind === 'batch') return { kind, batch_name: batch || null };
  return kind === 'close' || kind === 'delete' || kind === 'computed' ? { kind } : undefined;
}
