import { type Selectable, sql } from 'kysely';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import { listSongKeys } from '#pub/now-playing/song-identity.ts';
import type { Listen, Submission } from './listens.ts';
import { findPlayer, storePlayer } from './player.ts';
import { markListened } from './scrobble-queue.ts';
import { storePlay } from './store-play.ts';

/** The assumed length of a track without a reported one. */
const UNKNOWN_LENGTH = 10 * MINUTE;
/** A report belongs to a live play of the same song if their starts are closer than this. */
const NEAR = 10 * MINUTE;
/** How much earlier than a reported length a song may end: lengths and times are rounded. */
const END_GRACE = 2 * SECOND;
/** How late after its end a player may report a track and still count as online. */
const LATE = 2 * MINUTE;
/** A listen that is reported at the end of a song comes this soon after the beginning of the next. */
const AT_END = 5 * SECOND;
/** Listens that are stored in one turn of the event loop. */
const LISTENS_PER_TURN = 10;

/** Stores what a player reports. It is durable when this resolves; sending the same again changes nothing. */
export async function submitListens(ctx: Context, { type, listens }: Submission): Promise<void> {
  if (type === 'import') return importListens(ctx, listens);
  const [listen] = listens;
  if (!listen) return;
  const stored = await ctx.write((tx) =>
    listen.at === undefined ? reportPlaying(tx, ctx, listen) : reportListened(tx, ctx, listen, listen.at),
  );
  if (stored) ctx.hub.publish('plays');
  ctx.hub.publish('device');
}

/** Makes the track the current one, unless it already is. @returns whether a play was stored */
function reportPlaying(tx: Tx, ctx: Context, { track, player: name }: Listen): boolean {
  const now = ctx.now();
  const player = findPlayer(tx);
  const latest = tx.first(latestLive({ until: now + SECOND }));
  const own = latest !== undefined && player?.play_id === latest.id ? player : undefined;
  const length = track.duration_ms ?? latest?.duration_ms ?? null;
  const goesOn =
    latest?.silent === 0 &&
    listSongKeys(tx, track).includes(latest.track_key) &&
    now < (length === null && own ? own.until : latest.started_at + (length ?? UNKNOWN_LENGTH));
  const id = goesOn ? latest.id : storePlay(tx, ctx, track, now, 'player');
  const ends =
    goesOn && length !== null ? latest.started_at + length : now + (track.duration_ms ?? UNKNOWN_LENGTH);
  storePlayer(tx, { name, play_id: id, reported_at: now, until: ends });
  return !goesOn;
}

/** Stores the track at its start, unless it is already stored. @returns whether a play was stored */
function reportListened(tx: Tx, ctx: Context, { track, player: name }: Listen, began: number): boolean {
  const now = ctx.now();
  const at = Math.min(began, now);
  const heard = findHeard(tx, track, at) ?? findPlayed(tx, track, at);
  if (heard !== undefined) {
    const resumed = findResumed(tx, heard, now);
    if (resumed !== undefined) joinPlays(tx, heard, resumed);
    markListened(tx, ctx, resumed ?? heard);
    return resumed !== undefined;
  }
  const id = storePlay(tx, ctx, track, at, 'player');
  markListened(tx, ctx, id);
  const length = track.duration_ms ?? UNKNOWN_LENGTH;
  const isNewest = tx.first(latestLive({ until: now + SECOND }))?.id === id;
  if (isNewest && now - at < length + LATE)
    storePlayer(tx, { name, play_id: id, reported_at: now, until: now + length });
  return true;
}

async function importListens(ctx: Context, listens: readonly Listen[]): Promise<void> {
  let stored = 0;
  for (let from = 0; from < listens.length; from += LISTENS_PER_TURN) {
    const some = listens.slice(from, from + LISTENS_PER_TURN);
    await ctx.queue.turn();
    stored += await ctx.write((tx) => some.filter((listen) => importListen(tx, ctx, listen)).length);
  }
  if (stored > 0) ctx.hub.publish('plays');
}

function importListen(tx: Tx, ctx: Context, { track, at: began = 0 }: Listen): boolean {
  const at = Math.min(began, ctx.now());
  if (findHeard(tx, track, at) !== undefined) return false;
  storePlay(tx, ctx, track, at, 'import');
  return true;
}

