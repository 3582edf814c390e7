import { type Html, html } from '#kernel/html.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { meetingPath } from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { besideMeeting } from './sub-pages.ts';

/** The data of the page with letters to print. */
export interface LettersProps extends OfficerProps {
  meeting: MeetingPlace;
  /** What the mail says, on paper. */
  mail: { club: string; eyebrow: string; heading: string; content: Html };
  letters: readonly { name: string; number: string; qr: QrModules }[];
}

/** The invitation as a letter to each member without a mail address, with the number for the door. */
export function lettersPage(props: LettersProps): Html {
  const { meeting, mail, letters, viewer } = props;
  const { club, eyebrow, heading, content } = mail;
  const body = html`${pageHeader({
    title: 'Letters',
    lede: `${counted(letters.length, 'letter')} to members without a mail address.`,
    crumbs: [
      { href: '/admin/meetings', label: 'Meetings' },
      { href: meetingPath(meeting.id, 'mails'), label: meeting.title },
    ],
    actions:
      letters.length > 0 && html`<button class="button" type="button" data-print hidden>Print</button>`,
  })}
${besideMeeting(
  props,
  html`${letters.length === 0 && notice('info', 'Everybody who may vote has a mail address.')}
${letters.map(
  ({ name, number, qr }) => html`<article class="card letter"><p>${club}</p><p>${name}</p>
<p class="eyebrow">${eyebrow}</p><h2>${heading}</h2>${content}
<div class="door-number">${qrCode(qr, 'QR code of the number for the door')}<p class="slip-code">${number}</p></div>
<p>Show this at the door, or say the number: it finds you on the list. It is not a voting code.</p></article>`,
)}`,
)}`;
  return officerPage({
    title: `Letters: ${meeting.title}`,
    body,
    nav: '/admin/meetings',
    givesAddress: true,
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}
