import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { inClubLanguage } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { classSign } from './class-sign.ts';
import { besideMeeting } from './sub-pages.ts';

/** The data of the page with voting cards to print. */
export interface CardsProps extends OfficerProps {
  club: string;
  meeting: MeetingPlace & { classes: readonly string[] };
  paper: 'a4' | 'a6';
  /** Where a code is typed, as it is printed. */
  address: string;
  packs: readonly {
    number: number;
    class: string;
    cards: readonly { code: string; stub: string; qr: QrModules; stubQr: QrModules }[];
  }[];
}

/** Voting cards in packs of ten: two by five on A4, or one on each A6. Their codes are shown only now. */
export function cardsPage(props: CardsProps): Html {
  const { club, meeting, paper, address, packs, viewer } = props;
  const cards = packs.reduce((sum, pack) => sum + pack.cards.length, 0);
  const body = html`${pageHeader({
    title: t('meetings-admin.cards.voting_cards'),
    lede: t('meetings-admin.cards.cards_packs_ten', {
      cards,
      packs: packs.length,
      paper: paper.toUpperCase(),
    }),
    crumbs: [
      { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
      { href: `/admin/meetings/${meeting.id}/door`, label: t('meetings-admin.shared.door') },
    ],
    actions: html`<button class="button" type="button" data-print hidden>${t('meetings-admin.shared.print')}</button>`,
  })}
${besideMeeting(
  props,
  html`<div class="screen-only">${notice(
    'attention',
    t('meetings-admin.cards.these_codes_kept_anywhere_print'),
    t('meetings-admin.cards.shown_only_now'),
  )}</div>
${packs.map(({ number, class: name, cards: own }) =>
  inClubLanguage(
    (
      lang,
    ) => html`<section class="card-pack"${lang}><h2>${classSign(meeting.classes, name)}${t('meetings.cards.pack', { number, name })}</h2><ul class="voting-cards voting-cards-${paper}" role="list">
${own.map(
  ({ code, stub, qr, stubQr }) => html`<li class="voting-card"><div class="voting-card-main">
<p class="slip-club">${club}</p><p class="slip-title">${meeting.title}</p><p class="voting-card-class">${classSign(meeting.classes, name, 6)}${name}</p>
${qrCode(qr, t('meetings.cards.qr_code_voting_card'))}<p class="slip-text">${t('meetings.cards.scan_square_open_type_code', { address })}</p><p class="slip-code">${inTwoLines(code)}</p></div>
<div class="voting-card-stub">${qrCode(stubQr, t('meetings.cards.qr_code_makes_card_void'))}<p class="slip-text">${t('meetings.cards.tear_off_keep_apart_lose')}</p><p class="slip-code">${inTwoLines(stub)}</p></div></li>`,
)}</ul></section>`,
  ),
)}`,
)}`;
  return officerPage({
    title: t('meetings-admin.cards.document_title', { title: meeting.title }),
    body,
    nav: '/admin/meetings',
    givesAddress: true,
    viewer,
    head: stylesheets(
      'meetings/meetings.css',
      ...(paper === 'a6' ? (['meetings/cards-a6.css'] as const) : []),
    ),
  });
}

/** A code that breaks in the middle on every card, however wide its letters are. */
function inTwoLines(code: string): Html {
  const groups = code.split('-');
  const [first, second] = [groups.slice(0, groups.length / 2), groups.slice(groups.length / 2)];
  return html`${first.map((group) => `${group}-`)}<br>${second.join('-')}`;
}
