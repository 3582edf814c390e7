import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Reader, Words } from '#kernel/language/words.ts';
import { type QrModules, slipSheets, slipsOnSheet } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import {
  crumbsTo,
  inMeeting,
  navOf,
  type OfficerProps,
  officerPage,
  thisOne,
} from '#views/voting/admin/frame.ts';
import { trialSubject } from '#views/voting/trial.ts';
import { adminPath, type Named } from '#views/voting/words.ts';

/** The data of the page with voting slips to print and cut. */
export interface SlipsProps extends OfficerProps {
  /** The name of the club. */
  club: string;
  /** Whoever reads the second part of a slip, in another language than that of the club. */
  second?: Reader | undefined;
  /** `translated`: its title in the second language. */
  election: Named & { translated?: string | undefined };
  /** What is asked on a ballot paper. */
  questions?: readonly { number?: string | undefined; title: string; translated?: string | undefined }[];
  /** When the election is deleted, if it is a trial. */
  trial?: Words | undefined;
  /** When voting closes, already formatted. */
  closes: Words | string;
  /** The address to type a code at, as it is printed: `club.example/vote`. */
  address: string;
  /** Each with the QR code of its voting link; the link itself where its code is too long to be typed. */
  slips: readonly { name?: string; token: string; url?: string | undefined; qr: QrModules }[];
  /** Whether they can be printed again. */
  kept?: boolean;
}

/** Voting slips, eight on a sheet of A4. */
export function slipsPage({
  club,
  second,
  election,
  closes,
  address,
  slips,
  trial,
  questions = [],
  kept = false,
  viewer,
}: SlipsProps): Html {
  const sheets = Math.ceil(slips.length / slipsOnSheet(second !== undefined));
  const body = html`${pageHeader({
    title: t('voting-admin.slips.voting_slips'),
    lede: t('voting-admin.slips.slips_sheets_a4_cut_along', { slips: slips.length, sheets }),
    crumbs: crumbsTo(election.meeting, {
      href: adminPath(election),
      label: thisOne(election),
    }),
    actions: html`<button class="button" type="button" data-print hidden>${t('voting-admin.slips.print')}</button>`,
  })}
${inMeeting(
  election.meeting,
  html`<div class="screen-only">${
    kept
      ? notice(
          'attention',
          t('voting-admin.slips.anyone_who_slip_cast_ballot'),
          t('voting-admin.slips.each_slip_somebodys_vote'),
        )
      : notice(
          'attention',
          t('voting-admin.slips.these_slips_kept_anywhere_print'),
          t('voting-admin.slips.shown_only_now'),
        )
  }</div>
${slipSheets(
  club,
  slips.map(({ name, token, url, qr }) => ({
    title: trialSubject(election.title, trial),
    text: slipText({ trial, name, questions, closes, address }, second ? 'twice' : 'once'),
    again: second && {
      reader: second,
      title: election.translated,
      text: slipText({ trial, questions: questions.map(inSecond), closes, address }, 'twice'),
    },
    code: token,
    url,
    qr,
  })),
)}`,
)}`;
  return officerPage({
    title: t('voting-admin.slips.document_title', { title: election.title }),
    body,
    nav: navOf(election.meeting),
    viewer,
    givesAddress: true,
  });
}

/** How many titles each part of a slip has room for, and how much of each; the ballot shows all. */
const LISTED = { once: 6, twice: 2 };
const TITLE_AT_MOST = 50;

type Questions = NonNullable<SlipsProps['questions']>;

function slipText(
  {
    trial,
    name,
    questions,
    closes,
    address,
  }: { name?: string | undefined; questions: Questions } & Pick<SlipsProps, 'closes' | 'address' | 'trial'>,
  room: keyof typeof LISTED,
): Words {
  const listed = asked(questions, LISTED[room]);
  const more = questions.length - LISTED[room];
  const until = { closes, address };
  return sentences([
    trial !== undefined && t('voting.slips.trial'),
    name !== undefined && t('voting.slips.name', { name }),
    ...listed,
    more > 0 && t('voting.slips.more', { more }),
    questions.length > 1 ? t('voting.slips.text_of_several', until) : t('voting.slips.text', until),
  ])!;
}

/** A question as the second part names it: by its title in that language, where it has one. */
const inSecond = ({ number, title, translated = title }: Questions[number]) => ({
  number,
  title: translated,
});

/** The questions of a ballot paper, numbered; those of a meeting as on its agenda. */
const asked = (questions: Questions, most: number): string[] =>
  questions.slice(0, most).map(({ number, title }, at) => {
    const short = title.length > TITLE_AT_MOST ? `${title.slice(0, TITLE_AT_MOST).trimEnd()}…` : title;
    return `${number ?? at + 1}. ${short}`;
  });
