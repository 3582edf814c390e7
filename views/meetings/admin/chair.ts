import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { awaitedAnswers, type ItemWithResult } from '#meetings/room/results.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
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
import { disagreement } from '#views/voting/results/results.ts';
import type { FollowUpKind } from '#voting/elections/elections.ts';
import type { SeatsResult } from '#voting/shared/seats.ts';
import { questionSummary } from './agenda.ts';
import { answersForm } from './answers.ts';
import {
  alarmNotice,
  answersAwaited,
  awaiting,
  missing,
  papersLeft,
  papersLink,
  voidAsked,
} from './chair-notices.ts';
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
const TIMERS: readonly [seconds: number, words: Words][] = [
  [30, t('meetings-admin.chair.after_seconds', { n: 30 })],
  [60, t('meetings-admin.chair.after_minutes', { n: 1 })],
  [120, t('meetings-admin.chair.after_minutes', { n: 2 })],
  [300, t('meetings-admin.chair.after_minutes', { n: 5 })],
  [900, t('meetings-admin.chair.after_minutes', { n: 15 })],
  [3_600, t('meetings-admin.chair.after_hours', { n: 1 })],
];

/** The item that is discussed with the one sensible button, what else can be done with it, the agenda, the speakers. */
export function chairPage(props: ChairProps): Html {
  const { meeting, done, refused, viewer } = props;
  const body = html`<div data-follow="/m/${meeting.id}/stream" data-page="/admin/meetings/${meeting.id}/chair">${done && html`<div role="status">${notice('success', done)}</div>`}${
    refused && notice('danger', refused.message, t('meetings-admin.shared.nothing_changed'))
  }${disagreement(props.differences ?? [])}
${pageHeader({
  title: meeting.title,
  eyebrow: meetingBadge(meeting.state),
  lede: figuresNow(meeting),
  crumbs: [
    { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
    { href: `/admin/meetings/${meeting.id}`, label: t('meetings-admin.shared.meeting') },
  ],
  actions: html`<a class="button button-quiet" href="/admin/meetings/${meeting.id}/door">${t('meetings-admin.shared.door')}</a>
<a class="button button-quiet" href="${props.wall}" target="_blank" rel="noopener">${t('meetings-admin.chair.wall_new_window', { hidden })}</a>
${meeting.state !== 'closed' && tvs(props)}`,
})}
<div class="columns"><div>${meeting.state === 'closed' ? ended(props) : leading(props)}</div>
<div class="room-side">${agenda(props)}${meeting.state !== 'closed' && props.current && speakersPart(props)}</div></div></div>`;
  return officerPage({
    title: t('meetings-admin.chair.chair', { title: meeting.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    scripts: ['meetings/follow.js'],
    head: stylesheets('meetings/meetings.css'),
  });
}

/** How many are present, elsewhere too, the quorum, and cards that nobody has. */
function figuresNow({
  present: n,
  without_card: waiting,
  remote_present: elsewhere,
  quorum,
  door_closed,
  cards_too_many,
}: ChairProps['meeting']): Words | undefined {
  const present =
    waiting > 0
      ? elsewhere > 0
        ? t('meetings-admin.chair.present_waiting_elsewhere', { n, waiting, elsewhere })
        : t('meetings-admin.chair.present_waiting', { n, waiting })
      : elsewhere > 0
        ? t('meetings-admin.chair.present_elsewhere', { n, elsewhere })
        : t('meetings.wall.present', { n });
  const needed = { n: quorum.needed };
  return commas([
    present,
    quorum.needed > 0 &&
      (quorum.met
        ? t('meetings-admin.chair.quorum_met', needed)
        : t('meetings-admin.chair.quorum_not_met', needed)),
    door_closed && cards_too_many > 0 && t('meetings-admin.chair.cards_lost', { n: cards_too_many }),
  ]);
}

/** A meeting that is over; results that were not announced still can be, and each can be made void. */
const ended = (props: ChairProps): Html =>
  html`${notice('info', html`<a href="/admin/meetings/${props.meeting.id}/minutes">${t('meetings-admin.chair.write_sign_minutes')}</a>`, t('meetings-admin.shared.meeting_closed'))}${
    !props.areMinutesSigned && answersAwaited(props.meeting.id, awaitedAnswers(props.items))
  }${props.items
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
    return html`<section class="card room-now"><h2>${t('meetings-admin.chair.meeting_begun')}</h2>${
      props.items.length > 0
        ? nextButton(props)
        : html`<p>${t('meetings-admin.chair.nothing_agenda_yet_write_put', { link: (inside) => html`<a class="link-alone" href="/admin/meetings/${props.meeting.id}">${inside}</a>` })}</p>`
    }</section>${mayDo(props, 'elections:run') && motionForm(props)}`;
  const { kind, number, title } = current;
  return html`<section class="card room-now" aria-labelledby="now"><p class="eyebrow">${t('meetings-admin.chair.now')} ${itemBadge(current)}</p>
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
      return html`<p>${voidOf(item.void)}</p>${followUp(props, item, 'repeat', t('meetings-admin.chair.vote_again_same_cards'), 'chair-act')}${nextButton(props, 'button-quiet')}`;
  }
}

