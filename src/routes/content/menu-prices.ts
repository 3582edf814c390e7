import type { FastifyRequest } from 'fastify';
import { typed } from '#content/forms/form.ts';
import { readTypedPrice } from '#content/forms/menu.ts';
import { changePrices, listPrices, PricesInput } from '#content/menu-prices.ts';
import type { Context } from '#kernel/context.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { badFields, type FieldError } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { currency } from '#kernel/money.ts';
import { pricesPage } from '#views/content/menu-prices.ts';

/** All prices on one page: they change together. */
export function menuPrices(app: App, { ctx }: { ctx: Context }): void {
  const page = (request: FastifyRequest, { refused, done }: { refused?: RefusedForm; done?: boolean }) =>
    pricesPage({
      identity: request.identity,
      items: listPrices(ctx),
      currency: currency(),
      columns: ctx.config.settings.price_columns,
      refused,
      done: done === true,
    });

  app.get(
    '/api/admin/menu/prices',
    { config: { permission: 'content:read' }, schema: { summary: 'All sizes with their prices' } },
    async () => ({ currency: currency(), items: listPrices(ctx) }),
  );

  app.get(
    '/admin/content/prices',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'All sizes with their prices', querystring: doneQuery },
    },
    async (request, reply) => sendHtml(reply, page(request, { done: request.query.done === 'saved' })),
  );

  act(app, ctx, {
    api: 'PUT /api/admin/menu/prices',
    form: 'POST /admin/content/prices',
    summary: 'Change prices, all or none',
    permission: 'content:write',
    body: PricesInput,
    fromForm: (fields) => readPrices(ctx, fields),
    refused: (request, refused) => page(request, { refused }),
    run: ({ body, actor }) => changePrices(ctx, body, actor),
    json: (done) => ({ ok: true, ...done }),
    next: '/admin/content/prices?done=saved',
  });
}

/** The prices of a form. Items that were added or taken away since it was opened are left as they are. */
function readPrices(ctx: Context, fields: Record<string, unknown>) {
  const problems: FieldError[] = [];
  const items = listPrices(ctx)
    .filter(({ id }) => typed(fields, `${id}.version`) !== '')
    .map(({ id, sizes }) => ({
      id,
      version: Number(typed(fields, `${id}.version`)),
      sizes: sizes.map(({ label }, index) => {
        const has = (name: string) => Object.hasOwn(fields, `${id}.${index}.${name}`);
        const read = (name: string) => readTypedPrice(fields, `${id}.${index}.${name}`, problems);
        return {
          label,
          ...(has('price') && { price: read('price') }),
          ...(has('member_price') && { member_price: read('member_price') }),
        };
      }),
    }));
  if (problems.length > 0) throw badFields(problems);
  return { items };
}
