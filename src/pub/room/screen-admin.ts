import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { screenLabel } from './screens.ts';

const GROUPS_AT_MOST = 10;

const groups = listOf(screenLabel, GROUPS_AT_MOST).transform((names) =>
  [...new Set(names)].filter((name) => name !== ''),
);

/** What staff call a screen, null for the name it gives itself, and the groups it belongs to. Absent fields stay. */
export const ScreenInput = z.object({
  name: screenLabel.transform((name) => name || null).nullish(),
  groups: groups.optional(),
});

/** The same as a form sends it: the groups in one line, with commas between. */
export const ScreenForm = z.object({
  name: ScreenInput.shape.name,
  groups: z
    .string()
    .max(600)
    .default('')
    .transform((line) => line.split(','))
    .pipe(groups),
});

/** Names a screen and puts it into groups; it is told at once. @throws 404 */
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

/** Has a screen load its page again. @throws 404 */
export function reloadScreen(ctx: Context, id: string, actor: Actor): Promise<void> {
  return tell(ctx, id, { reload_at: actor.at }, { actor, action: 'screen.reloaded' });
}

/** Takes a screen off the list; one that is still on comes back with its next heartbeat. @throws 404 */
export async function forgetScreen(ctx: Context, id: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    if (tx.run(build.deleteFrom('screens').where('id', '=', id)) === 0) throw notFound('Screen not found');
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
    if (tx.run(update) === 0) throw notFound('Screen not found');
    recordAudit(tx, actor, { action, metadata: { screen: id } });
  });
  ctx.hub.publish('screens');
}
