import { kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { conflict } from '#kernel/http/errors.ts';

/** How long a command on a tap or an item can be undone. */
const UNDONE_WITHIN = 10 * SECOND;

export type UndoWork = (actor: Actor) => Promise<void>;

/** Each one's last command on each tap and item; in memory only: after a restart nothing can be undone. */
const LAST = kept<{ until: number; undo: UndoWork }>({ age: UNDONE_WITHIN });

const keyOf = (what: string, { by, ip }: Actor): string => `${what} by ${by ?? ip}`;

/** Lets whoever gave the last command on `what` undo it. @returns until when */
export function keepUndo(
  { cache }: Pick<Context, 'cache'>,
  what: string,
  actor: Actor,
  undo: UndoWork,
): number {
  const until = actor.at + UNDONE_WITHIN;
  cache.forget(LAST, keyOf(what, actor));
  cache.get(LAST, keyOf(what, actor), () => ({ until, undo }));
  return until;
}

/**
 * Undoes one's own last command, never that of somebody else.
 * @throws 409 when it is too late; with the present state if somebody has changed it meanwhile
 */
export async function undoLast({ cache }: Pick<Context, 'cache'>, what: string, actor: Actor): Promise<void> {
  const none = { until: 0, undo: (_: Actor) => Promise.resolve() };
  const key = keyOf(what, actor);
  const last = cache.get(LAST, key, () => none);
  cache.forget(LAST, key);
  if (actor.at >= last.until) throw conflict('undo_over');
  await last.undo(actor);
}
