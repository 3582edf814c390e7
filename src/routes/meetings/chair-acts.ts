import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act, actsOn, OtherAnswer } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import type { Pressed } from '#meetings/item-acts.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import {
  CloseInput,
  callItem,
  closeItem,
  DeclareInput,
  declareItem,
  ExtendInput,
  extendItem,
  isCounted,
  OpenInput,
  openItem,
  VoidItemInput,
  voidItem,
} from '#meetings/room/acts.ts';
import { ensureOpenSeats, voteAgain } from '#meetings/room/follow-up.ts';
import { countHands, HandsInput, passUnopposed } from '#meetings/room/hands.ts';
import { MotionInput, openMotion } from '#meetings/room/motion.ts';
import { takeBackOpening } from '#meetings/room/opening.ts';
import { itemWithResult } from '#meetings/room/results.ts';
import { closeTimers } from '#meetings/room/timers.ts';
import { needsPerson } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { getElection } from '#voting/elections/elections.ts';
import { renderChair } from './chair.ts';

const params = z.object({ id: Id });
const ofItem = params.extend({ item: Id });
type OfItem = z.output<typeof ofItem>;

/** The answer of every act: the item as it is now. */
const itemJson = async (ctx: Context, request: FastifyRequest, { id, item }: OfItem) => ({
  item: await itemWithResult(ctx, getItem(ctx.db, item, id), request.granted),
});

const pressed = (
  ctx: Context,
  { params: { id, item }, request }: { params: OfItem; request: FastifyRequest },
) => ({ meetingId: id, itemId: item, actor: actorOf(request, ctx.now) }) satisfies Pressed;

/** Without a notice: the page says what is open, closed and announced, also once the other chair has gone on. */
const chairPath = ({ id }: { id: string }): string => `/admin/meetings/${id}/chair`;

/** Acts on an item, on the page of the chair. */
const onItem = (app: App, ctx: Context) =>
  actsOn(app, ctx, {
    at: '/admin/meetings/:id/items/:item',
    params: ofItem,
    page: chairPath,
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    json: ({ params: of, request }) => itemJson(ctx, request, of),
  });

/** What whoever runs the meeting does with its items. */
export function running(app: App, { ctx }: { ctx: Context }): void {
  const item = onItem(app, ctx);
  item.add('POST /open', 'Open voting on an item', {
    body: OpenInput,
    run: (sent) => openItem(ctx, pressed(ctx, sent), sent.body),
  });

  item.add('POST /take-back', 'Take an opening back, before anybody has voted or come', {
    run: (sent) => takeBackOpening(ctx, pressed(ctx, sent)),
  });

  item.add('POST /extend', 'Give more time to vote on an item', {
    body: ExtendInput,
    run: (sent) => extendItem(ctx, pressed(ctx, sent), sent.body),
  });

  for (const act of ['POST /call', 'POST /show'] as const)
    item.add(act, 'Go on to an item: it is what is discussed now, and on the wall', {
      run: (sent) => callItem(ctx, pressed(ctx, sent)),
    });

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/motion',
    summary: 'Put a motion on the agenda, and open it at once or show it first',
    params,
    body: MotionInput,
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    run: ({ params: { id }, body, actor }) => openMotion(ctx, id, body, actor),
    json: (opened, { params: { id }, request }) => itemJson(ctx, request, { id, item: opened }),
    next: (_, { params: of }) => chairPath(of),
  });
}

/** What whoever certifies does with its items. */
export function certifying(app: App, { ctx }: { ctx: Context }): void {
  const item = onItem(app, ctx);
  item.add('POST /close', 'Close voting on an item, now or some seconds from now', {
    body: CloseInput,
    run: (sent) => closeItem(ctx, pressed(ctx, sent), sent.body),
  });

  item.add('POST /declare', 'Announce the result of an item, and whether the elected accept', {
    body: DeclareInput,
    run: async (sent) => {
      const { params: of, body, request } = sent;
      if (body.again) await ensureOpenSeats(ctx, getItem(ctx.db, of.item, of.id));
      if (!(await declareItem(ctx, pressed(ctx, sent), body))) {
        const { election_id } = getItem(ctx.db, of.item, of.id);
        if (body.again && election_id !== null)
          await voteAgain(ctx, getElection(ctx.db, election_id), sent.actor);
        return undefined;
      }
      const message = 'These are the figures without more papers. A second press announces them.';
      const answer = { ...(await itemJson(ctx, request, of)), message };
      return new OtherAnswer(202, answer, () => chairPath(of));
    },
    next: (_, { params: { id } }) =>
      getMeeting(ctx.db, id).state === 'closed'
        ? `/admin/meetings/${id}/minutes?done=answers`
        : chairPath({ id }),
  });

  item.add('POST /void', 'Make the vote on an item void', {
    body: VoidItemInput,
    run: async (sent) => {
      const { params: of, body, request } = sent;
      if (request.apiKey !== undefined) throw needsPerson();
      await closeTimers(ctx);
      const item = getItem(ctx.db, of.item, of.id);
      const details = [{ label: t('meetings-admin.acts.reason'), value: body.reason }];
      const after = isCounted(item)
        ? ({
            kind: 'meeting_void',
            act: t('meetings-admin.acts.make_void', { title: item.title }),
            details,
          } as const)
        : undefined;
      return withApproval(ctx, request, after, (two) => voidItem(ctx, pressed(ctx, sent), body, two), {
        tried: (on, two) => voidItem(on, pressed(ctx, sent), body, two),
        json: () => itemJson(ctx, request, of),
        page: () => chairPath(of),
      });
    },
  });

  item.add('POST /hands', 'Enter the hands that were counted on a motion', {
    body: HandsInput,
    run: (sent) => countHands(ctx, pressed(ctx, sent), sent.body),
  });

  item.add('POST /unopposed', 'Note that nobody opposed an item', {
    run: (sent) => passUnopposed(ctx, pressed(ctx, sent)),
  });
}
