import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { linesOf } from '#kernel/http/form.ts';
import type { App } from '#kernel/http/http.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import {
  AddedItem,
  addItem,
  deleteItem,
  ItemPatch,
  moveItem,
  OrderInput,
  orderItems,
  updateItem,
} from '#meetings/agenda.ts';
import { getItem, itemJson } from '#meetings/items.ts';
import { followMeeting } from '#meetings/program.ts';
import { knowsSetting } from '#voting/election-settings.ts';
import { BallotTypeInput } from '#voting/elections/changes.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { renderMeeting } from './meetings.ts';

const params = z.object({ id: Id });
const ofItem = params.extend({ item: Id });

/** The fields of a form: what a motion needs, or the type of an election, its seats and names, one on each line. */
function readQuestion({ share, of, type, seats, names, ...item }: Record<string, unknown>) {
  // An empty one comes before the ticks, so that none of them is said too.
  if (item.classes !== undefined) item.classes = [item.classes].flat().filter((name) => name !== '');
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  const known = BallotTypeInput.safeParse(type).data;
  if (item.kind === 'motion' && text(share) !== '') item.question = { settings: { majority: { share, of } } };
  else if (item.kind !== 'text' && known) {
    const kind = rulesOf(known).options?.kind;
    const seated = text(seats) !== '' && knowsSetting(known, 'seats');
    item.question = {
      ballot_type: known,
      ...(seated && { settings: { seats } }),
      ...(kind && { [`${kind}s`]: linesOf(text(names)) }),
    };
  }
  return item;
}

const MoveInput = z.object({ direction: oneOf(['up', 'down']) });

/** Changes the agenda; the event of the meeting follows. */
async function following<Done>(ctx: Context, id: string, actor: Actor, change: Promise<Done>): Promise<Done> {
  const done = await change;
  await followMeeting(ctx, id, actor);
  return done;
}

/** The items of an agenda: add, change, remove, order. */
export function items(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: 'POST /admin/meetings/:id/items',
    summary: 'Add an item to the agenda',
    params,
    body: AddedItem,
    fromForm: readQuestion,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'add' }),
    run: ({ params: { id }, body, actor }) => following(ctx, id, actor, addItem(ctx, id, body, actor)),
    json: (added) => added,
    next: ({ id: item }, { params: { id } }) => `/admin/meetings/${id}?done=added#item-${item}`,
  });

  act(app, ctx, {
    both: 'PATCH /admin/meetings/:id/items/:item',
    summary: 'Change an item of the agenda',
    params: ofItem,
    body: ItemPatch,
    fromForm: readQuestion,
    refused: (request, refused) => {
      const { id, item } = request.params;
      return renderMeeting(ctx, request, id, { refused, at: `item-${item}` });
    },
    run: ({ params: { id, item }, body, actor }) =>
      following(ctx, id, actor, updateItem(ctx, id, item, body, actor)),
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
    run: ({ params: { id, item }, actor }) => following(ctx, id, actor, deleteItem(ctx, id, item, actor)),
    json: () => ({ success: true }),
    next: (_, { params: { id } }) => `/admin/meetings/${id}?done=removed#agenda`,
  });

  act(app, ctx, {
    api: 'PUT /admin/meetings/:id/order',
    summary: 'Put the agenda into another order',
    params,
    body: OrderInput,
    run: ({ params: { id }, body, actor }) => following(ctx, id, actor, orderItems(ctx, id, body, actor)),
    json: () => ({ success: true }),
  });

  act(app, ctx, {
    form: 'POST /admin/meetings/:id/items/:item/move',
    params: ofItem,
    body: MoveInput,
    run: ({ params: { id, item }, body: { direction }, actor }) =>
      following(ctx, id, actor, moveItem(ctx, id, item, direction, actor)),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}?done=moved#item-${item}`,
  });
}
