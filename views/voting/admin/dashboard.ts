import { type Child, type Html, html } from '#kernel/html.ts';
import { icon } from '#views/components/icons.ts';
import { empty, enterMail, folderNotice, notice } from '#views/components/notices.ts';
import { count, counted, shareOf } from '#views/components/numbers.ts';
import { statusBadge } from '#views/components/status.ts';
import { numberedPages, pageHeader, zoneNote } from '#views/components/structure.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { barDrawing } from '#views/voting/bars.ts';
import { trialBadge } from '#views/voting/trial.ts';
import { adminElectionPath, adminPath, percent } from '#views/voting/words.ts';
import type { DashboardElection } from '#voting/elections/dashboard.ts';
import type { ElectionStatus } from '#voting/elections/elections.ts';
import {
  archiveYears,
  type DashboardSearch,
  dashboardFilter,
  dashboardPath,
  isFiltered,
} from './dashboard-filter.ts';
import { clockNotice, mayDo, type OfficerProps, officerPage } from './frame.ts';
import type { MailState } from './invitations/invite-fields.ts';

/** An election on the dashboard. Times are already formatted. */
export interface DashboardRow {
  election: DashboardElection;
  opens: string;
  /** When it closes or has closed, also where an officer closed it early. */
  closes: string;
  turnout: { issued: number; used: number };
  /** What an officer has to do, each as a sentence. */
  needs: readonly string[];
  /** What may or may not be intended; an officer can dismiss each. */
  hints?: readonly { name: string; sentence: string }[];
}

/** The data of the dashboard; its rows come in any order, unless they were searched. */
export interface DashboardProps extends OfficerProps {
  rows: readonly DashboardRow[];
  /** Trials, which no figure of the page counts. */
  trials?: readonly DashboardRow[];
  /** Set where the rows are one page of the matching elections. */
  search?: DashboardSearch | undefined;
  /** The number of all elections that need an officer; without it, counted from the rows. */
  waiting?: number;
  /** The time zone of all times, in words. */
  zone: string;
  /** The number of sensitive acts that wait for a second person. */
  approvals?: number;
  /** A sentence on what has just been done. */
  done?: string | undefined;
  clockJumped?: boolean | undefined;
  mail?: MailState | undefined;
  /** The steps of the first evening, for those who may take them, until the list is put away. */
  firstSteps?: { settled: number; all: number } | undefined;
  /** The meetings that are not over, as they are shown above the elections. */
  meetings?: Html | null | undefined;
}

/** The dashboard: the elections and what needs an officer; open ones first, the one that closes soonest on top. */
export function dashboardPage(props: DashboardProps): Html {
  const {
    rows,
    trials = [],
    zone,
    search,
    approvals = 0,
    done,
    clockJumped,
    mail,
    firstSteps,
    viewer,
  } = props;
  const mayMake = mayDo(props, 'elections:write');
  const mayEnter = mayDo(props, 'settings:write');
  const waiting = props.waiting ?? rows.filter(({ needs }) => needs.length > 0).length;
  const all = search?.all ?? rows.length;
  const body = html`${
    done &&
    html`<div class="notice notice-success" role="status">${icon('check')}
  <div class="notice-body"><p>${done}</p></div></div>`
  }
${clockJumped && clockNotice()}
${mail?.mailReady === false && noMail(mail.missing, mayEnter)}${mail?.inFolder && folderNotice(mayEnter)}
${firstSteps && firstEvening(firstSteps)}${
  approvals > 0 &&
  notice(
    'attention',
    html`
<p><a href="/admin/approvals">See what was asked for</a></p>`,
    `${counted(approvals, 'act waits', 'acts wait')} for a second person`,
  )
}
${pageHeader({
  title: 'Elections',
  lede: all > 0 && ledeOf(waiting, all),
  actions: all > 0 && mayMake && newElection,
})}
${props.meetings}${
  all === 0
    ? empty(
        'No elections yet',
        'Say what is asked and when, make voting codes, hand them out: the service does the rest.',
        mayMake
          ? html`<p>${newElection}</p>${
              mayDo(props, 'elections:run') &&
              html`<p><a class="link-alone" href="/admin/elections/new?trial=1">Try it with five friends</a></p>`
            }`
          : undefined,
      )
    : html`${search && dashboardFilter(search)}${list(props)}${search && archive(search)}${zoneNote(zone)}`
}
${
  trials.length > 0 &&
  html`<section><h2>Trials</h2><p class="small soft">Each is deleted with everything seven days after
its creation.</p>${electionList(trials, props)}</section>`
}
${
  mayDo(props, 'elections:certify') &&
  html`
<p class="small"><a class="link-alone" href="/admin/approvals">Actions that need a second person</a></p>`
}
${viewer?.permissions.size === 0 && otherPages}`;
  return officerPage({ title: 'Elections', body, nav: '/admin', viewer });
}

