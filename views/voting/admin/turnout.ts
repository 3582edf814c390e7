import { type Html, html } from '#kernel/html.ts';
import { count, shareOf } from '#views/components/numbers.ts';
import { barDrawing } from '#views/voting/charts/bars.ts';
import { percent } from '#views/voting/words.ts';

/** How many tokens were used, in words with a bar that repeats them. */
export function turnoutBar({ issued, used }: { issued: number; used: number }): Html {
  if (issued === 0) return html`<p class="turnout soft">No tokens</p>`;
  return html`<div class="turnout"><p><span class="turnout-figure">${percent(shareOf(used, issued))}</span> <span class="small">${count(used)} of ${count(issued)} tokens used</span></p>${barDrawing(shareOf(used, issued), true)}</div>`;
}
