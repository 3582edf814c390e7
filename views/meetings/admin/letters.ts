import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { inClubLanguage } from '#views/components/slots.ts';
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
    title: t('meetings-admin.letters.letters'),
    lede: t('meetings-admin.letters.letters_members_without_mail_address', { n: letters.length }),
    crumbs: [
      { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
      { href: meetingPath(meeting.id, 'mails'), label: meeting.title },
    ],
    actions:
      letters.length > 0 &&
      html`<button class="button" type="button" data-print hidden>${t('meetings-admin.shared.print')}</button>`,
  })}
${besideMeeting(
  props,
  html`${letters.length === 0 && notice('info', t('meetings-admin.letters.everybody_who_vote_mail_address'))}
${letters.map(({ name, number, qr }) =>
  inClubLanguage(html`<article class="card letter"><p>${club}</p><p>${name}</p>
<p class="eyebrow">${eyebrow}</p><h2>${heading}</h2>${content}
<div class="door-number">${qrCode(qr, t('meetings.letters.qr_code_number_door'))}<p class="slip-code">${number}</p></div>
<p>${t('meetings.letters.show_door_say_number_finds')}</p></article>`),
)}`,
)}`;
  return officerPage({
    title: t('meetings-admin.letters.document_title', { title: meeting.title }),
    body,
    nav: '/admin/meetings',
    givesAddress: true,
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}
