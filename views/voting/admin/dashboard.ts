import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { icon } from '#views/components/icons.ts';
import { empty, enterMail, folderNotice, notice } from '#views/components/notices.ts';
import { shareOf } from '#views/components/numbers.ts';
import { hidden, linkTo } from '#views/components/slots.ts';
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
  opens: Words | string;
  /** When it closes or has closed, also where an officer closed it early. */
  closes: Words | string;
  turnout: { issued: number; used: number };
  /** What an officer has to do, each as a sentence. */
  needs: readonly (Words | string)[];
  /** What may or may not be intended; an officer can dismiss each. */
  hints?: readonly { name: string; sentence: Words | string }[];
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
  zone: Words | string;
  /** The number of sensitive acts that wait for a second person. */
  approvals?: number;
  /** A sentence on what has just been done. */
  done?: Words | string | undefined;
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
<p><a href="/admin/approvals">${t('voting-admin.dashboard.see_what_asked')}</a></p>`,
    t('voting-admin.dashboard.acts_wait_second_person', { approvals }),
  )
}
${pageHeader({
  title: t('voting-admin.dashboard.elections'),
  lede: all > 0 && ledeOf(waiting, all),
  actions: all > 0 && mayMake && newElection,
})}
${props.meetings}${
  all === 0
    ? empty(
        t('voting-admin.dashboard.elections_yet'),
        t('voting-admin.dashboard.say_what_asked_when_make'),
        mayMake
          ? html`<p>${newElection}</p>${
              mayDo(props, 'elections:run') &&
              html`<p><a class="link-alone" href="/admin/elections/new?trial=1">${t('voting-admin.dashboard.try_five_friends')}</a></p>`
            }`
          : undefined,
      )
    : html`${search && dashboardFilter(search)}${list(props)}${search && archive(search)}${zoneNote(zone)}`
}
${
  trials.length > 0 &&
  html`<section><h2>${t('voting-admin.dashboard.trials')}</h2><p class="small soft">${t('voting-admin.dashboard.each_deleted_everything_seven_days')}</p>${electionList(trials, props)}</section>`
}
${
  mayDo(props, 'elections:certify') &&
  html`
<p class="small"><a class="link-alone" href="/admin/approvals">${t('voting-admin.dashboard.actions_need_second_person')}</a></p>`
}
${viewer?.permissions.size === 0 && otherPages}`;
  return officerPage({ title: t('voting-admin.dashboard.elections'), body, nav: '/admin', viewer });
}

const firstEvening = ({ settled, all }: NonNullable<DashboardProps['firstSteps']>) =>
  notice(
    'info',
    html`<p>${t('voting-admin.dashboard.first_evening_things_done', { link: linkTo('/admin/first-steps'), settled, all })}</p>`,
    t('voting-admin.dashboard.club_new'),
  );

const newElection = html`<a class="button" href="/admin/elections/new">${t('voting-admin.dashboard.new_election')}</a>
<a class="button button-quiet" href="/admin/papers/new">${t('voting-admin.dashboard.new_ballot_paper')}</a>
<a class="button button-quiet" href="/admin/meetings/new">${t('voting-admin.dashboard.new_meeting')}</a>`;

/** For officers without a role there: the navigation has no links to pages that they may not open. */
const otherPages = html`
<p class="small soft other-desks">${t('voting-admin.dashboard.pub_feedback_calendar_desks_own', { pub: linkTo('/admin/pub'), feedback: linkTo('/admin/feedback'), calendar: linkTo('/admin/calendar') })}</p>`;

/** Shown at once: with the first invitation there would be no time left to set mail up. */
function noMail(missing: readonly string[], mayEnter: boolean): Html {
  return notice(
    'attention',
    html`<p>${t('voting-admin.dashboard.invitation_reminder_sign_code_goes')} ${enterMail(missing, mayEnter)} ${t('voting-admin.dashboard.voting_codes_paper_work_without')}</p>`,
    t('voting-admin.dashboard.mail_sent_yet'),
  );
}

function ledeOf(waiting: number, all: number): Child {
  if (waiting === 0) return t('voting-admin.dashboard.election_needs_moment');
  const words = t('voting-admin.dashboard.elections_need', { waiting });
  return all > waiting
    ? html`<a class="link-alone" href="${dashboardPath({ state: 'waiting' })}">${words}</a>`
    : words;
}

