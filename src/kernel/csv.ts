/** Rows as a CSV file (RFC 4180): quoted where needed, lines ended by CRLF. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** What a spreadsheet takes for the beginning of a formula, in half and full width. */
const FORMULA = /(^|[;\t\r\n])(["' ]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * One cell, harmless to a spreadsheet that would run it as a formula. Where semicolons part cells, quotes that stand
 * behind a comma mean nothing: then a cell begins after each semicolon and line break too.
 */
function csvCell(text: string): string {
  const guarded = text.replace(FORMULA, "$1'$2");
  const safe = /^[\t\r\0]/.test(guarded) ? `'${guarded}` : guarded;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A cell as it was before `csvCell` made it harmless. */
export function withoutGuard(cell: string): string {
  return cell.replace(/^'(?=[\t\r\0])/, '').replace(GUARDED, '$1$2');
}

const GUARDED = /(^|[;\t\r\n])'(["' ]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A row with empty cells up to a width: readers of CSV want the same number of cells in every row. */
export const padRow = (row: readonly string[], width: number): string[] =>
  Array.from({ length: Math.max(row.length, width) }, (_, at) => row[at] ?? '');
