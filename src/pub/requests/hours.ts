import { findPubState } from '#content/shifts.ts';
import type { Context } from '#kernel/context.ts';
import { conflict } from '#kernel/http/errors.ts';
import { formatDay, timeInWords } from '#kernel/language/times.ts';

/** When songs can be requested, in milliseconds: during the hours of the pub, or always while none are known. */
export interface RequestHours {
  open: boolean;
  closesAt: number | null;
  opensAt: number | null;
}

export function requestHours(ctx: Context): RequestHours {
  const { configured, open, closesAt, opensAt } = findPubState(ctx);
  return { open: open || !configured, closesAt, opensAt };
}

/** @throws 409 while the pub is closed */
export function ensureRequestsOpen(ctx: Context): void {
  const { open, opensAt } = requestHours(ctx);
  if (open) return;
  const zone = ctx.config.TIME_ZONE;
  throw opensAt === null
    ? conflict('requests_closed')
    : conflict('requests_closed_until', { day: formatDay(opensAt, zone), time: timeInWords(opensAt, zone) });
}
