import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Reader, Words } from '#kernel/language/words.ts';
import { hidden, inClubLanguage, inLanguageOf } from './slots.ts';

/** A value with a button that copies it where script runs (load base/copy.js). */
export function copyField({
  id,
  value,
  label,
}: {
  id: string;
  value: string;
  /** What is copied, for screen readers: `your code`. */
  label: Words | string;
}): Html {
  return html`<div class="copy"><code class="copy-value" id="${id}">${value}</code>
<button class="button button-quiet" type="button"
data-copy="${id}" hidden>${t('common.codes.copy', { label, hidden })}</button></div>`;
}

/** A hash or code that may wrap at any character. */
export function hashText(value: string): Html {
  return html`<code class="hash">${value}</code>`;
}

/** The dark and light squares of a QR code, row by row, as `qrcode` makes them. */
export interface QrModules {
  size: number;
  data: ArrayLike<number | boolean>;
}

/** A QR code with its quiet zone, black on white in every theme. */
export function qrCode({ size, data }: QrModules, label: Words | string): Html {
  const dark = Array.from({ length: size * size }, (_, at) => at).filter((at) => data[at]);
  const path = dark.map((at) => `M${(at % size) + 4} ${Math.floor(at / size) + 4}h1v1h-1z`).join('');
  const side = size + 8;
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label}"
  shape-rendering="crispEdges"><rect class="qr-ground" width="${side}" height="${side}"/><path class="qr-ink"
  d="${path}"/></svg>`;
}

/** What is printed on one voting slip, in the language of the club. */
export interface Slip {
  title: Words | string;
  /** Says until when the code works, and that it works once. */
  text: Words | string;
  /** The same in the second language of the club. */
  again?: { reader: Reader; title?: string | undefined; text: Words | string } | undefined;
  code: string;
  /** The voting link, where the code is too long to be typed. */
  url?: string | undefined;
  qr: QrModules;
}

/** Slips on one sheet of A4. @param isTwice whether they say everything in two languages */
export const slipsOnSheet = (isTwice: boolean): number => (isTwice ? 6 : 8);

/** Voting slips in grids, one for each printed sheet. */
export function slipSheets(club: string, slips: readonly Slip[]): Html[] {
  const isTwice = slips.some(({ again }) => again !== undefined);
  const each = slipsOnSheet(isTwice);
  const sheets = Math.ceil(slips.length / each);
  return Array.from({ length: sheets }, (_, at) => {
    const own = slips.slice(at * each, (at + 1) * each);
    return html`<ul class="slips${isTwice && ' slips-twice'}" role="list"
    aria-label="${t('common.codes.sheet', { n: at + 1, sheets })}">${own.map((slip) => html`${slipOf(club, slip)}\n`)}</ul>\n`;
  });
}

const slipOf = (club: string, { title, text, again, code, url, qr }: Slip): Html =>
  inClubLanguage(
    (
      lang,
    ) => html`<li class="slip"${lang}><div><p class="slip-club">${club}</p><p class="slip-title">${title}</p>${
      again?.title !== undefined &&
      inLanguageOf(again.reader, (other) => html`<p class="slip-title"${other}>${again.title}</p>`)
    }</div>
${qrCode(qr, t('common.codes.qr_code'))}<p class="slip-text">${text}</p>
${again && inLanguageOf(again.reader, (other) => html`<p class="slip-text"${other}>${again.text}</p>\n`)}<p class="slip-code${
      url !== undefined && ' slip-code-long'
    }">${code}</p>
${url !== undefined && html`<p class="slip-url">${url}</p>`}</li>`,
  );
