import type { Context } from '#kernel/context.ts';
import { closeDueItems, isItemDue } from '#meetings/item-states.ts';

/**
 * Closes the items whose timer has ended. The dates are stored, so that a restart, or a service that stood by, goes on
 * with them; the first request or job that notices does it.
 */
export async function closeTimers(ctx: Context): Promise<void> {
  if (isItemDue(ctx)) await ctx.write((tx) => closeDueItems(tx, ctx.now()));
}
