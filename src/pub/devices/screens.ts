import type { Selectable } from 'kysely';
import { z } from 'zod';
import { mergeOpenings, type Opening, readShiftContent } from '#content/shifts.ts';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { Values } from '#kernel/http/record.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { jsonParams, type Message, pageTextOf, sentenceOf } from '#kernel/messages/messages.ts';
import { screenLabel } from '#pub/display/screen-label.ts';
import { failedPicturesOf, isOpenTwice, zonelessOf } from './heard.ts';
import { type Mix, type Preset, pagesOf, presetOf, readMix } from './mixes.ts';
import { expectedAt, type OffHours } from './off-hours.ts';
import { SCREEN, SCREEN_PAGES, type ScreenPage } from './screen-record.ts';
import { needsSomebody, stateOf } from './screen-state.ts';
import { listPageFaults } from './web-pages.ts';

/** A screen is online if its last heartbeat is younger than this; it sends one each minute. */
const ONLINE_WITHIN = 5 * MINUTE;

/** The addresses of the pages. */
export const PAGE_ADDRESSES: Readonly<Record<ScreenPage, string>> = {
  tv: '/tv',
  'bar-right': '/tv/bar-right',
  projector: '/tv/projector',
};

type Row = Selectable<ScreensTable>;

export const readGroups = ({ groups }: Pick<Row, 'groups'>): string[] => JSON.parse(groups);
export const readOffHours = ({ off_hours }: Pick<Row, 'off_hours'>): OffHours => JSON.parse(off_hours);

export const isOnline = ({ last_seen_at }: Pick<Row, 'last_seen_at'>, at: number): boolean =>
  at - last_seen_at < ONLINE_WITHIN;

export const findById = (reader: Reader, id: string): Row | undefined =>
  reader.first(build.selectFrom('screens').selectAll().where('id', '=', id));

/**
 * Lists every known screen for operators: its state, whether it shows this build, and what staff decided about it.
 * @param version the build of the pages that this service serves
 */
export function listScreens(ctx: Context, version: string): { version: string; screens: ScreenJson[] } {
  const rows = ctx.db.all(build.selectFrom('screens').selectAll().orderBy('screen').orderBy('page'));
  const shown = rows.map((row) => screenJson(ctx, row, version, openingsOf(ctx)));
  return { version, screens: shown.sort((a, b) => a.name.localeCompare(b.name)) };
}

/** How many names are offered at most: anybody can give a screen a name. */
const NAMES_AT_MOST = 60;

/** Lists the names of screens and groups, to select some of them; names given by staff come first. */
export function listScreenNames({ db }: Pick<Context, 'db'>): { name: string; isGroup: boolean }[] {
  const rows = db.all(
    build.selectFrom('screens').select(['screen', 'name', 'groups']).orderBy('last_seen_at', 'desc'),
  );
  const named = rows.filter(({ name }) => name !== null);
  const names = new Set([...named, ...rows].map(nameOf));
  const groups = new Set(rows.flatMap(readGroups)).difference(names);
  return [
    ...[...names].map((name) => ({ name, isGroup: false })),
    ...[...groups].map((name) => ({ name, isGroup: true })),
  ].slice(0, NAMES_AT_MOST);
}

/** What staff call a screen, else its own name. */
export const nameOf = ({ name, screen }: Pick<Row, 'name' | 'screen'>): string => name ?? screen ?? '';

/** @throws 404 */
export function getRow(reader: Reader, id: string): Row {
  const row = findById(reader, id);
  if (!row) throw notFound('screen_not_found');
  return row;
}

/** Returns one screen. @throws 404 */
export const getScreen = (ctx: Context, id: string, version: string): ScreenJson =>
  screenJson(ctx, getRow(ctx.db, id), version, openingsOf(ctx));

/** The name of the page and the screen that opens a stream, as its address says. */
export const ScreenQuery = z.object({
  screen: screenLabel.optional().catch(undefined),
  page: z.enum(SCREEN_PAGES).optional().catch(undefined),
});

/** The id of the screen of this name if staff gave it a name or groups; undefined for any other. */
export function findNamedScreen(
  { db }: Pick<Context, 'db'>,
  { screen, page }: z.output<typeof ScreenQuery>,
): string | undefined {
  if (!screen || !page) return undefined;
  const named = build
    .selectFrom('screens')
    .select('id')
    .where('screen', '=', screen)
    .where('page', '=', page)
    .where((of) => of.or([of('name', 'is not', null), of('groups', '!=', '[]')]));
  return db.first(named)?.id;
}

