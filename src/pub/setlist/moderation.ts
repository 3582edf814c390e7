import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import type { PlaysTable } from '#kernel/db/schema.ts';
import { build, type Tx } from '#kernel/db/writes.ts';
import { badRequest, notFound } from '#kernel/http/errors.ts';
import { flag, optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { nameKey, trackKey } from '#pub/now-playing/track-key.ts';
import { type TrackRow, trackRow } from '#pub/now-playing/tracks.ts';
import { isHiddenName } from './hidden-names.ts';
import { markSetlistRewritten } from './rollups/invalidate.ts';

/** What a moderator changes of a play: takes it out of everything public, or puts its names right. */
export const PlayChange = z.object({
  hidden: flag.optional(),
  artist: optionalText(300),
  title: optionalText(300),
  /** An empty one takes the album away. */
  album: z.string().trim().max(300, 'must have at most 300 characters').nullish(),
});

export const PlaysQuery = z.object({
  limit: wholeNumber(1, 200).default(50),
  /** The id of the play before which the page begins. */
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

type Play = Selectable<PlaysTable>;

/** A play as the staff sees it, with what is hidden from everyone else. */
export type StaffPlay = TrackRow & { kind: 'music' | 'video'; genre: string | null; hidden: boolean };

/** Songs from the newest on, hidden ones and those of films included, silence left out. */
export async function listPlaysForStaff(
  ctx: Context,
  { limit, before }: z.output<typeof PlaysQuery>,
): Promise<{ items: StaffPlay[]; nextBefore: number | null }> {
  let plays = ctx.db.selectFrom('plays').selectAll().where('silent', '=', sql.lit(0));
  if (before !== undefined) {
    const last = ctx.db.selectFrom('plays').select(['started_at', 'id']).where('id', '=', before);
    plays = plays.where(sql<boolean>`(started_at, id) < ${last}`);
  }
  const rows = await plays.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return { items: rows.map(staffPlay), nextBefore: rows.length === limit ? rows.at(-1)!.id : null };
}

/**
 * Hides, shows or corrects a play, audited. A song with other names is another song: it loses the recording code and
 * the genre of the one it was taken for.
 * @throws 404, 400 when nothing is to be changed
 */
export async function changePlay(
  ctx: Context,
  id: number,
  change: z.output<typeof PlayChange>,
  actor: Actor,
): Promise<StaffPlay> {
  const changed = await ctx.write((tx) => {
    const play = tx.first(build.selectFrom('plays').selectAll().where('id', '=', id));
    if (!play || play.silent === 1) throw notFound('There is no such play');
    const hidden = hide(tx, play, change.hidden, actor);
    const corrected = correct(tx, play, change, actor);
    if (!hidden && !corrected) throw badRequest('There is nothing to change');
    markSetlistRewritten(tx, id, id);
    return { ...play, ...hidden, ...corrected };
  });
  ctx.hub.tell('plays');
  return staffPlay(changed);
}

function hide(tx: Tx, { id, artist, title, hidden }: Play, wanted: boolean | undefined, actor: Actor) {
  if (wanted === undefined || wanted === (hidden === 1)) return undefined;
  const change = { hidden: wanted ? (1 as const) : (0 as const) };
  tx.run(build.updateTable('plays').set(change).where('id', '=', id));
  const action = wanted ? 'play.hidden' : 'play.shown';
  recordAudit(tx, actor, { action, metadata: { play_id: id, artist, title } });
  return change;
}

function correct(tx: Tx, play: Play, { artist, title, album }: z.output<typeof PlayChange>, actor: Actor) {
  const before = { artist: play.artist, title: play.title, album: play.album };
  const after = {
    artist: artist ?? play.artist,
    title: title ?? play.title,
    album: album === undefined || album === null ? play.album : album || null,
  };
  if (after.artist === before.artist && after.title === before.title && after.album === before.album)
    return undefined;
  const other = nameKey(after.artist, after.title) !== nameKey(before.artist, before.title);
  const isrc = other ? '' : play.isrc;
  const track_key = trackKey({ ...after, isrc });
  const genre = other ? (tx.first(genreOf(track_key))?.genre ?? null) : play.genre;
  const change = {
    ...{ ...after, isrc, track_key, genre },
    ...(isHiddenName(tx, after) && { hidden: 1 as const }),
  };
  tx.run(build.updateTable('plays').set(change).where('id', '=', play.id));
  recordAudit(tx, actor, { action: 'play.corrected', metadata: { play_id: play.id, before, after } });
  return change;
}

const genreOf = (key: string) =>
  build.selectFrom('track_genres').select('genre').where('track_key', '=', key);

function staffPlay(play: Play): StaffPlay {
  return { ...trackRow(play), kind: play.kind, genre: play.genre, hidden: play.hidden === 1 };
}
