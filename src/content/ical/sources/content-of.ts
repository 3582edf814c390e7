import { type IcalContent, parseContent } from '#content/ical/content.ts';
import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

/** Returns the stored content of a source, as JSON. */
export function contentText(ctx: Context, id: string): string | null {
  const row = ctx.db.first(build.selectFrom('ical_sources').select('content').where('id', '=', id));
  return row?.content ?? null;
}

/** By source. Forgotten one by one, because to parse a large calendar takes long. */
const PARSED = kept<IcalContent | undefined>();

/** Returns the stored content of a source, cached in memory; undefined if it was never read. */
export function keptContent(ctx: Context, id: string): IcalContent | undefined {
  return ctx.cache.get(PARSED, id, () => parseContent(contentText(ctx, id)));
}

export const forgetContent = (ctx: Context, id: string): void => ctx.cache.forget(PARSED, id);