function opening(props: ChairProps, item: ItemWithResult): Html {
  const { meeting, voters, countsPresent } = props;
  const total = voters?.total ?? 0;
  const few = total < FEW && !countsPresent;
  const { quorum, without_card } = meeting;
  const hasPile = Object.values(meeting.cards).some(({ pile, printed }) => printed > 0 && pile !== null);
  return html`${voters && total > 0 && html`<p>${t('meetings-admin.chair.cast', { voters: votersSentence(voters) })}</p>`}${
    without_card > 0 &&
    notice(
      'attention',
      t('meetings-admin.chair.door_hands_out_what_wait', {
        link: (inside) => html`<a href="/admin/meetings/${meeting.id}/door">${inside}</a>`,
      }),
      t('meetings-admin.chair.people_wait_card', { n: without_card }),
    )
  }${
    few &&
    notice(
      'attention',
      t('meetings-admin.chair.votes_result_few_show_how', { votes: total }),
      t('meetings-admin.chair.vote_hardly_secret'),
    )
  }${
    !quorum.met &&
    notice(
      'attention',
      t('meetings-admin.chair.vote_without_quorum_count_unless'),
      t('meetings-admin.chair.quorum'),
    )
  }<form class="room-act" method="post" action="${actAddress(meeting.id, item, 'open')}">
<button class="button chair-act">${few ? t('meetings-admin.chair.open_voting_anyway') : t('meetings-admin.chair.open_voting')}</button>
${
  countsPresent &&
  hasPile &&
  kept(props, {
    name: 'present',
    id: 'open-present',
    label: t('meetings-admin.chair.votes_room'),
    hint: t('meetings-admin.chair.door_checked_count'),
    type: 'number',
    min: 1,
    short: true,
  })
}<label class="small" for="seconds">${t('meetings-admin.chair.closes')} <select class="input input-short" id="seconds" name="seconds"><option value="">${t('meetings-admin.chair.when_close')}</option>
${TIMERS.map(([seconds, words]) => html`<option value="${seconds}">${words}</option>`)}</select></label></form>${nextButton(props, 'button-quiet')}`;
}

function isOpen(props: ChairProps, item: ItemWithResult): Html {
  const { meeting, question, voters, now } = props;
  const form = (name: string, button: Words, look: string, seconds?: number) =>
    html`<form method="post" action="${actAddress(meeting.id, item, name)}">${
      seconds !== undefined && html`<input type="hidden" name="seconds" value="${seconds}">`
    }<button class="button ${look}">${button}</button></form>`;
  // Without a timer it would begin one.
  const longer =
    item.closes_at !== null && form('extend', t('meetings-admin.chair.one_more_minute'), 'button-quiet', 60);
  const total = voters?.total ?? 0;
  return html`${alarmNotice(item)}<p class="room-turnout">${item.closes_at !== null ? t('meetings-admin.chair.votes_cast_closing', { voted: html`<strong>${question?.voted ?? 0}</strong>`, votes: total, time: timeLeft(item.closes_at, now) }) : t('meetings-admin.chair.votes_cast', { voted: html`<strong>${question?.voted ?? 0}</strong>`, votes: total })}</p>
${total > 0 && barDrawing((question?.voted ?? 0) / total, true)}
${voters && html`<p class="small soft">${t('meetings-admin.chair.cast', { voters: votersSentence(voters) })}</p>`}${
  !meeting.quorum.met &&
  notice(
    'attention',
    t('meetings-admin.chair.vote_count_unless_enough_people'),
    t('meetings-admin.chair.quorum'),
  )
}
<noscript><p><a class="link-alone" href="/admin/meetings/${meeting.id}/chair">${t('meetings-admin.chair.look_again_how_many_voted')}</a></p></noscript>
${item.paper && html`<p>${t('meetings-admin.chair.papers_handed_out', { n: item.paper.handed_out })}</p>`}${papersLink(props, item)}
${
  mayDo(props, 'elections:certify')
    ? html`${form('close', t('meetings-admin.chair.close_voting'), 'chair-act')}<div class="toolbar">${form(
        'close',
        t('meetings-admin.chair.close_30_s'),
        'button-quiet',
        30,
      )}${longer}${
        question?.voted === 0 &&
        !item.paper &&
        form('take-back', t('meetings-admin.chair.take_opening_back'), 'button-quiet')
      }</div>`
    : longer
}`;
}

