import { randomInt } from 'node:crypto';
import type { ElectionJson } from '#voting/elections/elections.ts';

/**
 * The order in which a ballot page shows the options, where the election shuffles them: their places in the display
 * order, from 1. It is drawn for each opening of the page and kept nowhere but in its form: an order that could be
 * computed again later from what is stored would tell whose ballot follows it.
 * @param carried what the form sent, `3,1,2`; anything but an order of all options gives a new one
 * @returns null where the options stand as they are
 */
export function shownOrder(
  { settings, candidates, options = candidates ?? [] }: ElectionJson,
  carried: string,
): number[] | null {
  if (!settings.randomize_order || options.length === 0) return null;
  const places = carried.split(',').map(Number);
  const inOrder = options.map((_, index) => index + 1);
  const isOrder = places.length === inOrder.length && inOrder.every((place) => places.includes(place));
  return isOrder ? places : shuffled(inOrder);
}

/** The items in the order of their places, from 1; as they are without one. */
export function inShownOrder<Item>(items: Item[], places: number[] | null): Item[] {
  return places === null ? items : places.map((place) => items[place - 1]!);
}

/** The items in a random order from the system's random source: every order is as likely. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const pick = randomInt(last + 1);
    [mixed[last], mixed[pick]] = [mixed[pick]!, mixed[last]!];
  }
  return mixed;
}
