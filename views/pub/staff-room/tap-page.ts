import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { StaffMenu } from '#pub/menu/staff.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import type { Refusal } from '#views/pub/refusal.ts';
import { staffPage } from '#views/pub/staff-frame.ts';

/** One tap: which drink it gets, what comes next, its label. */
export function tapPage(props: {
  identity: Identity | undefined;
  tap: number;
  menu: StaffMenu | null;
  refused?: Refusal | undefined;
}): Html {
  const { identity, tap, menu, refused } = props;
  const title = t('pub-staff.tap_page.tap', { tap });
  const row = menu?.taps.find((one) => one.tap === tap);
  const drinks = menu?.drinks ?? [];
  const action = `/admin/pub/taps/${tap}`;
  const seen = { seen_state: row?.state ?? 'on', seen_item: row?.item_id ?? '' };
  const at = `?at=do-swap-tap-${tap}`;
  const choose = (id: string, name: string) =>
    html`<form method="post" action="${action}${row ? '/swap' : ''}${at}">${hiddenInputs({
      ...seen,
      item_id: id,
    })}<button class="button button-quiet" translate="no">${name}</button></form>`;
  const to = (state: string, words: Words) =>
    html`<form method="post" action="${action}${at}">${hiddenInputs({ ...seen, state })}<button class="button button-quiet">${words}</button></form>`;
  const body = html`${pageHeader({
    title,
    crumbs: [{ href: '/admin/pub#menu', label: t('pub-staff.tap_page.tonight') }],
    lede: row?.item ? t('pub-staff.tap_page.it_has', { item: row.item }) : t('pub-staff.tap_page.no_drink'),
  })}${refused && notice('danger', refusalSentence(refused, { item_id: t('pub-staff.tap_page.drink'), label: t('pub-staff.tap_page.the_label') }), t('pub-staff.tap_page.nothing_changed'))}
<section class="panel" aria-labelledby="swap"><h2 id="swap">${t('pub-staff.tap_page.which_drink_get')}</h2>
${
  drinks.length === 0
    ? html`<p>${t('pub-staff.tap_page.drink_chosen_yet_tick_tap', { link: (inside) => html`<a href="/admin/content/menu_section">${inside}</a>` })}</p>`
    : html`<div class="menu-choices">${drinks.filter(({ id }) => id !== row?.item_id).map(({ id, name }) => choose(id, name))}</div>`
}</section>
${
  row &&
  html`<section class="panel" aria-labelledby="keg"><h2 id="keg">${t('pub-staff.tap_page.same_drink')}</h2><div class="menu-choices">
${to('on', t('pub-staff.tap_page.new_keg_same'))}${row.state === 'cleaning' ? to('on', t('pub-staff.tap_page.cleaned')) : to('cleaning', t('pub-staff.tap_page.being_cleaned'))}</div></section>
<section class="panel" aria-labelledby="set-up"><h2 id="set-up">${t('pub-staff.tap_page.next_label')}</h2>
<form method="post" action="${action}">${selectField({
    name: 'next_item_id',
    label: t('pub-staff.tap_page.next'),
    options: [
      { value: '', label: t('pub-staff.tap_page.decided') },
      ...drinks.map(({ id, name }) => ({ value: id, label: name })),
    ],
    value: row.next_item_id ?? '',
  })}
${field({ name: 'label', label: t('pub-staff.tap_page.label'), optional: true, hint: t('pub-staff.tap_page.such_upstairs'), value: row.label, maxlength: 20, autocomplete: 'off' })}
<p class="actions"><button class="button">${t('pub-staff.tap_page.save')}</button></p></form></section>
${disclosure(
  t('pub-staff.tap_page.take_tap_away'),
  html`<p>${t('pub-staff.tap_page.list_any_more_drink_stays')}</p><form method="post" action="${action}/remove"><button class="button button-danger-quiet">${t('pub-staff.tap_page.take_away')}</button></form>`,
)}`
}`;
  return staffPage({ area: 'staff', title, body, nav: '/admin/pub', identity });
}
