import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { hasScreenings } from '#pub/screen/screenings.ts';

/** Registers which parts of the pub are configured: the switch is on, and what they need was present at least once. */
export function registerConfigured(ctx: Context): void {
  const { config, configured } = ctx;
  const hasSetlist = () => config.SETLIST_DB;
  const isHeard = onceAny(ctx, [anyDevice, anyPlay], config.NOW_PLAYING_INGEST_TOKEN !== undefined);
  configured.music = { works: hasSetlist, usual: isHeard };
  configured.lights = { works: hasSetlist, usual: onceAny(ctx, [anyDevice, anyWish('lighting')]) };
  configured.sound = { works: hasSetlist, usual: onceAny(ctx, [anyDevice, anyWish('sound')]) };
  configured.requests = { works: () => config.SETLIST_DB && config.SETLIST_REQUESTS_ENABLED };
  configured.sports = { works: () => config.SPORTS_ENABLED || config.NOW_SHOWING_ENABLED };
  configured.films = { works: () => hasScreenings(config) };
  configured.feedback = { works: () => config.FEEDBACK_ENABLED };
}

/** Returns a function that says whether one of these queries ever found a row. */
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
  build.selectFrom('relay_commands').select('set_at as one').where('relay', '=', relay).limit(1).compile();
