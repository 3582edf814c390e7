import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { readsOf } from './reads.ts';

/** Makes all calendars due when the time zone changes, because the stored content was computed for the old one. */
export function readAgainInNewZone(ctx: Context): void {
  let zone = ctx.config.TIME_ZONE;
  ctx.hub.on('settings', () => {
    if (ctx.config.TIME_ZONE === zone) return;
    zone = ctx.config.TIME_ZONE;
    readsOf(ctx).times.clear();
    ctx
      .write((tx) => tx.run(build.updateTable('ical_sources').set({ next_at: ctx.now() })))
      .catch((err: unknown) => ctx.log.error({ err }, 'calendars could not be made due'));
  });
}
