import { type Html, html } from '#kernel/html.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { itemBars, itemOutcome, itemRule, voidOf } from '#views/meetings/outcome.ts';
import { timeLeft } from '#views/meetings/wall.ts';
import {
  hasValidResult,
  itemBadge,
  meetingBadge,
  meetingSectionPath,
  proposers,
  reasons,
  votersSentence,
  wording,
} from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, officerPage } from '#views/voting/admin/frame.ts';
import { barDrawing } from '#views/voting/bars.ts';
import { differenceText, disagreement } from '#views/voting/results/results.ts';
import type { FollowUpKind } from '#voting/elections/elections.ts';
import type { SeatsResult } from '#voting/shared/seats.ts';
import { questionSummary } from './agenda.ts';
import { answersForm } from './answers.ts';
import {
  actAddress,
  agenda,
  type ChairProps,
  kept,
  motionForm,
  speakersPart,
  tvs,
  wasRefused,
} from './chair-side.ts';

/** Fewer votes than these tell who voted how. */
const FEW = 5;

/** What the chair can choose; requests may name any number of seconds from 30 to 3,600. */
const TIMERS = [
  [30, '30 seconds'],
  [60, '1 minute'],
  [120, '2 minutes'],
  [300, '5 minutes'],
  [900, '15 minutes'],
  [3_600, '1 hour'],
] as const;

