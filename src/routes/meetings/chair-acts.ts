import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { getItem } from '#meetings/items.ts';
import {
  CloseInput,
  callItem,
  closeItem,
  DeclareInput,
  declareItem,
  ExtendInput,
  extendItem,
  OpenInput,
  openItem,
  type Pressed,
  VoidItemInput,
  voidItem,
} from '#meetings/room/acts.ts';
import { countHands, HandsInput, passUnopposed } from '#meetings/room/hands.ts';
import { MotionInput, openMotion } from '#meetings/room/motion.ts';
import { itemWithResult } from '#meetings/room/results.ts';

const params = z.object({ id: Id });
const ofItem = params.extend({ item: Id });
type OfItem = z.output<typeof ofItem>;

const ITEM = '/admin/meetings/:id/items/:item';

/** The answer of every act: the item as it is now. */
const itemJson = async (ctx: Context, request: FastifyRequest, { id, item }: OfItem) => ({
  item: await itemWithResult(ctx, getItem(ctx.db, item, id), request.granted),
});

const pressed = (
  ctx: Context,
  { params: { id, item }, request }: { params: OfItem; request: FastifyRequest },
) => ({ meetingId: id, itemId: item, actor: actorOf(request, ctx.now) }) satisfies Pressed;

/** What whoever runs the meeting does with its items. */
export function running(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    api: `POST ${ITEM}/open`,
    summary: 'Open voting on an item',
    params: ofItem,
    body: OpenInput,
    run: (sent) => openItem(ctx, pressed(ctx, sent), sent.body),
    json: (_, { params: of, request }) => itemJson(ctx, request, of),
  });

  act(app, ctx, {
    api: `POST ${ITEM}/extend`,
    summary: 'Give more time to vote on an item',
    params: ofItem,
    body: ExtendInput,
    run: (sent) => extendItem(ctx, pressed(ctx, sent), sent.body),
    json: (_, { params: of, request }) => itemJson(ctx, request, of),
  });

  act(app, ctx, {
    api: `POST ${ITEM}/call`,
    summary: 'Go on to an item: it is what is discussed now',
    params: ofItem,
    run: (sent) => callItem(ctx, pressed(ctx, sent)),
    json: (_, { params: of, request }) => itemJson(ctx, request, of),
  });

  act(app, ctx, {
    api: 'POST /admin/meetings/:id/motion',
    summary: 'Put a motion on the agenda and open it at once',
    params,
    body: MotionInput,
    run: ({ params: { id }, body, actor }) => openMotion(ctx, id, body, actor),
    json: (item, { params: { id }, request }) => itemJson(ctx, request, { id, item }),
  });
}

/** What whoever certifies does with its items. */
export function certifying(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    api: `POST ${ITEM}/close`,
    summary: 'Close voting on an item, now or some seconds from now',
    params: ofItem,
    body: CloseInput,
    run: (sent) => closeItem(ctx, pressed(ctx, sent), sent.body),
    json: (_, { params: of, request }) => itemJson(ctx, request, of),
  });

  act(app, ctx, {
    api: `POST ${ITEM}/declare`,
    summary: 'Announce the result of an item, and whether the elected accept',
    params: ofItem,
    body: DeclareInput,
    run: (sent) => declareItem(ctx, pressed(ctx, sent), sent.body),
    json: (_, { params: of, request }) => itemJson(ctx, request, of),
  });

  act(app, ctx, {
    api: `POST ${ITEM}/void`,
    summary: 'Make the vote on an item void',
    params: ofItem,
    body: VoidItemInput,
    run: (sent) => voidItem(ctx, pressed(ctx, sent), sent.body),
    json: async (waits, { params: of, request }) => ({
      ...(await itemJson(ctx, request, of)),
      ...(waits && { waiting: true, message: 'A second person confirms it' }),
    }),
  });

  act(app, ctx, {
    api: `POST ${ITEM}/hands`,
    summary: 'Enter the hands that were counted on a motion',
    params: ofItem,
    body: HandsInput,
    run: (sent) => countHands(ctx, pressed(ctx, sent), sent.body),
    json: (_, { params: of, request }) => itemJson(ctx, request, of),
  });

  act(app, ctx, {
    api: `POST ${ITEM}/unopposed`,
    summary: 'Note that nobody opposed an item',
    params: ofItem,
    run: (sent) => passUnopposed(ctx, pressed(ctx, sent)),
    json: (_, { params: of, request }) => itemJson(ctx, request, of),
  });
}
