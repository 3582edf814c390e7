import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/site.ts';
import { empty } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { statusBadge } from '#views/components/status.ts';
import { numberedPages, pageHeader, zoneNote } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import { outcomeText } from './results/outcome.ts';
import { NOT_ANNOUNCED } from './words.ts';

/** A published election on the front page. Times are already formatted. */
export interface HomeElection {
  id: string;
  title: string;
  status: ElectionStatus;
  /** What is asked, see `BallotView`. */
  asked: string;
  /** Whether the opening was moved into the future after voting had begun. */
  paused?: boolean | undefined;
  opens: string;
  closes: string;
  /** Null while hidden or not counted. */
  results: ResultsJson | null;
  /** Whether voting has closed and the result is not announced. */
  isAwaited?: boolean | undefined;
  /** The ballot paper that it is a question of: its questions share a card. */
  paper?: { id: string; title: string } | undefined;
}

/** The front page; elections come in the order to show. */
export interface HomeProps {
  /** Undefined where the club has switched elections off. */
  elections?: readonly HomeElection[] | undefined;
  /** The number of results that only the archive lists. */
  older?: number;
  /** The time zone of all times, in words. */
  zone: string;
}

/** All public elections: the open ones, the scheduled ones, then the newest results; and links to other pages. */
export function homePage({ elections, older = 0, zone }: HomeProps): Html {
  const header = elections
    ? pageHeader({
        title: 'Elections and results',
        lede: 'What the club is deciding, and what it has decided.',
        actions: html`<a class="button" href="/vote">I have a voting code</a>`,
      })
    : pageHeader({ title: 'Welcome', lede: 'What is on, and who is there.' });
  const body = (site: Site) => html`${header}
${elections && board(elections)}${
  older > 0 &&
  html`
<p><a class="link-alone" href="/archive">All results, by year</a></p>`
}${elections && elections.length > 0 && zoneNote(zone)}
${tonight(site)}`;
  return page({ title: elections ? 'Elections' : 'Welcome', body, nav: '/' });
}

/** The published results of a year. */
export interface ArchiveProps {
  elections: readonly HomeElection[];
  /** The number of results of the year. */
  total: number;
  /** Undefined where no result was ever published. */
  year: number | undefined;
  /** The newest first. */
  years: readonly { year: number; count: number }[];
  page: number;
  pageSize: number;
  zone: string;
}

/** The published results, by year. */
export function archivePage(props: ArchiveProps): Html {
  const { elections, total, year, years, pageSize, zone } = props;
  const path = (of: number, to = 1) => `/archive?year=${of}${to > 1 ? `&page=${to}` : ''}`;
  const body = html`${pageHeader({
    title: year === undefined ? 'Results' : `Results of ${year}`,
    crumbs: [{ href: '/', label: 'Elections' }],
  })}
${
  years.length > 0 &&
  html`<nav class="years" aria-label="Years">
<ul role="list">${years.map(
    (one) => html`
<li><a class="page-link" href="${path(one.year)}"${
      one.year === year && html` aria-current="page"`
    }>${one.year} <span class="numbers soft">${count(one.count)}</span></a></li>`,
  )}</ul></nav>`
}
${
  elections.length === 0
    ? empty('Nothing here', 'No result of this year is published.')
    : group('What was decided', elections, resultCard)
}
${
  year !== undefined &&
  total > pageSize &&
  numberedPages({ page: props.page, pageSize, total, of: 'results', href: (to) => path(year, to) })
}
${elections.length > 0 && zoneNote(zone)}`;
  return page({ title: year === undefined ? 'Results' : `Results of ${year}`, body, nav: '/' });
}

function board(elections: readonly HomeElection[]): Html {
  const open = elections.filter(({ status }) => status === 'open');
  const scheduled = elections.filter(({ status }) => status === 'scheduled');
  const closed = elections.filter(({ status }) => status === 'closed');
  return html`${
    elections.length === 0
      ? empty(
          'Nothing is on the board',
          'No election is published here at the moment. If you were sent a voting link, open it: your ballot is there.',
        )
      : null
  }
${group('Open now', open, openCard)}
${group('Coming up', scheduled, scheduledCard)}
${group('Results', closed, resultCard)}`;
}

