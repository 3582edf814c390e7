import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { HiddenNamesTable } from '#kernel/db/schema.ts';
import { badField, notFound } from '#kernel/http/errors.ts';
import { requiredText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { hiddenKey } from '#pub/now-playing/hidden.ts';
import { listSongKeys } from '#pub/now-playing/song-identity.ts';
import { normalizeName } from '#pub/now-playing/track-key.ts';
import { OPEN } from '#pub/requests/rules.ts';

/** A song of an artist, or everything by an artist. */
export const HideInput = z.object({
  artist: requiredText(300),
  title: z
    .string()
    .trim()
    .max(300, coded('too_long', { max: 300 }))
    .nullish(),
});

/** A hidden song; without a title everything by the artist is hidden. */
export interface HiddenName {
  id: number;
  artist: string;
  title: string | null;
  hiddenAt: string;
  hiddenBy: string | null;
}

/** Lists the hidden names, newest first. */
export function listHiddenNames(db: Reader): HiddenName[] {
  const rows = db.all(build.selectFrom('hidden_names').selectAll().orderBy('id', 'desc'));
  return rows.map(toHiddenName);
}

/**
 * Adds a name to the list and audits it: its past and future plays are hidden, in all spellings, and open requests for
 * it are declined. A name that is already on the list stays unchanged.
 * @throws 400 for an empty title
 */
export async function hideName(
  ctx: Context,
  input: z.output<typeof HideInput>,
  actor: Actor,
): Promise<HiddenName> {
  const { artist } = input;
  const title = input.title ?? null;
  // An empty title is a mistake that would hide everything by the artist.
  if (title === '') throw badField('title', 'empty');
  const name_key = hiddenKey(artist, title);
  const row = await ctx.write((tx) => {
    const known = tx.first(build.selectFrom('hidden_names').selectAll().where('name_key', '=', name_key));
    if (known) return known;
    const values = { name_key, artist, title, hidden_at: actor.at, hidden_by: actor.by ?? null };
    hidePlays(tx, artist, title);
    declineRequests(tx, { artist, title }, actor);
    recordAudit(tx, actor, { action: 'name.hidden', metadata: { artist, title } });
    return tx.first(build.insertInto('hidden_names').values(values).returningAll())!;
  });
  ctx.hub.publish('plays');
  return toHiddenName(row);
}

/** Removes a name from the list and audits it. Its plays stay hidden until they are shown by hand. @throws 404 */
export async function showName(ctx: Context, id: number, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    const row = tx.first(build.selectFrom('hidden_names').selectAll().where('id', '=', id));
    if (!row) throw notFound('no_such_name');
    tx.run(build.deleteFrom('hidden_names').where('id', '=', id));
    recordAudit(tx, actor, { action: 'name.shown', metadata: { artist: row.artist, title: row.title } });
  });
  ctx.hub.publish('plays');
}

function hidePlays(tx: Tx, artist: string, title: string | null): void {
  const ids = sql<number>`(SELECT value FROM json_each(${JSON.stringify(listPlays(tx, artist, title))}))`;
  tx.run(build.updateTable('plays').set({ hidden: 1 }).where('id', 'in', ids));
}

/** Ids of visible plays of an artist or a song, in all spellings and under all names of its recordings, ascending. */
function listPlays(tx: Tx, artist: string, title: string | null): number[] {
  const artists = tx.all(build.selectFrom('plays').select('artist').distinct());
  const wanted = normalizeName(artist);
  const spellings = artists.map((row) => row.artist).filter((name) => normalizeName(name) === wanted);
  const byArtist = tx.all(shownPlays().where('artist', 'in', spellings));
  if (title === null) return byArtist.map(({ id }) => id);
  const named = byArtist.filter((play) => normalizeName(play.title) === normalizeName(title));
  const keyed = tx.all(shownPlays().where('track_key', 'in', listSongKeys(tx, { artist, title })));
  return [...new Set([...named, ...keyed].map(({ id }) => id))].sort((a, b) => a - b);
}

const shownPlays = () =>
  build
    .selectFrom('plays')
    .select(['id', 'title'])
    .where('silent', '=', sql.lit(0))
    .where('hidden', '=', 0)
    .orderBy('id');

/** Declines the open requests for a song, under all names of its recordings, or for everything by an artist. */
function declineRequests(
  tx: Tx,
  { artist, title }: { artist: string; title: string | null },
  { at, by }: Actor,
): void {
  const declined = build
    .updateTable('song_requests')
    .set({ status: 'declined', decided_at: at, decided_by: by ?? null })
    .where('status', 'in', OPEN);
  if (title !== null) {
    tx.run(declined.where('track_key', 'in', listSongKeys(tx, { artist, title })));
    return;
  }
  const key = hiddenKey(artist, null);
  tx.run(declined.where(sql<boolean>`substr(name_key, 1, length(${key})) = ${key}`));
}

function toHiddenName({ id, artist, title, hidden_at, hidden_by }: Selectable<HiddenNamesTable>): HiddenName {
  return { id, artist, title, hiddenAt: isoTime(hidden_at), hiddenBy: hidden_by };
}
