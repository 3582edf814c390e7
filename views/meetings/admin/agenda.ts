import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { CandidateCount } from '#meetings/nominations/candidates.ts';
import { type Entered, enteredText, errorAt } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { disclosure, plainText } from '#views/components/structure.ts';
import { itemBadge, KIND_WORDS } from '../words.ts';

export const ITEM_LABELS: Readonly<Record<string, string>> = {
  kind: 'Kind',
  title: 'Title',
  text: 'Text',
  mover: 'Proposed by',
  classes: 'Who votes',
};

/** A form on the agenda that was refused. */
export interface RefusedItem {
  entered: Entered;
  errors: readonly FieldError[];
}

/** An item with what its call for candidates has brought. */
export type AgendaItem = ItemJson & { nominations?: Pick<CandidateCount, 'seats' | 'accepted' | 'too_few'> };

/** The agenda with the forms that change it. */
export function agendaList({
  meetingId,
  classes,
  items,
  mayWrite,
  refused,
}: {
  meetingId: string;
  classes: readonly string[];
  items: readonly AgendaItem[];
  mayWrite: boolean;
  /** The refused form of an item, by the item's id. */
  refused?: (RefusedItem & { item: string }) | undefined;
}): Html {
  if (items.length === 0) return html`<p class="soft">The agenda is empty.</p>`;
  const path = (item: AgendaItem) => `/admin/meetings/${meetingId}/items/${item.id}`;
  return html`<ol class="agenda">${items.map((item, index) => {
    const own = refused?.item === item.id ? refused : undefined;
    return html`<li class="card" id="item-${item.id}">
<p class="eyebrow">${KIND_WORDS[item.kind]} ${itemBadge(item)}</p><h3>${index + 1}. ${item.title}</h3>
${item.text && plainText(item.text)}
${item.mover && html`<p class="small soft">Proposed by ${item.mover}</p>`}
${item.classes && html`<p class="small soft">Votes: ${listed(item.classes)}</p>`}
${
  item.kind === 'election' &&
  html`<p><a class="link-alone" href="${path(item)}/nominations">${
    item.nominations ? 'Nominations' : 'Call for candidates'
  }<span class="visually-hidden">: ${item.title}</span></a>${
    item.nominations &&
    html` <span class="small soft">${
      item.nominations.too_few
        ? `Too few: ${item.nominations.accepted} for ${counted(item.nominations.seats, 'seat')}. Extend it there.`
        : `${counted(item.nominations.accepted, 'candidate')} for ${counted(item.nominations.seats, 'seat')}`
    }</span>`
  }</p>`
}
${
  mayWrite &&
  html`<div class="toolbar agenda-acts"><form method="post" action="${path(item)}/move">
<button class="button button-quiet button-small" name="direction" value="up"${index === 0 && html` disabled`}>${icon(
    'up',
  )}<span>Up<span class="visually-hidden">: ${item.title}</span></span></button>
<button class="button button-quiet button-small" name="direction" value="down"${
    index === items.length - 1 && html` disabled`
  }>${icon('down')}<span>Down<span class="visually-hidden">: ${item.title}</span></span></button></form></div>
${
  item.state === 'prepared' &&
  disclosure(
    html`Change<span class="visually-hidden"> ${item.title}</span>`,
    html`<form method="post" action="${path(item)}?_method=PATCH">
${itemFields({ id: item.id, kind: item.kind, classes, entered: own?.entered ?? { ...item }, errors: own?.errors ?? [] })}
<div class="actions"><button class="button">Save</button></div></form>
<form method="post" action="${path(item)}?_method=DELETE"><button class="button button-danger button-small">Take it off the
agenda<span class="visually-hidden">: ${item.title}</span></button></form>`,
    own !== undefined,
  )
}`
}</li>`;
  })}</ol>`;
}

/** The form for another item. */
export function newItemForm(
  meetingId: string,
  classes: readonly string[],
  { entered, errors }: RefusedItem,
): Html {
  const chosen = enteredText(entered, 'kind', 'motion');
  const notes = {
    text: 'A report, a greeting, a discussion: nobody votes.',
    motion: 'Yes, no or abstain.',
    election: 'People are chosen for an office.',
  };
  return html`<form method="post" action="/admin/meetings/${meetingId}/items">
${choiceGroup({
  name: 'kind',
  label: 'What is it?',
  plain: true,
  error: errorAt(errors, 'kind'),
  rows: (['text', 'motion', 'election'] as const).map((kind) =>
    choice({
      type: 'radio',
      name: 'kind',
      value: kind,
      label: KIND_WORDS[kind],
      note: notes[kind],
      checked: chosen === kind,
    }),
  ),
})}
${itemFields({ id: 'new', kind: undefined, classes, entered, errors })}
<div class="actions"><button class="button">Add it to the agenda</button></div></form>`;
}

/** The fields of an item; without a kind, for any. */
function itemFields({
  id,
  kind,
  classes,
  entered,
  errors,
}: RefusedItem & { id: string; kind: ItemJson['kind'] | undefined; classes: readonly string[] }): Html {
  const at = (name: string) => ({
    name,
    id: `${name}-${id}`,
    label: ITEM_LABELS[name]!,
    value: enteredText(entered, name),
    error: errorAt(errors, name),
  });
  const chosen = [entered.classes ?? []].flat();
  return html`${field({ ...at('title'), maxlength: 500 })}
${field({ ...at('text'), optional: true, rows: 4, hint: kind !== 'text' && 'Of a motion: its exact wording.' })}
${kind !== 'text' && kind !== 'election' && field({ ...at('mover'), optional: true, maxlength: 300 })}
${
  classes.length > 1 &&
  kind !== 'text' &&
  choiceGroup({
    name: 'classes',
    label: ITEM_LABELS.classes!,
    hint: 'None ticked: all.',
    error: errorAt(errors, 'classes'),
    plain: true,
    rows: classes.map((name) =>
      tickBox({
        name: 'classes',
        id: `classes-${id}-${encodeURIComponent(name)}`,
        label: name,
        value: name,
        checked: chosen.includes(name),
      }),
    ),
  })
}`;
}
