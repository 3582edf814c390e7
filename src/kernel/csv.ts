/**
 * Rows as a CSV file (RFC 4180): quoted where needed, lines ended by CRLF.
 * @param separator of cells: a semicolon for spreadsheets of locales with decimal commas
 */
export function csvText(rows: readonly (readonly string[])[], separator: ',' | ';' = ','): string {
  return rows.map((row) => `${row.map(csvCell).join(separator)}\r\n`).join('');
}

/** The characters that begin a formula in a spreadsheet, in half and full width. */
const FORMULA = /(^|[;\t\r\n])(["' ]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Formats one cell, guarded by an apostrophe if a spreadsheet would run it as a formula. A spreadsheet that separates
 * cells by semicolons ignores quotes after a comma: for it a cell also begins after each semicolon and line break.
 */
function csvCell(text: string): string {
  const guarded = text.replace(FORMULA, "$1'$2");
  const safe = /^[\t\r\0]/.test(guarded) ? `'${guarded}` : guarded;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Removes the apostrophes that `csvCell` added to a cell. */
export function withoutGuard(cell: string): string {
  return cell.replace(/^'(?=[\t\r\0])/, '').replace(GUARDED, '$1$2');
}

const GUARDED = /(^|[;\t\r\n])'(["' ]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Pads a row with empty cells to a width: CSV readers expect the same number of cells in every row. */
export const padRow = (row: readonly string[], width: number): string[] =>
  Array.from({ length: Math.max(row.length, width) }, (_, at) => row[at] ?? '');
