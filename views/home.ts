import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Site } from '#kernel/site.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { empty } from '#views/components/notices.ts';
import { hidden, strong } from '#views/components/slots.ts';
import { statusBadge } from '#views/components/status.ts';
import { numberedPages, pageHeader, withSide, zoneNote } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { MeetingState } from '#views/meetings/words.ts';
import { electionsLink } from '#views/patron-nav.ts';
import { outcomeText } from '#views/voting/results/outcome.ts';
import { NOT_ANNOUNCED } from '#views/voting/words.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';

/** A published election on the front page. Times are already formatted. */
export interface HomeElection {
  id: string;
  title: string;
  status: ElectionStatus;
  /** What is asked, see `BallotView`. */
  asked: Words | string;
  /** Whether the opening was moved into the future after voting had begun. */
  paused?: boolean | undefined;
  opens: Words | string;
  closes: Words | string;
  /** Null while hidden or not counted. */
  results: ResultsJson | null;
  /** Whether voting has closed and the result is not announced. */
  isAwaited?: boolean | undefined;
  /** The ballot paper that it is a question of: its questions share a card. */
  paper?: { id: string; title: string } | undefined;
}

/** A meeting on the front page; its time is already formatted. */
export interface HomeMeeting {
  title: string;
  href: string;
  when: Words | string;
  place: string | null;
  state: MeetingState;
  isCalledOff: boolean;
  /** Why it is not held; null for whoever may not read the meeting. */
  reason: string | null;
  /** What was decided, once it is over. */
  outcomes: readonly { title: string; outcome: Words | string }[];
}

/** The evening of the house in a few facts; each is absent while it is not known. */
export interface Evening {
  /** Whether the pub is open and until when, `Open until midnight`. */
  opening?: Words;
  /** The names of those who are behind the bar now. */
  behind?: Words | string;
  /** The event that is on, or the next one of today; `at` is its time, empty if it lasts all day. */
  event?: { href: string; title: string; at: Words | string; isOn: boolean };
  /** The song that is playing. */
  song?: { title: string; artist: string };
}

/** The front page; elections come in the order to show. */
export interface HomeProps {
  /** Undefined where the club shows nothing of a pub. */
  evening?: Evening | undefined;
  /** The running and the next ones, then those that are over. */
  meetings?: readonly HomeMeeting[];
  /** Undefined where the club has switched elections off. */
  elections?: readonly HomeElection[] | undefined;
  /** The number of results that only the archive lists. */
  older?: number;
  /** The time zone of all times, in words. */
  zone: Words | string;
}

/** The house and its evening, then the public elections: the open ones, the scheduled ones and the newest results. */
export function homePage({ evening, meetings = [], elections, older = 0, zone }: HomeProps): Html {
  const byCode = html`<a class="button" href="/vote">${t('common.home.have_code')}</a>`;
  const ofElections = pageHeader({
    title: t('common.home.title_elections'),
    lede: t('common.home.lede_elections'),
    actions: byCode,
  });
  const main = html`${meetings.length > 0 && meetingRows(meetings)}${
    elections &&
    evening &&
    html`<div class="vote-head"><h2 id="vote">${t('common.nav.vote')}</h2>${byCode}</div>`
  }${
    elections && (elections.length > 0 || meetings.length === 0) && board(elections, evening === undefined)
  }${
    older > 0 &&
    html`
<p><a class="link-alone" href="/archive">${t('common.home.all_results')}</a></p>`
  }${elections && elections.length + meetings.length > 0 && zoneNote(zone)}`;
  // Where nothing is to be decided now, a guest finds all of the house first; an open vote comes before its pages.
  const isAsked =
    elections?.some(({ status }) => status === 'open') || meetings.some(({ state }) => state === 'running');
  const ofHouse = (site: Site) => {
    const [first, side] = [evening && eveningFacts(evening), ways(site)];
    const content = !elections
      ? html`${first}${side}`
      : isAsked
        ? withSide({ first, main, side })
        : withSide({ main: html`${first}${side}`, side: html`<div class="panel">${main}</div>` });
    return html`${pageHeader({ title: site.name, lede: site.about })}${content}`;
  };
  const isOfHouse = evening !== undefined || !elections;
  return page({
    title: isOfHouse ? t('common.home.welcome') : t('common.home.title_elections'),
    body: isOfHouse ? ofHouse : (site) => html`${ofElections}${main}${site.hasMenu && ways(site)}`,
    nav: '/',
    styles: 'guests',
    wide: evening && elections && true,
  });
}

