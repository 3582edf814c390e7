import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, ONE, prepare, type Tx } from '#kernel/db/queries.ts';
import { badField, badFields, conflict, fieldError } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { type Body, ensureNoProblems, type Kind, parseBody, readBody, wireBody } from './kind.ts';
import { mergeBodies } from './merge.ts';
import { getRevision, getRow, listNewestBodies } from './reading.ts';
import { type RecordRow, recordById, revisionOf } from './rows.ts';
import {
  advance,
  auditPublished,
  type Changed,
  changedMeanwhile,
  insertRecord,
  insertRevision,
  markPublished,
  storeChanged,
} from './storing.ts';

/** The submitted body; `prefix` is its path in the request, for the field names in errors. */
interface Given {
  input: unknown;
  publish?: boolean;
  prefix?: string;
  /** The questions of the kind that were answered with yes. */
  confirm?: readonly string[] | undefined;
}

/**
 * @param given.origin the origin of a copy; `uid_base` its id in calendars
 * @throws 400 for an invalid body, 409 if a record with this origin exists, and for a question that is not confirmed
 */
export function createRecord(
  ctx: Context,
  kind: Kind,
  given: Given & { origin?: string; uid_base?: string },
  actor: Actor,
): Promise<Changed> {
  return changing(ctx, kind, (tx) => createRecordIn(ctx, tx, kind, given, actor));
}

/** The same in a transaction. @returns also whether it is shown: then call `announcePublished` after the commit */
export function createRecordIn(
  ctx: Context,
  tx: Tx,
  kind: Kind,
  {
    publish = false,
    prefix = 'body.',
    input,
    confirm,
    ...identity
  }: Given & { origin?: string; uid_base?: string },
  actor: Actor,
): Changed & { shown: boolean } {
  const parsed = parseBody(kind, input, prefix);
  const body = completed(ctx, tx, kind, parsed, { before: undefined, prefix }, actor);
  ensureConfirmed(kind, body, undefined, confirm);
  ensurePicture(tx, body, prefix);
  const id = newId(actor.at).replaceAll('-', '');
  ensureFirst(tx, identity.origin);
  insertRecord(tx, kind, { id, body, publish, reason: 'created', ...identity }, actor);
  return { id, version: 1, shown: publish };
}

function ensureFirst(tx: Tx, origin: string | undefined): void {
  if (origin === undefined) return;
  const known = build.selectFrom('content_records').select('id').where('origin', '=', origin);
  if (tx.first(known)) throw conflict('made_meanwhile');
}

/**
 * Changes fields of a record. Changes that others made to other fields since `version` are kept.
 * @param given.input the changed fields
 * @throws 400; 404; 409 for a removed record, and with both bodies when both changed the same field
 */
export function changeRecord(
  ctx: Context,
  kind: Kind,
  id: string,
  given: Given & { version: number },
  actor: Actor,
): Promise<Changed & { merged: boolean }> {
  return changing(ctx, kind, (tx) => changeRecordIn(ctx, tx, kind, id, given, actor));
}

/** The same in a transaction; it throws before it changes anything. @returns also whether what is shown changed */
export function changeRecordIn(
  ctx: Context,
  tx: Tx,
  kind: Kind,
  id: string,
  { version, input, publish = false, prefix = 'body.', confirm }: Given & { version: number },
  actor: Actor,
): Changed & { merged: boolean; shown: boolean } {
  const row = getPresent(tx, kind, id, actor);
  const current = readBody(kind, getRevision(tx, row.id, row.version).body);
  if (version > row.version) throw badField('version', 'not_version');
  const opened = tx.first(revisionOf({ id: row.id, version }));
  const base = opened ? readBody(kind, opened.body) : {};
  const yours = parseBody(kind, { ...(opened ? base : current), ...(input as Body) }, prefix);
  const { body: merged, conflicts } = mergeBodies(kind, base, current, yours);
  if (conflicts.length > 0)
    throw changedMeanwhile({
      current: wireBody(kind, current),
      yours: wireBody(kind, yours),
      base: wireBody(kind, base),
      fields: conflicts,
      version: row.version,
    });
  // Two changes that are each valid may be invalid together.
  const about = { before: current, id: row.id, prefix };
  const body = completed(ctx, tx, kind, parseBody(kind, merged, prefix), about, actor);
  ensureConfirmed(kind, body, current, confirm);
  ensurePicture(tx, body, prefix);
  const stored = storeChanged(tx, kind, row, { before: current, body, publish }, actor);
  return { ...stored, merged: version < row.version && stored.version > row.version };
}

