import { kept } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import type { WorkspacePage } from './client.ts';

/** The item that was read from a page, or why it is left out. */
export type PageRead<Item> = { item: Item } | LeftOut;

export interface LeftOut {
  item?: undefined;
  /** A sentence without capital letter and full stop. */
  leftOut: Words;
  /** Whether it is an error that somebody should correct in the page. */
  isFault: boolean;
}

export const leftOut = (reason: Words, { isFault = false } = {}): LeftOut => ({ leftOut: reason, isFault });

/** Whether a page's fault was logged, by the page. */
const LOGGED = kept<boolean>({ age: DAY });

/** The item that was read from a page. A fault is logged once a day. @returns undefined for a page that is left out */
export function itemOf<Item>(ctx: Context, page: WorkspacePage, read: PageRead<Item>): Item | undefined {
  if (!('leftOut' in read)) return read.item;
  if (read.isFault)
    ctx.cache.get(LOGGED, page.id, () => {
      const { id, title } = page;
      ctx.log.warn(
        { page: id, title, reason: read.leftOut.for(ENGLISH) },
        'a page of the workspace is left out',
      );
      return true;
    });
  return undefined;
}
