import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ITEM, type ItemJson } from '#meetings/items.ts';
import type { CandidateCount } from '#meetings/nominations/candidates.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { type Entered, enteredText, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, selectField } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import {
  type Words as FieldsWords,
  inputsOf,
  labelsOf,
  recordFields,
} from '#views/components/record-fields.ts';
import { hidden } from '#views/components/slots.ts';
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
import { BASE_LABELS, SHARE_LABELS } from '#voting/share-words.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { DEFAULT_MAJORITY, MAJORITY_BASES, SHARE_WORDS } from '#voting/shared/share.ts';

/** The words of the fields of an item. */
export const ITEM_WORDS = {
  kind: { label: t('meetings-admin.agenda.kind') },
  title: { label: t('meetings-admin.shared.title') },
  text: { label: t('meetings-admin.agenda.text'), hint: t('meetings-admin.agenda.motion_exact_wording') },
  old_text: {
    label: t('meetings-admin.agenda.wording_force'),
    hint: t('meetings-admin.agenda.where_motion_changes_rules_what'),
  },
  reason: { label: t('meetings-admin.agenda.reasons') },
  mover: { label: t('meetings-admin.shared.proposed') },
  seconders: { label: t('meetings-admin.agenda.seconded'), hint: t('meetings-admin.agenda.name_each_line') },
  classes: { label: t('meetings-admin.agenda.who_votes'), hint: t('meetings-admin.agenda.none_ticked_all') },
} satisfies FieldsWords<typeof ITEM.fields, 'kind' | 'classes'>;

/** The words of the inputs by which a form says how an item is decided. */
const QUESTION_WORDS = {
  share: { label: t('meetings-admin.agenda.what_needs') },
  of: {
    label: t('meetings-admin.agenda.whom'),
    hint: t('meetings-admin.agenda.rules_say_those_present_abstention'),
  },
  type: { label: t('meetings-admin.agenda.how_decided') },
  seats: { label: t('meetings-admin.agenda.seats') },
  names: {
    label: t('meetings-admin.agenda.candidates'),
    hint: t('meetings-admin.agenda.each_line_empty_nominated'),
  },
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
  if (total === 0) return html`<p class="soft">${t('meetings-admin.agenda.agenda_empty')}</p>`;
  return html`<ol class="agenda">${items.map((item, index) => {
    const path = itemAddress(meetingId, item.id);
    const place = first + index;
    return html`<li class="card" id="item-${item.id}">
<p class="eyebrow">${KIND_WORDS[item.kind]} ${itemBadge(item)}</p><h3>${item.number}. ${item.title}</h3>
${additionNote(item)}${wording(item)}${reasons(item)}
${proposers(item)}
${itemFiles(item)}
${item.classes && html`<p class="small soft">${t('meetings-admin.agenda.votes', { classes: allOf(item.classes) })}</p>`}
${item.state === 'declared' && html`<p class="said small">${itemOutcome(item)}</p>`}${
  item.election_id &&
  html`<p><a class="link-alone" href="/admin/elections/${item.election_id}">${t('meetings-admin.agenda.ballot_rule', { hidden, title: item.title })}</a> ${
    item.question && html`<span class="small soft">${questionSummary(item.question)}</span>`
  }</p>`
}${
  item.kind === 'election' &&
  (item.state === 'prepared' || item.nominations) &&
  html`<p><a class="link-alone" href="${path}/nominations">${
    item.nominations
      ? t('meetings-admin.agenda.nominations_of', { title: item.title, hidden })
      : t('meetings-admin.agenda.call_candidates_of', { title: item.title, hidden })
  }</a>${
    item.nominations &&
    html` <span class="small soft">${
      item.nominations.too_few
        ? t('meetings-admin.agenda.too_few_seats_extend', {
            accepted: item.nominations.accepted,
            seats: item.nominations.seats,
          })
        : t('meetings-admin.agenda.candidates_seats', {
            accepted: item.nominations.accepted,
            seats: item.nominations.seats,
          })
    }${item.nominations.waiting > 0 && html`. <strong>${t('meetings-admin.agenda.wait_decision', { waiting: item.nominations.waiting })}</strong>`}</span>`
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
    )}<span>${t('meetings-admin.agenda.up', { hidden, title: item.title })}</span></button>
<button class="button button-quiet button-small" name="direction" value="down"${
      place === total - 1 && html` disabled`
    }>${icon('down')}<span>${t('meetings-admin.agenda.down', { hidden, title: item.title })}</span></button></form>`
  }${
    item.state === 'prepared' &&
    html`<a class="button button-quiet button-small" href="${path}">${t('meetings-admin.agenda.change', { hidden, title: item.title })}</a>`
  }</div>`
}</li>`;
  })}</ol>`;
}

/** The documents of an item, as links. */
const itemFiles = ({ files }: Pick<AgendaItem, 'files'>): Html | false =>
  files.length > 0 &&
  html`<ul class="links">${files.map(
    ({ title, url }) =>
      html`<li><a href="${url}">${title}</a> <span class="small soft">${t('meetings-admin.agenda.pdf')}</span></li>`,
  )}</ul>`;

export type Question = Pick<ElectionJson, 'ballot_type' | 'settings'> & { names: readonly string[] };

/** How it is decided, and between which names: `Poll. One is elected. Ivy, Lee and Hugh.` */
export function questionSummary({ names, ...question }: Question): Words | undefined {
  const shown =
    names.length > NAMED_AT_MOST
      ? t('meetings-admin.agenda.candidate_count', { n: names.length })
      : t('meetings-admin.agenda.names', { names: allOf(names) });
  return sentences([
    t('meetings-admin.agenda.type', { type: viewOf(question.ballot_type).name }),
    ...ruleSentences(question),
    names.length > 0 && shown,
  ]);
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
<div class="actions"><button class="button">${t('meetings-admin.shared.save')}</button><a class="button button-quiet" href="${meetingPath(meetingId)}">${t('meetings-admin.agenda.back_without_saving')}</a></div></form>
<form method="post" action="${path}?_method=DELETE"><button class="button button-quiet">${t('meetings-admin.agenda.take_off_agenda', { hidden, title: item.title })}</button></form>`;
}

