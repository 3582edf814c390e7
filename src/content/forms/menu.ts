import { type MenuItemBody, SIZES_AT_MOST } from '#content/kinds/menu-item.ts';
import type { MenuSectionBody } from '#content/kinds/menu-section.ts';
import type { OfferBody } from '#content/kinds/offer.ts';
import { readVolume } from '#content/volumes.ts';
import { badFields, type FieldError, fieldError } from '#kernel/http/errors.ts';
import { typedNumber } from '#kernel/locale.ts';
import { currency, readPrice, typedPrice } from '#kernel/money.ts';
import { ALLERGENS } from '#kernel/settings/menu.ts';
import {
  type ContentForm,
  type FormValues,
  readNumber,
  readPicture,
  readTime,
  ticked,
  typed,
} from './form.ts';

type Entered = Readonly<Record<string, unknown>>;

const SHOWN_ON = ['screens', 'phones', 'print'] as const;

export const menuSectionForm: ContentForm = {
  toForm(body) {
    const { title, note, order, kind, on_tap, days, between, show_on, rows } = body as MenuSectionBody;
    return {
      title,
      note,
      order: String(order),
      kind,
      on_tap: String(on_tap),
      days,
      ...betweenValues(between),
      show_on: SHOWN_ON.filter((one) => show_on[one]),
      rows: String(rows),
    };
  },
  fromForm: (entered) => ({
    title: typed(entered, 'title'),
    note: typed(entered, 'note'),
    order: readNumber(typed(entered, 'order')) ?? 0,
    kind: typed(entered, 'kind') || 'drinks',
    on_tap: typed(entered, 'on_tap') === 'true',
    days: ticked(entered, 'days'),
    between: readBetween(entered),
    show_on: Object.fromEntries(SHOWN_ON.map((one) => [one, ticked(entered, 'show_on').includes(one)])),
    rows: readNumber(typed(entered, 'rows')) ?? 2,
  }),
};

const TEXTS = ['name', 'section', 'maker', 'style', 'description', 'allergens_known', 'url'] as const;
const NUMBERS = ['ibu', 'color_ebc'] as const;

export const menuItemForm: ContentForm = {
  toForm(body) {
    const item = body as MenuItemBody;
    const values: FormValues = {
      ...Object.fromEntries(TEXTS.map((name) => [name, item[name]])),
      ...Object.fromEntries(NUMBERS.map((name) => [name, String(item[name] ?? '')])),
      abv: item.abv === null ? '' : typedNumber(item.abv),
      order: String(item.order),
      allergens: item.allergens.map(({ code }) => code),
      ...Object.fromEntries(item.allergens.map(({ code, detail }) => [`detail.${code}`, detail])),
      marks: [...item.marks],
      'picture.id': item.picture ?? '',
    };
    for (const [index, size] of item.sizes.entries()) {
      values[`sizes.${index}.label`] = size.label;
      values[`sizes.${index}.volume_ml`] = String(size.volume_ml ?? '');
      values[`sizes.${index}.price`] = typedPrice(size.price);
      values[`sizes.${index}.member_price`] = typedPrice(size.member_price);
      values[`sizes.${index}.shown`] = String(size.shown);
    }
    return values;
  },
  fromForm(entered, base) {
    const problems: FieldError[] = [];
    const sizes = Array.from({ length: SIZES_AT_MOST }, (_, index) =>
      readSize(entered, `sizes.${index}`, problems),
    );
    if (problems.length > 0) throw badFields(problems);
    const known = typed(entered, 'allergens_known') || 'unknown';
    return {
      ...base,
      ...Object.fromEntries(TEXTS.map((name) => [name, typed(entered, name)])),
      ...Object.fromEntries(NUMBERS.map((name) => [name, readNumber(typed(entered, name))])),
      abv: readDecimal(typed(entered, 'abv')),
      order: readNumber(typed(entered, 'order')) ?? 0,
      allergens_known: known,
      allergens: ALLERGENS.filter((code) => ticked(entered, 'allergens').includes(code)).map((code) => ({
        code,
        // Most details have no field.
        detail: Object.hasOwn(entered, `detail.${code}`)
          ? typed(entered, `detail.${code}`)
          : ((base as MenuItemBody | undefined)?.allergens.find((one) => one.code === code)?.detail ?? ''),
      })),
      marks: ticked(entered, 'marks'),
      sizes: sizes.filter((size) => size !== undefined),
      ...readPicture(entered),
    };
  },
};