/** The outcome, every figure that is read out, and the rule. */
function said(item: ItemWithResult): Html {
  const drawn = itemBars(item);
  return html`<p class="said">${itemOutcome(item)}</p>${
    drawn && html`<p>${figuresOf(drawn.bars)}</p>`
  }<p class="small soft">${itemRule(item)}</p>`;
}

const figuresOf = (bars: readonly { label: Words | string; votes: number }[]): Words =>
  t('meetings-admin.chair.figures', {
    figures:
      commas(bars.map(({ label, votes }) => t('meetings-admin.chair.figure', { name: label, votes }))) ?? '',
  });

function announcing(props: ChairProps, item: ItemWithResult): Html {
  if (!mayDo(props, 'elections:certify'))
    return html`<p>${t('meetings-admin.chair.voting_closed_result_announced')}</p>`;
  return html`${item.papers_awaited ? awaiting(item.papers_awaited) : said(item)}${alarmNotice(item)}${missing(props)}${voidAsked(props, item)}${papersLeft(props, item)}<p class="small soft">${t('meetings-admin.chair.else_sees_before_announce')}</p>${
    lotOf(item) !== undefined && lotLink(item, lotOf(item) === 'awaited' ? '' : ' button-quiet')
  }${lotOf(item) !== 'awaited' && announceForm(props, item)}`;
}

