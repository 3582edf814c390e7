import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { type IcalContent, parseContent } from '../content.ts';

/** What is kept of a source as it is stored. */
export function contentText(ctx: Context, id: string): string | null {
  const row = ctx.db.first(build.selectFrom('ical_sources').select('content').where('id', '=', id));
  return row?.content ?? null;
}

/** What is kept of a source, from memory; undefined while it was never read. */
export function keptContent(ctx: Context, id: string): IcalContent | undefined {
  return ctx.derived.get(`calendar ${id}`, [], () => parseContent(contentText(ctx, id)));
}
