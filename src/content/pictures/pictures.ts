import { webcrypto } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { storedName } from '#content/records/rows.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PicturesTable } from '#kernel/db/schema.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { type AppError, badField, conflict, notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { type DrawnPicture, drawPicture, STORED_SIZES, type StoredSize } from '#kernel/images/image.ts';
import { FILE_FIELD, uploadError } from './uploads.ts';
import { listUses, type PictureUse, useJson } from './uses.ts';

export type PictureRow = Selectable<PicturesTable>;

/** The maximum size of all pictures together, in bytes, because every backup contains them. */
export const BUDGET = 200_000_000;

/** The description of a picture. */
export interface PictureWords {
  /** Alternative text; empty for a decorative picture, and until somebody enters it. */
  alt: string;
  decorative: boolean;
  /** The important area of the picture: 1 to 9, row by row from the top left. */
  focus: number;
}

const REFUSED = {
  heic: 'picture_of_iphone',
  cut: 'picture_cut_off',
  unreadable: 'picture_unreadable',
} as const;

/**
 * Stores a re-encoded picture; the same file is stored only once, with the newer description.
 * @param use what the picture is stored for, in the same transaction: if it throws, nothing is stored
 * @throws 400 for a file that is not a picture, 409 when there is no room
 */
export async function addPicture(
  ctx: Context,
  { bytes, ...words }: PictureWords & { bytes: Buffer },
  actor: Actor,
  use?: (tx: Tx, row: PictureRow) => void,
): Promise<PictureRow> {
  const sha256 = await hashOf(bytes);
  const isKnown = ctx.db.first(bySha({ sha256 })) !== undefined;
  const drawn = isKnown ? undefined : await drawPicture(bytes);
  if (typeof drawn === 'string') throw badField(FILE_FIELD, REFUSED[drawn]);
  const row = await ctx.write((tx) => {
    const stored = storeDrawn(tx, { sha256, words, drawn }, actor);
    use?.(tx, stored);
    return stored;
  });
  ctx.hub.publish('content');
  return row;
}

/** Hashes in another thread, because a large photo takes milliseconds. */
async function hashOf(bytes: Buffer): Promise<string> {
  const hash = await webcrypto.subtle.digest('SHA-256', bytes as Buffer<ArrayBuffer>);
  return Buffer.from(hash).toString('hex');
}

function storeDrawn(
  tx: Tx,
  { drawn, ...file }: { sha256: string; words: PictureWords; drawn: DrawnPicture | undefined },
  actor: Actor,
): PictureRow {
  const known = tx.first(bySha({ sha256: file.sha256 }));
  if (known) return keepKnown(tx, known, file.words, actor);
  // The known picture was deleted before this transaction began.
  if (!drawn) throw conflict('picture_deleted_meanwhile');
  return insertPicture(tx, { ...file, drawn }, actor);
}

function insertPicture(
  tx: Tx,
  { sha256, words, drawn }: { sha256: string; words: PictureWords; drawn: DrawnPicture },
  actor: Actor,
): PictureRow {
  const { width, height, files } = drawn;
  if (sumOfBytes(tx) + files.reduce((sum, { picture }) => sum + picture.bytes.length, 0) > BUDGET)
    throw uploadError(409, FILE_FIELD, 'no_room_for_pictures');
  const id = newId(actor.at).replaceAll('-', '');
  const row: PictureRow = {
    id,
    sha256,
    width,
    height,
    ...columnsOf(words),
    added_at: actor.at,
    added_by: storedName(actor),
  };
  tx.run(build.insertInto('pictures').values(row));
  for (const { size, picture } of files) {
    const { body: bytes, etag, type } = cachedResponse(picture.bytes, picture.type);
    tx.run(build.insertInto('picture_files').values({ picture_id: id, size, type, etag, bytes }));
  }
  recordAudit(tx, actor, { action: 'picture.added', metadata: { picture: id, width, height } });
  return row;
}

/** Resets the time it was added, because unused pictures are kept for a while after that. */
function keepKnown(tx: Tx, known: PictureRow, words: PictureWords, actor: Actor): PictureRow {
  const said = words.alt !== '' || words.decorative ? columnsOf(words) : {};
  const row = { ...known, ...said, added_at: actor.at };
  const { added_at } = row;
  tx.run(
    build
      .updateTable('pictures')
      .set({ ...said, added_at })
      .where('id', '=', known.id),
  );
  auditWords(tx, known, row, actor);
  return row;
}

