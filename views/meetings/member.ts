import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Note, Words } from '#kernel/language/words.ts';
import type { RoomCode, RoomJson } from '#meetings/room/room.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { strong } from '#views/components/slots.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { FOLLOW } from '#views/voting/ballot-papers/ballot.ts';
import { cardLinks, KEEP_CODES, keptCodes, lostCardLink } from '#views/voting/ballot-papers/kept-codes.ts';
import { EQUAL_BODY, limits, secrecy } from '#views/voting/ballots/ballot-frame.ts';
import { disagreement } from '#views/voting/results/results.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import { itemOutcome, itemRule, voidOf } from './outcome.ts';
import { timeLeft } from './wall.ts';
import { additionNote, itemBadge, proposers, reasons, wording } from './words.ts';

/** The data of the page of a meeting for its members, while it is held. */
export interface MemberProps extends RoomJson {
  now: number;
  /** Before it begins: when and where it is held. */
  when: { at: Words; place: string | null } | undefined;
  /** A sentence for each thing of the meeting that is not stored as the log has it. */
  differences: readonly Note[];
  /** Of this page. */
  address: string;
  /** The questions that the card of this phone answers; undefined without a card. */
  questions: RoomCode['questions'] | undefined;
  /** The mark of that card, see `cardMark`. */
  card: string | undefined;
  /** Of a link: whether its holder counts as present; undefined for a card. */
  here: boolean | undefined;
  /** The ballots that it can cast now. */
  ballot: { questions: readonly string[]; form: Html; secrecy: Secrecy } | undefined;
  /** Whether somebody without script votes on them later. */
  isLater: boolean;
  /** Whether the form to ask to speak is shown. */
  asks: boolean;
  /** Whether a code was given that is no card here; `ended`: it is a link that the door ended. */
  wrongCode: boolean | 'ended';
  /** The code of this card, for a reader who works at the door and may take it back. */
  returns: string | undefined;
  done: string | undefined;
  refused: Words | undefined;
}

/** The seconds after which a browser without script loads the page again, unless there is something to fill in. */
const AGAIN_S = 5;

/**
 * What is discussed now, the ballot as soon as voting opens, and the result once it is announced. The script replaces
 * the parts one by one, so that nothing is lost that somebody fills in.
 */
export function memberPage(props: MemberProps): Html {
  const {
    meeting,
    version,
    present,
    without_card,
    address,
    questions,
    ballot,
    isLater,
    asks,
    done,
    refused,
  } = props;
  const fillsIn = (ballot && !isLater) || asks || !questions;
  const body = html`<div data-follow="/m/${meeting.id}/stream" data-page="${address}" data-version="${version}" data-card="${props.card ?? ''}"${
    props.here !== undefined && html` data-here="${address}/here"`
  }>${refused && html`<div role="alert">${notice('danger', refused)}</div>`}${disagreement(props.differences)}
${pageHeader({
  title: asWritten(meeting.title),
  eyebrow: t('meetings.meeting.eyebrow'),
  lede: sentences([props.when && whenAndWhere(props.when), presentWords(present, without_card)]),
})}
<p class="small"><a class="link-alone" href="/m/${meeting.id}?agenda=1">${t('meetings.member.agenda_link')}</a></p>
<section class="card room-now" data-part="now" aria-labelledby="now" aria-live="polite">${now(props)}</section>
${
  props.here === false &&
  meeting.state === 'running' &&
  html`<noscript><form method="post" action="${address}/here"><p>${t('meetings.member.elsewhere')}</p>
<button class="button">${t('meetings.member.here')}</button></form></noscript>`
}
<div data-part="closing">${closing(props)}</div>
<div data-part="ballot"${ballot && html` data-questions="${ballot.questions.join(' ')}"`}>${ballotPart(props)}</div>
<div data-part="speakers">${speakers(props)}</div>
<div data-part="card">${card(props)}</div>${keptCodes({ meeting, card: props.card, isOver: meeting.state === 'closed' })}</div>`;
  return page({
    title: meeting.title,
    body,
    scripts: [FOLLOW, EQUAL_BODY, ...KEEP_CODES],
    styles: 'meeting',
    head: html`${
      !fillsIn &&
      html`<noscript><meta http-equiv="refresh" content="${AGAIN_S}${done !== undefined && `; url=${address}`}"></noscript>`
    }`,
  });
}

