import { ALLERGEN_LETTERS } from '#kernel/shared/menu-words.js';
import type { MenuItem } from '#pub/menu/list.ts';

/** What stands for allergens that nobody has entered, in a list that has some. */
const UNKNOWN = '?';

const letterOf = (code: string): string => ALLERGEN_LETTERS[code as keyof typeof ALLERGEN_LETTERS] ?? '';

/**
 * The letters of the allergens of an item, with what was entered about them: `A wheat, G`. Empty for one that has none.
 * @param isAnyKnown whether anything is known of any item of the list; otherwise one sentence below it is enough
 */
export function allergenLetters({ allergens }: Pick<MenuItem, 'allergens'>, isAnyKnown: boolean): string {
  if (allergens === null) return isAnyKnown ? UNKNOWN : '';
  return allergens.map(({ code, detail }) => [letterOf(code), detail].filter(Boolean).join(' ')).join(', ');
}

/** What the letters of a list mean, in their order: `A Gluten`, `? ask us`; empty if nothing is known of any item. */
export function allergenLegend(items: readonly Pick<MenuItem, 'allergens'>[]): string[] {
  if (items.every(({ allergens }) => allergens === null)) return [];
  const known = new Map(
    items.flatMap(({ allergens }) => (allergens ?? []).map(({ code, word }) => [letterOf(code), word])),
  );
  const lines = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([letter, word]) => `${letter} ${word}`);
  return items.some(({ allergens }) => allergens === null) ? [...lines, `${UNKNOWN} ask us`] : lines;
}
