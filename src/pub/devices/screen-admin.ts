import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { isSameName } from '#kernel/names.ts';
import { screenLabel } from '#pub/display/screen-label.ts';

const GROUPS_AT_MOST = 10;

const groups = listOf(screenLabel, GROUPS_AT_MOST).transform((names) =>
  names.filter((name, index) => name !== '' && names.findIndex((other) => isSameName(name, other)) === index),
);

/** The name that staff give a screen, null for its own name, and its groups. Absent fields stay unchanged. */
export const ScreenInput = z.object({
  name: screenLabel.transform((name) => name || null).nullish(),
  groups: groups.optional(),
});

/** Sets the name and the groups of a screen, which is notified at once. @throws 404 */
export async function renameScreen(
  ctx: Context,
  id: string,
  { name, groups }: z.output<typeof ScreenInput>,
  actor: Actor,
): Promise<void> {
  const change = {
    ...(name !== undefined && { name }),
    ...(groups !== undefined && { groups: JSON.stringify(groups) }),
  };
  await tell(ctx, id, change, { actor, action: 'screen.renamed' });
}

/** Makes a screen reload its page. @throws 404 */
export function reloadScreen(ctx: Context, id: string, actor: Actor): Promise<void> {
  return tell(ctx, id, { reload_at: actor.at }, { actor, action: 'screen.reloaded' });
}

/** Removes a screen from the list; if it is still on, its next heartbeat adds it again. @throws 404 */
export async function forgetScreen(ctx: Context, id: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    if (tx.run(build.deleteFrom('screens').where('id', '=', id)) === 0) throw notFound('screen_not_found');
    recordAudit(tx, actor, { action: 'screen.forgotten', metadata: { screen: id } });
  });
}

async function tell(
  ctx: Context,
  id: string,
  change: { name?: string | null; groups?: string; reload_at?: number },
  { actor, action }: { actor: Actor; action: string },
): Promise<void> {
  await ctx.write((tx) => {
    const update = build
      .updateTable('screens')
      .set({ ...change, told_at: actor.at })
      .where('id', '=', id);
    if (tx.run(update) === 0) throw notFound('screen_not_found');
    recordAudit(tx, actor, { action, metadata: { screen: id } });
  });
  ctx.hub.publish('screens');
}
