import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { type DashboardRow, listDashboard } from './dashboard.ts';

export const ELECTIONS_A_PAGE = 10;

const STATES = ['all', 'waiting', 'scheduled', 'open', 'closed'] as const;
const SORTS = ['state', 'newest', 'title'] as const;

/** The query of the list of elections; invalid parameters count as absent. */
export const DashboardQuery = z.object({
  q: z.string().trim().max(200).default('').catch(''),
  state: z.enum(STATES).default('all').catch('all'),
  year: wholeNumber(1, 9_999).optional().catch(undefined),
  sort: z.enum(SORTS).default('state').catch('state'),
  page: wholeNumber(1, 1_000_000).default(1).catch(1),
});

export type DashboardQuery = z.output<typeof DashboardQuery>;

/** Returns one page of the matching elections, with the totals, and the trials, which no figure counts. */
export function searchDashboard(ctx: Context, query: DashboardQuery) {
  const { q, state, year, sort, page } = query;
  const yearOf = ({ ends_at }: DashboardRow) => Number(localDate(ends_at, ctx.config.TIME_ZONE).slice(0, 4));
  const all = listDashboard(ctx);
  const rows = all.filter(({ election }) => !election.trial);
  const words = q.toLowerCase();
  const matching = rows
    .filter(
      (row) =>
        state === 'all' || (state === 'waiting' ? row.needs.length > 0 : row.election.status === state),
    )
    .filter((row) => year === undefined || yearOf(row) === year)
    .filter(({ election: { title, questions = [] } }) =>
      [title, ...questions].some((one) => one.toLowerCase().includes(words)),
    )
    .sort(ORDERS[sort]);
  const shown = Math.min(page, Math.max(1, Math.ceil(matching.length / ELECTIONS_A_PAGE)));
  const from = (shown - 1) * ELECTIONS_A_PAGE;
  const closed = Map.groupBy(
    rows.filter(({ election }) => election.status === 'closed'),
    yearOf,
  );
  return {
    rows: matching.slice(from, from + ELECTIONS_A_PAGE),
    trials: all.filter(({ election }) => election.trial),
    total: matching.length,
    all: rows.length,
    waiting: rows.filter(({ needs }) => needs.length > 0).length,
    /** Years in which elections have closed, the newest first. */
    years: [...closed]
      .map(([of, inYear]) => ({ year: of, count: inYear.length }))
      .sort((a, b) => b.year - a.year),
    query: { ...query, page: shown },
  };
}

type Order = (a: DashboardRow, b: DashboardRow) => number;

const newest: Order = (a, b) => b.ends_at - a.ends_at;
const STATUS_ORDER = { open: 0, scheduled: 1, closed: 2 };
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const ORDERS: Record<DashboardQuery['sort'], Order> = {
  newest,
  title: (a, b) => natural.compare(a.election.title, b.election.title) || newest(a, b),
  // Open and scheduled ones: the next to close or open first. Closed ones: unpublished first, then the newest.
  state: (a, b) => {
    const status = a.election.status;
    const apart = STATUS_ORDER[status] - STATUS_ORDER[b.election.status];
    if (apart !== 0 || status === 'closed') return apart || isPublished(a) - isPublished(b) || newest(a, b);
    return status === 'open' ? a.ends_at - b.ends_at : a.open_at - b.open_at;
  },
};

const isPublished = ({ election }: DashboardRow): number => Number(election.settings.publish_results_to_home);
