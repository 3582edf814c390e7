import type { EventBody } from '#content/events/body.ts';
import { type Body, readBody, wireBody } from '#content/records/kind.ts';
import { changedFields } from '#content/records/merge.ts';
import { ORIGIN } from '#content/records/published.ts';
import { ensurePicture } from '#content/records/records.ts';
import { type RecordRow, revisionOf } from '#content/records/rows.ts';
import { advance, auditPublished, insertRecord, insertRevision } from '#content/records/storing.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { DIFFERENT, type KnownPages, type PlannedRecord } from './planned.ts';

/** What an import does with a planned record. */
export type Outcome =
  | { as: 'created' | 'unchanged' }
  | { as: 'changed'; row: RecordRow; before: Body; fields: string[] }
  | { as: 'kept'; why: Words };

/** Returns a function that finds the record of a page, by the record's id or as the other page of a pair. */
export function knownPages(reader: Reader): KnownPages {
  const rows = reader.all(
    build.selectFrom('content_records').select(['id', 'origin']).where('origin', 'like', `${ORIGIN}%`),
  );
  const records = new Map(
    rows.flatMap(({ id, origin }) => [
      [id, id],
      [origin?.replace(ORIGIN, ''), id],
    ]),
  );
  return (page) => records.get(page);
}

/** Finds the record with the id of a planned one; `why` is set if it must be kept, because it was changed here. */
export function findImported(
  reader: Reader,
  { kind, id }: Pick<PlannedRecord, 'kind' | 'id'>,
): { row: RecordRow; before: Body; why?: Words } | undefined {
  const row = reader.first(build.selectFrom('content_records').selectAll().where('id', '=', id));
  if (!row) return undefined;
  const revision = reader.first(revisionOf({ id, version: row.version }));
  const before = revision ? readBody(kind, revision.body) : {};
  if (row.kind !== kind.name)
    return { row, before, why: t('content-admin.import_note.other_kind', { kind: row.kind }) };
  if (row.removed_at !== null || !revision)
    return { row, before, why: t('content-admin.import_note.removed_here') };
  if (revision.reason !== 'imported')
    return { row, before, why: t('content-admin.import_note.changed_here') };
  const isAsImported =
    row.published_version === null ||
    (row.published_version === row.version && revision.published_at === revision.at);
  return { row, before, ...(!isAsImported && { why: t('content-admin.import_note.published_here') }) };
}

/** Decides what an import does with a record in its current state. @param body with its picture */
export function outcomeOf(reader: Reader, planned: PlannedRecord, body: Body): Outcome {
  const found = findImported(reader, planned);
  if (!found) return { as: 'created' };
  const { row, before, why } = found;
  if (why !== undefined) return { as: 'kept', why };
  // One page of a pair is gone or differs by now: importing the other alone would remove the event from one place.
  if (row.origin !== `${ORIGIN}${planned.page}`) return { as: 'kept', why: DIFFERENT };
  const isShown = row.published_version !== null;
  if (isShown && !planned.publish) return { as: 'kept', why: t('content-admin.import_note.page_is_draft') };
  const fields = changedFields(wireBody(planned.kind, before), wireBody(planned.kind, body));
  if (fields.length === 0 && isShown === planned.publish) return { as: 'unchanged' };
  return { as: 'changed', row, before, fields };
}

/** Stores a record unless it was changed here. Publish the topic `content` after the commit. */
export function storeImported(tx: Tx, planned: PlannedRecord, body: Body, actor: Actor): Outcome {
  const { kind, id, page, publish } = planned;
  const outcome = outcomeOf(tx, planned, body);
  if (outcome.as === 'created') {
    ensurePicture(tx, body, '');
    const record = { id, uid_base: id, origin: `${ORIGIN}${page}`, body, publish };
    insertRecord(tx, kind, { ...record, reason: 'imported' }, actor);
  } else if (outcome.as === 'changed') {
    ensurePicture(tx, body, '');
    const { row, before, fields } = outcome;
    const to = { id, version: row.version + 1 };
    advance(tx, row, { version: to.version, ...(publish && { published_version: to.version }) }, actor);
    const changed = withNewerStamp(before, body);
    insertRevision(tx, { ...to, body: changed, reason: 'imported', publish }, actor);
    const metadata = { record: id, kind: kind.name, version: to.version, fields };
    recordAudit(tx, actor, { action: 'content.changed', metadata });
    if (publish) auditPublished(tx, kind, to, actor);
  }
  return outcome;
}

/** Keeps the newer stamp, because the change time that calendars see must never go down. */
function withNewerStamp(before: Body, body: Body): Body {
  const [was, is] = [before, body].map((one) => (one as Partial<EventBody>).stamps?.all);
  return was === undefined || is === undefined || is >= was
    ? body
    : { ...body, stamps: { all: was, dates: {} } };
}
