import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AT_A_MEETING } from '#kernel/access/guards.ts';
import type { Needed } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { conflict } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubName } from '#kernel/mail/message.ts';
import { ownValue } from '#kernel/own-value.ts';
import { countCards } from '#meetings/door/figures.ts';
import { getItem, type Item, itemJson, listItems } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { handOutPaper, PaperInput } from '#meetings/paper-count/handing-out.ts';
import {
  fillSheet,
  findChannels,
  findPaperAlarm,
  type PaperSheet,
  SheetInput,
  sheetOf,
} from '#meetings/paper-count/sheet.ts';
import { batchRows } from '#meetings/paper-count/shown.ts';
import { closeTimers } from '#meetings/room/timers.ts';
import { papersPage } from '#views/meetings/admin/paper-count/papers.ts';
import { printedBallotsPage } from '#views/meetings/admin/paper-count/printed-ballots.ts';
import { sheetPage } from '#views/meetings/admin/paper-count/sheet.ts';
import { electionJson, getElection } from '#voting/elections/elections.ts';

export const ofItem = z.object({ id: Id, item: Id });
type OfItem = z.output<typeof ofItem>;

const ITEM = '/admin/meetings/:id/items/:item';
const COPIES = 500;

/** Enough for the sheet of an item. */
const COUNTING = ['elections:read', 'meetings:count'] as const satisfies Needed;

const PrintQuery = z.object({
  size: z.enum(['a4', 'a5']).default('a4').catch('a4'),
  each: z.enum(['1', '2', '4']).default('1').catch('1'),
  copies: z.coerce.number().int().min(1).max(COPIES).default(1).catch(COPIES),
  /** Further items on the same paper. */
  items: z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().slice(0, 50))
    .default([])
    .catch([]),
});

/** `items`: the other items of the paper that was handed out, which are ticked for the next one. */
const PapersQuery = doneQuery.extend({ items: z.string().max(4_000).default('').catch('') });

const DONE: Readonly<Record<string, Words>> = {
  handed: t('meetings-admin.done.paper_count_handed'),
  sheet: t('meetings-admin.done.paper_count_sheet'),
  removed: t('meetings-admin.done.paper_count_removed'),
};

/** What may be seen of a sheet: what tellers found is shown to who certifies, from the announcement on to officers. */
function shownSheet(
  ctx: Context,
  item: Item,
  { granted }: Pick<FastifyRequest, 'granted'>,
): Partial<PaperSheet> & { handed_out: number } {
  const sheet = sheetOf(ctx.db, item);
  if (item.state === 'declared' || granted?.has('elections:certify')) return sheet;
  const { printed, handed_out, returned, in_box } = sheet;
  return { printed, handed_out, returned, in_box };
}

