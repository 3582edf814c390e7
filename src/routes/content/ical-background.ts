import { readSource } from '#content/ical/sources/reading.ts';
import type { Context } from '#kernel/context.ts';

/** Reads a calendar in the background, so that the response does not wait for it. */
export function readInBackground(ctx: Context, id: string): void {
  readSource(ctx, id).catch((err: unknown) =>
    ctx.log.error({ err, source: id }, 'reading a calendar failed'),
  );
}