/** What the stream says of a screen that staff changed. */
export type ChangedScreen = Pick<Row, 'id' | 'screen' | 'page'>;

/** The screens that staff changed at this time or later, for the stream; and when the last of them was. */
export function listChangedSince(
  { db }: Pick<Context, 'db'>,
  since: number,
): { changed: ChangedScreen[]; last: number } {
  const rows = db.all(
    build
      .selectFrom('screens')
      .select(['id', 'screen', 'page', 'told_at'])
      .where('told_at', '>=', since)
      .orderBy('told_at'),
  );
  return {
    changed: rows.map(({ id, screen, page }) => ({ id, screen, page })),
    last: rows.at(-1)?.told_at ?? since,
  };
}

/** A screen as operators see it. Times are ISO 8601. */
export interface ScreenJson extends Omit<Values<typeof SCREEN.fields>, 'mix'> {
  id: string;
  /** The name in its address; null for a paired one. */
  screen: string | null;
  name: string;
  mix: Mix;
  /** The name of its mix, if it has one. */
  preset: Preset | null;
  revision: number;
  paired: boolean;
  state: ReturnType<typeof stateOf>['state'];
  stateSince: string;
  /** Whether two browsers report as this screen. */
  openTwice: boolean;
  needsSomebody: boolean;
  showing: string | null;
  /** Which of its mixes it shows, by its last report. */
  nowMix: string | null;
  heapMb: number | null;
  lateFlips: number | null;
  version: string;
  current: boolean;
  viewport: string;
  online: boolean;
  startedAt: string;
  firstSeenAt: string;
  lastSeenAt: string;
  offlineSince: string | null;
  /** Present only when not 0. */
  failedPictures?: number;
  /** Its browser does not know the zone of the club; absent otherwise. Its times are right all the same. */
  unknownZone?: true;
  /** Its pages of other hosts that are left out, and why; absent without any. */
  pageFaults?: PageFault[];
}

/** Why a page of another host is left out. */
interface PageFault extends Message {
  url: string;
  message: string;
}

/** Undefined while the hours are not known. */
export function openingsOf(ctx: Context): Opening[] | undefined {
  const { content } = readShiftContent(ctx);
  return content && mergeOpenings(content);
}

function screenJson(
  ctx: Context,
  row: Row,
  version: string,
  openings: readonly Opening[] | undefined,
): ScreenJson {
  const now = ctx.now();
  const off_hours = readOffHours(row);
  const mix = readMix(row);
  const state = stateOf(row, now, expectedAt(off_hours, { openings, now, zone: ctx.config.TIME_ZONE }));
  const failedPictures = failedPicturesOf(ctx).get(row.id) ?? 0;
  const pageFaults = faultsOf(ctx, row);
  return {
    id: row.id,
    screen: row.screen,
    ...SCREEN.json(row),
    name: nameOf(row),
    mix,
    preset: presetOf(mix),
    revision: row.revision,
    paired: row.paired_at !== null,
    state: state.state,
    stateSince: isoTime(state.since),
    openTwice: isOpenTwice(ctx, row.id),
    needsSomebody: needsSomebody(state, now),
    showing: row.showing,
    nowMix: row.now_mix,
    heapMb: row.heap_mb,
    lateFlips: row.late_flips,
    version: row.version,
    current: row.version === version,
    viewport: row.viewport,
    online: isOnline(row, now),
    startedAt: isoTime(row.started_at),
    firstSeenAt: isoTime(row.first_seen_at),
    lastSeenAt: isoTime(row.last_seen_at),
    offlineSince: row.offline_since === null ? null : isoTime(row.offline_since),
    ...(failedPictures > 0 && { failedPictures }),
    ...(zonelessOf(ctx).has(row.id) && { unknownZone: true as const }),
    ...(pageFaults.length > 0 && { pageFaults }),
  };
}

function faultsOf({ db }: Context, row: Row): PageFault[] {
  const pages = new Set(pagesOf(row));
  if (pages.size === 0) return [];
  return [...listPageFaults(db)]
    .filter(([url]) => pages.has(url))
    .map(([url, fault]) => ({
      url,
      code: fault.code,
      params: jsonParams(fault),
      message: pageTextOf(fault)?.for(ENGLISH) ?? sentenceOf(fault),
    }));
}
