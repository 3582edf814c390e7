import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { PRESET_NAMES } from '#pub/devices/mixes.ts';
import { SCREEN } from '#pub/devices/screen-record.ts';
import { errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
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

/** The words of the fields of a screen, and of the code with which it is paired. */
export const SCREEN_WORDS = {
  code: { label: 'Code on the TV' },
  name: { label: 'Name' },
  place: { label: 'Place', hint: 'Where it hangs, for whoever has to find it.' },
  page: {
    label: 'It shows',
    options: [
      { value: 'tv', label: `${SCREENS.tv}: events, slides, hours` },
      { value: 'bar-right', label: `${SCREENS['bar-right']}: the music` },
      { value: 'projector', label: `${SCREENS.projector}: lyrics, films and games` },
    ],
  },
  off_hours: {
    label: 'Expected to be off',
    hint: 'A TV that is off at these times needs nobody.',
    options: [
      { value: 'outside_opening', label: 'While the pub is closed', note: 'By the opening hours.' },
      { value: 'never', label: 'Never', note: 'It is on day and night.' },
      { value: 'own', label: 'At times of its own', note: 'Enter them below.' },
    ],
  },
  off_shows: {
    label: 'While it is off',
    hint: 'Black saves power on an OLED panel; others only look off.',
    options: [
      { value: 'dim', label: 'It is dim' },
      { value: 'clock', label: 'It shows the clock alone' },
      { value: 'black', label: 'It is black' },
    ],
  },
  groups: {
    label: 'Groups',
    hint: 'Separate with commas: downstairs, quiet. Announcements and notices can be for a group.',
  },
  turn: {
    label: 'Picture',
    options: [
      { value: '0', label: 'Upright as it stands' },
      { value: '90', label: 'A quarter turn to the right' },
      { value: '180', label: 'Upside down' },
      { value: '270', label: 'A quarter turn to the left' },
    ],
  },
  inset: {
    label: 'Free edge',
    hint: 'Per cent of each side, 0 to 8, for a TV that cuts off its edges. Empty: 5.',
  },
} satisfies Words<typeof SCREEN.fields, 'code' | 'name'>;

/** The labels of the fields, for sentences about them. */
export const SCREEN_LABELS = labelsOf(SCREEN_WORDS);

/** Name, place, page and hours; what few screens need is folded. */
export function screenFields({ values, errors, ranges, isPaired, isNew = false }: ScreenFields): Html {
  const text = (name: string) => values[name] ?? '';
  const error = (name: string) => errorAt(errors, name);
  const { name, place, page, off_hours, off_shows, groups, turn, inset } = SCREEN_WORDS;
  const own = {
    name: field({
      name: 'name',
      label: name.label,
      value: text('name'),
      error: error('name'),
      maxlength: 40,
      optional: !isPaired,
      autocomplete: 'off',
      hint: isPaired ? 'Announcements can be for one screen by its name.' : 'Empty: the name in its address.',
    }),
    preset: selectField({
      name: 'preset',
      label: 'On the main TV',
      value: text('preset'),
      error: error('mix'),
      options: PRESET_NAMES.map((value) => ({ value, label: MIX_NAMES[value] })),
      hint: 'What it shows at which time of day is on its page afterwards.',
    }),
    off_hours: choiceGroup({
      name: 'off',
      ...off_hours,
      error: error('off_hours'),
      rows: off_hours.options.map((option) =>
        choice({
          type: 'radio',
          name: 'off',
          ...option,
          id: `off-${option.value}`,
          checked: text('off') === option.value,
        }),
      ),
    }),
  };
  const given = { entered: values, errors, own };
  const inMore = ['groups', 'turn', 'inset'].some((one) => error(one) !== undefined);
  const shown = {
    name,
    place,
    ...(isPaired && { page }),
    ...(isNew && { preset: undefined }),
    off_hours,
    ...(isPaired && { off_shows }),
  };
  return html`${recordFields(SCREEN, shown, given)}
${disclosure('Times of its own', weekFields(text, ranges), text('off') === 'own' && !inMore, 'place')}
${disclosure(
  'More',
  recordFields(SCREEN, { groups, ...(isPaired && { turn, inset }) }, given),
  inMore,
  'place',
)}`;
}

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
