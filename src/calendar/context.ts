import type { Context } from '#kernel/context.ts';
import { SingleFlight } from '#kernel/single-flight.ts';
import type { ForeignFeed } from './feed/automation.ts';
import { FeedCache } from './feed/feed.ts';
import { TokenCache } from './subscriptions/tokens.ts';

/** The context of the calendar's functions, with the state that its routes and jobs share. */
export interface CalendarContext extends Context {
  feedCache: FeedCache;
  tokenCache: TokenCache;
  /** Feeds of the automation host that are being fetched, by their calendar ids. */
  foreignFeeds: SingleFlight<string, ForeignFeed>;
}

/** Creates the state of the calendar, once for each context. */
export function openCalendar(ctx: Context): CalendarContext {
  // Inherited, not copied: a part of `ctx` that is replaced later, such as its workspace client, is replaced here too.
  const inherited: Context = Object.create(ctx);
  const tokenCache = new TokenCache(ctx.db);
  ctx.hub.on('erasures', () => tokenCache.clear());
  return Object.assign(inherited, {
    feedCache: new FeedCache(ctx),
    tokenCache,
    foreignFeeds: new SingleFlight<string, ForeignFeed>(),
  });
}
