import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { formatNumber, readerNow } from '#kernel/locale.ts';
import { nameKey } from '#kernel/names.ts';
import type { VolumeUnit } from '#kernel/settings/menu.ts';
import { sizeWords } from '#kernel/shared/menu-words.js';

/** Millilitres of a pint and of a fluid ounce. */
const IMPERIAL_PINT = 568.261_25;
const US_PINT = 473.176;
const US_OUNCE = 29.573_5;

/** Parts of a pint that have a sign. */
const PARTS_OF_PINT: readonly (readonly [share: number, sign: string])[] = [
  [1 / 4, '¼'],
  [1 / 3, '⅓'],
  [1 / 2, '½'],
  [2 / 3, '⅔'],
  [3 / 4, '¾'],
];
/** Volumes are whole millilitres: a third of a pint is 189, not 189.4. */
const ROUNDING_ML = 1;

/** A volume in the unit of the club: `0.5 l`. Without a usual part of a pint, `pint` gives millilitres. */
export function formatVolume(ml: number, unit: VolumeUnit): string {
  switch (unit) {
    case 'cl':
      return `${formatNumber(ml / 10, { maximumFractionDigits: 1 })} cl`;
    case 'l':
      return `${formatNumber(ml / 1_000, { maximumFractionDigits: 3 })} l`;
    case 'us_oz':
      return `${formatNumber(Math.round((ml / US_OUNCE) * 10) / 10)} oz`;
    case 'pint':
      return pints(ml) ?? `${formatNumber(ml)} ml`;
    default:
      return `${formatNumber(ml)} ml`;
  }
}

/** For the reader who is being written for, else in the club's language. */
const said = (text: Words): string => text.for(readerNow());

function pints(ml: number): string | undefined {
  const near = (share: number) => Math.abs(ml - share * IMPERIAL_PINT) <= ROUNDING_ML;
  const part = PARTS_OF_PINT.find(([share]) => near(share));
  if (part) return said(t('content.volume.part_of_pint', { part: part[1] }));
  const count = Math.round(ml / IMPERIAL_PINT);
  return count > 0 && near(count) ? said(t('content.volume.pints', { n: count })) : undefined;
}

/**
 * The volume of a size whose name says nothing else, such as `0,5l` or `1/2 pt`; null for a name that is a word. A number
 * alone is only a volume beside the same volume.
 */
export function volumeOfLabel(label: string, volumeMl: number | null): number | null {
  if (!/^[\d½⅓⅔¼¾]/.test(label)) return null;
  const read = readVolume(label, 'ml');
  if (typeof read !== 'number') return null;
  return volumeMl === read || (volumeMl === null && /\p{L}/u.test(label)) ? read : null;
}

/** Tells sizes of one item apart: by their names as names are compared, and those without a word by their volumes. */
export function sizeKey({ label, volume_ml }: { label: string; volume_ml: number | null }): string {
  const volume = label === '' ? volume_ml : volumeOfLabel(label, volume_ml);
  return volume === null ? nameKey(label) : `${volume} ml`;
}

/**
 * The name of a size as it is shown. One that says nothing but its volume, such as `0,5l`, is spelled like all others;
 * pints and ounces stay as they are where the club writes other units.
 */
export function sizeLabel(label: string, volumeMl: number | null, unit: VolumeUnit): string {
  const volume = volumeOfLabel(label, volumeMl);
  const own = /p(t|int)/i.test(label) ? 'pint' : /oz/i.test(label) ? 'us_oz' : unit;
  return volume === null || own !== unit ? label : formatVolume(volume, unit);
}

/** A size in words, as the list shows it; empty for one without a word and a volume. */
export function sizeText(
  { label, volume_ml }: { label: string; volume_ml: number | null },
  unit: VolumeUnit,
): string {
  const volumeText = volume_ml === null ? '' : formatVolume(volume_ml, unit);
  return sizeWords({ label: sizeLabel(label, volume_ml, unit), volumeText });
}

const UNITS: readonly (readonly [name: RegExp, ml: number | ((unit: VolumeUnit) => number)])[] = [
  [/^ml$/, 1],
  [/^cl$/, 10],
  [/^dl$/, 100],
  [/^(l|lt|ltr|lit(er|re)s?)$/, 1_000],
  [/^(fl ?)?oz$/, US_OUNCE],
  [/^(pt|pints?)$/, (unit) => (unit === 'us_oz' ? US_PINT : IMPERIAL_PINT)],
];

/** Without a unit, a fraction below this is litres, and a whole number from that on millilitres; `12,5` is no litres of wine. */
const LITRES_BELOW = 2;
const ML_FROM = 100;

/** Why a typed volume is refused, as the code of its sentence. */
export type VolumeProblem = 'not_volume' | 'volume_without_unit';

/**
 * Reads a volume as people type it: `500`, `0,5 l`, `33cl`, `1/2 pint`, `half pint`, `12 oz`. Without a unit `0,5` and `1/8` are
 * litres and `500` is millilitres; `33` can be several things.
 * @param unit that of the club, for what differs between countries @param given the unit of a number without one, such as `cl`
 * @returns whole millilitres; null for an empty text; or why it cannot be read
 */
export function readVolume(text: string, unit: VolumeUnit, given = ''): number | null | VolumeProblem {
  const typed = text
    .normalize('NFKC')
    .replaceAll('⁄', '/')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^half( a)? /, '1/2 ')
    .replace(/^(a )?(pint|pt)$/, '1 pint');
  if (typed === '') return null;
  const [, amount = '', named = ''] = /^(\d{1,5}(?:[.,]\d{1,3})?|\d\/\d) ?([a-z ]*)$/.exec(typed) ?? [];
  if (amount === '') return 'not_volume';
  const [over = 0, under = 1] = amount.split('/').map((part) => Number(part.replace(',', '.')));
  const value = over / under;
  const isWhole = /^\d+$/.test(amount);
  // What is read is judged as it was typed, before anything is rounded.
  const usual = isWhole ? (value >= ML_FROM ? 'ml' : '') : value < LITRES_BELOW ? 'l' : '';
  const name = named || given || usual;
  if (name === '' && value > 0) return 'volume_without_unit';
  const [, ml] = UNITS.find(([known]) => known.test(name)) ?? [];
  if (ml === undefined) return 'not_volume';
  const volume = Math.round(value * (typeof ml === 'number' ? ml : ml(unit)));
  return Number.isSafeInteger(volume) && volume >= 1 && volume <= 20_000 ? volume : 'not_volume';
}