function tonight({ parts }: Site): Html | null {
  const ways = [
    ...(parts.screens ? [['/events', 'What’s on'] as const] : []),
    ...(parts.screens ? [['/tenders/', 'Who is behind the bar'] as const] : []),
    ...(parts.music ? [['/now', 'What is playing'] as const] : []),
    ...(parts.requests ? [['/requests', 'Ask for a song'] as const] : []),
  ];
  if (ways.length === 0) return null;
  return html`<section class="panel"><h2>Tonight at the pub</h2>
  <p class="toolbar">${ways.map(
    ([href, label]) => html`<a class="button button-quiet" href="${href}">${label}</a>`,
  )}</p></section>`;
}

function group(
  title: string,
  elections: readonly HomeElection[],
  card: (election: HomeElection) => Html,
): Html | null {
  if (elections.length === 0) return null;
  const together = [...Map.groupBy(elections, ({ id, paper }) => paper?.id ?? id).values()];
  return html`<section><h2>${title}</h2><div class="board">${together.map((questions) =>
    questions[0]!.paper ? paperCard(questions[0]!.paper, questions) : questions.map(card),
  )}</div></section>`;
}

/** Questions of a ballot paper that are in the same state. */
function paperCard({ id, title }: { id: string; title: string }, questions: readonly HomeElection[]): Html {
  const [{ status, opens, closes }] = questions as [HomeElection];
  const list = html`<ul>${questions.map(
    (question) =>
      html`<li><a href="/e/${question.id}">${question.title}</a>${
        question.status !== 'scheduled' &&
        question.results !== null &&
        html`: ${outcomeText(question.results)}`
      }${status === 'closed' && question.results === null && html`: ${hiddenText(question)}`}</li>`,
  )}</ul>`;
  const when = { open: 'Voting closes', scheduled: 'Voting opens', closed: 'Closed' }[status];
  return html`<article class="card${status === 'open' && ' card-open'}">${
    status !== 'closed' && html`<p class="eyebrow">${statusBadge(status)}</p>`
  }<h3><a href="/p/${id}">${title}</a></h3>${list}
<p${status === 'closed' && html` class="small soft"`}>${when} ${status === 'scheduled' ? opens : closes}.</p>${
    status === 'open' &&
    html`
<p><a class="button" href="/p/${id}">Read and vote<span class="visually-hidden">: ${title}</span></a></p>`
  }</article>`;
}

function openCard({ id, title, status, asked, closes, results }: HomeElection): Html {
  return html`<article class="card card-open"><p class="eyebrow">${statusBadge(status)}</p><h3>${title}</h3>
<p>${asked}${results !== null && html` ${outcomeText(results)}`}</p><p>Voting closes <strong>${closes}</strong>.</p>
<p><a class="button" href="/e/${id}">Read and vote<span class="visually-hidden">: ${title}</span></a></p></article>`;
}

function scheduledCard({ id, title, status, asked, paused, opens }: HomeElection): Html {
  return html`<article class="card"><p class="eyebrow">${statusBadge(status)}</p>
  <h3><a href="/e/${id}">${title}</a></h3>
  <p>${asked} ${paused ? 'Voting is paused and resumes' : 'Voting opens'} ${opens}.</p></article>`;
}

function resultCard({ id, title, closes, results, isAwaited }: HomeElection): Html {
  const hidden = hiddenText({ isAwaited });
  return html`<article class="card"><h3><a href="/e/${id}">${title}</a></h3>
<p class="said">${results === null ? hidden : outcomeText(results)}</p>
<p class="small soft">Closed ${closes}</p></article>`;
}

const hiddenText = ({ isAwaited }: Pick<HomeElection, 'isAwaited'>): string =>
  isAwaited ? NOT_ANNOUNCED : 'The result is not published yet.';
