import type { Permission } from '#kernel/access/roles.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { Words } from '#kernel/language/words.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { findCommand, findRoomState, type Relay } from '#pub/devices/relay-commands.ts';
import type { Lighting, Sound } from '#pub/devices/relay-inputs.ts';
import { listScreens, type ScreenJson } from '#pub/devices/screens.ts';
import { findDuty } from '#pub/display/ahead.ts';
import { readEventsFeed } from '#pub/display/feeds.ts';
import { currentTakeover, listTakeovers, type Takeover } from '#pub/display/takeovers.ts';
import { summarizeFeedback } from '#pub/feedback/triage.ts';
import { readStaffMenu, type StaffMenu } from '#pub/menu/staff.ts';
import { type Controls, findControls } from '#pub/now-playing/controls.ts';
import { currentTrack, findLatestPlay } from '#pub/now-playing/current.ts';
import type { TrackRow } from '#pub/now-playing/tracks.ts';
import { describeSending, type SendingState } from '#pub/plays/scrobble-queue.ts';
import { type HiddenName, listHiddenNames } from '#pub/requests/hidden-names.ts';
import { requestHours } from '#pub/requests/hours.ts';
import { listRequestsForStaff, type StaffRequestJson } from '#pub/requests/queue.ts';
import type { Card } from '#pub/screen/card.ts';
import { findNowShowing, type NowShowingState } from '#pub/screen/now-showing.ts';
import type { Override } from '#pub/screen/override.ts';
import { listScreeningRecords, type ScreeningRecord } from '#pub/screen/screenings.ts';
import { listPlaysForStaff, type StaffPlay } from '#pub/setlist/moderation.ts';
import { findMusicSource, type MusicSource } from './music-source.ts';
import { listSilentSources, type SilentSource } from './sources.ts';

/** The command of a relay, and the last one that it carried out; times are ISO. */
export interface RelayState<Desired> {
  desired: Desired | null;
  desiredSetAt: string | null;
  /** Why the command failed. */
  error: string | null;
  applied: Desired | null;
  appliedAt: string | null;
}

/** The state of the room for staff; parts that the person may not see or control are null. */
export interface Overview extends MusicSource {
  now: string;
  /** Whether the pub is open, in words, and who is behind the bar; null while no hours are known. */
  bar: { opening: Words; open: boolean; tenders: string } | null;
  /** Unread messages; null without the permission to read them. */
  feedback: { new: number } | null;
  /** The song that is playing, of the kind `video` if it comes from a film or a game; null for silence. */
  track: (TrackRow & { kind: 'music' | 'video' }) | null;
  /** Null while Now Showing is switched off. */
  card: Card | null;
  override: Override | null;
  games: NowShowingState['games'] | null;
  /** The state of scrobbling; null while it is not configured. */
  scrobbling: SendingState | null;
  screens: ScreenJson[];
  /** Other machines that do not answer, see `SOURCES`. */
  sources: SilentSource[];
  /** The taps, and what is sold out; null also while nothing is published. */
  menu: StaffMenu | null;
  /** The notices that fill screens, the newest first. */
  takeovers: Takeover[] | null;
  controls: Controls;
  lighting: RelayState<Lighting>;
  sound: RelayState<Sound>;
  /** Names of scenes and chases that were requested before, newest first. */
  scenes: { action: 'scene' | 'chase'; name: string }[] | null;
  /** Null also while requests are switched off. */
  requests: { open: boolean; items: StaffRequestJson[] } | null;
  /** The newest songs of the setlist, including hidden ones and those from films. */
  plays: StaffPlay[] | null;
  /** Artists and songs that are hidden. */
  hiddenNames: HiddenName[] | null;
  /** The newest screenings; null also while screenings are switched off. */
  screenings: ScreeningRecord[] | null;
}

const PLAYS_SHOWN = 6;
const SCREENINGS_SHOWN = 4;
const NAMES_SHOWN = 8;
const COMMANDS_READ = 100;

