import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import type { Db } from '#kernel/db/connection.ts';
import type { HiddenNamesTable } from '#kernel/db/schema.ts';
import { build, prepare, type Tx } from '#kernel/db/writes.ts';
import { notFound } from '#kernel/http/errors.ts';
import { requiredText } from '#kernel/http/validation.ts';
import { nameKey, normalized } from '#pub/now-playing/track-key.ts';
import { OPEN } from '#pub/requests/rules.ts';
import { markSetlistRewritten } from './rollups/invalidate.ts';

/** A song of an artist, or everything by an artist. */
export const HideInput = z.object({ artist: requiredText(300), title: requiredText(300).nullish() });

/** A name that the house does not show; without a title everything by the artist. */
export interface HiddenName {
  id: number;
  artist: string;
  title: string | null;
  hiddenAt: string;
  hiddenBy: string | null;
}

/** The newest first. */
export async function listHiddenNames(db: Db): Promise<HiddenName[]> {
  const rows = await db.selectFrom('hidden_names').selectAll().orderBy('id', 'desc').execute();
  return rows.map(hiddenName);
}

/**
 * Puts a name on the list, audited: every play of it so far is hidden, and every one to come, in all its spellings;
 * requests for it are declined. A name that is on the list stays as it is.
 */
export async function hideName(
  ctx: Context,
  { artist, title: ofTitle }: z.output<typeof HideInput>,
  actor: Actor,
): Promise<HiddenName> {
  const title = ofTitle ?? null;
  const name_key = keyOf(artist, title);
  const row = await ctx.write((tx) => {
    const known = tx.first(build.selectFrom('hidden_names').selectAll().where('name_key', '=', name_key));
    if (known) return known;
    const values = { name_key, artist, title, hidden_at: actor.at, hidden_by: actor.by ?? null };
    hidePlays(tx, artist, title);
    declineRequests(tx, artist, title);
    recordAudit(tx, actor, { action: 'name.hidden', metadata: { artist, title } });
    return tx.first(build.insertInto('hidden_names').values(values).returningAll())!;
  });
  ctx.hub.tell('plays');
  return hiddenName(row);
}

/** Takes a name off the list, audited. What was hidden stays so until it is shown by hand. @throws 404 */
export async function showName(ctx: Context, id: number, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    const row = tx.first(build.selectFrom('hidden_names').selectAll().where('id', '=', id));
    if (!row) throw notFound('There is no such name');
    tx.run(build.deleteFrom('hidden_names').where('id', '=', id));
    recordAudit(tx, actor, { action: 'name.shown', metadata: { artist: row.artist, title: row.title } });
  });
  ctx.hub.tell('plays');
}

/** Whether the house shows nothing of this song. */
export function isHiddenName(tx: Tx, { artist, title }: { artist: string; title: string }): boolean {
  return tx.first(byKeys(keyOf(artist, title), keyOf(artist, null))) !== undefined;
}

const keyOf = (artist: string, title: string | null) => nameKey(artist, title ?? '');

function hidePlays(tx: Tx, artist: string, title: string | null): void {
  const artists = tx.all(build.selectFrom('plays').select('artist').distinct());
  const wanted = normalized(artist);
  const spelled = artists.map((row) => row.artist).filter((name) => normalized(name) === wanted);
  const shown = build.selectFrom('plays').where('hidden', '=', 0).where('artist', 'in', spelled);
  const plays = tx
    .all(shown.select(['id', 'title']).orderBy('id'))
    .filter((play) => title === null || normalized(play.title) === normalized(title))
    .map(({ id }) => id);
  const [first, last] = [plays[0], plays.at(-1)];
  if (first === undefined) return;
  const ids = sql<number>`(SELECT value FROM json_each(${JSON.stringify(plays)}))`;
  tx.run(build.updateTable('plays').set({ hidden: 1 }).where('id', 'in', ids));
  markSetlistRewritten(tx, first, last);
}

function declineRequests(tx: Tx, artist: string, title: string | null): void {
  const declined = build.updateTable('song_requests').set({ status: 'declined' }).where('status', 'in', OPEN);
  const key = keyOf(artist, title);
  const ofArtist = sql<boolean>`substr(name_key, 1, length(${key})) = ${key}`;
  tx.run(declined.where(title === null ? ofArtist : sql<boolean>`name_key = ${key}`));
}

function hiddenName({ id, artist, title, hidden_at, hidden_by }: Selectable<HiddenNamesTable>): HiddenName {
  return { id, artist, title, hiddenAt: isoTime(hidden_at), hiddenBy: hidden_by };
}

const byKeys = prepare(
  build.selectFrom('hidden_names').select('id').where('name_key', 'in', ['', '']),
  (song: string, artist: string) => [song, artist],
);
