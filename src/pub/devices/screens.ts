import type { Selectable } from 'kysely';
import { z } from 'zod';
import { kept } from '#kernel/cache.ts';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { label, screenLabel } from '#pub/display/screen-label.ts';
import { findPubState } from '#pub/display/shifts.ts';

/** A screen is online if its last heartbeat is younger than this; it sends one each minute. */
const ONLINE_WITHIN = 5 * MINUTE;
/** Screens that staff gave neither a name nor groups; anybody can report one. The others have no limit. */
const UNNAMED_AT_MOST = 200;

const PAGES = ['tv', 'bar-right', 'projector'] as const;

/** The page that a screen shows, under /tv. */
export type ScreenPage = (typeof PAGES)[number];

/** The heartbeat of a screen. `version` is the build of its page; `uptime_s` counts from when the page was loaded. */
export const HeartbeatInput = z.object({
  screen: screenLabel.refine((name) => name !== '', coded('empty')),
  page: z.enum(PAGES, coded('not_one_of', { values: PAGES })),
  version: label(64),
  uptime_s: z
    .number(coded('not_seconds'))
    .min(0)
    .transform((seconds) => Math.min(seconds, 10 * 365 * 86_400)),
  viewport: label(20),
  /** Since when it shows cached content, ISO 8601. */
  offlineSince: z.string().max(40).nullish(),
  /** How many slides have a picture that last failed to load. */
  failedPictures: z.int().min(0).max(999).default(0).catch(0),
  /** False for a browser without `?screen=`, which counts as a visitor. */
  named: z.boolean().default(true),
  /** What it shows, in a few words. */
  showing: label(120).nullish(),
});

/** The answer to a heartbeat: the name that staff gave the screen, its groups, and whether to reload its page. */
export interface ScreenTold {
  name: string | null;
  groups: string[];
  reload?: true;
}

/**
 * Stores the heartbeat of a screen. At most 200 screens without a name from staff are stored: a new one replaces the
 * one of them that was silent for longest; while all of them are online, the new one is not stored.
 */
export async function recordHeartbeat(
  ctx: Context,
  beat: z.infer<typeof HeartbeatInput>,
): Promise<ScreenTold> {
  const at = ctx.now();
  const { screen, page, version, viewport, uptime_s, offlineSince, showing, failedPictures } = beat;
  const seen = {
    version,
    viewport,
    showing: showing || null,
    started_at: Math.round(at - uptime_s * 1_000),
    offline_since: offlineSince ? (parseTimestamp(offlineSince, 'UTC') ?? null) : null,
    last_seen_at: at,
  };
  const told = await ctx.write((tx) => {
    const known = tx.first(
      build.selectFrom('screens').selectAll().where('screen', '=', screen).where('page', '=', page),
    );
    if (known) {
      tx.run(build.updateTable('screens').set(seen).where('id', '=', known.id));
      const reload = known.reload_at !== null && known.reload_at > seen.started_at;
      return { name: known.name, groups: readGroups(known), ...(reload && { reload }) };
    }
    const displaced = makeSpace(tx, at);
    if (!displaced) return { isStored: false, name: null, groups: [] };
    const row = { id: newId(at), screen, page, groups: '[]', ...seen, first_seen_at: at };
    tx.run(build.insertInto('screens').values(row));
    return { displaced, name: null, groups: [] };
  });
  const { isStored = true, displaced = [], ...answer } = told as ScreenTold & Space;
  const failed = failedPicturesOf(ctx);
  for (const gone of [beat, ...displaced]) failed.delete(keyOf(gone));
  if (failedPictures > 0 && isStored) failed.set(keyOf(beat), failedPictures);
  return answer;
}

/** What storing a new screen did to the list. */
interface Space {
  isStored?: boolean;
  displaced?: Pick<ScreensTable, 'screen' | 'page'>[];
}

const keyOf = ({ screen, page }: Pick<ScreensTable, 'screen' | 'page'>) => `${page} ${screen}`;

/** Kept in memory only: after a restart the counts are missing until the next heartbeats. */
const FAILED_PICTURES = kept<Map<string, number>>();
const failedPicturesOf = ({ cache }: Pick<Context, 'cache'>): Map<string, number> =>
  cache.get(FAILED_PICTURES, '', () => new Map());
const readGroups = ({ groups }: Pick<Selectable<ScreensTable>, 'groups'>): string[] => JSON.parse(groups);

