// Words and order of the list of drinks and food, on screens and on pages alike. Modules in this folder run in browsers too: they
// import nothing and use nothing of Node.

/**
 * The letters by which lists name the allergens, as houses in Austria use them; they mean the same everywhere, and their words
 * stand below the list.
 */
export const ALLERGEN_LETTERS = {
  gluten: 'A',
  crustaceans: 'B',
  eggs: 'C',
  fish: 'D',
  peanuts: 'E',
  soya: 'F',
  milk: 'G',
  nuts: 'H',
  celery: 'L',
  mustard: 'M',
  sesame: 'N',
  sulphites: 'O',
  lupin: 'P',
  molluscs: 'R',
};

const VOLUME_IN_LABEL = /[\d½⅓⅔¼¾]\s*(?:ml|cl|dl|l|oz)\b|\bpints?\b/i;

/**
 * The name of a size, with its volume unless the name says it: by the same number, or by a number with a unit; empty for
 * a size without a word, such as a dish. A half
 * is half a pint where volumes are in pints, and otherwise half of anything.
 * @param {{ label: string, volumeText: string }} size
 */
export function sizeWords({ label, volumeText }) {
  const [number = ''] = volumeText.split(' ');
  const isSaid =
    VOLUME_IN_LABEL.test(label) ||
    label.split(/\s/).includes(number) ||
    (/^half$/i.test(label) && number === '½');
  if (label === '' || volumeText === '') return label || volumeText;
  return isSaid ? label : `${label} ${volumeText}`;
}

/**
 * A strength as a locale writes it: `5.1%`, `5,1 %`.
 * @param {number} abv per cent by volume
 * @param {string} locale
 */
export function strengthWords(abv, locale) {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(abv / 100);
}

/**
 * Compares sections of the list: in the order of the club, at the same place by their titles.
 * @param {{ order: number, title: string }} a
 * @param {{ order: number, title: string }} b
 */
export const byOrder = (a, b) => a.order - b.order || (a.title < b.title ? -1 : 1);
