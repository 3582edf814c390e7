import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { ITEM, type ItemJson } from '#meetings/items.ts';
import type { CandidateCount } from '#meetings/nominations/candidates.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { type Entered, enteredText, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, selectField } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { inputsOf, labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { itemOutcome } from '#views/meetings/outcome.ts';
import {
  additionNote,
  itemBadge,
  KIND_WORDS,
  meetingPath,
  proposers,
  reasons,
  wording,
} from '#views/meetings/words.ts';
import { ruleSentences, viewOf } from '#views/voting/ballot-types.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import {
  BASE_WORDS,
  DEFAULT_MAJORITY,
  MAJORITY_BASES,
  SHARE_WORDS,
  shareWords,
} from '#voting/shared/share.ts';

/** The words of the fields of an item. */
export const ITEM_WORDS = {
  kind: { label: 'Kind' },
  title: { label: 'Title' },
  text: { label: 'Text', hint: 'Of a motion: its exact wording.' },
  old_text: { label: 'Wording in force', hint: 'Where a motion changes the rules: what they say now.' },
  reason: { label: 'Reasons' },
  mover: { label: 'Proposed by' },
  seconders: { label: 'Seconded by', hint: 'One name on each line.' },
  classes: { label: 'Who votes', hint: 'None ticked: all.' },
} satisfies Words<typeof ITEM.fields, 'kind' | 'classes'>;

/** The words of the inputs by which a form says how an item is decided. */
const QUESTION_WORDS = {
  share: { label: 'What it needs' },
  of: {
    label: 'Of whom',
    hint: 'Your rules say it. Of those present, an abstention counts like a no.',
  },
  type: { label: 'How it is decided' },
  seats: { label: 'Seats' },
  names: { label: 'Candidates', hint: 'One on each line. Empty: they are nominated.' },
};

/** The parts of a question, and the inputs that they come from. */
const INPUTS: Readonly<Record<string, keyof typeof QUESTION_WORDS>> = {
  'question.settings.majority': 'share',
  'question.settings.seats': 'seats',
  'question.ballot_type': 'type',
  'question.options': 'names',
  'question.candidates': 'names',
};

export const ITEM_LABELS = labelsOf({ ...ITEM_WORDS, ...QUESTION_WORDS });

/** What is wrong with an item, by the inputs of its form. */
export const errorsByInput = (errors: readonly FieldError[]): FieldError[] =>
  errors.map((error) => {
    const part = Object.keys(INPUTS).find((one) => `${error.path}.`.startsWith(`${one}.`));
    return { ...error, path: part === undefined ? error.path.split('.')[0]! : INPUTS[part]! };
  });

/** The id of an input of an item, or of the group of its choices. @param id of the item, or `new` */
export const itemInputId = (name: string, id: string): string =>
  name === 'kind' ? 'kind-group' : `${name}-${id}${name === 'classes' ? '-group' : ''}`;

/** A form on the agenda that was refused. */
export interface RefusedItem {
  entered: Entered;
  errors: readonly FieldError[];
}

/** An item with its question, and with what its call for candidates has brought. */
export type AgendaItem = ItemWithResult & {
  question?: Question | undefined;
  /** The documents that were uploaded for it. */
  files: readonly { title: string; url: string }[];
  nominations?: Pick<CandidateCount, 'seats' | 'accepted' | 'too_few'> & { waiting: number };
};

