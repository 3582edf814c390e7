import { type Html, html } from '#kernel/html.ts';
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
<h2 id="codes" tabindex="-1">Your codes of this evening</h2>
<p data-codes-when="left" role="alert" hidden>Another card takes these codes off this phone. Copy them first.</p>
<ul id="codes-list"></ul>
<p>After the close of a vote you can <a href="${paperPath({ id: meeting.paper_id })}/check">check with its code</a> that
your ballot is in the box.</p>
<div data-codes-when="ask" hidden><p><strong>Keep my codes on this phone?</strong> Only if it is your own: whoever uses it
could see them on this page. They stay 90 days, and they are not sent anywhere.</p>
<div class="actions"><button class="button" type="button" data-codes-act="keep">Keep them</button>
<button class="button button-quiet" type="button" data-codes-act="no">No</button></div></div>
<p data-codes-when="full" role="alert" hidden><strong>This phone could not keep them.</strong> Copy them.</p>
<p class="small soft" data-codes-when="held" hidden>They are here until you close this page or use another card on this
phone: copy them.</p>
<p class="small soft" data-codes-when="other" hidden>This phone keeps the codes of another card, and not these.</p>
<p class="small soft" data-codes-when="kept" hidden>This phone keeps them for 90 days. Whoever uses it can see them here.</p>
<p class="small soft">They do not say how you voted. Keep them to yourself all the same: the administrators of this website
could find your ballots with them.</p>
<div class="actions"><button class="button button-quiet" type="button" data-copy="codes-list" hidden>Copy<span
class="visually-hidden"> your codes</span></button>
<button class="button button-quiet" type="button" data-codes-act="print">Print</button>
<button class="button button-quiet" type="button" data-codes-act="taken" data-codes-when="apart" hidden>I have kept them</button>
<button class="button button-quiet" type="button" data-codes-act="forget" data-codes-when="kept" hidden>Forget them</button></div>
</section>`;
}

/** What is below every page of a card. */
export const cardLinks = ({ id, page }: { id: string; page: string }): Html =>
  html`<p class="small"><a class="link-alone" href="${page}?card=other">Vote with another card on this phone</a></p>
${lostCardLink({ id })}`;

/** For whoever has lost a card. */
export const lostCardLink = ({ id }: { id: string }): Html =>
  html`<p class="small"><a class="link-alone" href="/m/${id}/void">I have lost my card</a></p>`;
