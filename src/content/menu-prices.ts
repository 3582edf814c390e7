import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { conflict } from '#kernel/http/errors.ts';
import { listOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { compareNames, forClub } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';
import { PRICE_AT_MOST } from '#kernel/money.ts';
import { isSameName } from '#kernel/names.ts';
import { MENU_SETTINGS } from '#kernel/settings/menu.ts';
import type { Settings } from '#kernel/settings/settings.ts';
import { MENU_ITEM, type MenuItemBody } from './kinds/menu-item.ts';
import { MENU_SECTION } from './kinds/menu-section.ts';
import { recordId } from './records/fields.ts';
import { readBody } from './records/kind.ts';
import { getRevision, getVersion, listRecords } from './records/reading.ts';
import { announcePublished, getPresent } from './records/records.ts';
import { storeChanged } from './records/storing.ts';
import { sizeKey } from './volumes.ts';

/** The headings of the two columns of prices; one that the club has not named has its name in the club's language. */
export function priceNames(settings: Settings): { members: string; guests: string } {
  const name = (who: 'members' | 'guests', usual: Words) => {
    const own = settings[`price_names.${who}`];
    return own === MENU_SETTINGS[`price_names.${who}`].usual ? forClub(usual) : own;
  };
  return {
    members: name('members', t('pub.price_names.members')),
    guests: name('guests', t('pub.price_names.guests')),
  };
}

/** The prices of an item, in its newest version. */
export interface ItemPrices {
  id: string;
  name: string;
  version: number;
  section: string;
  /** Whether its newest version is not published. */
  isDraft: boolean;
  sizes: { label: string; volume_ml: number | null; price: number | null; member_price: number | null }[];
}

/** Lists all sizes with their prices, in the order of the list. */
export function listPrices(ctx: Context): ItemPrices[] {
  const all = { limit: 1_000 };
  const sections = listRecords(ctx, MENU_SECTION, all).items.sort((a, b) => a.body.order - b.body.order);
  const items = listRecords(ctx, MENU_ITEM, all).items.sort(
    (a, b) => a.body.order - b.body.order || compareNames(a.body.name, b.body.name),
  );
  return sections.flatMap(({ id: section, body: { title } }) =>
    items
      .filter(({ body }) => body.section === section && body.sizes.length > 0)
      .map(({ id, version, state, body: { name, sizes } }) => ({
        id,
        name,
        version,
        section: title,
        isDraft: state !== 'published',
        sizes: pricesOf(sizes),
      })),
  );
}

/** The prices of an item in one of its versions. @throws 404 if it is not kept */
export const pricesIn = (ctx: Context, id: string, version: number): ItemPrices['sizes'] =>
  pricesOf(getVersion(ctx, MENU_ITEM, id, version).sizes);

const pricesOf = (sizes: MenuItemBody['sizes']): ItemPrices['sizes'] =>
  sizes.map(({ label, volume_ml, price, member_price }) => ({ label, volume_ml, price, member_price }));

const price = z
  .int(coded('not_minor_units'))
  .min(0, coded('not_minor_units'))
  .max(PRICE_AT_MOST, coded('not_minor_units'))
  .nullable();

/** New prices; sizes and items that are left out stay as they are. */
export const PricesInput = z.object({
  items: listOf(
    z.object({
      id: recordId,
      version: z.int(coded('invalid_version')).min(1, coded('invalid_version')),
      sizes: listOf(
        z.object({
          label: z.string().max(20),
          /** Tells sizes without a word apart. */
          volume_ml: z.int().nullable().default(null),
          price: price.optional(),
          member_price: price.optional(),
        }),
        5,
      ),
    }),
    300,
  ),
});

/**
 * Changes prices, all or none. What is published is published with its new prices; a draft stays one.
 * @throws 404; 409 with `conflicts` if somebody has changed one of the items since its version
 */
export async function changePrices(
  ctx: Context,
  { items }: z.output<typeof PricesInput>,
  actor: Actor,
): Promise<{ changed: number; drafts: number }> {
  const done = await ctx.write((tx) => {
    const rows = items.map(({ id, version, sizes }) => {
      const row = getPresent(tx, MENU_ITEM, id, actor);
      const before = readBody(MENU_ITEM, getRevision(tx, row.id, row.version).body);
      return { row, before, version, body: withPrices(before, sizes) };
    });
    const changes = rows.filter(({ before, body }) => JSON.stringify(before) !== JSON.stringify(body));
    const late = changes.filter(({ row, version }) => row.version !== version);
    if (late.length > 0) {
      const conflicts = late.map(({ row, before: { name } }) => ({ id: row.id, name, version: row.version }));
      throw conflict(
        'prices_changed',
        { names: conflicts.map(({ name }) => name) },
        { extra: { conflicts } },
      );
    }
    const stored = changes.map(({ row, before, body }) =>
      storeChanged(
        tx,
        MENU_ITEM,
        row,
        { before, body, publish: row.published_version === row.version },
        actor,
      ),
    );
    const shown = stored.filter((one) => one.shown).length;
    if (stored.length > 0)
      recordAudit(tx, actor, {
        action: 'menu.prices_changed',
        metadata: { items: stored.length, published: shown },
      });
    return { changed: stored.length, drafts: stored.length - shown, shown };
  });
  if (done.shown > 0) announcePublished(ctx, MENU_ITEM);
  return { changed: done.changed, drafts: done.drafts };
}

/** Whether a size that a request names is meant; without its volume a size without a word is meant if it is the only one. */
function isSize(
  given: Pick<MenuItemBody['sizes'][number], 'label' | 'volume_ml'>,
  size: MenuItemBody['sizes'][number],
  all: MenuItemBody['sizes'],
): boolean {
  if (given.label !== '') return isSameName(given.label, size.label) || sizeKey(given) === sizeKey(size);
  if (given.volume_ml !== null) return sizeKey(given) === sizeKey(size);
  return size.label === '' && all.filter(({ label }) => label === '').length === 1;
}

type NewPrices = z.output<typeof PricesInput>['items'][number]['sizes'];

function withPrices(body: MenuItemBody, given: NewPrices): MenuItemBody {
  const sizes = body.sizes.map((size) => {
    const found = given.find((one) => isSize(one, size, body.sizes));
    const { price = size.price, member_price = size.member_price } = found ?? {};
    return { ...size, price, member_price };
  });
  return { ...body, sizes };
}
