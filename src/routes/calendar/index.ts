import { AccessLog } from '#calendar/access-log.ts';
import type { CalendarContext } from '#calendar/context.ts';
import { guardStaff } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { servesOthers } from '#kernel/house-network.ts';
import type { App } from '#kernel/http/http.ts';
import { admin } from './admin.ts';
import { eventPages, type FindPubEvent } from './event-pages.ts';
import { feeds } from './feeds.ts';
import { gone, goneForStaff } from './gone.ts';
import { pages } from './pages.ts';
import { subscriptions } from './subscriptions.ts';

/** Registers the routes of the calendar domain: subscriptions, feeds and their administration. */
export async function calendar(
  app: App,
  { ctx, findPubEvent }: { ctx: CalendarContext; findPubEvent: FindPubEvent },
): Promise<void> {
  const accesses = new AccessLog(ctx);
  app.addHook('onClose', () => accesses.flush());
  warnOfRisks(ctx);

  feeds(app, { ctx, accesses });
  await app.register(subscriptions, { ctx });
  await pages(app, { ctx });
  eventPages(app, { ctx, findPubEvent });
  gone(app);
  await app.register(async (staff: App) => {
    guardStaff(ctx, staff);
    admin(staff, { ctx, accesses });
    goneForStaff(staff);
  });
}

function warnOfRisks({ config, log }: Context): void {
  const { CHALLENGE_SITE_KEY, CHALLENGE_SECRET_KEY } = config;
  if (CHALLENGE_SITE_KEY && !CHALLENGE_SECRET_KEY)
    log.warn('CHALLENGE_SITE_KEY without CHALLENGE_SECRET_KEY: the challenge is shown but not enforced');
  else if (CHALLENGE_SECRET_KEY && !CHALLENGE_SITE_KEY)
    log.warn('CHALLENGE_SECRET_KEY without CHALLENGE_SITE_KEY: nobody can answer the challenge');
  else if (servesOthers(config) && !CHALLENGE_SECRET_KEY)
    log.warn('CHALLENGE_SECRET_KEY is not set: robots can ask for calendar mails');
}
