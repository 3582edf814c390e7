import { guardStaff } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { Visitors } from '#pub/devices/visitors.ts';
import { createFeeds } from '#pub/display/feeds.ts';
import { registerConfigured } from '#pub/staff-room/configured.ts';
import { audit } from './audit.ts';
import { controls, staffControls } from './controls.ts';
import { logDeviceAccess } from './device-guard.ts';
import { events } from './events.ts';
import { feedback, feedbackTriage } from './feedback.ts';
import { images } from './images.ts';
import { lastNight } from './last-night.ts';
import { listenBrainz } from './listenbrainz.ts';
import { menu } from './menu.ts';
import { menuPages } from './menu-pages.ts';
import { ingestion, nowPlaying } from './now-playing.ts';
import { nowShowing, staffNowShowing } from './now-showing.ts';
import { pairings } from './pairings.ts';
import { relays, staffRelays } from './relays.ts';
import { requestsPages, songRequests, staffRequests } from './requests.ts';
import { roles } from './roles.ts';
import { screenings, screenPages, staffScreenings } from './screenings.ts';
import { screenPower, screens, screenWifi, staffScreens } from './screens.ts';
import { setlist, setlistModeration, shareClicks } from './setlist.ts';
import { sports } from './sports.ts';
import { room } from './staff-room.ts';
import { staffTakeover, takeover } from './takeover.ts';
import { staffTaps } from './taps.ts';
import { tenders } from './tenders.ts';
import { tv } from './tv.ts';

/** The pub domain: screens, music, song requests, feedback, and the controls of the room. */
export async function pub(
  app: App,
  { ctx, takesSubscribers }: { ctx: Context; takesSubscribers: () => boolean },
): Promise<void> {
  const feeds = createFeeds(ctx, { takesSubscribers });
  const visitors = new Visitors();
  logDeviceAccess(ctx);
  registerConfigured(ctx);
  events(app, { ctx, feeds });
  tenders(app, { ctx, feeds });
  menu(app, { feeds });
  menuPages(app, { ctx });
  images(app, { ctx });
  tv(app, { ctx });
  screens(app, { ctx, visitors });
  screenPower(app, { ctx });
  screenWifi(app, { ctx });
  pairings(app, { ctx });
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
    guardStaff(ctx, staff);
    room(staff, { ctx });
    lastNight(staff, { ctx });
    staffRelays(staff, { ctx });
    staffControls(staff, { ctx });
    staffNowShowing(staff, { ctx });
    staffScreens(staff, { ctx, visitors });
    staffTakeover(staff, { ctx });
    staffTaps(staff, { ctx });
    staffRequests(staff, { ctx });
    setlistModeration(staff, { ctx });
    staffScreenings(staff, { ctx });
    feedbackTriage(staff, { ctx });
    roles(staff, { ctx });
    audit(staff, { ctx });
  });
}
