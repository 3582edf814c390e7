import type { FastifyRequest } from 'fastify';
import { typed } from '#content/forms/form.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { badField } from '#kernel/http/errors.ts';
import { addPicture, describePicture, findPicture } from './pictures.ts';

const ALT_AT_MOST = 200;

/**
 * Returns the alternative text of a picture.
 * @param path the field they were entered in
 * @throws 400 if it is missing and the picture is not decorative, or too long
 */
export function readAlt(text: string, decorative: boolean, path: string): string {
  if (decorative) return '';
  const alt = text.replace(/\s+/g, ' ').trim();
  if (alt === '') throw badField(path, 'picture_undescribed');
  if (alt.length > ALT_AT_MOST) throw badField(path, 'too_long', { max: ALT_AT_MOST });
  return alt;
}

/**
 * Stores the picture of a submitted form before its record. Then sets its id in the entered fields, so that a form that
 * is refused for another reason shows it again: browsers do not send a file twice by themselves.
 * @throws 400, 409 as in `addPicture`; 400 if the alternative text is missing
 */
export async function saveEnteredPicture(
  ctx: Context,
  { entered, upload }: Pick<FastifyRequest, 'entered' | 'upload'>,
  actor: Actor,
): Promise<void> {
  if (!entered) return;
  const decorative = typed(entered, 'picture.decorative') === 'true';
  const described = typed(entered, 'picture.alt').replace(/\s+/g, ' ').trim();
  // A photo of a person shows that person, unless the form says more.
  const alt = described || typed(entered, 'full_name').replace(/\s+/g, ' ').trim().slice(0, ALT_AT_MOST);
  const focus = /^[1-9]$/.test(typed(entered, 'picture.focus')) ? Number(typed(entered, 'picture.focus')) : 5;
  if (upload) {
    const fitting = alt.length <= ALT_AT_MOST ? alt : '';
    const { id } = await addPicture(ctx, { bytes: upload, alt: fitting, decorative, focus }, actor);
    entered['picture.id'] = id;
    delete entered['picture.remove'];
  } else if (typed(entered, 'picture.remove') === 'true') entered['picture.id'] = '';
  const id = typed(entered, 'picture.id');
  if (id === '' || !findPicture(ctx.db, id)) return;
  const words = { alt: readAlt(alt, decorative, 'picture.alt'), decorative, focus };
  if (!upload) await describePicture(ctx, id, words, actor);
}
