import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { copyField } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, shareOf } from '#views/components/numbers.ts';
import { badge, type Stage, stageLine, statusBadge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { actionWords } from '#views/voting/admin/audit-words.ts';
import { clockNotice, mayDo, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { barDrawing } from '#views/voting/bars.ts';
import { voidSentence } from '#views/voting/results/outcome.ts';
import { trialBadge } from '#views/voting/trial.ts';
import { adminElectionPath, adminPath, calledOf, NOT_ANNOUNCED, OPTION_WORDS } from '#views/voting/words.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { chairPath } from './chair.ts';
import { askPanel, endingSection } from './close-and-delete.ts';
import { invitationsSection, unsentNotice } from './invitations.ts';
import {
  type CodesProps,
  type ElectionPageProps,
  isAwaited,
  isReady,
  problemSummary,
  type SectionId,
} from './props.ts';
import {
  attachmentSection,
  datesSection,
  optionsSection,
  settingsSection,
  wordingSection,
  workspaceSection,
} from './settings.ts';
import { resultsSection, tokensSection } from './tokens-and-results.ts';

export type {
  Ask,
  CodesProps,
  ElectionPageProps,
  FormProblem,
  Invitations,
  SectionId,
} from './props.ts';

/** The officers' page of an election, with everything that they can do with it. */
export function adminElectionPage(props: ElectionPageProps): Html {
  const { election, problem, done, doneAt, viewer } = props;
  const { title } = election;
  const said = (id: SectionId) => (done !== undefined && doneAt === id ? doneNotice(done) : null);
  const rules = rulesOf(election.ballot_type).options;
  const body = html`${props.clockJumped && clockNotice()}${problemSummary(props)}
${done !== undefined && doneAt === undefined && doneNotice(done)}
${pageHeader({
  title,
  eyebrow: html`${statusBadge(stageOf(props))}${trialBadge(election)} ${viewOf(election.ballot_type).name}${
    props.paper && `, question ${props.paper.place} of ${props.paper.of}`
  }${props.manual && html` ${badge('Certified results')}`}`,
  crumbs: [
    { href: '/admin', label: 'Elections' },
    ...(props.paper ? [{ href: adminPath(props.paper), label: props.paper.title }] : []),
  ],
})}
${stageLine(stageOf(props), { open: props.times.opens, closed: props.times.ends }, neverReached(props))}
${unsentNotice(props)}
${askPanel(props)}
<div class="columns"><div class="stack">${nextStep(props)}${turnoutBoard(props)}</div>${facts(props)}</div>
${sectionLinks(props)}
${
  props.paper
    ? paperSection(props.paper)
    : html`${tokensSection(props, said('tokens'))}
${invitationsSection(props, said('invitations'))}`
}
${wordingSection(props, said('text'))}
${rules && optionsSection(props, rules, said(`${rules.kind}s`))}
${datesSection(props, said('dates'))}
${settingsSection(props, said('settings'))}
${attachmentSection(props, said('attachments'))}
${resultsSection(props, said('results'))}
${!election.trial && workspaceSection(props, said('workspace'))}
${historySection(props)}
${endingSection(props, said('ending'))}`;
  const heading = problem === undefined ? title : `Please check: ${title}`;
  return officerPage({
    title: heading,
    body,
    nav: '/admin',
    viewer,
    scripts: ['admin/invitations.js', 'admin/election-form.js'],
  });
}

function doneNotice(done: string): Html {
  return html`<div role="status">${notice('success', done)}</div>`;
}

/** In place of codes and invitations: those of a question are those of its ballot paper. */
const paperSection = (paper: NonNullable<ElectionPageProps['paper']>): Html =>
  pageSection({
    id: 'tokens',
    title: 'Ballot paper',
    about: 'Several questions share one code, one mail and one slip.',
    work: html`<p>This is question ${paper.place} of ${paper.of} on <a
href="${adminPath(paper)}">${paper.title}</a>. Voting codes and invitations are on the page of the ballot paper.</p>
<p class="toolbar"><a class="button button-quiet" href="${adminPath(paper)}#tokens">Codes and invitations</a></p>`,
  });

/** The stages that an election never has: those before an opening at once, and the last one of a trial. */
function neverReached({ election }: ElectionPageProps): readonly Stage[] {
  const begun: Stage[] = Date.parse(election.open_at) <= election.created_at ? ['draft', 'scheduled'] : [];
  return election.trial ? [...begun, 'published'] : begun;
}

function stageOf(props: ElectionPageProps): Stage {
  const { status, settings } = props.election;
  if (status === 'closed') return settings.publish_results_to_home ? 'published' : 'closed';
  return status === 'scheduled' && !isReady(props) ? 'draft' : status;
}

function sectionLinks(props: ElectionPageProps): Html {
  const { election, invitations } = props;
  const { status } = election;
  const kind = rulesOf(election.ballot_type).options?.kind;
  const mayEnd = mayDo(props, 'elections:certify') || mayDo(props, 'elections:write');
  const links: [href: SectionId, label: string][] = [
    ['tokens', props.paper ? 'Ballot paper' : 'Voting codes'],
    ...(invitations ? [['invitations', 'Invitations'] as [SectionId, string]] : []),
    ['text', 'Title and description'],
    ...(kind ? [[`${kind}s`, OPTION_WORDS[kind].many] as [SectionId, string]] : []),
    ['dates', 'Dates'],
    ['settings', 'Settings'],
    ['attachments', 'Document'],
    ['results', 'Results'],
    ...(props.history ? [['history', 'History'] as [SectionId, string]] : []),
    ...(mayEnd
      ? [['ending', status === 'closed' ? 'Copy or delete' : 'Close, copy or delete'] as [SectionId, string]]
      : []),
  ];
  return sectionNav(links);
}

/** The links to the sections of a page. */
export const sectionNav = (links: readonly [href: SectionId, label: string][]): Html =>
  html`<nav class="section-nav" aria-label="On this page">
  <ul role="list">${links.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>`;

interface Act {
  href: string;
  label: string;
  /** The permission that it needs; none where it only shows something. */
  needs?: Permission;
}

interface Step {
  say: Child;
  action: Act;
  other?: Act;
}

/** What an officer does next, in a sentence with the page’s one filled button. */
function nextStep(props: ElectionPageProps): Html {
  const { say, ...acts } = stepOf(props);
  const allowed = [acts.action, acts.other].filter(
    (act) => act !== undefined && (act.needs === undefined || mayDo(props, act.needs)),
  );
  const [action = votersPage(props), other] = allowed;
  // While the page asks for a confirmation, the filled button is not this one.
  const filled = askedFirst(props) ? 'button button-quiet' : 'button';
  return html`<section class="card next-step" aria-labelledby="next-title"><h2 id="next-title">Next</h2>
<p>${say}</p><p class="toolbar"><a class="${filled}" href="${action.href}">${action.label}</a>
${other && html`<a class="button button-quiet" href="${other.href}">${other.label}</a>`}</p></section>
<p class="small"><a class="link-alone" href="${chairPath(props.election.id)}">Chair’s view: turnout in large type,
closing, the result on a wall</a></p>`;
}

function askedFirst({ ask, problem }: ElectionPageProps): boolean {
  return (
    ask !== undefined ||
    problem?.form === 'delete' ||
    problem?.form === 'batches' ||
    problem?.form === 'close'
  );
}

function stepOf(props: ElectionPageProps): Step {
  const { election, turnout, times } = props;
  if (election.status === 'closed') return stepAfterClose(props);
  const kind = rulesOf(election.ballot_type).options?.kind;
  const opening = election.status === 'open' ? 'Voting is open' : `Voting opens ${times.opens}`;
  if (kind && props.options.length < 2) {
    const say = `${opening}, but nobody can vote yet: there are fewer than two ${kind}s.`;
    return { say, action: { href: `#${kind}s`, label: `Add ${kind}s`, needs: 'elections:write' } };
  }
  if (!isReady(props) && props.doneAt === 'invitations' && props.invitations?.mailReady) {
    const say = `${opening}. Nobody has a link yet: invite them.`;
    return {
      say,
      action: { href: codesAt(props, 'invitations'), label: 'Invite people', needs: 'elections:run' },
    };
  }
  if (!isReady(props) && props.doneAt === 'tokens') {
    const say = `${opening}. Nobody has a code yet: make one for each person.`;
    return {
      say,
      action: { href: codesAt(props, 'tokens'), label: 'Make voting codes', needs: 'elections:run' },
    };
  }
  if (!isReady(props)) {
    const say = `${opening}, but nobody can vote yet: there are no voting codes. An invitation by mail brings its own link; for slips on paper, make codes.`;
    const invite: Act = {
      href: codesAt(props, 'invitations'),
      label: 'Invite people',
      needs: 'elections:run',
    };
    const make: Act = { href: codesAt(props, 'tokens'), label: 'Make voting codes', needs: 'elections:run' };
    return props.invitations?.mailReady ? { say, action: invite, other: make } : { say, action: make };
  }
  const voters = votersPage(props);
  if (election.status === 'scheduled' && props.ballots > 0) {
    const say = `Voting is paused; ${counted(
      props.ballots,
      'ballot is',
      'ballots are',
    )} in. It resumes ${times.opens}.`;
    return { say, action: votersPage(props), other: { href: '#dates', label: 'Change the dates' } };
  }
  if (election.status === 'scheduled') {
    if (turnout.invited >= turnout.issued) {
      const say = `Everything is ready. ${opening}. Everybody who was invited has a link of their own.`;
      const more: Act = {
        href: codesAt(props, 'invitations'),
        label: 'Invite more people',
        needs: 'elections:run',
      };
      return { say, action: voters, other: more };
    }
    const hand = mayDo(props, 'elections:run') && ' Hand out the voting codes you made, or make more.';
    return {
      say: html`Everything is ready. ${opening}.${hand}`,
      action: voters,
      other: { href: codesAt(props, 'tokens'), label: 'Make more voting codes', needs: 'elections:run' },
    };
  }
  const close: Act = {
    href: `${adminElectionPath(election.id)}?ask=close#ask`,
    label: 'Close voting …',
    needs: 'elections:certify',
  };
  if (turnout.used >= turnout.issued)
    return {
      say: html`Everybody with a voting code has voted.${
        mayDo(props, 'elections:certify') && ' You can close the vote now.'
      }`,
      action: close,
      other: voters,
    };
  return { say: `Voting is open and closes ${times.closes}.`, action: voters, other: close };
}

/** Where voting codes and invitations are: a question has those of its ballot paper. */
const codesAt = ({ paper }: ElectionPageProps, section: 'tokens' | 'invitations'): string =>
  `${paper ? adminPath(paper) : ''}#${section}`;

const votersPage = ({ election }: ElectionPageProps): Act => ({
  href: `/e/${election.id}`,
  label: 'See the voters’ page',
});

function stepAfterClose(props: ElectionPageProps): Step {
  const { election, publication, ballots, hidden } = props;
  const preview = { href: adminElectionPath(election.id, 'results-preview'), label: 'Look at the result' };
  if (election.void) return { say: voidSentence(election.void), action: votersPage(props), other: preview };
  if (props.awaitsLot && mayDo(props, 'elections:certify')) {
    const say = 'Voting has closed, and the count waits: a lot must decide between equal votes.';
    const draw = { href: adminElectionPath(election.id, 'lot'), label: 'Draw the lot' };
    return { say, action: draw, other: preview };
  }
  if (isAwaited(props)) {
    if (hidden !== undefined) return { say: NOT_ANNOUNCED, action: votersPage(props) };
    const say = 'Voting has closed. Look at the result, then announce it: nobody else sees it before.';
    return { say, action: preview, other: votersPage(props) };
  }
  if (!publication.results_visible) {
    const say =
      'Voting has closed. The figures stay hidden: few ballots came in after voting was opened again.';
    return { say, action: { href: adminElectionPath(election.id, 'withheld'), label: 'See why' } };
  }
  const openSeats = props.openSeats ?? 0;
  if (openSeats > 0 && !election.follow_ups && !election.trial && mayDo(props, 'elections:certify')) {
    const say = `Voting has closed, and ${counted(openSeats, 'seat is', 'seats are')} open. Make a follow-up with the same electors.`;
    const follow = { href: adminElectionPath(election.id, 'follow-up'), label: 'Make a follow-up' };
    return { say, action: follow, other: preview };
  }
  if (publication.published)
    return { say: 'The result is on the home page.', action: preview, other: votersPage(props) };
  if (election.trial) {
    const real = {
      href: adminElectionPath(election.id, 'clone'),
      label: 'Copy it as a real election',
      needs: 'elections:write',
    } as const;
    return {
      say: 'The trial is over. Look at its result, as your voters see it.',
      action: votersPage(props),
      other: real,
    };
  }
  const cast =
    ballots === 0
      ? 'No ballots were cast'
      : `${counted(ballots, 'ballot')} ${ballots === 1 ? 'was' : 'were'} cast`;
  return {
    say: `Voting has closed. ${cast}. Look at the result, then put it on the home page.`,
    action: preview,
  };
}

/** The figures of the vote; the page’s script updates them while voting is open. */
function turnoutBoard({ election, paper, turnout: { issued, used, invited, of } }: ElectionPageProps): Html {
  const figure = (name: string, value: number) => html`<span data-figure="${name}">${count(value)}</span>`;
  return html`<section class="turnout-board" aria-label="Turnout"${
    election.status === 'open' && html` data-turnout="${adminElectionPath(election.id)}" data-status="open"`
  }>
${statFigures([
  { label: of === 'voters' ? 'Votes cast' : 'Codes used', value: figure('used', used) },
  { label: of === 'voters' ? 'Votes there are' : 'Codes made', value: figure('tokens', issued) },
  ...(paper ? [] : [{ label: 'Invitations', value: figure('invited', invited) }]),
])}
${issued > 0 && html`<div class="turnout">${barDrawing(shareOf(used, issued), true)}</div>`}
<p class="visually-hidden" role="status" data-turnout-news></p>
<p class="notice notice-attention"
data-turnout-over hidden><span>Voting has closed since this page was loaded. <a href="${adminElectionPath(
    election.id,
  )}">Load it again</a></span></p>
</section>`;
}

/** The dates, the type of ballot, and the public address. */
function facts({ election, times, publicUrl }: ElectionPageProps): Html {
  const rows: (readonly [string, Child])[] = [
    [election.status === 'scheduled' ? 'Opens' : 'Opened', times.opens],
    times.closedEarly
      ? ['Closed by an officer', times.closedEarly]
      : [election.status === 'closed' ? 'Closed' : 'Closes', times.closes],
    ['All times', times.zoneInFull],
    ['Ballot', viewOf(election.ballot_type).name],
  ];
  return html`<section aria-label="Facts">${definitionList(rows)}
<p class="label"><a class="link-alone" href="/e/${election.id}">The voters’ page</a></p>
${copyField({ id: 'public-url', value: publicUrl, label: 'the address of the voters’ page' })}</section>`;
}

/** The history from the audit log; null for officers who may not read that. */
export function historySection({
  election,
  history,
}: Pick<ElectionPageProps, 'history'> & Pick<CodesProps, 'election'>): Html | null {
  if (!history) return null;
  const log = `/admin/audit-logs?${new URLSearchParams({ election_id: election.id })}`;
  const newest = table({
    caption: 'What was done, the newest first',
    columns: [{ label: 'When' }, { label: 'What' }, { label: 'Who' }],
    rows: history.entries.map(({ when, action, count: times, who }) => [
      html`<span class="cell-when">${when}</span>`,
      actionWords(action, times),
      html`<span class="cell-wrap">${who}</span>`,
    ]),
  });
  return pageSection({
    id: 'history',
    title: 'History',
    about: 'What was done here, when and by whom. No entry can tell how anyone voted.',
    work: html`${
      history.entries.length > 0 &&
      disclosure(
        'The newest entries',
        html`${newest}${
          history.span !== undefined &&
          html`<p class="small soft">Counted from the newest ${count(history.span)} entries.</p>`
        }`,
      )
    }
<p><a class="link-alone" href="${log}">Everything in the audit log about this ${calledOf(election)}</a></p>`,
  });
}
