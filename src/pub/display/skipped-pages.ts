import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';

/** Logs, once a day, that a page is left out. @returns undefined, for the page that is not there */
export function logSkippedPage(ctx: Context, page: WorkspacePage, reason: string): undefined {
  void ctx.cache.remember(`left out ${page.id}`, DAY, async () =>
    ctx.log.warn({ page: page.id, title: page.title, reason }, 'a page of the workspace is left out'),
  );
}
