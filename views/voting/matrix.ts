import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber as count } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { nameText } from '#views/components/names.ts';
import { shareOf } from '#views/components/numbers.ts';

/** A table of every candidate against every other. */
export interface MatrixProps {
  caption: Words | string;
  /** How to read it, in a sentence above the table. */
  explanation: Words | string;
  names: readonly (Words | string)[];
  cells: readonly (readonly number[])[];
  /** The value that gets the deepest shade. */
  whole: number;
}

/** The columns that fit beside the names on a phone; with more, a line says that the table scrolls. */
const PHONE_COLUMNS = 3;

/**
 * Compares every row with every column. Columns are headed by letters, so that fifteen candidates still fit; the
 * greater side of a pair is bold with a triangle, equal sides have an equals sign, and the shade repeats the number.
 */
export function matrix({ caption, explanation, names, cells, whole }: MatrixProps): Html {
  const wide = names.length > PHONE_COLUMNS;
  return html`<p>${explanation}</p>
${
  wide &&
  html`<p class="matrix-hint">${t('voting.matrix.columns_scroll_sideways_where_all', { names: names.length, letter: letter(names.length - 1) })}</p>`
}
<div class="matrix-frame${wide && ' matrix-wide'}">
<div class="table-wrap matrix-wrap" tabindex="0" role="region" aria-label="${caption}">
<table class="matrix"><caption class="visually-hidden">${caption}</caption>
<thead><tr><td></td>${names.map(
    (name, column) =>
      html`<th scope="col"><abbr title="${name}" aria-hidden="true">${letter(column)}</abbr><span class="visually-hidden">${nameText(name)}</span></th>`,
  )}</tr></thead>
<tbody>${names.map(
    (name, row) =>
      html`<tr><th scope="row"><span class="matrix-letter">${letter(row)}</span> ${nameText(name)}</th>${names.map(
        (_, column) =>
          row === column
            ? html`<td class="matrix-self"><span aria-hidden="true">–</span></td>`
            : pair(cells, row, column, whole),
      )}</tr>\n`,
  )}</tbody></table></div></div>`;
}

function pair(cells: MatrixProps['cells'], row: number, column: number, whole: number): Html {
  const own = cells[row]?.[column] ?? 0;
  const other = cells[column]?.[row] ?? 0;
  const heat = Math.min(9, Math.floor(shareOf(own, whole) * 10));
  if (own > other)
    return html`<td class="heat-${heat}"><b>${count(own)}<span class="matrix-sign" aria-hidden="true">▲</span><span class="visually-hidden"> ${t('voting.matrix.wins')}</span></b></td>`;
  return html`<td class="heat-${heat}">${count(own)}${
    own === other &&
    html`<span class="matrix-sign" aria-hidden="true">=</span><span class="visually-hidden"> ${t('voting.matrix.equal')}</span>`
  }</td>`;
}

/** A, B … Z, AA, AB … */
function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${letter(Math.floor(index / 26) - 1)}${last}`;
}