/**
 * Reads everything that the staff page shows and the person may see.
 * @param version the build of the pages that this service serves
 * @param kept ids of settled song requests that keep their place among the open ones
 */
export async function readOverview(
  ctx: Context,
  may: (permission: Permission) => boolean,
  version: string,
  kept?: ReadonlySet<string>,
): Promise<Overview> {
  const { NOW_PLAYING_STALE_MS: staleMs } = ctx.config;
  const seesRequests = isOn(ctx, 'requests') && may('requests:moderate');
  const seesScreenings = isOn(ctx, 'films') && may('screenings:write');
  // Only this part may wait, for the scoreboard. All others are read after it, so that they are of one moment.
  const showing = isOn(ctx, 'big_screen') ? await findNowShowing(ctx) : null;
  const now = ctx.now();
  const latest = findLatestPlay(ctx);
  const track = currentTrack(latest, now, staleMs);
  return {
    now: isoTime(now),
    bar: findBar(ctx),
    feedback: may('feedback:read') ? { new: summarizeFeedback(ctx).counts.new } : null,
    track: latest && track ? { ...track, kind: latest.kind } : null,
    card: showing?.card ?? null,
    override: showing?.override ?? null,
    games: showing && may('now_showing:read') ? showing.games : null,
    ...findMusicSource(ctx, latest),
    scrobbling: describeSending(ctx),
    screens: listScreens(ctx, version).screens,
    sources: listSilentSources(ctx),
    menu: may('menu:stock') ? readStaffMenu(ctx) : null,
    takeovers: may('screens:takeover') ? listRunning(ctx, now) : null,
    controls: findControls(ctx.db),
    lighting: findRelayState<Lighting>(ctx, 'lighting'),
    sound: findRelayState<Sound>(ctx, 'sound'),
    scenes: may('lighting:write') ? listKnownScenes(ctx) : null,
    requests: seesRequests ? { open: requestHours(ctx).open, items: listRequestsForStaff(ctx, kept) } : null,
    plays: may('requests:moderate') ? listPlaysForStaff(ctx, { limit: PLAYS_SHOWN }).items : null,
    hiddenNames: may('requests:moderate') ? listHiddenNames(ctx.db) : null,
    screenings: seesScreenings ? listScreeningRecords(ctx).slice(0, SCREENINGS_SHOWN) : null,
  };
}

function findBar(ctx: Context): Overview['bar'] {
  const { hoursKnown, pubTender } = readEventsFeed(ctx);
  if (!hoursKnown) return null;
  const { noteState, name: tenders } = pubTender;
  const open = noteState === 'active' || noteState === 'last-call';
  return { opening: findDuty(ctx).inWords, open, tenders };
}

function listRunning(ctx: Context, now: number): Takeover[] {
  const current = currentTakeover(listTakeovers(ctx), now);
  if (!current) return [];
  const { earlier, ...newest } = current;
  return [newest, ...earlier];
}

function findRelayState<Desired>(ctx: Context, relay: Relay): RelayState<Desired> {
  const [command, state] = [findCommand<Desired>(ctx, relay), findRoomState<Desired>(ctx, relay)];
  return { ...command, ...(state ?? { applied: null, appliedAt: null }) };
}

/** Lists recently requested scenes and chases: only the device knows all of them. */
function listKnownScenes(ctx: Context): NonNullable<Overview['scenes']> {
  const rows = ctx.db.all(
    build
      .selectFrom('audit_log')
      .select('metadata')
      .where('action', '=', 'lighting.requested')
      .orderBy('seq', 'desc')
      .limit(COMMANDS_READ),
  );
  const commands = rows.map((row) => (JSON.parse(row.metadata) as { desired: Lighting }).desired);
  const named = commands.flatMap((command) =>
    command.action === 'scene' || command.action === 'chase'
      ? [{ action: command.action, name: command.name }]
      : [],
  );
  const different = Map.groupBy(named, ({ action, name }) => `${action} ${name}`);
  return [...different.values()].flatMap(([first]) => first ?? []).slice(0, NAMES_SHOWN);
}
