import { type ImportReport, importJson } from './import.ts';

/** Formats a report as lines for a terminal, one for each page that needs a remark, and the counts. */
export function describeImport(report: ImportReport): string[] {
  const { dry_run, created, changed, unchanged, kept, left_out, pairs, notes, warnings } = importJson(report);
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

const list = (
  word: string,
  lines: readonly { kind: string; id: string; title: string; text: string }[],
): string[] => lines.map(({ kind, id, title, text }) => `${word}: ${kind} “${title}” ${id}: ${text}`);
