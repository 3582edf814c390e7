import { type Child, type Html, html } from '#kernel/html.ts';
import type { ShareNode } from '#kernel/images/share-image.ts';
import { formatPercent } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { box, column, PAINT, words } from '#views/pub/share-picture.ts';
import { barDrawing } from '#views/voting/bars.ts';

/** A part of a whole with its name. */
export interface Share {
  label: Words | string;
  /** 0 to 1 */
  share: number;
  /** Instead of the percentage. */
  value?: Words | undefined;
  note?: Child;
}

/** Bars for shares of a whole, the one at `strongest` solid; name and number are text. */
export function shareBars(label: Words, shares: readonly Share[], strongest = 0): Html {
  return html`<ul class="bars" role="list" aria-label="${label}">${shares.map(
    ({ label: name, share, value, note }, index) =>
      html`<li class="bar-row"><span class="bar-label${index === strongest && ' bar-label-strong'}">${name}${
        note && html` <span class="small soft">${note}</span>`
      }</span>
<span class="bar-value">${value ?? formatPercent(share)}</span>${barDrawing(share, index === strongest)}</li>\n`,
  )}</ul>`;
}

/** The same bars for a share picture, in the given width. */
export function sharePictures(shares: readonly Share[], width: number): ShareNode[] {
  return shares.map(({ label, share, value }, index) =>
    column(
      { marginTop: index === 0 ? 0 : 14, width },
      box(
        { justifyContent: 'space-between', fontSize: 24 },
        words(label, { maxWidth: width - 110 }),
        words(value ?? formatPercent(share), { fontWeight: 600 }),
      ),
      box(
        { height: 16, marginTop: 4, backgroundColor: PAINT.well, borderRadius: 4 },
        box({
          width: Math.round(width * Math.min(1, share)),
          backgroundColor: index === 0 ? PAINT.green : PAINT.brass,
          borderRadius: 4,
        }),
      ),
    ),
  );
}
