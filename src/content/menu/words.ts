import { ALLERGEN_WORDS } from '#content/allergens.ts';
import { MARK_WORDS, MARKS, type Mark } from '#content/kinds/menu-item.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { headerKey } from '#kernel/lists/headers.ts';
import { ALLERGENS, type Allergen } from '#kernel/settings/menu.ts';
import { ALLERGEN_LETTERS } from '#kernel/shared/menu-words.js';

/** A word without accents, capitals and everything that is no letter or digit. */
const keyOf = (text: string): string => headerKey(text).replaceAll('ß', 'ss').replaceAll('œ', 'oe');

const ENGLISH_WORDS = Object.fromEntries(
  ALLERGENS.map((code) => [code, ALLERGEN_WORDS[code].for(ENGLISH)]),
) as Readonly<Record<Allergen, string>>;

/** Words for the allergens in English, German, French, Spanish, Dutch and Italian: those that mean the whole group. */
const GROUP_WORDS: Readonly<Record<Allergen, string>> = {
  gluten:
    'gluten glutenhaltig glutenhaltigesgetreide getreide cereals cerealscontaininggluten cereales granen cereali glutine glutinecereali',
  crustaceans: 'crustaceans crustacean krebstiere krebs crustaces crustace crustaceos schaaldieren crostacei',
  eggs: 'eggs egg eier ei oeuf oeufs huevo huevos eieren uovo uova',
  fish: 'fish fisch fische poisson poissons pescado vis pesce',
  peanuts: 'peanuts peanut erdnuss erdnusse arachide arachides cacahuete cacahuetes pinda pindas arachidi',
  soya: 'soya soy soja sojabohnen soybeans soia',
  milk: 'milk dairy milch milcherzeugnisse milchprodukte lait laitages leche lacteos lacteo melk zuivel latte',
  nuts:
    'nuts nut treenuts treenut nusse nuss schalenfruchte noix fruitsacoque fruitacoque frutosdecascara frutossecos ' +
    'frutosconcascara noten noot schaalvruchten fruttaaguscio fruttaguscio noci',
  celery: 'celery sellerie celeri apio selderij selderie sedano',
  mustard: 'mustard senf moutarde mostaza mosterd senape',
  sesame: 'sesame sesam sesamsamen graindesesame grainesdesesame sesamo sesamzaad',
  sulphites:
    'sulphites sulphite sulfites sulfite sulfit schwefeldioxid schwefeldioxidundsulfite sulphurdioxide sulfurdioxide ' +
    'anhydridesulfureux sulfitos sulfieten sulfiet solfiti anidridesolforosa so2 enthaltsulfite containssulphites',
  lupin: 'lupin lupine lupinen lupins altramuces altramuz lupini lupino',
  molluscs:
    'molluscs mollusc mollusks weichtiere mollusken mollusques mollusque moluscos moluscos weekdieren molluschi',
};

/** Words that name one of a group: they are its detail, too. */
const KIND_WORDS: Partial<Record<Allergen, string>> = {
  gluten:
    'weizen gerste roggen hafer dinkel weizenmalz gerstenmalz wheat barley rye oats oat spelt ble froment orge seigle avoine ' +
    'epeautre trigo cebada centeno avena espelta tarwe gerst rogge haver frumento grano orzo segale farro',
  crustaceans:
    'garnelen garnele shrimps shrimp prawns prawn crevettes crevette gambas gamba garnalen gamberi scampi',
  milk: 'laktose lactose lattosio lactosa',
  nuts:
    'mandeln mandel haselnuss haselnusse walnuss walnusse cashew cashews cashewkerne pistazien pecannusse paranusse ' +
    'almonds almond hazelnuts hazelnut walnuts walnut pistachios pecans amandes amande noisettes noisette pistaches ' +
    'almendras avellanas nueces pistachos amandelen hazelnoten walnoten mandorle nocciole pistacchi',
};

const NONE = new Set(
  'none keine keins keineallergene noallergens aucun aucune ninguno ninguna geen nessuno nessuna なし'.split(
    ' ',
  ),
);

