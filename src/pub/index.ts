import type { Context } from '#kernel/context.ts';
import { type App, neverStored } from '#kernel/http.ts';
import { demandPermission, permissionGuard } from '#kernel/permissions.ts';
import { art } from './routes/art.ts';
import { controls, staffControls } from './routes/controls.ts';
import { display } from './routes/display.ts';
import { feedback, staffFeedback } from './routes/feedback.ts';
import { nowPages } from './routes/now-pages.ts';
import { nowPlaying } from './routes/now-playing.ts';
import { nowShowing, staffNowShowing } from './routes/now-showing.ts';
import { pages } from './routes/pages.ts';
import { feedbackPages, requestPages } from './routes/patron-pages.ts';
import { songRequests, staffRequests } from './routes/requests.ts';
import { room, staffRoom } from './routes/room.ts';
import { screenings, screenPages, staffScreenings } from './routes/screenings.ts';
import { screens, staffScreens } from './routes/screens.ts';
import { sports } from './routes/sports.ts';
import { staffPages } from './routes/staff-pages.ts';
import { staffPeople } from './routes/staff-people.ts';
import { staffRoomPages } from './routes/staff-room.ts';
import { stream } from './routes/stream.ts';
import { tv } from './routes/tv.ts';

/** The pub domain: what the room shows, hears and asks for. */
export async function pub(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(art, { ctx });
  await app.register(display, { ctx });
  await app.register(pages, { ctx });
  await app.register(tv, { ctx });
  await app.register(nowPages, { ctx });
  await app.register(screens, { ctx });
  await app.register(feedback, { ctx });
  await app.register(feedbackPages, { ctx });
  await app.register(requestPages, { ctx });
  await app.register(songRequests, { ctx });
  await app.register(sports, { ctx });
  await app.register(nowShowing, { ctx });
  await app.register(screenings, { ctx });
  await app.register(screenPages, { ctx });
  await app.register(nowPlaying, { ctx });
  await app.register(stream, { ctx });
  await app.register(controls, { ctx });
  await app.register(room, { ctx });
  await app.register(async (staff: App) => {
    staff.addHook('onRoute', demandPermission);
    staff.addHook('onRequest', permissionGuard(ctx));
    staff.addHook('onRequest', neverStored);
    await staff.register(staffFeedback, { ctx });
    await staff.register(staffRequests, { ctx });
    await staff.register(staffPeople, { ctx });
    await staff.register(staffPages, { ctx });
    await staff.register(staffRoomPages, { ctx });
    await staff.register(staffScreens, { ctx });
    await staff.register(staffNowShowing, { ctx });
    await staff.register(staffScreenings, { ctx });
    await staff.register(staffControls, { ctx });
    await staff.register(staffRoom, { ctx });
  });
}
