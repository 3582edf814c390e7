import { createHash } from 'node:crypto';
import { addPicture, findPictureOf } from '#content/pictures/pictures.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { AppError } from '#kernel/http/errors.ts';
import { looksLikePicture } from '#kernel/images/image.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { pageTextOf } from '#kernel/messages/messages.ts';
import { fetchImage } from '#kernel/workspace/file.ts';

const UNREADABLE = t('content-admin.import_note.not_a_picture');

/** No description: nobody has entered one yet. */
const WORDS = { alt: '', decorative: false, focus: 5 };

/**
 * Fetches a picture and stores it; the same file is stored only once.
 * @param dryRun checks the picture without storing it
 * @returns its id, or in a dry run another string for a new picture; or the problem
 * @throws when nothing can be stored, e.g. because the disk is full
 */
export async function importPicture(
  ctx: Context,
  address: string,
  { dryRun, actor, signal }: { dryRun: boolean; actor: Actor; signal: AbortSignal },
): Promise<{ id: string } | { problem: Words | string }> {
  const bytes = await fetchImage(ctx, address, signal);
  if (!Buffer.isBuffer(bytes)) return { problem: bytes.reason };
  if (dryRun) {
    if (!looksLikePicture(bytes)) return { problem: UNREADABLE };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { id: findPictureOf(ctx.db, sha256)?.id ?? sha256 };
  }
  try {
    return { id: (await addPicture(ctx, { ...WORDS, bytes }, actor)).id };
  } catch (error) {
    // Errors of this service, such as a full disk, end the import.
    if (!(error instanceof AppError) || error.statusCode >= 500) throw error;
    const [first = error] = error.errors ?? [];
    return {
      problem: first.code === 'picture_unreadable' ? UNREADABLE : (pageTextOf(first) ?? first.message),
    };
  }
}
