import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { WorkspacePage } from './client.ts';

/** What a page says, or why it is not shown. */
export type PageRead<Item> = { item: Item } | LeftOut;

export interface LeftOut {
  item?: undefined;
  /** A sentence without its capital and its full stop. */
  leftOut: string;
  /** Whether somebody should look at the page. */
  isFault: boolean;
}

export const leftOut = (reason: string, { isFault = false } = {}): LeftOut => ({ leftOut: reason, isFault });

/** What was read of a page. A fault is logged once a day. @returns undefined for a page that is left out */
export function itemOf<Item>(ctx: Context, page: WorkspacePage, read: PageRead<Item>): Item | undefined {
  if (!('leftOut' in read)) return read.item;
  if (read.isFault)
    void ctx.cache.remember(`left out ${page.id}`, DAY, async () =>
      ctx.log.warn(
        { page: page.id, title: page.title, reason: read.leftOut },
        'a page of the workspace is left out',
      ),
    );
  return undefined;
}
