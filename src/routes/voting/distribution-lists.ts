import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, answerDone, isForm, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { hasAddressPart, namedAddress, readAddressList } from '#kernel/mail/addresses.ts';
import { ownValue } from '#kernel/own-value.ts';
import { distributionListPage } from '#views/voting/admin/invitations/distribution-list.ts';
import { distributionListsPage } from '#views/voting/admin/invitations/distribution-lists.ts';
import {
  type AddedAddresses,
  AddressesInput,
  addAddresses,
  createDistributionList,
  deleteDistributionList,
  getDistributionList,
  ListInput,
  ListPatch,
  listDistributionLists,
  removeAddress,
  updateDistributionList,
} from '#voting/invitations/distribution-lists.ts';

const params = z.object({ id: Id });
const done = z.string().max(40).optional();
const ListQuery = z.object({
  q: z.string().trim().max(254).optional(),
  page: wholeNumber(1, 1_000_000).optional(),
  ask: z.string().max(20).optional(),
  done,
});
/** Lists with at least this many addresses offer a search. */
const SEARCHED_FROM = 20;
const PAGE_SIZE = 200;

const DONE: Record<string, string> = {
  created: 'The list was made. Add its addresses.',
  changed: 'The list was changed.',
  removed: 'The address was removed.',
  deleted: 'The list was deleted.',
};

/** Distribution lists: JSON for scripts, an editor for officers. */
export function distributionLists(app: App, { ctx }: { ctx: Context }): void {
  const refusedOnLists = (request: FastifyRequest, { errors, entered }: RefusedForm) => {
    const lists = listDistributionLists(ctx.db);
    return distributionListsPage({ lists, entered, errors, viewer: request.viewer });
  };
  const refusedOnList =
    (form: 'change' | 'add' | 'delete') =>
    (request: FastifyRequest, { message, errors, entered }: RefusedForm) => {
      const { id = '' } = request.params as { id?: string };
      const ask = form === 'delete' ? 'delete' : undefined;
      return listPage(ctx, request, id, { problem: { form, message, errors, entered }, ask });
    };

  app.get(
    '/admin/distribution-lists',
    { schema: { querystring: z.object({ done }) } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const lists = listDistributionLists(ctx.db);
      if (!wantsHtml(request)) return { distribution_lists: lists };
      const sentence = ownValue(DONE, request.query.done);
      return sendHtml(reply, distributionListsPage({ lists, done: sentence, viewer: request.viewer }));
    },
  );

  app.get(
    '/admin/distribution-lists/:id',
    { config: { json: 'preferred' }, schema: { params, querystring: ListQuery } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const list = getDistributionList(ctx.db, request.params.id);
      if (!wantsHtml(request)) return { distribution_list: list };
      return sendHtml(reply, listPage(ctx, request, list.id, request.query));
    },
  );

  app.post(
    '/admin/distribution-lists',
    { config: { refused: refusedOnLists }, schema: { body: ListInput } },
    async (request, reply) => {
      const id = await createDistributionList(ctx, request.body, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { id, message: 'Distribution list created' },
        `/admin/distribution-lists/${id}?done=created`,
      );
    },
  );

  app.put(
    '/admin/distribution-lists/:id',
    { config: { refused: refusedOnList('change') }, schema: { params, body: ListPatch } },
    async (request, reply) => {
      const { id } = request.params;
      await updateDistributionList(ctx, id, request.body, actorOf(request, ctx.now));
      const { name, description } = getDistributionList(ctx.db, id);
      return answerDone(
        request,
        reply,
        { success: true, id, name, description },
        `/admin/distribution-lists/${id}?done=changed`,
      );
    },
  );

  app.delete(
    '/admin/distribution-lists/:id',
    {
      config: { refused: refusedOnList('delete') },
      schema: { params, body: z.object({ confirm: z.string().trim().optional() }) },
    },
    async (request, reply) => {
      const { id, name, count } = getDistributionList(ctx.db, request.params.id);
      if (
        isForm(request) &&
        count > 0 &&
        request.body.confirm !== undefined &&
        request.body.confirm !== name
      ) {
        throw badField('confirm', 'type the name exactly as it is shown');
      }
      await deleteDistributionList(ctx, id, actorOf(request, ctx.now));
      return answerDone(request, reply, { success: true }, '/admin/distribution-lists?done=deleted');
    },
  );

  app.post(
    '/admin/distribution-lists/:id/emails',
    {
      config: { refused: refusedOnList('add') },
      schema: { params, body: AddressesInput },
      // A form sends pasted text in any format; a script sends a list of addresses.
      preValidation: async (request) => {
        const fields = request.entered;
        if (typeof fields?.emails !== 'string') return;
        const rows = readAddressList(fields.emails);
        request.body = {
          emails: rows.map(({ email, name, input }) => (email ? namedAddress(email, name) : input)),
        } as never;
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const report = await addAddresses(ctx, id, request.body.emails, actorOf(request, ctx.now));
      if (!wantsHtml(request)) return { ...report, invalid: report.invalid.map(({ email }) => email) };
      return sendHtml(reply, listPage(ctx, request, id, { report }));
    },
  );

  app.delete(
    '/admin/distribution-lists/:id/emails/:emailId',
    { config: { refused: refusedOnList('change') }, schema: { params: params.extend({ emailId: Id }) } },
    async (request, reply) => {
      const { id, emailId } = request.params;
      await removeAddress(ctx, id, emailId, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { success: true },
        `/admin/distribution-lists/${id}?done=removed#addresses`,
      );
    },
  );
}

type Problem = NonNullable<Parameters<typeof distributionListPage>[0]['problem']>;

interface Shown {
  q?: string | undefined;
  page?: number | undefined;
  ask?: string | undefined;
  done?: string | undefined;
  report?: AddedAddresses;
  problem?: Problem;
}

function listPage(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { q = '', page = 1, ask, done, report, problem }: Shown,
) {
  const list = getDistributionList(ctx.db, id);
  const words = q.toLowerCase();
  const matching = list.emails.filter(
    ({ email, name = '' }) => hasAddressPart(email, words) || name.toLowerCase().includes(words),
  );
  const last = Math.max(1, Math.ceil(matching.length / PAGE_SIZE));
  const shown = Math.min(page, last);
  return distributionListPage({
    list,
    emails: matching.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE),
    page: shown,
    pageSize: PAGE_SIZE,
    search: list.count >= SEARCHED_FROM || q ? q : undefined,
    found: matching.length,
    report,
    ask: ask === 'delete',
    problem,
    done: ownValue(DONE, done),
    viewer: request.viewer,
  });
}