const whenAndWhere = ({ at, place }: { at: Words; place: string | null }): Words =>
  place ? t('meetings.member.when_and_where', { when: at, place }) : t('meetings.member.when', { when: at });

/** The script keeps the number up to date. */
function presentWords(present: number, withoutCard: number): Words {
  const count = (inside: Words) => html`<span data-present>${inside}</span>`;
  return withoutCard > 0
    ? t('meetings.member.present_without_card', { present, n: withoutCard, count })
    : t('meetings.member.present', { present, count });
}

function now(props: MemberProps): Html {
  const { item, question, ballot, open, address, questions } = props;
  const isBelow = question !== null && ballot?.questions.includes(question.id) === true && !props.isLater;
  const lead = html`<p class="eyebrow">${t('meetings.member.now')} ${item && itemBadge(item)}</p>`;
  const further = html`${voting(props)}${result(props)}${works(props)}${
    !questions &&
    html`<noscript><p><a class="link-alone" href="${address}">${t('meetings.member.look')}</a></p></noscript>`
  }`;
  if (isBelow)
    return html`${lead}<h2 id="now">${t('meetings.member.vote_below', { n: open.length })}</h2>
${item && proposers(item)}${
  item?.old_text != null && wording({ text: null, old_text: item.old_text })
}${further}`;
  return html`${lead}<h2 id="now">${item ? `${item.number}. ${item.title}` : t('meetings.member.not_begun')}</h2>
${item && additionNote(item)}${item && wording(item)}${item && reasons(item)}${item && proposers(item)}${item && files(item)}${further}`;
}

/** While nothing is open: answers whoever typed a code, and says that nothing is missed. */
function works({ meeting, open, questions, here }: MemberProps): Html | null {
  if (!questions || open.length > 0 || meeting.state === 'closed') return null;
  const isCard = here === undefined;
  return questions.some(({ state }) => state !== 'prepared')
    ? html`<p class="small soft">${isCard ? t('meetings.member.card_works_next') : t('meetings.member.link_works_next')}</p>`
    : notice(
        'success',
        t('meetings.member.voting_not_begun'),
        isCard ? t('meetings.member.card_works') : t('meetings.member.link_works'),
      );
}

/** The documents of the item: for those who belong to the meeting, as whoever opens one without a card reads. */
const files = ({ files: all }: NonNullable<MemberProps['item']>): Html | false =>
  all.length > 0 &&
  html`<ul class="links">${all.map(({ title, url }) => html`<li><a href="${url}">${asWritten(title)}</a> <span class="small soft">${t('meetings.meeting.pdf')}</span></li>`)}</ul>`;

/** What is open, and what this card has done with it. */
function voting({ open, questions, ballot, isLater, address }: MemberProps): Html | null {
  if (open.length === 0) return null;
  if (!questions) return html`<p>${t('meetings.member.use_card_below')}</p>`;
  if (ballot && isLater)
    return html`<p><a class="button button-large" href="${address}">${t('meetings.member.vote_now')}</a></p>`;
  const own = open.map(({ id, title }) => ({ title, use: questions.find((one) => one.id === id) }));
  if (ballot && open.length === 1) return null;
  if (!ballot && own.every(({ use }) => use?.paper))
    return notice('info', t('meetings.member.paper_into_box'), t('meetings.member.have_paper'));
  if (!ballot && own.every(({ use }) => use?.used && !use.paper))
    return notice('success', t('meetings.member.wait_for_result'), t('meetings.member.vote_recorded'));
  if (!ballot && own.every(({ use }) => !use)) return html`<p>${t('meetings.member.card_does_not_vote')}</p>`;
  return html`<ul class="room-open">${own.map(
    ({ title, use }) => html`<li>${useWords(title, use)}</li>`,
  )}</ul>`;
}

/** What the card has done with a question of several that are open. */
function useWords(written: string, use: RoomCode['questions'][number] | undefined): Words {
  const title = asWritten(written);
  if (use?.paper) return t('meetings.member.question_paper', { title, strong });
  if (use?.used) return t('meetings.member.question_voted', { title, strong });
  return use
    ? t('meetings.member.question_below', { title, strong })
    : t('meetings.member.question_not', { title, strong });
}

