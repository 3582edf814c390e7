import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import { build, ONE, prepare, type Tx } from '#kernel/db/writes.ts';
import { badField } from '#kernel/http/errors.ts';
import { parseInput, refusal } from '#kernel/http/validation.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { markRequestPlayed } from '#pub/requests/requests.ts';
import { settleWish } from '#pub/room/relay-commands.ts';
import { openScreeningId } from '#pub/screen/screenings.ts';
import { isHiddenName } from '#pub/setlist/hidden-names.ts';
import { hearsVideo, readDevice, recordHeartbeat } from './device.ts';
import { Beat, Flags, Silence, Track } from './ingest-body.ts';
import { trackKey } from './track-key.ts';

export type Ingested =
  | { ok: true; id: number; deduped?: true; silent?: true }
  | { ok: true; heartbeat: true; last_seen: string };

/**
 * Takes what the capture device heard: a track, silence, or a heartbeat. It is stored when this resolves.
 * @throws 400 naming the field
 */
export async function ingest(ctx: Context, body: unknown): Promise<Ingested> {
  const { heartbeat, silent } = read(Flags, body);
  if (heartbeat) return takeHeartbeat(ctx, read(Beat, body));
  if (silent) return takeSilence(ctx, read(Silence, body));
  return takeTrack(ctx, read(Track, body));
}

async function takeHeartbeat(ctx: Context, beat: z.output<typeof Beat>): Promise<Ingested> {
  const at = await ctx.write((tx) => {
    recordHeartbeat(tx, ctx, beat);
    if (beat.applied_intent) settleWish(tx, ctx, 'lighting', beat.applied_intent);
    if (beat.applied_sound) settleWish(tx, ctx, 'sound', beat.applied_sound);
    return ctx.now();
  });
  ctx.hub.tell('device');
  return { ok: true, heartbeat: true, last_seen: isoTime(at) };
}

async function takeSilence(ctx: Context, { started_at }: z.output<typeof Silence>): Promise<Ingested> {
  const reported = startOf(ctx, started_at);
  const play = await ctx.write((tx) => tx.first(insertSilence(Math.min(reported ?? ctx.now(), ctx.now()))));
  ctx.hub.tell('plays');
  return { ok: true, silent: true, id: play!.id };
}

async function takeTrack(ctx: Context, track: z.output<typeof Track>): Promise<Ingested> {
  const reported = startOf(ctx, track.started_at);
  const { id, deduped } = await ctx.write((tx) => {
    // A device whose clock runs ahead plays nothing in the future.
    const at = Math.min(reported ?? ctx.now(), ctx.now());
    const twin = findTwin(tx, track, at, ctx.config.NOW_PLAYING_DEDUPE_WINDOW_SECONDS * SECOND);
    return twin === undefined
      ? { id: store(tx, ctx, track, at), deduped: false }
      : { id: twin, deduped: true };
  });
  if (deduped) return { ok: true, deduped: true, id };
  ctx.hub.tell('plays');
  return { ok: true, id };
}

/** Stores a play, as music or as the sound of a film or a game, and fulfils the request for it if there is one. @returns its id */
function store(tx: Tx, ctx: Context, track: z.output<typeof Track>, at: number): number {
  const key = trackKey(track);
  const screening_id = openScreeningId(tx) ?? null;
  const kind = screening_id !== null || hearsVideo(readDevice(tx, ctx)) ? 'video' : 'music';
  const genre = tx.first(genreOf(key))?.genre ?? null;
  const hidden = isHiddenName(tx, track) ? 1 : 0;
  const { id } = tx.first(
    insertPlay({ ...track, started_at: at, kind, screening_id, track_key: key, genre, hidden }),
  )!;
  const request = kind === 'music' ? markRequestPlayed(tx, { playId: id, trackKey: key, at }) : undefined;
  if (request) tx.run(build.updateTable('plays').set({ request_id: request }).where('id', '=', id));
  return id;
}

/**
 * The row that holds this track already: the latest within the window, or the one this would follow, where the twin of
 * a report that comes late, or a second time, is.
 */
function findTwin(tx: Tx, track: { artist: string; title: string }, at: number, window: number) {
  if (window === 0) return undefined;
  for (const until of [at + window, at]) {
    const heard = tx.first(lastHeard(until));
    if (heard && at - heard.started_at <= window && isSame(heard, track)) return heard.id;
  }
  return undefined;
}

interface Names {
  artist: string;
  title: string;
}

const isSame = (one: Names, other: Names) =>
  folded(one.artist) === folded(other.artist) && folded(one.title) === folded(other.title);

/** Case folded by way of capitals, which knows that ß is ss. */
const folded = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().trim();

/** @throws 400 for a text that is no time */
function startOf(ctx: Context, text: string | null | undefined): number | undefined {
  if (text == null) return undefined;
  const at = parseTimestamp(text.trim(), ctx.config.TIME_ZONE);
  if (at === undefined) throw badField('started_at', 'must be an ISO 8601 time');
  return at;
}

function read<T>(shape: z.ZodType<T>, body: unknown): T {
  const parsed = parseInput(shape, body ?? {}, 'json');
  if (!parsed.success) throw refusal(parsed.error);
  return parsed.data;
}

// `silent` is written out, not bound: only so does SQLite know that its index plays_heard has the row.
const lastHeard = prepare(
  build
    .selectFrom('plays')
    .select(['id', 'started_at', 'artist', 'title'])
    .where('silent', '=', sql.lit(0))
    .where('started_at', '<=', 0)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ONE),
  (until: number) => [until],
);

const genreOf = prepare(
  build.selectFrom('track_genres').select('genre').where('track_key', '=', ''),
  (key: string) => [key],
);

const insertSilence = prepare(
  build
    .insertInto('plays')
    .values({ started_at: 0, artist: '', title: '', silent: sql.lit(1) })
    .returning('id'),
  (at: number) => [at, '', ''],
);

const COLUMNS = [
  'started_at',
  'artist',
  'title',
  'album',
  'album_art_url',
  'isrc',
  'source',
  'confidence',
  'duration_ms',
  'kind',
  'screening_id',
  'track_key',
  'genre',
  'hidden',
] as const;
type NewPlay = Pick<Selectable<PlaysTable>, (typeof COLUMNS)[number]>;

const insertPlay = prepare(
  build
    .insertInto('plays')
    .columns(COLUMNS)
    .expression((_) => sql`VALUES (${sql.join(COLUMNS.map(() => null))})`)
    .returning('id'),
  (play: NewPlay) => COLUMNS.map((column) => play[column]),
);
