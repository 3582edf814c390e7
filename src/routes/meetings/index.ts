import { acceptPictures } from '#content/pictures/accept.ts';
import { attachViewer, guardStaff } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { nestFormBody } from '#kernel/http/form.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { onlyForReaders } from '#routes/readers.ts';
import { limitVoters } from '#routes/voting/limit.ts';
import { guardOfficers, writing } from '#routes/voting/officers.ts';
import { batches } from './batches.ts';
import { answerForCalledOff } from './called-off.ts';
import { chair } from './chair.ts';
import { certifying, running } from './chair-acts.ts';
import { documents, publicDocuments } from './documents.ts';
import { door } from './door.ts';
import { givingRoles, helpers } from './helpers.ts';
import { meetingInvitations } from './invitations.ts';
import { items } from './items.ts';
import { meetings } from './meetings.ts';
import { minutes, publicMinutes } from './minutes.ts';
import { handingIn, motions } from './motions.ts';
import { nominating, nominations } from './nominations.ts';
import { paperSheets, papers } from './paper-count.ts';
import { doorNumbers, lostCards, publicMeeting } from './public.ts';
import { room } from './room.ts';
import { limitRoom } from './room-limit.ts';

/** Registers the routes of meetings with their permissions and rate limits. */
export async function meetingRoutes(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(async (everybody: App) => {
    everybody.addHook('preValidation', limitRoom(ctx));
    everybody.addHook('onRequest', noStore);
    onlyForReaders(ctx, everybody, 'meeting');
    answerForCalledOff(ctx, everybody);
    publicMeeting(everybody, { ctx });
    doorNumbers(everybody, { ctx });
    publicMinutes(everybody, { ctx });
    publicDocuments(everybody, { ctx });
    room(everybody, { ctx });
  });
  await app.register(async (members: App) => {
    limitVoters(ctx, members);
    members.addHook('onRequest', noStore);
    onlyForReaders(ctx, members, 'meeting');
    answerForCalledOff(ctx, members);
    lostCards(members, { ctx });
    handingIn(members, { ctx });
    await nominating(members, { ctx });
  });
  await app.register(async (staff: App) => {
    guardStaff(ctx, staff);
    // What it shows are pages of officers.
    staff.addHook('onRequest', async (request) => {
      request.granted = request.identity?.granted ?? new Set();
    });
    staff.addHook('onRequest', attachViewer(ctx));
    staff.addHook('preValidation', nestFormBody);
    givingRoles(staff, { ctx });
  });
  await app.register(async (officers: App) => {
    guardOfficers(ctx, officers);
    officers.addHook('preValidation', nestFormBody);
    await acceptPictures(officers, ctx);
    await officers.register(
      writing('elections:write', meetings, items, documents, helpers, motions, nominations, minutes),
      { ctx },
    );
    await officers.register(writing('elections:run', meetingInvitations, chair, running, papers), { ctx });
    await officers.register(writing('meetings:door', door), { ctx });
    await officers.register(writing('elections:certify', certifying), { ctx });
    await officers.register(writing('meetings:count', paperSheets, batches), { ctx });
  });
}
