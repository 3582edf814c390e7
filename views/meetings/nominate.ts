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
  name: { label: t('meetings.nominate.name') },
  email: { label: t('meetings.nominate.email'), hint: t('meetings.hand_in.email_hint') },
  text: { label: t('meetings.nominate.about'), hint: t('meetings.nominate.about_hint') },
  proposer: { label: t('meetings.nominate.proposer'), hint: t('meetings.nominate.proposer_hint') },
  seconders: { label: t('meetings.hand_in.seconders') },
};

/** The data of the form that nominates somebody. Times are already formatted. */
export interface NominateProps {
  meeting: { id: string; title: string };
  item: { id: string; title: string; text: string | null };
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

/** The form that nominates somebody for an office. */
export function nominatePage({ meeting, item, call, refused }: NominateProps): Html {
  const { entered = {}, errors = [] } = refused ?? {};
  const { at } = inputsOf(WORDS, { entered, errors });
  const summary = refusedNotice(refused, labelsOf(WORDS), (path) => path.split('.')[0]!, 'sent');
  const body = html`${summary}
${pageHeader({
  title: t('meetings.nominate.title', { office: asWritten(item.title) }),
  lede: call.state === 'open' ? t('meetings.hand_in.until', { when: call.closes }) : undefined,
  crumbs: [{ href: `/m/${meeting.id}`, label: asWritten(meeting.title) }],
})}
${item.text && plainText(item.text)}
${
  call.state === 'open'
    ? html`<form class="card" method="post" action="/m/${meeting.id}/nominate/${item.id}">
<p>${call.who === 'members' ? t('meetings.nominate.who_members') : t('meetings.nominate.who_anybody')}</p>
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
    hint: t('meetings.nominate.seconders_hint', { n: call.seconders }),
  })
}
<div class="actions"><button class="button">${t('meetings.nominate.button')}</button></div></form>`
    : notice(
        'info',
        call.state === 'before'
          ? t('meetings.nominate.before', { when: call.opens })
          : call.isPast
            ? t('meetings.nominate.past', { when: call.closes })
            : t('meetings.nominate.over'),
      )
}`;
  return page({
    title: t('meetings.nominate.title', { office: item.title }),
    body,
    scripts: ['base/officers.js'],
  });
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
  const body = html`${pageHeader({ title: t('meetings.handed_in.thanks') })}
<p>${t('meetings.nominated.what_next', { email })}</p>
${seconders > 0 && html`<p>${t('meetings.handed_in.seconders')}</p>`}
<p><a class="link-alone" href="/m/${meetingId}">${t('meetings.handed_in.back')}</a></p>`;
  return page({ title: t('meetings.nominated.title'), body });
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
  closes: Words;
  /** Until when it can be answered: the close, or a day until a mailbox has confirmed it. */
  until: Words;
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
const STATES: Record<Exclude<ProposalState, 'unconfirmed'>, (props: AnswerProps) => Words> = {
  unseconded: ({ seconders }) =>
    t('meetings.motion_answer.unseconded', { have: seconders.have, n: seconders.needed }),
  ready: () => t('meetings.motion_answer.ready'),
  accepted: () => t('meetings.nomination_answer.accepted'),
  refused: ({ reason }) =>
    reason ? t('meetings.motion_answer.refused_because', { reason }) : t('meetings.motion_answer.refused'),
  withdrawn: () => t('meetings.motion_answer.withdrawn'),
};

/** That the same person stands already, by where that nomination stands. */
const STANDS: Record<ProposalState, (name: string) => Words> = {
  unconfirmed: (name) => t('meetings.nomination_answer.stands', { name }),
  unseconded: (name) => t('meetings.nomination_answer.stands_unseconded', { name }),
  ready: (name) => t('meetings.nomination_answer.stands_ready', { name }),
  accepted: (name) => t('meetings.nomination_answer.stands_accepted', { name }),
  refused: (name) => t('meetings.nomination_answer.stands', { name }),
  withdrawn: (name) => t('meetings.nomination_answer.stands', { name }),
};

