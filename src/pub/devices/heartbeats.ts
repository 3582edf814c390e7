import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { AppError, forbidden } from '#kernel/http/errors.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type Wifi, wifiCode, wifiOf } from '#kernel/settings/house.ts';
import { label, screenLabel } from '#pub/display/screen-label.ts';
import { noteGap } from './gaps.ts';
import { failedPicturesOf, noteBoot, zonelessOf } from './heard.ts';
import { SCREEN_PAGES, type ScreenPage } from './screen-record.ts';
import { findById, isOnline, readGroups } from './screens.ts';
import { countShown, ShownInput } from './shown.ts';
import { type Told, tellMixes } from './told-mixes.ts';

/** Screens that staff did nothing about; anybody can report one. The others have no limit. */
const UNNAMED_AT_MOST = 200;

/** The heartbeat of a screen. `version` is the build of its page; `uptime_s` counts from when the page was loaded. */
export const HeartbeatInput = z.object({
  screen: screenLabel.refine((name) => name !== '', coded('empty')),
  page: oneOf(SCREEN_PAGES),
  version: label(64),
  uptime_s: z
    .number(coded('not_number'))
    .min(0)
    .transform((seconds) => Math.min(seconds, 10 * 365 * 86_400)),
  viewport: label(20),
  /** Since when it shows cached content, ISO 8601. */
  offlineSince: z.string().max(40).nullish(),
  /** A preview: the moment that it shows, ISO 8601. */
  at: z.iso.datetime().nullish().catch(null),
  /** Its browser does not know the zone of the club, and reckons with the offsets that the pages have. */
  unknownZone: z.boolean().default(false).catch(false),
  /** How many slides have a picture that last failed to load. */
  failedPictures: z.int().min(0).max(999).default(0).catch(0),
  /** False for a browser without `?screen=`, which counts as a visitor. */
  named: z.boolean().default(true),
  /** A preview for staff: it is no screen, whatever cookie its browser has. */
  preview: z.boolean().default(false).catch(false),
  /** What it shows, in a few words. */
  showing: label(120).nullish(),
  /** Random for each load of the page: two browsers with one secret are told apart by it. */
  bootId: label(40).nullish(),
  /** By how much its own clock is ahead of the service's. */
  skewMs: z.number().nullish().catch(null),
  /** The memory that its page uses. */
  heapMb: z.number().min(0).max(1e6).nullish().catch(null),
  /** How many of its slides came late since it was loaded. */
  lateFlips: z.int().min(0).max(1e6).nullish().catch(null),
  /** Which of its mixes it shows. */
  nowMix: label(40).nullish().catch(null),
  /** How often it has shown each announcement since its last report; of paired screens alone. */
  shown: ShownInput,
});
type Heartbeat = z.infer<typeof HeartbeatInput>;

/** What a screen is told: what staff decided about it, and what it is to do. */
export interface ScreenTold extends Told {
  name: string | null;
  groups: string[];
  reload?: true;
  /** For how long it is to show its name. */
  identifyMs?: number;
  /** Of a paired screen: its id, its page and how it is placed. */
  id?: string;
  page?: ScreenPage;
  place?: string;
  turn?: number;
  inset?: number | null;
  /** Of a paired screen: the Wi-Fi that it shows, and the address of its code. */
  wifi?: Wifi & { code?: string };
}

/** The answer to a heartbeat. */
export interface HeartbeatAnswer extends ScreenTold {
  ok: true;
  now: number;
  build: string;
  /** Whether the pub is open. */
  open?: true;
}

type Row = Selectable<ScreensTable>;

/** The paired screen with this secret, if there is one. */
export function findPairedScreen(reader: Reader, secret: string): Row | undefined {
  return reader.first(build.selectFrom('screens').selectAll().where('secret_hash', '=', sha256(secret)));
}

/**
 * Stores the heartbeat of a screen, and tells it what staff decided. Of the screens that staff did nothing about at most
 * 200 are stored: a new one replaces the one of them that was silent for longest; while all of them are online, the new
 * one is not stored.
 * @param secret of a paired screen @param version the build of the pages that this service serves
 * @throws 403 for the name of a paired screen, 410 for a secret that was ended
 */
export async function recordHeartbeat(
  ctx: Context,
  beat: Heartbeat,
  { secret, version }: { secret: string | undefined; version: string },
): Promise<ScreenTold> {
  const now = ctx.now();
  const { id, row, gone } = await ctx.write((tx): Outcome => {
    const known = secret === undefined ? findByName(tx, beat) : findPairedScreen(tx, secret);
    if (secret !== undefined && !known) throw new AppError(410, 'screen_ended');
    if (secret === undefined && isNameOfPaired(tx, beat.screen)) throw forbidden('screen_name_paired');
    const seen = seenBy(beat, { now, version, outdatedSince: known?.outdated_since ?? null });
    if (known) {
      noteGap(tx, known, now);
      tx.run(build.updateTable('screens').set(seen).where('id', '=', known.id));
      const { name } = known;
      // What anybody may report is not counted.
      if (secret !== undefined && beat.shown && name !== null)
        countShown(tx, { id: known.id, name }, beat.shown, { now, zone: ctx.config.TIME_ZONE });
      return { id: known.id, row: { ...known, ...seen }, gone: [] };
    }
    const gone = makeSpace(tx, now);
    if (!gone) return { gone: [] };
    const { screen, page } = beat;
    const id = newId(now);
    tx.run(
      build.insertInto('screens').values({ ...seen, id, screen, page, groups: '[]', first_seen_at: now }),
    );
    return { id, gone };
  });
  const failed = failedPicturesOf(ctx);
  const zoneless = zonelessOf(ctx);
  for (const one of gone) {
    failed.delete(one);
    zoneless.delete(one);
  }
  if (id === undefined) return NOTHING_TOLD;
  if (beat.failedPictures > 0) failed.set(id, beat.failedPictures);
  else failed.delete(id);
  if (beat.unknownZone) zoneless.add(id);
  else zoneless.delete(id);
  if (beat.bootId) noteBoot(ctx, id, beat.bootId);
  if (!row) return NOTHING_TOLD;
  return { ...told(row, now), ...tellMixes(ctx, row), ...(secret !== undefined && tellWifi(ctx)) };
}

