import { sql } from 'kysely';
import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import { acknowledgeCommand } from '#pub/devices/relay-commands.ts';
import { recordHeartbeat } from '#pub/now-playing/device.ts';
import { type Beat, parseReport, type Track } from './ingest-body.ts';
import { storePlay } from './store-play.ts';
import { findPlayersPlay } from './submit.ts';

export type Ingested =
  | { ok: true; id: number; deduped?: true; silent?: true }
  | { ok: true; heartbeat: true; last_seen: string };

/**
 * Stores a report of the capture device: a track, silence, or a heartbeat. It is durable when this resolves.
 * @param body the parsed JSON, not yet validated
 * @throws 400 naming the field
 */
export async function ingest(ctx: Context, body: unknown): Promise<Ingested> {
  const report = parseReport(body, ctx.config.TIME_ZONE);
  if (report.type === 'heartbeat') return storeHeartbeat(ctx, report.beat);
  if (report.type === 'silence') return storeSilence(ctx, report.startedAt);
  return storeTrack(ctx, report.track, report.startedAt);
}

async function storeHeartbeat(ctx: Context, beat: Beat): Promise<Ingested> {
  const at = await ctx.write((tx) => {
    recordHeartbeat(tx, ctx, beat);
    if (beat.applied_intent) acknowledgeCommand(tx, ctx, 'lighting', beat.applied_intent);
    if (beat.applied_sound) acknowledgeCommand(tx, ctx, 'sound', beat.applied_sound);
    return ctx.now();
  });
  ctx.hub.publish('device');
  return { ok: true, heartbeat: true, last_seen: isoTime(at) };
}

async function storeSilence(ctx: Context, reported: number | undefined): Promise<Ingested> {
  const play = await ctx.write((tx) => tx.first(insertSilence({ started_at: startOfPlay(ctx, reported) })));
  ctx.hub.publish('plays');
  return { ok: true, silent: true, id: play!.id };
}

async function storeTrack(ctx: Context, track: Track, reported: number | undefined): Promise<Ingested> {
  const { id, deduped } = await ctx.write((tx) => {
    const at = startOfPlay(ctx, reported);
    const repeated = findSamePlay(tx, track, at, ctx.config.NOW_PLAYING_DEDUPE_WINDOW_SECONDS * SECOND);
    const same = repeated ?? findPlayersPlay(tx, track, { at, now: ctx.now() });
    return same === undefined
      ? { id: storePlay(tx, ctx, track, at, 'device'), deduped: false }
      : { id: same, deduped: true };
  });
  if (deduped) return { ok: true, deduped: true, id };
  ctx.hub.publish('plays');
  return { ok: true, id };
}

/**
 * Finds the stored play that this report repeats, if any: the latest play up to `window` after the reported start, or
 * the last one before it, for a report that arrives late or twice. @param window milliseconds
 */
function findSamePlay(db: Reader, track: Names, at: number, window: number): number | undefined {
  if (window === 0) return undefined;
  for (const until of [at + window, at]) {
    const play = db.first(lastHeardUntil({ until }));
    if (play && at - play.started_at <= window && hasSameNames(play, track)) return play.id;
  }
  return undefined;
}

interface Names {
  artist: string;
  title: string;
}

const hasSameNames = (one: Names, other: Names) =>
  foldCase(one.artist) === foldCase(other.artist) && foldCase(one.title) === foldCase(other.title);

/** Upper case first: that turns ß into ss. */
const foldCase = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().trim();

/** The start that the device reported, but never in the future: its clock may run ahead. */
function startOfPlay(ctx: Context, reported: number | undefined): number {
  return Math.min(reported ?? ctx.now(), ctx.now());
}

// `silent` is a literal, not bound: SQLite uses the partial index plays_heard only when it sees the value.
const lastHeardUntil = prepare((p: { until: number }) =>
  build
    .selectFrom('plays')
    .select(['id', 'started_at', 'artist', 'title'])
    .where('silent', '=', sql.lit(0))
    .where('started_at', '<=', p.until)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ONE),
);

const insertSilence = prepare((p: { started_at: number }) =>
  build
    .insertInto('plays')
    .values({ started_at: p.started_at, artist: '', title: '', silent: sql.lit(1) })
    .returning('id'),
);