/** Makes room for one more screen. @returns the screens that were deleted for it; undefined if there is no room */
function makeSpace(tx: Tx, at: number): Space['displaced'] {
  const unnamed = build.selectFrom('screens').where('name', 'is', null).where('groups', '=', '[]');
  const surplus = tx.all(
    unnamed
      .selectAll()
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .limit(-1)
      .offset(UNNAMED_AT_MOST - 1),
  );
  if (surplus.some((one) => isOnline(one, at))) return undefined;
  for (const { id } of surplus) tx.run(build.deleteFrom('screens').where('id', '=', id));
  return surplus;
}

/**
 * Lists every known screen for operators: whether it is online, whether it shows this build, and since when.
 * @param version the build of the pages that this service serves
 */
export function listScreens(ctx: Context, version: string) {
  const rows = ctx.db.all(build.selectFrom('screens').selectAll().orderBy('screen').orderBy('page'));
  return { version, screens: rows.map((row) => screenJson(ctx, row, version)) };
}

/** How many names are offered at most: anybody can give a screen a name. */
const NAMES_AT_MOST = 60;

/** Lists the names of screens and groups, to select some of them; names given by staff come first. */
export function listScreenNames({ db }: Pick<Context, 'db'>): { name: string; isGroup: boolean }[] {
  const rows = db.all(
    build.selectFrom('screens').select(['screen', 'name', 'groups']).orderBy('last_seen_at', 'desc'),
  );
  const named = rows.filter(({ name }) => name !== null);
  const names = new Set([...named, ...rows].map(({ name, screen }) => name ?? screen));
  const groups = new Set(rows.flatMap(readGroups)).difference(names);
  return [
    ...[...names].map((name) => ({ name, isGroup: false })),
    ...[...groups].map((name) => ({ name, isGroup: true })),
  ].slice(0, NAMES_AT_MOST);
}

/** Returns one screen. @throws 404 */
export function getScreen(ctx: Context, id: string, version: string): ScreenJson {
  const row = ctx.db.first(build.selectFrom('screens').selectAll().where('id', '=', id));
  if (!row) throw notFound('screen_not_found');
  return screenJson(ctx, row, version);
}

/** The name that staff gave a screen, and its groups; empty for an unknown screen. */
export function findNames(
  { db }: Pick<Context, 'db'>,
  { screen, page }: { screen: string; page: ScreenPage },
): Partial<ScreenTold> {
  const row = db.first(
    build
      .selectFrom('screens')
      .select(['name', 'groups'])
      .where('screen', '=', screen)
      .where('page', '=', page),
  );
  return row ? { name: row.name, groups: readGroups(row) } : {};
}

/** The name of the page and the screen that opens a stream, as its address says. */
export const ScreenQuery = z.object({
  screen: screenLabel.optional().catch(undefined),
  page: z.enum(PAGES).optional().catch(undefined),
});

/** The screen of this name if staff gave it a name or groups; undefined for any other. */
export function findNamedScreen(
  ctx: Pick<Context, 'db'>,
  { screen, page }: z.output<typeof ScreenQuery>,
): string | undefined {
  if (!screen || !page) return undefined;
  const { name = null, groups = [] } = findNames(ctx, { screen, page });
  return name !== null || groups.length > 0 ? keyOf({ screen, page }) : undefined;
}

/** The screen that staff changed last, for the stream. */
export function findLastChangedScreen({
  db,
}: Pick<Context, 'db'>): { screen: string; page: ScreenPage } | undefined {
  return db.first(
    build
      .selectFrom('screens')
      .select(['screen', 'page'])
      .where('told_at', 'is not', null)
      .orderBy('told_at', 'desc')
      .limit(1),
  );
}

/** Whether screens are expected to be off: the hours are known and the pub is closed. */
export function areScreensExpectedOff(ctx: Context): boolean {
  const { configured, open } = findPubState(ctx);
  return configured && !open;
}

export type ScreenJson = ReturnType<typeof screenJson>;

function screenJson(ctx: Context, row: Selectable<ScreensTable>, version: string) {
  const failedPictures = failedPicturesOf(ctx).get(keyOf(row)) ?? 0;
  return {
    id: row.id,
    screen: row.screen,
    page: row.page,
    name: row.name ?? row.screen,
    groups: readGroups(row),
    showing: row.showing,
    version: row.version,
    current: row.version === version,
    viewport: row.viewport,
    online: isOnline(row, ctx.now()),
    startedAt: isoTime(row.started_at),
    firstSeenAt: isoTime(row.first_seen_at),
    lastSeenAt: isoTime(row.last_seen_at),
    offlineSince: row.offline_since === null ? null : isoTime(row.offline_since),
    /** Present only when not 0. */
    ...(failedPictures > 0 && { failedPictures }),
  };
}

function isOnline({ last_seen_at }: Pick<ScreensTable, 'last_seen_at'>, at: number): boolean {
  return at - last_seen_at < ONLINE_WITHIN;
}
