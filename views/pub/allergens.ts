import { ALLERGEN_LINE, ALLERGEN_WORDS } from '#content/allergens.ts';
import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { ownValue } from '#kernel/own-value.ts';
import { ALLERGEN_LETTERS } from '#kernel/shared/menu-words.js';
import type { Menu, MenuItem } from '#pub/menu/list.ts';

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

/** The word for an allergen: that of the club, or the usual one, which each reader reads in their language. */
export const allergenWord = ({ code, word }: { code: string; word: string }): Words | string => {
  const usual = ownValue(ALLERGEN_WORDS, code);
  return usual && forClub(usual) === word ? usual : word;
};

/** The sentence below a list, in the same way. */
export const allergenLine = ({ allergenLine: line }: Pick<Menu, 'allergenLine'>): Words | string =>
  forClub(ALLERGEN_LINE) === line ? ALLERGEN_LINE : line;

/** What the letters of a list mean, in their order: `A Gluten, ? ask us`; undefined if nothing is known of any item. */
export function allergenLegend(items: readonly Pick<MenuItem, 'allergens'>[]): Words | undefined {
  if (items.every(({ allergens }) => allergens === null)) return undefined;
  const known = new Map(
    items.flatMap(({ allergens }) => (allergens ?? []).map((one) => [letterOf(one.code), allergenWord(one)])),
  );
  const lines = [...known]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([letter, word]) => html`${letter} ${word}`);
  return commas([
    ...lines,
    items.some(({ allergens }) => allergens === null) && t('pub.allergens.ask_us', { sign: UNKNOWN }),
  ]);
}
