import { kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { conflict } from '#kernel/http/errors.ts';

/** How long a command on a tap or an item can be undone. */
const UNDONE_WITHIN = 10 * SECOND;

export type UndoWork = (actor: Actor) => Promise<void>;

/** The last command on each tap and item; in memory only: after a restart nothing can be undone. */
const LAST = kept<{ until: number; undo: UndoWork }>({ age: UNDONE_WITHIN });

/** Lets the last command on `what` be undone. @returns until when */
export function keepUndo(
  { cache }: Pick<Context, 'cache'>,
  what: string,
  at: number,
  undo: UndoWork,
): number {
  const until = at + UNDONE_WITHIN;
  cache.forget(LAST, what);
  cache.get(LAST, what, () => ({ until, undo }));
  return until;
}

/** @throws 409 when it is too late, or somebody has changed it meanwhile */
export async function undoLast({ cache }: Pick<Context, 'cache'>, what: string, actor: Actor): Promise<void> {
  const none = { until: 0, undo: (_: Actor) => Promise.resolve() };
  const last = cache.get(LAST, what, () => none);
  cache.forget(LAST, what);
  if (actor.at >= last.until) throw conflict('undo_over');
  await last.undo(actor);
}
