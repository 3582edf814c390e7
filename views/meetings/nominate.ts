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
  name: { label: 'Name' },
  email: { label: 'Their mail address', hint: 'The link to confirm goes there.' },
  text: { label: 'About them', hint: 'Shown with the ballot.' },
  proposer: { label: 'Your name', hint: 'If you nominate somebody else.' },
  seconders: { label: 'Seconders' },
};

/** The data of the form that nominates somebody. Times are already formatted. */
export interface NominateProps {
  meeting: { id: string; title: string };
  item: { id: string; title: string; text: string | null };
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

/** The form that nominates somebody for an office. */
export function nominatePage({ meeting, item, call, refused }: NominateProps): Html {
  const { entered = {}, errors = [] } = refused ?? {};
  const { at } = inputsOf(WORDS, { entered, errors });
  const summary = refusedNotice(refused, labelsOf(WORDS), (path) => path.split('.')[0]!, 'sent');
  const body = html`${summary}
${pageHeader({
  title: `Nominate: ${item.title}`,
  lede: call.state === 'open' ? `Until ${call.closes}.` : undefined,
  crumbs: [{ href: `/m/${meeting.id}`, label: meeting.title }],
})}
${item.text && plainText(item.text)}
${
  call.state === 'open'
    ? html`<form class="card" method="post" action="/m/${meeting.id}/nominate/${item.id}">
<p>Yourself, or somebody else. ${
        call.who === 'members' ? 'Members of the club can be nominated.' : 'Anybody can be nominated.'
      } They confirm it by mail, within a day, before it counts.</p>
${field({ ...at('name'), maxlength: 300, autocomplete: 'off' })}
${field({ ...at('email'), type: 'email', autocomplete: 'off' })}
${field({ ...at('text'), optional: true, rows: 5, maxlength: 1_000 })}
${field({ ...at('proposer'), optional: true, maxlength: 300 })}
${
  call.seconders > 0 &&
  field({
    ...at('seconders'),
    value: enteredLines(entered, 'seconders'),
    rows: Math.max(2, call.seconders),
    hint: `Mail addresses of at least ${counted(call.seconders, 'member')}, one on each line. Each confirms it by mail.`,
  })
}
<div class="actions"><button class="button">Nominate</button></div></form>`
    : notice(
        'info',
        call.state === 'before'
          ? `Nominations open on ${call.opens}.`
          : call.isPast
            ? `Nominations closed on ${call.closes}. Ask the committee whether they can be extended.`
            : 'Nominations are over.',
      )
}`;
  return page({ title: `Nominate: ${item.title}`, body, scripts: ['base/officers.js'] });
}

/** What everybody sees who nominated somebody, whatever the address. */
export function nominatedPage({
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
<p>If ${email} can be nominated, a mail with a link is on its way there. The nomination counts once it is confirmed.</p>
${seconders > 0 && html`<p>Seconders get a link too.</p>`}
<p><a class="link-alone" href="/m/${meetingId}">Back to the meeting</a></p>`;
  return page({ title: 'Nominated', body });
}

/** The data of the page behind a mailed link. */
export interface AnswerProps {
  action: string;
  meeting: { id: string; title: string };
  item: { title: string };
  name: string;
  text: string;
  proposer: string | null;
  state: ProposalState;
  reason: string | null;
  seconders: { needed: number; have: number };
  role: 'nominee' | 'seconder';
  seconded: boolean;
  takesPicture: boolean;
  hasPicture: boolean;
  /** Whether nominations are still taken. */
  isOpen: boolean;
  mayWithdraw: boolean;
  closes: string;
  /** Until when it can be answered: the close, or a day until a mailbox has confirmed it. */
  until: string;
  /** What else waits for an answer of the same address, the mail about which may not have been sent. */
  waiting: readonly {
    href: string;
    office: string;
    nominee: string;
    proposer: string | null;
    role: 'nominee' | 'seconder';
  }[];
  done: boolean;
  /** Where another nomination stands by which the same person stands already. */
  standing?: ProposalState | undefined;
  /** Why the last answer was refused. */
  refused: Words | undefined;
}

/** The words for where a nomination stands; those of a nominee who has not answered are the question itself. */
const STATES: Record<Exclude<ProposalState, 'unconfirmed'>, (props: AnswerProps) => string> = {
  unseconded: ({ seconders }) =>
    `Confirmed. ${seconders.have} of ${seconders.needed} seconders have answered.`,
  ready: () => 'Confirmed. The officers decide on it next.',
  accepted: () => 'Accepted: the name is on the ballot.',
  refused: ({ reason }) => `Refused${reason ? `: ${reason}` : '.'}`,
  withdrawn: () => 'Withdrawn.',
};

const STATE_OF_STANDING: Partial<Record<ProposalState, string>> = {
  unseconded: 'Seconders are still missing.',
  ready: 'The officers decide on it next.',
  accepted: 'The name is on the ballot.',
};

/** The page behind the link of a nominee or a seconder. */
export function answerPage(props: AnswerProps): Html {
  const { action, meeting, item, name, text, proposer, state, role, seconded, isOpen, closes, until } = props;
  const isDecided = ['accepted', 'refused', 'withdrawn'].includes(state);
  const { standing } = props;
  const said = standing
    ? `${name} stands already: another proposal was confirmed before.${
        state === 'unconfirmed'
          ? ' A Yes adds the seconders of this one to it.'
          : ` ${STATE_OF_STANDING[standing] ?? ''}`
      }`
    : role === 'seconder' && seconded
      ? 'You second this nomination.'
      : state === 'unconfirmed'
        ? undefined
        : STATES[state](props);
  const button = (value: string, label: string, quiet = false) =>
    html`<form method="post" action="${action}">${hiddenInputs({ action: value })}
<button class="button${quiet && ' button-quiet'}">${label}</button></form>`;
  const consent = html`<form method="post" action="${action}"${
    props.takesPicture && html` enctype="multipart/form-data"`
  }>${hiddenInputs({ action: 'consent' })}${
    props.takesPicture &&
    html`<div class="field"><label for="picture">A picture of you <span class="optional">(optional)</span></label>
<p class="hint" id="picture-hint">${
      props.hasPicture ? 'There is one already. ' : ''
    }JPEG, PNG or WebP, at most 10 MB. Shown on the ballot.</p>
<input class="input" type="file" id="picture" name="picture" accept="image/*" aria-describedby="picture-hint"></div>`
  }<button class="button">Yes, I stand</button></form>`;
  const body = html`${props.refused && notice('danger', props.refused, 'Nothing was changed')}
${props.done && !props.refused && notice('success', 'Your answer is recorded.')}
${pageHeader({
  title: role === 'nominee' ? `Nomination for ${item.title}` : `Second ${name}?`,
  crumbs: [{ href: `/m/${meeting.id}`, label: meeting.title }],
})}
<div class="card">${definitionList([
    ['Office', item.title],
    ['Nominee', name],
    ...(proposer ? [['Proposed by', proposer] as const] : []),
  ])}${text && plainText(text)}${said && html`<p><strong>${said}</strong></p>`}
${
  !isOpen &&
  !isDecided &&
  notice('info', `Nominations closed on ${closes}. Ask the committee whether they can be extended.`)
}
${isOpen && !isDecided && html`<p class="small soft">Answer until ${until}.</p>`}
<div class="actions">${role === 'nominee' && state === 'unconfirmed' && isOpen && consent}
${role === 'seconder' && !seconded && isOpen && !isDecided && button('second', `Yes, I second ${name}`)}
${role === 'seconder' && seconded && isOpen && !isDecided && button('withdraw', 'Take it back', true)}
${
  role === 'nominee' &&
  !['withdrawn', 'refused'].includes(state) &&
  props.mayWithdraw &&
  button('withdraw', state === 'unconfirmed' ? 'No, I do not stand' : 'Withdraw', true)
}</div></div>
${
  props.waiting.length > 0 &&
  html`<section class="panel"><h2>Also waiting for your answer</h2><ul>${props.waiting.map(
    (one) => html`
<li><a href="${one.href}">${one.role === 'nominee' ? `Nomination for ${one.office}` : `Second ${one.nominee} for ${one.office}`}</a>${
      one.proposer && html` <span class="soft">proposed by ${one.proposer}</span>`
    }</li>`,
  )}</ul></section>`
}`;
  return page({ title: `Nomination for ${item.title}`, body });
}
