import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { findPriceUnit, storePriceUnit } from '#kernel/db/settings.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { currency, hasCurrency, unitOf } from '#kernel/money.ts';
import { type Body, type Kind, wireBody } from './kind.ts';
import { changedFields } from './merge.ts';
import { type RecordRow, type RevisionRow, storedName } from './rows.ts';

/** The id of a record and its version after a change. */
export interface Changed {
  id: string;
  version: number;
}

/** Stores the first version of a record and adds it to the audit log. Publish `content` after the commit. */
export function insertRecord(
  tx: Tx,
  kind: Pick<Kind, 'name' | 'prices'>,
  record: {
    id: string;
    body: Body;
    publish: boolean;
    reason: RevisionRow['reason'];
    origin?: string;
    uid_base?: string;
  },
  actor: Actor,
): void {
  const { id, body, publish, reason, origin = null, uid_base = id } = record;
  ensurePriceUnit(tx, kind, body, actor);
  const times = { created_at: actor.at, changed_at: actor.at, removed_at: null };
  const versions = { version: 1, published_version: publish ? 1 : null };
  tx.run(
    build
      .insertInto('content_records')
      .values({ id, kind: kind.name, ...versions, uid_base, origin, ...times }),
  );
  insertRevision(tx, { id, version: 1, body, reason, publish }, actor);
  recordAudit(tx, actor, {
    action: 'content.created',
    metadata: { record: id, kind: kind.name, version: 1 },
  });
  if (publish) auditPublished(tx, kind, { id, version: 1 }, actor);
}

/** Updates a record with one conditional UPDATE: of two concurrent changes to one version, one succeeds. */
export function advance(
  tx: Tx,
  { id, version }: RecordRow,
  to: Partial<Pick<RecordRow, 'version' | 'published_version' | 'removed_at'>>,
  { at }: Actor,
): void {
  const update = build
    .updateTable('content_records')
    .set({ ...to, changed_at: at })
    .where('id', '=', id)
    .where('version', '=', version);
  if (tx.run(update) !== 1) throw changedMeanwhile({});
}

export function insertRevision(
  tx: Tx,
  revision: Changed & { body: Body; reason: RevisionRow['reason']; publish?: boolean },
  actor: Actor,
): void {
  const { id, version, body, reason, publish = false } = revision;
  const said = { body: JSON.stringify(body), at: actor.at, by: storedName(actor), reason };
  const published_at = publish ? actor.at : null;
  tx.run(build.insertInto('content_revisions').values({ record_id: id, version, ...said, published_at }));
}

/**
 * Stores a new version if the body has changed, and publishes it if requested. Publish the topic `content` after the
 * commit.
 */
export function storeChanged<B extends Body>(
  tx: Tx,
  kind: Kind<B>,
  row: RecordRow,
  { before, body, publish }: { before: B; body: B; publish: boolean },
  actor: Actor,
): Changed & { shown: boolean } {
  const fields = changedFields(wireBody(kind, before), wireBody(kind, body));
  const version = fields.length > 0 ? row.version + 1 : row.version;
  const to = { id: row.id, version };
  const shown = publish && row.published_version !== version;
  if (fields.length === 0 && !shown) return { ...to, shown };
  ensurePriceUnit(tx, kind as Pick<Kind, 'prices'>, body, actor);
  advance(tx, row, { version, ...(shown && { published_version: version }) }, actor);
  if (fields.length > 0) {
    insertRevision(tx, { ...to, body, reason: 'changed', publish }, actor);
    const metadata = { record: row.id, kind: kind.name, version, fields };
    recordAudit(tx, actor, { action: 'content.changed', metadata });
  } else markPublished(tx, to, actor);
  if (shown) auditPublished(tx, kind, to, actor);
  return { ...to, shown };
}

/** Whether a body has a price. */
export function hasPrice({ prices }: Pick<Kind, 'prices'>, body: Body): boolean {
  let found = false;
  prices?.each(body, (minor) => {
    found = true;
    return minor;
  });
  return found;
}

/** Stores with the first price what all prices are in. @throws 400 while the club has no currency */
function ensurePriceUnit(tx: Tx, kind: Pick<Kind, 'prices'>, body: Body, { at }: Actor): void {
  if (!hasPrice(kind, body)) return;
  if (!hasCurrency()) throw badField(kind.prices?.field ?? '', 'currency_needed');
  if (!findPriceUnit(tx)) storePriceUnit(tx, unitOf(currency()), at);
}

export function markPublished(tx: Tx, { id, version }: Changed, { at }: Actor): void {
  tx.run(
    build
      .updateTable('content_revisions')
      .set({ published_at: at })
      .where('record_id', '=', id)
      .where('version', '=', version),
  );
}

export function auditPublished(
  tx: Tx,
  { name }: Pick<Kind, 'name'>,
  { id, version }: Changed,
  actor: Actor,
): void {
  const metadata = { record: id, kind: name, version };
  recordAudit(tx, actor, { action: 'content.published', metadata });
}

/** The error for a change based on an outdated version. */
export const changedMeanwhile = (extra: Record<string, unknown>) =>
  conflict('changed_meanwhile', {}, { extra: { ...extra } });
