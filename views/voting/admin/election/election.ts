import { type Html, html } from '#kernel/html.ts';
import { count, counted, shareOf } from '#views/components/numbers.ts';
import { badge, type Stage } from '#views/components/status.ts';
import { statFigures } from '#views/components/structure.ts';
import { crumbsTo, mayDo } from '#views/voting/admin/frame.ts';
import { codesSections } from '#views/voting/admin/sections/codes.ts';
import type { Section } from '#views/voting/admin/sections/forms.ts';
import { historySections } from '#views/voting/admin/sections/history.ts';
import { type Act, issuerPage, type Step, votersPage } from '#views/voting/admin/sections/page.ts';
import { textSection } from '#views/voting/admin/sections/texts-and-dates.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { barDrawing } from '#views/voting/bars.ts';
import { voidSentence } from '#views/voting/results/outcome.ts';
import { trialBadge } from '#views/voting/trial.ts';
import {
  adminElectionPath,
  adminPath,
  askPath,
  NOT_ANNOUNCED,
  sectionPath,
  subPagePath,
} from '#views/voting/words.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { chairPath } from './chair.ts';
import { electionAsk, electionEnding } from './close-and-delete.ts';
import { optionsSection } from './options.ts';
import { type ElectionPageProps, isAwaited, isReady, numberOfOptions } from './props.ts';
import { resultsSection } from './results.ts';
import { attachmentSection, electionDates, electionSettings, workspaceSection } from './settings.ts';

/** The officers' page of an election. */
export function adminElectionPage(props: ElectionPageProps): Html {
  const { election, paper, meeting, ballots } = props;
  const { name } = viewOf(election.ballot_type);
  const rules = rulesOf(election.ballot_type).options;
  return issuerPage(props, {
    stage: stageOf(props),
    skipped: neverReached(props),
    eyebrow: html`${trialBadge(election)} ${name}${
      meeting ? `, item ${meeting.number}` : paper && `, question ${paper.place} of ${paper.of}`
    }${props.manual && html` ${badge('Certified results')}`}`,
    crumbs: meeting
      ? [
          { href: '/admin/meetings', label: 'Meetings' },
          { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
        ]
      : crumbsTo(undefined, ...(paper ? [{ href: adminPath(paper), label: paper.title }] : [])),
    ask: electionAsk(props),
    step: meeting ? stepInMeeting(props, meeting) : stepOf(props),
    ...(!meeting && {
      belowStep: html`<p class="small"><a class="link-alone" href="${chairPath(election.id)}">Chair’s view: turnout in large type,
closing, the result on a wall</a></p>`,
    }),
    turnout: turnoutBoard(props),
    facts: [['Ballot', name]],
    ballot: 'Ballot',
    sections: {
      results: () => resultsSection(props),
      workspace: () => workspaceSection(props),
      ...(!meeting && { ending: () => electionEnding(props) }),
      ...(paper ? !meeting && { tokens: () => paperSection(paper) } : codesSections(props)),
      text: () => textSection(props, ballots > 0),
      ...(rules && { [`${rules.kind}s` as const]: () => optionsSection(props, rules) }),
      attachments: () => attachmentSection(props),
      ...(!meeting && { dates: () => electionDates(props) }),
      ...electionSettings(props),
      ...historySections(props),
    },
    scripts: ['admin/invitations.js', 'admin/election-form.js'],
  });
}

/** A question of a meeting is opened, closed and announced on the page of the chair, for the cards of the room. */
function stepInMeeting(
  props: ElectionPageProps,
  { id, state }: NonNullable<ElectionPageProps['meeting']>,
): Step {
  const say: Record<typeof state, string> = {
    prepared: 'It is prepared. The chair opens it in the meeting, for the cards and links of that day.',
    open: 'Voting is open. The chair closes it.',
    closed: 'Voting is closed. The chair announces the result.',
    declared: 'The chair has announced the result.',
    void: props.election.void ? voidSentence(props.election.void) : 'This vote is void.',
  };
  const agenda = { href: `/admin/meetings/${id}`, label: 'The agenda' };
  const lead: Act = {
    href: `/admin/meetings/${id}/chair`,
    label: 'The chair’s page',
    needs: 'elections:run',
  };
  const preview = {
    href: adminElectionPath(props.election.id, 'results-preview'),
    label: 'Look at the result',
  };
  return state === 'prepared' || state === 'open' || props.hidden !== undefined
    ? { say: say[state], action: lead, other: agenda }
    : { say: say[state], action: preview, other: lead };
}

/** In place of codes and invitations: those of a question are those of its ballot paper. */
const paperSection = (paper: NonNullable<ElectionPageProps['paper']>): Section => ({
  id: 'tokens',
  title: 'Ballot paper',
  about: 'Several questions share one code, one mail and one slip.',
  work: html`<p>This is question ${paper.place} of ${paper.of} on <a
href="${adminPath(paper)}">${paper.title}</a>. Voting codes and invitations are on the page of the ballot paper.</p>
<p class="toolbar"><a class="button button-quiet" href="${sectionPath(paper, 'tokens')}">Voting codes</a>
<a class="button button-quiet" href="${sectionPath(paper, 'invitations')}">Invitations</a></p>`,
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

function stepOf(props: ElectionPageProps): Step {
  const { election, turnout, times } = props;
  if (election.status === 'closed') return stepAfterClose(props);
  const kind = rulesOf(election.ballot_type).options?.kind;
  const opening = election.status === 'open' ? 'Voting is open' : `Voting opens ${times.opens}`;
  if (kind && numberOfOptions(election) < 2) {
    const say = `${opening}, but nobody can vote yet: there are fewer than two ${kind}s.`;
    const href = sectionPath(election, `${kind}s`);
    return { say, action: { href, label: `Add ${kind}s`, needs: 'elections:write' } };
  }
  if (!isReady(props)) {
    const say = `${opening}, but nobody can vote yet: there are no voting codes. An invitation by mail brings its own link; for slips on paper, make codes.`;
    const invite: Act = {
      href: codesAt(props, 'invitations'),
      label: 'Invite people',
      needs: 'elections:run',
    };
    const make: Act = { href: codesAt(props, 'tokens'), label: 'Make voting codes', needs: 'elections:run' };
    return props.mayInvite ? { say, action: invite, other: make } : { say, action: make };
  }
  const voters = votersPage(props);
  if (election.status === 'scheduled' && props.ballots > 0) {
    const say = `Voting is paused; ${counted(
      props.ballots,
      'ballot is',
      'ballots are',
    )} in. It resumes ${times.opens}.`;
    return {
      say,
      action: votersPage(props),
      other: { href: sectionPath(election, 'dates'), label: 'Change the dates' },
    };
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
    href: askPath(election, 'close'),
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
const codesAt = ({ paper, election }: ElectionPageProps, section: 'tokens' | 'invitations'): string =>
  sectionPath(paper ?? election, section);

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
    const follow = { href: adminElectionPath(election.id, 'follow-up'), label: 'New follow-up' };
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
function turnoutBoard({ election, page, paper, turnout }: ElectionPageProps): Html {
  const { issued, used, invited, of } = turnout;
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
data-turnout-over hidden><span>Voting has closed since this page was loaded. <a href="${subPagePath(
    election,
    page,
  )}">Load it again</a></span></p>
</section>`;
}
