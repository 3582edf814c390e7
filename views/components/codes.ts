import { type Html, html } from '#kernel/html.ts';

/** A value to take along, with a button that copies it where script runs (load base/copy.js). */
export function copyField({ id, value, label }: { id: string; value: string; label: string }): Html {
  return html`<div class="copy"><code class="copy-value" id="${id}">${value}</code>
<button class="button button-quiet" type="button" data-copy="${id}" hidden>Copy<span class="visually-hidden"> ${label}</span></button></div>`;
}

/** A hash or code, set to break anywhere. */
export function hashText(value: string): Html {
  return html`<code class="hash">${value}</code>`;
}

/** The dark and light squares of a QR code, row by row, as `qrcode` makes them. */
export interface QrModules {
  size: number;
  data: ArrayLike<number | boolean>;
}

/** A QR code with its quiet zone, black on white in every theme. */
export function qrCode({ size, data }: QrModules, label: string): Html {
  const dark = Array.from({ length: size * size }, (_, at) => at).filter((at) => data[at]);
  const path = dark.map((at) => `M${(at % size) + 4} ${Math.floor(at / size) + 4}h1v1h-1z`).join('');
  const side = size + 8;
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect class="qr-ground" width="${side}" height="${side}"/><path class="qr-ink" d="${path}"/></svg>`;
}

/** What is printed on one voting slip. */
export interface Slip {
  title: string;
  /** Until when, and that it works once. */
  text: string;
  code: string;
  url: string;
  qr: QrModules;
}

/** Voting slips in the grid of a printed sheet. */
export function slipGrid(club: string, slips: readonly Slip[]): Html {
  return html`<ul class="slips" role="list">${slips.map(
    ({
      title,
      text,
      code,
      url,
      qr,
    }) => html`<li class="slip"><div><p class="slip-club">${club}</p><p class="slip-title">${title}</p><p class="slip-text">${text}</p></div>
${qrCode(qr, 'QR code of the voting link')}<p class="slip-code">${code}</p><p class="slip-url">${url}</p></li>\n`,
  )}</ul>`;
}
