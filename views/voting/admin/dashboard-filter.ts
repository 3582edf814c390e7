import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { openField } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import type { DashboardQuery } from '#voting/elections/dashboard-search.ts';

/** A search for elections with its result. */
export interface DashboardSearch {
  query: DashboardQuery;
  /** The number of elections that match; `all` is the number of elections without a filter. */
  total: number;
  all: number;
  pageSize: number;
  /** Years in which elections have closed, the newest first. */
  years: readonly { year: number; count: number }[];
}

/** The number of elections from which the search form is shown. */
const SEARCHED_FROM = 10;

/** The address of the list for a query; default values are left out. */
export function dashboardPath(query: Partial<DashboardQuery>): string {
  const { q, state, year, sort, page = 1 } = query;
  const search = new URLSearchParams({
    ...(q && { q }),
    ...(state && state !== 'all' && { state }),
    ...(year !== undefined && { year: String(year) }),
    ...(sort && sort !== 'state' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return `/admin${search && `?${search}`}`;
}

export const isFiltered = ({ q, state, year }: DashboardQuery): boolean =>
  q !== '' || state !== 'all' || year !== undefined;

const STATES: readonly [DashboardQuery['state'], Words][] = [
  ['all', t('voting-admin.dashboard_filter.every_state')],
  ['waiting', t('voting-admin.dashboard_filter.needs_somebody')],
  ['open', t('voting-admin.dashboard_filter.open')],
  ['scheduled', t('voting-admin.dashboard_filter.scheduled')],
  ['closed', t('voting-admin.dashboard_filter.closed')],
];

const SORTS: readonly [DashboardQuery['sort'], Words][] = [
  ['state', t('voting-admin.dashboard_filter.open_first')],
  ['newest', t('voting-admin.dashboard_filter.last_close_first')],
  ['title', t('voting-admin.dashboard_filter.by_title')],
];

/**
 * The form to find elections by title, state and year; null while there are few. Where the screen is narrow it is
 * folded until it is used, so that the open elections begin on the first screen.
 */
export function dashboardFilter({ query, all, years }: DashboardSearch): Html | null {
  if (all < SEARCHED_FROM && !isFiltered(query)) return null;
  const { q, state, year, sort } = query;
  const options = (pairs: readonly (readonly [string, Words | string])[]) =>
    pairs.map(([value, label]) => ({ value, label }));
  const listed = years.map((one) => [String(one.year), String(one.year)] as const);
  const others =
    year === undefined || years.some((one) => one.year === year)
      ? []
      : [[String(year), String(year)] as const];
  const form = html`<form class="card filter filter-elections" method="get" action="/admin" role="search"
  aria-label="${t('voting-admin.dashboard_filter.find_election')}">
${openField({ name: 'q', type: 'search', label: t('voting-admin.dashboard_filter.title'), value: q })}
${selectField({ name: 'state', label: t('voting-admin.dashboard_filter.state'), options: options(STATES), value: state })}
${selectField({
  name: 'year',
  label: t('voting-admin.dashboard_filter.year'),
  options: options([['', t('voting-admin.dashboard_filter.every_year')], ...others, ...listed]),
  value: year === undefined ? '' : String(year),
})}
${selectField({ name: 'sort', label: t('voting-admin.dashboard_filter.order'), options: options(SORTS), value: sort })}
<div class="filter-go"><button class="button button-quiet">${t('voting-admin.dashboard_filter.show')}</button>${
    (isFiltered(query) || sort !== 'state') &&
    html`<a class="button button-quiet" href="/admin">${t('voting-admin.dashboard_filter.show_all')}</a>`
  }</div></form>`;
  return html`<details class="filter-fold"${(isFiltered(query) || sort !== 'state') && html` open`}>
  <summary>${t('voting-admin.dashboard_filter.find_election')}</summary>${form}</details>`;
}

/** Links to the closed elections by year. */
export function archiveYears({ years, all, query }: DashboardSearch): Html | null {
  if (all < SEARCHED_FROM || years.length === 0) return null;
  return html`<nav class="filter-links" aria-label="${t('voting-admin.dashboard_filter.closed_elections_year')}"><ul role="list">${years.map(
    ({ year, count: inYear }) =>
      html`<li><a href="${dashboardPath({ state: 'closed', year })}"${
        query.state === 'closed' && query.year === year && html` aria-current="true"`
      }>${t('common.named', { name: String(year), value: formatNumber(inYear) })}</a></li>`,
  )}</ul></nav>`;
}
