import { randomInt } from 'node:crypto';
import type { ElectionJson } from '#voting/elections/elections.ts';

/**
 * Returns the order in which a ballot page shows the options of an election that shuffles them, as places in the
 * display order, from 1. A new random order is drawn each time the page is opened, and only its form carries it: an
 * order that could be computed again from stored data would show whose ballot follows it.
 * @param carried the order that the form sent, `3,1,2`; a new one is drawn unless it lists every option
 * @returns null if the election does not shuffle its options
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

/** Returns the items in the order of `places`, which count from 1; unchanged without places. */
export function inShownOrder<Item>(items: Item[], places: number[] | null): Item[] {
  return places === null ? items : places.map((place) => items[place - 1]!);
}

/** Returns the items in a random order from the system's random source; every order is equally likely. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const pick = randomInt(last + 1);
    [mixed[last], mixed[pick]] = [mixed[pick]!, mixed[last]!];
  }
  return mixed;
}
