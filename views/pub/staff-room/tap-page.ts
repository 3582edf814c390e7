import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { StaffMenu } from '#pub/menu/staff.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { type Refusal, refusalSentence } from '#views/pub/refusal.ts';
import { staffPage } from '#views/pub/staff-frame.ts';

/** One tap: which drink it gets, what comes next, its label. */
export function tapPage(props: {
  identity: Identity | undefined;
  tap: number;
  menu: StaffMenu | null;
  refused?: Refusal | undefined;
}): Html {
  const { identity, tap, menu, refused } = props;
  const title = `Tap ${tap}`;
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
  const to = (state: string, words: string) =>
    html`<form method="post" action="${action}${at}">${hiddenInputs({ ...seen, state })}<button class="button button-quiet">${words}</button></form>`;
  const body = html`${pageHeader({
    title,
    crumbs: [{ href: '/admin/pub#menu', label: 'Tonight' }],
    lede: row?.item ? `It has ${row.item}.` : 'It has no drink.',
  })}${refused && notice('danger', refusalSentence(refused, { item_id: 'The drink', label: 'The label' }), 'Nothing was changed')}
<section class="panel" aria-labelledby="swap"><h2 id="swap">Which drink does it get?</h2>
${
  drinks.length === 0
    ? html`<p>No drink can be chosen yet. <a href="/admin/content/menu_section">Tick “On tap” at a section</a>, and publish its drinks.</p>`
    : html`<div class="menu-choices">${drinks.filter(({ id }) => id !== row?.item_id).map(({ id, name }) => choose(id, name))}</div>`
}</section>
${
  row &&
  html`<section class="panel" aria-labelledby="keg"><h2 id="keg">The same drink</h2><div class="menu-choices">
${to('on', 'New keg of the same')}${row.state === 'cleaning' ? to('on', 'Cleaned') : to('cleaning', 'Being cleaned')}</div></section>
<section class="panel" aria-labelledby="set-up"><h2 id="set-up">Next, and label</h2>
<form method="post" action="${action}">${selectField({
    name: 'next_item_id',
    label: 'Next',
    options: [
      { value: '', label: 'Not decided' },
      ...drinks.map(({ id, name }) => ({ value: id, label: name })),
    ],
    value: row.next_item_id ?? '',
  })}
${field({ name: 'label', label: 'Label', optional: true, hint: 'Such as Upstairs', value: row.label, maxlength: 20, autocomplete: 'off' })}
<p class="actions"><button class="button">Save</button></p></form></section>
${disclosure(
  'Take this tap away',
  html`<p>It is on no list any more. Its drink stays.</p><form method="post" action="${action}/remove"><button class="button button-danger-quiet">Take it away</button></form>`,
)}`
}`;
  return staffPage({ area: 'staff', title, body, nav: '/admin/pub', identity });
}
