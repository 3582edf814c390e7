import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, isForm, type RefusedForm, roomFor, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { hasAddressPart, namedAddress, readAddressList } from '#kernel/mail-addresses.ts';
import { ownValue } from '#kernel/own-value.ts';
import { distributionListPage } from '#views/voting/admin/invitations/distribution-list.ts';
import { distributionListsPage } from '#views/voting/admin/invitations/distribution-lists.ts';
import {
  ADDRESSES_PER_LIST,
  type AddedAddresses,
  AddressesInput,
  addAddresses,
  createDistributionList,
  deleteDistributionList,
  getDistributionList,
  LIST,
  listDistributionLists,
  removeAddress,
  updateDistributionList,
} from '#voting/invitations/distribution-lists.ts';

const params = z.object({ id: Id });
/** Room for a full list in any encoding: 100 characters are twice the usual name with its address. */
const LONG_LIST = roomFor(100 * ADDRESSES_PER_LIST);
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

const DONE: Record<string, Words> = {
  created: t('voting-admin.distribution_lists.list_made_add_addresses'),
  changed: t('voting-admin.distribution_lists.list_changed'),
  removed: t('voting-admin.distribution_lists.address_removed'),
  deleted: t('voting-admin.distribution_lists.list_deleted'),
};

/** Distribution lists: JSON for scripts, an editor for officers. */
export function distributionLists(app: App, { ctx }: { ctx: Context }): void {
  const refusedOnList = (form: 'change' | 'add' | 'delete') => ({
    refused: (request: FastifyRequest, { message, errors, entered }: RefusedForm) => {
      const { id = '' } = request.params as { id?: string };
      const ask = form === 'delete' ? 'delete' : undefined;
      return listPage(ctx, request, id, { problem: { form, message, errors, entered }, ask });
    },
    refusedStatuses: [400],
  });

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

  act(app, ctx, {
    both: 'POST /admin/distribution-lists',
    body: LIST.input,
    refused: (request, { errors, entered }) => {
      const lists = listDistributionLists(ctx.db);
      return distributionListsPage({ lists, entered, errors, viewer: request.viewer });
    },
    refusedStatuses: [400],
    run: ({ body, actor }) => createDistributionList(ctx, body, actor),
    json: (id) => ({ id, message: 'Distribution list created' }),
    next: (id) => `/admin/distribution-lists/${id}?done=created`,
  });

  act(app, ctx, {
    ...refusedOnList('change'),
    both: 'PUT /admin/distribution-lists/:id',
    params,
    body: LIST.patch,
    run: ({ params: { id }, body, actor }) => updateDistributionList(ctx, id, body, actor),
    json: (_, { params: { id } }) => {
      const { name, description } = getDistributionList(ctx.db, id);
      return { success: true, id, name, description };
    },
    next: (_, { params: { id } }) => `/admin/distribution-lists/${id}?done=changed`,
  });

  act(app, ctx, {
    ...refusedOnList('delete'),
    both: 'DELETE /admin/distribution-lists/:id',
    params,
    body: z.object({ confirm: z.string().trim().optional() }),
    run: async ({ params: { id }, body: { confirm }, actor, request }) => {
      const { name, count } = getDistributionList(ctx.db, id);
      if (isForm(request) && count > 0 && confirm !== undefined && confirm !== name)
        throw badField('confirm', 'list_name_not_typed');
      await deleteDistributionList(ctx, id, actor);
    },
    json: () => ({ success: true }),
    next: '/admin/distribution-lists?done=deleted',
  });

  act(app, ctx, {
    ...refusedOnList('add'),
    both: 'POST /admin/distribution-lists/:id/emails',
    bodyLimit: LONG_LIST,
    params,
    body: AddressesInput,
    // A form sends pasted text in any format; a script sends a list of addresses.
    fromForm: ({ emails }) => ({
      emails:
        typeof emails === 'string'
          ? readAddressList(emails).map(({ email, name, input }) =>
              email ? namedAddress(email, name) : input,
            )
          : emails,
    }),
    run: ({ params: { id }, body: { emails }, actor }) => addAddresses(ctx, id, emails, actor),
    json: (report) => ({ ...report, invalid: report.invalid.map(({ email }) => email) }),
    next: (report, { params: { id }, request }) => listPage(ctx, request, id, { report }),
  });

  act(app, ctx, {
    ...refusedOnList('change'),
    both: 'DELETE /admin/distribution-lists/:id/emails/:emailId',
    params: z.object({ id: Id, emailId: Id }),
    run: ({ params: { id, emailId }, actor }) => removeAddress(ctx, id, emailId, actor),
    json: () => ({ success: true }),
    next: (_, { params: { id } }) => `/admin/distribution-lists/${id}?done=removed#addresses`,
  });
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
