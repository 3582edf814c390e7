import PQueue from 'p-queue';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { SourceRow } from './rows.ts';

/**
 * What this run knows of its reads: an answer that nothing has changed is not worth a write. A restart loses it, and
 * reads earlier.
 */
interface Reads {
  times: Map<string, { readAt: number; nextAt: number }>;
  /** Sources are read one at a time. */
  queue: PQueue;
}

export const readsOf = (ctx: Context): Reads =>
  ctx.derived.get('reads of calendars', [], () => ({
    times: new Map(),
    queue: new PQueue({ concurrency: 1 }),
  }));

type Times = Pick<SourceRow, 'id' | 'read_at' | 'next_at'>;

/** When it last answered with a calendar, in milliseconds. */
export function lastRead(ctx: Context, { id, read_at }: Pick<Times, 'id' | 'read_at'>): number | null {
  return readsOf(ctx).times.get(id)?.readAt ?? read_at;
}

export function isDue(ctx: Context, { id, next_at }: Times): boolean {
  const nextAt = readsOf(ctx).times.get(id)?.nextAt ?? next_at;
  // A time so far ahead is one of a clock that was wrong.
  return nextAt <= ctx.now() || nextAt > ctx.now() + 2 * DAY;
}

export const forgetRead = (ctx: Context, id: string): void => void readsOf(ctx).times.delete(id);
