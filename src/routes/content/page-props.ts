import type { FastifyRequest } from 'fastify';
import { allergenWords } from '#content/allergens.ts';
import type { ContentDisplay } from '#content/display.ts';
import { typed } from '#content/forms/form.ts';
import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { MENU_SECTION } from '#content/kinds/menu-section.ts';
import { findPicture } from '#content/pictures/pictures.ts';
import { soonestFirst } from '#content/records/columns.ts';
import type { Body, Kind, ListedAt } from '#content/records/kind.ts';
import { listRecords } from '#content/records/reading.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { formatShortNear } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { currency } from '#kernel/money.ts';
import { volumeUnit } from '#kernel/settings/menu.ts';
import { byOrder } from '#kernel/shared/menu-words.js';
import type { Entered } from '#views/components/entered.ts';
import type { EditorProps } from '#views/content/editor.ts';
import type { MenuChoices } from '#views/content/fields/parts.ts';
import type { ListedRecord } from '#views/content/list.ts';
import type { Editor } from './editors.ts';

/** The dependencies of the content pages. */
export interface ContentPages {
  ctx: Context;
  display: ContentDisplay;
}

/** Returns the properties that all pages of an editor share. */
export function editorProps(
  { ctx, display }: ContentPages,
  { identity }: FastifyRequest,
  { words, kind, fields, takesPicture = false, timeless = false, scripts = [], idOf }: Editor,
  values: Entered,
  body?: Body,
): Omit<EditorProps, 'refused'> {
  const picture = findPicture(ctx.db, typed(values, 'picture.id'));
  return {
    identity,
    words,
    labels: kind.labels,
    fields,
    takesPicture,
    timeless,
    scripts,
    idOf,
    values,
    picture: picture && { ...picture, decorative: picture.decorative === 1 },
    tenders: display.listTenders(),
    screens: display.listScreenNames(),
    menu: kind.isOnMenu && readMenuChoices(ctx),
    zone: zoneInWords(body?.zone, ctx.config.TIME_ZONE),
  };
}

/** What can be chosen in the forms of the list of drinks and food: drafts too. */
function readMenuChoices(ctx: Context): MenuChoices {
  const { settings } = ctx.config;
  const all = { limit: 1_000 };
  return {
    sections: listRecords(ctx, MENU_SECTION, all).items.map(({ id, body: { title, kind } }) => ({
      id,
      title,
      kind,
    })),
    items: listRecords(ctx, MENU_ITEM, all).items.map(({ id, body }) => ({ id, name: body.name })),
    allergens: allergenWords(settings),
    currency: currency(),
    columns: settings.price_columns,
  };
}

/** Says in which zone the times of a form are. @param own the zone of the record, if it has one */
export function zoneInWords(own: unknown, house: string): Words {
  const name = (zone: string) => (zone.split('/').at(-1) ?? '').replaceAll('_', ' ');
  return typeof own === 'string' && own !== house
    ? t('content-admin.records.times_those_pubs', { zone: name(own) })
    : t('content-admin.records.times_pubs', { zone: name(house) });
}

/** What the list of a kind is written with. */
export function listedAt({ ctx, display }: ContentPages, kind: Kind): ListedAt {
  const sections = kind.refersTo
    ? listRecords(ctx, MENU_SECTION, { limit: 1_000 }, (a, b) => byOrder(a, b)).items
    : [];
  const names = new Map([
    ...display.listTenders().map(({ id, name }) => [id, name] as const),
    ...sections.map(({ id, body }) => [id, body.title] as const),
  ]);
  const places = new Map(sections.map(({ id }, place) => [id, place]));
  const { TIME_ZONE: zone, settings } = ctx.config;
  return {
    now: ctx.now(),
    zone,
    volumeUnit: volumeUnit(settings),
    nameOf: (id) => names.get(id),
    placeOf: (id) => places.get(id) ?? places.size,
  };
}

/** The order of the list of a kind; undefined for the order of dates and titles. */
export function orderOf<B extends Body>(
  kind: Kind<B>,
  about: ListedAt,
): ((a: B, b: B) => number) | undefined {
  const { ordered } = kind;
  return ordered ? (a, b) => ordered.compare(a, b, about) : soonestFirst(kind, about);
}

/** The cells of a record in the list of its kind. */
export const cellsOf = ({ columns }: Kind, body: Body, about: ListedAt): ListedRecord['cells'] =>
  columns.map(({ words, below, leads }) => ({
    words: words(body, about),
    below: below?.(body, about) ?? '',
    leads: leads === true,
  }));

/** Formats an ISO time for reading. */
export const whenOf = ({ config, now }: Context, iso: string): Words =>
  formatShortNear(Date.parse(iso), now(), config.TIME_ZONE);

/** Says when a record was changed, and by whom. */
export function changedBy(ctx: Context, record: { changed_at: string; changed_by: string | null }): Words {
  const when = whenOf(ctx, record.changed_at);
  return record.changed_by === null
    ? when
    : t('content-admin.records.when_by', { when, by: record.changed_by });
}
