import type { Context } from '#kernel/context.ts';
import { forbidden } from '#kernel/http/errors.ts';
import type { Editor } from '#people/roll/people.ts';
import { loadRoles } from '#people/roll/records.ts';
import { type Erased, eraseStored } from './erase-stored.ts';
import { finishErasures } from './finish.ts';

/**
 * Erases somebody, see `eraseStored`, and overwrites what was stored of them.
 * @throws 403 for staff, who do it themselves or have it done by somebody who may decide on roles
 */
export async function erasePerson(ctx: Context, id: string, editor: Editor): Promise<Erased> {
  const { actor } = editor;
  const erased = await ctx.write((tx) => {
    const isStaff = loadRoles(tx, [id], actor.at).has(id);
    if (isStaff && editor.person !== id && !editor.mayChangeRoles)
      throw forbidden('Staff are erased by themselves, or by somebody who may decide on roles');
    return eraseStored(tx, id, actor);
  });
  // It is erased; what is left to do is done by the job, should it fail here.
  await finishErasures(ctx).catch((err: unknown) => ctx.log.error({ err }, 'an erasure is finished later'));
  return erased;
}