function eveningFacts({ opening, behind, event, song }: Evening): Html | null {
  const facts = [
    opening && {
      href: '/hours',
      fact: opening,
      note: behind && t('common.home.who_tends', { behind }),
    },
    event && {
      href: event.href,
      fact: event.isOn
        ? t('common.home.event_now', { title: asWritten(event.title) })
        : t('common.home.event_today', { title: asWritten(event.title) }),
      note: event.at,
    },
    song && { href: '/now', fact: t('common.home.song', { title: song.title }), note: song.artist },
  ].filter((one) => one !== undefined);
  if (facts.length === 0) return null;
  return html`<ul class="card evening" role="list">${facts.map(
    ({ href, fact, note }) =>
      html`<li><a href="${href}">${fact}</a>${note && html` <span class="soft">${note}</span>`}</li>`,
  )}</ul>`;
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
  zone: Words | string;
}

/** The published results, by year. */
export function archivePage(props: ArchiveProps): Html {
  const { elections, total, year, years, pageSize, zone } = props;
  const path = (of: number, to = 1) => `/archive?year=${of}${to > 1 ? `&page=${to}` : ''}`;
  const body = (site: Site) => html`${pageHeader({
    title: year === undefined ? t('common.home.results') : t('common.home.results_of', { year }),
    crumbs: [electionsLink(site)],
  })}
${
  years.length > 0 &&
  html`<nav class="years" aria-label="${t('common.home.years')}">
<ul role="list">${years.map(
    (one) => html`
<li><a class="page-link" href="${path(one.year)}"${
      one.year === year && html` aria-current="page"`
    }>${t('common.home.year', { year: one.year, n: one.count, quiet: (inside) => html`<span class="numbers soft">${inside}</span>` })}</a></li>`,
  )}</ul></nav>`
}
${
  elections.length === 0
    ? empty(t('common.home.nothing_here'), t('common.home.none_that_year'))
    : group(t('common.home.what_decided'), elections, resultCard)
}
${
  year !== undefined &&
  total > pageSize &&
  numberedPages({
    page: props.page,
    pageSize,
    total,
    of: (range) => t('common.home.shown', range),
    href: (to) => path(year, to),
  })
}
${elections.length > 0 && zoneNote(zone)}`;
  return page({
    title: year === undefined ? t('common.home.results') : t('common.home.results_of', { year }),
    body,
    nav: '/',
  });
}

/** @param isHeaded whether the open ones have a heading of their own */
function board(elections: readonly HomeElection[], isHeaded: boolean): Html {
  const open = elections.filter(({ status }) => status === 'open');
  const scheduled = elections.filter(({ status }) => status === 'scheduled');
  const closed = elections.filter(({ status }) => status === 'closed');
  return html`${
    elections.length > 0
      ? null
      : isHeaded
        ? empty(t('common.home.empty'), t('common.home.empty_text'))
        : html`<p>${t('common.home.empty_sentence')}</p>`
  }
${openGroup(open, isHeaded)}
${group(t('common.home.coming_up'), scheduled, scheduledCard)}
${group(t('common.home.results'), closed, resultCard)}`;
}

function meetingRows(meetings: readonly HomeMeeting[]): Html {
  return html`<section><h2>${t('common.home.meetings', { n: meetings.length })}</h2><div class="card">${meetings.map(meetingRow)}</div></section>`;
}

function meetingRow({ title, href, when, place, state, isCalledOff, reason, outcomes }: HomeMeeting): Html {
  const way =
    isCalledOff || state === 'prepared'
      ? t('common.home.agenda')
      : state === 'running'
        ? t('common.home.go_in')
        : t('common.home.results');
  return html`<article class="open-row"><div><h3><a href="${href}"${WRITTEN}>${title}</a></h3>
<p>${
    isCalledOff &&
    html`${
      reason === null
        ? t('common.home.called_off', { strong })
        : t('common.home.called_off_because', { strong, reason: asWritten(reason) })
    } `
  }${state === 'running' && html`${t('common.home.now', { strong })} `}${
    place ? t('common.home.when_place', { when, place: asWritten(place) }) : t('common.home.when', { when })
  }</p>${
    outcomes.length > 0 &&
    html`<ul>${outcomes.map(({ title: item, outcome }) => html`<li>${t('common.home.outcome', { item: asWritten(item), outcome })}</li>`)}</ul>`
  }</div>
<p><a class="button button-quiet" href="${href}">${t('common.home.way', { way, title: asWritten(title), hidden })}</a></p></article>`;
}

