import { type Child, type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';

/** A column of a table: its heading, and whether it holds numbers. */
export interface Column {
  label: Words | string;
  number?: boolean | undefined;
  /** The heading is for screen readers only, as over a column of buttons. */
  quiet?: boolean | undefined;
}

/**
 * A table whose rows become small lists on a phone. The first cell of a row names it.
 * The ARIA roles keep it a table for screen readers when CSS changes its display.
 */
export function table(props: {
  caption: Words | string;
  /** The caption is for screen readers only, because a heading above says the same. */
  quietCaption?: boolean | undefined;
  /** On a phone the cells of a row follow its name as one text without labels: for a long list whose cells say what they are. */
  flows?: boolean | undefined;
  /** It may have more columns than fit, so that it scrolls sideways, also by keyboard. */
  scrolls?: boolean | undefined;
  columns: readonly Column[];
  rows: readonly (readonly Child[])[];
}): Html {
  const { caption, quietCaption, flows, scrolls, columns, rows } = props;
  return html`<div class="table-wrap"${
    scrolls && html` tabindex="0" role="region" aria-label="${caption}"`
  }><table class="table-stack${flows && ' table-flow'}" role="table">
<caption>${quietCaption ? html`<span class="visually-hidden">${caption}</span>` : caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ label, number, quiet }) =>
      html`<th scope="col"
      role="columnheader"${number && html` class="cell-number"`}>${
        quiet ? html`<span class="visually-hidden">${label}</span>` : label
      }</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (cells) =>
      html`<tr role="row">${cells.map((cell, index) => tableCell(cell, index, columns[index]))}</tr>\n`,
  )}</tbody></table></div>`;
}

function tableCell(content: Child, index: number, column: Column | undefined): Html {
  if (index === 0) return html`<th scope="row" role="rowheader">${content}</th>`;
  const { label = '', number = false, quiet = false } = column ?? {};
  return html`<td role="cell"
  data-label="${quiet ? '' : label}"${number && html` class="cell-number"`}>${content}</td>`;
}
