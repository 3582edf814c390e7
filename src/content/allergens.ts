import { ALLERGENS, type Allergen } from '#kernel/settings/menu.ts';
import type { Settings } from '#kernel/settings/settings.ts';

/** The usual words for allergens. */
export const ALLERGEN_WORDS: Readonly<Record<Allergen, string>> = {
  gluten: 'Gluten',
  crustaceans: 'Crustaceans',
  eggs: 'Eggs',
  fish: 'Fish',
  peanuts: 'Peanuts',
  soya: 'Soya',
  milk: 'Milk',
  nuts: 'Nuts',
  celery: 'Celery',
  mustard: 'Mustard',
  sesame: 'Sesame',
  sulphites: 'Sulphites',
  lupin: 'Lupin',
  molluscs: 'Molluscs',
};

/** The usual sentence below a list: information by word of mouth needs a sign. */
export const ALLERGEN_LINE = 'Ask us about allergens.';

/** The words for the allergens as the club writes them. */
export const allergenWords = (settings: Settings): Readonly<Record<Allergen, string>> =>
  Object.fromEntries(
    ALLERGENS.map((code) => [code, settings[`allergen_words.${code}`] ?? ALLERGEN_WORDS[code]]),
  ) as Record<Allergen, string>;
