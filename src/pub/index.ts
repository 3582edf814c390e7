import { demandPermission, permissionGuard } from '#kernel/access/permissions.ts';
import { sudoGuard } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { createFeeds } from './display/feeds.ts';
import { logDeviceAccess } from './http/device-guard.ts';
import { Covers } from './now-playing/art.ts';
import { registerConfigured } from './room/configured.ts';
import { Visitors } from './room/visitors.ts';
import { audit } from './routes/audit.ts';
import { controls, staffControls } from './routes/controls.ts';
import { events } from './routes/events.ts';
import { feedback } from './routes/feedback.ts';
import { feedbackTriage } from './routes/feedback-triage.ts';
import { images } from './routes/images.ts';
import { listenBrainz } from './routes/music/listenbrainz.ts';
import { ingestion, nowPlaying } from './routes/now-playing.ts';
import { nowShowing, staffNowShowing } from './routes/now-showing.ts';
import { relays, staffRelays } from './routes/relays.ts';
import { songRequests, staffRequests } from './routes/requests.ts';
import { requestsPages } from './routes/requests-page.ts';
import { roles } from './routes/roles.ts';
import { room } from './routes/room.ts';
import { screenings, screenPages, staffScreenings } from './routes/screenings.ts';
import { screenDesk } from './routes/screens/pages.ts';
import { screens, staffScreens } from './routes/screens/screens.ts';
import { staffTakeover, takeover } from './routes/screens/takeover.ts';
import { setlist, shareClicks } from './routes/setlist.ts';
import { setlistModeration } from './routes/setlist-moderation.ts';
import { sports } from './routes/sports.ts';
import { tenders } from './routes/tenders.ts';
import { tv } from './routes/tv.ts';

/** The pub domain: screens, music, song requests, feedback, and the controls of the room. */
export async function pub(
  app: App,
  { ctx, takesSubscribers }: { ctx: Context; takesSubscribers: () => boolean },
): Promise<void> {
  const feeds = createFeeds(ctx, { takesSubscribers });
  const covers = new Covers(ctx);
  const visitors = new Visitors();
  logDeviceAccess(ctx);
  registerConfigured(ctx);
  events(app, { ctx, feeds });
  tenders(app, { ctx, feeds });
  images(app, { ctx, covers });
  tv(app, { ctx });
  screens(app, { ctx, visitors });
  takeover(app, { ctx });
  feedback(app, { ctx });
  await app.register(requestsPages, { ctx });
  await app.register(songRequests, { ctx });
  setlist(app, { ctx });
  await app.register(shareClicks, { ctx });
  sports(app, { ctx });
  nowShowing(app, { ctx });
  screenings(app, { ctx });
  await app.register(screenPages, { ctx });
  await app.register(ingestion, { ctx });
  await app.register(listenBrainz, { ctx });
  await app.register(nowPlaying, { ctx });
  await app.register(controls, { ctx });
  await app.register(relays, { ctx });
  await app.register(async (staff: App) => {
    staff.addHook('onRoute', demandPermission);
    staff.addHook('onRequest', permissionGuard(ctx));
    staff.addHook('preValidation', sudoGuard(ctx));
    staff.addHook('onRequest', noStore);
    room(staff, { ctx });
    staffRelays(staff, { ctx });
    staffControls(staff, { ctx });
    staffNowShowing(staff, { ctx });
    staffScreens(staff, { ctx, visitors });
    screenDesk(staff, { ctx, visitors });
    staffTakeover(staff, { ctx });
    staffRequests(staff, { ctx });
    setlistModeration(staff, { ctx });
    staffScreenings(staff, { ctx });
    feedbackTriage(staff, { ctx });
    roles(staff, { ctx });
    audit(staff, { ctx });
  });
}
