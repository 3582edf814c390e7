import PQueue from 'p-queue';
import { kept } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { SourceRow } from './rows.ts';

/**
 * Read times that this process keeps in memory only, because an unchanged response is not worth a database write. They
 * are lost on a restart, after which sources are just read earlier.
 */
interface Reads {
  times: Map<string, { readAt: number; nextAt: number }>;
  /** Sources are read one at a time. */
  queue: PQueue;
}

const READS = kept<Reads>();

export const readsOf = (ctx: Context): Reads =>
  ctx.cache.get(READS, '', () => ({ times: new Map(), queue: new PQueue({ concurrency: 1 }) }));

type Times = Pick<SourceRow, 'id' | 'read_at' | 'next_at'>;

/** Returns when the source last returned a calendar, in milliseconds. */
export function lastRead(ctx: Context, { id, read_at }: Pick<Times, 'id' | 'read_at'>): number | null {
  return readsOf(ctx).times.get(id)?.readAt ?? read_at;
}

export function isDue(ctx: Context, { id, next_at }: Times): boolean {
  const nextAt = readsOf(ctx).times.get(id)?.nextAt ?? next_at;
  // A time this far ahead was stored while the clock was wrong.
  return nextAt <= ctx.now() || nextAt > ctx.now() + 2 * DAY;
}

export const forgetRead = (ctx: Context, id: string): void => void readsOf(ctx).times.delete(id);