/** Publishes the newest version. @throws 404; 409 if `version` is given but not the newest, and for a removed record */
export function publishRecord(
  ctx: Context,
  kind: Kind,
  id: string,
  version: number | undefined,
  actor: Actor,
): Promise<Changed> {
  return changing(ctx, kind, (tx) => {
    const row = getPresent(tx, kind, id, actor);
    ensureNewest(tx, kind, row, version);
    const to = { id: row.id, version: row.version };
    if (row.published_version === row.version) return { ...to, shown: false };
    advance(tx, row, { published_version: row.version }, actor);
    markPublished(tx, to, actor);
    auditPublished(tx, kind, to, actor);
    return { ...to, shown: true };
  });
}

/**
 * Undoes the last publication: publishes the previously published version again, or unpublishes the record if there is
 * none. A second undo restores the first.
 * @throws 404; 409 when the record was changed in between
 */
export function undoPublication(
  ctx: Context,
  kind: Kind,
  id: string,
  version: number | undefined,
  actor: Actor,
): Promise<Changed> {
  return changing(ctx, kind, (tx) => {
    const row = getPresent(tx, kind, id, actor);
    ensureNewest(tx, kind, row, version);
    const last = getRevision(tx, row.id, row.version);
    const isShown = row.published_version === row.version;
    if (!isShown && last.reason !== 'undone') throw conflict('nothing_to_undo');
    const before = tx.first(publishedBefore({ id: row.id, version: row.version }));
    const next = row.version + 1;
    const said = readBody(kind, (before ?? last).body);
    const body = withoutLostPicture(tx, filledIn(ctx, kind, said, readBody(kind, last.body), actor));
    advance(tx, row, { version: next, published_version: before ? next : null }, actor);
    insertRevision(
      tx,
      { id: row.id, version: next, body, reason: 'undone', publish: before !== undefined },
      actor,
    );
    const metadata = { record: row.id, kind: kind.name, version: next, shows: before?.version ?? null };
    recordAudit(tx, actor, { action: 'content.undone', metadata });
    return { id: row.id, version: next, shown: true };
  });
}

/**
 * Makes a draft from an earlier version; a removed record is restored as it was, published or not.
 * @param version the version to restore; optional for a removed record
 * @throws 400; 404
 */
export function restoreRecord(
  ctx: Context,
  kind: Kind,
  id: string,
  version: number | undefined,
  actor: Actor,
): Promise<Changed> {
  return changing(ctx, kind, (tx) => {
    const row = getRow(tx, kind, id, actor.at);
    const wasRemoved = row.removed_at !== null;
    const to = version ?? (wasRemoved ? row.version : undefined);
    if (to === undefined) throw badField('version', 'required');
    const said = readBody(kind, getRevision(tx, row.id, to).body);
    const body = filledIn(ctx, kind, said, readBody(kind, getRevision(tx, row.id, row.version).body), actor);
    const next = to === row.version ? row.version : row.version + 1;
    if (next === row.version && !wasRemoved) return { id: row.id, version: next, shown: false };
    advance(tx, row, { version: next, removed_at: null }, actor);
    if (next > row.version)
      insertRevision(
        tx,
        { id: row.id, version: next, reason: 'restored', body: withoutLostPicture(tx, body) },
        actor,
      );
    const metadata = { record: row.id, kind: kind.name, version: next, restores: to };
    recordAudit(tx, actor, { action: 'content.restored', metadata });
    return { id: row.id, version: next, shown: wasRemoved };
  });
}

/** Removes a record; it can be restored for 30 days. @throws 404; 409 when `version` is given and not the newest */
export function removeRecord(
  ctx: Context,
  kind: Kind,
  id: string,
  version: number | undefined,
  actor: Actor,
): Promise<Changed> {
  return changing(ctx, kind, (tx) => {
    const row = getRow(tx, kind, id, actor.at);
    ensureNewest(tx, kind, row, version);
    const to = { id: row.id, version: row.version };
    if (row.removed_at !== null) return { ...to, shown: false };
    advance(tx, row, { removed_at: actor.at }, actor);
    const metadata = { record: row.id, kind: kind.name, version: row.version };
    recordAudit(tx, actor, { action: 'content.removed', metadata });
    return { ...to, shown: true };
  });
}