/** Cells that say nothing. */
const EMPTY = /^[-–—.?/]*$|^(n\/a|na|k\. ?a\.?)$/i;

const lookUp = (words: Partial<Record<Allergen, string>>): ReadonlyMap<string, Allergen> =>
  new Map(
    ALLERGENS.flatMap((code) =>
      (words[code] ?? '')
        .split(' ')
        .filter(Boolean)
        .map((word) => [word, code] as const),
    ),
  );
const BY_GROUP = lookUp(GROUP_WORDS);
const BY_KIND = lookUp(KIND_WORDS);

/** The allergens of a cell; `null` where it says nothing. */
export type ReadAllergens = { code: Allergen; detail: string }[] | null;

/** What a cell of a list says that cannot be read as allergens. */
export interface UnknownWord {
  unknown: string;
}

const isWord = (text: string, words: Readonly<Record<Allergen, string>>): Allergen | undefined => {
  const key = keyOf(text);
  const own = ALLERGENS.find(
    (code) => code === key || keyOf(words[code]) === key || keyOf(ENGLISH_WORDS[code]) === key,
  );
  return own ?? BY_GROUP.get(key);
};

const letterOf = (text: string): Allergen | undefined =>
  ALLERGENS.find((code) => ALLERGEN_LETTERS[code] === text.toUpperCase());

/** Letters of some lists in Germany, which give I to N other meanings. */
const OTHER_LETTERS = /(?:^|[\s,;/(])[ijk](?=$|[\s,;/)])/i;

/** Whether the letters of a column are not those of A to R. */
export const hasOtherLetters = (cells: readonly string[]): boolean =>
  cells.some((text) => OTHER_LETTERS.test(text));

/**
 * Reads the allergens of a cell: letters A to R, or words in the languages of the product and those of the club, with details in
 * brackets.
 * @param words those of the club
 * @param others whether the letters from L on have another meaning in this list
 */
