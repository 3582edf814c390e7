import type { Context } from '#kernel/context.ts';
import { ProgrammeFeed } from './feed/feed.ts';

/** The context of the calendar's functions, with the feed that its routes and jobs share. */
export interface CalendarContext extends Context {
  programmeFeed: ProgrammeFeed;
}

/** Creates the state of the calendar, once for each context. */
export function openCalendar(ctx: Context): CalendarContext {
  // Inherited, not copied: a part of `ctx` that is replaced later, such as its workspace client, is replaced here too.
  const inherited: Context = Object.create(ctx);
  return Object.assign(inherited, { programmeFeed: new ProgrammeFeed(ctx) });
}