type Group = readonly [title: Words, rows: readonly DashboardRow[]];

function groupsOf(rows: readonly DashboardRow[]): Group[] {
  const by = (key: (election: DashboardElection) => string) => (a: DashboardRow, b: DashboardRow) =>
    key(a.election) < key(b.election) ? -1 : 1;
  const open = rows.filter(({ election }) => election.status === 'open');
  const scheduled = rows.filter(({ election }) => election.status === 'scheduled');
  const closed = rows.filter(({ election }) => election.status === 'closed');
  closed.sort(by(({ closed_at, close_at }) => closed_at ?? close_at)).reverse();
  const groups: Group[] = [
    [t('voting-admin.dashboard.open'), open.sort(by(({ close_at }) => close_at))],
    [t('voting-admin.dashboard.scheduled'), scheduled.sort(by(({ open_at }) => open_at))],
    [t('voting-admin.dashboard.closed_not_on_home_page'), closed.filter((row) => !isPublished(row))],
    [t('voting-admin.dashboard.closed_on_home_page'), closed.filter(isPublished)],
  ];
  return groups.filter(([, members]) => members.length > 0);
}

/** Groups by state in the default order; a filtered or sorted list has no groups. */
function list(props: DashboardProps): Html {
  const { rows, search } = props;
  if (rows.length === 0) return html`<p>${t('voting-admin.dashboard.election_matches')}</p>`;
  const { query, total = 0, pageSize = 0 } = search ?? {};
  const isGrouped = !query || (!isFiltered(query) && query.sort === 'state');
  const whole = total <= pageSize;
  const lists = isGrouped
    ? groupsOf(rows).map(([title, members]) => group(title, members, props, whole))
    : html`<h2>${t('voting-admin.dashboard.election_count', { elections: total })}</h2>${electionList(rows, props)}`;
  if (!query || whole) return html`${lists}`;
  const href = (page: number) => dashboardPath({ ...query, page });
  return html`${lists}${numberedPages({ page: query.page, pageSize, total, of: (range) => t('voting-admin.dashboard.pages', range), href })}`;
}

function archive(search: DashboardSearch): Html | null {
  const years = archiveYears(search);
  return (
    years && html`<section><h2>${t('voting-admin.dashboard.closed_elections_year')}</h2>${years}</section>`
  );
}

function isPublished({ election }: DashboardRow): boolean {
  return election.settings.publish_results_to_home;
}

function group(title: Words, rows: readonly DashboardRow[], props: DashboardProps, whole: boolean): Html {
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
    scheduled: t('voting-admin.dashboard.opens', { opens }),
    open: t('voting-admin.dashboard.closes', { closes }),
    closed: t('voting-admin.dashboard.closed', { closes }),
  };
  const kind = html`${
    ballot_type
      ? viewOf(ballot_type).name
      : t('voting-admin.dashboard.ballot_paper_questions', { questions: questions.length })
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
  { name, sentence }: { name: string; sentence: Words | string },
  props: DashboardProps,
): Html {
  if (!mayDo(props, 'elections:write')) return html`<p class="hint-line small soft">${sentence}</p>`;
  const back = dashboardPath(props.search?.query ?? {});
  return html`<form class="hint-line small soft" method="post" action="${adminElectionPath(
    id,
    'hints',
  )}"><input type="hidden" name="hint" value="${name}"><input type="hidden" name="back" value="${back}"><span>${sentence}</span> <a class="link-alone" href="${adminElectionPath(id, 'rules')}">${t('voting-admin.dashboard.show_home_page', { hidden, title })}</a> <button class="button button-quiet button-small">${t('voting-admin.dashboard.leave_off', { hidden, title })}</button></form>`;
}

/** The number of voting codes that were used, in words and as a bar. */
function turnoutBar({ issued, used }: { issued: number; used: number }): Html {
  if (issued === 0) return html`<p class="turnout soft">${t('voting-admin.dashboard.voting_codes')}</p>`;
  return html`<div class="turnout">
  <p><span class="turnout-figure">${percent(
    shareOf(used, issued),
  )}</span> <span class="small">${t('voting-admin.dashboard.codes_used', { used, issued })}</span></p>${barDrawing(
    shareOf(used, issued),
    true,
  )}</div>`;
}