/** Changes the description of a picture everywhere. @throws 404 */
export async function describePicture(
  ctx: Context,
  id: string,
  words: PictureWords,
  actor: Actor,
): Promise<void> {
  const isChanged = await ctx.write((tx) => {
    const known = getPicture(tx, id);
    const columns = columnsOf(words);
    const changed = auditWords(tx, known, { ...known, ...columns }, actor);
    if (changed) tx.run(build.updateTable('pictures').set(columns).where('id', '=', id));
    return changed;
  });
  if (isChanged) ctx.hub.publish('content');
}

/** @throws 404; 409 with the records that use it in their published or newest version */
export async function deletePicture(ctx: Context, id: string, actor: Actor): Promise<void> {
  await ctx.write((tx) => {
    const row = getPicture(tx, id);
    const used = listUses(tx, row.id, actor.at);
    if (used.length > 0) throw inUse(used);
    tx.run(build.deleteFrom('pictures').where('id', '=', row.id));
    recordAudit(tx, actor, { action: 'picture.removed', metadata: { picture: row.id } });
  });
  ctx.hub.publish('content');
}

/**
 * Deletes the picture of something that is deleted, unless it is used elsewhere. Callers publish the topic `content`.
 */
export function deletePictureUnlessUsed(tx: Tx, id: string, actor: Actor): void {
  if (listUses(tx, id, actor.at).length > 0) return;
  const deleted = tx.run(build.deleteFrom('pictures').where('id', '=', id));
  if (deleted) recordAudit(tx, actor, { action: 'picture.removed', metadata: { picture: id } });
}

function inUse(used: PictureUse[]): AppError {
  const names = used.slice(0, 5).map(({ title }) => title);
  const code = used.length > names.length ? 'picture_in_use_by_many' : 'picture_in_use';
  return conflict(code, { titles: names }, { extra: { used_in: used.map(useJson) } });
}

/** @throws 404 */
export function getPicture(reader: Reader, id: string): PictureRow {
  const row = findPicture(reader, id);
  if (!row) throw notFound('picture_not_found');
  return row;
}

export const findPicture = (reader: Reader, id: string): PictureRow | undefined =>
  reader.first(pictureById({ id: id.replaceAll('-', '') }));

/** Finds a picture by the hash of the uploaded file. */
export const findPictureOf = (reader: Reader, sha256: string): PictureRow | undefined =>
  reader.first(bySha({ sha256 }));

/** Lists pictures, the newest first. */
export const listPictures = (reader: Reader, limit: number, offset: number): PictureRow[] =>
  reader.all(
    build
      .selectFrom('pictures')
      .selectAll()
      .orderBy('added_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset),
  );

export const countPictures = (reader: Reader): number =>
  reader.first(build.selectFrom('pictures').select(({ fn }) => fn.countAll<number>().as('count')))?.count ??
  0;

/** Returns the size of all pictures together, in bytes. */
export const sumOfBytes = (reader: Reader): number => reader.first(bytesTaken({}))?.bytes ?? 0;

/** Returns the file of a picture in one of its sizes, by default the larger one. @throws 404 */
export function getPictureFile(
  reader: Reader,
  id: string,
  size: StoredSize = STORED_SIZES[0],
): CachedResponse {
  const row = reader.first(fileOf({ id: id.replaceAll('-', ''), size }));
  if (!row) throw notFound('image_not_found');
  const { etag, type, bytes } = row;
  return { body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), etag, type };
}

const columnsOf = ({ alt, decorative, focus }: PictureWords): Pick<PictureRow, keyof PictureWords> => ({
  alt: decorative ? '' : alt,
  decorative: decorative ? 1 : 0,
  focus,
});

/** @returns whether the description differs */
function auditWords(tx: Tx, before: PictureRow, after: PictureRow, actor: Actor): boolean {
  const fields = (['alt', 'decorative', 'focus'] as const).filter((name) => before[name] !== after[name]);
  const metadata = { picture: before.id, fields };
  if (fields.length > 0) recordAudit(tx, actor, { action: 'picture.changed', metadata });
  return fields.length > 0;
}

const bySha = prepare((p: { sha256: string }) =>
  build.selectFrom('pictures').selectAll().where('sha256', '=', p.sha256),
);
const pictureById = prepare((p: { id: string }) =>
  build.selectFrom('pictures').selectAll().where('id', '=', p.id),
);
const fileOf = prepare((p: { id: string; size: StoredSize }) =>
  build
    .selectFrom('picture_files')
    .select(['etag', 'type', 'bytes'])
    .where('picture_id', '=', p.id)
    .where('size', '=', p.size),
);
/** SQLite gets the length of a blob without reading it. */
const bytesTaken = prepare((_: object) =>
  build.selectFrom('picture_files').select(sql<number>`coalesce(sum(length(bytes)), 0)`.as('bytes')),
);
