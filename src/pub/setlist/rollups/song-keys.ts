import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import { resolveKeys, storeCode } from '#pub/now-playing/song-identity.ts';
import { nameKey, parseIsrc } from '#pub/now-playing/track-key.ts';

/** How many plays are handled per turn of the event loop. */
const PLAYS_PER_TURN = 500;

/**
 * Stores the recording codes of all plays again and gives each play its key, page by page. Plays that arrive meanwhile
 * are handled by `storeSongCode`. Everything has to be counted again afterwards.
 */
export async function rebuildSongKeys(ctx: Context): Promise<void> {
  const names = new Map<string, string>();
  const keyOf = ({ artist, title }: { artist: string; title: string }) =>
    names.getOrInsertComputed(`${artist}\u0000${title}`, () => nameKey(artist, title));
  await ctx.write((tx) => tx.run(build.deleteFrom('song_codes')));
  const earliest = new Map<string, number>();
  await eachPage(ctx, (tx, plays) => {
    for (const play of plays) {
      const code = parseIsrc(play.isrc);
      if (code === undefined) continue;
      const name_key = keyOf(play);
      const known = `${name_key}\u0000${code}`;
      if ((earliest.get(known) ?? Number.POSITIVE_INFINITY) <= play.started_at) continue;
      earliest.set(known, play.started_at);
      tx.run(storeCode({ name_key, code, first_at: play.started_at }));
    }
  });
  await eachPage(ctx, (tx, plays) => {
    const uncoded = plays.filter(({ isrc }) => parseIsrc(isrc) === undefined);
    // Valid in this transaction only: new codes may be stored between two transactions.
    const keys = resolveKeys(tx, [...new Set(uncoded.map(keyOf))]);
    for (const play of plays) {
      const track_key = parseIsrc(play.isrc) ?? keys.get(keyOf(play))!;
      if (track_key !== play.track_key) tx.run(changeKey({ id: play.id, track_key }));
    }
  });
}

type Row = { id: number; started_at: number; artist: string; title: string; isrc: string; track_key: string };

async function eachPage(ctx: Context, work: (tx: Tx, plays: Row[]) => void): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last;
    await ctx.queue.turn();
    last = await ctx.write((tx) => {
      const plays = tx.all(playsAfter({ id: after }));
      work(tx, plays);
      return plays.at(-1)?.id;
    });
  }
}

const playsAfter = prepare((p: { id: number }) =>
  build
    .selectFrom('plays')
    .select(['id', 'started_at', 'artist', 'title', 'isrc', 'track_key'])
    .where('id', '>', p.id)
    .where('silent', '=', sql.lit(0))
    .orderBy('id')
    .limit(sql.lit(PLAYS_PER_TURN)),
);

const changeKey = prepare((p: { id: number; track_key: string }) =>
  build.updateTable('plays').set({ track_key: p.track_key }).where('id', '=', p.id),
);
