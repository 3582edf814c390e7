import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatNumber, sentences } from '#kernel/language/times.ts';
import { shareOf } from '#views/components/numbers.ts';
import { linkTo } from '#views/components/slots.ts';
import { badge, type Stage } from '#views/components/status.ts';
import { statFigures } from '#views/components/structure.ts';
import { crumbsTo, mayDo } from '#views/voting/admin/frame.ts';
import { codesSections } from '#views/voting/admin/sections/codes.ts';
import type { Section } from '#views/voting/admin/sections/forms.ts';
import { historySections } from '#views/voting/admin/sections/history.ts';
import { type Act, issuerPage, type Step, votersPage } from '#views/voting/admin/sections/page.ts';
import { textSection } from '#views/voting/admin/sections/texts-and-dates.ts';
import { translationsSection } from '#views/voting/admin/sections/translations.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { barDrawing } from '#views/voting/bars.ts';
import { voidSentence } from '#views/voting/results/outcome.ts';
import { trialBadge } from '#views/voting/trial.ts';
import {
  adminElectionPath,
  adminPath,
  askPath,
  NOT_ANNOUNCED,
  optionCode,
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
    eyebrow: html`${trialBadge(election)} ${commas([
      name,
      meeting
        ? t('voting-admin.election.item', { number: meeting.number })
        : paper && t('voting-admin.election.question', { place: paper.place, of: paper.of }),
    ])}${props.manual && html` ${badge(t('voting-admin.election.certified_results'))}`}`,
    crumbs: meeting
      ? [
          { href: '/admin/meetings', label: t('voting-admin.election.meetings') },
          { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
        ]
      : crumbsTo(undefined, ...(paper ? [{ href: adminPath(paper), label: paper.title }] : [])),
    ask: electionAsk(props),
    step: meeting ? stepInMeeting(props, meeting) : stepOf(props),
    ...(!meeting && {
      belowStep: html`<p class="small"><a class="link-alone" href="${chairPath(election.id)}">${t('voting-admin.election.chairs_view_turnout_large_type')}</a></p>`,
    }),
    turnout: turnoutBoard(props),
    facts: [[t('voting-admin.election.ballot'), name]],
    ballot: t('voting-admin.election.ballot'),
    sections: {
      results: () => resultsSection(props),
      workspace: () => workspaceSection(props),
      ...(!meeting && { ending: () => electionEnding(props) }),
      ...(paper ? !meeting && { tokens: () => paperSection(paper) } : codesSections(props)),
      text: () => textSection(props, ballots > 0),
      ...(rules && { [`${rules.kind}s` as const]: () => optionsSection(props, rules) }),
      translations: () => translationsOfElection(props),
      attachments: () => attachmentSection(props),
      ...(!meeting && { dates: () => electionDates(props) }),
      ...electionSettings(props),
      ...historySections(props),
    },
    scripts: ['admin/invitations.js', 'admin/election-form.js'],
  });
}

const translationsOfElection = (props: ElectionPageProps) =>
  translationsSection(
    props,
    { ...props.election, options: props.election.candidates ?? props.election.options },
    { hasBallots: props.ballots > 0 },
  );

/** A question of a meeting is opened, closed and announced on the page of the chair, for the cards of the room. */
function stepInMeeting(
  props: ElectionPageProps,
  { id, state }: NonNullable<ElectionPageProps['meeting']>,
): Step {
  const say: Record<typeof state, Child> = {
    prepared: t('voting-admin.election.prepared_chair_opens_meeting_cards'),
    open: t('voting-admin.election.voting_open_chair_closes'),
    closed: t('voting-admin.election.voting_closed_chair_announces_result'),
    declared: t('voting-admin.election.chair_announced_result'),
    void: props.election.void ? voidSentence(props.election.void) : t('voting-admin.election.vote_void'),
  };
  const agenda = { href: `/admin/meetings/${id}`, label: t('voting-admin.election.agenda') };
  const lead: Act = {
    href: `/admin/meetings/${id}/chair`,
    label: t('voting-admin.election.chairs_page'),
    needs: 'elections:run',
  };
  const preview = {
    href: adminElectionPath(props.election.id, 'results-preview'),
    label: t('voting-admin.election.look_result'),
  };
  return state === 'prepared' || state === 'open' || props.hidden !== undefined
    ? { say: say[state], action: lead, other: agenda }
    : { say: say[state], action: preview, other: lead };
}

