import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { hidden, linkTo, strong } from '#views/components/slots.ts';
import { paperPath } from './ballot.ts';

/** The script that keeps the codes of an evening on a phone, and the one that copies them. */
export const KEEP_CODES = ['meetings/codes.js', 'base/copy.js'] as const;

/** Whose codes a page shows: those of its card; without one those that the phone keeps, once the meeting is over. */
export interface CodesOf {
  meeting: { id: string; paper_id: string | null };
  /** Tells cards on one phone from each other, see `cardMark`; undefined without a card. */
  card: string | undefined;
  isOver?: boolean;
}

/**
 * The codes of an evening, which a script fills in and shows: the service does not know them. A phone keeps those of one
 * card if its holder wants that; those of other cards are there until the page is closed.
 */
export function keptCodes({ meeting, card, isOver = false }: CodesOf): Html | null {
  if (meeting.paper_id === null) return null;
  return html`<section class="panel" data-codes="${meeting.id}" data-codes-of="${card ?? ''}"${isOver && ' data-codes-over'} aria-labelledby="codes" hidden>
<h2 id="codes" tabindex="-1">${t('voting.kept_codes.codes_evening')}</h2>
<p data-codes-when="left" role="alert" hidden>${t('voting.kept_codes.another_card_takes_these_codes')}</p>
<ul id="codes-list" data-colon="${t('common.label', { label: '' })}"></ul>
<p>${t('voting.kept_codes.after_close_vote_check_code', { link: linkTo(`${paperPath({ id: meeting.paper_id })}/check`) })}</p>
<div data-codes-when="ask" hidden><p>${t('voting.kept_codes.keep_my_codes_phone_only', { strong })}</p>
<div class="actions"><button class="button" type="button" data-codes-act="keep">${t('voting.kept_codes.keep')}</button>
<button class="button button-quiet" type="button" data-codes-act="no">${t('voting.kept_codes.no')}</button></div></div>
<p data-codes-when="full" role="alert" hidden>${t('voting.kept_codes.phone_keep_copy', { strong })}</p>
<p class="small soft" data-codes-when="held" hidden>${t('voting.kept_codes.here_until_close_page_use')}</p>
<p class="small soft" data-codes-when="other" hidden>${t('voting.kept_codes.phone_keeps_codes_another_card')}</p>
<p class="small soft" data-codes-when="kept" hidden>${t('voting.kept_codes.phone_keeps_90_days_whoever')}</p>
<p class="small soft">${t('voting.kept_codes.say_how_voted_keep_yourself')}</p>
<div class="actions"><button class="button button-quiet" type="button" data-copy="codes-list" hidden>${t('voting.kept_codes.copy_codes', { hidden })}</button>
<button class="button button-quiet" type="button" data-codes-act="print">${t('voting.kept_codes.print')}</button>
<button class="button button-quiet" type="button" data-codes-act="taken" data-codes-when="apart" hidden>${t('voting.kept_codes.kept')}</button>
<button class="button button-quiet" type="button" data-codes-act="forget" data-codes-when="kept" hidden>${t('voting.kept_codes.forget')}</button></div>
</section>`;
}

/** What is below every page of a card. */
export const cardLinks = ({ id, page }: { id: string; page: string }): Html =>
  html`<p class="small"><a class="link-alone" href="${page}?card=other">${t('voting.kept_codes.vote_another_card_phone')}</a></p>
${lostCardLink({ id })}`;

/** For whoever has lost a card. */
export const lostCardLink = ({ id }: { id: string }): Html =>
  html`<p class="small"><a class="link-alone" href="/m/${id}/void">${t('voting.kept_codes.lost_my_card')}</a></p>`;