const lotLink = ({ election_id }: ItemWithResult, look: string): Html =>
  html`<p><a class="button${look} chair-act" href="/admin/elections/${election_id}/lot">${t('meetings-admin.chair.draw_lot')}</a></p>`;

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
      label: item.papers_awaited
        ? t('meetings-admin.chair.why_more_papers_come')
        : t('meetings-admin.chair.why_change_result'),
      rows: 2,
      value: item.paper?.no_more,
    })
  }${
    item.papers_awaited
      ? html`<button class="button button-quiet">${t('meetings-admin.chair.more_papers_come_show_me')}</button>`
      : html`<button class="button chair-act">${t('meetings-admin.chair.announce_result')}</button>${
          lotOf(item) === 'possible' &&
          props.meeting.state !== 'closed' &&
          html`<p><button class="button button-quiet" name="again" value="true">${t('meetings-admin.chair.announce_tie_vote_again')}</button>
<span class="small soft">${t('meetings-admin.chair.same_cards_vote_again_open')}</span></p>`
        }`
  }</form>`;

/** Whether those who are elected accept, asked after the announcement. */
function answers(props: ChairProps, item: ItemWithResult): Html {
  const { elected = [] } = item;
  return html`${elected
    .filter(({ accepts }) => accepts !== null)
    .map(
      ({ name, accepts }) =>
        html`<p class="small">${accepts ? t('meetings-admin.chair.accepts', { name }) : t('meetings-admin.chair.accept', { name })}</p>`,
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
    followUp(props, item, 'repeat', t('meetings-admin.chair.vote_again_same_cards'), 'chair-act')
  }${props.next
    .filter(isOnSeats)
    .map(
      ({ kind, names, seats }, at) =>
        html`<p>${followUp(
          props,
          item,
          kind,
          seats === null
            ? t('meetings-admin.chair.vote_again')
            : t('meetings-admin.chair.vote_again_open_seats', { seats }),
          at === 0 ? 'chair-act' : 'button-quiet',
        )}<span class="small soft">${allOf(names)}</span></p>`,
    )}`;

/** One press: the same vote, or one on the seats that are left, stands behind the item for the same cards. */
const followUp = (
  props: ChairProps,
  { election_id }: ItemWithResult,
  kind: FollowUpKind,
  label: Words,
  look: string,
): Html | false =>
  props.next.some((one) => one.kind === kind) &&
  html`<form method="post" action="/admin/elections/${election_id}/follow-up">${hiddenInputs({ kind })}<button class="button ${look}">${label}</button></form>`;

function nextButton({ meeting, items, current }: ChairProps, look = 'chair-act'): Html {
  const at = current ? items.findIndex(({ id }) => id === current.id) : -1;
  const next = items[at + 1];
  if (!next)
    return html`<p>${t('meetings-admin.chair.last_item_end_meeting', { link: (inside) => html`<a class="link-alone" href="${meetingSectionPath(meeting.id, 'end')}">${inside}</a>` })}</p>`;
  return html`<form method="post" action="${actAddress(meeting.id, next, 'call')}">
<button class="button ${look}">${
    current
      ? t('meetings-admin.chair.next_item', { number: next.number, title: next.title })
      : t('meetings-admin.chair.begin_item', { number: next.number, title: next.title })
  }</button></form>`;
}

/** What is done more rarely: hands, no opposition, void. */
function further(props: ChairProps, item: ItemWithResult): Html | null {
  if (!mayDo(props, 'elections:certify')) return null;
  const { meeting } = props;
  const isPrepared = item.state === 'prepared' && item.election_id !== null;
  return html`${
    isPrepared &&
    disclosure(
      t('meetings-admin.chair.show_hands_against'),
      html`${
        item.kind === 'motion' &&
        html`<h3>${t('meetings-admin.chair.show_hands')}</h3>${handsForm(props, item)}`
      }<h3>${t('meetings-admin.chair.against')}</h3><form method="post" action="${actAddress(meeting.id, item, 'unopposed')}"><button class="button button-quiet">${
        item.kind === 'motion'
          ? t('meetings-admin.chair.carried_without_opposition')
          : t('meetings-admin.chair.many_stand_seats_elected')
      }</button></form>`,
      wasRefused(props, 'yes'),
    )
  }${
    meeting.state !== 'closed' &&
    item.state === 'closed' &&
    item.way === 'hands' &&
    disclosure(t('meetings-admin.chair.correct_count'), handsForm(props, item), wasRefused(props, 'yes'))
  }${
    (item.state === 'open' || item.state === 'closed' || item.state === 'declared') &&
    (item.void_asked === undefined || item.void_asked.person !== props.person) &&
    disclosure(
      t('meetings-admin.chair.declare_vote_void'),
      html`<form class="confirm" method="post" action="${actAddress(meeting.id, item, 'void')}"><p>${
        item.state === 'open'
          ? t('meetings-admin.chair.voting_ends_nothing_counted')
          : t('meetings-admin.chair.second_person_confirm_figures_published')
      }</p>${
        item.void_asked
          ? hiddenInputs({ reason: item.void_asked.reason })
          : kept(props, { name: 'reason', label: t('meetings-admin.chair.reason_which_published') })
      }<button class="button button-danger">${
        item.void_asked ? t('meetings-admin.chair.confirm_void') : t('meetings-admin.chair.make_vote_void')
      }</button></form>`,
      item.void_asked !== undefined || wasRefused(props, 'reason'),
    )
  }${
    item.state === 'declared' &&
    (hasValidResult(item) || props.next.some(isOnSeats)) &&
    props.next.some(({ kind }) => kind === 'repeat') &&
    disclosure(
      t('meetings-admin.chair.vote_again_whole'),
      html`<p>${
        item.kind === 'election'
          ? t('meetings-admin.chair.same_candidates_again')
          : t('meetings-admin.chair.same_question_again')
      }</p>${followUp(props, item, 'repeat', t('meetings-admin.chair.vote_again_same_cards'), 'button-quiet')}`,
    )
  }`;
}

/** The numbers of a show of hands; those that are entered can be corrected until the announcement. */
function handsForm(props: ChairProps, item: ItemWithResult): Html {
  const { result } = item;
  const before =
    result?.results_mode === 'hands' ? { ...result.results, invalid: result.invalid } : undefined;
  const number = (name: 'yes' | 'no' | 'abstain' | 'invalid', label: Words) =>
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
  }<div class="room-hands">${number('yes', t('meetings-admin.chair.yes'))}${number('no', t('meetings-admin.chair.no'))}${number('abstain', t('meetings-admin.chair.abstain'))}${number(
    'invalid',
    t('meetings-admin.shared.invalid'),
  )}</div>${
    !before &&
    props.countsPresent &&
    kept(props, {
      name: 'present',
      id: 'hands-present',
      label: t('meetings-admin.chair.votes_room'),
      hint: t('meetings-admin.chair.needed_where_quorum_share_those'),
      type: 'number',
      min: 1,
      short: true,
    })
  }${
    !before &&
    props.meeting.remote_present > 0 &&
    html`<p><label><input type="checkbox" name="elsewhere" value="true"> ${t('meetings-admin.chair.members_elsewhere_cannot_raise_hand', { n: props.meeting.remote_present })}</label></p>`
  }<button class="button">${before ? t('meetings-admin.chair.correct_count') : t('meetings-admin.chair.enter_count')}</button></form>`;
}
