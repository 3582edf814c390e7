import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { MeetingInvited } from '#meetings/invitations.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { type Entered, enteredLines, enteredText } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { meetingPath } from '#views/meetings/words.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { besideMeeting } from './sub-pages.ts';

/** The data of the page before an invitation to a meeting is sent. */
export interface MeetingInviteCheckProps extends OfficerProps {
  meeting: MeetingPlace;
  /** Whom it would reach, and the addresses of it that the viewer may see. */
  invited: MeetingInvited & { addresses: readonly string[] };
  /** The mail, without the number for the door, which is another one in each. */
  mail: { subject: string; text: string };
  /** The sender, whom answers reach. */
  from: string | undefined;
  /** What was entered in the form, to send it or to change it. */
  entered: Entered;
}

/** Who gets the invitation and what it says, before it goes out. */
export function meetingInviteCheckPage(props: MeetingInviteCheckProps): Html {
  const { meeting, invited, mail, from, entered, viewer } = props;
  const { addresses, queued, waiting, unreached, invalid } = invited;
  const path = `/admin/meetings/${meeting.id}/invite`;
  const kept = hiddenInputs({
    roll: enteredText(entered, 'roll') || undefined,
    distribution_list_ids: [entered.distribution_list_ids ?? []].flat().map(String),
    emails: enteredLines(entered, 'emails'),
    message: enteredText(entered, 'message'),
  });
  const body = html`${pageHeader({
    title: t('meetings-admin.shared.check_before_sending'),
    lede: meeting.title,
    crumbs: [
      { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
      { href: meetingPath(meeting.id, 'mails'), label: meeting.title },
    ],
  })}
${besideMeeting(
  props,
  html`${
    queued === 0 &&
    notice(
      'attention',
      t('meetings-admin.invite_check.those_who_chosen_mailed'),
      t('meetings-admin.invite_check.invite'),
    )
  }
${definitionList([
  [t('meetings-admin.invite_check.mailed'), t('meetings-admin.invite_check.mails', { queued })],
  ...(waiting > 0
    ? [
        [
          t('meetings-admin.invite_check.still_waiting'),
          t('meetings-admin.invite_check.mails_before', { waiting }),
        ] as const,
      ]
    : []),
  ...(unreached.length > 0
    ? [[t('meetings-admin.invite_check.without_address'), allOf(unreached)] as const]
    : []),
  ...(invalid.length > 0
    ? [[t('meetings-admin.invite_check.not_addresses'), allOf(invalid.map(({ email }) => email))] as const]
    : []),
  ...(from === undefined ? [] : [[t('meetings-admin.invite_check.sender_answers'), from] as const]),
])}
${unreached.length > 0 && html`<p>${t('meetings-admin.invite_check.letters_those_without_address_page')}</p>`}
<section aria-labelledby="mail-title"><h2 id="mail-title">${mail.subject}</h2>
<pre class="mail-text" tabindex="0" aria-label="${t('meetings-admin.invite_check.text_mail')}">${mail.text}</pre>
<p class="small soft">${t('meetings-admin.invite_check.each_member_also_gets_number')}</p></section>
${
  addresses.length > 0 &&
  html`<details><summary>${t('meetings-admin.invite_check.address_count', { n: addresses.length })}</summary><ol class="fold recipients" tabindex="0"
aria-label="${t('meetings-admin.invite_check.everyone_who_mailed')}">${addresses.map((email) => html`<li>${email}</li>`)}</ol></details>`
}
<div class="actions">${
    queued > 0 &&
    html`<form method="post" action="${path}">${kept}<button class="button">${t('meetings-admin.invite_check.send_invitations', { queued })}</button></form>`
  }<form method="post" action="${path}/edit">${kept}<button class="button button-quiet">${t('meetings-admin.invite_check.change')}</button></form></div>`,
)}`;
  return officerPage({
    title: t('meetings-admin.shared.check_before_sending'),
    body,
    nav: '/admin/meetings',
    viewer,
  });
}
