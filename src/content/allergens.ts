import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { ALLERGENS, type Allergen } from '#kernel/settings/menu.ts';
import type { Settings } from '#kernel/settings/settings.ts';

/** The usual words for allergens; each reader reads them in their language. */
export const ALLERGEN_WORDS: Readonly<Record<Allergen, Words>> = {
  gluten: t('pub.allergen.gluten'),
  crustaceans: t('pub.allergen.crustaceans'),
  eggs: t('pub.allergen.eggs'),
  fish: t('pub.allergen.fish'),
  peanuts: t('pub.allergen.peanuts'),
  soya: t('pub.allergen.soya'),
  milk: t('pub.allergen.milk'),
  nuts: t('pub.allergen.nuts'),
  celery: t('pub.allergen.celery'),
  mustard: t('pub.allergen.mustard'),
  sesame: t('pub.allergen.sesame'),
  sulphites: t('pub.allergen.sulphites'),
  lupin: t('pub.allergen.lupin'),
  molluscs: t('pub.allergen.molluscs'),
};

/** The usual sentence below a list: information by word of mouth needs a sign. */
export const ALLERGEN_LINE = t('pub.allergen.line');

/** The words for the allergens as the club writes them, else in its language. */
export const allergenWords = (settings: Settings): Readonly<Record<Allergen, string>> =>
  Object.fromEntries(
    ALLERGENS.map((code) => [code, settings[`allergen_words.${code}`] ?? forClub(ALLERGEN_WORDS[code])]),
  ) as Record<Allergen, string>;
