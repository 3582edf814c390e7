import { type Html, html } from '#kernel/html.ts';
import type { MeetingInvited } from '#meetings/invitations.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { type Entered, enteredLines, enteredText } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
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
    title: 'Check before sending',
    lede: meeting.title,
    crumbs: [
      { href: '/admin/meetings', label: 'Meetings' },
      { href: meetingPath(meeting.id, 'mails'), label: meeting.title },
    ],
  })}
${besideMeeting(
  props,
  html`${
    queued === 0 &&
    notice('attention', 'Nobody of those who were chosen is to be mailed.', 'There is nobody to invite')
  }
${definitionList([
  ['Mailed', counted(queued, 'mail')],
  ...(waiting > 0
    ? [['Still waiting', counted(waiting, 'mail from before', 'mails from before')] as const]
    : []),
  ...(unreached.length > 0 ? [['Without an address', listed(unreached)] as const] : []),
  ...(invalid.length > 0 ? [['Not addresses', listed(invalid.map(({ email }) => email))] as const] : []),
  ...(from === undefined ? [] : [['Sender and answers', from] as const]),
])}
${unreached.length > 0 && html`<p>Letters for those without an address are on the page before.</p>`}
<section aria-labelledby="mail-title"><h2 id="mail-title">${mail.subject}</h2>
<pre class="mail-text" tabindex="0" aria-label="Text of the mail">${mail.text}</pre>
<p class="small soft">Each member also gets a number for the door, with a square, and a calendar file.</p></section>
${
  addresses.length > 0 &&
  html`<details><summary>${counted(addresses.length, 'address', 'addresses')}</summary><ol class="fold recipients" tabindex="0"
aria-label="Everyone who is mailed">${addresses.map((email) => html`<li>${email}</li>`)}</ol></details>`
}
<div class="actions">${
    queued > 0 &&
    html`<form method="post" action="${path}">${kept}<button class="button">Send ${counted(queued, 'invitation')}</button></form>`
  }<form method="post" action="${path}/edit">${kept}<button class="button button-quiet">Change</button></form></div>`,
)}`;
  return officerPage({ title: 'Check before sending', body, nav: '/admin/meetings', viewer });
}
