import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart, commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { StaffItem, StaffMenu, StaffTap } from '#pub/menu/staff.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { actButton, part } from './parts.ts';
import { clock, type Moment } from './words.ts';

/** So many items are listed without a search. */
const LISTED = 12;

/** What can be had: one row a tap, and the rest of the list below. */
export function menuPart(menu: StaffMenu, q: string, moment: Moment): Html {
  const free = firstFree(menu.taps);
  return part({
    id: 'menu',
    title: t('pub-staff.menu.taps'),
    state: html`<p>${tapsInWords(menu.taps)}</p>`,
    controls: html`<ul class="menu-rows" role="list">${menu.taps.map((tap) => tapRow(tap, moment))}</ul>
${free !== undefined && html`<p><a class="button button-quiet" href="/admin/pub/taps/${free}">${t('pub-staff.menu.new_tap')}</a></p>`}
${menu.items.length > 0 && itemList(menu.items, q, moment)}`,
  });
}

const firstFree = (taps: readonly StaffTap[]): number | undefined =>
  Array.from({ length: 60 }, (_, index) => index + 1).find((number) =>
    taps.every(({ tap }) => tap !== number),
  );

const WORDS = {
  last: t('pub-staff.menu.tap_last'),
  out: t('pub-staff.menu.tap_empty'),
  cleaning: t('pub-staff.menu.tap_cleaning'),
} as const;

/** What a person behind the bar has to know: `Tap 4 last, tap 9 empty.` */
function tapsInWords(taps: readonly StaffTap[]): Words {
  if (taps.length === 0) return t('pub-staff.menu.tap_set_up_yet');
  const said = taps.flatMap(({ tap, item, item_id, state }) => {
    if (item_id === null) return [t('pub-staff.menu.tap_without_drink', { tap })];
    if (item === null) return [t('pub-staff.menu.tap_with_unpublished', { tap })];
    return state === 'on'
      ? []
      : [t('pub-staff.menu.tap_state', { tap, state: state === 'cleaning' ? 'other' : state })];
  });
  if (said.length === 0) return t('pub-staff.menu.all_taps', { taps: taps.length });
  return t('pub-staff.menu.taps_said', { taps: atLineStart(commas(said)!) });
}

function tapRow(row: StaffTap, moment: Moment): Html {
  const { tap, label, item, item_id, next, next_item_id, state } = row;
  const action = `/admin/pub/taps/${tap}`;
  const about = t('pub-staff.menu.tap_about', { tap });
  const name = item ?? (item_id === null ? t('pub-staff.menu.drink') : t('pub-staff.menu.drink_published'));
  const to = (name: string, value: 'last' | 'out', words: Words, back: Words) =>
    actButton(
      {
        id: `do-${name}-tap-${tap}`,
        action,
        name: 'state',
        value: state === value ? 'on' : value,
        label: state === value ? back : words,
        about,
        look: 'button-quiet',
        disabled: item_id === null,
      },
      moment,
    );
  const swapId = `do-swap-tap-${tap}`;
  const swap =
    next_item_id === null && !moment.undo.has(swapId)
      ? html`<a class="button button-quiet" id="${swapId}" href="${action}">${t('pub-staff.menu.swap_this', { hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`, about })}</a>`
      : actButton(
          {
            id: swapId,
            action: `${action}/swap`,
            label: t('pub-staff.menu.swap'),
            about,
            look: 'button-quiet',
          },
          moment,
        );
  const said = [
    state !== 'on' && item_id !== null && html`<strong>${WORDS[state]}</strong>`,
    label,
    next !== null && t('pub-staff.menu.next', { next: html`<span translate="no">${next}</span>` }),
  ].filter(Boolean);
  return html`<li><p class="menu-name"><a href="${action}"><span class="menu-tap">${tap}</span><span translate="no">${name}</span></a>
