import { type Child, type Html, html } from '#kernel/html.ts';
import { copyField } from '#views/components/codes.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { confirmPanel, field, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { badge, stageLine, statusBadge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { batchPanel } from '#views/voting/admin/election/close-and-delete.ts';
import { historySection, sectionNav } from '#views/voting/admin/election/election.ts';
import { invitationsSection, unsentNotice } from '#views/voting/admin/election/invitations.ts';
import { problemOf, problemSummary, type SectionId } from '#views/voting/admin/election/props.ts';
import { settingsFields } from '#views/voting/admin/election/settings-fields.ts';
import { tokensSection } from '#views/voting/admin/election/tokens-and-results.ts';
import { clockNotice, lockedUnless, mayDo, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { adminElectionPath, adminPath } from '#views/voting/words.ts';
import type { PaperAsk, PaperPageProps, PaperQuestion } from './props.ts';

/** The officers' page of a ballot paper: its questions, and the codes and invitations that they share. */
export function adminPaperPage(props: PaperPageProps): Html {
  const { election, problem, done, doneAt, questions, viewer } = props;
  if (props.meeting) return meetingPaperPage(props, props.meeting);
  const { title } = election;
  const said = (id: SectionId) => (done !== undefined && doneAt === id ? doneNotice(done) : null);
  const stage = stageOf(props);
  const body = html`${props.clockJumped && clockNotice()}${problemSummary(props)}
${done !== undefined && doneAt === undefined && doneNotice(done)}
${pageHeader({
  title,
  eyebrow: html`${statusBadge(stage)} Ballot paper, ${counted(questions.length, 'question')}`,
  crumbs: [{ href: '/admin', label: 'Elections' }],
})}
${stageLine(stage, { open: props.times.opens, closed: props.times.ends })}
${unsentNotice(props)}
${askPanel(props)}
<div class="columns"><div class="stack">${nextStep(props)}${turnoutBoard(props)}</div>${facts(props)}</div>
${sectionLinks(props)}
${questionsSection(props, said('questions'))}
${tokensSection(props, said('tokens'))}
${invitationsSection(props, said('invitations'))}
${textSection(props, said('text'))}
${datesSection(props, said('dates'))}
${settingsSection(props, said('settings'))}
${historySection(props)}
${endingSection(props, said('ending'))}`;
  const heading = problem === undefined ? title : `Please check: ${title}`;
  return officerPage({ title: heading, body, nav: '/admin', viewer, scripts: ['admin/invitations.js'] });
}

/**
 * The same of a meeting. Its agenda says what is asked, its chair opens and closes, its door has the cards: what is left
 * are the links of members elsewhere.
 */
function meetingPaperPage(props: PaperPageProps, meeting: { id: string; title: string }): Html {
  const { problem, done, questions, viewer } = props;
  const body = html`${problemSummary(props)}${done !== undefined && doneNotice(done)}
${pageHeader({
  title: 'Links for members elsewhere',
  eyebrow: html`Ballot paper, ${counted(questions.length, 'question')}`,
  lede: meeting.title,
  crumbs: [
    { href: '/admin/meetings', label: 'Meetings' },
    { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
  ],
})}
${unsentNotice(props)}
<p>Whoever cannot come gets a link of their own by mail. It votes on every question of the agenda that their class votes on.</p>
${invitationsSection(props, null)}
${historySection(props)}`;
  const heading = problem === undefined ? meeting.title : `Please check: ${meeting.title}`;
  return officerPage({
    title: heading,
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: ['admin/invitations.js'],
  });
}

const doneNotice = (done: string): Html => html`<div role="status">${notice('success', done)}</div>`;

function stageOf({ election, questions, turnout }: PaperPageProps) {
  const { status } = election;
  if (status === 'closed')
    return questions.length > 0 && questions.every(({ published }) => published) ? 'published' : 'closed';
  const isReady = turnout.issued > 0 && questions.length > 0 && questions.every(({ lacks }) => !lacks);
  return status === 'scheduled' && !isReady ? 'draft' : status;
}

interface Act {
  href: string;
  label: string;
}

function sectionLinks(props: PaperPageProps): Html {
  const links: [href: SectionId, label: string][] = [
    ['questions', 'Questions'],
    ['tokens', 'Voting codes'],
    ['invitations', 'Invitations'],
    ['text', 'Title and description'],
    ['dates', 'Dates'],
    ['settings', 'Settings'],
    ...(props.history ? [['history', 'History'] as [SectionId, string]] : []),
    ...(mayDo(props, 'elections:certify')
      ? [['ending', props.election.status === 'closed' ? 'Delete' : 'Close or delete'] as [SectionId, string]]
      : []),
  ];
  return sectionNav(links);
}

/** What an officer does next, in a sentence with the page’s one filled button. */
function nextStep(props: PaperPageProps): Html {
  const { say, action, other } = stepOf(props);
  // While the page asks for a confirmation, the filled button is not this one.
  const filled = props.ask ? 'button button-quiet' : 'button';
  return html`<section class="card next-step" aria-labelledby="next-title"><h2 id="next-title">Next</h2>
<p>${say}</p><p class="toolbar"><a class="${filled}" href="${action.href}">${action.label}</a>
${other && html`<a class="button button-quiet" href="${other.href}">${other.label}</a>`}</p></section>`;
}

function stepOf(props: PaperPageProps): { say: string; action: Act; other?: Act } {
  const { election, questions, turnout, times, invitations } = props;
  const voters: Act = { href: `/p/${election.id}`, label: 'See the voters’ page' };
  const [lacking] = questions.filter(({ lacks }) => lacks);
  if (questions.length === 0 && mayDo(props, 'elections:write'))
    return {
      say: 'There is nothing to vote on yet: add the first question.',
      action: { href: adminPath(election, 'questions/new'), label: 'Add a question' },
    };
  if (election.status === 'closed') return stepAfterClose(props, voters);
  const opening = election.status === 'open' ? 'Voting is open' : `Voting opens ${times.opens}`;
  if (lacking)
    return {
      say: `“${lacking.title}”: ${lacking.lacks}`,
      action: { href: `${adminElectionPath(lacking.id)}#candidates`, label: 'Add candidates' },
    };
  if (turnout.issued === 0 && mayDo(props, 'elections:run')) {
    const invite: Act = { href: '#invitations', label: 'Invite people' };
    const make: Act = { href: '#tokens', label: 'Make voting codes' };
    return {
      say: `${opening}, but nobody can vote yet. One code answers all questions: invite people by mail, or make codes for slips on paper.`,
      ...(invitations?.mailReady ? { action: invite, other: make } : { action: make }),
    };
  }
  if (election.status === 'open' && mayDo(props, 'elections:certify'))
    return {
      say: `Voting is open and closes ${times.closes}.`,
      action: voters,
      other: { href: `${adminPath(election)}?ask=close#ask`, label: 'Close voting …' },
    };
  return {
    say: `Everything is ready. ${opening}.`,
    action: voters,
    ...(mayDo(props, 'elections:run') && { other: { href: '#invitations', label: 'Invite more people' } }),
  };
}

function stepAfterClose(props: PaperPageProps, voters: Act) {
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
      action: { href: adminElectionPath(open.id, 'follow-up'), label: 'Make a follow-up' },
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

function turnoutBoard({ meeting, turnout: { issued, used, invited } }: PaperPageProps): Html {
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

function facts({ election, times, publicUrl, questions }: PaperPageProps): Html {
  const rows: (readonly [string, Child])[] = [
    [election.status === 'scheduled' ? 'Opens' : 'Opened', times.opens],
    [election.status === 'closed' ? 'Closed' : 'Closes', times.ends],
    ['All times', times.zoneInFull],
    ['Questions', count(questions.length)],
  ];
  return html`<section aria-label="Facts">${definitionList(rows)}
<p class="label"><a class="link-alone" href="/p/${election.id}">The voters’ page</a> ·
<a class="link-alone" href="/p/${election.id}/wall">For a wall</a></p>
${copyField({ id: 'public-url', value: publicUrl, label: 'the address of the voters’ page' })}</section>`;
}

const RESULTS: Record<PaperQuestion['result'], string> = {
  open: 'after the close',
  hidden: 'hidden',
  unannounced: 'not announced yet',
  shown: 'shown',
  void: 'void',
};

/** The questions in their order, with the buttons that change it, and the ways to add one. */
function questionsSection(props: PaperPageProps, said: Html | null): Html {
  const { election, questions, joinable } = props;
  const mayWrite = mayDo(props, 'elections:write');
  const moves = mayWrite && questions.length > 1 && questions.some(({ hasBallots }) => !hasBallots);
  const { errors } = problemOf(props, 'questions');
  return pageSection({
    id: 'questions',
    title: 'Questions',
    about: 'Voters answer them in this order. Each has its own page, settings and result.',
    work: html`${said}${
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
  html`<p class="toolbar"><a class="button button-quiet" href="${adminPath(election, 'questions/new')}">Add a question</a></p>
${
  joinable.length > 0 &&
  disclosure(
    'Take in an election that exists',
    html`<form method="post" action="${adminPath(election, 'questions')}">${selectField({
      name: 'election_id',
      id: 'questions-election_id',
      label: 'Election',
      hint: 'It keeps its page, and from now on the codes of this ballot paper are valid for it.',
      options: joinable.map(({ id, title }) => ({ value: id, label: title })),
      error: errorAt(errors, 'election_id'),
    })}<button class="button button-quiet">Add it as the last question</button></form>`,
    errors.length > 0,
  )
}`
}`,
  });
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

function textSection(props: PaperPageProps, said: Html | null): Html {
  const { election, questions } = props;
  const { errors, entered = { title: election.title, description: election.description ?? '' } } = problemOf(
    props,
    'wording',
  );
  const fixed = questions.some(({ hasBallots }) => hasBallots);
  const at = (name: string) => ({
    name,
    id: `wording-${name}`,
    value: enteredText(entered, name),
    error: errorAt(errors, name),
  });
  return pageSection({
    id: 'text',
    title: 'Title and description',
    work: html`${said}${
      fixed
        ? html`<p class="soft">Ballots are in, so title and description are fixed.</p>`
        : lockedUnless(
            props,
            'elections:write',
            html`<form method="post" action="${adminPath(election)}?_method=PATCH">
${field({ ...at('title'), label: 'Title', maxlength: 500 })}
${field({ ...at('description'), label: 'Description', optional: true, rows: 4, maxlength: 5_000 })}
<button class="button button-quiet">Save title and description</button></form>`,
          )
    }`,
  });
}

function datesSection(props: PaperPageProps, said: Html | null): Html {
  const { election, times } = props;
  const { errors, entered } = problemOf(props, 'dates');
  const asksPause = props.problem?.form === 'dates' && errors.length === 0 && election.status === 'open';
  const time = (name: string, label: string, value: string) =>
    field({
      name,
      id: `dates-${name}`,
      label,
      type: 'datetime-local',
      value: enteredText(entered ?? {}, name, value),
      error: errorAt(errors, name),
    });
  const form = html`<form method="post" action="${adminPath(election)}?_method=PATCH">
<div class="field-row">${time('open_at', 'Opens', times.opensInput)}${time('close_at', 'Closes', times.closesInput)}</div>
${
  asksPause &&
  html`<p><label class="tick"><input type="checkbox" name="pause" value="true" id="dates-pause"> Pause voting: the
ballots that are in stay in, and voters read until when.</label></p>`
}<button class="button button-quiet">Save the dates</button></form>`;
  return pageSection({
    id: 'dates',
    title: 'Dates',
    about: `All times are ${times.zone}. They are those of every question that has not ended.`,
    work: html`${said}${
      election.status === 'closed'
        ? html`<p class="soft">Voting has closed. To open a question again, use the dates on its own page.</p>`
        : lockedUnless(props, 'elections:write', form)
    }`,
  });
}

function settingsSection(props: PaperPageProps, said: Html | null): Html {
  const { election, settings, questions } = props;
  const { errors, entered } = problemOf(props, 'settings');
  const fixed = questions.some(({ hasBallots }) => hasBallots);
  // Then nothing is left to fold.
  const isOver = fixed && election.status === 'closed';
  return pageSection({
    id: 'settings',
    title: 'Settings of all questions',
    about: 'What one question decides for itself is on its own page.',
    work: html`${said}${lockedUnless(
      props,
      'elections:write',
      html`<form method="post" action="${adminPath(election)}?_method=PATCH">
${settingsFields({ prefix: 'settings-', entered: entered ?? { settings }, errors, part: 'shared', folds: !isOver, fixed, listFixed: fixed, closed: election.status === 'closed' })}
<button class="button button-quiet">Save them for all questions</button></form>`,
    )}`,
  });
}

function endingSection(props: PaperPageProps, said: Html | null): Html | null {
  const { election } = props;
  if (!mayDo(props, 'elections:certify')) return null;
  const ask = (kind: string) => `${adminPath(election)}?ask=${kind}#ask`;
  return pageSection({
    id: 'ending',
    title: election.status === 'closed' ? 'Delete' : 'Close or delete',
    about: 'You see what will be deleted, and confirm it.',
    work: html`${said}<ul class="action-list" role="list">
${
  election.status !== 'closed' &&
  html`<li><p>Close voting on every question before its time.</p>
<a class="button button-danger-quiet" href="${ask('close')}">Close …</a></li>`
}
<li><p>Delete the ballot paper with all its questions.</p>
<a class="button button-danger-quiet" href="${ask('delete')}">Delete …</a></li></ul>`,
  });
}

/** The panel that confirms a destructive act: what is lost, in numbers, and a link to cancel. */
function askPanel(props: PaperPageProps): Html | null {
  const { election } = props;
  const ask = props.ask ?? askAgain(props);
  if (ask === undefined || !mayDo(props, ask.kind === 'batch' ? 'elections:run' : 'elections:certify'))
    return null;
  const panel =
    ask.kind === 'batch'
      ? batchPanel(props, ask.batch_name)
      : ask.kind === 'close'
        ? closePanel(props)
        : deletePanel(props);
  return html`<section id="ask" class="ask" aria-labelledby="ask-title">
  <h2 class="visually-hidden" id="ask-title">Please confirm</h2>${panel}
<p><a class="button button-quiet" href="${adminPath(election)}">No, leave everything as it is</a></p></section>`;
}

/** Asks again after the confirmation was refused. */
function askAgain({ problem }: PaperPageProps): PaperAsk | undefined {
  if (problem?.form === 'batches')
    return { kind: 'batch', batch_name: enteredText(problem.entered, 'batch_name') || null };
  return problem?.form === 'close' || problem?.form === 'delete' ? { kind: problem.form } : undefined;
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

function deletePanel(props: PaperPageProps): Html {
  const { election, questions, turnout } = props;
  const { errors, entered } = problemOf(props, 'delete');
  const withBallots = questions.filter(({ hasBallots }) => hasBallots).length;
  return confirmPanel({
    title: 'Delete this ballot paper?',
    text: html`This also deletes <strong>${counted(questions.length, 'question')} with all ballots and results,
    ${counted(turnout.issued, 'voting code')} and ${counted(turnout.invited, 'invitation')}</strong>. Links that
    were handed out stop working. Nothing of it can be brought back. ${
      withBallots > 0
        ? 'The public pages of questions with ballots keep the title, the dates, the turnout, who deleted them and why.'
        : 'The audit log keeps that it existed.'
    }`,
    action: `${adminPath(election)}?_method=DELETE`,
    button: 'Delete the ballot paper',
    fields: field({
      name: 'reason',
      label: 'Reason',
      optional: true,
      maxlength: 300,
      hint: withBallots > 0 ? 'Everybody can read it.' : 'Officers can read it in the audit log.',
      value: enteredText(entered ?? {}, 'reason'),
      error: errorAt(errors, 'reason'),
    }),
    typed: { name: 'confirm', word: election.title, error: errorAt(errors, 'confirm') },
  });
}