/** Where else a visitor of the pub may go. */
function ways({ parts, hasMenu }: Site): Html | null {
  const links = [
    ...(parts.screens ? [['/events', t('common.nav.whats_on')] as const] : []),
    ...(hasMenu ? [['/menu', t('common.nav.drinks_and_food')] as const] : []),
    ...(parts.screens ? [['/tenders/', t('common.nav.behind_the_bar')] as const] : []),
    ...(parts.music ? [['/now', t('common.nav.now_playing')] as const] : []),
    ...(parts.requests ? [['/requests', t('common.nav.song')] as const] : []),
  ];
  if (links.length === 0) return null;
  return html`<section class="panel"><h2>${t('common.nav.pub')}</h2>
  <p class="toolbar">${links.map(
    ([href, label]) => html`<a class="button button-quiet" href="${href}">${label}</a>`,
  )}</p></section>`;
}

/** The open elections: rows of one card. */
function openGroup(elections: readonly HomeElection[], isHeaded: boolean): Html | null {
  if (elections.length === 0) return null;
  return html`<section>${isHeaded && html`<h2>${t('common.home.open_now')}</h2>`}<div class="card card-open">${together(
    elections,
  ).map(openRow)}</div></section>`;
}

/** An election, or the open questions of a ballot paper. */
function openRow(questions: readonly HomeElection[]): Html {
  const [{ id, title, paper, asked, results, closes }] = questions as [HomeElection];
  const { href, name } = paper
    ? { href: `/p/${paper.id}`, name: paper.title }
    : { href: `/e/${id}`, name: title };
  return html`<article class="open-row"><div><h3><a href="${href}"${WRITTEN}>${name}</a></h3>${paper && questionList(questions)}
<p>${!paper && html`${asked}${results !== null && html` ${outcomeText(results)}`} `}${t('common.home.closes', { closes, strong })}</p></div>
<p><a class="button" href="${href}">${t('common.home.read_and_vote', { name: asWritten(name), hidden })}</a></p></article>`;
}

/** Questions of one paper in the same state are one entry. */
const together = (elections: readonly HomeElection[]): HomeElection[][] => [
  ...Map.groupBy(elections, ({ id, paper }) => paper?.id ?? id).values(),
];

function group(
  title: Words,
  elections: readonly HomeElection[],
  card: (election: HomeElection) => Html,
): Html | null {
  if (elections.length === 0) return null;
  return html`<section><h2>${title}</h2><div class="board">${together(elections).map((questions) =>
    questions[0]!.paper ? paperCard(questions[0]!.paper, questions) : questions.map(card),
  )}</div></section>`;
}

const questionList = (questions: readonly HomeElection[]): Html =>
  html`<ul>${questions.map((question) => html`<li>${questionLine(question)}</li>`)}</ul>`;

/** A question, with its result where there is one, or why there is none. */
function questionLine(question: HomeElection): Child {
  const { id, title, status, results } = question;
  const item = html`<a href="/e/${id}"${WRITTEN}>${title}</a>`;
  const outcome =
    results === null
      ? status === 'closed' && hiddenText(question)
      : status !== 'scheduled' && outcomeText(results);
  return outcome ? t('common.home.outcome', { item, outcome }) : item;
}

/** Questions of a ballot paper that are all to come, or all closed. */
function paperCard({ id, title }: { id: string; title: string }, questions: readonly HomeElection[]): Html {
  const [{ status, opens, closes }] = questions as [HomeElection];
  return html`<article class="card">${
    status !== 'closed' && html`<p class="eyebrow">${statusBadge(status)}</p>`
  }<h3><a href="/p/${id}"${WRITTEN}>${title}</a></h3>${questionList(questions)}
<p${status === 'closed' && html` class="small soft"`}>${
    status === 'closed' ? t('common.home.closed_sentence', { closes }) : t('common.home.opens', { opens })
  }</p></article>`;
}

function scheduledCard({ id, title, status, asked, paused, opens }: HomeElection): Html {
  return html`<article class="card"><p class="eyebrow">${statusBadge(status)}</p>
  <h3><a href="/e/${id}"${WRITTEN}>${title}</a></h3>
  <p>${asked} ${paused ? t('common.home.resumes', { opens }) : t('common.home.opens', { opens })}</p></article>`;
}

function resultCard({ id, title, closes, results, isAwaited }: HomeElection): Html {
  const hidden = hiddenText({ isAwaited });
  return html`<article class="card"><h3><a href="/e/${id}"${WRITTEN}>${title}</a></h3>
<p class="said">${results === null ? hidden : outcomeText(results)}</p>
<p class="small soft">${t('common.home.closed', { closes })}</p></article>`;
}

const hiddenText = ({ isAwaited }: Pick<HomeElection, 'isAwaited'>): Words | string =>
  isAwaited ? NOT_ANNOUNCED : t('common.home.not_published');
