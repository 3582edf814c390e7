import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { readText } from '#kernel/language/kept-text.ts';
import { formatShort } from '#kernel/language/times.ts';
import { isSameName } from '#kernel/names.ts';
import { findItemOf } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { adminElectionPage } from '#views/voting/admin/election/election.ts';
import type { ElectionPageProps } from '#views/voting/admin/election/props.ts';
import { arrivalPath } from '#views/voting/admin/sections/forms.ts';
import { countOpenSeats } from '#voting/counting/follow-up.ts';
import { findManualResults } from '#voting/counting/manual-results.ts';
import { publishedStatus } from '#voting/counting/publication.ts';
import { isLotAwaited } from '#voting/elections/drawn-lots.ts';
import {
  closedEarlyAt,
  type Election,
  type ElectionJson,
  electionJson,
} from '#voting/elections/elections.ts';
import { getIssuer, getPaper, listQuestions } from '#voting/elections/issuers.ts';
import { listEditableOptions, OPTION_TEXT_AT_MOST } from '#voting/elections/options.ts';
import { officersTurnout } from '#voting/elections/shown-turnout.ts';
import { countBallots, getOfficerTurnout } from '#voting/elections/turnout.ts';
import { whyHidden } from '#voting/elections/visibility.ts';
import { findLink } from '#voting/elections/workspace-link.ts';
import { rollChoice } from './codes-and-invitations.ts';
import { type Asked, loadShared } from './shared.ts';

/** Loads and renders the officer's page of one election. */
export function renderElectionPage(
  ctx: Context,
  election: Election,
  request: FastifyRequest,
  asked: Asked,
): Html {
  const manual = findManualResults(ctx.db, election.id);
  const contests = manual?.results.contests ?? [];
  const json = electionJson(ctx, election);
  const hidden = whyHidden(election, ctx.now(), request.granted);
  // A void result fills no seats.
  const counts = hidden === undefined && election.voided_at === null;
  const paper = findPlace(ctx, election);
  const zone = ctx.config.TIME_ZONE;
  const issuer = paper ? undefined : getIssuer(ctx.db, election.id);
  // A question has the codes and invitations of its ballot paper.
  const page = paper && asked.page === 'mails' ? 'codes' : asked.page;
  const shared = loadShared(ctx, election, issuer, request, { ...asked, page });
  const closedEarly = closedEarlyAt(election);
  const syncedAt = json.workspace_link?.synced_at ?? null;
  const failure = json.workspace_link?.last_error ? findLink(ctx.db, election.id)?.last_error : undefined;
  return adminElectionPage({
    election: json,
    ...shared,
    times: { ...shared.times, closedEarly: closedEarly === null ? null : formatShort(closedEarly, zone) },
    turnout: turnoutFor(ctx, election),
    options: page === 'ballot' ? listEditableOptions(ctx.db, election.id) : [],
    optionTextAtMost: OPTION_TEXT_AT_MOST,
    ballots: countBallots(ctx.db, election.id),
    publication: publishedStatus(ctx, election),
    hidden,
    openSeats: counts ? countOpenSeats(ctx.db, election.id) : 0,
    awaitsLot: counts && isLotAwaited(ctx.db, election.id),
    manual: manual && { contests: contests.length, items: contests.flatMap(({ items }) => items).length },
    paper,
    meeting: paper && findMeeting(ctx, election.id),
    invitations: shared.invitations && {
      ...shared.invitations,
      entered: asked.enteredInvitation ?? proposeInvitation(ctx, json),
    },
    workspace: ctx.workspace && {
      synced: syncedAt === null ? null : formatShort(syncedAt, zone),
      failure: failure && readText(failure),
    },
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

/** The meeting that an election is a question of, with the state of its item. */
function findMeeting(ctx: Context, electionId: string): ElectionPageProps['meeting'] {
  const item = findItemOf(ctx.db, electionId);
  if (!item) return undefined;
  const { id, title } = getMeeting(ctx.db, item.meeting_id);
  return { id, title, number: item.number, state: item.state };
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

/** The page of an election with the electors of another one, with the sentence about that. */
export function copiedPage(ctx: Context, id: string, done: 'repeated' | 'followed-up'): string {
  const { invited } = getOfficerTurnout(ctx.db, id);
  return arrivalPath({ id }, invited === 0 ? (`${done}-by-code` as const) : done);
}