async function changing<Result extends Changed & { shown: boolean }>(
  ctx: Context,
  kind: Kind,
  work: (tx: Tx) => Result,
): Promise<Omit<Result, 'shown'>> {
  const { shown, ...result } = await ctx.write(work);
  if (shown) announcePublished(ctx, kind);
  return result;
}

/** Tells what a publication of a kind changes; after the commit. */
export function announcePublished({ hub }: Pick<Context, 'hub'>, { isOnMenu }: Pick<Kind, 'isOnMenu'>): void {
  hub.publish('content');
  if (isOnMenu) hub.publish('menu');
}

/** @throws 409 that names in `confirm` what must be confirmed */
export function ensureConfirmed(
  kind: Kind,
  body: Body,
  before: Body | undefined,
  confirmed: readonly string[] = [],
): void {
  const open = (kind.questions?.(body, before) ?? []).filter(({ name }) => !confirmed.includes(name));
  if (open.length === 0) return;
  const errors = open.map(({ code }) => fieldError('confirm', code));
  throw badFields(errors, { status: 409, extra: { confirm: open.map(({ name }) => name) } });
}

/** @throws 400 where the body names a record of another kind that does not exist, or was removed */
function ensureReferences(
  tx: Tx,
  { refersTo = {} }: Pick<Kind, 'refersTo'>,
  body: Body,
  prefix: string,
): void {
  for (const [field, kind] of Object.entries(refersTo))
    for (const id of [body[field] ?? []].flat()) {
      const row = tx.first(recordById({ id: String(id), kind }));
      if (!row || row.removed_at !== null)
        throw badField(prefix + field, kind === 'menu_section' ? 'no_such_section' : 'no_such_item');
    }
}

/**
 * Checks a body against the other records and fills in the fields that the service sets.
 * @param about.id the record's id, undefined for a new one
 * @throws 400
 */
export function completed<B extends Body>(
  ctx: Context,
  tx: Tx,
  kind: Kind<B>,
  body: B,
  { before, id, prefix }: { before: B | undefined; id?: string; prefix: string },
  actor: Actor,
): B {
  const others = () => listNewestBodies(tx, kind, id);
  const about = { before, others, at: actor.at, config: ctx.config };
  ensureNoProblems(kind.checkAmong?.(body, about) ?? [], prefix);
  ensureReferences(tx, kind, body, prefix);
  return filledIn(ctx, kind, body, before, actor);
}

function filledIn<B extends Body>(
  { config }: Pick<Context, 'config'>,
  kind: Kind<B>,
  body: B,
  before: B | undefined,
  { at }: Actor,
): B {
  return kind.complete?.(body, { before, at, config }) ?? body;
}

/** @throws 404, 409 for a removed record */
export function getPresent(tx: Tx, kind: Kind, id: string, { at }: Actor): RecordRow {
  const row = getRow(tx, kind, id, at);
  if (row.removed_at !== null) throw conflict('removed_meanwhile');
  return row;
}

export function ensureNewest(tx: Tx, kind: Kind, row: RecordRow, version: number | undefined): void {
  if (version === undefined || version === row.version) return;
  const current = wireBody(kind, readBody(kind, getRevision(tx, row.id, row.version).body));
  throw changedMeanwhile({ current, version: row.version });
}

const publishedBefore = prepare((p: Changed) =>
  build
    .selectFrom('content_revisions')
    .selectAll()
    .where('record_id', '=', p.id)
    .where('version', '<', p.version)
    .where('published_at', 'is not', null)
    .orderBy('version', 'desc')
    .limit(ONE),
);

/** @throws 400 when the body names a picture that does not exist */
export function ensurePicture(tx: Tx, { picture }: Body, prefix: string): void {
  if (typeof picture === 'string' && !hasPicture(tx, picture))
    throw badField(`${prefix}picture`, 'no_such_picture');
}

/** Returns the body of an earlier version, without its picture if that was deleted since. */
function withoutLostPicture(tx: Tx, body: Body): Body {
  const { picture } = body;
  return typeof picture === 'string' && !hasPicture(tx, picture) ? { ...body, picture: null } : body;
}

const hasPicture = (tx: Tx, id: string): boolean =>
  tx.first(build.selectFrom('pictures').select('id').where('id', '=', id)) !== undefined;