/** One page of the agenda, with what can be done with each item. */
export function agendaList({
  meetingId,
  items,
  first,
  total,
  mayWrite,
}: {
  meetingId: string;
  items: readonly AgendaItem[];
  /** The place of the first of them on the agenda, from 0, and how many it has. */
  first: number;
  total: number;
  mayWrite: boolean;
}): Html {
  if (total === 0) return html`<p class="soft">The agenda is empty.</p>`;
  return html`<ol class="agenda">${items.map((item, index) => {
    const path = itemAddress(meetingId, item.id);
    const place = first + index;
    return html`<li class="card" id="item-${item.id}">
<p class="eyebrow">${KIND_WORDS[item.kind]} ${itemBadge(item)}</p><h3>${item.number}. ${item.title}</h3>
${additionNote(item)}${wording(item)}${reasons(item)}
${proposers(item)}
${itemFiles(item)}
${item.classes && html`<p class="small soft">Votes: ${listed(item.classes)}</p>`}
${item.state === 'declared' && html`<p class="said small">${itemOutcome(item)}</p>`}${
  item.election_id &&
  html`<p><a class="link-alone" href="/admin/elections/${item.election_id}">Ballot and rule<span class="visually-hidden">: ${item.title}</span></a> ${
    item.question && html`<span class="small soft">${questionSummary(item.question)}</span>`
  }</p>`
}${
  item.kind === 'election' &&
  (item.state === 'prepared' || item.nominations) &&
  html`<p><a class="link-alone" href="${path}/nominations">${
    item.nominations ? 'Nominations' : 'Call for candidates'
  }<span class="visually-hidden">: ${item.title}</span></a>${
    item.nominations &&
    html` <span class="small soft">${
      item.nominations.too_few
        ? `Too few: ${item.nominations.accepted} for ${counted(item.nominations.seats, 'seat')}. Extend it there.`
        : `${counted(item.nominations.accepted, 'candidate')} for ${counted(item.nominations.seats, 'seat')}`
    }${item.nominations.waiting > 0 && html`. <strong>${counted(item.nominations.waiting, 'waits', 'wait')} for your decision.</strong>`}</span>`
  }</p>`
}
${
  mayWrite &&
  html`<div class="toolbar agenda-acts">${
    // What was voted on stays where it was.
    (item.state === 'prepared' || item.kind === 'text') &&
    html`<form method="post" action="${path}/move">
<button class="button button-quiet button-small" name="direction" value="up"${place === 0 && html` disabled`}>${icon(
      'up',
    )}<span>Up<span class="visually-hidden">: ${item.title}</span></span></button>
<button class="button button-quiet button-small" name="direction" value="down"${
      place === total - 1 && html` disabled`
    }>${icon('down')}<span>Down<span class="visually-hidden">: ${item.title}</span></span></button></form>`
  }${
    item.state === 'prepared' &&
    html`<a class="button button-quiet button-small" href="${path}">Change<span class="visually-hidden"> ${item.title}</span></a>`
  }</div>`
}</li>`;
  })}</ol>`;
}

/** The documents of an item, as links. */
const itemFiles = ({ files }: Pick<AgendaItem, 'files'>): Html | false =>
  files.length > 0 &&
  html`<ul class="links">${files.map(
    ({ title, url }) => html`<li><a href="${url}">${title}</a> <span class="small soft">PDF</span></li>`,
  )}</ul>`;

export type Question = Pick<ElectionJson, 'ballot_type' | 'settings'> & { names: readonly string[] };

/** How it is decided, and between which names: `Poll. One is elected. Ivy, Lee and Hugh.` */
export function questionSummary({ names, ...question }: Question): string {
  const shown = names.length > NAMED_AT_MOST ? `${counted(names.length, 'candidate')}.` : `${listed(names)}.`;
  return [
    `${viewOf(question.ballot_type).name}.`,
    ...ruleSentences(question),
    ...(names.length > 0 ? [shown] : []),
  ].join(' ');
}

/** An agenda is read at a glance: more names are on the page of the ballot. */
const NAMED_AT_MOST = 6;

/** The address of an item: of the page that changes it, and of its acts. */
export const itemAddress = (meetingId: string, item: string): string =>
  `/admin/meetings/${meetingId}/items/${item}`;

