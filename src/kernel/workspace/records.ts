import { z } from 'zod';
import { workspaceId } from '#kernel/environment/checks.ts';
import { parseTimestamp, startOfDate } from '#kernel/local-time.ts';
import type { WorkspacePage } from './client.ts';

/** A property of a record: the names it may have, preferred ones first, and the preferred types. */
export interface RecordProperty {
  /** Letter case, spaces and punctuation do not matter. */
  names: readonly string[];
  /** Suitable types; readers also accept others with the same meaning. */
  types: readonly string[];
  /** Without it the record cannot be shown. */
  needed?: boolean;
}

/** A date as the workspace writes it: `2026-11-21` or an ISO timestamp; `end` only for a range. */
export interface WorkspaceDate {
  start: string;
  end: string | undefined;
}

/** A date as instants. An all-day one lasts to the midnight after its last day; otherwise `end` is as given. */
export interface WorkspaceSpan {
  start: number;
  end: number | undefined;
  allDay: boolean;
}

/** A file on a page. The address of an uploaded one lasts about an hour. */
export interface WorkspaceFile {
  name: string;
  url: string;
}

const TEXT = ['rich_text', 'title', 'select', 'status', 'multi_select', 'formula', 'rollup'];
const DATE = ['date', 'formula', 'rollup'];
const NUMBER = ['number', 'formula', 'rollup'];
const FLAG = ['checkbox', 'formula', 'rollup'];
const CONTACT = ['url', 'email', 'phone_number', ...TEXT];
const needed = true;

const ON_TV = { names: ['Include on Pub TV', 'Pub TV', 'On Pub TV', 'Show on TV'], types: FLAG };
const NAME = { names: ['Name', 'Title', 'Full Name'], types: ['title', ...TEXT] };
const IMAGE_TYPES = ['files', 'url'];
/** The properties that events on the screens and entries of the programme have in common. */
const HAPPENING = {
  name: NAME,
  start: { names: ['Event Start', 'Start', 'Event Date', 'Date', 'When'], types: DATE, needed },
  end: { names: ['Event End', 'End'], types: DATE },
  hours: { names: ['Duration Hours', 'Duration (hours)', 'Hours', 'Duration'], types: NUMBER },
  description: { names: ['Description', 'Details', 'Content', 'About'], types: TEXT },
  url: { names: ['URL', 'Link', 'Website'], types: ['url', ...TEXT] },
};

/** Every property that is read from the workspace, by record. */
export const RECORDS = {
  event: {
    ...HAPPENING,
    location: { names: ['Location', 'Where', 'Venue', 'Room'], types: TEXT, needed },
    onTv: { ...ON_TV, needed },
    tag: { names: ['RC Tag', 'RC', 'Tag'], types: TEXT },
  },
  announcement: {
    name: NAME,
    onTv: { ...ON_TV, needed },
    content: { names: ['Content', 'Text', 'Body', 'Message'], types: TEXT },
    priority: { names: ['Priority'], types: TEXT },
    duration: { names: ['Duration', 'Duration Seconds', 'Seconds'], types: NUMBER },
    image: { names: ['Image', 'Picture', 'Photo', 'Poster'], types: IMAGE_TYPES },
    showFrom: { names: ['Show From', 'Start', 'From'], types: DATE },
    showUntil: { names: ['Show Until', 'End', 'Until'], types: DATE },
  },
  shift: {
    name: NAME,
    shift: { names: ['Shift', 'Shift Time', 'Shift Date', 'Date', 'When'], types: DATE, needed },
    hours: { names: ['Operating Hours', 'Pub Hours', 'Opening Hours', 'Hours'], types: DATE },
    assignments: { names: ['Assignments', 'Assignment', 'Shift Assignments'], types: ['relation', 'rollup'] },
    tenders: {
      names: ['Tenders', 'Tender', 'Pub Tenders', 'Bartenders', 'Staff'],
      types: ['relation', 'rollup'],
    },
  },
  assignment: {
    tender: {
      names: ['Tender', 'Tenders', 'Pub Tender', 'Bartender', 'Person'],
      types: ['relation', 'rollup'],
      needed,
    },
  },
  tender: {
    name: NAME,
    active: { names: ['Active', 'Is Active'], types: FLAG, needed },
    meet: { names: ['Meet your Tender', 'Meet the Tender'], types: FLAG },
    showProfile: { names: ['Show Profile'], types: FLAG },
    bio: { names: ['Bio', 'Biography', 'About'], types: TEXT },
    paymentA: { names: ['Payment A', 'Payment 1'], types: CONTACT },
    paymentB: { names: ['Payment B', 'Payment 2'], types: CONTACT },
    photo: { names: ['Photo', 'Image', 'Picture', 'Headshot'], types: IMAGE_TYPES },
    qr: { names: ['QR', 'QR Code', 'QR Image'], types: IMAGE_TYPES },
    url: { names: ['Profile URL', 'Profile', 'URL', 'Website'], types: ['url', ...TEXT] },
  },
  program: {
    ...HAPPENING,
    location: { names: ['Location', 'Where', 'Venue', 'Room'], types: TEXT },
    status: { names: ['Status', 'State'], types: TEXT },
  },
} satisfies Record<string, Record<string, RecordProperty>>;

