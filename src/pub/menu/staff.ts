import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { compareNames } from '#kernel/locale.ts';
import { readMenu } from './facts.ts';
import { stockAt } from './stock.ts';
import { type TapJson, tapJson } from './taps.ts';

/** A drink as staff choose it for a tap. */
export interface Drink {
  id: string;
  name: string;
}

export interface StaffTap extends TapJson {
  item: string | null;
  next: string | null;
}

export interface StaffItem extends Drink {
  section: string;
  state: 'on' | 'last' | 'out';
  /** ISO 8601. */
  until: string | null;
}

/** The taps and the rest of the published list, for those who say what can be had. */
export interface StaffMenu {
  taps: StaffTap[];
  /** What can be connected to a tap. */
  drinks: Drink[];
  /** What is not sold from taps, by section and name. */
  items: StaffItem[];
}

/** Reads what staff see of the list; null while nothing is published and there is no tap. */
export function readStaffMenu(ctx: Context): StaffMenu | null {
  const { sections, items, taps, stock } = readMenu(ctx);
  if (items.length === 0 && taps.length === 0) return null;
  const now = ctx.now();
  const nameOf = (id: string | null) => items.find((item) => item.id === id)?.body.name ?? null;
  const onTap = new Set(sections.filter(({ body }) => body.on_tap).map(({ id }) => id));
  const isDrawn = (section: string) => onTap.has(section);
  const byName = (a: Drink, b: Drink) => compareNames(a.name, b.name);
  return {
    taps: taps.map((row) => ({
      ...tapJson(row.tap, row),
      item: nameOf(row.item_id),
      next: nameOf(row.next_item_id),
    })),
    drinks: items
      .filter(({ body }) => isDrawn(body.section))
      .map(({ id, body }) => ({ id, name: body.name }))
      .sort(byName),
    items: sections.flatMap(({ id: section, body: { title } }) =>
      isDrawn(section)
        ? []
        : items
            .filter(({ body }) => body.section === section)
            .map(({ id, body: { name } }) => {
              const { state, until } = stockAt(stock.get(id), now);
              return { id, name, section: title, state, until: until === null ? null : isoTime(until) };
            })
            .sort(byName),
    ),
  };
}
