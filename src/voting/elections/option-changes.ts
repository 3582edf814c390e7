import { hash } from 'node:crypto';
import type { z } from 'zod';
import {
  addPicture,
  deletePictureUnlessUsed,
  findPicture,
  findPictureOf,
} from '#content/pictures/pictures.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { isSameName } from '#kernel/names.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';
import { type OptionRow, optionJson } from './elections.ts';
import { ensureChangeable, ensureOption, type OptionChange } from './options.ts';
import { storeChangedQuestion } from './question.ts';

type Change = z.output<typeof OptionChange>;

/** The columns that a change may set. */
const COLUMNS = ['name', 'display_order', 'text', 'picture'] as const;

/**
 * Corrects a candidate or an option, which keeps its id. @param upload a picture as sent, which replaces any other
 * @throws 400 naming the field, 404, 409 when a ballot was cast or there is no room for the picture
 */
export async function changeOption(
  ctx: Context,
  { kind, electionId, optionId }: { kind: OptionKind; electionId: string; optionId: string },
  { change, upload }: { change: Change; upload: Buffer | undefined },
  actor: Actor,
) {
  const read = (reader: Reader) => {
    const { options } = ensureChangeable(reader, kind, electionId);
    const option = ensureOption(options, kind, optionId);
    const others = options.filter(({ id }) => id !== optionId);
    if (others.some(({ name }) => isSameName(name, change.name ?? option.name)))
      throw badField('name', 'already exists');
    return option;
  };
  // Also checked here, so that no picture is stored for a change that is refused.
  const { name } = read(ctx.db);
  const picture = await readPicture(ctx, change, upload, change.name ?? name, actor);
  return ctx.write((tx) => {
    const before = read(tx);
    const after: OptionRow = {
      ...before,
      name: change.name ?? before.name,
      display_order: change.display_order ?? before.display_order,
      text: change.text === undefined ? before.text : change.text,
      picture: picture === undefined ? before.picture : picture,
    };
    const changed = COLUMNS.filter((column) => before[column] !== after[column]);
    if (changed.length === 0) return optionJson(after);
    tx.run(build.updateTable('options').set(after).where('id', '=', optionId));
    if (before.picture !== null && before.picture !== after.picture)
      deletePictureUnlessUsed(tx, before.picture, actor);
    const valuesOf = (row: OptionRow) => Object.fromEntries(changed.map((column) => [column, row[column]]));
    recordAudit(tx, actor, {
      action: `${kind}.changed`,
      election_id: electionId,
      metadata: { id: optionId, ...storeChangedQuestion(tx, electionId) },
      // Names and texts are often about people: the name finds the entry when a person is erased.
      personal: { name: before.name, from: valuesOf(before), to: valuesOf(after) },
    });
    return optionJson(after);
  });
}

/** Returns the id of the option's new picture; null removes its picture, undefined keeps it. */
async function readPicture(
  ctx: Context,
  { picture, remove_picture }: Change,
  upload: Buffer | undefined,
  name: string,
  actor: Actor,
): Promise<string | null | undefined> {
  if (upload) {
    // A picture that is stored already keeps its alternative text.
    const alt = findPictureOf(ctx.db, hash('sha256', upload, 'hex')) ? '' : name.slice(0, 200);
    return (await addPicture(ctx, { bytes: upload, alt, decorative: false, focus: 5 }, actor)).id;
  }
  if (remove_picture) return null;
  if (!picture) return picture;
  const known = findPicture(ctx.db, picture);
  if (!known) throw badField('picture', 'is not a picture of this service');
  return known.id;
}