export function readAllergens(
  text: string,
  words: Readonly<Record<Allergen, string>> = ENGLISH_WORDS,
  others = false,
): ReadAllergens | UnknownWord {
  if (EMPTY.test(text.trim())) return null;
  const compact = /^\(?([A-R]{1,14})\)?$/.exec(text.trim())?.[1];
  if (compact !== undefined && isWord(compact, words) === undefined && !NONE.has(compact.toLowerCase())) {
    const letters = [...compact].map((letter) => (others && letter >= 'L' ? undefined : letterOf(letter)));
    if (
      letters.every((one) => one !== undefined) &&
      new Set(letters).size === letters.length &&
      compact !== 'NO'
    )
      return letters.map((code) => ({ code, detail: '' }));
  }
  const found: { code: Allergen; detail: string }[] = [];
  let isNone = false;
  for (const part of partsOf(text, (one) => isWord(one, words) !== undefined)) {
    const [, said = part, detail = ''] = /^([^(]*)\((.*)\)$/.exec(part) ?? [];
    const word = said.trim();
    const kind = BY_KIND.get(keyOf(word));
    const letter = word.length === 1 && !(others && word.toUpperCase() >= 'L') ? letterOf(word) : undefined;
    const code = isWord(word, words) ?? kind ?? letter;
    if (code === undefined && !NONE.has(keyOf(word))) return { unknown: part };
    if (code === undefined) {
      isNone = true;
      continue;
    }
    // `G (Milch)` says the same twice.
    const more = isWord(detail, words) === code ? '' : detail.trim();
    const own = [kind === undefined ? '' : word, more].filter(Boolean).join(', ');
    const before = found.find((one) => one.code === code);
    if (!before) found.push({ code, detail: own });
    else before.detail = [...new Set([before.detail, own].filter(Boolean))].join(', ');
  }
  return isNone && found.length > 0 ? { unknown: text } : found;
}

/** Divides a cell: by commas and the like, and by spaces where it has none of them; never within brackets. */
function partsOf(text: string, isWhole: (text: string) => boolean): string[] {
  const hasSeparator = /[,;/(\n+&•·|]/.test(text);
  const parts = hasSeparator || isWhole(text) ? text.split(/[,;/\n+&•·|]+(?![^(]*\))/) : text.split(/\s+/);
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** Whether a cell says nothing but allergens, with one at least. */
export const areAllergens = (text: string): boolean => {
  const read = readAllergens(text);
  return Array.isArray(read) && read.length > 0;
};

/** Words for the marks beside those of our own file. */
const OTHER_MARKS: Readonly<Record<Mark, string>> = {
  vegan: 'vegan vegano vegana vegane vegetalien plantbased veganistisch',
  vegetarian: 'vegetarian vegetarisch vegetarien vegetarienne vegetariano vegetariana',
  gluten_free: 'glutenfree glutenfrei sansgluten singluten glutenvrij senzaglutine',
  alcohol_free:
    'alcoholfree nonalcoholic alkoholfrei sansalcool sinalcohol alcoholvrij analcolico senzaalcol',
  cask: 'cask caskale realale',
};

const markOf = (text: string): Mark | undefined => {
  const key = keyOf(text);
  return MARKS.find(
    (mark) =>
      keyOf(mark) === key ||
      keyOf(MARK_WORDS[mark].for(ENGLISH)) === key ||
      OTHER_MARKS[mark].split(' ').includes(key),
  );
};

/** Reads the marks of a cell. */
export function readMarks(text: string): Mark[] | UnknownWord {
  if (EMPTY.test(text.trim())) return [];
  const parts = text.split(/[,;/|\n]+/).flatMap((part) => (markOf(part) ? [part] : part.split(/\s+/)));
  const words = parts.map((part) => part.trim()).filter(Boolean);
  const unknown = words.find((word) => markOf(word) === undefined);
  return unknown === undefined ? words.map((word) => markOf(word)!) : { unknown };
}

const FOOD =
  /speise|gericht|küche|jause|brotzeit|imbiss|vesper|suppe|salat|nachtisch|dessert|kuchen|food|kitchen|snack|\bbites?\b|\bplates?\b|burger|pizza|pasta|toast|sandwich|starter|\bmains?\b|\bsides?\b|soup|salad|à manger|a manger|manger|cuisine|plats?\b|entrées|planche|grignot|restauration|assiette|tartine|comida|tapas|raciones|cocina|postre|bocadill|para picar|picoteo|\beten\b|gerecht|keuken|hapje|borrelhap|broodje|tosti|\bcibo\b|cucina|piatti|antipast|\bprimi\b|\bsecondi\b|dolci|panini|taglier|stuzzich|おつまみ|料理|食事|食べ物|フード|\bmat\b|rätter|varmrätt|jedzenie|dania|przekąsk|zupy|\bmad\b|smørrebrød/iu;
const DRINKS =
  /bier|beer|\bale\b|lager|wein|wine|getränk|drink|boisson|bebida|drank|bevand|soft|cocktail|kaffee|coffee|\btees?\b|\btea\b|café|koffie|alkoholfrei|sans alcool|sin alcohol|spiritu|schnaps|schnäps|\bgins?\b|whisk|\brum\b|vodka|wodka|\bshots?\b|\bcask\b|\bkeg\b|draught|draft|\btap\b|bottle|flasche|bouteille|botella|bottigli|pression|bière|\bvins?\b|\bvinos?\b|\bvini\b|apéritif|aperitif|digestif|cidre|cider|cervez|refresco|zumo|wijn|\bfris|birr[ae]|spina|bibit|amari|liquor|liqueur|likör|ビール|ドリンク|飲み|酒|焼酎|\böl\b|dryck|piwo|wino|napoj|saft|säfte|juice|limonad|prosecco|sekt|champagne|cava|fass/iu;

/** What the title of a section says that it has; undefined if it says neither, or both. */
export function kindOfTitle(title: string): 'drinks' | 'food' | undefined {
  const said = title.normalize('NFC').toLowerCase();
  const [isFood, isDrinks] = [FOOD.test(said), DRINKS.test(said)];
  return isFood === isDrinks ? undefined : isFood ? 'food' : 'drinks';
}
