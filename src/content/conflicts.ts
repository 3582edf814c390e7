import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { type Body, type Kind, parseBody } from './records/kind.ts';
import { changedFields, mergeBodies } from './records/merge.ts';
import { getRecord, getVersion } from './records/reading.ts';

/** An edit conflict: the fields that two people changed at the same time. */
export interface Conflict {
  /** The newest version. */
  version: number;
  who: string | null;
  fields: { field: string; theirs: unknown; yours: unknown }[];
  /** The input of `settle` as JSON: the merged fields and the submitted values. */
  changes: string;
}

interface Changes {
  /** The fields to save if the stored value wins every conflict. */
  body: Body;
  /** The submitted values of the conflicting fields, by field path: `title` or `week.fri`. */
  yours: Body;
}

/**
 * Compares a refused form with the record as it is stored now; returns undefined if both merge without a conflict.
 * @param version the version that the form was opened with
 * @throws 400; 404
 */
export function findConflict(
  ctx: Context,
  kind: Kind,
  id: string,
  version: number,
  input: Body,
): Conflict | undefined {
  const record = getRecord(ctx, kind, id);
  const kept = ctx.db.first(
    build
      .selectFrom('content_revisions')
      .select('version')
      .where('record_id', '=', id)
      .where('version', '=', version),
  );
  const base = kept ? getVersion(ctx, kind, id, version) : {};
  const yours = parseBody(kind, { ...(kept ? base : record.body), ...input });
  const { body, conflicts } = mergeBodies(kind, base, record.body, yours);
  if (conflicts.length === 0) return undefined;
  const parents = conflicts.filter((field) => field.includes('.')).map((field) => field.split('.')[0] ?? '');
  const fields = [...new Set([...changedFields(record.body, body), ...parents])];
  const changes: Changes = {
    body: Object.fromEntries(fields.map((field) => [field, body[field]])),
    yours: Object.fromEntries(conflicts.map((field) => [field, valueAt(yours, field)])),
  };
  return {
    version: record.version,
    who: record.changed_by,
    fields: conflicts.map((field) => ({
      field,
      theirs: valueAt(record.body, field),
      yours: valueAt(yours, field),
    })),
    changes: JSON.stringify(changes),
  };
}

/** Returns the fields to save once the user has chosen. @throws 400 when `text` is not the `changes` of a conflict */
export function settle(text: string, isYours: (field: string) => boolean): Body {
  const { body, yours } = readChanges(text);
  for (const [field, value] of Object.entries(yours)) {
    if (!isYours(field)) continue;
    const [first = '', key] = field.split('.');
    if (key === undefined) body[first] = value;
    else body[first] = { ...(body[first] as Body), [key]: value };
  }
  return body;
}

function readChanges(text: string): Changes {
  const isRecord = (value: unknown): value is Body =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  try {
    const changes: unknown = JSON.parse(text);
    if (isRecord(changes) && isRecord(changes.body) && isRecord(changes.yours))
      return { body: changes.body, yours: changes.yours };
  } catch {
    // Falls through to the error below.
  }
  throw badRequest('changes_unreadable');
}

function valueAt(body: Body, field: string): unknown {
  return field.split('.').reduce<unknown>((value, key) => (value as Body | undefined)?.[key], body);
}
