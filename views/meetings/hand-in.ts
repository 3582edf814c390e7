import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { enteredLines } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { inputsOf, labelsOf } from '#views/components/record-fields.ts';
import { definitionList, pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

const WORDS = {
  name: { label: t('meetings.hand_in.name'), hint: t('meetings.hand_in.name_hint') },
  email: { label: t('meetings.hand_in.email'), hint: t('meetings.hand_in.email_hint') },
  title: { label: t('meetings.hand_in.motion_title') },
  text: { label: t('meetings.hand_in.text'), hint: t('meetings.hand_in.text_hint') },
  reason: { label: t('meetings.hand_in.reason') },
  seconders: { label: t('meetings.hand_in.seconders') },
};

/** The data of the form that hands in a motion. Times are already formatted. */
export interface HandInProps {
  meeting: { id: string; title: string };
  call: {
    who: 'members' | 'anybody';
    seconders: number;
    state: 'before' | 'open' | 'over';
    opens: Words;
    closes: Words;
    /** Whether it closed by the clock. */
    isPast: boolean;
  };
  refused: Pick<RefusedForm, 'entered' | 'errors' | 'message'> | undefined;
}

/** The form that hands in a motion for a meeting. */
export function handInPage({ meeting, call, refused }: HandInProps): Html {
  const { entered = {}, errors = [] } = refused ?? {};
  const { at } = inputsOf(WORDS, { entered, errors });
  const summary = refusedNotice(refused, labelsOf(WORDS), (path) => path.split('.')[0]!, 'sent');
  const body = html`${summary}
${pageHeader({
  title: t('meetings.hand_in.title'),
  lede: call.state === 'open' ? t('meetings.hand_in.until', { when: call.closes }) : undefined,
  crumbs: [{ href: `/m/${meeting.id}`, label: asWritten(meeting.title) }],
})}
${
  call.state === 'open'
    ? html`<form class="card" method="post" action="/m/${meeting.id}/motions">
<p>${call.who === 'members' ? t('meetings.hand_in.who_members') : t('meetings.hand_in.who_anybody')}</p>
${field({ ...at('name'), maxlength: 300, autocomplete: 'name' })}
${field({ ...at('email'), type: 'email', autocomplete: 'email' })}
${field({ ...at('title'), maxlength: 300 })}
${field({ ...at('text'), rows: 8 })}
${field({ ...at('reason'), optional: true, rows: 5 })}
${
  call.seconders > 0 &&
  field({
    ...at('seconders'),
    value: enteredLines(entered, 'seconders'),
    rows: Math.max(2, call.seconders),
    hint: t('meetings.hand_in.seconders_hint', { n: call.seconders }),
  })
}
<div class="actions"><button class="button">${t('meetings.hand_in.button')}</button></div></form>`
    : notice(
        'info',
        call.state === 'before'
          ? t('meetings.hand_in.before', { when: call.opens })
          : call.isPast
            ? t('meetings.hand_in.past', { when: call.closes })
            : t('meetings.hand_in.over'),
      )
}`;
  return page({ title: t('meetings.hand_in.title'), body, scripts: ['base/officers.js'] });
}

/** What everybody sees who handed in a motion, whatever the address. */
export function handedInPage({
  meetingId,
  email,
  seconders,
}: {
  meetingId: string;
  email: string;
  /** How many it needs. */
  seconders: number;
}): Html {
  const body = html`${pageHeader({ title: t('meetings.handed_in.thanks') })}
<p>${t('meetings.handed_in.what_next', { email })}</p>
${seconders > 0 && html`<p>${t('meetings.handed_in.seconders')}</p>`}
<p><a class="link-alone" href="/m/${meetingId}">${t('meetings.handed_in.back')}</a></p>`;
  return page({ title: t('meetings.handed_in.title'), body });
}

/** The data of the page behind a mailed link. */
export interface MotionAnswerProps {
  action: string;
  meeting: { id: string; title: string };
  name: string;
  title: string;
  text: string;
  reason: string | null;
  state: ProposalState;
  refusal: string | null;
  /** On the agenda; undefined where it is not on it, or not any more. */
  item: { id: string; number: string } | undefined;
  seconders: { needed: number; have: number };
  role: 'author' | 'seconder';
  seconded: boolean;
  /** Whether motions are still taken. */
  isOpen: boolean;
  mayWithdraw: boolean;
  closes: Words;
  /** Until when it can be answered: the close, or a day until a mailbox has confirmed it. */
  until: Words;
  /** What else waits for an answer of the same address, the mail about which may not have been sent. */
  waiting: readonly { href: string; title: string; author: string; role: 'author' | 'seconder' }[];
  done: boolean;
  /** Why the last answer was refused. */
  refused: Words | undefined;
}

const STATES: Record<Exclude<ProposalState, 'unconfirmed'>, (props: MotionAnswerProps) => Words> = {
  unseconded: ({ seconders }) =>
    t('meetings.motion_answer.unseconded', { have: seconders.have, n: seconders.needed }),
  ready: () => t('meetings.motion_answer.ready'),
  accepted: ({ item }) =>
    item
      ? t('meetings.motion_answer.accepted', { number: item.number })
      : t('meetings.motion_answer.accepted_off'),
  refused: ({ refusal }) =>
    refusal
      ? t('meetings.motion_answer.refused_because', { reason: refusal })
      : t('meetings.motion_answer.refused'),
  withdrawn: () => t('meetings.motion_answer.withdrawn'),
};

/** The page behind the link of the author of a motion or of a seconder. */
export function motionAnswerPage(props: MotionAnswerProps): Html {
  const { action, meeting, name, title, text, reason, state, role, seconded, isOpen, closes, until } = props;
  const isDecided = ['accepted', 'refused', 'withdrawn'].includes(state);
  const isSeconder = role === 'seconder';
  const said =
    isSeconder && seconded && !isDecided
      ? t('meetings.motion_answer.you_second')
      : state === 'unconfirmed'
        ? undefined
        : STATES[state](props);
  const button = (value: string, label: Words, quiet = false) =>
    html`<form method="post" action="${action}">${hiddenInputs({ action: value })}
<button class="button${quiet && ' button-quiet'}">${label}</button></form>`;
  const body = html`${props.refused && notice('danger', props.refused, t('meetings.motion_answer.nothing_changed'))}
${props.done && !props.refused && notice('success', t('meetings.motion_answer.recorded'))}
${pageHeader({
  title: isSeconder
    ? t('meetings.motion_answer.title_second', { name })
    : t('meetings.motion_answer.title_own'),
  crumbs: [{ href: `/m/${meeting.id}`, label: asWritten(meeting.title) }],
})}
<div class="card">${definitionList([
    [t('meetings.motion_answer.motion'), asWritten(title)],
    [t('meetings.motion_answer.proposed_by'), name],
  ])}${plainText(text)}${reason && html`<p class="small soft">${t('meetings.motion_answer.reasons')}</p>${plainText(reason)}`}${
    said && html`<p><strong>${said}</strong></p>`
  }
${!isOpen && !isDecided && state !== 'ready' && notice('info', t('meetings.hand_in.past', { when: closes }))}
${isOpen && (state === 'unconfirmed' || (isSeconder && !isDecided)) && html`<p class="small soft">${t('meetings.motion_answer.answer_until', { when: until })}</p>`}
<div class="actions">${!isSeconder && state === 'unconfirmed' && isOpen && button('consent', t('meetings.motion_answer.yes'))}
${isSeconder && !seconded && isOpen && !isDecided && button('second', t('meetings.motion_answer.second'))}
${isSeconder && seconded && isOpen && !isDecided && button('withdraw', t('meetings.motion_answer.take_back'), true)}
${
  !isSeconder &&
  props.mayWithdraw &&
  button(
    'withdraw',
    state === 'unconfirmed' ? t('meetings.motion_answer.no') : t('meetings.motion_answer.withdraw'),
    true,
  )
}</div></div>
${
  props.waiting.length > 0 &&
  html`<section class="panel"><h2>${t('meetings.motion_answer.also_waiting')}</h2><ul>${props.waiting.map(
    (one) => html`
<li><a href="${one.href}">${one.role === 'author' ? asWritten(one.title) : t('meetings.motion_answer.waiting_second', { title: asWritten(one.title) })}</a> <span class="soft">${t('meetings.motion_answer.waiting_by', { name: one.author })}</span></li>`,
  )}</ul></section>`
}`;
  return page({ title: t('meetings.motion_answer.motion'), body });
}
