import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { PRESET_NAMES } from '#pub/devices/mixes.ts';
import { errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { MIX_NAMES } from './mix-names.ts';
import { SCREENS } from './staff-room/words.ts';

/** The fields of a screen, filled in, and what is wrong with them. */
export interface ScreenFields {
  values: Readonly<Record<string, string>>;
  errors: readonly FieldError[];
  /** How many ranges of each weekday are shown. */
  ranges: number;
  /** Whether it is paired: then staff decide what it shows. */
  isPaired: boolean;
  /** Whether it is new: then its mix is chosen by its name alone. */
  isNew?: boolean;
}

/** The labels of the fields, for sentences about them. */
export const SCREEN_LABELS = {
  code: 'Code on the TV',
  name: 'Name',
  place: 'Place',
  groups: 'Groups',
  page: 'It shows',
  turn: 'Picture',
  inset: 'Free edge',
  off_hours: 'Expected to be off',
  off_shows: 'While it is off',
} as const;

const OFF = [
  ['outside_opening', 'While the pub is closed', 'By the opening hours.'],
  ['never', 'Never', 'It is on day and night.'],
  ['own', 'At times of its own', 'Enter them below.'],
] as const;

const OFF_SHOWN = [
  ['dim', 'It is dim'],
  ['clock', 'It shows the clock alone'],
  ['black', 'It is black'],
] as const;

const TURNS = [
  ['0', 'Upright as it stands'],
  ['90', 'A quarter turn to the right'],
  ['180', 'Upside down'],
  ['270', 'A quarter turn to the left'],
] as const;

/** Name, place, page and hours; what few screens need is folded. */
export function screenFields({ values, errors, ranges, isPaired, isNew = false }: ScreenFields): Html {
  const text = (name: string) => values[name] ?? '';
  const error = (name: string) => errorAt(errors, name);
  const more = html`${field({
    name: 'groups',
    label: 'Groups',
    value: text('groups'),
    error: error('groups'),
    maxlength: 600,
    optional: true,
    autocomplete: 'off',
    hint: 'Separate with commas: downstairs, quiet. Announcements and notices can be for a group.',
  })}
${
  isPaired &&
  html`${selectField({
    name: 'turn',
    label: 'Picture',
    value: text('turn'),
    error: error('turn'),
    options: TURNS.map(([value, label]) => ({ value, label })),
  })}
${field({
  name: 'inset',
  label: 'Free edge',
  value: text('inset'),
  error: error('inset'),
  optional: true,
  short: true,
  inputmode: 'decimal',
  autocomplete: 'off',
  hint: 'Per cent of each side, 0 to 8, for a TV that cuts off its edges. Empty: 5.',
})}`
}`;
  return html`${field({
    name: 'name',
    label: 'Name',
    value: text('name'),
    error: error('name'),
    maxlength: 40,
    optional: !isPaired,
    autocomplete: 'off',
    hint: isPaired ? 'Announcements can be for one screen by its name.' : 'Empty: the name in its address.',
  })}
${field({
  name: 'place',
  label: 'Place',
  value: text('place'),
  error: error('place'),
  maxlength: 60,
  optional: true,
  autocomplete: 'off',
  hint: 'Where it hangs, for whoever has to find it.',
})}
${
  isPaired &&
  selectField({
    name: 'page',
    label: 'It shows',
    value: text('page'),
    error: error('page'),
    options: Object.entries(PAGES).map(([value, label]) => ({ value, label })),
  })
}
${
  isNew &&
  selectField({
    name: 'preset',
    label: 'On the main TV',
    value: text('preset'),
    error: error('mix'),
    options: PRESET_NAMES.map((value) => ({ value, label: MIX_NAMES[value] })),
    hint: 'What it shows at which time of day is on its page afterwards.',
  })
}
${choiceGroup({
  name: 'off',
  label: 'Expected to be off',
  hint: 'A TV that is off at these times needs nobody.',
  error: error('off_hours'),
  rows: OFF.map(([value, label, note]) =>
    choice({
      type: 'radio',
      name: 'off',
      value,
      label,
      note,
      id: `off-${value}`,
      checked: text('off') === value,
    }),
  ),
})}
${
  isPaired &&
  selectField({
    name: 'off_shows',
    label: 'While it is off',
    value: text('off_shows'),
    error: error('off_shows'),
    options: OFF_SHOWN.map(([value, label]) => ({ value, label })),
    hint: 'Black saves power on an OLED panel; others only look off.',
  })
}
${disclosure('Times of its own', weekFields(text, ranges), text('off') === 'own')}
${disclosure(
  'More',
  more,
  ['groups', 'turn', 'inset'].some((name) => error(name) !== undefined),
)}`;
}

const PAGES: Readonly<Record<keyof typeof SCREENS, string>> = {
  tv: `${SCREENS.tv}: events, slides, hours`,
  'bar-right': `${SCREENS['bar-right']}: the music`,
  projector: `${SCREENS.projector}: lyrics, films and games`,
};

function weekFields(text: (name: string) => string, ranges: number): Html {
  const rows = namedWeekdays().map(([day, name]) => {
    const times = Array.from({ length: ranges }, (_, index) => {
      const again = index > 0 && html`<span class="visually-hidden">, time ${index + 1}</span>`;
      const at = (end: 'from' | 'to') =>
        openField({
          name: `off.${day}.${index}.${end}`,
          label: html`<span class="visually-hidden">${name}, </span>${end === 'from' ? 'Off from' : 'until'}${again}`,
          type: 'time',
          value: text(`off.${day}.${index}.${end}`),
        });
      return html`${at('from')}${at('to')}`;
    });
    return html`<fieldset class="screen-day"><legend>${name}</legend>${times}</fieldset>`;
  });
  return html`<p class="hint">A time that is not after the first one is on the next day. Leave the second pair empty if one
is enough.</p>${rows}`;
}
