import type { Context } from '#kernel/context.ts';
import { isOn } from '#kernel/settings/parts.ts';
import type { Game } from './games.ts';
import { nextMorning } from './override.ts';
import { findScoreboard } from './scoreboard.ts';

/**
 * Lists the games that are on or start before the next morning: those in progress first, then the preferred ones. None
 * while the sports part is off. What is known to be old is left out, but for starts that are still to come. Makes no
 * request.
 */
export function listGamesTonight(ctx: Context): Game[] {
  if (!isOn(ctx, 'sports')) return [];
  const now = ctx.now();
  const morning = nextMorning(now, ctx.config.TIME_ZONE);
  return findScoreboard(ctx).games.filter(({ state, startIso, stale }) => {
    if (state !== 'pre') return state === 'in' && !stale;
    const start = Date.parse(startIso);
    return start < morning && (start > now || !stale);
  });
}
