import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import {
  addItem,
  deleteItem,
  ItemInput,
  ItemPatch,
  moveItem,
  OrderInput,
  orderItems,
  updateItem,
} from '#meetings/agenda.ts';
import { getItem, itemJson } from '#meetings/items.ts';
import { renderMeeting } from './meetings.ts';

const params = z.object({ id: Id });
const ofItem = params.extend({ item: Id });
const MoveInput = z.object({ direction: oneOf(['up', 'down']) });

/** The items of an agenda: add, change, remove, order. */
export function items(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: 'POST /admin/meetings/:id/items',
    summary: 'Add an item to the agenda',
    params,
    body: ItemInput,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'add' }),
    run: ({ params: { id }, body, actor }) => addItem(ctx, id, body, actor),
    json: (added) => added,
    next: ({ id: item }, { params: { id } }) => `/admin/meetings/${id}?done=added#item-${item}`,
  });

  act(app, ctx, {
    both: 'PATCH /admin/meetings/:id/items/:item',
    summary: 'Change an item of the agenda',
    params: ofItem,
    body: ItemPatch,
    refused: (request, refused) => {
      const { id, item } = request.params;
      return renderMeeting(ctx, request, id, { refused, at: `item-${item}` });
    },
    run: ({ params: { id, item }, body, actor }) => updateItem(ctx, id, item, body, actor),
    json: (_, { params: { id, item } }) => ({ item: itemJson(getItem(ctx.db, item, id)) }),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}?done=saved#item-${item}`,
  });

  act(app, ctx, {
    both: 'DELETE /admin/meetings/:id/items/:item',
    summary: 'Take an item off the agenda',
    params: ofItem,
    refused: (request, refused) => {
      const { id, item } = request.params;
      return renderMeeting(ctx, request, id, { refused, at: `item-${item}` });
    },
    run: ({ params: { id, item }, actor }) => deleteItem(ctx, id, item, actor),
    json: () => ({ success: true }),
    next: (_, { params: { id } }) => `/admin/meetings/${id}?done=removed#agenda`,
  });

  act(app, ctx, {
    api: 'PUT /admin/meetings/:id/order',
    summary: 'Put the agenda into another order',
    params,
    body: OrderInput,
    run: ({ params: { id }, body, actor }) => orderItems(ctx, id, body, actor),
    json: () => ({ success: true }),
  });

  act(app, ctx, {
    form: 'POST /admin/meetings/:id/items/:item/move',
    params: ofItem,
    body: MoveInput,
    run: ({ params: { id, item }, body: { direction }, actor }) => moveItem(ctx, id, item, direction, actor),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}?done=moved#item-${item}`,
  });
}