/** Papers of an item: handing them out, printing them, and their sheet. */
export function papers(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    `${ITEM}/papers`,
    { config: { permission: AT_A_MEETING }, schema: { params: ofItem, querystring: PapersQuery } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      await closeTimers(ctx);
      const item = getItem(ctx.db, request.params.item, request.params.id);
      if (wantsHtml(request))
        return sendHtml(
          reply,
          renderPapers(ctx, request, request.params, {
            done: ownValue(DONE, request.query.done),
            handed: request.query.items.split(',').filter(Boolean),
          }),
        );
      return { sheet: shownSheet(ctx, item, request), batches: batchRows(ctx.db, item.id) };
    },
  );

  app.get(
    `${ITEM}/sheet`,
    { config: { permission: COUNTING }, schema: { params: ofItem } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const { id, item: itemId } = request.params;
      const { title, held_at } = getMeeting(ctx.db, id);
      const item = getItem(ctx.db, itemId, id);
      const sheet = shownSheet(ctx, item, request);
      const isShown = sheet.valid !== undefined;
      const alarm = isShown ? findPaperAlarm(ctx.db, item) : undefined;
      const channels = isShown ? findChannels(ctx.db, item) : undefined;
      if (!wantsHtml(request)) return { sheet, ...(alarm && { alarm }), ...(channels && { channels }) };
      const when = formatWhen(held_at, ctx.config.TIME_ZONE);
      const { viewer } = request;
      return sendHtml(
        reply,
        sheetPage({ meeting: { id, title, when }, item, sheet, alarm, channels, viewer }),
      );
    },
  );

  app.get(
    `${ITEM}/printed`,
    { schema: { params: ofItem, querystring: PrintQuery } },
    async (request, reply) => {
      const { id, item: itemId } = request.params;
      const { size, each, copies, items } = request.query;
      const { title } = getMeeting(ctx.db, id);
      const item = getItem(ctx.db, itemId, id);
      const all = [item, ...items.filter((one) => one !== itemId).map((one) => getItem(ctx.db, one, id))];
      const questions = all.map(({ election_id, number }) => {
        if (election_id === null) throw conflict('item_without_question');
        return { ...electionJson(ctx, getElection(ctx.db, election_id)), number };
      });
      return sendHtml(
        reply,
        printedBallotsPage({
          club: clubName(ctx.config),
          meeting: { id, title },
          item,
          questions,
          copies,
          size,
          each: Number(each) as 1 | 2 | 4,
          viewer: request.viewer,
        }),
      );
    },
  );

  act(app, ctx, {
    both: `POST ${ITEM}/paper`,
    permission: 'meetings:door',
    summary: 'Hand out a paper ballot: the card dies for this question alone',
    params: ofItem,
    body: PaperInput,
    refused: (request, refused) => renderPapers(ctx, request, request.params, { refused, at: 'paper' }),
    run: ({ params: { id, item }, body, actor }) =>
      handOutPaper(ctx, { meetingId: id, itemId: item, actor }, body),
    json: (handed_out) => ({ ok: true, handed_out }),
    // Nothing about a card is in the address.
    next: (_, { params: { id, item }, body: { items = [] } }) =>
      `/admin/meetings/${id}/items/${item}/papers?done=handed${items.length > 0 ? `&items=${items.join(',')}` : ''}`,
  });
}

/** What was counted of the papers themselves. */
export function paperSheets(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: `PUT ${ITEM}/sheet`,
    summary: 'Fill in the reconciliation sheet of an item',
    params: ofItem,
    body: SheetInput,
    refused: (request, refused) => renderPapers(ctx, request, request.params, { refused, at: 'sheet' }),
    run: ({ params: { id, item }, body, actor }) =>
      fillSheet(ctx, { meetingId: id, itemId: item, actor }, body),
    json: (_, { params: { id, item }, request }) => ({
      sheet: shownSheet(ctx, getItem(ctx.db, item, id), request),
    }),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}/items/${item}/papers?done=sheet#sheet`,
  });
}

interface OnPapers {
  done?: Words | string | undefined;
  /** Other items of the paper that was handed out. */
  handed?: readonly string[] | undefined;
  refused?: RefusedForm;
  at?: 'paper' | 'sheet' | 'batch';
}

/** The page about the papers of an item. @throws 404 */
export function renderPapers(
  ctx: Context,
  request: FastifyRequest,
  { id, item: itemId }: OfItem,
  { done, handed = [], refused, at }: OnPapers,
): Html {
  const meeting = getMeeting(ctx.db, id);
  const item = getItem(ctx.db, itemId, id);
  const isShown = item.state === 'declared' || request.granted?.has('elections:certify');
  return papersPage({
    meeting: { id, title: meeting.title },
    item: itemJson(item),
    hasCards: Object.values(countCards(ctx.db, meeting)).some(({ printed }) => printed > 0),
    sheet: shownSheet(ctx, item, request),
    alarm: isShown ? findPaperAlarm(ctx.db, item) : undefined,
    others: listItems(ctx.db, id).filter(
      (one) => one.id !== itemId && one.election_id !== null && one.counted === null,
    ),
    batches: batchRows(ctx.db, itemId),
    handed: at === 'paper' ? [refused?.entered.items ?? []].flat().map(String) : handed,
    done,
    refused: refused && at ? { ...refused, at } : undefined,
    viewer: request.viewer,
  });
}
