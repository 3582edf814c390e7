import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import { type App, queryOf, wantsHtml } from '#kernel/http/http.ts';
import { findLost } from '#kernel/http/lost.ts';
import { languageOf, sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { daysInWords, formatShort, formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { findLateCardsOf, type LateCards } from '#meetings/door/late-cards.ts';
import { findHandCounted } from '#meetings/room/results.ts';
import { publicTurnout } from '#meetings/room/room.ts';
import { renderWall } from '#routes/voting/wall.ts';
import { votesSentence } from '#views/meetings/minutes/figures.ts';
import { itemOutcome, itemRule, lateCardsSentence } from '#views/meetings/outcome.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { shownEvent } from '#views/voting/ballots/history.ts';
import { type ElectionPageProps, electionPage } from '#views/voting/election.ts';
import { matrixPage } from '#views/voting/results/matrix-page.ts';
import { resultsWhen } from '#views/voting/words.ts';
import { hasFewVoters } from '#voting/ballots/secrecy.ts';
import { countMailedCodes } from '#voting/ballots/spare-codes.ts';
import { CodeQuery, hashToken } from '#voting/ballots/tokens.ts';
import { countChangedCodes, findCode } from '#voting/ballots/withdrawn-codes.ts';
import { findLostElection } from '#voting/counting/lost-results.ts';
import { findCertifiedVersion } from '#voting/counting/manual-results.ts';
import { publishesBallots } from '#voting/counting/public-ballots.ts';
import {
  compareStored,
  computedJson,
  ensureVisible,
  getResults,
  loadResult,
} from '#voting/counting/results.ts';
import { readSettings } from '#voting/election-settings.ts';
import {
  closedEarlyAt,
  type Election,
  type ElectionJson,
  electionJson,
  electionNotFound,
  electionStatus,
  endTime,
  findElection,
  getElection,
  isPaused,
  publicJson,
} from '#voting/elections/elections.ts';
import { type HistoryEvent, listHistory, tokensMadeSinceOpening } from '#voting/elections/history.ts';
import { agendaNumbers, findPaper, isInMeeting } from '#voting/elections/issuers.ts';
import { inBoth, namesInBoth, textsInBoth } from '#voting/elections/translations.ts';
import { countBallots, getTurnout } from '#voting/elections/turnout.ts';
import { areResultsHidden, whyHidden } from '#voting/elections/visibility.ts';
import { findVoid } from '#voting/elections/void.ts';

const params = z.object({ id: Id });
const ResultsQuery = z.object({ refresh: z.string().optional(), wall: z.string().optional() });
const certifiedParams = z.object({ id: Id, sha256: z.string().max(64) });
const MatrixQuery = z.object({ of: z.enum(['pairs', 'chains']).catch('pairs') });

export async function publicElections(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/e/:id', { schema: { params, querystring: CodeQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = getPublic(ctx, request.params.id);
    const { t } = request.query;
    const hash = hashToken(t ?? '', election.id);
    const { token, end } = findCode(ctx.db, election.id, hash);
    if (wantsHtml(request)) {
      const state = token ? (token.used ? 'used' : 'valid') : (end ?? 'invalid');
      return sendHtml(
        reply,
        await page(ctx, election, t ? { value: t, state } : undefined, languageOf(request)),
      );
    }
    const json = publicJson(electionJson(ctx, election));
    return {
      election: { ...json, ...voidedBy(ctx, election, json), ...lateCards(ctx, election) },
      ...(t && {
        token: { valid: token !== undefined, used: token?.used ?? false, ...(end && { [end]: true }) },
      }),
    };
  });

  app.get('/e/:id/results', { schema: { params, querystring: ResultsQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = getPublic(ctx, request.params.id);
    if (wantsHtml(request) && request.query.wall === '1')
      return sendHtml(reply, await renderWall(ctx, election, request));
    if (wantsHtml(request)) return reply.redirect(`/e/${election.id}${queryOf(request)}`, 303);
    // Without ballots there is nothing to count: the hands are the result.
    const hands = await findHandCounted(ctx, election.id);
    if (hands?.result) return { ...hands.result, ...lateCards(ctx, election) };
    const { refresh } = request.query;
    const again = refresh !== undefined && !['0', 'false', 'off', 'no'].includes(refresh);
    return { ...(await getResults(ctx, election, { refresh: again })), ...lateCards(ctx, election) };
  });

  const certified = { config: { json: true }, schema: { params: certifiedParams } } as const;
  app.get('/e/:id/certified/:sha256', certified, async (request, reply) => {
    const { id, sha256 } = request.params;
    ensureVisible(ctx, getElection(ctx.db, id));
    const figures = findCertifiedVersion(ctx.db, id, sha256);
    if (figures === undefined) throw notFound('no_certified_figures');
    // The text as it was stored, so that anybody can hash it.
    return reply.type('application/json; charset=utf-8').send(figures);
  });

  const matrix = { schema: { params, querystring: MatrixQuery } } as const;
  app.get('/e/:id/results/matrix', matrix, async (request, reply) => {
    const election = getElection(ctx.db, request.params.id);
    ensureVisible(ctx, election);
    const json = computedJson(await loadResult(ctx, election));
    const { total_ballots, void: voided } = json;
    const language = languageOf(request);
    const results = namesInBoth(json.results, electionJson(ctx, election), language);
    const kind = request.query.of;
    const matrix = viewOf(election.ballot_type).matrix?.(results, total_ballots - results.blank, kind);
    if (!matrix) throw notFound('no_pairs');
    return sendHtml(reply, matrixPage({ election: textsInBoth(election, language), kind, matrix, voided }));
  });
}

/** That an election is void, with the two people who declared it; nothing where one was enough. */
function voidedBy({ db }: Context, election: Election, json: Pick<ElectionJson, 'void'>) {
  const by = findVoid(db, election)?.by;
  return by !== undefined && json.void ? { void: { ...json.void, by } } : {};
}

/** Cards that were made valid after the opening of a question of a meeting; nothing without any. */
function lateCards({ db }: Context, { id }: Election): { late_cards?: LateCards } {
  const late_cards = findLateCardsOf(db, id);
  return late_cards ? { late_cards } : {};
}

/** @throws 410 for an election that was settled and that a restored database does not know, 404 */
function getPublic(ctx: Context, id: string): Election {
  const election = findElection(ctx.db, id);
  if (!election) throw findLostElection(ctx, id) ?? findLost(ctx.db, id) ?? electionNotFound();
  return election;
}

async function page(ctx: Context, election: Election, token: ElectionPageProps['token'], language: string) {
  const zone = ctx.config.TIME_ZONE;
  const status = electionStatus(election, ctx.now());
  const why = whyHidden(election, ctx.now());
  const hidden = status === 'scheduled' || why !== undefined;
  const hands = await findHandCounted(ctx, election.id);
  // Without ballots the hands are the result.
  const results = hidden || hands ? null : await getResults(ctx, election);
  const certified = results?.results_mode === 'manual' ? results.certification.certified_at : null;
  const closes = formatWhen(election.close_at, zone);
  // A chair closes every vote when it is over.
  const isLed = isInMeeting(ctx.db, election);
  const closedEarly = isLed ? null : closedEarlyAt(election);
  const written = electionJson(ctx, election);
  const json = inBoth(written, language);
  const turnout =
    status === 'open' || (status === 'closed' && hidden) ? publicTurnout(ctx.db, election) : null;
  // With hands the rule says it.
  const { late_cards: late } = hands ? {} : lateCards(ctx, election);
  return electionPage({
    election: json,
    lateCards: late && lateCardsSentence(late),
    follows: json.follow_up_of === undefined ? undefined : findElection(ctx.db, json.follow_up_of),
    followUps: json.follow_ups?.map((id) => getElection(ctx.db, id)),
    paper: election.paper_id === null ? undefined : findPaper(ctx.db, election.paper_id),
    number: isLed ? agendaNumbers(ctx.db, election.paper_id ?? '').get(election.id) : undefined,
    opens: formatShort(election.open_at, zone),
    closes: isLed ? formatWhen(endTime(election), zone) : closes,
    days: status === 'closed' ? daysOf(election, zone, closedEarly !== null) : undefined,
    few: hasFewVoters(ctx, election.id),
    closedEarly: closedEarly === null ? null : formatWhen(closedEarly, zone),
    token,
    results: results && namesInBoth(results, written, language),
    hands: hands && {
      outcome: itemOutcome(hands),
      rule: itemRule(hands),
      voided: findVoid(ctx.db, election),
      counted: hands.void && hands.result && (votesSentence(hands.result) ?? undefined),
    },
    turnout,
    resultsWhen: resultsWhen(why, readSettings(election.settings), formatShort(election.close_at, zone)),
    certifiedAt: certified && formatShort(parseTimestamp(certified, zone)!, zone),
    paused: isPaused(election, ctx.now()) ? countBallots(ctx.db, election.id) : null,
    history: publicHistory(ctx, election).map((event) => shownEvent(event, zone)),
    mailed: countMailedCodes(ctx.db, election.id),
    // The figures of a closed one say it with them.
    differences:
      results !== null && !hands && status === 'closed'
        ? []
        : (await compareStored(ctx, election)).differences,
    publishes: results !== null && publishesBallots(election, results),
    changedCodes: countChangedCodes(ctx.db, election.id),
    // Of a meeting it is said in cards.
    madeSinceOpening: isLed ? null : tokensMadeSinceOpening(election, getTurnout(ctx.db, election.id)),
  });
}

/** The days of a closed one: `Nov 18 to Nov 28, 2026, closed early`. */
function daysOf(election: Election, zone: string, isEarly: boolean): Words {
  const days = daysInWords(election.open_at, endTime(election), zone);
  return isEarly ? t('voting.election.days_closed_early', { days }) : days;
}

/**
 * The history of an election. While figures are hidden, without lots, which tell of a tie, and without the hash of
 * certified figures: those of a small election are found by trying.
 */
function publicHistory(ctx: Context, election: Election): HistoryEvent[] {
  // In a room the codes of the pile are nobody's.
  const in_room = isInMeeting(ctx.db, election);
  const events = listHistory(ctx.db, election.id).map((event) =>
    event.action === 'election.opened' ? { ...event, metadata: { ...event.metadata, in_room } } : event,
  );
  if (!areResultsHidden(election, ctx.now())) return events;
  return events
    .filter(({ action }) => action !== 'election.lot_drawn')
    .map(({ metadata: { figures_sha256: _, ...metadata }, ...event }) => ({ ...event, metadata }));
}