/** In place of codes and invitations: those of a question are those of its ballot paper. */
const paperSection = (paper: NonNullable<ElectionPageProps['paper']>): Section => ({
  id: 'tokens',
  title: t('voting-admin.election.ballot_paper'),
  about: t('voting-admin.election.several_questions_share_code_mail'),
  work: html`<p>${t('voting-admin.election.question_voting_codes_invitations_page', {
    place: paper.place,
    of: paper.of,
    title: html`<a
href="${adminPath(paper)}">${paper.title}</a>`,
  })}</p>
<p class="toolbar"><a class="button button-quiet" href="${sectionPath(paper, 'tokens')}">${t('voting-admin.election.voting_codes')}</a>
<a class="button button-quiet" href="${sectionPath(paper, 'invitations')}">${t('voting-admin.election.invitations')}</a></p>`,
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
  const opening = { status: election.status === 'open' ? 'open' : 'other', opens: times.opens } as const;
  if (kind && numberOfOptions(election) < 2) {
    const say = t('voting-admin.election.but_vote_yet_fewer_two', { ...opening, kind: optionCode(kind) });
    const href = sectionPath(election, `${kind}s`);
    return {
      say,
      action: {
        href,
        label: t('voting-admin.election.add_options', { kind: optionCode(kind) }),
        needs: 'elections:write',
      },
    };
  }
  if (!isReady(props)) {
    const say = t('voting-admin.election.but_vote_yet_voting_codes', opening);
    const invite: Act = {
      href: codesAt(props, 'invitations'),
      label: t('voting-admin.election.invite_people'),
      needs: 'elections:run',
    };
    const make: Act = {
      href: codesAt(props, 'tokens'),
      label: t('voting-admin.election.make_voting_codes'),
      needs: 'elections:run',
    };
    return props.mayInvite ? { say, action: invite, other: make } : { say, action: make };
  }
  const voters = votersPage(props);
  if (election.status === 'scheduled' && props.ballots > 0) {
    const say = t('voting-admin.election.voting_paused_ballots_resumes', {
      ballots: props.ballots,
      opens: times.opens,
    });
    return {
      say,
      action: votersPage(props),
      other: { href: sectionPath(election, 'dates'), label: t('voting-admin.election.change_dates') },
    };
  }
  if (election.status === 'scheduled') {
    if (turnout.invited >= turnout.issued) {
      const say = t('voting-admin.election.everything_ready_everybody_who_invited', opening);
      const more: Act = {
        href: codesAt(props, 'invitations'),
        label: t('voting-admin.election.invite_more_people'),
        needs: 'elections:run',
      };
      return { say, action: voters, other: more };
    }
    return {
      say: sentences([
        t('voting-admin.election.everything_ready', opening),
        mayDo(props, 'elections:run') && t('voting-admin.election.hand_out'),
      ]),
      action: voters,
      other: {
        href: codesAt(props, 'tokens'),
        label: t('voting-admin.election.make_more_voting_codes'),
        needs: 'elections:run',
      },
    };
  }
  const close: Act = {
    href: askPath(election, 'close'),
    label: t('voting-admin.election.close_voting'),
    needs: 'elections:certify',
  };
  if (turnout.used >= turnout.issued)
    return {
      say: sentences([
        t('voting-admin.election.everybody_voting_code_voted'),
        mayDo(props, 'elections:certify') && t('voting-admin.election.close_now'),
      ]),
      action: close,
      other: voters,
    };
  return {
    say: t('voting-admin.election.voting_open_closes', { closes: times.closes }),
    action: voters,
    other: close,
  };
}

/** Where voting codes and invitations are: a question has those of its ballot paper. */
const codesAt = ({ paper, election }: ElectionPageProps, section: 'tokens' | 'invitations'): string =>
  sectionPath(paper ?? election, section);

function stepAfterClose(props: ElectionPageProps): Step {
  const { election, publication, ballots, hidden } = props;
  const preview = {
    href: adminElectionPath(election.id, 'results-preview'),
    label: t('voting-admin.election.look_result'),
  };
  if (election.void) return { say: voidSentence(election.void), action: votersPage(props), other: preview };
  if (props.awaitsLot && mayDo(props, 'elections:certify')) {
    const say = t('voting-admin.election.voting_closed_count_waits_lot');
    const draw = { href: adminElectionPath(election.id, 'lot'), label: t('voting-admin.election.draw_lot') };
    return { say, action: draw, other: preview };
  }
  if (isAwaited(props)) {
    if (hidden !== undefined) return { say: NOT_ANNOUNCED, action: votersPage(props) };
    const say = t('voting-admin.election.voting_closed_look_result_announce');
    return { say, action: preview, other: votersPage(props) };
  }
  if (!publication.results_visible) {
    const say = t('voting-admin.election.voting_closed_figures_stay_hidden');
    return {
      say,
      action: { href: adminElectionPath(election.id, 'withheld'), label: t('voting-admin.election.see_why') },
    };
  }
  const openSeats = props.openSeats ?? 0;
  if (openSeats > 0 && !election.follow_ups && !election.trial && mayDo(props, 'elections:certify')) {
    const say = t('voting-admin.election.voting_closed_seats_open_make', { seats: openSeats });
    const follow = {
      href: adminElectionPath(election.id, 'follow-up'),
      label: t('voting-admin.election.new_follow_up'),
    };
    return { say, action: follow, other: preview };
  }
  if (publication.published)
    return { say: t('voting-admin.election.result_home_page'), action: preview, other: votersPage(props) };
  if (election.trial) {
    const real = {
      href: adminElectionPath(election.id, 'clone'),
      label: t('voting-admin.election.copy_real_election'),
      needs: 'elections:write',
    } as const;
    return {
      say: t('voting-admin.election.trial_over_look_result_voters'),
      action: votersPage(props),
      other: real,
    };
  }
  return {
    say: t('voting-admin.election.voting_closed_look_result_put', { ballots }),
    action: preview,
  };
}

/** The figures of the vote; the page’s script updates them while voting is open. */
function turnoutBoard({ election, page, paper, turnout }: ElectionPageProps): Html {
  const { issued, used, invited, of } = turnout;
  const figure = (name: string, value: number) =>
    html`<span data-figure="${name}">${formatNumber(value)}</span>`;
  return html`<section class="turnout-board" aria-label="${t('voting-admin.election.turnout')}"${
    election.status === 'open' && html` data-turnout="${adminElectionPath(election.id)}" data-status="open"`
  }>
${statFigures([
  {
    label: of === 'voters' ? t('voting-admin.election.votes_cast') : t('voting-admin.election.codes_used'),
    value: figure('used', used),
  },
  {
    label: of === 'voters' ? t('voting-admin.election.votes') : t('voting-admin.election.codes_made'),
    value: figure('tokens', issued),
  },
  ...(paper ? [] : [{ label: t('voting-admin.election.invitations'), value: figure('invited', invited) }]),
])}
${issued > 0 && html`<div class="turnout">${barDrawing(shareOf(used, issued), true)}</div>`}
<p class="visually-hidden" role="status" data-turnout-news></p>
<p class="notice notice-attention"
data-turnout-over hidden><span>${t('voting-admin.election.voting_closed_since_page_loaded', {
    link: linkTo(subPagePath(election, page)),
  })}</span></p>
</section>`;
}
