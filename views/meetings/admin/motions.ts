import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { MOTION_CALL } from '#meetings/motions/calls.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { pageHeader, plainText } from '#views/components/structure.ts';
import { meetingPath } from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { acceptAllForm, decisionForms, isOver, mailCallForm, proposalBadge } from './proposals.ts';
import { besideMeeting } from './sub-pages.ts';

/** A motion that was handed in, as officers see it. */
export interface MotionRow {
  id: string;
  name: string;
  email: string;
  title: string;
  text: string;
  reason: string | null;
  state: ProposalState;
  decision_reason: string | null;
  /** On the agenda; null where it is not on it, or not any more. */
  item: { id: string; number: string } | null;
  seconders: readonly { name: string; email: string; seconded: boolean }[];
}

/** The data of the officers' page of a call for motions. Times are already formatted. */
export interface MotionsProps extends OfficerProps {
  meeting: MeetingPlace;
  /** Undefined until motions are called for. */
  call:
    | {
        opens: string;
        closes: string;
        /** Until when they could be handed in at first. */
        extendedFrom: string | undefined;
        state: 'before' | 'open' | 'over';
        /** When the call was mailed; undefined before that. */
        mailed: string | undefined;
        /** How many addresses of members the mail goes to. */
        called: number;
        motions: readonly MotionRow[];
      }
    | undefined;
  /** The values of the form. */
  fields: Record<string, string>;
  zone: string;
  done: string | undefined;
  refused: RefusedForm | undefined;
}

/** The words of the fields of a call, and of a decision. */
export const MOTION_CALL_WORDS: Words<typeof MOTION_CALL.fields, 'reason'> = {
  opens_at: { label: 'From' },
  closes_at: { label: 'Until' },
  who: {
    label: 'Who can hand in a motion?',
    options: [
      {
        value: 'members',
        label: 'Members',
        note: 'Whoever may vote on the day of the meeting. A stranger gets the same answer and no mail.',
      },
      { value: 'anybody', label: 'Anybody with a mail address' },
    ],
  },
  seconders: { label: 'Seconders', hint: 'How many members have to second each motion: 0 to 5.' },
  reason: { label: 'Reason', hint: 'The author reads it.' },
};

/** The officers' page of a call for motions: its rules, what came in, and the decisions. */
export function motionsPage(props: MotionsProps): Html {
  const { meeting, call, fields, zone, done, refused, viewer } = props;
  const at = `/admin/meetings/${meeting.id}/motions`;
  const mayWrite = mayDo(props, 'elections:write');
  const mayDecide = mayWrite && meeting.state !== 'closed';
  const mayCall = mayWrite && meeting.state === 'prepared';
  const body = html`${refusedNotice(refused, labelsOf(MOTION_CALL_WORDS))}${done && notice('success', done)}
${pageHeader({
  title: 'Motions of members',
  lede: call ? `From ${call.opens} until ${call.closes}.` : 'Nobody is asked for motions yet.',
  crumbs: [
    { href: '/admin/meetings', label: 'Meetings' },
    { href: meetingPath(meeting.id), label: meeting.title },
  ],
  actions:
    call && html`<a class="button button-quiet" href="/m/${meeting.id}/motions">The form to hand one in</a>`,
})}
${besideMeeting(
  props,
  html`${call?.extendedFrom && notice('info', `Extended: it was to close on ${call.extendedFrom}.`)}
${call && mayCall && call.state !== 'over' && mailCallForm(at, call)}
${
  call &&
  pageSection({
    id: 'motions',
    title: 'Motions',
    about: 'An accepted one is an item of the agenda, with its mover and seconders.',
    work:
      call.motions.length === 0
        ? html`<p class="soft">None yet.</p>`
        : html`${mayDecide && acceptAllForm(at, call.motions)}<ul class="agenda" role="list">${call.motions.map((one) => motion(props, one, mayDecide))}</ul>`,
  })
}
${
  mayCall &&
  pageSection({
    id: 'call',
    title: call ? 'The call' : 'Call for motions',
    about: `All times are ${zone}.${call ? ' A later end extends it for everybody.' : ''}`,
    work: html`<form method="post" action="${at}?_method=PUT">
${recordFields(MOTION_CALL, MOTION_CALL_WORDS, { entered: { ...fields, ...refused?.entered }, errors: refused?.errors ?? [] })}
<div class="actions"><button class="button">${call ? 'Save' : 'Call for motions'}</button></div></form>`,
  })
}`,
)}`;
  return officerPage({
    title: `Motions: ${meeting.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

function motion({ meeting, refused }: MotionsProps, one: MotionRow, mayDecide: boolean): Html {
  const seconded = one.seconders.filter((seconder) => seconder.seconded);
  return html`<li class="card"><p class="eyebrow">${proposalBadge(
    one.state,
    one.item ? `Item ${one.item.number}` : 'Accepted, off the agenda',
  )}</p><h3>${one.title}</h3>
<p class="small">Proposed by ${one.name}, ${one.email}${
    one.seconders.length > 0 &&
    html`<br>Seconded by ${seconded.length} of ${one.seconders.length} who were asked${
      seconded.length > 0 && `: ${listed(seconded.map(({ name }) => name))}`
    }`
  }</p>
${plainText(one.text)}${one.reason && html`<p class="small soft">Reasons:</p>${plainText(one.reason)}`}${
  one.decision_reason && html`<p class="small soft">Refused: ${one.decision_reason}</p>`
}${
  one.item &&
  html`<p><a class="link-alone" href="${meetingPath(meeting.id)}/items/${one.item.id}">The item<span class="visually-hidden">: ${one.title}</span></a></p>`
}
${
  mayDecide &&
  !isOver(one.state) &&
  decisionForms(
    `/admin/meetings/${meeting.id}/motions/${one.id}`,
    { id: one.id, name: one.title, state: one.state },
    { ...MOTION_CALL_WORDS.reason!, refused },
  )
}</li>`;
}

/** How many motions wait for a decision, for the page of the agenda. */
export const motionsWaiting = (count: number): string =>
  `${counted(count, 'waits', 'wait')} for your decision.`;
