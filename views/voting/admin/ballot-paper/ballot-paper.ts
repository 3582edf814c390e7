import { type Html, html } from '#kernel/html.ts';
import { confirmPanel, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
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
import { viewOf } from '#views/voting/ballot-types.ts';
import {
  adminElectionPath,
  adminPath,
  askPath,
  type OfMeeting,
  sectionPath,
  subPagePath,
} from '#views/voting/words.ts';
import type { PaperPageProps, PaperQuestion } from './props.ts';

/** The officers' page of a ballot paper: its questions, and the codes and invitations that they share. */
export function adminPaperPage(props: PaperPageProps): Html {
  const { election, questions } = props;
  const { meeting } = election;
  if (meeting) return meetingPaperPage(props, meeting);
  const hasBallots = questions.some((question) => question.hasBallots);
  const isClosed = election.status === 'closed';
  return issuerPage(props, {
    stage: stageOf(props),
    eyebrow: `Ballot paper, ${counted(questions.length, 'question')}`,
    ask: askPanel(props, { close: closePanel, delete: deletionPanel }),
    step: stepOf(props),
    turnout: turnoutBoard(props),
    facts: [['Questions', count(questions.length)]],
    links: html` ·
<a class="link-alone" href="/p/${election.id}/wall">For a wall</a>`,
    ballot: 'Title and text',
    sections: {
      questions: () => questionsSection(props),
      ending: () => paperEnding(props, isClosed),
      ...codesSections(props),
      text: () => textSection(props, hasBallots),
      dates: () =>
        datesSection(props, {
          action: `${adminPath(election)}?_method=PATCH`,
          hasBallots,
          about: 'They are those of every question that has not ended.',
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
    title: 'Settings of all questions',
    about: 'What one question decides for itself is on its own page.',
    action: `${adminPath(props.election)}?_method=PATCH`,
    button: 'Save them for all questions',
    stored: props.settings,
    fields: { part: 'shared', fixed: hasBallots, listFixed: hasBallots },
  });
};

const paperEnding = (props: PaperPageProps, isClosed: boolean): Section | null =>
  endingSection(props, isClosed ? 'Delete' : 'Close or delete', [
    !isClosed && {
      say: 'Close voting on every question before its time.',
      href: askPath(props.election, 'close'),
      label: 'Close …',
      needs: 'elections:certify',
    },
    {
      say: 'Delete the ballot paper with all its questions.',
      href: askPath(props.election, 'delete'),
      label: 'Delete …',
      needs: 'elections:certify',
    },
  ]);

const CLOSED = html`<p class="soft">Voting has closed. To open a question again, use the dates on its own page.</p>`;

/**
 * The same of a meeting. Its agenda says what is asked, its chair opens and closes, its door has the cards: what is left
 * are the links of members elsewhere.
 */
function meetingPaperPage(props: PaperPageProps, meeting: OfMeeting): Html {
  const { done, election, questions, viewer, page } = props;
  const { invitations, history } = { ...codesSections(props), ...historySections(props) };
  const sections: Sections = { ...(invitations && { invitations }), ...(history && { history }) };
  const other = page === 'history' ? 'mails' : 'history';
  const body = html`${problemSummary(props, 'ballot paper')}${doneNotice(done)}
${pageHeader({
  title: 'Members at home',
  eyebrow: html`Ballot paper, ${counted(questions.length, 'question')}`,
  lede: meeting.title,
  crumbs: crumbsTo(meeting),
})}
${subPages({
  label: MEETING_NAV,
  pages: meeting.pages,
  current: page === 'mails' ? sectionPath(election, 'invitations') : '',
  content: html`${unsentNotice(props)}
<p>Whoever cannot come gets a link of their own by mail. It votes on every question of the agenda that their class votes on.</p>
${sectionsOf(page, sections).map(pageSection)}${
  (other === 'mails' || history) &&
  html`<p><a class="link-alone" href="${subPagePath(election, other)}">${other === 'mails' ? 'Their links' : 'History of these links'}</a></p>`
}`,
})}`;
  return officerPage({
    title: `Members at home: ${meeting.title}`,
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
      say: 'There is nothing to vote on yet: add the first question.',
      action: { href: adminPath(election, 'questions/new'), label: 'New question' },
    };
  if (election.status === 'closed') return stepAfterClose(props, voters);
  const opening = election.status === 'open' ? 'Voting is open' : `Voting opens ${times.opens}`;
  if (lacking)
    return {
      say: `“${lacking.title}”: ${lacking.lacks}`,
      action: { href: sectionPath(lacking, 'candidates'), label: 'Add candidates' },
    };
  if (turnout.issued === 0 && mayDo(props, 'elections:run')) {
    const invite: Act = { href: sectionPath(election, 'invitations'), label: 'Invite people' };
    const make: Act = { href: sectionPath(election, 'tokens'), label: 'Make voting codes' };
    return {
      say: `${opening}, but nobody can vote yet. One code answers all questions: invite people by mail, or make codes for slips on paper.`,
      ...(props.mayInvite ? { action: invite, other: make } : { action: make }),
    };
  }
  if (election.status === 'open' && mayDo(props, 'elections:certify'))
    return {
      say: `Voting is open and closes ${times.closes}.`,
      action: voters,
      other: { href: askPath(election, 'close'), label: 'Close voting …' },
    };
  return {
    say: `Everything is ready. ${opening}.`,
    action: voters,
    ...(mayDo(props, 'elections:run') && {
      other: { href: sectionPath(election, 'invitations'), label: 'Invite more people' },
    }),
  };
}

function stepAfterClose(props: PaperPageProps, voters: Act): Step {
  const { questions } = props;
  const certified = mayDo(props, 'elections:certify') ? questions : [];
  const tied = certified.find(({ awaitsLot }) => awaitsLot);
  if (tied)
    return {
      say: `Voting has closed, and the count of “${tied.title}” waits: a lot must decide between equal votes.`,
      action: { href: adminElectionPath(tied.id, 'lot'), label: 'Draw the lot' },
      other: voters,
    };
  const [waiting] = questions.filter(({ result }) => result === 'unannounced');
  if (waiting)
    return {
      say: `Voting has closed. “${waiting.title}” is not announced yet.`,
      action: { href: adminElectionPath(waiting.id, 'results-preview'), label: 'Look at its result' },
      other: voters,
    };
  const open = certified.find(({ openSeats }) => openSeats > 0);
  if (open)
    return {
      say: `Voting has closed, and ${counted(open.openSeats, 'seat is', 'seats are')} open on “${open.title}”. Make a follow-up with the same electors.`,
      action: { href: adminElectionPath(open.id, 'follow-up'), label: 'New follow-up' },
      other: voters,
    };
  const [shown] = questions.filter(({ result, published }) => result === 'shown' && !published);
  if (shown)
    return {
      say: 'Voting has closed. Look at each result, then put it on the home page.',
      action: { href: adminElectionPath(shown.id, 'results-preview'), label: `Look at “${shown.title}”` },
      other: voters,
    };
  return { say: 'Voting has closed.', action: voters };
}

function turnoutBoard({ election: { meeting }, turnout: { issued, used, invited } }: PaperPageProps): Html {
  // Cards of the pile count nowhere: each question says how many votes there are.
  const codes = meeting
    ? []
    : [
        { label: 'Codes used', value: count(used) },
        { label: 'Codes made', value: count(issued) },
      ];
  return html`<section class="turnout-board" aria-label="Turnout">${statFigures([
    ...codes,
    { label: 'Invitations', value: count(invited) },
  ])}</section>`;
}

const RESULTS: Record<PaperQuestion['result'], string> = {
  open: 'after the close',
  hidden: 'hidden',
  unannounced: 'not announced yet',
  shown: 'shown',
  void: 'void',
};

/** The questions in their order, with the buttons that change it, and the ways to add one. */
function questionsSection(props: PaperPageProps): Section {
  const { election, questions, joinable } = props;
  const mayWrite = mayDo(props, 'elections:write');
  const moves = mayWrite && questions.length > 1 && questions.some(({ hasBallots }) => !hasBallots);
  const { at, errors } = formOf(props, 'questions');
  return {
    id: 'questions',
    title: 'Questions',
    about: 'Voters answer them in this order. Each has its own page, settings and result.',
    work: html`${
      questions.length > 0 &&
      table({
        caption: 'Questions',
        quietCaption: true,
        columns: [
          { label: 'Question' },
          { label: 'State' },
          { label: 'Answered', number: true },
          ...(moves ? [{ label: 'Move', quiet: true }] : []),
        ],
        rows: questions.map((question, at) => [
          html`<div>${at + 1}. <a class="link-alone" href="${adminElectionPath(question.id)}">${question.title}</a><br><span
class="small soft">${viewOf(question.ballot_type).name}${question.lacks && html`<br>${badge('Not ready', 'danger')} ${question.lacks}`}</span></div>`,
          html`<div>${statusBadge(question.published && question.status === 'closed' ? 'published' : question.status)}${
            question.status === 'closed' &&
            html`<br><span class="small"><a class="link-alone" href="${adminElectionPath(question.id, 'results-preview')}">Result<span
class="visually-hidden"> of ${question.title}</span>, ${RESULTS[question.result]}</a></span>`
          }</div>`,
          `${count(question.turnout.used)} of ${count(question.turnout.issued)}`,
          ...(moves ? [html`<div class="row-actions">${moveForms(props, at)}</div>`] : []),
        ]),
      })
    }
${
  mayWrite &&
  election.status !== 'closed' &&
  html`<p class="toolbar"><a class="button button-quiet" href="${adminPath(election, 'questions/new')}">New question</a></p>
${
  joinable.length > 0 &&
  disclosure(
    'Take in an election that exists',
    html`<form method="post" action="${adminPath(election, 'questions')}">${selectField({
      ...at('election_id'),
      options: joinable.map(({ id, title }) => ({ value: id, label: title })),
    })}<button class="button button-quiet">Add it as the last question</button></form>`,
    errors.length > 0,
  )
}`
}`,
  };
}

/** The buttons that swap a question with its neighbours. A question with ballots keeps its place. */
function moveForms({ election, questions }: PaperPageProps, at: number): Html[] {
  const swap = (other: number, word: string) => {
    const [one, two] = [questions[at], questions[other]];
    if (!one || !two || one.hasBallots || two.hasBallots) return null;
    const order = questions.map(({ id }, place) => (place === at ? two.id : place === other ? one.id : id));
    return html`<form method="post" action="${adminPath(election, 'questions/order?_method=PUT')}">${order.map(
      (id) => html`<input type="hidden" name="order" value="${id}">`,
    )}<button class="button button-quiet button-small">${word}<span class="visually-hidden">: ${one.title}</span></button></form>`;
  };
  return [swap(at - 1, 'Up'), swap(at + 1, 'Down')].filter((form) => form !== null);
}

function closePanel({ election, questions, turnout: { issued, used } }: PaperPageProps): Html {
  const open = questions.filter(({ status }) => status !== 'closed');
  if (open.length === 0) return notice('info', 'Voting has closed on every question already.');
  const left = issued - used;
  return confirmPanel({
    title: `Close ${counted(open.length, 'question')} now?`,
    text: `${count(used)} of ${counted(issued, 'voting code')} ${used === 1 ? 'was' : 'were'} used. ${
      left > 0
        ? `${counted(left, 'person has', 'people have')} not voted yet. They will no longer be able to.`
        : 'The next ballot is refused.'
    }`,
    action: adminPath(election, 'close'),
    button: 'Close voting now',
  });
}

function deletionPanel(props: PaperPageProps): Html {
  const { questions, turnout } = props;
  const leavesTrace = questions.some(({ hasBallots }) => hasBallots);
  return deletePanel(props, {
    leavesTrace,
    text: html`This also deletes <strong>${counted(questions.length, 'question')} with all ballots and results,
    ${counted(turnout.issued, 'voting code')} and ${counted(turnout.invited, 'invitation')}</strong>. Links that
    were handed out stop working. Nothing of it can be brought back. ${
      leavesTrace
        ? 'The public pages of questions with ballots keep the title, the dates, the turnout, who deleted them and why.'
        : 'The audit log keeps that it existed.'
    }`,
  });
}
