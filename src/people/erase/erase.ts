import type { Context } from '#kernel/context.ts';
import { forbidden } from '#kernel/http/errors.ts';
import type { Editor } from '#people/roll/people.ts';
import { loadRoles } from '#people/roll/records.ts';
import { type Erased, eraseStored } from './erase-stored.ts';
import { finishErasures } from './finish.ts';

/**
 * Erases a person, see `eraseStored`, and overwrites the deleted data in the database file.
 * @throws 403 for staff, unless the editor is that person or may change roles
 */
export async function erasePerson(ctx: Context, id: string, editor: Editor): Promise<Erased> {
  const { actor } = editor;
  const erased = await ctx.write((tx) => {
    const isStaff = loadRoles(tx, [id], actor.at).has(id);
    if (isStaff && editor.person !== id && !editor.mayChangeRoles) throw forbidden('staff_erase_themselves');
    return eraseStored(tx, id, actor);
  });
  // The erasure is committed; if this step fails, the job repeats it.
  await finishErasures(ctx).catch((err: unknown) => ctx.log.error({ err }, 'an erasure is finished later'));
  return erased;
}
