import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { MENU_SECTION } from '#content/kinds/menu-section.ts';
import type { Body, Kind } from '#content/records/kind.ts';
import { listRecords } from '#content/records/reading.ts';
import { announcePublished, getPresent } from '#content/records/records.ts';
import { storeChanged } from '#content/records/storing.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';

/** The kinds whose records officers move up and down. */
export const MOVED_KINDS = [MENU_ITEM, MENU_SECTION] as readonly Kind[];

/**
 * Moves an item within its section, or a section within the list, by one place. What is published is published with its new
 * place; a draft stays one.
 * @returns whether it moved: the first one cannot go up
 * @throws 404; 409 for a removed record
 */
export async function moveOnMenu(
  ctx: Context,
  kind: Kind,
  id: string,
  to: 'up' | 'down',
  actor: Actor,
): Promise<{ moved: boolean }> {
  const done = await ctx.write((tx) => {
    const own = getPresent(tx, kind, id, actor).id;
    const reading = { db: tx, now: ctx.now } as unknown as Context;
    const all = listRecords(reading, kind, { limit: 1_000 }, (a, b) => compareWithin(kind, a, b)).items;
    const group = groupOf(kind, all.find((one) => one.id === own)?.body ?? {});
    const some = all.filter(({ body }) => groupOf(kind, body) === group);
    const at = some.findIndex((one) => one.id === own);
    const other = at + (to === 'up' ? -1 : 1);
    if (!some[at] || !some[other]) return { moved: false, shown: false };
    [some[at], some[other]] = [some[other], some[at]];
    const stored = some.flatMap(({ id: record, body }, order) => {
      if (body.order === order) return [];
      const row = getPresent(tx, kind, record, actor);
      const publish = row.published_version === row.version;
      return [storeChanged(tx, kind, row, { before: body, body: { ...body, order }, publish }, actor)];
    });
    return { moved: true, shown: stored.some(({ shown }) => shown) };
  });
  if (done.shown) announcePublished(ctx, kind);
  return { moved: done.moved };
}

const groupOf = ({ ordered }: Kind, body: Body): string => ordered?.group(body) ?? '';

const compareWithin = ({ ordered }: Kind, a: Body, b: Body): number => ordered?.compare(a, b, NOWHERE) ?? 0;

/** Sections are not compared with each other here. */
const NOWHERE = { placeOf: () => 0 };
