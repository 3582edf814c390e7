import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import type { ScreensTable } from '#kernel/db/schema.ts';
import { ownValue } from '#kernel/own-value.ts';
import {
  LAYOUTS,
  MIX_TICKS,
  type Mix,
  PAGES_AT_MOST,
  PRESET_NAMES,
  PRESETS,
  presetOf,
  readMix,
  readTimes,
  TIMES_AT_MOST,
  type TimeOfDay,
} from './mixes.ts';

type Fields = Record<string, unknown>;
type Stored = Pick<Selectable<ScreensTable>, 'mix' | 'times'>;

/** The choice of a mix without a name. */
export const OWN = 'own';
/** The choice of a mix with pictures or pages of its own, which only a script can have given to a time of day. */
export const KEPT = 'kept';
/** How many times of day the form shows, at least. */
const TIMES_SHOWN = 2;

/** How many times of day the form has fields for: one more than are stored. */
export const timesShown = (times: readonly TimeOfDay[]): number =>
  Math.min(TIMES_AT_MOST, Math.max(TIMES_SHOWN, times.length + 1));

/** The fields of the form of a mix and its times of day. */
export function mixToForm({ mix, times }: { mix: Mix; times: readonly TimeOfDay[] }): Fields {
  return {
    shows: presetOf(mix) ?? OWN,
    ...choicesToForm(mix),
    ...Object.fromEntries(
      mix.pictures.flatMap(({ id, seconds, fit }, index) => [
        [`picture.${id}`, 'true'],
        [`picture.${id}.place`, String(index + 1)],
        [`picture.${id}.seconds`, String(seconds)],
        ...(fit === 'cover' ? [[`picture.${id}.cover`, 'true']] : []),
      ]),
    ),
    ...Object.fromEntries(
      mix.pages.flatMap(({ url, seconds }, index) => [
        [`web.${index}.url`, url],
        [`web.${index}.seconds`, String(seconds)],
      ]),
    ),
    ...Object.assign(
      {},
      ...times.map(({ days, between, mix: other }, index) => ({
        [`time.${index}.days`]: days,
        [`time.${index}.from`]: between?.from ?? '',
        [`time.${index}.to`]: between?.to ?? '',
        [`time.${index}.shows`]: choiceOf(other, mix),
      })),
      // The choice for one more time begins with that of the usual mix.
      ...Array.from({ length: timesShown(times) }, (_, index) =>
        choicesToForm(times[index]?.mix ?? mix, `time.${index}.`),
      ),
    ),
  };
}

/** The fields of what a mix leaves out and how it is laid out. */
const choicesToForm = ({ layout, sections, whole_list, ...mix }: Mix, at = ''): Fields => ({
  [`${at}layout`]: layout,
  ...(whole_list && { [`${at}whole_list`]: 'true' }),
  ...Object.fromEntries(MIX_TICKS.filter((name) => mix[name]).map((name) => [`${at}tick.${name}`, 'true'])),
  [`${at}section`]: sections,
});

/** The same of a form. */
const choicesFromForm = (fields: Fields, at = ''): Fields => ({
  ...Object.fromEntries(MIX_TICKS.map((name) => [name, fields[`${at}tick.${name}`] === 'true'])),
  layout: fields[`${at}layout`] || LAYOUTS[0],
  ...listFromForm(fields, at),
});

/** How the list is shown, which every mix has, whatever its name. */
const listFromForm = (fields: Fields, at: string): Fields => ({
  sections: listOf(fields[`${at}section`]),
  ...(fields[`${at}whole_list`] === 'true' && { whole_list: true }),
});

/** What a time of day shows by the form: a name, if it shows the list as the usual mix does. */
function choiceOf(other: Mix, usual: Mix): string {
  const isShared = isDeepStrictEqual(sharedOf(other), sharedOf(usual));
  const isUsual =
    isDeepStrictEqual(other.sections, usual.sections) &&
    Boolean(other.whole_list) === Boolean(usual.whole_list);
  return isShared ? (isUsual && presetOf(other)) || OWN : KEPT;
}

/** What the mixes of the form have in common. */
const sharedOf = ({ pictures, pages }: Mix) => ({ pictures, pages });

/**
 * The mix and the times of day of a form, as a script would send them. All mixes take over its pictures and pages, and
 * those with a name its sections; a mix that only a script can have given stays as it is stored.
 */
export function mixFromForm(fields: Fields, stored: Stored | undefined): Fields {
  const shared = { pictures: picturesOf(fields), pages: pagesOf(fields) };
  const own = choicesFromForm(fields);
  const list = listFromForm(fields, '');
  const usual = stored && readMix(stored);
  const text = (name: string) => String(fields[name] ?? '');
  const mixOf = (shows: string, chosen: () => Fields): Fields | undefined => {
    const preset = ownValue<Mix>(PRESETS, shows);
    if (preset) return { ...preset, ...list, ...shared };
    return shows === OWN ? { ...chosen(), ...shared } : undefined;
  };
  const keptMixes = stored ? readTimes(stored).map(({ mix }) => mix) : [];
  const times = Array.from({ length: TIMES_AT_MOST }, (_, index) => {
    const at = (name: string) => text(`time.${index}.${name}`);
    const [from, to, shows] = [at('from'), at('to'), at('shows')];
    const days = listOf(fields[`time.${index}.days`]);
    // A stored one is taken out by choosing nothing; a new one that was begun is not lost without a word.
    const isBegun = index >= keptMixes.length && (from !== '' || to !== '' || days.length > 0);
    if (shows === '' && !isBegun) return undefined;
    return {
      days,
      between: from === '' && to === '' ? null : { from, to },
      mix: mixOf(shows, () => choicesFromForm(fields, `time.${index}.`)) ?? keptMixes[index] ?? shows,
    };
  });
  return {
    mix: mixOf(text('shows'), () => own) ?? { ...usual, whole_list: undefined, ...list, ...shared },
    times: times.filter((slot) => slot !== undefined),
  };
}

/** The mix of a new screen, which is chosen by its name alone. */
export const presetFromForm = (preset: unknown): Fields =>
  PRESET_NAMES.some((name) => name === preset) ? { mix: preset } : {};

/** The pictures that are ticked, in the order of their places; those without one come last. */
function picturesOf(fields: Fields): Fields[] {
  return Object.keys(fields)
    .flatMap((name) => /^picture\.([0-9a-f]+)$/.exec(name)?.[1] ?? [])
    .map((id) => ({
      id,
      place: Number(fields[`picture.${id}.place`]) || Number.POSITIVE_INFINITY,
      seconds: fields[`picture.${id}.seconds`] || undefined,
      fit: fields[`picture.${id}.cover`] === 'true' ? 'cover' : undefined,
    }))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ place: _, ...picture }) => picture);
}

function pagesOf(fields: Fields): Fields[] {
  return Array.from({ length: PAGES_AT_MOST }, (_, index) => ({
    url: String(fields[`web.${index}.url`] ?? '').trim(),
    seconds: fields[`web.${index}.seconds`] || undefined,
  })).filter(({ url }) => url !== '');
}

const listOf = (value: unknown): unknown[] =>
  [value ?? []].flat().filter((one) => typeof one === 'string' && one !== '');