/** The page behind the link of a nominee or a seconder. */
export function answerPage(props: AnswerProps): Html {
  const { action, meeting, item, name, text, proposer, state, role, seconded, isOpen, closes, until } = props;
  const isDecided = ['accepted', 'refused', 'withdrawn'].includes(state);
  const { standing } = props;
  const said = standing
    ? state === 'unconfirmed'
      ? t('meetings.nomination_answer.stands_unconfirmed', { name })
      : STANDS[standing](name)
    : role === 'seconder' && seconded
      ? t('meetings.nomination_answer.you_second')
      : state === 'unconfirmed'
        ? undefined
        : STATES[state](props);
  const button = (value: string, label: Words, quiet = false) =>
    html`<form method="post" action="${action}">${hiddenInputs({ action: value })}
<button class="button${quiet && ' button-quiet'}">${label}</button></form>`;
  const consent = html`<form method="post" action="${action}"${
    props.takesPicture && html` enctype="multipart/form-data"`
  }>${hiddenInputs({ action: 'consent' })}${
    props.takesPicture &&
    html`<div class="field"><label for="picture">${t('meetings.nomination_answer.picture', {
      optional: (inside) => html`<span class="optional">${inside}</span>`,
    })}</label>
<p class="hint" id="picture-hint">${
      props.hasPicture
        ? t('meetings.nomination_answer.picture_hint_again')
        : t('meetings.nomination_answer.picture_hint')
    }</p>
<input class="input" type="file" id="picture" name="picture" accept="image/*" aria-describedby="picture-hint"></div>`
  }<button class="button">${t('meetings.nomination_answer.yes')}</button></form>`;
  const body = html`${props.refused && notice('danger', props.refused, t('meetings.motion_answer.nothing_changed'))}
${props.done && !props.refused && notice('success', t('meetings.motion_answer.recorded'))}
${pageHeader({
  title:
    role === 'nominee'
      ? t('meetings.nomination_answer.title', { office: asWritten(item.title) })
      : t('meetings.nomination_answer.title_second', { name }),
  crumbs: [{ href: `/m/${meeting.id}`, label: asWritten(meeting.title) }],
})}
<div class="card">${definitionList([
    [t('meetings.nomination_answer.office'), asWritten(item.title)],
    [t('meetings.nomination_answer.nominee'), name],
    ...(proposer ? [[t('meetings.motion_answer.proposed_by'), proposer] as const] : []),
  ])}${text && plainText(text)}${said && html`<p><strong>${said}</strong></p>`}
${!isOpen && !isDecided && notice('info', t('meetings.nominate.past', { when: closes }))}
${isOpen && !isDecided && html`<p class="small soft">${t('meetings.motion_answer.answer_until', { when: until })}</p>`}
<div class="actions">${role === 'nominee' && state === 'unconfirmed' && isOpen && consent}
${role === 'seconder' && !seconded && isOpen && !isDecided && button('second', t('meetings.nomination_answer.second', { name }))}
${role === 'seconder' && seconded && isOpen && !isDecided && button('withdraw', t('meetings.motion_answer.take_back'), true)}
${
  role === 'nominee' &&
  !['withdrawn', 'refused'].includes(state) &&
  props.mayWithdraw &&
  button(
    'withdraw',
    state === 'unconfirmed' ? t('meetings.nomination_answer.no') : t('meetings.nomination_answer.withdraw'),
    true,
  )
}</div></div>
${
  props.waiting.length > 0 &&
  html`<section class="panel"><h2>${t('meetings.motion_answer.also_waiting')}</h2><ul>${props.waiting.map(
    (one) => html`
<li><a href="${one.href}">${one.role === 'nominee' ? t('meetings.nomination_answer.title', { office: one.office }) : t('meetings.nomination_answer.waiting_second', { name: one.nominee, office: one.office })}</a>${
      one.proposer &&
      html` <span class="soft">${t('meetings.motion_answer.waiting_by', { name: one.proposer })}</span>`
    }</li>`,
  )}</ul></section>`
}`;
  return page({ title: t('meetings.nomination_answer.title', { office: item.title }), body });
}
