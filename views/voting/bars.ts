import { type Child, type Html, html } from '#kernel/html.ts';
import { formatNumber as count } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { shareOf } from '#views/components/numbers.ts';
import { percent } from './words.ts';

/** One bar: its label, its number, and how it is drawn. */
export interface Bar {
  label: Child;
  value: number;
  /** Solid for the leader, outlined for the others, so that it does not depend on colour. */
  strong?: boolean | undefined;
  /** Words after the number: `elected`. */
  note?: Child;
}

/**
 * Horizontal bars from zero, each under its own label and number. `whole` is the value of a full bar; `shares` also
 * prints the percentage of it. The text says everything, so the drawing is hidden from screen readers.
 */
export function bars(props: {
  label: Words | string;
  bars: readonly Bar[];
  whole: number;
  shares?: boolean;
}): Html {
  const { label, whole, shares = true } = props;
  return html`<ul class="bars" role="list" aria-label="${label}">${props.bars.map(
    (bar) => html`<li class="bar-row"><span class="bar-label${
      bar.strong && ' bar-label-strong'
    }">${bar.label}${bar.note && html` ${bar.note}`}</span>
<span class="bar-value">${count(bar.value)}${
      shares && html` <span class="soft">${percent(shareOf(bar.value, whole))}</span>`
    }</span>
${barDrawing(shareOf(bar.value, whole), bar.strong === true)}</li>\n`,
  )}</ul>`;
}

/** The drawing of a bar: a track of the full length with the bar on it. @param mark drawn over both */
export function barDrawing(share: number, strong: boolean, mark?: Html): Html {
  const width = Math.round(Math.min(1, share) * 1000) / 10;
  return html`<svg class="bar" aria-hidden="true" focusable="false"><rect class="bar-track" width="100%" height="100%"/><rect class="bar-fill${
    strong && ' bar-fill-strong'
  }" width="${width}%" height="100%"/>${mark}</svg>`;
}