/** The text of a property, whatever its type; several values are joined with `, `. Empty when there is none. */
export function readText(page: WorkspacePage, property: RecordProperty): string {
  return (
    firstOf(page, property, (values) => values.map(textOf).filter(Boolean).join(', ') || undefined) ?? ''
  );
}

/** A date, also from a formula, a rollup or an ISO text. */
export function readDate(page: WorkspacePage, property: RecordProperty): WorkspaceDate | undefined {
  return firstOf(page, property, (values) => firstDefined(values, dateOf));
}

/** A number, also one written as a text: `2.5`, `2,5`, `2.5 hours`. */
export function readNumber(page: WorkspacePage, property: RecordProperty): number | undefined {
  return firstOf(page, property, (values) => firstDefined(values, numberOf));
}

/** A checkbox, also a number that is not 0 or a word such as `Yes`. False when there is none. */
export function readFlag(page: WorkspacePage, property: RecordProperty): boolean {
  const decided = firstOf(page, property, (values) => {
    const said = values.filter((one) => typeof one.value === 'boolean' || textOf(one) !== '');
    return said.length > 0 ? said.some(flagOf) : undefined;
  });
  return decided ?? false;
}

/** The ids of related pages, 32 digits each. A page object contains 25 at most. */
export function readRelations(page: WorkspacePage, property: RecordProperty): string[] {
  const found = firstOf(page, property, (values) => {
    const ids = values.flatMap(({ type, value }) => (type === 'relation' ? idsOf(value) : []));
    return ids.length > 0 ? [...new Set(ids)] : undefined;
  });
  return found ?? [];
}

/** The files of a property; an address counts as a file. */
export function readFiles(page: WorkspacePage, property: RecordProperty): WorkspaceFile[] {
  const found = firstOf(page, property, (values) => {
    const files = values.flatMap(filesOf);
    return files.length > 0 ? files : undefined;
  });
  return found ?? [];
}

/** An http or https address. */
export function readUrl(page: WorkspacePage, property: RecordProperty): string | undefined {
  return firstOf(page, property, (values) => firstDefined(values, (value) => webAddress(textOf(value))));
}

/** The address in the first property of type URL whose name is not among those of `except`. */
export function firstUrl(page: WorkspacePage, except: readonly RecordProperty[] = []): string | undefined {
  const taken = new Set(except.flatMap(({ names }) => names.map(plainName)));
  for (const [name, property] of Object.entries(page.properties)) {
    if (property.type !== 'url' || taken.has(plainName(name))) continue;
    const url = firstDefined(valuesOf(property), (value) => webAddress(textOf(value)));
    if (url) return url;
  }
  return undefined;
}

/** Converts a date to instants in a zone; undefined when it cannot be read or ends before it starts. */
export function spanOf(date: WorkspaceDate, zone: string): WorkspaceSpan | undefined {
  const allDay = isDateOnly(date.start);
  const start = startOf(date.start, zone);
  const end = endOf(date.end ?? (allDay ? date.start : undefined), zone);
  if (start === undefined || (end !== undefined && end < start)) return undefined;
  return { start, end, allDay };
}

