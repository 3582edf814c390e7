import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { type QrModules, SLIPS_A_SHEET, slipSheets } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { crumbsTo, inMeeting, navOf, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { trialSubject } from '#views/voting/trial.ts';
import { adminPath, calledOf, type Named } from '#views/voting/words.ts';

/** The data of the page with voting slips to print and cut. */
export interface SlipsProps extends OfficerProps {
  /** The name of the club. */
  club: string;
  election: Named;
  /** What is asked on a ballot paper. */
  questions?: readonly { number?: string | undefined; title: string }[];
  /** When the election is deleted, if it is a trial. */
  trial?: Words | undefined;
  /** When voting closes, already formatted. */
  closes: string;
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
  election,
  closes,
  address,
  slips,
  trial,
  questions = [],
  kept = false,
  viewer,
}: SlipsProps): Html {
  const sheets = Math.ceil(slips.length / SLIPS_A_SHEET);
  const body = html`${pageHeader({
    title: 'Voting slips',
    lede: `${counted(slips.length, 'slip')} on ${counted(sheets, 'sheet')} of A4, to cut along the lines.`,
    crumbs: crumbsTo(election.meeting, { href: adminPath(election), label: `This ${calledOf(election)}` }),
    actions: html`<button class="button" type="button" data-print hidden>Print</button>`,
  })}
${inMeeting(
  election.meeting,
  html`<div class="screen-only">${
    kept
      ? notice(
          'attention',
          'Anyone who has a slip can cast its ballot. Hand each to the person whose name is on it.',
          'Each slip is somebody’s vote',
        )
      : notice(
          'attention',
          'These slips are not kept anywhere. Print them, or save them as a PDF, before you close this page. ' +
            'Without the button, use your browser’s own print command.',
          'Shown only now',
        )
  }</div>
${slipSheets(
  club,
  slips.map(({ name, token, url, qr }) => ({
    title: trialSubject(election.title, trial),
    text: `${trial === undefined ? '' : 'It decides nothing. '}${
      name === undefined ? '' : `For ${name}. `
    }${asked(questions)}Vote until ${closes}. Scan the square, or open ${address} and type the code. It works once${
      questions.length > 1 ? ' for each question' : ''
    }; your vote is secret.`,
    code: token,
    url,
    qr,
  })),
)}`,
)}`;
  return officerPage({
    title: `Voting slips: ${election.title}`,
    body,
    nav: navOf(election.meeting),
    viewer,
    givesAddress: true,
  });
}

/** How many titles a slip has room for, and how much of each; the ballot shows all. */
const LISTED = 6;
const TITLE_AT_MOST = 50;

/** The questions of a ballot paper, numbered; those of a meeting as on its agenda. */
function asked(questions: NonNullable<SlipsProps['questions']>): string {
  const titles = questions.slice(0, LISTED).map(({ number, title }, at) => {
    const short = title.length > TITLE_AT_MOST ? `${title.slice(0, TITLE_AT_MOST).trimEnd()}…` : title;
    return `${number ?? at + 1}. ${short} `;
  });
  const more = questions.length - titles.length;
  return `${titles.join('')}${more > 0 ? `and ${counted(more, 'more question')}. ` : ''}`;
}