/** The item that is discussed with the one sensible button, what else can be done with it, the agenda, the speakers. */
export function chairPage(props: ChairProps): Html {
  const { meeting, done, refused, viewer } = props;
  const { quorum, present, remote_present } = meeting;
  const body = html`<div data-follow="/m/${meeting.id}/stream" data-page="/admin/meetings/${meeting.id}/chair">${done && html`<div role="status">${notice('success', done)}</div>`}${
    refused && notice('danger', refused.message, 'Nothing was changed')
  }${disagreement((props.differences ?? []).map(differenceText))}
${pageHeader({
  title: meeting.title,
  eyebrow: meetingBadge(meeting.state),
  lede: `${counted(present, 'member')} present${
    meeting.without_card > 0 ? ` (${count(meeting.without_card)} wait for a card)` : ''
  }${remote_present > 0 ? ` and ${count(remote_present)} elsewhere, by their link` : ''}${
    quorum.needed === 0 ? '' : `, quorum of ${quorum.needed} ${quorum.met ? 'met' : 'not met'}`
  }${meeting.door_closed && meeting.cards_too_many > 0 ? `, ${counted(meeting.cards_too_many, 'valid card')} not accounted for` : ''}`,
  crumbs: [
    { href: '/admin/meetings', label: 'Meetings' },
    { href: `/admin/meetings/${meeting.id}`, label: 'This meeting' },
  ],
  actions: html`<a class="button button-quiet" href="/admin/meetings/${meeting.id}/door">The door</a>
<a class="button button-quiet" href="${props.wall}" target="_blank" rel="noopener">The wall<span class="visually-hidden"> (a new window)</span></a>
${meeting.state !== 'closed' && tvs(props)}`,
})}
<div class="columns"><div>${meeting.state === 'closed' ? ended(props) : leading(props)}</div>
<div class="room-side">${agenda(props)}${meeting.state !== 'closed' && props.current && speakersPart(props)}</div></div></div>`;
  return officerPage({
    title: `Chair: ${meeting.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: ['meetings/follow.js'],
    head: stylesheets('meetings/meetings.css'),
  });
}

/** A meeting that is over; results that were not announced still can be, and each can be made void. */
const ended = (props: ChairProps): Html =>
  html`${notice('info', html`<a href="/admin/meetings/${props.meeting.id}/minutes">Write and sign the minutes</a>`, 'The meeting is closed')}${props.items
    .filter(({ state }) => state === 'closed' || state === 'declared')
    .map(
      (item) =>
        html`<section class="card"><h2>${item.title}</h2>${
          item.state === 'closed' ? announcing(props, item) : html`${said(item)}${voidAsked(props, item)}`
        }${further(props, item)}</section>`,
    )}`;

function leading(props: ChairProps): Html {
  const { current } = props;
  if (!current)
    return html`<section class="card room-now"><h2>The meeting has not begun</h2>${
      props.items.length > 0
        ? nextButton(props)
        : html`<p>Nothing is on the agenda yet. <a class="link-alone" href="/admin/meetings/${props.meeting.id}">Write it</a>, or put a motion to the vote.</p>`
    }</section>${mayDo(props, 'elections:run') && motionForm(props)}`;
  const { kind, number, title } = current;
  return html`<section class="card room-now" aria-labelledby="now"><p class="eyebrow">Now ${itemBadge(current)}</p>
<h2 id="now">${number}. ${title}</h2>${wording(current)}${reasons(current)}${proposers(current)}
${isAsked(current) && props.asked && html`<p class="small">${questionSummary(props.asked)}</p>`}${acts(props, current)}</section>
${kind !== 'text' && further(props, current)}
${mayDo(props, 'elections:run') && motionForm(props)}`;
}

/** Whether the vote on an item is still to come, or under way: then the chair reads what is asked and what it needs. */
const isAsked = ({ state }: ItemWithResult): boolean => state === 'prepared' || state === 'open';

/** The one sensible act of each state. */
function acts(props: ChairProps, item: ItemWithResult): Html {
  switch (item.state) {
    case 'prepared':
      return item.election_id === null ? html`${nextButton(props)}` : opening(props, item);
    case 'open':
      return isOpen(props, item);
    case 'closed':
      return announcing(props, item);
    case 'declared':
      return html`${said(item)}${voidAsked(props, item)}${answers(props, item)}${item.paper && papersLink(props, item)}${nextButton(props)}`;
    case 'void':
      return html`<p>${voidOf(item.void)}</p>${followUp(props, item, 'repeat', 'Repeat with the same cards', 'chair-act')}${nextButton(props, 'button-quiet')}`;
  }
}

function opening(props: ChairProps, item: ItemWithResult): Html {
  const { meeting, voters, countsPresent } = props;
  const total = voters?.total ?? 0;
  const few = total < FEW && !countsPresent;
  const { quorum, without_card } = meeting;
  const hasPile = Object.values(meeting.cards).some(({ pile, printed }) => printed > 0 && pile !== null);
  return html`${voters && total > 0 && html`<p>Can be cast: ${votersSentence(voters)}.</p>`}${
    without_card > 0 &&
    notice(
      'attention',
      html`<a href="/admin/meetings/${meeting.id}/door">The door</a> hands out what they wait for. On what is open then they vote with the others.`,
      `${counted(without_card, 'person waits', 'people wait')} for a card`,
    )
  }${
    few &&
    notice(
      'attention',
      `${counted(total, 'vote')} on it. The result of so few can show how each of them voted.`,
      'The vote will hardly be secret',
    )
  }${
    !quorum.met &&
    notice(
      'attention',
      'A vote without the quorum does not count, unless enough people come while it is open.',
      'No quorum',
    )
  }<form class="room-act" method="post" action="${actAddress(meeting.id, item, 'open')}">
<button class="button chair-act">${few ? 'Open voting anyway' : 'Open voting'}</button>
${
  countsPresent &&
  hasPile &&
  kept(props, {
    name: 'present',
    id: 'open-present',
    label: 'Votes in the room',
    hint: 'The door has checked nobody in: count them.',
    type: 'number',
    min: 1,
    short: true,
  })
}<label class="small" for="seconds">It closes <select class="input input-short" id="seconds" name="seconds"><option value="">when I close it</option>
${TIMERS.map(([seconds, words]) => html`<option value="${seconds}">after ${words}</option>`)}</select></label></form>${nextButton(props, 'button-quiet')}`;
}

function isOpen(props: ChairProps, item: ItemWithResult): Html {
  const { meeting, question, voters, now } = props;
  const form = (name: string, button: string, look: string, seconds?: number) =>
    html`<form method="post" action="${actAddress(meeting.id, item, name)}">${
      seconds !== undefined && html`<input type="hidden" name="seconds" value="${seconds}">`
    }<button class="button ${look}">${button}</button></form>`;
  // Without a timer it would begin one.
  const longer = item.closes_at !== null && form('extend', '1 more minute', 'button-quiet', 60);
  const total = voters?.total ?? 0;
  return html`${alarmNotice(item)}<p class="room-turnout"><strong>${question?.voted ?? 0}</strong> of ${counted(total, 'vote')} cast${
    item.closes_at !== null && html`. Closing in ${timeLeft(item.closes_at, now)}`
  }</p>
${total > 0 && barDrawing((question?.voted ?? 0) / total, true)}
${voters && html`<p class="small soft">Can be cast: ${votersSentence(voters)}.</p>`}${
  !meeting.quorum.met &&
  notice('attention', 'The vote does not count unless enough people come while it is open.', 'No quorum')
}
<noscript><p><a class="link-alone" href="/admin/meetings/${meeting.id}/chair">Look again how many have voted</a></p></noscript>
${item.paper && html`<p>${counted(item.paper.handed_out, 'paper was', 'papers were')} handed out.</p>`}${papersLink(props, item)}
${
  mayDo(props, 'elections:certify')
    ? html`${form('close', 'Close voting', 'chair-act')}<div class="toolbar">${form(
        'close',
        'Close in 30 s',
        'button-quiet',
        30,
      )}${longer}${
        question?.voted === 0 && !item.paper && form('take-back', 'Take the opening back', 'button-quiet')
      }</div>`
    : longer
}`;
}

/** The outcome, every figure that is read out, and the rule. */
function said(item: ItemWithResult): Html {
  const drawn = itemBars(item);
  return html`<p class="said">${itemOutcome(item)}</p>${
    drawn && html`<p>${drawn.bars.map(({ label, votes }) => `${label} ${count(votes)}`).join(', ')}.</p>`
  }<p class="small soft">${itemRule(item)}</p>`;
}

function announcing(props: ChairProps, item: ItemWithResult): Html {
  if (!mayDo(props, 'elections:certify')) return html`<p>Voting is closed. The result will be announced.</p>`;
  return html`${item.papers_awaited ? awaiting(item.papers_awaited) : said(item)}${alarmNotice(item)}${missing(props)}${voidAsked(props, item)}${papersLeft(props, item)}<p class="small soft">Nobody else sees this before you announce it.</p>${
    lotOf(item) !== undefined && lotLink(item, lotOf(item) === 'awaited' ? '' : ' button-quiet')
  }${lotOf(item) !== 'awaited' && announceForm(props, item)}`;
}

const lotLink = ({ election_id }: ItemWithResult, look: string): Html =>
  html`<p><a class="button${look} chair-act" href="/admin/elections/${election_id}/lot">Draw the lot</a></p>`;

/** In the place of the figures, which nobody sees before the papers are counted. */
const awaiting = ({ out, joined }: NonNullable<ItemWithResult['papers_awaited']>): Html =>
  html`<p class="said">Voting is closed. ${count(joined)} of ${counted(out, 'paper is', 'papers are')} counted.</p>
<p class="small soft">Nobody sees figures before the number in the box is noted and as many papers have joined.</p>`;

/** More votes than the door has counted: as soon as it is so, because only an open vote can be stopped by one person. */
const alarmNotice = ({ alarm }: ItemWithResult): Html | undefined =>
  alarm &&
  notice(
    'danger',
    `${counted(alarm.votes, 'vote')}, but the door counted ${count(alarm.voters)}. Find out why before you announce a result; while voting is open you can stop it as void.`,
    'More votes than the door has counted',
  );

/** Doors without network count until the announcement. */
const missing = ({ missingDoors }: ChairProps): Html | null =>
  missingDoors.length === 0
    ? null
    : html`${missingDoors.map(({ letters, silent, waiting }) =>
        notice(
          'attention',
          `${letters === null ? 'A door' : `The door ${letters}`} ${
            waiting > 0
              ? `has ${counted(waiting, 'press', 'presses')} to send.`
              : `was not heard for ${silent < 120 ? `${silent} s` : `${Math.round(silent / 60)} min`}.`
          } Whoever it has checked in counts once it has sent them, until you announce the result.`,
          'The presses of a door may be missing',
        ),
      )}`;

/** Whether the count waits for a lot, or a lot can decide a tie; undefined without either. */
function lotOf({ result }: ItemWithResult): 'awaited' | 'possible' | undefined {
  if (!result || !('results' in result)) return undefined;
  const { awaiting_lot, tied_for_last = [] } = result.results as Partial<SeatsResult>;
  if (awaiting_lot !== undefined) return 'awaited';
  return tied_for_last.length > 0 ? 'possible' : undefined;
}

const announceForm = (props: ChairProps, item: ItemWithResult): Html =>
  html`<form method="post" action="${actAddress(props.meeting.id, item, 'declare')}">${
    (item.alarm || item.paper_alarm || item.papers_awaited) &&
    kept(props, {
      name: 'note',
      label: item.papers_awaited ? 'Why no more papers come' : 'Why this does not change the result',
      rows: 2,
      value: item.paper?.no_more,
    })
  }${
    item.papers_awaited
      ? html`<button class="button button-quiet">No more papers come: show me the figures</button>`
      : html`<button class="button chair-act">Announce the result</button>${
          lotOf(item) === 'possible' &&
          props.meeting.state !== 'closed' &&
          html`<p><button class="button button-quiet" name="again" value="true">Announce the tie and vote again</button>
<span class="small soft">The same cards vote again on the open seats.</span></p>`
        }`
  }</form>`;

const voidAsked = ({ person }: ChairProps, { void_asked }: ItemWithResult): Html | undefined =>
  void_asked &&
  notice(
    'attention',
    html`${void_asked.reason}. ${
      void_asked.person === person
        ? html`Somebody else who may announce results confirms it on this page of their own device. Until then nothing is
changed. <a href="/admin/approvals">Take it back</a>`
        : 'It is confirmed below. Until then nothing is changed.'
    }`,
    void_asked.person === person ? 'You asked to make it void' : `${void_asked.by} asks to make it void`,
  );

const papersLink = ({ meeting }: ChairProps, item: ItemWithResult): Html =>
  html`<p><a class="link-alone" href="/admin/meetings/${meeting.id}/items/${item.id}/papers">Ballots on paper</a></p>`;

/** What is to be done with papers before the result is announced. */
function papersLeft(props: ChairProps, item: ItemWithResult): Html {
  const { paper_alarm: alarm, batches_open = 0 } = item;
  return html`${
    batches_open > 0 &&
    notice(
      'attention',
      `${counted(batches_open, 'batch', 'batches')} of papers ${batches_open === 1 ? 'has' : 'have'} not joined the other ballots.`,
      'Papers are not counted yet',
    )
  }${
    alarm &&
    notice(
      'danger',
      `${counted(alarm.papers, 'paper')}, but ${counted(alarm.handed_out, 'was', 'were')} handed out.`,
      'More papers than were handed out',
    )
  }${item.way === 'ballots' && papersLink(props, item)}`;
}

/** Whether those who are elected accept, asked after the announcement. */
function answers(props: ChairProps, item: ItemWithResult): Html {
  const { elected = [] } = item;
  return html`${elected
    .filter(({ accepts }) => accepts !== null)
    .map(
      ({ name, accepts }) => html`<p class="small">${name} ${accepts ? 'accepts' : 'does not accept'}.</p>`,
    )}${
    mayDo(props, 'elections:certify') && answersForm(props.meeting.id, item)
  }${followUps(props, item)}${lotOf(item) === 'possible' && props.next.some(isOnSeats) && lotLink(item, ' button-quiet')}`;
}

const isOnSeats = ({ kind }: { kind: FollowUpKind }): boolean => kind !== 'repeat';

/**
 * The votes that can follow on open seats, each with one press; the first one stands out. A vote without a valid result
 * is held again as it was.
 */
const followUps = (props: ChairProps, item: ItemWithResult): Html =>
  html`${
    !hasValidResult(item) &&
    !props.next.some(isOnSeats) &&
    followUp(props, item, 'repeat', 'Vote again with the same cards', 'chair-act')
  }${props.next
    .filter(isOnSeats)
    .map(
      ({ kind, names, seats }, at) =>
        html`<p>${followUp(
          props,
          item,
          kind,
          `Vote again${seats === null ? '' : ` on ${counted(seats, 'open seat')}`}`,
          at === 0 ? 'chair-act' : 'button-quiet',
        )}<span class="small soft">${listed(names)}</span></p>`,
    )}`;

/** One press: the same vote, or one on the seats that are left, stands behind the item for the same cards. */
const followUp = (
  props: ChairProps,
  { election_id }: ItemWithResult,
  kind: FollowUpKind,
  label: string,
  look: string,
): Html | false =>
  props.next.some((one) => one.kind === kind) &&
  html`<form method="post" action="/admin/elections/${election_id}/follow-up">${hiddenInputs({ kind })}<button class="button ${look}">${label}</button></form>`;

function nextButton({ meeting, items, current }: ChairProps, look = 'chair-act'): Html {
  const at = current ? items.findIndex(({ id }) => id === current.id) : -1;
  const next = items[at + 1];
  if (!next)
    return html`<p>This is the last item. <a class="link-alone" href="${meetingSectionPath(meeting.id, 'end')}">End the meeting</a></p>`;
  return html`<form method="post" action="${actAddress(meeting.id, next, 'call')}">
<button class="button ${look}">${current ? 'Next' : 'Begin'}: ${next.number}. ${next.title}</button></form>`;
}

/** What is done more rarely: hands, no opposition, void. */
function further(props: ChairProps, item: ItemWithResult): Html | null {
  if (!mayDo(props, 'elections:certify')) return null;
  const { meeting } = props;
  const isPrepared = item.state === 'prepared' && item.election_id !== null;
  return html`${
    isPrepared &&
    disclosure(
      'Show of hands, or nobody against',
      html`${
        item.kind === 'motion' && html`<h3>Show of hands</h3>${handsForm(props, item)}`
      }<h3>Nobody is against it</h3><form method="post" action="${actAddress(meeting.id, item, 'unopposed')}"><button class="button button-quiet">${
        item.kind === 'motion' ? 'Carried without opposition' : 'As many stand as there are seats: elected'
      }</button></form>`,
      wasRefused(props, 'yes'),
    )
  }${
    meeting.state !== 'closed' &&
    item.state === 'closed' &&
    item.way === 'hands' &&
    disclosure('Correct the count', handsForm(props, item), wasRefused(props, 'yes'))
  }${
    (item.state === 'open' || item.state === 'closed' || item.state === 'declared') &&
    (item.void_asked === undefined || item.void_asked.person !== props.person) &&
    disclosure(
      'Declare this vote void',
      html`<form class="confirm" method="post" action="${actAddress(meeting.id, item, 'void')}"><p>${
        item.state === 'open'
          ? 'Voting ends, and nothing is counted.'
          : 'A second person has to confirm it. Then the figures are published with the reason.'
      }</p>${
        item.void_asked
          ? hiddenInputs({ reason: item.void_asked.reason })
          : kept(props, { name: 'reason', label: 'The reason, which is published' })
      }<button class="button button-danger">${
        item.void_asked ? 'Confirm that it is void' : 'Make the vote void'
      }</button></form>`,
      item.void_asked !== undefined || wasRefused(props, 'reason'),
    )
  }${
    item.state === 'declared' &&
    (hasValidResult(item) || props.next.some(isOnSeats)) &&
    props.next.some(({ kind }) => kind === 'repeat') &&
    disclosure(
      'Repeat the whole vote',
      html`<p>${item.kind === 'election' ? 'The same candidates again, for all seats.' : 'The same question again.'} This result stays until you declare it void.</p>${followUp(props, item, 'repeat', 'Repeat with the same cards', 'button-quiet')}`,
    )
  }`;
}

/** The numbers of a show of hands; those that are entered can be corrected until the announcement. */
function handsForm(props: ChairProps, item: ItemWithResult): Html {
  const { result } = item;
  const before =
    result?.results_mode === 'hands' ? { ...result.results, invalid: result.invalid } : undefined;
  const number = (name: 'yes' | 'no' | 'abstain' | 'invalid', label: string) =>
    kept(props, {
      name,
      id: `hands-${name}`,
      label,
      type: 'number',
      min: 0,
      short: true,
      value: before?.[name],
    });
  return html`<form method="post" action="${actAddress(props.meeting.id, item, 'hands')}">${
    before && hiddenInputs({ correction: 'true' })
  }<div class="room-hands">${number('yes', 'Yes')}${number('no', 'No')}${number('abstain', 'Abstain')}${number(
    'invalid',
    'Invalid',
  )}</div>${
    !before &&
    props.countsPresent &&
    kept(props, {
      name: 'present',
      id: 'hands-present',
      label: 'Votes in the room',
      hint: 'Needed where a quorum or a share of those present decides.',
      type: 'number',
      min: 1,
      short: true,
    })
  }${
    !before &&
    props.meeting.remote_present > 0 &&
    html`<p><label><input type="checkbox" name="elsewhere" value="true"> ${counted(
      props.meeting.remote_present,
      'member',
    )} elsewhere cannot raise a hand: go on without them</label></p>`
  }<button class="button">${before ? 'Correct the count' : 'Enter the count'}</button></form>`;
}
