import { needsToken } from '#kernel/access/sender-tokens.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { hasMenu } from '#pub/menu/facts.ts';

/** Registers which parts of the pub are used while the club has not decided: what they need was there at least once. */
export function registerConfigured(ctx: Context): void {
  const isHeard = onceAny(ctx, [anyDevice, anyPlay], () => needsToken(ctx));
  ctx.configured.music = isHeard;
  ctx.configured.lights = onceAny(ctx, [anyDevice, anyWish('lighting')]);
  ctx.configured.menu = () => hasMenu(ctx);
  ctx.configured.sound = onceAny(ctx, [anyDevice, anyWish('sound')]);
}

/** Returns a function that says whether one of these queries ever found a row. */
function onceAny(
  ctx: Context,
  queries: readonly ReturnType<typeof anyWish>[],
  known = () => false,
): () => boolean {
  let found = false;
  let looked: number | undefined;
  return () => {
    if (found) return true;
    // Every page asks: it is looked up again only once something was stored.
    const changes = ctx.changes();
    if (looked === changes) return false;
    looked = changes;
    found = known() || queries.some((query) => ctx.db.first(query) !== undefined);
    return found;
  };
}

const anyDevice = build.selectFrom('capture_device').select('id as one').limit(1).compile();
const anyPlay = build.selectFrom('plays').select('id as one').limit(1).compile();
const anyWish = (relay: 'lighting' | 'sound') =>
  build.selectFrom('relay_commands').select('set_at as one').where('relay', '=', relay).limit(1).compile();
