import { DAY } from '#kernel/clock.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { MISSING_AFTER } from './screen-state.ts';

const KEPT = 60 * DAY;

/** Stores that a screen was not heard from for so long that it counts as missing; with the heartbeat that ends it. */
export function noteGap(
  tx: Tx,
  { id, last_seen_at }: { id: string; last_seen_at: number },
  now: number,
): void {
  if (now - last_seen_at < MISSING_AFTER) return;
  tx.run(build.deleteFrom('screen_gaps').where('until_at', '<', now - KEPT));
  tx.run(build.replaceInto('screen_gaps').values({ screen_id: id, from_at: last_seen_at, until_at: now }));
}

/** When a screen was dark, in milliseconds; `until` is null while it still is. */
export interface Gap {
  screen: string;
  from: number;
  until: number | null;
}

/** Lists the times within a span in which screens that staff named were silent, those that still are included. */
export function listGaps(reader: Reader, span: { from: number; until: number }, now: number): Gap[] {
  const screens = reader.all(
    build.selectFrom('screens').select(['id', 'name', 'last_seen_at']).where('name', 'is not', null),
  );
  const names = new Map(screens.map(({ id, name }) => [id, name ?? '']));
  const past = reader.all(
    build
      .selectFrom('screen_gaps')
      .selectAll()
      .where('from_at', '<', span.until)
      .where('until_at', '>', span.from),
  );
  const silent = screens.filter(
    ({ last_seen_at }) => now - last_seen_at >= MISSING_AFTER && last_seen_at < span.until,
  );
  return [
    ...past.flatMap(({ screen_id, from_at, until_at }) => {
      const screen = names.get(screen_id);
      return screen === undefined ? [] : [{ screen, from: from_at, until: until_at }];
    }),
    ...silent.map(({ name, last_seen_at }) => ({ screen: name ?? '', from: last_seen_at, until: null })),
  ].sort((a, b) => a.from - b.from);
}
