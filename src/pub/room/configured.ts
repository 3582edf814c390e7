import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

/** Says which parts of the pub are configured: a switch is on, or what they need was there once. */
export function tellConfigured(ctx: Context): void {
  const { config, configured } = ctx;
  configured.requests = () => config.SETLIST_REQUESTS_ENABLED;
  configured.sports = () => config.SPORTS_ENABLED;
  configured.films = () => config.NOW_SHOWING_ENABLED || config.SCREENINGS_ENABLED;
  configured.feedback = () => config.FEEDBACK_ENABLED;
  configured.music = onceAny(ctx, [anyDevice, anyPlay], config.NOW_PLAYING_INGEST_TOKEN !== undefined);
  configured.lights = onceAny(ctx, [anyDevice, anyWish('lighting')]);
  configured.sound = onceAny(ctx, [anyDevice, anyWish('sound')]);
}

/** Whether one of these queries ever found a row. */
function onceAny(ctx: Context, queries: readonly ReturnType<typeof anyWish>[], known = false): () => boolean {
  let found = known;
  return () => {
    found ||= queries.some((query) => ctx.db.first(query) !== undefined);
    return found;
  };
}

const anyDevice = build.selectFrom('capture_device').select('id as one').limit(1).compile();
const anyPlay = build.selectFrom('plays').select('id as one').limit(1).compile();
const anyWish = (relay: 'lighting' | 'sound') =>
  build.selectFrom('room_wishes').select('set_at as one').where('relay', '=', relay).limit(1).compile();
