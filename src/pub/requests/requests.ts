import { z } from 'zod';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import { type AppError, badField, conflict, notFound } from '#kernel/http/errors.ts';
import { EVERYBODY, type Limit } from '#kernel/http/rate-limit.ts';
import { optionalName, optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isHiddenName } from '#pub/now-playing/hidden.ts';
import { resolveKey, songKey } from '#pub/now-playing/song-identity.ts';
import { nameKey } from '#pub/now-playing/track-key.ts';
import { pubDayEnd, pubDayOf } from '#pub/pub-day.ts';
import { ensureRequestsOpen } from './hours.ts';
import {
  type Block,
  findBlock,
  isOpen,
  latestPublicPlay,
  listHeardLately,
  nextRequestAt,
  nextRequestOfAddressAt,
  OPEN,
  type RequestRow,
  requestsOfDay,
  type Song,
  tooSoon,
} from './rules.ts';

/** A song, given by the key of a suggestion or by typed names. */
export const RequestInput = z
  .object({
    key: optionalText(300),
    artist: optionalName(120),
    title: optionalName(160),
    note: optionalName(80),
  })
  .superRefine(({ key, artist, title }, issues) => {
    if (key) return;
    for (const [path, text] of Object.entries({ artist, title }))
      if (!text) issues.addIssue({ code: 'custom', path: [path], message: coded('required') });
  });

export const VoteInput = z.object({ value: wholeNumber(0, 1) });

/** Stored requests in all; past that the oldest are deleted. */
const REQUESTS_AT_MOST = 50_000;
/** Limits for all visitors together: cookies and addresses can be forged, and nobody reads a longer queue. */
const ASKS_OF_ALL: Limit[] = [
  { name: 'song requests in a minute', client: EVERYBODY, limit: 100, window: MINUTE },
  { name: 'song requests', client: EVERYBODY, limit: 300, window: HOUR },
];
const VOTES_OF_ALL: Limit[] = [{ name: 'song votes', client: EVERYBODY, limit: 3_000 }];

/** The visitor who requests: hashes of the browser's cookie and of its address. */
export interface Visitor {
  browser: string;
  client: string;
}

/**
 * Requests a song. If the same song is already requested, votes for that request instead.
 * @throws 400, 409 while the pub is closed, when the song or its artist was just heard or another song by the artist is
 * open, 429 for a browser with an open request of the last 10 minutes or three this evening, and past other limits
 */
export async function requestSong(
  ctx: Context,
  { browser, client }: Visitor,
  input: z.output<typeof RequestInput>,
): Promise<{ merged: boolean; request: RequestRow }> {
  ensureRequestsOpen(ctx);
  const now = ctx.now();
  const { TIME_ZONE: zone } = ctx.config;
  const day = pubDayOf(now, zone);
  return ctx.write((tx) => {
    expireRequests(tx, day);
    const song = findSong(tx, input);
    if (isHiddenName(tx, song)) throw badField(input.key ? 'key' : 'title', 'song_hidden');
    const today = tx.all(requestsOfDay({ day }));
    const heard = listHeardLately(tx, now);
    const block = findBlock(song, { heard, open: today.filter(isOpen), now });
    if (block?.why === 'pending') {
      ensureWithin(ctx, VOTES_OF_ALL);
      return { merged: true, request: setVote(tx, block.request, browser, true) };
    }
    const own = today.filter((request) => request.browser_hash === browser);
    const next = nextRequestAt(own, now, pubDayEnd(day, zone));
    if (next !== null) throw tooSoon('request_limit_of_evening', next, now);
    const times = today
      .filter((request) => request.client_hash === client)
      .map((request) => request.created_at);
    const nextHere = nextRequestOfAddressAt(times, now);
    if (nextHere !== null) throw tooSoon('request_limit_of_place', nextHere, now);
    if (block) throw blocked(block, song);
    ensureWithin(ctx, ASKS_OF_ALL);
    forgetOldest(tx);

    const id = newId(now);
    tx.run(
      build.insertInto('song_requests').values({
        ...song,
        id,
        note: input.note,
        pub_day: day,
        browser_hash: browser,
        client_hash: client,
        created_at: now,
      }),
    );
    return { merged: false, request: setVote(tx, getRequest(tx, id), browser, true) };
  });
}

/** Makes room for one more request. */
function forgetOldest(tx: Tx): void {
  const newest = build
    .selectFrom('song_requests')
    .select('id')
    .orderBy('pub_day', 'desc')
    .orderBy('created_at', 'desc');
  tx.run(build.deleteFrom('song_requests').where('id', 'in', newest.limit(-1).offset(REQUESTS_AT_MOST - 1)));
}

/**
 * Votes for a request, or takes the vote back; repeating it changes nothing.
 * @throws 404, 409 when the request is no longer open or the pub is closed
 */