<span class="soft">${said.map((one) => html`· ${one} `)}</span></p>
<form class="menu-buttons" method="post" action="${action}" data-quiet>${hiddenInputs({
    seen_state: state,
    seen_item: item_id ?? '',
  })}${to('last', 'last', t('pub-staff.menu.last'), t('pub-staff.menu.not_last'))}${to('out', 'out', t('pub-staff.menu.sold_out'), t('pub-staff.menu.again'))}${swap}</form></li>\n`;
}

const STATE_WORDS = { last: t('pub-staff.menu.last'), out: t('pub-staff.menu.sold_out') } as const;

/** The rest of the list: what is not on comes first; the others are found by a search if they are many. */
function itemList(items: readonly StaffItem[], q: string, moment: Moment): Html {
  const words = q.trim().toLowerCase();
  const inSection = items.filter(({ section }) => section.toLowerCase() === words);
  const isUndoable = ({ id }: StaffItem) =>
    ['last', 'out'].some((one) => moment.undo.has(`do-${one}-item-${id}`));
  const found =
    inSection.length > 0
      ? inSection
      : words !== ''
        ? items.filter(({ name, section }) => `${name} ${section}`.toLowerCase().includes(words))
        : items.length <= LISTED
          ? items
          : items.filter((item) => item.state !== 'on' || isUndoable(item));
  const out = items.filter(({ state }) => state === 'out').length;
  const search = html`<form class="menu-search" method="get" action="/admin/pub#menu-items" role="search">
<label for="menu-q">${t('pub-staff.menu.search_food_bottles')}</label>
<span><input class="input" type="search" id="menu-q" name="q" value="${q}" maxlength="60"> <button class="button button-quiet">${t('pub-staff.menu.search')}</button></span></form>`;
  const left = items.length - found.length;
  const sections = Map.groupBy(items, ({ section }) => section);
  return html`<h3 id="menu-items">${t('pub-staff.menu.food_bottles')}</h3>
<p class="small soft">${out === 0 ? t('pub-staff.menu.nothing_sold_out') : t('pub-staff.menu.sold_out_count', { out })}</p>
${items.length > LISTED && search}<ul class="menu-rows" role="list">${found.map((item) => itemRow(item, q, moment))}</ul>
${
  left > 0 &&
  html`<nav class="filter-links" aria-label="${t('pub-staff.menu.sections_food_bottles')}"><ul role="list">${
    words !== '' && html`<li><a href="/admin/pub#menu-items">${t('pub-staff.menu.all_sections')}</a></li>`
  }${[...sections].map(
    ([title, { length }]) =>
      html`<li><a href="/admin/pub?q=${encodeURIComponent(title)}#menu-items"${title.toLowerCase() === words && html` aria-current="true"`}>${title} <span class="soft">${length}</span></a></li>`,
  )}</ul></nav>`
}`;
}

function itemRow({ id, name, section, state, until }: StaffItem, q: string, moment: Moment): Html {
  const action = `/admin/pub/menu/${id}`;
  const to = (value: 'last' | 'out', words: Words, back: Words) =>
    actButton(
      {
        id: `do-${value}-item-${id}`,
        action,
        name: 'state',
        value: state === value ? 'on' : value,
        label: state === value ? back : words,
        about: name,
        look: 'button-quiet',
      },
      moment,
    );
  const back =
    state !== 'on' &&
    (until === null
      ? t('pub-staff.menu.until_somebody_says_so')
      : t('pub-staff.menu.until_time', { time: clock(until, moment) }));
  return html`<li class="stock-row"><p class="menu-name"><span translate="no">${name}</span>
<span class="small soft">${section}${state !== 'on' && html` · <strong>${STATE_WORDS[state]}</strong>, ${back}`}</span></p>
<form class="menu-buttons" method="post" action="${action}" data-quiet>${hiddenInputs({ seen: state, q })}${to(
    'last',
    t('pub-staff.menu.last'),
    t('pub-staff.menu.not_last'),
  )}${to('out', t('pub-staff.menu.sold_out'), t('pub-staff.menu.back'))}</form>
${
  state !== 'on' &&
  disclosure(
    t('pub-staff.menu.back_another_day'),
    html`<form method="post" action="${action}?at=do-${state}-item-${id}">${hiddenInputs({ seen: state, state })}
<p class="menu-until"><label for="until-${id}">${t('pub-staff.menu.on')}</label> <input class="input" type="date" id="until-${id}" name="until" required> <button class="button button-quiet">${t('pub-staff.menu.save')}</button></p></form>${
      until !== null &&
      html`
<form method="post" action="${action}?at=do-${state}-item-${id}">${hiddenInputs({ seen: state, state, open_ended: 'true' })}<button class="button button-quiet">${t('pub-staff.menu.once_somebody_says')}</button></form>`
    }`,
  )
}</li>\n`;
}
