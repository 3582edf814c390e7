import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { type IcalContent, parseContent } from '../content.ts';

/** Returns the stored content of a source, as JSON. */
export function contentText(ctx: Context, id: string): string | null {
  const row = ctx.db.first(build.selectFrom('ical_sources').select('content').where('id', '=', id));
  return row?.content ?? null;
}

/** Returns the stored content of a source, cached in memory; undefined if it was never read. */
export function keptContent(ctx: Context, id: string): IcalContent | undefined {
  return ctx.derived.get(`calendar ${id}`, [], () => parseContent(contentText(ctx, id)));
}
