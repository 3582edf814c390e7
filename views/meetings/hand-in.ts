import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { enteredLines } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { inputsOf, labelsOf } from '#views/components/record-fields.ts';
import { definitionList, pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

const WORDS = {
  name: { label: 'Your name', hint: 'It is shown with the motion.' },
  email: { label: 'Your mail address', hint: 'The link to confirm goes there.' },
  title: { label: 'Title' },
  text: { label: 'The motion', hint: 'Its exact wording: what the meeting would decide.' },
  reason: { label: 'Reasons' },
  seconders: { label: 'Seconders' },
};

/** The data of the form that hands in a motion. Times are already formatted. */
export interface HandInProps {
  meeting: { id: string; title: string };
  call: {
    who: 'members' | 'anybody';
    seconders: number;
    state: 'before' | 'open' | 'over';
    opens: string;
    closes: string;
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
  title: 'Hand in a motion',
  lede: call.state === 'open' ? `Until ${call.closes}.` : undefined,
  crumbs: [{ href: `/m/${meeting.id}`, label: meeting.title }],
})}
${
  call.state === 'open'
    ? html`<form class="card" method="post" action="/m/${meeting.id}/motions">
<p>${
        call.who === 'members' ? 'Members of the club can hand in motions.' : 'Anybody can hand in a motion.'
      } You confirm it by mail, within a day, before it counts; then the officers decide whether it is put on the agenda.</p>
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
    hint: `Mail addresses of at least ${counted(call.seconders, 'member')}, one on each line. Each confirms it by mail, and is named with the motion.`,
  })
}
<div class="actions"><button class="button">Hand it in</button></div></form>`
    : notice(
        'info',
        call.state === 'before'
          ? `Motions can be handed in from ${call.opens} on.`
          : call.isPast
            ? `Motions could be handed in until ${call.closes}. Ask the committee whether that can be extended.`
            : 'Motions can no longer be handed in.',
      )
}`;
  return page({ title: 'Hand in a motion', body, scripts: ['base/officers.js'] });
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
  const body = html`${pageHeader({ title: 'Thank you' })}
<p>If ${email} can hand in a motion, a mail with a link is on its way there. The motion counts once it is confirmed.</p>
${seconders > 0 && html`<p>Seconders get a link too.</p>`}
<p><a class="link-alone" href="/m/${meetingId}">Back to the meeting</a></p>`;
  return page({ title: 'Handed in', body });
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
  closes: string;
  /** Until when it can be answered: the close, or a day until a mailbox has confirmed it. */
  until: string;
  /** What else waits for an answer of the same address, the mail about which may not have been sent. */
  waiting: readonly { href: string; title: string; author: string; role: 'author' | 'seconder' }[];
  done: boolean;
  /** Why the last answer was refused. */
  refused: Words | undefined;
}

const STATES: Record<Exclude<ProposalState, 'unconfirmed'>, (props: MotionAnswerProps) => string> = {
  unseconded: ({ seconders }) =>
    `Confirmed. ${seconders.have} of ${seconders.needed} seconders have answered.`,
  ready: () => 'Confirmed. The officers decide on it next.',
  accepted: ({ item }) =>
    item ? `Accepted: it is item ${item.number} of the agenda.` : 'Accepted. It is no longer on the agenda.',
  refused: ({ refusal }) => `Refused${refusal ? `: ${refusal}` : '.'}`,
  withdrawn: () => 'Withdrawn.',
};

/** The page behind the link of the author of a motion or of a seconder. */
export function motionAnswerPage(props: MotionAnswerProps): Html {
  const { action, meeting, name, title, text, reason, state, role, seconded, isOpen, closes, until } = props;
  const isDecided = ['accepted', 'refused', 'withdrawn'].includes(state);
  const isSeconder = role === 'seconder';
  const said =
    isSeconder && seconded && !isDecided
      ? 'You second this motion.'
      : state === 'unconfirmed'
        ? undefined
        : STATES[state](props);
  const button = (value: string, label: string, quiet = false) =>
    html`<form method="post" action="${action}">${hiddenInputs({ action: value })}
<button class="button${quiet && ' button-quiet'}">${label}</button></form>`;
  const body = html`${props.refused && notice('danger', props.refused, 'Nothing was changed')}
${props.done && !props.refused && notice('success', 'Your answer is recorded.')}
${pageHeader({
  title: isSeconder ? `Second the motion of ${name}?` : 'Your motion',
  crumbs: [{ href: `/m/${meeting.id}`, label: meeting.title }],
})}
<div class="card">${definitionList([
    ['Motion', title],
    ['Proposed by', name],
  ])}${plainText(text)}${reason && html`<p class="small soft">Reasons:</p>${plainText(reason)}`}${
    said && html`<p><strong>${said}</strong></p>`
  }
${
  !isOpen &&
  !isDecided &&
  state !== 'ready' &&
  notice(
    'info',
    `Motions could be handed in until ${closes}. Ask the committee whether that can be extended.`,
  )
}
${isOpen && (state === 'unconfirmed' || (isSeconder && !isDecided)) && html`<p class="small soft">Answer until ${until}.</p>`}
<div class="actions">${!isSeconder && state === 'unconfirmed' && isOpen && button('consent', 'Yes, it is my motion')}
${isSeconder && !seconded && isOpen && !isDecided && button('second', 'Yes, I second it')}
${isSeconder && seconded && isOpen && !isDecided && button('withdraw', 'Take it back', true)}
${
  !isSeconder &&
  props.mayWithdraw &&
  button('withdraw', state === 'unconfirmed' ? 'No, it is not' : 'Withdraw it', true)
}</div></div>
${
  props.waiting.length > 0 &&
  html`<section class="panel"><h2>Also waiting for your answer</h2><ul>${props.waiting.map(
    (one) => html`
<li><a href="${one.href}">${one.role === 'author' ? one.title : `Second ${one.title}`}</a> <span class="soft">proposed by ${one.author}</span></li>`,
  )}</ul></section>`
}`;
  return page({ title: 'Motion', body });
}
