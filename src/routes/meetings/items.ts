import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { linesOf } from '#kernel/http/form.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
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
import { getItem, ITEM, itemJson, listItems } from '#meetings/items.ts';
import { getMeeting, meetingJson } from '#meetings/meetings.ts';
import { shownCandidates } from '#meetings/nominations/candidates.ts';
import { followMeeting } from '#meetings/program.ts';
import { listJoinable } from '#meetings/questions.ts';
import { ANOTHER, itemAddress } from '#views/meetings/admin/agenda.ts';
import { itemPage, newItemPage } from '#views/meetings/admin/item.ts';
import { itemPath, meetingSectionPath } from '#views/meetings/words.ts';
import { knowsSetting } from '#voting/election-settings.ts';
import { BallotTypeInput } from '#voting/elections/changes.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';

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
  const write = { permission: 'elections:write' } as const;
  app.get(
    '/admin/meetings/:id/items/new',
    { config: write, schema: { params, querystring: doneQuery } },
    async (request, reply) => {
      const added = request.query.done === 'added';
      return sendHtml(reply, renderNewItem(ctx, request, request.params.id, { added }));
    },
  );

  app.get(
    '/admin/meetings/:id/items/:item',
    { config: write, schema: { params: ofItem } },
    async (request, reply) => sendHtml(reply, renderItem(ctx, request, request.params)),
  );

  const onAgenda = (id: string, item: string, done: string): string => itemOnAgenda(ctx, id, item, done);

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/items',
    summary: 'Add an item to the agenda',
    params,
    body: AddedItem,
    fromForm: (sent) => readQuestion(ITEM.readForm(sent)),
    refused: (request, refused) => renderNewItem(ctx, request, request.params.id, { refused }),
    run: ({ params: { id }, body, actor }) => following(ctx, id, actor, addItem(ctx, id, body, actor)),
    json: (added) => added,
    next: ({ id: item }, { params: { id }, request }) => {
      if (request.entered?.add === ANOTHER) return `${itemAddress(id, 'new')}?done=added`;
      return lacksCandidates(ctx, id, item)
        ? `${itemAddress(id, item)}/nominations?done=added`
        : onAgenda(id, item, 'added');
    },
  });

  act(app, ctx, {
    both: 'PATCH /admin/meetings/:id/items/:item',
    summary: 'Change an item of the agenda',
    params: ofItem,
    body: ItemPatch,
    fromForm: (sent) => readQuestion(ITEM.readForm(sent)),
    refused: (request, refused) => renderItem(ctx, request, request.params, refused),
    run: ({ params: { id, item }, body, actor }) =>
      following(ctx, id, actor, updateItem(ctx, id, item, body, actor)),
    json: (_, { params: { id, item } }) => ({ item: itemJson(getItem(ctx.db, item, id)) }),
    next: (_, { params: { id, item } }) => onAgenda(id, item, 'saved'),
  });

  act(app, ctx, {
    both: 'DELETE /admin/meetings/:id/items/:item',
    summary: 'Take an item off the agenda',
    params: ofItem,
    refused: (request, refused) => renderItem(ctx, request, request.params, refused),
    run: ({ params: { id, item }, actor }) => following(ctx, id, actor, deleteItem(ctx, id, item, actor)),
    json: () => ({ success: true }),
    next: (_, { params: { id } }) => meetingSectionPath(id, 'agenda', '?done=removed'),
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
    next: (_, { params: { id, item } }) => onAgenda(id, item, 'moved'),
  });
}

/** The address of an item on the page of the agenda that it is on. @param done the key of a notice */
export const itemOnAgenda = ({ db }: Context, id: string, item: string, done: string): string =>
  itemPath(
    id,
    item,
    Math.max(
      0,
      listItems(db, id).findIndex((one) => one.id === item),
    ),
    done,
  );

/** Whether it is an election that nobody stands for, in a meeting before which candidates can be called for. */
function lacksCandidates({ db }: Context, id: string, itemId: string): boolean {
  const item = getItem(db, itemId, id);
  return (
    item.kind === 'election' &&
    getMeeting(db, id).state === 'prepared' &&
    shownCandidates(db, item).length === 0
  );
}

/** The form for another item, new or refused. @param added whether one was just added by it @throws 404 */
function renderNewItem(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { added = false, refused }: { added?: boolean; refused?: RefusedForm },
): Html {
  return newItemPage({
    meeting: meetingJson(getMeeting(ctx.db, id)),
    items: added ? listItems(ctx.db, id).length : undefined,
    joinable: listJoinable(ctx.db, ctx.now()).map(({ id: value, title: label }) => ({ value, label })),
    refused,
    viewer: request.viewer,
  });
}

/** The form that changes an item, new or refused. @throws 404 */
function renderItem(
  ctx: Context,
  request: FastifyRequest,
  { id, item }: z.output<typeof ofItem>,
  refused?: RefusedForm,
): Html {
  const meeting = meetingJson(getMeeting(ctx.db, id));
  return itemPage({
    meeting,
    item: itemJson(getItem(ctx.db, item, id)),
    mayWrite: meeting.state !== 'closed',
    refused,
    viewer: request.viewer,
  });
}
