import type { ItemPrices } from '#content/menu-prices.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { typedPrice } from '#kernel/money.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage, mayWrite, refusedNotice } from './frame.ts';

/** All sizes with their prices in one table, with one button that saves them. */
export function pricesPage(
  props: ContentPageProps & {
    items: readonly ItemPrices[];
    currency: string;
    columns: number;
    refused?: RefusedForm | undefined;
    done: boolean;
  },
): Html {
  const { items, currency, columns, refused, done } = props;
  const labels = Object.fromEntries(
    items.flatMap(({ id, name, sizes }) =>
      sizes.flatMap(({ label }, index) => [
        [`${id}.${index}.price`, `${name}, ${label}`],
        [`${id}.${index}.member_price`, `${name}, ${label}, members`],
      ]),
    ),
  );
  const input = (id: string, index: number, name: 'price' | 'member_price', price: number | null) => {
    const field = `${id}.${index}.${name}`;
    const error = errorAt(refused?.errors ?? [], field);
    const value = enteredText(refused?.entered ?? {}, field, typedPrice(price));
    return html`<input class="input menu-price" id="${field}" name="${field}" value="${value}" inputmode="decimal"
  autocomplete="off" maxlength="20" aria-label="${labels[field] ?? ''}"${error && html` aria-invalid="true" aria-describedby="${field}-error"`}>${
    error && html`<p class="error-text" id="${field}-error">${error}</p>`
  }`;
  };
  const rows = items.flatMap(({ id, name, section, isDraft, sizes }) =>
    sizes.map(({ label, price, member_price }, index) => [
      html`<span translate="no">${name}</span>${isDraft && html` ${badge('Draft', 'scheduled')}`}<span class="small soft menu-where">${section}</span>`,
      label,
      input(id, index, 'price', price),
      ...(columns === 2 ? [input(id, index, 'member_price', member_price)] : []),
    ]),
  );
  const versions = Object.fromEntries(
    items.map(({ id, version }) => [
      `${id}.version`,
      enteredText(refused?.entered ?? {}, `${id}.version`, String(version)),
    ]),
  );
  const title = 'Prices';
  const body = html`${pageHeader({
    title,
    crumbs: [CONTENT_CRUMB, { href: '/admin/content/menu_item', label: 'Drinks and food' }],
    lede: `In ${currency}, with tax and service. An empty price is shown as “ask”. Drafts stay drafts.`,
  })}${done && doneNotice('Saved and published.')}${refusedNotice(refused, labels, (path) => path)}
${
  rows.length === 0
    ? empty('Nothing has a price yet', 'Add a size to a drink, and it is here.')
    : html`<form method="post" action="/admin/content/prices">${hiddenInputs(versions)}
<fieldset class="content-read"${!mayWrite(props) && html` disabled`}><legend class="visually-hidden">Prices</legend>${table(
        {
          caption: 'Prices of all sizes',
          quietCaption: true,
          columns: [
            { label: 'What' },
            { label: 'Size' },
            { label: columns === 2 ? 'Guests' : 'Price' },
            ...(columns === 2 ? [{ label: 'Members' }] : []),
          ],
          rows,
        },
      )}
${mayWrite(props) && html`<p class="actions"><button class="button">Save and publish</button></p>`}</fieldset></form>`
}`;
  return contentPage(title, body, props, refused !== undefined);
}
