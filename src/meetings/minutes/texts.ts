import { z } from 'zod';
import { atMost } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';

/** The free texts of minutes with the greatest length of each, in the order of the page. */
export const TEXTS = {
  kind: 300,
  seat: 300,
  register: 300,
  began: 200,
  ended: 200,
  led: 1_000,
  recorded: 1_000,
  tellers: 1_000,
  called: 2_000,
  attendance: 5_000,
  quorum: 2_000,
  agenda: 5_000,
  objections: 10_000,
  further: 10_000,
  approval: 1_000,
} as const;

export type TextName = keyof typeof TEXTS;
const TEXT_NAMES = Object.keys(TEXTS) as TextName[];

/** What people wrote: the texts, notes and terms by item, and what a register wants of the elected, by candidate. */
export interface MinutesTexts extends Record<TextName, string> {
  items: Record<string, string>;
  terms: Record<string, string>;
  elected: Record<string, { born: string; place: string }>;
}

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, atMost(max))
    .nullable()
    .transform((given) => (given ?? '').replaceAll('\r\n', '\n'));

const ENTRIES_AT_MOST = 500;
const byId = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string().max(64), value)
    .refine(
      (all) => Object.keys(all).length <= ENTRIES_AT_MOST,
      coded('too_many_entries', { max: ENTRIES_AT_MOST }),
    );

/** An absent key keeps the stored text, an empty one removes it. */
export const TextsPatch = z.object({
  ...(Object.fromEntries(TEXT_NAMES.map((name) => [name, text(TEXTS[name]).optional()])) as Record<
    TextName,
    z.ZodOptional<ReturnType<typeof text>>
  >),
  items: byId(text(10_000)).optional(),
  terms: byId(text(300)).optional(),
  elected: byId(z.object({ born: text(100).optional(), place: text(300).optional() })).optional(),
});

/** Minutes in which nobody has written yet. */
export const NO_TEXTS: MinutesTexts = {
  ...(Object.fromEntries(TEXT_NAMES.map((name) => [name, ''])) as Record<TextName, string>),
  items: {},
  terms: {},
  elected: {},
};

/** Reads stored texts; those of an earlier version may lack some. */
export const parseTexts = (stored: string): MinutesTexts => ({ ...NO_TEXTS, ...JSON.parse(stored) });

/** The texts after a change. Keys keep their order, so that equal texts are equal as JSON. */
export function changeTexts(
  before: MinutesTexts,
  { items = {}, terms = {}, elected = {}, ...patch }: z.output<typeof TextsPatch>,
): MinutesTexts {
  const own = Object.fromEntries(TEXT_NAMES.map((name) => [name, patch[name] ?? before[name]]));
  const people = Object.entries(elected).map(([id, { born, place }]) => {
    const known = before.elected[id] ?? { born: '', place: '' };
    return [id, { born: born ?? known.born, place: place ?? known.place }] as const;
  });
  return {
    ...(own as Record<TextName, string>),
    items: withoutEmpty({ ...before.items, ...items }, (one) => one === ''),
    terms: withoutEmpty({ ...before.terms, ...terms }, (one) => one === ''),
    elected: withoutEmpty(
      { ...before.elected, ...Object.fromEntries(people) },
      ({ born, place }) => born === '' && place === '',
    ),
  };
}

function withoutEmpty<Value>(
  all: Record<string, Value>,
  isEmpty: (value: Value) => boolean,
): Record<string, Value> {
  const kept = Object.entries(all).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}
