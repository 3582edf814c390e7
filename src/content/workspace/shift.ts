import type { OpenShift } from '#content/opening-hours.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { ensureWorkspace, type WorkspacePage } from '#kernel/workspace/client.ts';
import { leftOut, type PageRead } from '#kernel/workspace/page-read.ts';
import { RECORDS, readDate, readRelations, spanOf } from '#kernel/workspace/records.ts';

/** Finds a page; undefined if it does not exist or is not shared. @throws AppError 502 */
export type FindPage = (id: string) => Promise<WorkspacePage | undefined>;

/** Reads the times of a shift. If only one range is given, it is used for both; hours beyond the shift extend it. */
export function readShiftTimes(page: WorkspacePage, zone: string): PageRead<Omit<OpenShift, 'tenders'>> {
  const [shift, hours] = [RECORDS.shift.shift, RECORDS.shift.hours].map((property) => {
    const date = readDate(page, property);
    const span = date && spanOf(date, zone);
    return span?.end !== undefined && span.end > span.start
      ? { start: span.start, end: span.end }
      : undefined;
  });
  const full = shift ?? hours;
  const open = hours ?? shift;
  if (!full || !open) return leftOut(t('content-admin.import_note.no_times'), { isFault: true });
  return {
    item: {
      start: Math.min(full.start, open.start),
      end: Math.max(full.end, open.end),
      opens: open.start,
      closes: open.end,
    },
  };
}

/** Returns the tenders of a shift, else those of its assignments; missing pages are skipped. @throws AppError 502 */
export async function readTenders(shift: WorkspacePage, find: FindPage): Promise<string[]> {
  const direct = readRelations(shift, RECORDS.shift.tenders);
  if (direct.length > 0) return direct;
  const found = new Set<string>();
  for (const id of readRelations(shift, RECORDS.shift.assignments)) {
    const assignment = await find(id);
    for (const tender of assignment ? readRelations(assignment, RECORDS.assignment.tender) : [])
      found.add(tender);
  }
  return [...found];
}

/** Requests a page from the workspace. Undefined if it does not exist or is not shared. @throws AppError 502 */
export async function findPage(ctx: Context, id: string): Promise<WorkspacePage | undefined> {
  try {
    return await ensureWorkspace(ctx.workspace).getPage(id);
  } catch (error) {
    if (error instanceof AppError && error.statusCode === 404) return undefined;
    throw error;
  }
}
