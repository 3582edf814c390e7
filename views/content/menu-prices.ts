import type { ItemPrices } from '#content/menu-prices.ts';
import { sizeText } from '#content/volumes.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { typedPrice } from '#kernel/money.ts';
import type { VolumeUnit } from '#kernel/settings/menu.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, refusedNotice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage, mayWrite } from './frame.ts';

type PriceName = 'price' | 'member_price';

/** All sizes with their prices: a row for each drink or dish, and one button that saves them. */
export function pricesPage(
  props: ContentPageProps & {
    items: readonly ItemPrices[];
    currency: string;
    unit: VolumeUnit;
    columns: number;
    columnNames: Record<PriceName, string>;
    refused?: RefusedForm | undefined;
    done?: Words | undefined;
  },
): Html {
  const { items, currency, unit, columns, columnNames, refused, done } = props;
  const entered = refused?.entered ?? {};
  const names: PriceName[] = columns === 2 ? ['price', 'member_price'] : ['price'];
  const fields = items.map((item) => ({
    ...item,
    fields: item.sizes.flatMap((size, index) =>
      names.map((name) => ({
        name: `${item.id}.${index}.${name}`,
        label:
          commas([sizeText(size, unit), columns === 2 && columnNames[name]]) ??
          t('content-admin.prices.price'),
        price: typedPrice(size[name]),
      })),
    ),
  }));
  const labels = Object.fromEntries(
    fields.flatMap((item) =>
      item.fields.map(({ name, label }) => [
        name,
        t('content-admin.prices.of_item', { name: item.name, label }),
      ]),
    ),
  );
  const input = (of: string, { name, label, price }: (typeof fields)[number]['fields'][number]) => {
    const error = errorAt(refused?.errors ?? [], name);
    const value = enteredText(entered, name, price);
    const isOlder = refused?.status === 409 && value !== price;
    const note = error
      ? html`<p class="error-text" id="${name}-note">${error}</p>`
      : isOlder &&
        html`<p class="hint" id="${name}-note">${price ? t('content-admin.prices.now', { price }) : t('content-admin.prices.now_ask')}</p>`;
    return html`<div class="menu-price"><label for="${name}"><span class="visually-hidden">${of}, </span>${label}</label>${note}
<input class="input" id="${name}" name="${name}" value="${value}" inputmode="decimal" autocomplete="off" maxlength="20"${
      note && html` aria-describedby="${name}-note"`
    }${error && html` aria-invalid="true"`}></div>`;
  };
  const sections = [...Map.groupBy(fields, ({ section }) => section)];
  const versions = Object.fromEntries(
    items.map(({ id, version }) => [`${id}.version`, enteredText(entered, `${id}.version`, String(version))]),
  );
  const title = t('content-admin.prices.prices');
  const body = html`${pageHeader({
    title,
    crumbs: [
      CONTENT_CRUMB,
      { href: '/admin/content/menu_item', label: t('content-admin.prices.drinks_food') },
    ],
    lede: t('content-admin.prices.tax_service_empty_price_shown', { currency }),
  })}${doneNotice(done)}${refusedNotice(refused, labels, undefined, 'saved')}
${
  items.length === 0
    ? empty(t('content-admin.prices.nothing_price_yet'), t('content-admin.prices.add_size_drink_here'))
    : html`${
        sections.length > 1 &&
        html`<nav class="filter-links" aria-label="${t('content-admin.prices.sections')}"><ul role="list">${sections.map(
          ([section], index) => html`<li><a href="#s-${index}">${section}</a></li>`,
        )}</ul></nav>`
      }<form method="post" action="/admin/content/prices">${hiddenInputs(versions)}
<fieldset class="content-read"${!mayWrite(props) && html` disabled`}><legend class="visually-hidden">${t('content-admin.prices.prices')}</legend>${sections.map(
        ([section, some], index) => html`<h2 id="s-${index}">${section}</h2>
<ul class="menu-price-rows" role="list">${some.map(
          (item) =>
            html`<li><p class="menu-price-item"><span translate="no">${item.name}</span>${item.isDraft && html` ${badge(t('content-admin.prices.draft'), 'scheduled')}`}</p><div class="menu-price-sizes">${item.fields.map((one) => input(item.name, one))}</div></li>\n`,
        )}</ul>`,
      )}
${mayWrite(props) && html`<p class="actions menu-save"><button class="button">${t('content-admin.prices.save_publish')}</button></p>`}</fieldset></form>`
}`;
  return contentPage(title, body, props);
}
