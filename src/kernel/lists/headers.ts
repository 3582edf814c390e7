/** A header of a column, reduced to its letters and digits without accents. */
export const headerKey = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const WHOSE =
  '(?:primary|main|work|business|home|personal|private|other|partner|privat|dienstlich|geschaftlich|prive|professionnel|personnel|zakelijk|lavoro|casa|trabajo|\\d)*';
const NAMES = [
  '(?:e?mails?|courriel|correo)(?:addresses|address|adressen|adresse|adres)?',
  'adresse(?:de)?(?:courriel|e?mail|electronique|messagerie)',
  '(?:direccionde)?correo(?:electronico)?',
  'indirizzo(?:e?mail|dipostaelettronica)',
  'postaelettronica',
  'address(?:es)?',
];

/** `E-mail 1 - Value`, `E-mail 2 Address`, `Email (home)`, and the words of the languages of the product. */
const EMAIL = new RegExp(`^${WHOSE}(?:${NAMES.join('|')})${WHOSE}(?:value|address|adresse)?$`);

/** Whether a column holds e-mail addresses, by its header. */
export const isEmailHeader = (header: string): boolean => EMAIL.test(headerKey(header));
