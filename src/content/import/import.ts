import type { Body } from '#content/records/kind.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { AppError } from '#kernel/http/errors.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { importPicture } from './pictures.ts';
import { planImport } from './plan.ts';
import type { ImportLine, PlannedRecord } from './planned.ts';
import { findImported, knownPages, outcomeOf, storeImported } from './stored.ts';

/** The result of an import, or in a dry run what it would be. */
export interface ImportReport {
  dry_run: boolean;
  /** Numbers of records. */
  created: number;
  changed: number;
  unchanged: number;
  /** The same numbers by kind. */
  kinds: Record<string, Record<'created' | 'changed' | 'unchanged' | 'kept' | 'left_out', number>>;
  /** Records that are kept as they are here, and why. */
  kept: ImportLine[];
  /** Pages that are not imported, and why. */
  left_out: ImportLine[];
  /** Events that were merged from two pages. */
  pairs: ImportLine[];
  /** Differences between the record and its page. */
  notes: ImportLine[];
  warnings: Words[];
}

/** The report as JSON and for a terminal: in English. */
export function importJson(report: ImportReport) {
  const lines = (all: readonly ImportLine[]) =>
    all.map((line) => ({ ...line, title: inEnglish(line.title), text: inEnglish(line.text) }));
  const { kept, left_out, pairs, notes, warnings } = report;
  return {
    ...report,
    kept: lines(kept),
    left_out: lines(left_out),
    pairs: lines(pairs),
    notes: lines(notes),
    warnings: warnings.map(inEnglish),
  };
}

export interface ImportOptions {
  dryRun: boolean;
  actor: Actor;
  /** Stops the import before the next record. */
  signal: AbortSignal;
  onProgress?: (done: number, of: number) => void;
}

/**
 * Imports the content of the workspace, each record in its own transaction: after an interruption the next run
 * continues. Records that were changed here are kept.
 * @throws AppError 409 without a workspace, 502 when it cannot be read, in which case nothing was changed
 */
export async function importWorkspace(ctx: Context, options: ImportOptions): Promise<ImportReport> {
  const { dryRun, actor, signal, onProgress } = options;
  const plan = await planImport(ctx, knownPages(ctx.db));
  const report: ImportReport = {
    dry_run: dryRun,
    created: 0,
    changed: 0,
    unchanged: 0,
    kinds: {},
    notes: [],
    kept: [],
    left_out: plan.leftOut,
    pairs: plan.pairs,
    warnings: plan.warnings,
  };
  const count = (kind: string, as: keyof ImportReport['kinds'][string]) => {
    report.kinds[kind] ??= { created: 0, changed: 0, unchanged: 0, kept: 0, left_out: 0 };
    report.kinds[kind][as] += 1;
  };
  for (const { kind } of plan.leftOut) count(kind, 'left_out');
  const keep = (line: ImportLine) => {
    report.kept.push(line);
    count(line.kind, 'kept');
  };
  plan.kept.forEach(keep);

  let isTouched = false;
  try {
    for (const [index, planned] of plan.records.entries()) {
      onProgress?.(index, plan.records.length);
      await ctx.queue.turn();
      const body = await withPicture(ctx, planned, options);
      // The picture may have been cut off by the abort; the next run imports its record.
      if (signal.aborted) throw stopped();
      const outcome = dryRun
        ? outcomeOf(ctx.db, planned, body)
        : await ctx.write((tx) => storeImported(tx, planned, body, actor));
      const { kind, id, title, notes } = planned;
      const line = (text: Words): ImportLine => ({ kind: kind.name, id, title, text });
      if (outcome.as === 'kept') keep(line(outcome.why));
      else {
        count(kind.name, outcome.as);
        report[outcome.as] += 1;
        report.notes.push(...notes.map(line));
        if (outcome.as !== 'unchanged') isTouched = true;
      }
    }
  } finally {
    if (!dryRun && isTouched) ctx.hub.publish('content');
  }
  if (!dryRun) await recordImport(ctx, report, actor);
  return report;
}

/** Returns the body with the page's picture, or with the current picture if that cannot be fetched. */
async function withPicture(
  ctx: Context,
  planned: PlannedRecord,
  { dryRun, actor, signal }: ImportOptions,
): Promise<Body> {
  const { picture, body, notes } = planned;
  if (picture === undefined) return body;
  const known = findImported(ctx.db, planned);
  // The record will be kept, so its picture is not needed.
  if (known?.why !== undefined) return body;
  const taken = await importPicture(ctx, picture, { dryRun, actor, signal });
  if ('id' in taken) return { ...body, picture: taken.id };
  notes.push(t('content-admin.import_note.no_picture', { problem: taken.problem }));
  return { ...body, picture: known?.before.picture ?? null };
}

async function recordImport(
  ctx: Context,
  { created, changed, kept, left_out }: ImportReport,
  actor: Actor,
): Promise<void> {
  const metadata = { created, changed, kept: kept.length, left_out: left_out.length };
  await ctx.write((tx) => recordAudit(tx, actor, { action: 'content.imported', metadata }));
}

const stopped = () => new AppError(503, 'import_stopped');
