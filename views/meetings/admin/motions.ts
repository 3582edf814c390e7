import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { MOTION_CALL } from '#meetings/motions/calls.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { type Words as FieldsWords, labelsOf, recordFields } from '#views/components/record-fields.ts';
import { hidden } from '#views/components/slots.ts';
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
        opens: Words;
        closes: Words;
        /** Until when they could be handed in at first. */
        extendedFrom: Words | undefined;
        state: 'before' | 'open' | 'over';
        /** When the call was mailed; undefined before that. */
        mailed: Words | undefined;
        /** How many addresses of members the mail goes to. */
        called: number;
        motions: readonly MotionRow[];
      }
    | undefined;
  /** The values of the form. */
  fields: Record<string, string>;
  zone: Words;
  done: Words | string | undefined;
  refused: RefusedForm | undefined;
}

/** The words of the fields of a call, and of a decision. */
export const MOTION_CALL_WORDS: FieldsWords<typeof MOTION_CALL.fields, 'reason'> = {
  opens_at: { label: t('meetings-admin.motions.from') },
  closes_at: { label: t('meetings-admin.motions.until') },
  who: {
    label: t('meetings-admin.motions.who_hand_motion'),
    options: [
      {
        value: 'members',
        label: t('meetings-admin.shared.members'),
        note: t('meetings-admin.shared.whoever_vote_day_meeting_stranger'),
      },
      { value: 'anybody', label: t('meetings-admin.shared.anybody_mail_address') },
    ],
  },
  seconders: {
    label: t('meetings-admin.shared.seconders'),
    hint: t('meetings-admin.motions.how_many_members_second_each'),
  },
  reason: { label: t('meetings-admin.motions.reason'), hint: t('meetings-admin.motions.author_reads') },
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
  title: t('meetings-admin.shared.motions_members'),
  lede: call
    ? t('meetings-admin.shared.until', { opens: call.opens, closes: call.closes })
    : t('meetings-admin.motions.asked_motions_yet'),
  crumbs: [
    { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
    { href: meetingPath(meeting.id), label: meeting.title },
  ],
  actions:
    call &&
    html`<a class="button button-quiet" href="/m/${meeting.id}/motions">${t('meetings-admin.motions.form_hand')}</a>`,
})}
${besideMeeting(
  props,
  html`${call?.extendedFrom && notice('info', t('meetings-admin.shared.extended_close', { extended: call.extendedFrom }))}
${call && mayCall && call.state !== 'over' && mailCallForm(at, call)}
${
  call &&
  pageSection({
    id: 'motions',
    title: t('meetings-admin.motions.motions'),
    about: t('meetings-admin.motions.accepted_item_agenda_mover_seconders'),
    work:
      call.motions.length === 0
        ? html`<p class="soft">${t('meetings-admin.shared.none_yet')}</p>`
        : html`${mayDecide && acceptAllForm(at, call.motions)}<ul class="agenda" role="list">${call.motions.map((one) => motion(props, one, mayDecide))}</ul>`,
  })
}
${
  mayCall &&
  pageSection({
    id: 'call',
    title: call ? t('meetings-admin.shared.call') : t('meetings-admin.shared.call_motions'),
    about: call
      ? t('meetings-admin.shared.all_times_later_end_extends', { zone })
      : t('meetings-admin.shared.all_times', { zone }),
    work: html`<form method="post" action="${at}?_method=PUT">
${recordFields(MOTION_CALL, MOTION_CALL_WORDS, { entered: { ...fields, ...refused?.entered }, errors: refused?.errors ?? [] })}
<div class="actions"><button class="button">${call ? t('meetings-admin.shared.save') : t('meetings-admin.shared.call_motions')}</button></div></form>`,
  })
}`,
)}`;
  return officerPage({
    title: t('meetings-admin.motions.document_title', { title: meeting.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

function motion({ meeting, refused }: MotionsProps, one: MotionRow, mayDecide: boolean): Html {
  return html`<li class="card"><p class="eyebrow">${proposalBadge(
    one.state,
    one.item
      ? t('meetings-admin.motions.item_number', { number: one.item.number })
      : t('meetings-admin.motions.accepted_off_agenda'),
  )}</p><h3>${one.title}</h3>
<p class="small">${t('meetings-admin.motions.proposed_by', { name: one.name, email: one.email })}${
    one.seconders.length > 0 && html`<br>${secondedBy(one)}`
  }</p>
${plainText(one.text)}${one.reason && html`<p class="small soft">${t('meetings-admin.motions.reasons')}</p>${plainText(one.reason)}`}${
  one.decision_reason &&
  html`<p class="small soft">${t('meetings-admin.shared.refused', { reason: one.decision_reason })}</p>`
}${
  one.item &&
  html`<p><a class="link-alone" href="${meetingPath(meeting.id)}/items/${one.item.id}">${t('meetings-admin.motions.to_item', { hidden, title: one.title })}</a></p>`
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

/** How many of the seconders have answered, and who. */
function secondedBy({ seconders }: MotionRow): Words {
  const names = seconders.filter(({ seconded }) => seconded).map(({ name }) => name);
  const counts = { n: names.length, of: seconders.length };
  return names.length === 0
    ? t('meetings-admin.motions.seconded_by', counts)
    : t('meetings-admin.motions.seconded_by_names', { ...counts, names: allOf(names) });
}

/** How many motions wait for a decision, for the page of the agenda. */
export const motionsWaiting = (n: number): Words => t('meetings-admin.motions.wait_decision', { n });
