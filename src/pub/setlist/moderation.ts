import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import { badRequest, notFound } from '#kernel/http/errors.ts';
import { flag, optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { findGenre } from '#pub/now-playing/genre.ts';
import { isHiddenName } from '#pub/now-playing/hidden.ts';
import { rederiveSongCode, songKey } from '#pub/now-playing/song-identity.ts';
import { nameKey } from '#pub/now-playing/track-key.ts';
import { type TrackRow, toTrackRow } from '#pub/now-playing/tracks.ts';

/** A moderator's change of a play: hides it from everything public, shows it again, or corrects its names. */
export const PlayChange = z.object({
  hidden: flag.optional(),
  artist: optionalText(300),
  title: optionalText(300),
  /** An empty text removes the album. */
  album: z
    .string()
    .trim()
    .max(300, coded('too_long', { max: 300 }))
    .nullish(),
});

export const PlaysQuery = z.object({
  limit: wholeNumber(1, 200).default(50),
  /** The id of the play before which the page begins. */
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

type Play = Selectable<PlaysTable>;

/** A play as staff see it, hidden or not. */
export type StaffPlay = TrackRow & { kind: 'music' | 'video'; genre: string | null; hidden: boolean };

/** Lists plays, newest first, including hidden ones and those from films, but not silence. */
export function listPlaysForStaff(
  ctx: Context,
  { limit, before }: z.output<typeof PlaysQuery>,
): { items: StaffPlay[]; nextBefore: number | null } {
  let plays = build.selectFrom('plays').selectAll().where('silent', '=', sql.lit(0));
  if (before !== undefined) {
    const last = build.selectFrom('plays').select(['started_at', 'id']).where('id', '=', before);
    plays = plays.where(sql<boolean>`(started_at, id) < ${last}`);
  }
  const rows = ctx.db.all(plays.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit));
  return { items: rows.map(toStaffPlay), nextBefore: rows.length === limit ? rows.at(-1)!.id : null };
}

/**
 * Hides, shows or corrects a play, and audits it. A play with other names counts as another song: it loses the
 * recording code and the genre of the wrong one.
 * @throws 404, 400 when nothing is to be changed
 */
export async function changePlay(
  ctx: Context,
  id: number,
  change: z.output<typeof PlayChange>,
  actor: Actor,
): Promise<StaffPlay> {
  const changed = await ctx.write((tx) => {
    const play = getPlay(tx, id);
    const hidden = setHidden(tx, play, change.hidden, actor);
    const corrected = correctNames(tx, play, change, actor);
    if (!hidden && !corrected) throw badRequest('nothing_to_change');
    return { ...play, ...hidden, ...corrected };
  });
  ctx.hub.publish('plays');
  return toStaffPlay(changed);
}

/** @throws AppError 404 */
export function getPlay(db: Reader, id: number): Play {
  const play = db.first(build.selectFrom('plays').selectAll().where('id', '=', id));
  if (!play || play.silent === 1) throw notFound('no_such_play');
  return play;
}

/** Puts the names of a play back and shows or hides it, as it was before a change. @throws AppError 404 */
export async function restorePlay(ctx: Context, before: Play, actor: Actor): Promise<void> {
  const { id, artist, title, album, isrc, track_key, genre, hidden } = before;
  await ctx.write((tx) => {
    getPlay(tx, id);
    const change = { artist, title, album, isrc, track_key, genre, hidden };
    tx.run(build.updateTable('plays').set(change).where('id', '=', id));
    rederiveSongCode(tx, before);
    recordAudit(tx, actor, { action: 'play.restored', metadata: { play_id: id, artist, title } });
  });
  ctx.hub.publish('plays');
}

function setHidden(tx: Tx, { id, artist, title, hidden }: Play, wanted: boolean | undefined, actor: Actor) {
  if (wanted === undefined || wanted === (hidden === 1)) return undefined;
  const change = { hidden: wanted ? (1 as const) : (0 as const) };
  tx.run(build.updateTable('plays').set(change).where('id', '=', id));
  const action = wanted ? 'play.hidden' : 'play.shown';
  recordAudit(tx, actor, { action, metadata: { play_id: id, artist, title } });
  return change;
}

function correctNames(
  tx: Tx,
  play: Play,
  { artist, title, album }: z.output<typeof PlayChange>,
  actor: Actor,
) {
  const before = { artist: play.artist, title: play.title, album: play.album };
  const after = {
    artist: artist ?? play.artist,
    title: title ?? play.title,
    album: album === undefined || album === null ? play.album : album || null,
  };
  if (after.artist === before.artist && after.title === before.title && after.album === before.album)
    return undefined;
  const isOtherSong = nameKey(after.artist, after.title) !== nameKey(before.artist, before.title);
  const isrc = isOtherSong ? '' : play.isrc;
  const track_key = songKey(tx, { ...after, isrc });
  const genre = isOtherSong ? findGenre(tx, track_key) : play.genre;
  const change = {
    ...after,
    isrc,
    track_key,
    genre,
    ...(isHiddenName(tx, { ...after, isrc }) && { hidden: 1 as const }),
  };
  tx.run(build.updateTable('plays').set(change).where('id', '=', play.id));
  if (isOtherSong) rederiveSongCode(tx, play);
  recordAudit(tx, actor, { action: 'play.corrected', metadata: { play_id: play.id, before, after } });
  return change;
}

function toStaffPlay(play: Play): StaffPlay {
  return { ...toTrackRow(play), kind: play.kind, genre: play.genre, hidden: play.hidden === 1 };
}