/** The timer, apart from what is read out: it changes each second. */
function closing({ open, now: at }: MemberProps): Html | null {
  const timed = open.filter(({ closes_at }) => closes_at !== null);
  if (timed.length === 0) return null;
  return html`<p class="room-closing">${timed.map(
    ({ title, closes_at }) =>
      html`<strong>${
        open.length > 1
          ? t('meetings.member.closing_of', { title: asWritten(title), time: timeLeft(closes_at, at) })
          : t('meetings.member.closing', { time: timeLeft(closes_at, at) })
      }</strong> `,
  )}</p>`;
}

function ballotPart({ ballot, isLater, address }: MemberProps): Html | null {
  if (!ballot || isLater) return null;
  return html`<p class="notice notice-attention" data-more hidden>${t('meetings.member.another_vote')}</p>
${limits(ballot.secrecy)}${ballot.form}
<noscript><p><a class="link-alone" href="${address}?later=${ballot.questions.join(',')}">${t('meetings.member.later')}</a></p></noscript>
<div class="panel">${secrecy(ballot.secrecy)}</div>`;
}

function result({ item }: MemberProps): Html | null {
  if (!item) return null;
  const outcome = item.void ? undefined : itemOutcome(item);
  if (outcome) return html`<p class="said">${outcome}</p><p class="small soft">${itemRule(item)}</p>`;
  if (item.state === 'closed') return html`<p>${t('meetings.member.closed')}</p>`;
  if (item.state === 'void') return html`<p>${voidOf(item.void)}</p>`;
  return null;
}

function speakers({ meeting, speakers: all, members_ask, asks, address, done }: MemberProps): Html | null {
  if (all.length === 0 && !members_ask) return null;
  return html`<section aria-labelledby="speakers"><h2 id="speakers">${t('meetings.member.speakers')}</h2>${
    done === 'asked' && notice('success', t('meetings.member.on_list'))
  }${
    all.length > 0 &&
    html`<ol>${all.map(({ name, began_at }) => html`<li>${name}${began_at !== null && html` <strong>${t('meetings.member.speaking')}</strong>`}</li>`)}</ol>`
  }${
    members_ask &&
    (asks
      ? html`<form method="post" action="/m/${meeting.id}/speakers">${openField({ name: 'name', label: t('meetings.member.your_name') })}
<div class="actions"><button class="button button-quiet">${t('meetings.member.ask_to_speak')}</button></div></form>`
      : html`<p><a class="button button-quiet" href="${address}?ask=1#speakers">${t('meetings.member.ask_to_speak')}</a></p>`)
  }</section>`;
}

/** What is wrong with a code that was typed: a link that has ended says so. */
export type WrongCode = 'ended' | boolean;

const WRONG_CARD = t('meetings.member.wrong_card');
const LINK_ENDED = t('meetings.member.link_ended');

function card({ meeting, questions, wrongCode, address, returns }: MemberProps): Html {
  return html`${
    returns !== undefined &&
    disclosure(
      t('meetings.member.at_the_door'),
      html`<form method="post" action="/admin/meetings/${meeting.id}/door/return">${hiddenInputs({ codes: returns })}
<p>${t('meetings.member.handed_back')}</p>
<button class="button button-quiet">${t('meetings.member.take_back')}</button></form>`,
    )
  }${
    questions
      ? cardLinks({ id: meeting.id, page: address })
      : html`${cardForm(meeting.id, wrongCode)}${lostCardLink(meeting)}`
  }`;
}

/** Where the code of a card is typed. */
export const cardForm = (meetingId: string, wrongCode: WrongCode): Html =>
  html`<section aria-labelledby="card"><h2 id="card">${t('meetings.member.your_card')}</h2>
${wrongCode && notice('danger', wrongCode === 'ended' ? LINK_ENDED : WRONG_CARD)}
<form action="/m/${meetingId}" method="get">${openField({
    name: 't',
    label: t('meetings.member.code'),
    hint: t('meetings.member.code_hint'),
  })}<div class="actions"><button class="button">${t('meetings.member.use_card')}</button></div></form></section>`;