export async function voteForRequest(
  ctx: Context,
  id: string,
  browser: string,
  value: number,
): Promise<{ votes: number; voted: boolean }> {
  ensureRequestsOpen(ctx);
  const { votes } = await ctx.write((tx) => {
    const request = getRequest(tx, id);
    const over = request.pub_day !== pubDayOf(ctx.now(), ctx.config.TIME_ZONE);
    if (over || !isOpen(request)) throw notWaiting(request);
    ensureWithin(ctx, VOTES_OF_ALL);
    return setVote(tx, request, browser, value === 1);
  });
  return { votes, voted: value === 1 };
}

/**
 * Marks the open request for a song that has just been heard as played, in the transaction that stores the play.
 * @returns the request's id, for the play's `request_id`; undefined when nobody requested this song
 */
export function markRequestPlayed(
  tx: Tx,
  { playId, trackKey: key, at }: { playId: number; trackKey: string; at: number },
): string | undefined {
  const play = tx.first(namesOfPlay({ id: playId }));
  const name_key = play ? nameKey(play.artist, play.title) : key;
  const [request] = tx.all(openRequestsFor({ track_key: key, name_key, asked_until: at + LATE }));
  if (!request) return undefined;
  tx.run(
    build
      .updateTable('song_requests')
      .set({ status: 'played', played_at: at, played_play_id: playId })
      .where('id', '=', request.id),
  );
  return request.id;
}

/** A play fulfils requests that were made up to this long after its start. */
const LATE = 5 * MINUTE;

/** Returns the request. @throws 404 */
export function getRequest(db: Reader, id: string): RequestRow {
  const request = db.first(requestById({ id }));
  if (!request) throw notFound('request_not_found');
  return request;
}

/** The 409 error for a request that can no longer be voted for or decided on. */
export function notWaiting({ status }: RequestRow): AppError {
  if (status === 'pending' || status === 'approved') return conflict('request_expired');
  return conflict('request_decided', { status });
}

/** Expires the open requests of earlier evenings. */
export function expireRequests(tx: Tx, today: string): void {
  tx.run(expireBefore({ day: today }));
}

function findSong(db: Reader, { key, artist, title }: z.output<typeof RequestInput>): NewSong {
  if (!key) {
    const names = { artist: artist ?? '', title: title ?? '' };
    const track_key = songKey(db, names);
    return {
      ...names,
      track_key,
      name_key: nameKey(names.artist, names.title),
      album_art_url: db.first(latestPublicPlay({ track_key }))?.album_art_url ?? '',
    };
  }
  const track_key = resolveKey(db, key);
  const play = db.first(latestPublicPlay({ track_key }));
  if (!play) throw badField('key', 'song_never_played');
  return { ...play, track_key, name_key: nameKey(play.artist, play.title) };
}

type NewSong = Song & { album_art_url: string };

/** Adds or removes a browser's vote. @returns the request with the new number of votes */
function setVote(tx: Tx, request: RequestRow, browser_hash: string, on: boolean): RequestRow {
  const changed = on
    ? tx.run(
        build
          .insertInto('song_request_votes')
          .values({ request_id: request.id, browser_hash })
          .onConflict((conflict) => conflict.doNothing()),
      )
    : tx.run(
        build
          .deleteFrom('song_request_votes')
          .where('request_id', '=', request.id)
          .where('browser_hash', '=', browser_hash),
      );
  const votes = request.votes + (on ? changed : -changed);
  if (changed > 0) tx.run(build.updateTable('song_requests').set({ votes }).where('id', '=', request.id));
  return { ...request, votes };
}

function ensureWithin(ctx: Context, limits: readonly Limit[]): void {
  const until = ctx.limiter.hitAll(limits);
  if (until !== undefined) throw tooSoon('requests_limit', until, ctx.now());
}

/** The 409 error for a blocked song, with the reason and, if it is known, when the block ends. */
function blocked(block: Exclude<Block, { why: 'pending' }>, { artist }: Song): AppError {
  const until = block.until;
  const extra = { ...(until && { availableAt: isoTime(until) }) };
  if (block.why === 'recent') return conflict('recently_played', {}, { extra });
  return conflict(until ? 'artist_recently_played' : 'artist_waiting', { artist }, { extra });
}

const namesOfPlay = prepare((p: { id: number }) =>
  build.selectFrom('plays').select(['artist', 'title']).where('id', '=', p.id),
);

const openRequestsFor = prepare((p: { track_key: string; name_key: string; asked_until: number }) =>
  build
    .selectFrom('song_requests')
    .select('id')
    .where('status', 'in', OPEN)
    .where((or) => or.or([or('track_key', '=', p.track_key), or('name_key', '=', p.name_key)]))
    .where('created_at', '<=', p.asked_until)
    .orderBy('created_at'),
);

const expireBefore = prepare((p: { day: string }) =>
  build
    .updateTable('song_requests')
    .set({ status: 'expired' })
    .where('status', 'in', OPEN)
    .where('pub_day', '<', p.day),
);

const requestById = prepare((p: { id: string }) =>
  build.selectFrom('song_requests').selectAll().where('id', '=', p.id),
);
