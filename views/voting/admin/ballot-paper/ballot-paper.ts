import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import { confirmPanel, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { hidden, strong } from '#views/components/slots.ts';
import { badge, statusBadge } from '#views/components/status.ts';
import { disclosure, pageHeader, statFigures, subPages } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { crumbsTo, MEETING_NAV, mayDo, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { codesSections } from '#views/voting/admin/sections/codes.ts';
import { askPanel, deletePanel, endingSection } from '#views/voting/admin/sections/ending.ts';
import { formOf, problemSummary, type Section } from '#views/voting/admin/sections/forms.ts';
import { historySections } from '#views/voting/admin/sections/history.ts';
import { unsentNotice } from '#views/voting/admin/sections/invitations.ts';
import {
  type Act,
  doneNotice,
  issuerPage,
  type Sections,
  type Step,
  sectionsOf,
  votersPage,
} from '#views/voting/admin/sections/page.ts';
import { settingsSections } from '#views/voting/admin/sections/settings.ts';
import { datesSection, textSection } from '#views/voting/admin/sections/texts-and-dates.ts';
import { translationsSection } from '#views/voting/admin/sections/translations.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import {
  adminElectionPath,
  adminPath,
  askPath,
  type OfMeeting,
  sectionPath,
  subPagePath,
} from '#views/voting/words.ts';
import type { PaperPageProps } from './props.ts';

/** The officers' page of a ballot paper: its questions, and the codes and invitations that they share. */
export function adminPaperPage(props: PaperPageProps): Html {
  const { election, questions } = props;
  const { meeting } = election;
  if (meeting) return meetingPaperPage(props, meeting);
  const hasBallots = questions.some((question) => question.hasBallots);
  const isClosed = election.status === 'closed';
  return issuerPage(props, {
    stage: stageOf(props),
    eyebrow: t('voting-admin.ballot_paper.ballot_paper_questions', { questions: questions.length }),
    ask: askPanel(props, { close: closePanel, delete: deletionPanel }),
    step: stepOf(props),
    turnout: turnoutBoard(props),
    facts: [[t('voting-admin.ballot_paper.questions'), formatNumber(questions.length)]],
    links: html` ·
<a class="link-alone" href="/p/${election.id}/wall">${t('voting-admin.ballot_paper.wall')}</a>`,
    ballot: t('voting-admin.ballot_paper.title_text'),
    sections: {
      questions: () => questionsSection(props),
      ending: () => paperEnding(props, isClosed),
      ...codesSections(props),
      text: () => textSection(props, hasBallots),
      translations: () =>
        translationsSection(
          props,
          { ...election, translations: props.translations },
          { hasBallots, about: t('voting-admin.translations.about_paper') },
        ),
      dates: () =>
        datesSection(props, {
          action: `${adminPath(election)}?_method=PATCH`,
          hasBallots,
          about: t('voting-admin.ballot_paper.those_every_question_ended'),
          ...(isClosed && { over: CLOSED }),
        }),
      ...paperSettings(props),
      ...historySections(props),
    },
    scripts: ['admin/invitations.js', 'admin/election-form.js'],
  });
}

const paperSettings = (props: PaperPageProps) => {
  const hasBallots = props.questions.some((question) => question.hasBallots);
  return settingsSections(props, {
    title: t('voting-admin.ballot_paper.settings_all_questions'),
    about: t('voting-admin.ballot_paper.what_question_decides_itself_own'),
    action: `${adminPath(props.election)}?_method=PATCH`,
    button: t('voting-admin.ballot_paper.save_all_questions'),
    stored: props.settings,
    fields: { part: 'shared', fixed: hasBallots, listFixed: hasBallots },
  });
};

const paperEnding = (props: PaperPageProps, isClosed: boolean): Section | null =>
  endingSection(
    props,
    isClosed ? t('voting-admin.ballot_paper.delete') : t('voting-admin.ballot_paper.close_delete'),
    [
      !isClosed && {
        say: t('voting-admin.ballot_paper.close_voting_every_question_before'),
        href: askPath(props.election, 'close'),
        label: t('voting-admin.ballot_paper.close'),
        needs: 'elections:certify',
      },
      {
        say: t('voting-admin.ballot_paper.delete_ballot_paper_all_questions'),
        href: askPath(props.election, 'delete'),
        label: t('voting-admin.ballot_paper.ask_delete'),
        needs: 'elections:certify',
      },
    ],
  );

const CLOSED = html`<p class="soft">${t('voting-admin.ballot_paper.voting_closed_open_question_again')}</p>`;

/**
 * The same of a meeting. Its agenda says what is asked, its chair opens and closes, its door has the cards: what is left
 * are the links of members elsewhere.
 */
function meetingPaperPage(props: PaperPageProps, meeting: OfMeeting): Html {
  const { done, election, questions, viewer, page } = props;
  const { invitations, history } = { ...codesSections(props), ...historySections(props) };
  const sections: Sections = { ...(invitations && { invitations }), ...(history && { history }) };
  const other = page === 'history' ? 'mails' : 'history';
  const body = html`${problemSummary(props, 'paper')}${doneNotice(done)}
${pageHeader({
  title: t('voting-admin.ballot_paper.members_home'),
  eyebrow: t('voting-admin.ballot_paper.ballot_paper_questions', { questions: questions.length }),
  lede: meeting.title,
  crumbs: crumbsTo(meeting),
})}
${subPages({
  label: MEETING_NAV,
  pages: meeting.pages,
  current: page === 'mails' ? sectionPath(election, 'invitations') : '',
  content: html`${unsentNotice(props)}
<p>${t('voting-admin.ballot_paper.whoever_cannot_come_gets_link')}</p>
${sectionsOf(page, sections).map(pageSection)}${
  (other === 'mails' || history) &&
  html`<p><a class="link-alone" href="${subPagePath(election, other)}">${other === 'mails' ? t('voting-admin.ballot_paper.links') : t('voting-admin.ballot_paper.history_these_links')}</a></p>`
}`,
})}`;
  return officerPage({
    title: t('voting-admin.ballot_paper.members_home_of', { title: meeting.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: ['admin/invitations.js'],
  });
}

function stageOf({ election, questions, turnout }: PaperPageProps) {
  const { status } = election;
  if (status === 'closed')
    return questions.length > 0 && questions.every(({ published }) => published) ? 'published' : 'closed';
  const isReady = turnout.issued > 0 && questions.length > 0 && questions.every(({ lacks }) => !lacks);
  return status === 'scheduled' && !isReady ? 'draft' : status;
}

/** What an officer does next. */
function stepOf(props: PaperPageProps): Step {
  const { election, questions, turnout, times } = props;
  const voters = votersPage(props);
  const [lacking] = questions.filter(({ lacks }) => lacks);
  if (questions.length === 0 && mayDo(props, 'elections:write'))
    return {
      say: t('voting-admin.ballot_paper.nothing_vote_yet_add_first'),
      action: {
        href: adminPath(election, 'questions/new'),
        label: t('voting-admin.ballot_paper.new_question'),
      },
    };
  if (election.status === 'closed') return stepAfterClose(props, voters);
  const opening = { status: election.status === 'open' ? 'open' : 'other', opens: times.opens } as const;
  if (lacking)
    return {
      say: t('voting-admin.ballot_paper.lacking', { title: lacking.title, lacks: lacking.lacks ?? '' }),
      action: {
        href: sectionPath(lacking, 'candidates'),
        label: t('voting-admin.ballot_paper.add_candidates'),
      },
    };
  if (turnout.issued === 0 && mayDo(props, 'elections:run')) {
    const invite: Act = {
      href: sectionPath(election, 'invitations'),
      label: t('voting-admin.ballot_paper.invite_people'),
    };
    const make: Act = {
      href: sectionPath(election, 'tokens'),
      label: t('voting-admin.ballot_paper.make_voting_codes'),
    };
    return {
      say: t('voting-admin.ballot_paper.but_vote_yet_code_answers', opening),
      ...(props.mayInvite ? { action: invite, other: make } : { action: make }),
    };
  }
  if (election.status === 'open' && mayDo(props, 'elections:certify'))
    return {
      say: t('voting-admin.ballot_paper.voting_open_closes', { closes: times.closes }),
      action: voters,
      other: { href: askPath(election, 'close'), label: t('voting-admin.ballot_paper.close_voting') },
    };
  return {
    say: t('voting-admin.ballot_paper.everything_ready', opening),
    action: voters,
    ...(mayDo(props, 'elections:run') && {
      other: {
        href: sectionPath(election, 'invitations'),
        label: t('voting-admin.ballot_paper.invite_more_people'),
      },
    }),
  };
}

function stepAfterClose(props: PaperPageProps, voters: Act): Step {
  const { questions } = props;
  const certified = mayDo(props, 'elections:certify') ? questions : [];
  const tied = certified.find(({ awaitsLot }) => awaitsLot);
  if (tied)
    return {
      say: t('voting-admin.ballot_paper.voting_closed_count_waits_lot', { title: tied.title }),
      action: { href: adminElectionPath(tied.id, 'lot'), label: t('voting-admin.ballot_paper.draw_lot') },
      other: voters,
    };
  const [waiting] = questions.filter(({ result }) => result === 'unannounced');
  if (waiting)
    return {
      say: t('voting-admin.ballot_paper.voting_closed_announced_yet', { title: waiting.title }),
      action: {
        href: adminElectionPath(waiting.id, 'results-preview'),
        label: t('voting-admin.ballot_paper.look_result'),
      },
      other: voters,
    };
  const open = certified.find(({ openSeats }) => openSeats > 0);
  if (open)
    return {
      say: t('voting-admin.ballot_paper.voting_closed_seats_open_make', {
        seats: open.openSeats,
        title: open.title,
      }),
      action: {
        href: adminElectionPath(open.id, 'follow-up'),
        label: t('voting-admin.ballot_paper.new_follow_up'),
      },
      other: voters,
    };
  const [shown] = questions.filter(({ result, published }) => result === 'shown' && !published);
  if (shown)
    return {
      say: t('voting-admin.ballot_paper.voting_closed_look_each_result'),
      action: {
        href: adminElectionPath(shown.id, 'results-preview'),
        label: t('voting-admin.ballot_paper.look', { title: shown.title }),
      },
      other: voters,
    };
  return { say: t('voting-admin.ballot_paper.voting_closed'), action: voters };
}

function turnoutBoard({ election: { meeting }, turnout: { issued, used, invited } }: PaperPageProps): Html {
  // Cards of the pile count nowhere: each question says how many votes there are.
  const codes = meeting
    ? []
    : [
        { label: t('voting-admin.ballot_paper.codes_used'), value: formatNumber(used) },
        { label: t('voting-admin.ballot_paper.codes_made'), value: formatNumber(issued) },
      ];
  return html`<section class="turnout-board" aria-label="${t('voting-admin.ballot_paper.turnout')}">${statFigures(
    [...codes, { label: t('voting-admin.ballot_paper.invitations'), value: formatNumber(invited) }],
  )}</section>`;
}

/** The questions in their order, with the buttons that change it, and the ways to add one. */
function questionsSection(props: PaperPageProps): Section {
  const { election, questions, joinable } = props;
  const mayWrite = mayDo(props, 'elections:write');
  const moves = mayWrite && questions.length > 1 && questions.some(({ hasBallots }) => !hasBallots);
  const { at, errors } = formOf(props, 'questions');
  return {
    id: 'questions',
    title: t('voting-admin.ballot_paper.questions'),
    about: t('voting-admin.ballot_paper.voters_answer_order_each_own'),
    work: html`${
      questions.length > 0 &&
      table({
        caption: t('voting-admin.ballot_paper.questions'),
        quietCaption: true,
        columns: [
          { label: t('voting-admin.ballot_paper.question') },
          { label: t('voting-admin.ballot_paper.state') },
          { label: t('voting-admin.ballot_paper.answered'), number: true },
          ...(moves ? [{ label: t('voting-admin.ballot_paper.move'), quiet: true }] : []),
        ],
        rows: questions.map((question, at) => [
          html`<div>${at + 1}. <a class="link-alone" href="${adminElectionPath(question.id)}">${question.title}</a><br><span
class="small soft">${viewOf(question.ballot_type).name}${question.lacks && html`<br>${badge(t('voting-admin.ballot_paper.ready'), 'danger')} ${question.lacks}`}</span></div>`,
          html`<div>${statusBadge(question.published && question.status === 'closed' ? 'published' : question.status)}${
            question.status === 'closed' &&
            html`<br><span class="small"><a class="link-alone" href="${adminElectionPath(question.id, 'results-preview')}">${t(
              'voting-admin.ballot_paper.result',
              {
                hidden,
                title: question.title,
                result: question.result === 'shown' ? 'other' : question.result,
              },
            )}</a></span>`
          }</div>`,
          t('voting-admin.ballot_paper.of', { used: question.turnout.used, issued: question.turnout.issued }),
          ...(moves ? [html`<div class="row-actions">${moveForms(props, at)}</div>`] : []),
        ]),
      })
    }
${
  mayWrite &&
  election.status !== 'closed' &&
  html`<p class="toolbar"><a class="button button-quiet" href="${adminPath(election, 'questions/new')}">${t('voting-admin.ballot_paper.new_question')}</a></p>
${
  joinable.length > 0 &&
  disclosure(
    t('voting-admin.ballot_paper.take_election_exists'),
    html`<form method="post" action="${adminPath(election, 'questions')}">${selectField({
      ...at('election_id'),
      options: joinable.map(({ id, title }) => ({ value: id, label: title })),
    })}<button class="button button-quiet">${t('voting-admin.ballot_paper.add_last_question')}</button></form>`,
    errors.length > 0,
  )
}`
}`,
  };
}

/** The buttons that swap a question with its neighbours. A question with ballots keeps its place. */
function moveForms({ election, questions }: PaperPageProps, at: number): Html[] {
  const swap = (other: number, word: 'up' | 'other') => {
    const [one, two] = [questions[at], questions[other]];
    if (!one || !two || one.hasBallots || two.hasBallots) return null;
    const order = questions.map(({ id }, place) => (place === at ? two.id : place === other ? one.id : id));
    return html`<form method="post" action="${adminPath(election, 'questions/order?_method=PUT')}">${order.map(
      (id) => html`<input type="hidden" name="order" value="${id}">`,
    )}<button class="button button-quiet button-small">${t('voting-admin.ballot_paper.swap', { word, hidden, title: one.title })}</button></form>`;
  };
  return [swap(at - 1, 'up'), swap(at + 1, 'other')].filter((form) => form !== null);
}

function closePanel({ election, questions, turnout: { issued, used } }: PaperPageProps): Html {
  const open = questions.filter(({ status }) => status !== 'closed');
  if (open.length === 0)
    return notice('info', t('voting-admin.ballot_paper.voting_closed_every_question_already'));
  const left = issued - used;
  return confirmPanel({
    title: t('voting-admin.ballot_paper.close_questions_now', { open: open.length }),
    text:
      left > 0
        ? t('voting-admin.ballot_paper.voting_codes_used_people_voted', { used, issued, left })
        : t('voting-admin.ballot_paper.voting_codes_used_next_ballot', { used, issued }),
    action: adminPath(election, 'close'),
    button: t('voting-admin.ballot_paper.close_voting_now'),
  });
}

function deletionPanel(props: PaperPageProps): Html {
  const { questions, turnout } = props;
  const leavesTrace = questions.some(({ hasBallots }) => hasBallots);
  return deletePanel(props, {
    leavesTrace,
    text: html`${t('voting-admin.ballot_paper.also_deletes_questions_all_ballots', { strong, questions: questions.length, issued: turnout.issued, invited: turnout.invited })} ${
      leavesTrace
        ? t('voting-admin.ballot_paper.public_pages_questions_ballots_keep')
        : t('voting-admin.ballot_paper.audit_log_keeps_existed')
    }`,
  });
}
