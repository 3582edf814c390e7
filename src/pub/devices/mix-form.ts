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
/** The choice of a mix that only a script can have given to a time of day. */
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
    layout: mix.layout,
    ...Object.fromEntries(MIX_TICKS.filter((name) => mix[name]).map((name) => [`tick.${name}`, 'true'])),
    section: mix.sections,
    ...Object.fromEntries(
      mix.pictures.flatMap(({ id, seconds }, index) => [
        [`picture.${id}`, 'true'],
        [`picture.${id}.place`, String(index + 1)],
        [`picture.${id}.seconds`, String(seconds)],
      ]),
    ),
    ...Object.fromEntries(
      mix.pages.flatMap(({ url, seconds }, index) => [
        [`web.${index}.url`, url],
        [`web.${index}.seconds`, String(seconds)],
      ]),
    ),
    ...Object.fromEntries(
      times.flatMap(({ days, between, mix: other }, index) => [
        [`time.${index}.days`, days],
        [`time.${index}.from`, between?.from ?? ''],
        [`time.${index}.to`, between?.to ?? ''],
        [`time.${index}.shows`, choiceOf(other, mix)],
      ]),
    ),
  };
}

/** What a time of day shows by the form: a name, if it lists what the usual mix lists. */
function choiceOf(other: Mix, usual: Mix): string {
  const preset = presetOf(other);
  return preset !== null && isSameLists(other, usual) ? preset : KEPT;
}

const isSameLists = (one: Mix, other: Mix): boolean =>
  JSON.stringify(listsOf(one)) === JSON.stringify(listsOf(other));

/** What a mix lists, which the mixes of the form have in common. */
const listsOf = ({ sections, pictures, pages }: Mix) => ({ sections, pictures, pages });

/**
 * The mix and the times of day of a form, as a script would send them. Mixes with a name take over the lists of the form;
 * one that only a script can have given stays as it is stored.
 */
export function mixFromForm(fields: Fields, stored: Stored | undefined): Fields {
  const lists = {
    sections: listOf(fields['section']),
    pictures: picturesOf(fields),
    pages: pagesOf(fields),
  };
  const usual = stored && readMix(stored);
  const text = (name: string) => String(fields[name] ?? '');
  const chosen = ownValue<Mix>(PRESETS, text('shows'));
  const ticked = Object.fromEntries(MIX_TICKS.map((name) => [name, text(`tick.${name}`) === 'true']));
  const own = { ...ticked, layout: text('layout') || LAYOUTS[0] };
  const keptMixes = stored ? readTimes(stored).map(({ mix }) => mix) : [];
  const times = Array.from({ length: TIMES_AT_MOST }, (_, index) => {
    const at = (name: string) => text(`time.${index}.${name}`);
    const [from, to, shows] = [at('from'), at('to'), at('shows')];
    const days = listOf(fields[`time.${index}.days`]);
    if (shows === '') return undefined;
    const preset = ownValue<Mix>(PRESETS, shows);
    return {
      days,
      between: from === '' && to === '' ? null : { from, to },
      mix: preset ? { ...preset, ...lists } : (keptMixes[index] ?? shows),
    };
  });
  return {
    mix: { ...(chosen ?? (text('shows') === OWN ? own : (usual ?? {}))), ...lists },
    times: times.filter((slot) => slot !== undefined),
  };
}

/** The mix of a new screen, which is chosen by its name alone. */
export const presetFromForm = (preset: unknown): Fields =>
  PRESET_NAMES.some((name) => name === preset) ? { mix: preset } : {};

/** The pictures that are ticked, in the order of their places; those without one come last. */
function picturesOf(fields: Fields): { id: string; seconds: unknown }[] {
  return Object.keys(fields)
    .flatMap((name) => /^picture\.([0-9a-f]+)$/.exec(name)?.[1] ?? [])
    .map((id) => ({
      id,
      place: Number(fields[`picture.${id}.place`]) || Number.POSITIVE_INFINITY,
      seconds: fields[`picture.${id}.seconds`] || undefined,
    }))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ id, seconds }) => ({ id, ...(seconds !== undefined && { seconds }) })) as {
    id: string;
    seconds: unknown;
  }[];
}

function pagesOf(fields: Fields): Fields[] {
  return Array.from({ length: PAGES_AT_MOST }, (_, index) => ({
    url: String(fields[`web.${index}.url`] ?? '').trim(),
    seconds: fields[`web.${index}.seconds`] || undefined,
  }))
    .filter(({ url }) => url !== '')
    .map(({ url, seconds }) => ({ url, ...(seconds !== undefined && { seconds }) }));
}

const listOf = (value: unknown): unknown[] =>
  [value ?? []].flat().filter((one) => typeof one === 'string' && one !== '');
