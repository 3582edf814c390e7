import { databaseOfAssignments, findTenderDatabase } from '#content/workspace/databases.ts';
import { findPage, readTenders } from '#content/workspace/shift.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, conflict } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { addDays } from '#kernel/local-time.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { type Narrowing, PAGES_AT_MOST, readPages } from '#kernel/workspace/reading.ts';
import { RECORDS } from '#kernel/workspace/records.ts';

/** All pages of the workspace with the club's content; a database that is not configured has none. */
export interface WorkspacePages {
  events: WorkspacePage[];
  /** Undefined if the events and the programme share one database. */
  programme: WorkspacePage[] | undefined;
  announcements: WorkspacePage[];
  shifts: WorkspacePage[];
  tenders: WorkspacePage[];
  tendersOf(shift: WorkspacePage): Promise<string[]>;
  /** Databases with more pages than were read. */
  warnings: Words[];
}

/** Names of the databases in texts; `other` is that of the tenders. */
type Source = 'events' | 'programme' | 'announcements' | 'shifts' | 'other';

/** @throws AppError 409 without a key, 502 when a database cannot be read */
export async function readWorkspace(ctx: Context): Promise<WorkspacePages> {
  if (!ctx.workspace) throw conflict('no_workspace');
  const { config } = ctx;
  const { WORKSPACE_EVENTS_DATABASE_ID: events, WORKSPACE_PROGRAMS_DATABASE_ID: programme } = config;
  const warnings: Words[] = [];
  const read = async (name: Source, find: () => Promise<string | undefined>, narrowing?: Narrowing) => {
    try {
      const database = await find();
      const pages = database === undefined ? [] : await readDatabase(ctx, database, narrowing);
      if (pages.length >= PAGES_AT_MOST)
        warnings.push(t('content-admin.import_note.too_many', { source: name, most: PAGES_AT_MOST }));
      return pages;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(502, 'import_unreadable', { source: name, reason: error.pageText ?? error.message });
    }
  };
  const narrow = (property: Narrowing['property']): Narrowing => {
    const zone = config.TIME_ZONE;
    return { property, from: addDays(ctx.now(), -100, zone), until: addDays(ctx.now(), 3_660, zone) };
  };
  const pages = {
    events: await read('events', async () => events, narrow(RECORDS.event.start)),
    programme:
      programme === undefined || programme === events
        ? undefined
        : await read('programme', async () => programme, narrow(RECORDS.program.start)),
    announcements: await read('announcements', async () => config.WORKSPACE_ANNOUNCEMENTS_DATABASE_ID, {
      property: RECORDS.announcement.onTv,
      ticked: true,
    }),
    shifts: await read(
      'shifts',
      async () => config.WORKSPACE_SHIFTS_DATABASE_ID,
      narrow(RECORDS.shift.shift),
    ),
    tenders: await read('other', () => findTenderDatabase(ctx)),
  };
  return { ...pages, tendersOf: await followAssignments(ctx, pages.shifts), warnings };
}

/** Reads all pages, so that each one left out can be named; if there are too many, only the relevant ones. */
async function readDatabase(
  ctx: Context,
  database: string,
  narrowing: Narrowing | undefined,
): Promise<WorkspacePage[]> {
  const all = await readPages(ctx, database);
  return all.length < PAGES_AT_MOST || !narrowing ? all : readPages(ctx, database, [narrowing]);
}

/** Returns a function that finds a shift's tenders. Assignments are read in bulk, because one by one takes minutes. */
async function followAssignments(
  ctx: Context,
  shifts: readonly WorkspacePage[],
): Promise<(shift: WorkspacePage) => Promise<string[]>> {
  const database = await databaseOfAssignments(ctx, shifts);
  const pages = database === undefined ? [] : await readPages(ctx, database);
  const known = new Map(pages.map((page) => [page.id, page]));
  return (shift) => readTenders(shift, async (id) => known.get(id) ?? findPage(ctx, id));
}
