import type { Selectable } from 'kysely';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { MusicPlayerTable } from '#kernel/db/schema.ts';

/** The player that reported last, as stored. */
export type PlayerRow = Selectable<MusicPlayerTable>;

/** Undefined before the first report of a player. */
export function findPlayer(db: Reader): PlayerRow | undefined {
  return db.first(playerRow);
}

/** A player counts as online until its track ends. */
export const isPlaying = (player: PlayerRow | undefined, now: number): player is PlayerRow =>
  player !== undefined && now < player.until;

export function storePlayer(tx: Tx, player: Omit<PlayerRow, 'id'>): void {
  tx.run(
    build
      .insertInto('music_player')
      .values({ id: 1, ...player })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(player)),
  );
}

const playerRow = build.selectFrom('music_player').selectAll().compile();
