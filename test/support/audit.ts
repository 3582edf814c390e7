import type { Context } from '#kernel/context.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build } from '#kernel/db/queries.ts';

/** Returns the entries of the audit log, oldest first, with the personal data that listings show. */
export function recorded(ctx: Pick<Context, 'db'>): { action: string; metadata: Record<string, unknown> }[] {
  const rows = ctx.db.all(
    build.selectFrom('audit_log').select(['action', 'metadata', 'personal']).orderBy('seq'),
  );
  return rows.map(({ action, ...row }) => ({ action, metadata: shownMetadata(row) }));
}

/** The metadata of the entries of one action. */
export const recordedOf = (ctx: Pick<Context, 'db'>, action: string): Record<string, unknown>[] =>
  recorded(ctx)
    .filter((entry) => entry.action === action)
    .map(({ metadata }) => metadata);
