// A text that people wrote with its translation before it, as one text: pages that show it tell the parts apart, because
// each is read in its own language. What stands between them is typed by nobody.

const BETWEEN = { line: '\u2005/\u2005', text: '\u2029' } as const;

/** `Farve / Colour`. @param kind `text` for one that may have paragraphs */
export function joinBoth(
  translated: string | undefined,
  written: string,
  kind: keyof typeof BETWEEN = 'line',
): string {
  return translated === undefined || translated === written ? written : translated + BETWEEN[kind] + written;
}

/** The parts of such a text: what its reader reads in their own language, if anything, and what was written. */
export function splitBoth(
  text: string,
  kind: keyof typeof BETWEEN = 'line',
): { translated?: string; written: string; between: string } {
  const between = BETWEEN[kind];
  const at = text.indexOf(between);
  if (at < 0) return { written: text, between };
  return { translated: text.slice(0, at), written: text.slice(at + between.length), between };
}
