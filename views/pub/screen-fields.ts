import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { PRESET_NAMES } from '#pub/devices/mixes.ts';
import { SCREEN } from '#pub/devices/screen-record.ts';
import { errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { type Words as FieldWords, labelsOf, recordFields } from '#views/components/record-fields.ts';
import { disclosure } from '#views/components/structure.ts';
import { MIX_NAMES } from './mix-names.ts';

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
  code: { label: t('pub-staff.screen_fields.code_tv') },
  name: { label: t('pub-staff.screen_fields.name') },
  place: {
    label: t('pub-staff.screen_fields.place'),
    hint: t('pub-staff.screen_fields.where_hangs_whoever_find'),
  },
  page: {
    label: t('pub-staff.screen_fields.shows'),
    options: [
      { value: 'tv', label: t('pub-staff.screen_fields.events_slides_hours') },
      { value: 'bar-right', label: t('pub-staff.screen_fields.music') },
      {
        value: 'projector',
        label: t('pub-staff.screen_fields.lyrics_films_games'),
      },
    ],
  },
  off_hours: {
    label: t('pub-staff.screen_fields.expected_off'),
    hint: t('pub-staff.screen_fields.tv_off_these_times_needs'),
    options: [
      {
        value: 'outside_opening',
        label: t('pub-staff.screen_fields.while_pub_closed'),
        note: t('pub-staff.screen_fields.opening_hours'),
      },
      {
        value: 'never',
        label: t('pub-staff.screen_fields.never'),
        note: t('pub-staff.screen_fields.day_night'),
      },
      {
        value: 'own',
        label: t('pub-staff.screen_fields.at_own_times'),
        note: t('pub-staff.screen_fields.enter_below'),
      },
    ],
  },
  off_shows: {
    label: t('pub-staff.screen_fields.while_off'),
    hint: t('pub-staff.screen_fields.black_saves_power_oled_panel'),
    options: [
      { value: 'dim', label: t('pub-staff.screen_fields.dim') },
      { value: 'clock', label: t('pub-staff.screen_fields.shows_clock_alone') },
      { value: 'black', label: t('pub-staff.screen_fields.black') },
    ],
  },
  groups: {
    label: t('pub-staff.screen_fields.groups'),
    hint: t('pub-staff.screen_fields.separate_commas_downstairs_quiet'),
  },
  turn: {
    label: t('pub-staff.screen_fields.picture'),
    options: [
      { value: '0', label: t('pub-staff.screen_fields.upright_stands') },
      { value: '90', label: t('pub-staff.screen_fields.quarter_turn_right') },
      { value: '180', label: t('pub-staff.screen_fields.upside_down') },
      { value: '270', label: t('pub-staff.screen_fields.quarter_turn_left') },
    ],
  },
  inset: {
    label: t('pub-staff.screen_fields.free_edge'),
    hint: t('pub-staff.screen_fields.cut_off_edges'),
  },
} satisfies FieldWords<typeof SCREEN.fields, 'code' | 'name'>;

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
      hint: isPaired
        ? t('pub-staff.screen_fields.announcements_screen_name')
        : t('pub-staff.screen_fields.empty_name_address'),
    }),
    preset: selectField({
      name: 'preset',
      label: t('pub-staff.screen_fields.main_tv'),
      value: text('preset'),
      error: error('mix'),
      options: PRESET_NAMES.map((value) => ({ value, label: MIX_NAMES[value] })),
      hint: t('pub-staff.screen_fields.what_shows_which_time_day'),
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
${disclosure(t('pub-staff.screen_fields.own_times'), weekFields(text, ranges), text('off') === 'own' && !inMore, 'place')}
${disclosure(
  t('pub-staff.screen_fields.more'),
  recordFields(SCREEN, { groups, ...(isPaired && { turn, inset }) }, given),
  inMore,
  'place',
)}`;
}

function weekFields(text: (name: string) => string, ranges: number): Html {
  const rows = namedWeekdays().map(([day, name]) => {
    const times = Array.from({ length: ranges }, (_, index) => {
      const of = {
        day: name,
        time: index + 1,
        hidden: (inside: Words) => html`<span class="visually-hidden">${inside}</span>`,
      };
      const at = (end: 'from' | 'to') =>
        openField({
          name: `off.${day}.${index}.${end}`,
          label:
            end === 'from' ? t('pub-staff.screen_fields.off', of) : t('pub-staff.screen_fields.until', of),
          type: 'time',
          value: text(`off.${day}.${index}.${end}`),
        });
      return html`${at('from')}${at('to')}`;
    });
    return html`<fieldset class="screen-day"><legend>${name}</legend>${times}</fieldset>`;
  });
  return html`<p class="hint">${t('pub-staff.screen_fields.time_after_first_next_day')}</p>${rows}`;
}