const firstEvening = ({ settled, all }: NonNullable<DashboardProps['firstSteps']>) =>
  notice(
    'info',
    html`<p><a href="/admin/first-steps">First evening</a>: ${count(settled)} of ${count(all)} things are done.</p>`,
    'Your club is new',
  );

const newElection = html`<a class="button" href="/admin/elections/new">New election</a>
<a class="button button-quiet" href="/admin/papers/new">New ballot paper</a>
<a class="button button-quiet" href="/admin/meetings/new">New meeting</a>`;

/** For officers without a role there: the navigation has no links to pages that they may not open. */
const otherPages = html`
<p class="small soft other-desks">The <a href="/admin/pub">pub</a>, its <a href="/admin/feedback">feedback</a> and the <a href="/admin/calendar">calendar</a> have desks of their own, for those with a role there.</p>`;

/** Shown at once: with the first invitation there would be no time left to set mail up. */
function noMail(missing: readonly string[], mayEnter: boolean): Html {
  return notice(
    'attention',
    html`<p>No invitation, reminder or sign-in code goes out. ${enterMail(missing, mayEnter)} Voting codes on paper work without
    mail.</p>`,
    'No mail can be sent yet',
  );
}

function ledeOf(waiting: number, all: number): Child {
  if (waiting === 0) return 'No election needs you at the moment.';
  const words = waiting === 1 ? 'One election needs you.' : `${counted(waiting, 'election')} need you.`;
  return all > waiting
    ? html`<a class="link-alone" href="${dashboardPath({ state: 'waiting' })}">${words}</a>`
    : words;
}

type Group = readonly [title: string, rows: readonly DashboardRow[]];

function groupsOf(rows: readonly DashboardRow[]): Group[] {
  const by = (key: (election: DashboardElection) => string) => (a: DashboardRow, b: DashboardRow) =>
    key(a.election) < key(b.election) ? -1 : 1;
  const open = rows.filter(({ election }) => election.status === 'open');
  const scheduled = rows.filter(({ election }) => election.status === 'scheduled');
  const closed = rows.filter(({ election }) => election.status === 'closed');
  closed.sort(by(({ closed_at, close_at }) => closed_at ?? close_at)).reverse();
  const groups: Group[] = [
    ['Open', open.sort(by(({ close_at }) => close_at))],
    ['Scheduled', scheduled.sort(by(({ open_at }) => open_at))],
    ['Closed, not on the home page', closed.filter((row) => !isPublished(row))],
    ['Closed, on the home page', closed.filter(isPublished)],
  ];
  return groups.filter(([, members]) => members.length > 0);
}

/** Groups by state in the default order; a filtered or sorted list has no groups. */
function list(props: DashboardProps): Html {
  const { rows, search } = props;
  if (rows.length === 0) return html`<p>No election matches.</p>`;
  const { query, total = 0, pageSize = 0 } = search ?? {};
  const isGrouped = !query || (!isFiltered(query) && query.sort === 'state');
  const whole = total <= pageSize;
  const lists = isGrouped
    ? groupsOf(rows).map(([title, members]) => group(title, members, props, whole))
    : html`<h2>${counted(total, 'election')}</h2>${electionList(rows, props)}`;
  if (!query || whole) return html`${lists}`;
  const href = (page: number) => dashboardPath({ ...query, page });
  return html`${lists}${numberedPages({ page: query.page, pageSize, total, of: 'elections', href })}`;
}