/**
 * Finds the stored play of a listen: the same song, begun within the same second; or near it if the play was not
 * imported, because its start may have been measured by another clock than the player's. A listen that begins when the
 * stored play had ended is the next one of the same song.
 */
function findHeard(db: Reader, song: Listen['track'], at: number): number | undefined {
  const plays = listSongKeys(db, song).flatMap((track_key) =>
    db.all(playsOfSong({ track_key, from: at - NEAR, to: at + NEAR })),
  );
  const distance = ({ started_at }: (typeof plays)[number]) => Math.abs(started_at - at);
  return plays
    .filter((play) => play.origin !== 'import' || distance(play) < SECOND)
    .filter(
      (play) =>
        distance(play) < SECOND ||
        play.duration_ms === null ||
        at < play.started_at + play.duration_ms - END_GRACE,
    )
    .toSorted((a, b) => distance(a) - distance(b))[0]?.id;
}

/**
 * Finds the second play of a song that was paused for longer than its rest: only the listen, which has the first start,
 * tells it from a repeat. A player that reports a listen at the end of a song does so when the repeat begins, not later.
 */
function findResumed(tx: Tx, heard: number, now: number): number | undefined {
  const player = findPlayer(tx);
  if (!player || player.play_id === heard) return undefined;
  const [first, second] = [heard, player.play_id].map((id) => tx.first(playById({ id })));
  if (!first || !second || first.track_key !== second.track_key) return undefined;
  const isLater = second.started_at > first.started_at && second.started_at - first.started_at < NEAR;
  return isLater && now - second.started_at > AT_END ? second.id : undefined;
}

/** Makes two plays one: the later one, which is shown. Its request stays with it. */
function joinPlays(tx: Tx, first: number, second: number): void {
  const plays = build.updateTable('plays');
  const { request_id } = tx.first(playById({ id: first }))!;
  if (request_id !== null) {
    const moved = build
      .updateTable('song_requests')
      .set({ played_play_id: second })
      .where('played_play_id', '=', first);
    tx.run(moved);
    tx.run(plays.set({ request_id }).where('id', '=', second).where('request_id', 'is', null));
  }
  tx.run(build.deleteFrom('scrobbles').where('play_id', '=', first));
  tx.run(plays.set({ silent: 1, request_id: null }).where('id', '=', first));
}

/** Finds the play of the player's current track for a listen: some players send the time of the report as its time. */
function findPlayed(db: Reader, song: Listen['track'], at: number): number | undefined {
  const player = findPlayer(db);
  if (!player || at >= player.until + LATE) return undefined;
  const play = db.first(playById({ id: player.play_id }));
  const isSame = play && at >= play.started_at && listSongKeys(db, song).includes(play.track_key);
  return isSame ? play.id : undefined;
}

/** Finds the play of a player that a report of the capture device repeats. */
export function findPlayersPlay(
  db: Reader,
  song: Listen['track'],
  { at, now }: { at: number; now: number },
): number | undefined {
  const player = findPlayer(db);
  if (!player || at >= player.until) return undefined;
  const latest = db.first(latestLive({ until: now + SECOND }));
  if (latest?.id !== player.play_id || at < latest.started_at - NEAR) return undefined;
  return listSongKeys(db, song).includes(latest.track_key) ? latest.id : undefined;
}

type Play = Pick<Selectable<PlaysTable>, 'id' | 'started_at' | 'silent' | 'track_key' | 'duration_ms'>;

// Literals, so that the partial indexes plays_live and plays_track are used.
const latestLive = prepare((p: { until: number }) =>
  build
    .selectFrom('plays')
    .select(['id', 'started_at', 'silent', 'track_key', 'duration_ms'])
    .where('origin', '<>', sql.lit('import'))
    .where('started_at', '<=', p.until)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ONE)
    .$castTo<Play>(),
);

const playById = prepare((p: { id: number }) =>
  build.selectFrom('plays').select(['id', 'started_at', 'track_key', 'request_id']).where('id', '=', p.id),
);

const playsOfSong = prepare((p: { track_key: string; from: number; to: number }) =>
  build
    .selectFrom('plays')
    .select(['id', 'started_at', 'origin', 'duration_ms'])
    .where('track_key', '=', p.track_key)
    .where('silent', '=', sql.lit(0))
    .where('started_at', '>', p.from)
    .where('started_at', '<', p.to),
);
