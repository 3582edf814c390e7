import type { Context } from '#kernel/context.ts';
import { localDate } from '#kernel/local-time.ts';
import { getResults, type ResultsJson } from '#voting/counting/results.ts';
import { readSettings } from '#voting/election-settings.ts';
import { type Election, electionStatus, endTime, listElections } from '#voting/elections/elections.ts';
import { whyHidden } from '#voting/elections/visibility.ts';

/** Number of results on the home page; the archive has all. */
const NEWEST_RESULTS = 9;
/** Number of open and scheduled elections on the home page. */
const CURRENT = 50;
export const RESULTS_A_PAGE = 20;

export interface PublishedElection {
  election: Election;
  /** Absent while they are hidden, and before voting begins. */
  results?: ResultsJson;
}

/**
 * Lists the elections of the home page: open ones first, then scheduled ones, each with the next to close first; then
 * the newest results. `older`: number of results that are only in the archive.
 * @param isShown whether the reader may see an election
 */
export async function listPublished(
  ctx: Context,
  isShown: (election: Election) => boolean,
): Promise<{ elections: PublishedElection[]; older: number }> {
  const now = ctx.now();
  const published = publishedElections(ctx).filter(isShown);
  const order = { open: 0, scheduled: 1, closed: 2 };
  const current = published
    .filter((election) => electionStatus(election, now) !== 'closed')
    .sort(
      (a, b) =>
        order[electionStatus(a, now)] - order[electionStatus(b, now)] ||
        a.close_at - b.close_at ||
        byPlace(a, b),
    )
    .slice(0, CURRENT);
  const closed = closedElections(ctx, published);
  const elections = await withResults(ctx, [...current, ...closed.slice(0, NEWEST_RESULTS).flat()]);
  return { elections, older: Math.max(0, closed.length - NEWEST_RESULTS) };
}

/** Returns one page of the published results of a year, the newest first, and the list of years. */
export async function listArchive(
  ctx: Context,
  year: number | undefined,
  page: number,
  isShown: (election: Election) => boolean,
) {
  const closed = closedElections(ctx, publishedElections(ctx).filter(isShown));
  const yearOf = ([election]: Election[]) =>
    Number(localDate(endTime(election!), ctx.config.TIME_ZONE).slice(0, 4));
  const byYear = Map.groupBy(closed, yearOf);
  const years = [...byYear].map(([of, inYear]) => ({ year: of, count: inYear.length }));
  const shownYear = year ?? years[0]?.year;
  const matching = (shownYear !== undefined && byYear.get(shownYear)) || [];
  const shown = Math.min(page, Math.max(1, Math.ceil(matching.length / RESULTS_A_PAGE)));
  const from = (shown - 1) * RESULTS_A_PAGE;
  const elections = await withResults(ctx, matching.slice(from, from + RESULTS_A_PAGE).flat());
  return { elections, total: matching.length, year: shownYear, years, page: shown };
}

const publishedElections = (ctx: Context): Election[] =>
  listElections(ctx.db).filter((election) => readSettings(election.settings).publish_results_to_home);

/** The order of questions on their ballot paper. */
const byPlace = (a: Election, b: Election): number => (a.paper_position ?? 0) - (b.paper_position ?? 0);

/** Elections that have closed, the newest first; the questions of a ballot paper together, in their order. */
function closedElections(ctx: Context, published: Election[]): Election[][] {
  const closed = published
    .filter((election) => electionStatus(election, ctx.now()) === 'closed')
    .sort((a, b) => endTime(b) - endTime(a));
  const together = Map.groupBy(closed, ({ id, paper_id }) => paper_id ?? id).values();
  return [...together].map((questions) => questions.sort(byPlace));
}

function withResults(ctx: Context, elections: Election[]): Promise<PublishedElection[]> {
  const now = ctx.now();
  return Promise.all(
    elections.map(async (election) =>
      electionStatus(election, now) === 'scheduled' || whyHidden(election, now) !== undefined
        ? { election }
        : { election, results: await getResults(ctx, election) },
    ),
  );
}

/** Returns whether the home page shows an election, the reason, and whether its results are public. */
export function publishedStatus(ctx: Context, election: Election) {
  const published = readSettings(election.settings).publish_results_to_home;
  const why = whyHidden(election, ctx.now());
  const results_visible = why === undefined;
  const status = electionStatus(election, ctx.now());
  const reason = !published
    ? 'Not on the home page: publish_results_to_home is off'
    : status === 'scheduled'
      ? 'On the home page; voting has not begun'
      : election.voided_at !== null
        ? 'On the home page as void'
        : results_visible
          ? `On the home page with ${status === 'closed' ? 'its' : 'live'} results`
          : why === 'results_not_announced'
            ? 'On the home page; its results appear when they are announced'
            : 'On the home page; its results appear when it closes';
  return { published, reason, results_visible };
}
