import type { Context } from '#kernel/context.ts';
import { getResults, type ResultsJson } from '#voting/counting/results.ts';
import { type Election, electionStatus, endTime, listElections } from './elections.ts';
import { readSettings } from './settings.ts';
import { areResultsHidden } from './visibility.ts';

/** Elections the home page shows at most. */
const ON_HOME_PAGE = 50;

export interface PublishedElection {
  election: Election;
  /** Absent while they are hidden, and before voting has begun. */
  results?: ResultsJson;
}

/** What the home page lists: open elections first, the one that closes soonest on top; then the newest results. */
export async function listPublished(ctx: Context): Promise<PublishedElection[]> {
  const now = ctx.now();
  const published = listElections(ctx.db).filter(
    (election) => readSettings(election.settings).publish_results_to_home,
  );
  const order = { open: 0, scheduled: 1, closed: 2 };
  published.sort(
    (a, b) =>
      order[electionStatus(a, now)] - order[electionStatus(b, now)] ||
      (electionStatus(a, now) === 'closed' ? endTime(b) - endTime(a) : a.close_at - b.close_at),
  );
  return Promise.all(
    published
      .slice(0, ON_HOME_PAGE)
      .map(async (election) =>
        electionStatus(election, now) === 'scheduled' || areResultsHidden(election, now)
          ? { election }
          : { election, results: await getResults(ctx, election) },
      ),
  );
}

/** Whether the home page shows an election, and why; and whether the public can see its results. */
export function publishedStatus(ctx: Context, election: Election) {
  const published = readSettings(election.settings).publish_results_to_home;
  const results_visible = !areResultsHidden(election, ctx.now());
  const status = electionStatus(election, ctx.now());
  const reason = !published
    ? 'Not on the home page: publish_results_to_home is off'
    : status === 'scheduled'
      ? 'On the home page; voting has not begun'
      : results_visible
        ? `On the home page with ${status === 'closed' ? 'its' : 'live'} results`
        : 'On the home page; its results appear when it closes';
  return { published, reason, results_visible };
}