/** The form that changes an item, and the one that takes it off the agenda. */
export function itemForm(
  meetingId: string,
  classes: readonly string[],
  item: ItemJson,
  refused: RefusedItem | undefined,
): Html {
  const path = itemAddress(meetingId, item.id);
  const errors = refused?.errors ?? [];
  return html`<form method="post" action="${path}?_method=PATCH">
${itemFields({ id: item.id, kind: item.kind, classes, entered: refused?.entered ?? { ...item, seconders: item.seconders.join('\n') }, errors })}${
  item.kind === 'election' &&
  item.election_id === null &&
  electionFields(item.id, { entered: refused?.entered ?? {}, errors })
}
<div class="actions"><button class="button">Save</button><a class="button button-quiet" href="${meetingPath(meetingId)}">Back without saving</a></div></form>
<form method="post" action="${path}?_method=DELETE"><button class="button button-quiet">Take it off the agenda<span
class="visually-hidden">: ${item.title}</span></button></form>`;
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
  return html`<form method="post" action="/admin/meetings/${meetingId}/items" data-election-form>
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
<div data-for="motion" data-of="kind">${motionFields('new', { entered, errors })}</div>
<div data-for="election" data-of="kind">${electionFields('new', { entered, errors })}</div>
<div class="actions"><button class="button">Add it to the agenda</button><button class="button button-quiet" name="add" value="${ANOTHER}">Add it, and another</button></div></form>`;
}

/** What the second button of the form sends: its page is shown again, empty. */
export const ANOTHER = 'another';

/** The form for an item that votes on an election which was prepared already. */
export function joinForm(
  meetingId: string,
  classes: readonly string[],
  elections: readonly { value: string; label: string }[],
): Html {
  return html`<form method="post" action="/admin/meetings/${meetingId}/items">${selectField({
    name: 'election_id',
    label: 'Election',
    hint: 'It has not begun and nobody has a code for it. From then on the chair opens, closes and announces it, and it goes with its item.',
    options: elections,
  })}${classField('joined', classes, { entered: {}, errors: [] })}
<div class="actions"><button class="button">Add it to the agenda</button></div></form>`;
}

/** What a motion needs to be carried. */
function motionFields(id: string, refused: RefusedItem): Html {
  const { at } = inputsOf(QUESTION_WORDS, { ...refused, suffix: `-${id}` });
  return html`${selectField({
    ...at('share', DEFAULT_MAJORITY.share as string),
    options: SHARE_WORDS.map((value) => ({ value, label: capital(shareWords(value)) })),
  })}
${selectField({
  ...at('of', DEFAULT_MAJORITY.of),
  options: MAJORITY_BASES.map((value) => ({ value, label: capital(BASE_WORDS[value]) })),
})}`;
}

/** How people are chosen for an office. */
function electionFields(id: string, refused: RefusedItem): Html {
  const { at } = inputsOf(QUESTION_WORDS, { ...refused, suffix: `-${id}` });
  const types = BALLOT_TYPES.filter((type) => rulesOf(type).options !== null);
  return html`${selectField({
    ...at('type'),
    options: [
      { value: '', label: 'Decide later' },
      ...types.map((value) => ({ value, label: `${viewOf(value).name}: ${viewOf(value).when}` })),
    ],
  })}
${openField({ ...at('seats', '1'), type: 'number', min: 1, short: true })}
${openField({ ...at('names'), rows: 4 })}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The fields of an item; without a kind, for any. */
function itemFields({
  id,
  kind,
  classes,
  entered,
  errors,
}: RefusedItem & { id: string; kind: ItemJson['kind'] | undefined; classes: readonly string[] }): Html {
  const { title, text, old_text, reason, mover, seconders, classes: voting } = ITEM_WORDS;
  const own = { classes: classField(id, classes, { entered, errors }) };
  const fields = (words: Partial<typeof ITEM_WORDS>) =>
    recordFields(ITEM, words, { entered, errors, suffix: `-${id}`, own });
  const ofMotion = fields({ old_text, reason, mover, seconders });
  return html`${fields({ title, text: kind === 'text' ? { ...text, hint: '' } : text })}${
    kind === undefined
      ? html`<div data-for="motion" data-of="kind">${ofMotion}</div>`
      : kind === 'motion' && ofMotion
  }${kind !== 'text' && fields({ classes: voting })}`;
}

/** The classes that vote on an item, if the meeting has several. */
function classField(id: string, classes: readonly string[], { entered, errors }: RefusedItem): Html | false {
  const chosen = [entered.classes ?? []].flat();
  return (
    classes.length > 1 &&
    html`<input type="hidden" name="classes" value="">${choiceGroup({
      ...ITEM_WORDS.classes,
      name: `classes-${id}`,
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
    })}`
  );
}
