import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { FILE_FIELDS, uploadError } from '#content/pictures/uploads.ts';
import { kept } from '#kernel/cache.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { MeetingDocumentsTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { optionalText, requiredName } from '#kernel/http/validation.ts';
import { newRandomId } from '#kernel/ids.ts';
import { ensurePrepared } from '#meetings/item-states.ts';
import { getItem } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';

/** A document that was uploaded, without its bytes. */
export type StoredDocument = Selectable<MeetingDocumentsTable>;

/** How many one meeting has, with those of its items; and the bytes of all of them, because every backup contains them. */
const OF_A_MEETING = 30;
const BUDGET = 200_000_000;

export const UploadedInput = z.object({
  title: requiredName(200),
  /** The item that it belongs to; null: to the whole meeting. */
  item: optionalText(64),
});

const documentsOfMeeting = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('meeting_documents')
    .selectAll()
    .where('meeting_id', '=', p.meeting_id)
    .orderBy('added_at')
    .orderBy('id'),
);

/** The documents of a meeting and of its items, the oldest first. */
export const listUploaded = (reader: Reader, meetingId: string): StoredDocument[] =>
  reader.all(documentsOfMeeting({ meeting_id: meetingId }));

/**
 * Stores a PDF for a meeting or one of its items.
 * @throws 400 for another file; 404; 409 once the meeting is closed or the item was voted on, and where there is no room
 */
export function addDocument(
  ctx: Context,
  meetingId: string,
  { title, item }: z.output<typeof UploadedInput>,
  bytes: Buffer | undefined,
  actor: Actor,
): Promise<StoredDocument> {
  if (!bytes) throw badField(FILE_FIELDS.document, 'file_missing');
  if (!isPdf(bytes)) throw badField(FILE_FIELDS.document, 'not_pdf');
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    if (item !== null) ensurePrepared(getItem(tx, item, meetingId));
    if (listUploaded(tx, meetingId).length >= OF_A_MEETING)
      throw conflict('documents_full', { max: OF_A_MEETING });
    if (sumOfBytes(tx) + bytes.length > BUDGET)
      throw uploadError(409, FILE_FIELDS.document, 'no_room_for_documents');
    const row: StoredDocument = {
      id: newRandomId(),
      meeting_id: meetingId,
      item_id: item,
      title,
      size: bytes.length,
      sha256: hashOf(bytes),
      added_at: actor.at,
      added_by: actor.by ?? null,
    };
    tx.run(build.insertInto('meeting_documents').values(row));
    tx.run(build.insertInto('meeting_document_files').values({ document_id: row.id, bytes }));
    const metadata = {
      meeting: meetingId,
      ...(item !== null && { item }),
      document: row.id,
      title,
      sha256: row.sha256,
    };
    recordAudit(tx, actor, { action: 'meeting.document_added', metadata });
    return row;
  });
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A PDF begins so, within its first kilobyte. */
const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 1_024).includes('%PDF-');

const sumOfBytes = (reader: Reader): number =>
  reader.first(
    build
      .selectFrom('meeting_documents')
      .select((of) => of.fn.coalesce(of.fn.sum<number>('size'), sql.lit(0)).as('sum')),
  )!.sum;

/** @throws 404; 409 once the meeting is closed or the item was voted on */
export function deleteDocument(
  ctx: Context,
  meetingId: string,
  documentId: string,
  actor: Actor,
): Promise<void> {
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const { id, title, item_id } = getDocument(tx, meetingId, documentId);
    if (item_id !== null) ensurePrepared(getItem(tx, item_id));
    tx.run(build.deleteFrom('meeting_documents').where('id', '=', id));
    const metadata = { meeting: meetingId, document: id, title };
    recordAudit(tx, actor, { action: 'meeting.document_removed', metadata });
  });
}

/** @throws 404 */
export function getDocument(reader: Reader, meetingId: string, id: string): StoredDocument {
  const found = reader.first(build.selectFrom('meeting_documents').selectAll().where('id', '=', id));
  if (found?.meeting_id !== meetingId) throw notFound('document_not_found');
  return found;
}

/** Kept for a minute: a whole meeting may open one at once, and all answers share its bytes. */
const CONTENT = kept<Buffer>({ age: MINUTE, atMost: 8 });

/** The bytes of a document. @throws 409 where they are not those that the log knows */
export const readDocument = ({ cache, db }: Context, document: StoredDocument): Buffer =>
  cache.get(CONTENT, document.id, () => readWhole(db, document));

function readWhole(reader: Reader, { id, sha256: expected }: StoredDocument): Buffer {
  const bytes = findBytes(reader, id);
  if (!bytes || hashOf(bytes) !== expected) throw conflict('document_differs');
  return bytes;
}

const findBytes = (reader: Reader, id: string): Buffer | undefined => {
  const row = reader.first(
    build.selectFrom('meeting_document_files').select('bytes').where('document_id', '=', id),
  );
  return row && Buffer.from(row.bytes);
};

/** Whether the bytes of every document of a meeting are those that were uploaded. It reads all of them. */
export const areDocumentsWhole = (reader: Reader, meetingId: string): boolean =>
  listUploaded(reader, meetingId).every(({ id, sha256: expected }) => {
    const bytes = findBytes(reader, id);
    return bytes !== undefined && hashOf(bytes) === expected;
  });

/** The address of a document. */
export const documentPath = (meetingId: string, id: string): string => `/m/${meetingId}/documents/${id}`;
