import type { Context } from '#kernel/context.ts';
import type { Words } from '#kernel/language/words.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { planAnnouncement } from './announcements.ts';
import { type Purpose, planEvent } from './events.ts';
import { pairEvents } from './pairs.ts';
import type { ImportLine, KnownPages, Planned, PlannedRecord } from './planned.ts';
import { readWorkspace } from './reading.ts';
import { planShift } from './shifts.ts';
import { planTender } from './tenders.ts';

/** What an import will do. */
export interface ImportPlan {
  records: PlannedRecord[];
  leftOut: ImportLine[];
  pairs: ImportLine[];
  kept: ImportLine[];
  warnings: Words[];
}

/** Reads the whole workspace by the same rules as the screens and the calendar. @throws AppError 409, 502 */
export async function planImport(ctx: Context, recordOf: KnownPages): Promise<ImportPlan> {
  const pages = await readWorkspace(ctx);
  const about = { now: ctx.now(), zone: ctx.config.TIME_ZONE };
  const leftOut: ImportLine[] = [];
  const accept = (planned: Planned): PlannedRecord[] => {
    if ('record' in planned) return [planned.record];
    leftOut.push(planned.leftOut);
    return [];
  };
  const plan = (some: readonly WorkspacePage[], purpose: Purpose) =>
    some.flatMap((page) => accept(planEvent(page, purpose, about)));

  const records = pages.tenders.flatMap((page) => accept(planTender(page)));
  for (const page of pages.announcements) records.push(...accept(planAnnouncement(page, about)));
  const { programme } = pages;
  const events = programme
    ? pairEvents(
        plan(pages.events, { screens: true, programme: false }),
        plan(programme, { screens: false, programme: true }),
        recordOf,
      )
    : { records: plan(pages.events, { screens: true, programme: true }), pairs: [], kept: [] };
  records.push(...events.records);
  for (const page of pages.shifts) records.push(...accept(await planShift(page, about, pages.tendersOf)));
  return { records, leftOut, pairs: events.pairs, kept: events.kept, warnings: pages.warnings };
}
