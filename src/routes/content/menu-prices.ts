import type { FastifyRequest } from 'fastify';
import { typed } from '#content/forms/form.ts';
import { readTypedPrice } from '#content/forms/menu.ts';
import { changePrices, listPrices, PricesInput, priceNames, pricesIn } from '#content/menu-prices.ts';
import { sizeKey } from '#content/volumes.ts';
import type { Context } from '#kernel/context.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { badFields, type FieldError } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { currency, typedPrice } from '#kernel/money.ts';
import { ownValue } from '#kernel/own-value.ts';
import { volumeUnit } from '#kernel/settings/menu.ts';
import { pricesPage } from '#views/content/menu-prices.ts';

const DONE: Record<string, Words> = {
  saved: t('content-admin.prices.saved_published'),
  drafts: t('content-admin.prices.saved_what_draft_stays_until'),
  same: t('content-admin.prices.price_changed'),
};

/** All prices on one page: they change together. */
export function menuPrices(app: App, { ctx }: { ctx: Context }): void {
  const page = (request: FastifyRequest, more: { refused?: RefusedForm; done?: Words | undefined }) => {
    const { settings } = ctx.config;
    const names = priceNames(settings);
    return pricesPage({
      identity: request.identity,
      items: listPrices(ctx),
      currency: currency(),
      unit: volumeUnit(settings),
      columns: settings.price_columns,
      columnNames: { price: names.guests, member_price: names.members },
      ...more,
    });
  };
  /** After a conflict what was typed stands beside the prices of now, and can be saved. */
  const refusedPage = (request: FastifyRequest, refused: RefusedForm) => {
    if (refused.status !== 409) return page(request, { refused });
    const entered = Object.fromEntries(
      changedIn(ctx, refused.entered).map(({ id, place, name, text }) => [`${id}.${place}.${name}`, text]),
    );
    return page(request, { refused: { ...refused, entered } });
  };

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
    async (request, reply) => sendHtml(reply, page(request, { done: ownValue(DONE, request.query.done) })),
  );

  act(app, ctx, {
    api: 'PUT /api/admin/menu/prices',
    form: 'POST /admin/content/prices',
    summary: 'Change prices, all or none',
    permission: 'content:write',
    body: PricesInput,
    fromForm: (fields) => readPrices(ctx, fields),
    refused: refusedPage,
    run: ({ body, actor }) => changePrices(ctx, body, actor),
    json: (done) => ({ ok: true, ...done }),
    next: ({ changed, drafts }) =>
      `/admin/content/prices?done=${changed === 0 ? 'same' : drafts === changed ? 'drafts' : 'saved'}`,
  });
}

/** The fields of a form whose price is not the one that it was opened with. Items that were added since have none. */
function changedIn(ctx: Context, entered: Record<string, unknown>) {
  return listPrices(ctx).flatMap(({ id, version: present, sizes }) => {
    if (typed(entered, `${id}.version`) === '') return [];
    const version = Number(typed(entered, `${id}.version`));
    const seen = version === present ? sizes : pricesIn(ctx, id, version);
    return seen.flatMap((size, index) =>
      (['price', 'member_price'] as const).flatMap((name) => {
        const field = `${id}.${index}.${name}`;
        const text = typed(entered, field);
        if (!Object.hasOwn(entered, field) || text === typedPrice(size[name])) return [];
        const { label, volume_ml } = size;
        const place = sizes.findIndex((one) => sizeKey(one) === sizeKey(size));
        return { id, version, label, volume_ml, name, field, text, place };
      }),
    );
  });
}

function readPrices(ctx: Context, entered: Record<string, unknown>) {
  const problems: FieldError[] = [];
  const changed = Map.groupBy(changedIn(ctx, entered), ({ id }) => id);
  const items = [...changed].map(([id, fields]) => ({
    id,
    version: fields[0]?.version,
    sizes: [...Map.groupBy(fields, sizeKey).values()].map((some) => ({
      label: some[0]?.label,
      volume_ml: some[0]?.volume_ml,
      ...Object.fromEntries(some.map(({ name, field }) => [name, readTypedPrice(entered, field, problems)])),
    })),
  }));
  if (problems.length > 0) throw badFields(problems);
  return { items };
}