/** Whether a date is a whole day. */
export const isDateOnly = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** When a date begins: for a day, its midnight. */
export function startOf(text: string, zone: string): number | undefined {
  return isDateOnly(text) ? startOfDate(text, zone) : parseTimestamp(text, zone);
}

/** When a date is over: for a day, the midnight after it. */
export function endOf(text: string | undefined, zone: string): number | undefined {
  if (text === undefined) return undefined;
  return isDateOnly(text) ? startOfDate(text, zone, 1) : parseTimestamp(text, zone);
}

/** Finds the name of a property among these names; returned as it is spelled there. */
export function findName(names: readonly string[], { names: wanted }: RecordProperty): string | undefined {
  return firstDefined(wanted, (alias) => names.find((name) => plainName(name) === plainName(alias)));
}

interface Value {
  type: string;
  value: unknown;
}

/** Returns the value of the first name whose property has one. */
function firstOf<T>(
  page: WorkspacePage,
  { names }: RecordProperty,
  read: (values: Value[]) => T | undefined,
): T | undefined {
  const properties = Object.entries(page.properties).map(([name, one]) => [plainName(name), one] as const);
  return firstDefined(names, (alias) => {
    const [, property] = properties.find(([name]) => name === plainName(alias)) ?? [];
    return property ? read(valuesOf(property)) : undefined;
  });
}

/** The plain values of a property: the result of a formula, each value of a rollup. */
function valuesOf(property: unknown, depth = 0): Value[] {
  const { data } = Typed.safeParse(property);
  if (!data || depth > 3) return [];
  const { type } = data;
  const value = data[type];
  if (type === 'formula' || type === 'rollup') return valuesOf(value, depth + 1);
  if (type === 'array' && Array.isArray(value)) return value.flatMap((one) => valuesOf(one, depth + 1));
  return [{ type, value }];
}

function textOf({ value }: Value): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  const text = Parts.safeParse(value)
    .data?.map((part) => part.plain_text)
    .join('');
  if (text) return text.trim();
  const named = Named.safeParse(value).data?.name ?? NamedList.safeParse(value).data?.map(({ name }) => name);
  return named ? [named].flat().join(', ') : (DateShape.safeParse(value).data?.start ?? '');
}

function dateOf(value: Value): WorkspaceDate | undefined {
  const { data } = DateShape.safeParse(value.value);
  if (data) return { start: data.start, end: data.end ?? undefined };
  const text = textOf(value);
  return /^\d{4}-\d{2}-\d{2}(?:$|[T ]\d)/.test(text) ? { start: text, end: undefined } : undefined;
}

function numberOf(value: Value): number | undefined {
  const [, digits] = /^(-?\d+(?:[.,]\d+)?)\s*\p{L}*\.?$/u.exec(textOf(value)) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}

function flagOf(value: Value): boolean {
  if (typeof value.value === 'boolean') return value.value;
  return (numberOf(value) ?? 0) !== 0 || /^(yes|true|on|x|✓|✔|✅|checked|active)$/i.test(textOf(value));
}

function idsOf(value: unknown): string[] {
  return (Ids.safeParse(value).data ?? []).flatMap(({ id }) => workspaceId(id) ?? []);
}

function filesOf(value: Value): WorkspaceFile[] {
  const { data } = Files.safeParse(value.value);
  if (!data) {
    const url = webAddress(textOf(value));
    return url ? [{ name: '', url }] : [];
  }
  return data.flatMap(({ name, file, external }) => {
    const url = webAddress(file?.url ?? external?.url ?? '');
    return url ? [{ name, url }] : [];
  });
}

function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}

function firstDefined<Item, T>(items: readonly Item[], read: (item: Item) => T | undefined): T | undefined {
  for (const item of items) {
    const found = read(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const Typed = z.looseObject({ type: z.string() });
const Parts = z.array(z.object({ plain_text: z.string() })).min(1);
const Named = z.object({ name: z.string() });
const NamedList = z.array(Named).min(1);
const DateShape = z.object({ start: z.string(), end: z.string().nullish() });
const Ids = z.array(z.object({ id: z.string() }));
const Address = z.object({ url: z.string() }).optional();
const Files = z.array(z.object({ name: z.string().default(''), file: Address, external: Address })).min(1);
