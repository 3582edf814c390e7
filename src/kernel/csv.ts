/** Rows as a CSV file (RFC 4180): quoted where needed, lines ended by CRLF. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** One cell, harmless to a spreadsheet that would run it as a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r\0]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