/** The form for another item. */
export function newItemForm(
  meetingId: string,
  classes: readonly string[],
  { entered, errors }: RefusedItem,
): Html {
  const chosen = enteredText(entered, 'kind', 'motion');
  const notes = {
    text: t('meetings-admin.agenda.report_greeting_discussion_votes'),
    motion: t('meetings-admin.agenda.yes_abstain'),
    election: t('meetings-admin.agenda.people_chosen_office'),
  };
  return html`<form method="post" action="/admin/meetings/${meetingId}/items" data-election-form>
${choiceGroup({
  name: 'kind',
  label: t('meetings-admin.agenda.what'),
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
<div class="actions"><button class="button">${t('meetings-admin.agenda.add_agenda')}</button><button class="button button-quiet" name="add" value="${ANOTHER}">${t('meetings-admin.agenda.add_another')}</button></div></form>`;
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
    label: t('meetings-admin.agenda.election'),
    hint: t('meetings-admin.agenda.begun_code_chair_opens_closes'),
    options: elections,
  })}${classField('joined', classes, { entered: {}, errors: [] })}
<div class="actions"><button class="button">${t('meetings-admin.agenda.add_agenda')}</button></div></form>`;
}

/** What a motion needs to be carried. */
function motionFields(id: string, refused: RefusedItem): Html {
  const { at } = inputsOf(QUESTION_WORDS, { ...refused, suffix: `-${id}` });
  return html`${selectField({
    ...at('share', DEFAULT_MAJORITY.share as string),
    options: SHARE_WORDS.map((value) => ({ value, label: SHARE_LABELS[value] })),
  })}
${selectField({
  ...at('of', DEFAULT_MAJORITY.of),
  options: MAJORITY_BASES.map((value) => ({ value, label: BASE_LABELS[value] })),
})}`;
}

/** How people are chosen for an office. */
function electionFields(id: string, refused: RefusedItem): Html {
  const { at } = inputsOf(QUESTION_WORDS, { ...refused, suffix: `-${id}` });
  const types = BALLOT_TYPES.filter((type) => rulesOf(type).options !== null);
  return html`${selectField({
    ...at('type'),
    options: [
      { value: '', label: t('meetings-admin.agenda.decide_later') },
      ...types.map((value) => ({
        value,
        label: t('meetings-admin.agenda.type_when', { type: viewOf(value).name, when: viewOf(value).when }),
      })),
    ],
  })}
${openField({ ...at('seats', '1'), type: 'number', min: 1, short: true })}
${openField({ ...at('names'), rows: 4 })}`;
}

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
  const fields = (words: FieldsWords<typeof ITEM.fields, 'kind' | 'classes'>) =>
    recordFields(ITEM, words, { entered, errors, suffix: `-${id}`, own });
  const ofMotion = fields({ old_text, reason, mover, seconders });
  return html`${fields({ title, text: kind === 'text' ? { label: text.label } : text })}${
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
