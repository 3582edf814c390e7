import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { typed } from '#content/forms/form.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { readStaffMenu } from '#pub/menu/staff.ts';
import { StockInput, setStock } from '#pub/menu/stock.ts';
import {
  changeTap,
  removeTap,
  SwapInput,
  swapTap,
  type TapDone,
  TapInput,
  TapNumber,
} from '#pub/menu/taps.ts';
import { undoLast } from '#pub/menu/undo.ts';
import { tapPage } from '#views/pub/staff-room/tap-page.ts';
import { onRoomPage, toRoomPage } from './staff-room.ts';

const itemParams = z.object({ id: Id });
const tapParams = z.object({ tap: TapNumber });
const time = (at: number | null) => (at === null ? null : isoTime(at));
const answer = ({ tap, undoUntil }: TapDone) => ({ ok: true, tap, undo_until: time(undoUntil) });

/** What a form of the staff page saw of a tap. */
function seenIn(fields: Record<string, unknown>) {
  const state = typed(fields, 'seen_state');
  return state === '' ? undefined : { state, item_id: typed(fields, 'seen_item') || null };
}

/** What can be had: the taps, and what is sold out. */
export function staffTaps(app: App, { ctx }: { ctx: Context }): void {
  const permission = 'menu:stock' as const;
  const tapPageOf = (request: FastifyRequest, refused?: RefusedForm) => {
    const { tap } = request.params as z.output<typeof tapParams>;
    return tapPage({ identity: request.identity, tap, menu: readStaffMenu(ctx), refused });
  };

  app.get(
    '/api/admin/menu',
    { config: { permission }, schema: { summary: 'The taps, and what is sold out' } },
    async () => readStaffMenu(ctx) ?? { taps: [], drinks: [], items: [] },
  );

  app.get(
    '/admin/pub/taps/:tap',
    {
      config: { permission },
      schema: { summary: 'One tap: its drink, and what comes next', params: tapParams },
    },
    async (request, reply) => sendHtml(reply, tapPageOf(request)),
  );

  act(app, ctx, {
    ...onRoomPage(ctx, 'menu'),
    api: 'POST /api/admin/menu/items/:id/stock',
    form: 'POST /admin/pub/menu/:id',
    summary: 'Say whether something can be had',
    permission,
    params: itemParams,
    body: StockInput,
    // Once somebody says so: an act of its own, because an empty date may be one that was not filled in.
    fromForm: ({ open_ended, ...fields }) => ({ ...fields, ...(open_ended === 'true' && { until: null }) }),
    run: ({ params: { id }, body, actor }) => setStock(ctx, id, body, actor),
    json: ({ state, until, undoUntil }) => ({
      ok: true,
      state,
      until: time(until),
      undo_until: time(undoUntil),
    }),
    next: ({ undo }, { request }) => toRoomPage(ctx, 'menu')({ undo }, { request }),
  });

  act(app, ctx, {
    api: 'POST /api/admin/menu/items/:id/undo',
    summary: 'Take the last change of an item back, within ten seconds',
    permission,
    params: itemParams,
    run: ({ params: { id }, actor }) => undoLast(ctx, `item ${id.replaceAll('-', '')}`, actor),
  });

  act(app, ctx, {
    ...onRoomPage(ctx, 'menu'),
    api: 'POST /api/admin/taps/:tap',
    form: 'POST /admin/pub/taps/:tap',
    summary: 'Change what a tap has, or how it is',
    permission,
    params: tapParams,
    body: TapInput,
    fromForm: (fields) => ({
      ...(fields.label !== undefined && { label: typed(fields, 'label') }),
      ...(fields.item_id !== undefined && { item_id: typed(fields, 'item_id') || null }),
      ...(fields.next_item_id !== undefined && { next_item_id: typed(fields, 'next_item_id') || null }),
      ...(fields.state !== undefined && { state: typed(fields, 'state') }),
      seen: seenIn(fields),
    }),
    run: ({ params: { tap }, body, actor }) => changeTap(ctx, tap, body, actor),
    json: answer,
    next: ({ undo }, { request }) => toRoomPage(ctx, 'menu')({ undo }, { request }),
  });

  act(app, ctx, {
    ...onRoomPage(ctx, 'menu'),
    api: 'POST /api/admin/taps/:tap/swap',
    form: 'POST /admin/pub/taps/:tap/swap',
    summary: 'Connect the next drink to a tap, or a given one',
    permission,
    params: tapParams,
    body: SwapInput,
    fromForm: (fields) => ({ item_id: typed(fields, 'item_id') || undefined, seen: seenIn(fields) }),
    run: ({ params: { tap }, body, actor }) => swapTap(ctx, tap, body, actor),
    json: answer,
    next: ({ undo }, { request }) => toRoomPage(ctx, 'menu')({ undo }, { request }),
  });

  act(app, ctx, {
    api: 'POST /api/admin/taps/:tap/undo',
    summary: 'Take the last change of a tap back, within ten seconds',
    permission,
    params: tapParams,
    run: ({ params: { tap }, actor }) => undoLast(ctx, `tap ${tap}`, actor),
  });

  act(app, ctx, {
    api: 'DELETE /api/admin/taps/:tap',
    form: 'POST /admin/pub/taps/:tap/remove',
    summary: 'Take a tap away',
    permission,
    params: tapParams,
    run: ({ params: { tap }, actor }) => removeTap(ctx, tap, actor),
    json: answer,
    next: '/admin/pub?done=menu#menu',
  });
}
