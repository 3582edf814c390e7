import type { ImportReport } from './import.ts';
import type { ImportLine } from './planned.ts';

/** Formats a report as lines for a terminal, one for each page that needs a remark, and the counts. */
export function describeImport(report: ImportReport): string[] {
  const { dry_run, created, changed, unchanged, kept, left_out, pairs, notes, warnings } = report;
  const counts = `${created} new, ${changed} changed, ${unchanged} as before, ${kept.length} kept as they are here, ${left_out.length} left out`;
  return [
    ...list('left out', left_out),
    ...list('kept', kept),
    ...list('one event', pairs),
    ...list('note', notes),
    ...warnings,
    dry_run ? `It would be: ${counts}. Nothing was changed.` : `${counts}.`,
  ];
}

const list = (word: string, lines: readonly ImportLine[]): string[] =>
  lines.map(({ kind, id, title, text }) => `${word}: ${kind} “${title}” ${id}: ${text}`);
