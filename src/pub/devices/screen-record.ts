import { z } from 'zod';
import { choiceField, jsonField, nameField, optionalField, plainField, record } from '#kernel/http/record.ts';
import { listOf } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';
import { label, screenLabel } from '#pub/display/screen-label.ts';
import { type Mix, MixInput, OFF_SHOWS, type TimeOfDay, TimesInput } from './mixes.ts';
import { type OffHours, OffHoursInput } from './off-hours.ts';

export const SCREEN_PAGES = ['tv', 'bar-right', 'projector'] as const;

/** The page that a screen shows, under /tv. */
export type ScreenPage = (typeof SCREEN_PAGES)[number];

const GROUPS_AT_MOST = 10;
const OFF = { autocomplete: 'off' } as const;

const GroupsInput = listOf(screenLabel, GROUPS_AT_MOST).transform((names) =>
  names.filter((name, index) => name !== '' && names.findIndex((other) => isSameName(name, other)) === index),
);

const TurnInput = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number),
    ],
    coded('not_turn'),
  )
  .pipe(z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)], coded('not_turn')));

const InsetInput = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d(\.\d)?$/)
        .transform(Number),
    ],
    coded('not_inset'),
  )
  .pipe(z.number(coded('not_inset')).min(0, coded('not_inset')).max(8, coded('not_inset')));

const inset = plainField(InsetInput, {
  form: { is: 'line', short: true, inputmode: 'decimal', ...OFF },
  readForm: (text) => text || null,
});

/** What staff decide about a screen, beside its name. The words of its form are `SCREEN_WORDS`. */
export const SCREEN = record({
  place: { ...nameField(60, OFF), input: label(60), usual: '' },
  page: choiceField(SCREEN_PAGES, { usual: 'tv' }),
  groups: jsonField<string[]>(GroupsInput, {
    usual: [],
    form: { is: 'line', most: 600, ...OFF },
    written: (names) => names.join(', '),
    readForm: (text) => text.split(','),
  }),
  turn: plainField<z.output<typeof TurnInput>>(TurnInput, { usual: 0, form: { is: 'choice' } }),
  /** Null: the usual free edge. */
  inset: optionalField(inset, InsetInput.nullable()),
  off_hours: jsonField<OffHours>(OffHoursInput, { usual: 'outside_opening' }),
  off_shows: choiceField(OFF_SHOWS, { usual: 'dim' }),
  /** Null: everything. */
  mix: optionalField(jsonField<Mix>(MixInput), MixInput.nullable()),
  times: jsonField<TimeOfDay[]>(TimesInput, { usual: [] }),
});
