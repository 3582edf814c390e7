import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type AppError, badField } from '#kernel/http/errors.ts';
import { type App, actorOf, answerDone, isForm, sendHtml, wantsHtml } from '#kernel/http/http.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { readAddressList } from '#kernel/mail/addresses.ts';
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
/** From here on a page offers to search. */
const SEARCHED_FROM = 20;
const PAGE_SIZE = 200;

const DONE: Record<string, string> = {
  created: 'The list was made. Add its addresses.',
  changed: 'The list was changed.',
  removed: 'The address was removed.',
  deleted: 'The list was deleted.',
};

/** Distribution lists: JSON for scripts, an editor for officers. */
export async function distributionLists(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/distribution-lists', { schema: { querystring: z.object({ done }) } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const lists = await listDistributionLists(ctx);
    if (!wantsHtml(request)) return { distribution_lists: lists };
    const sentence = ownValue(DONE, request.query.done);
    return sendHtml(reply, distributionListsPage({ lists, done: sentence, reader: request.reader }));
  });

  app.get(
    '/distribution-lists/:id',
    { schema: { params, querystring: ListQuery } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const list = await getDistributionList(ctx, request.params.id);
      if (!wantsHtml(request)) return { distribution_list: list };
      return sendHtml(reply, await listPage(ctx, request, list.id, request.query));
    },
  );

  app.post(
    '/distribution-lists',
    { config: { section: 'lists' }, schema: { body: ListInput } },
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
    '/distribution-lists/:id',
    { config: { section: 'list-change' }, schema: { params, body: ListPatch } },
    async (request, reply) => {
      const { id } = request.params;
      await updateDistributionList(ctx, id, request.body, actorOf(request, ctx.now));
      const { name, description } = await getDistributionList(ctx, id);
      return answerDone(
        request,
        reply,
        { success: true, id, name, description },
        `/admin/distribution-lists/${id}?done=changed`,
      );
    },
  );

  app.delete(
    '/distribution-lists/:id',
    {
      config: { section: 'list-delete' },
      schema: { params, body: z.object({ confirm: z.string().trim().optional() }) },
    },
    async (request, reply) => {
      const { id, name, count } = await getDistributionList(ctx, request.params.id);
      if (
        isForm(request) &&
        count > 0 &&
        request.body.confirm !== undefined &&
        request.body.confirm !== name
      ) {
        throw badField('confirm', 'type the name exactly as it stands');
      }
      await deleteDistributionList(ctx, id, actorOf(request, ctx.now));
      return answerDone(request, reply, { success: true }, '/admin/distribution-lists?done=deleted');
    },
  );

  app.post(
    '/distribution-lists/:id/emails',
    {
      config: { section: 'list-add' },
      schema: { params, body: AddressesInput },
      // An officer pastes whatever they have; a script sends a list of addresses.
      preValidation: async (request) => {
        const fields = request.entered;
        if (typeof fields?.emails !== 'string') return;
        const rows = readAddressList(fields.emails);
        request.body = { emails: rows.map(({ email, input }) => email ?? input) } as never;
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const report = await addAddresses(ctx, id, request.body.emails, actorOf(request, ctx.now));
      if (!wantsHtml(request)) return { ...report, invalid: report.invalid.map(({ email }) => email) };
      return sendHtml(reply, await listPage(ctx, request, id, { report }));
    },
  );

  app.delete(
    '/distribution-lists/:id/emails/:emailId',
    { config: { section: 'list-remove' }, schema: { params: params.extend({ emailId: Id }) } },
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

/** A refused form of these pages comes back with what was entered. */
export async function answerRefusedList(
  ctx: Context,
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { section = '' } = request.routeOptions.config;
  const entered = request.entered ?? {};
  const errors = error.errors ?? [];
  if (section === 'lists') {
    const lists = await listDistributionLists(ctx);
    return sendHtml(reply, distributionListsPage({ lists, entered, errors, reader: request.reader }), 400);
  }
  const form = section === 'list-add' ? 'add' : section === 'list-delete' ? 'delete' : 'change';
  const { id = '' } = request.params as { id?: string };
  const problem: Problem = { form, message: error.message, errors, entered };
  return sendHtml(
    reply,
    await listPage(ctx, request, id, { problem, ask: form === 'delete' ? 'delete' : undefined }),
    400,
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

async function listPage(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { q = '', page = 1, ask, done, report, problem }: Shown,
) {
  const list = await getDistributionList(ctx, id);
  const matching = list.emails.filter(({ email }) => email.includes(q.toLowerCase()));
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
    reader: request.reader,
  });
}
