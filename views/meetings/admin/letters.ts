import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Reader } from '#kernel/language/words.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { inLanguageOf } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { meetingPath } from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { besideMeeting } from './sub-pages.ts';

/** What a mail says on paper to a reader. */
interface PaperMail {
  reader: Reader;
  club: string;
  eyebrow: string;
  heading: string;
  content: Html;
}

/** The data of the page with letters to print. */
export interface LettersProps extends OfficerProps {
  meeting: MeetingPlace;
  /** What the mail says on paper, in the language of the club, and the same in its second one. */
  mail: PaperMail;
  again?: PaperMail | undefined;
  letters: readonly { name: string; number: string; qr: QrModules }[];
}

/** The invitation as a letter to each member without a mail address, with the number for the door. */
export function lettersPage(props: LettersProps): Html {
  const { meeting, letters, viewer } = props;
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
${letters.map((letter) => letterOf(letter, props))}`,
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

/** The number stays with the first part, which may fill a page: both languages say there what it is for. */
function letterOf(
  { name, number, qr }: LettersProps['letters'][number],
  { mail, again }: Pick<LettersProps, 'mail' | 'again'>,
): Html {
  const { reader, club, eyebrow, heading, content } = mail;
  const useOfNumber = t('meetings.letters.show_door_say_number_finds');
  return inLanguageOf(
    reader,
    (lang) => html`<article class="card letter${again && ' letter-twice'}"${lang}><p>${club}</p><p>${name}</p>
<section><p class="eyebrow">${eyebrow}</p><h2>${heading}</h2>${content}</section>
<div class="door-number keep-together">${qrCode(qr, t('meetings.letters.qr_code_number_door'))}<p class="slip-code">${number}</p></div>
<p>${useOfNumber}</p>${
      again &&
      inLanguageOf(
        again.reader,
        (other) => html`<p${other}>${useOfNumber}</p>
<section class="letter-again"${other}><p class="eyebrow">${again.eyebrow}</p><h2>${again.heading}</h2>${again.content}</section>`,
      )
    }</article>`,
  );
}