export const offerForm: ContentForm = {
  toForm(body) {
    const { title, days, between, from, until, items, sections, prices, percent, rounded } =
      body as OfferBody;
    const values: FormValues = {
      title,
      days,
      ...betweenValues(between),
      from: from ?? '',
      until: until ?? '',
      items,
      sections,
      percent: String(percent ?? ''),
      rounded: String(rounded ?? false),
    };
    for (const [index, { label, price }] of prices.entries()) {
      values[`prices.${index}.label`] = label;
      values[`prices.${index}.price`] = typedPrice(price);
    }
    return values;
  },
  fromForm(entered, base) {
    const problems: FieldError[] = [];
    const count = Math.max(OFFER_PRICES, (base as OfferBody | undefined)?.prices.length ?? 0);
    const prices = Array.from({ length: count }, (_, index) => ({
      label: typed(entered, `prices.${index}.label`),
      price: readTypedPrice(entered, `prices.${index}.price`, problems),
    }));
    if (problems.length > 0) throw badFields(problems);
    return {
      title: typed(entered, 'title'),
      days: ticked(entered, 'days'),
      between: readBetween(entered),
      from: typed(entered, 'from') || null,
      until: typed(entered, 'until') || null,
      items: ticked(entered, 'items'),
      sections: ticked(entered, 'sections'),
      prices: prices.filter(({ label, price }) => label !== '' || price !== null),
      percent: readNumber(typed(entered, 'percent')),
      rounded: typed(entered, 'rounded') === 'true',
    };
  },
};

/** How many prices of sizes the form of an offer has fields for. */
export const OFFER_PRICES = 3;

function betweenValues(between: { from: string; to: string } | null): FormValues {
  return { 'between.from': between?.from ?? '', 'between.to': between?.to ?? '' };
}

function readBetween(entered: Entered): { from: string; to: string } | null {
  const [from, to] = [typed(entered, 'between.from'), typed(entered, 'between.to')];
  return from === '' && to === '' ? null : { from: readTime(from), to: readTime(to) };
}

function readSize(entered: Entered, at: string, problems: FieldError[]) {
  const [label, volume] = [typed(entered, `${at}.label`), typed(entered, `${at}.volume_ml`)];
  const price = readTypedPrice(entered, `${at}.price`, problems);
  const member_price = readTypedPrice(entered, `${at}.member_price`, problems);
  const volume_ml = readTypedVolume(volume, `${at}.volume_ml`, problems);
  if (label === '' && volume === '' && price === null && member_price === null) return undefined;
  return { label, volume_ml, price, member_price, shown: typed(entered, `${at}.shown`) === 'true' };
}

/** Reads a typed volume; what cannot be read is added to the problems. @param given the unit of a number without one */
export function readTypedVolume(
  text: string,
  path: string,
  problems: FieldError[],
  given?: string,
): number | null {
  const read = readVolume(text, 'ml', given);
  if (typeof read !== 'string') return read;
  problems.push(fieldError(path, read, { text: text.slice(0, 20) }));
  return null;
}

/** Reads a typed price; what cannot be read is added to the problems, with what to write instead. */
export function readTypedPrice(entered: Entered, name: string, problems: FieldError[]): number | null {
  const text = typed(entered, name);
  const read = readPrice(text);
  if (typeof read !== 'string') return read.price;
  problems.push(priceError(name, text, read));
  return null;
}

/** The problem of a price that cannot be read. */
export function priceError(
  path: string,
  text: string,
  problem: Extract<ReturnType<typeof readPrice>, string>,
): FieldError {
  const said = text.slice(0, 20);
  if (problem === 'price_decimals') return fieldError(path, problem, { text: said, currency: currency() });
  return problem === 'not_price' ? fieldError(path, problem) : fieldError(path, problem, { text: said });
}

/** A number with a decimal point or comma; other text stays as it is and fails validation later. */
export function readDecimal(text: string): number | string | null {
  if (text === '') return null;
  const plain = text.replace(/ ?%$/, '').replace(',', '.');
  return /^\d{1,3}(\.\d+)?$/.test(plain) ? Number(plain) : text;
}
