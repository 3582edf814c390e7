import type { Context } from '#kernel/context.ts';
import { formatWhen } from '#kernel/local-time.ts';
import type { Election } from '#voting/elections/elections.ts';

/** Whether mails can go out, for the pages that offer to send some. */
export function mailState(ctx: Context) {
  const missing = ctx.mailer.missing();
  return { mailReady: missing.length === 0, missing };
}

/** When invitations that wait go out: the first opening, and that there are more. */
export function goesOut(ctx: Context, waiting: Election[]): string | undefined {
  const [first] = waiting.map(({ open_at }) => open_at).sort((a, b) => a - b);
  return first === undefined ? undefined : formatWhen(first, ctx.config.TIME_ZONE);
}
