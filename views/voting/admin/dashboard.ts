import { type Child, type Html, html } from '#kernel/html.ts';
import { icon } from '#views/components/icons.ts';
import { empty, notice } from '#views/components/notices.ts';
import { count, counted, listed, shareOf } from '#views/components/numbers.ts';
import { statusBadge } from '#views/components/status.ts';
import { pageHeader, zoneNote } from '#views/components/structure.ts';
import { barDrawing } from '#views/voting/charts/bars.ts';
import { adminElectionPath, BALLOT_TYPES, percent } from '#views/voting/words.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import { clockNotice, mayDo, type OfficerProps, officerPage } from './frame.ts';
import type { MailState } from './invitations/invite-fields.ts';

/** An election on the dashboard. Times are ready strings. */
export interface DashboardRow {
  election: ElectionJson;
  opens: string;
  /** When it closes, or has closed: a close by hand counts. */
  closes: string;
  turnout: { issued: number; used: number };
  /** What waits for an officer, each a ready sentence. */
  needs: readonly string[];
}

/** The dashboard; its rows come in any order. */
export interface DashboardProps extends OfficerProps {
  rows: readonly DashboardRow[];
  /** Whose clocks the times are of, in words. */
  zone: string;
  /** Grave acts that wait for a second person. */
  approvals?: number;
  /** A sentence on what has just been done. */
  done?: string | undefined;
  clockJumped?: boolean | undefined;
  mail?: MailState | undefined;
  /** Whether nobody is an owner yet: pub, calendar and members open to people with a role alone. */
  needsSetUp?: boolean | undefined;
}

/** The list that answers “what needs me?”: open elections first, the one that closes soonest on top. */
export function dashboardPage(props: DashboardProps): Html {
  const { rows, zone, approvals = 0, done, clockJumped, mail, needsSetUp, viewer } = props;
  const mayMake = mayDo(props, 'elections:write');
  const waiting = rows.filter(({ needs }) => needs.length > 0).length;
  const body = html`${done && html`<div class="notice notice-success" role="status">${icon('check')}<div class="notice-body"><p>${done}</p></div></div>`}
${clockJumped && clockNotice()}
${mail?.mailReady === false && noMail(mail.missing)}
${approvals > 0 && notice('attention', html`<p><a href="/admin/approvals">See what was asked for</a></p>`, `${counted(approvals, 'act waits', 'acts wait')} for a second person`)}
${pageHeader({
  title: 'Elections',
  lede: rows.length > 0 && ledeOf(waiting),
  actions: rows.length > 0 && mayMake && newElection,
})}
${
  rows.length === 0
    ? empty(
        'No elections yet',
        'Say what is asked and when, make voting codes, hand them out: the service does the rest.',
        mayMake ? html`<p>${newElection}</p>` : undefined,
      )
    : html`${groupsOf(rows).map(([title, members]) => group(title, members))}${zoneNote(zone)}`
}
${mayDo(props, 'elections:certify') && html`<p class="small"><a class="link-alone" href="/admin/approvals">Acts that need two people</a></p>`}
${viewer?.permissions.size === 0 && (needsSetUp ? setUpFirst : otherPages)}`;
  return officerPage({ title: 'Elections', body, nav: '/admin', viewer });
}

const newElection = html`<a class="button" href="/admin/elections/new">New election</a>`;

/** While nobody can sign in, those pages would lead nowhere. */
const setUpFirst = html`<p class="small soft other-desks">The pub, its feedback, the calendar and the members open to people who sign in, and nobody is an owner yet. <a href="/set-up">Make the first owner</a> with the code that the service printed at its start.</p>`;

/** For officers without a role there: the navigation leads only to where one may go. */
const otherPages = html`<p class="small soft other-desks">The <a href="/admin/pub">pub</a>, its <a href="/admin/feedback">feedback</a> and the <a href="/admin/calendar">calendar</a> have desks of their own, for those with a role there.</p>`;

/** Said at once: who finds out with the first invitation has no time left. */
function noMail(missing: readonly string[]): Html {
  const names = html`<strong class="mono">${listed(missing)}</strong>`;
  return notice(
    'attention',
    html`<p>No invitation, reminder or sign-in code goes out. Whoever runs the server sets ${names} and starts it again; <span class="mono">.env.example</span> says how. Voting codes on paper work without mail.</p>`,
    'No mail can be sent yet',
  );
}

function ledeOf(waiting: number): string {
  if (waiting === 0) return 'Nothing needs you at the moment.';
  return `${counted(waiting, 'election')} ${waiting === 1 ? 'needs' : 'need'} you.`;
}

type Group = readonly [title: string, rows: readonly DashboardRow[]];

function groupsOf(rows: readonly DashboardRow[]): Group[] {
  const by = (key: (election: ElectionJson) => string) => (a: DashboardRow, b: DashboardRow) =>
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

function isPublished({ election }: DashboardRow): boolean {
  return election.settings.publish_results_to_home;
}

function group(title: string, rows: readonly DashboardRow[]): Html {
  return html`<section><h2>${title} <span class="soft numbers">${rows.length}</span></h2>
<ul class="election-list" role="list">${rows.map(electionRow)}</ul></section>`;
}

function electionRow({ election, opens, closes, turnout, needs }: DashboardRow): Html {
  const { id, title, status, ballot_type } = election;
  const published = status === 'closed' && election.settings.publish_results_to_home;
  const when: Record<ElectionJson['status'], Child> = {
    scheduled: `Opens ${opens}`,
    open: `Closes ${closes}`,
    closed: `Closed ${closes}`,
  };
  return html`<li class="election-row${needs.length > 0 && ' election-row-waits'}"><div>
<p class="eyebrow">${statusBadge(published ? 'published' : status)} ${BALLOT_TYPES[ballot_type].name}</p>
<h3><a href="${adminElectionPath(id)}">${title}</a></h3>
<p class="small soft">${when[status]}</p>
${needs.length > 0 && html`<ul class="needs" role="list">${needs.map((need) => html`<li>${icon('warning')}<span>${need}</span></li>`)}</ul>`}
</div>${turnoutBar(turnout)}</li>
`;
}

/** How many voting codes were used, in words with a bar that repeats them. */
function turnoutBar({ issued, used }: { issued: number; used: number }): Html {
  if (issued === 0) return html`<p class="turnout soft">No voting codes</p>`;
  return html`<div class="turnout"><p><span class="turnout-figure">${percent(shareOf(used, issued))}</span> <span class="small">${count(used)} of ${count(issued)} codes used</span></p>${barDrawing(shareOf(used, issued), true)}</div>`;
}
