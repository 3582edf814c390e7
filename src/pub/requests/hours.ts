import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { formatDay, timeInWords } from '#kernel/local-time.ts';
import { findPubState } from '#pub/display/shifts.ts';

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
  const next =
    opensAt === null ? '' : ` It opens ${formatDay(opensAt, zone)}, ${timeInWords(opensAt, zone)}.`;
  throw new AppError(409, 'closed', {
    extra: { message: `Songs can be asked for while the pub is open.${next}` },
  });
}
