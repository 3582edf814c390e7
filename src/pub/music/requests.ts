import { build, prepare, type Tx } from '#kernel/writes.ts';

/** The states in which a request still waits to be heard. */
export const OPEN = ['pending', 'approved'] as const;

/**
 * Marks the open request for a song that has just been heard as played, in the transaction that stores the play.
 * @returns the request's id, for the play's `request_id`; undefined when nobody asked for this song. Who calls it
 * tells the topic `requests` after the commit when there was one.
 */
export function markRequestPlayed(
  tx: Tx,
  { playId, trackKey, at }: { playId: number; trackKey: string; at: number },
): string | undefined {
  const request = tx.first(openRequest(trackKey));
  if (!request) return undefined;
  tx.run(
    build
      .updateTable('song_requests')
      .set({ status: 'played', played_at: at, played_play_id: playId })
      .where('id', '=', request.id),
  );
  return request.id;
}

const openRequest = prepare(
  build
    .selectFrom('song_requests')
    .select('id')
    .where('status', 'in', OPEN)
    .where((or) => or.or([or('track_key', '=', ''), or('name_key', '=', '')])),
  (trackKey: string) => [...OPEN, trackKey, trackKey],
);