function archive(search: DashboardSearch): Html | null {
  const years = archiveYears(search);
  return years && html`<section><h2>Closed elections by year</h2>${years}</section>`;
}

function isPublished({ election }: DashboardRow): boolean {
  return election.settings.publish_results_to_home;
}

function group(title: string, rows: readonly DashboardRow[], props: DashboardProps, whole: boolean): Html {
  return html`<section><h2>${title}${whole && html` <span class="soft numbers">${rows.length}</span>`}</h2>
${electionList(rows, props, true)}</section>`;
}

/** @param grouped whether a heading above says the state of all */
function electionList(rows: readonly DashboardRow[], props: DashboardProps, grouped = false): Html {
  return html`<ul class="election-list" role="list">${rows.map((row) => electionRow(row, props, grouped))}</ul>`;
}

function electionRow(row: DashboardRow, props: DashboardProps, grouped: boolean): Html {
  const { election, opens, closes, turnout, needs, hints = [] } = row;
  const { title, status, ballot_type, questions = [] } = election;
  const published = status === 'closed' && election.settings.publish_results_to_home;
  const when: Record<ElectionStatus, Child> = {
    scheduled: `Opens ${opens}`,
    open: `Closes ${closes}`,
    closed: `Closed ${closes}`,
  };
  const kind = html`${
    ballot_type ? viewOf(ballot_type).name : `Ballot paper, ${counted(questions.length, 'question')}`
  }${trialBadge(election)}`;
  return html`<li class="election-row${needs.length > 0 && ' election-row-waits'}"><div>
${!grouped && html`<p class="eyebrow">${statusBadge(published ? 'published' : status)} ${kind}</p>`}
<h3><a href="${adminPath(election)}">${title}</a></h3>
${questions.length > 0 && html`<p class="small">${questions.join(' · ')}</p>`}
<p class="small soft">${grouped && html`${kind} · `}${when[status]}</p>
${
  needs.length > 0 &&
  html`
<ul class="needs" role="list">${needs.map((need) => html`<li>${icon('warning')}<span>${need}</span></li>`)}</ul>`
}
${hints.map((hint) => hintLine(row, hint, props))}
</div>${turnoutBar(turnout)}</li>
`;
}

/** A hint about something that may be intended; an officer can dismiss it permanently. */
function hintLine(
  { election: { id, title } }: DashboardRow,
  { name, sentence }: { name: string; sentence: string },
  props: DashboardProps,
): Html {
  if (!mayDo(props, 'elections:write')) return html`<p class="hint-line small soft">${sentence}</p>`;
  const back = dashboardPath(props.search?.query ?? {});
  return html`<form class="hint-line small soft" method="post" action="${adminElectionPath(
    id,
    'hints',
  )}"><input type="hidden" name="hint" value="${name}"><input type="hidden" name="back" value="${back}"><span>${sentence}</span> <a class="link-alone" href="${adminElectionPath(id, 'rules')}">Show it on the home page<span class="visually-hidden">: ${title}</span></a> <button class="button button-quiet button-small">Leave it off<span class="visually-hidden">: ${title}</span></button></form>`;
}

/** The number of voting codes that were used, in words and as a bar. */
function turnoutBar({ issued, used }: { issued: number; used: number }): Html {
  if (issued === 0) return html`<p class="turnout soft">No voting codes</p>`;
  return html`<div class="turnout">
  <p><span class="turnout-figure">${percent(
    shareOf(used, issued),
  )}</span> <span class="small">${count(used)} of ${count(issued)} codes used</span></p>${barDrawing(
    shareOf(used, issued),
    true,
  )}</div>`;
}