/** The address of the code by which phones join; only paired screens get the picture. */
export const WIFI_CODE = '/api/screens/wifi.png';

function tellWifi({ config: { settings } }: Context): Pick<ScreenTold, 'wifi'> {
  const wifi = wifiOf(settings);
  const code = wifiCode(settings);
  // The address changes with the code, which browsers may keep.
  return wifi
    ? { wifi: { ...wifi, ...(code && { code: `${WIFI_CODE}?of=${sha256(code).slice(0, 8)}` }) } }
    : {};
}

interface Outcome {
  /** Absent if the screen was not stored. */
  id?: string;
  /** Absent if it was not known before. */
  row?: Row;
  /** The ids of screens that were deleted for it. */
  gone: string[];
}

const NOTHING_TOLD: ScreenTold = { name: null, groups: [] };

/** The moments that a preview may show are that near: today's, in any zone. */
const PREVIEWED = 2 * DAY;

/**
 * What a browser is told that is no screen of its own, such as a preview: the names of the one that it shows, and what
 * that one shows at the moment of the preview.
 */
export function findNames(
  ctx: Context,
  beat: Pick<Heartbeat, 'screen' | 'page'> & Partial<Pick<Heartbeat, 'at'>>,
): ScreenTold {
  const row = findShown(ctx.db, { name: beat.screen, page: beat.page });
  if (!row) return NOTHING_TOLD;
  const now = ctx.now();
  const at = Date.parse(beat.at ?? '');
  const moment = Math.abs(at - now) < PREVIEWED ? at : now;
  return { name: row.name, groups: readGroups(row), ...tellMixes(ctx, row, moment) };
}

/** The screen that a preview shows, or that has this name in its address. @param name or the id of a paired one */
export function findShown(
  reader: Reader,
  { name, page }: { name: unknown; page: ScreenPage },
): Row | undefined {
  if (typeof name !== 'string') return undefined;
  return findByName(reader, { screen: name, page }) ?? findById(reader, name);
}

function told(row: Row, now: number): ScreenTold {
  const { id, name, page, place, turn, inset, reload_at, started_at, identify_until, paired_at } = row;
  return {
    name,
    groups: readGroups(row),
    ...(reload_at !== null && reload_at > started_at && { reload: true }),
    ...(identify_until !== null && identify_until > now && { identifyMs: identify_until - now, place }),
    ...(paired_at !== null && { id, page, place, turn, inset }),
  };
}

function seenBy(
  { version, viewport, showing, uptime_s, offlineSince, skewMs, heapMb, lateFlips, nowMix }: Heartbeat,
  of: { now: number; version: string; outdatedSince: number | null },
) {
  const { now } = of;
  return {
    version,
    viewport,
    showing: showing || null,
    started_at: Math.round(now - uptime_s * 1_000),
    offline_since: offlineSince ? (parseTimestamp(offlineSince, 'UTC') ?? null) : null,
    outdated_since: isSameProgram(version, of.version) ? null : (of.outdatedSince ?? now),
    skew_ms: typeof skewMs === 'number' ? Math.round(Math.max(-1e12, Math.min(skewMs, 1e12))) : null,
    heap_mb: typeof heapMb === 'number' ? Math.round(heapMb) : null,
    late_flips: lateFlips ?? null,
    now_mix: nowMix || null,
    last_seen_at: now,
  };
}

/** After `~` are the settings, which a screen takes over within seconds. */
const isSameProgram = (one: string, other: string): boolean => one.split('~')[0] === other.split('~')[0];

function findByName(reader: Reader, { screen, page }: { screen: string; page: ScreenPage }): Row | undefined {
  return reader.first(
    build.selectFrom('screens').selectAll().where('screen', '=', screen).where('page', '=', page),
  );
}

/** Whether a paired screen has this name, so that an address with it is no screen. */
function isNameOfPaired(reader: Reader, name: string): boolean {
  const paired = reader.all(build.selectFrom('screens').select('name').where('paired_at', 'is not', null));
  return paired.some((one) => one.name !== null && isSameName(one.name, name));
}

/** Makes room for one more screen. @returns the ids that were deleted for it; undefined if there is no room */
function makeSpace(tx: Tx, at: number): string[] | undefined {
  const unnamed = build
    .selectFrom('screens')
    .selectAll()
    .where('name', 'is', null)
    .where('groups', '=', '[]')
    .where('revision', '=', 1);
  const surplus = tx.all(
    unnamed
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .limit(-1)
      .offset(UNNAMED_AT_MOST - 1),
  );
  if (surplus.some((one) => isOnline(one, at))) return undefined;
  for (const { id } of surplus) tx.run(build.deleteFrom('screens').where('id', '=', id));
  return surplus.map(({ id }) => id);
}
