import { readVolume } from '#content/volumes.ts';
import { byHeader, type Fields, mostly } from '#kernel/lists/columns.ts';
import { headerKey } from '#kernel/lists/headers.ts';
import { readPrice } from '#kernel/money.ts';
import { ownValue } from '#kernel/own-value.ts';
import { areAllergens } from './words.ts';

/** What an import of drinks and food asks. */
export interface MenuQuestion {
  /** The header of the column; `section` where the whole list names none. */
  column: string;
  /** What it holds; the unit of its numbers; the section of what has none; which column has the names. */
  ask: 'meaning' | 'unit' | 'section' | 'name';
  /** The answers that are possible, the likely one first. Empty for a text of the officer's own. */
  options: string[];
  likely?: boolean;
}

/** A header reduced to its letters and digits: `Größe` is `grosse`. */
const keyOf = (header: string): string =>
  headerKey(header).replaceAll('ß', 'ss').replaceAll('œ', 'oe').replaceAll('ø', 'o').replaceAll('ł', 'l');

/** The fields that a column can hold, with their known headers: those of our own file, then English, de, fr, es, nl, it, others. */
const HEADERS = {
  section:
    'section sections category categories group productgroup menusection heading subcategory kategorie ' +
    'kategorien rubrik rubrike bereich gruppe warengruppe produktgruppe artikelgruppe sparte famille ' +
    'rubrique categorie groupe seccion categoria apartado familia grupo sectie rubriek groep sezione reparto ' +
    'gruppo avdelning kategori kategoria dzial sekcja secao grupp セクション 部門 カテゴリー カテゴリ 分類 区分 ジャンル',
  kind: 'kind',
  name:
    'name names drink drinks beverage beverages item items itemname product products productname dish dishes ' +
    'menuitem drinkname beer beers wine whatitis artikel artikelname artikelbezeichnung bezeichnung produkt ' +
    'produkte produktname produktbezeichnung getrank getranke getrankename speise speisen gericht gerichte ' +
    'bier wein was title titel nom boisson boissons produit produits plat plats designation libelle intitule ' +
    'article articles nombre producto productos bebida bebidas plato articulo denominacion naam drank dranken ' +
    'drankje gerecht nome prodotto prodotti bevanda bevande piatto articolo denominazione namn dryck drycker ' +
    'ratt nazwa napoj danie navn vare ol nazev 名前 品名 商品名 商品 メニュー 名称 品目 ドリンク 料理',
  maker:
    'maker brewery breweries brewer producer producers manufacturer brand distillery winery vineyard brauerei ' +
    'brauereien hersteller produzent erzeuger weingut winzer marke brennerei kellerei brasserie producteur ' +
    'fabricant marque domaine chateau distillerie vigneron maison productor fabricante cerveceria bodega marca ' +
    'destileria brouwerij producent fabrikant merk wijnhuis stokerij brouwer produttore birrificio cantina ' +
    'distilleria azienda bryggeri tillverkare browar bryggeriet 醸造所 生産者 メーカー 蔵元 製造元 ブルワリー',
  style:
    'style beerstyle stil bierstil biertyp sorte biersorte weinsorte rebsorte traube cepage estilo variedad uva ' +
    'stijl biersoort druif druivenras stile varieta vitigno grape grapes variety varietal stilart styl olstil ' +
    'stylpiwa スタイル',
  abv:
    'abv alc alcohol alcvol alcoholvol alcbyvol alcoholbyvolume alcoholcontent strength alk alkvol alkohol ' +
    'alkoholgehalt volumenprozent volprozent grad starke stammwurze prozent percent degre degres titre alcool ' +
    'alcoolvol titrealcool tauxdalcool degrealcool graduacion grados gradoalcoholico graduacionalcoholica ' +
    'gradacion sterkte alcoholpercentage alcoholgehalte percentage gradazione gradi gradazionealcolica alcol ' +
    'alcolvol titolo alkoholhalt styrka moc alkoholprocent alkoholstyrke zawartoscalkoholu 度数 アルコール度数 アルコール',
  ibu: 'ibu bitterness bitterkeit bittereinheiten amertume amargor bitterheid',
  color_ebc: 'colorebc colourebc farbeebc ebc',
  description:
    'description details beschreibung produktbeschreibung descriptif descripcion beschrijving omschrijving ' +
    'descrizione beskrivning opis beskrivelse 説明',
  allergens:
    'allergens allergen allergies allergeninfo allergeninformation allergene allergenkennzeichnung ' +
    'allergenehinweise allergenes alergenos alergeno allergenen allergeni allergenes allergener alergeny ' +
    'アレルゲン アレルギー',
  marks: 'marks mark diet dietary merkmale regime dieta dieet',
  url: 'url web website webpage webseite homepage siteweb sitioweb sito link',
  order:
    'order sortorder sortierung sort reihenfolge reihung rang ordre orden volgorde ordine ordning kolejnosc 順番',
  size:
    'size sizes serving servingsize measure portion grosse groesse glasgrosse gebinde ausschank einheit mass ' +
    'taille format conditionnement mesure tamano formato medida racion maat formaat portie misura porzione ' +
    'storlek rozmiar wielkosc porcja storrelse glass glas サイズ',
  volume:
    'volume volumen volym inhalt fullmenge menge liter litre litres ml cl contenance quantite contenido cantidad ' +
    'inhoud hoeveelheid contenuto quantita innehall pojemnosc ilosc objetosc capacity quantity amount 容量 量 内容量',
  price:
    'price prices sellingprice retailprice retail unitprice guestprice guests guest preis preise verkaufspreis ' +
    'vk vkpreis vkbrutto bruttopreis preisbrutto brutto betrag gastepreis gaste euro eur chf gbp usd sek pln jpy ' +
    'prix prixttc prixdevente tarif tarifs precio precios pvp importe prijs prijzen verkoopprijs prezzo prezzi ' +
    'listino importo pris cena cenabrutto preco 価格 値段 料金 金額 定価',
  member_price:
    'memberprice memberprices membersprice memberspricebar members member clubprice mitglieder mitglied ' +
    'mitgliederpreis mitgliederpreise mitgliedspreis vereinspreis prixmembre prixmembres prixadherent ' +
    'prixadherents adherents adherent membres membre preciosocio preciosocios socios socio ledenprijs leden lid ' +
    'prezzosoci prezzosocio soci medlemspris medlemmar cenadlaczlonkow czlonkowie medlem 会員 会員価格 会員料金',
  shown: 'shown',
  /** A price of the size that the header names: `0,3`, `Glass`. */
  size_price: '',
} as const;

export type MenuField = keyof typeof HEADERS;

export const MENU_FIELDS = Object.keys(HEADERS) as MenuField[];

const BY_HEADER: Readonly<Record<string, MenuField>> = Object.fromEntries(
  Object.entries(byHeader<MenuField>(HEADERS)).map(([header, field]) => [keyOf(header), field]),
);

/** Of what kind something is: the section where no other column says it, else the style. */
const TYPES = new Set(
  'type typ art tipo soort sort rodzaj typeofdrink typedeboisson getrankeart typ種類 種類 種別'.split(' '),
);

/** Columns that houses keep for themselves. They are not read and not asked about. */
const OWN_BUSINESS = new Set(
  (
    'articlenumber artikelnummer artnr artikelnr artno itemno sku ean gtin barcode barcodes id plu nr no nummer number num ' +
    'pos position posnr einkauf einkaufspreis ek ekpreis eknetto wareneinsatz purchaseprice costprice cost prixdachat coute ' +
    'cout costo coste inkoop inkoopprijs marge margin aufschlag mwst ust steuer steuersatz vat vatrate tva iva btw moms ' +
    'lieferant supplier fournisseur proveedor leverancier fornitore lager lagerort bestand lagerbestand stock inventory ' +
    'updated aktualisiert stand date datum lastchanged'
  ).split(' '),
);

/** Whether a column is the house's own business, such as the price at which it buys. */
export const isOwnBusiness = (header: string): boolean => OWN_BUSINESS.has(keyOf(header));

/** Words of a header that only say in what the cells are counted. */
const UNIT =
  /^(in|en|ml|cl|dl|l|lt|ltr|lit(er|re|res|ros|ri)|oz|eur|euros?|chf|gbp|usd|sek|nok|dkk|pln|czk|jpy|kr|zl|fr|inkl|incl|brutto|ttc|vol|mwst|ust|vat|tva|iva|btw|moms|tax)$/;

const wordsOf = (header: string): string[] =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M},./½¼¾⅓⅔]+/u)
    .map((word) => word.replace(/^[.,/]+|[.,]+$/g, ''))
    .filter(Boolean);

/** What a header says besides its units: `Preis (€)` is `preis`, `Inhalt in l` is `inhalt`. */
const withoutUnits = (header: string): string => {
  const words = wordsOf(header.replace(/\([^)]*\)|\[[^\]]*\]/g, ' '));
  return words.filter((word, at) => at === 0 || !UNIT.test(word)).join(' ');
};

const PRICE_WORD = /^(prices?|preise?|prix|precios?|prijs|prezz[oi]|pris|cena|価格)$/;

const STRENGTH_PERCENT = /^(|vol|alc|alk|alkvol|alcvol|volalc|volalk|alkohol|alcohol|alcool|alcol|abv)$/;

/** Words for members and guests within a header of prices: `Preis für Mitglieder`. */
const MEMBERS = /mitglied|member|adherent|membre|socio|tesserat|leden|medlem|czlonk|会員/;
const GUESTS = /^(nicht|non|no|niet|ej|icke)|guest|gast|invite|ospit|huesped|invitad/;

/** The field of a header by its words. */
function known(header: string): MenuField | undefined {
  const whole = keyOf(header);
  if (/[%％]/.test(header) && STRENGTH_PERCENT.test(whole.replace(/vol(umen)?(prozent)?/, 'vol')))
    return 'abv';
  const bare = keyOf(withoutUnits(header));
  const found = ownValue(BY_HEADER, whole) ?? ownValue(BY_HEADER, bare);
  if (found) return found;
  if (bare.startsWith('allerg')) return 'allergens';
  if (wordsOf(header).some((word) => PRICE_WORD.test(word)) && (MEMBERS.test(bare) || GUESTS.test(bare)))
    return MEMBERS.test(bare) &&
      !/(nicht|non|niet|ej|icke)-?(mitglied|member|adherent|membre|soci|leden|medlem)/.test(bare)
      ? 'member_price'
      : 'price';
  // `Größe 2` beside `Größe 1`, `Name des Getränks`, `Brauerei / Weingut`.
  const [, stem = ''] = /^(\D+)[1-5]$/.exec(bare) ?? [];
  const numbered = ownValue(BY_HEADER, stem);
  if (numbered !== undefined && NUMBERED.has(numbered)) return numbered;
  if (/^(name|nom|nombre|naam|nome) /.test(withoutUnits(header))) return 'name';
  const parts = header.split(/\s*[/|&,+]\s*|\s+(?:und|oder|bzw\.?|and|or|et|ou|en|of|y|o|e)\s+/i);
  return parts.length > 1 ? parts.map(known).find((field) => field !== undefined) : undefined;
}

/** Fields that a line can have several times, in columns with numbers. */
const NUMBERED: ReadonlySet<MenuField> = new Set(['size', 'volume', 'price', 'member_price']);

/** The words for sizes that head a column of prices. */
const SIZE_WORDS = new Set(
  (
    'glass bottle pint half halfpint third schooner can shot single double jug pitcher carafe cup small medium large glas ' +
    'flasche dose halbe mass stange kruegerl krugerl seidel seidl pfiff achtel viertel karaffe kanne kannchen tasse klein ' +
    'mittel gross verre bouteille demi pichet carafe petit grand copa vaso cana jarra botella lata pequeno mediano grande ' +
    'fles karaf blik vaas calice bicchiere bottiglia caraffa lattina piccola piccolo media flaska burk butelka kieliszek ' +
    'kufel szklanka lampka karafka ボトル グラス ジョッキ'
  ).split(' '),
);

/** The size that a header of prices names, such as `0,3 l`, `Glass` or `Preis 0,5`; undefined for another header. */
export function sizeOfHeader(header: string): string | undefined {
  const words = wordsOf(header.replace(/[()[\]€£$¥]/g, ' '));
  const named = words.length > 1 && PRICE_WORD.test(words[0] ?? '') ? words.slice(1) : words;
  const text = named.join(' ');
  // As the house writes it.
  const own = header
    .replace(/[()[\]€£$¥]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (/^\d{2,4}$/.test(text) || typeof readVolume(text, 'ml') === 'number')
    return named === words ? own : text;
  const without = named.filter((word) => typeof readVolume(word, 'ml') !== 'number' && !UNIT.test(word));
  const isSize = without.length > 0 && without.every((word) => SIZE_WORDS.has(keyOf(word)));
  if (!isSize) return undefined;
  return named === words ? own : text;
}

/** The unit that a header names for the numbers below it, such as `cl`. */
export function unitOfHeader(header: string): string | undefined {
  const unit = wordsOf(header.replace(/[()[\]]/g, ' ')).find((word) =>
    /^(ml|cl|dl|l|lt|ltr|lit(er|re|res|ros|ri)|oz)$/.test(word),
  );
  return unit?.startsWith('lit') ? 'l' : unit;
}

/** Whether the cells are prices, at least those without words. */
export const arePrices = (filled: readonly string[]): boolean =>
  mostly(filled, (text) => {
    const read = readPrice(text);
    return typeof read !== 'string' && read.price !== null;
  });

const isSigned = (text: string): boolean =>
  /[€£$¥円]|\d[.,]\d{2}\b|\d[.,]-|:-|\b(kr|chf|fr|eur|zł|ft|kč)\b/i.test(text);

/** Text of which few different ones stand in few runs: the sections of a list. */
const areSections = (filled: readonly string[]): boolean => {
  const runs = filled.filter((text, at) => text !== filled[at - 1]).length;
  const different = new Set(filled).size;
  return (
    mostly(filled, (text) => /\p{L}/u.test(text)) && different * 2 <= filled.length && runs <= different + 1
  );
};

/** The fields of a list of drinks and food. */
export const MENU: Fields<MenuField> = {
  names: MENU_FIELDS,
  fieldOf(header) {
    // Whether it heads prices is told with its cells.
    if (isOwnBusiness(header) || sizeOfHeader(header) !== undefined) return undefined;
    return known(header) ?? (isTypeHeader(header) ? 'style' : undefined);
  },
  mayRepeat: (field, header) => field === 'size_price' || isNumbered(field, header),
  looksLike: {
    abv: (filled) =>
      mostly(filled, (text) => /^\d{1,2}([.,]\d)? ?(%|°|vol)/i.test(text)) ||
      // Parts of a litre look the same, but are less than two.
      (filled.every((text) => /^\d{1,2}[.,]\d$/.test(text)) &&
        mostly(filled, (text) => Number(text.replace(',', '.')) >= 2)),
    price: (filled) => arePrices(filled) && mostly(filled, isSigned),
    volume: (filled) =>
      mostly(filled, (text) => /[a-z]/i.test(text) && typeof readVolume(text, 'ml') === 'number') ||
      filled.every((text) => /^(0[.,]\d{1,3}|\d\/\d|[1-9]\d0)$/.test(text)),
    allergens: (filled) => mostly(filled, areAllergens),
    section: areSections,
  },
};

/** Several sizes of a line have columns with numbers: `Size 1, Price 1, Size 2, Price 2`. */
const isNumbered = (field: MenuField, header: string): boolean =>
  NUMBERED.has(field) && /[1-5]\s*$/.test(withoutUnits(header));

/** Whether a header says of what kind something is, which can be its section. */
export const isTypeHeader = (header: string): boolean => TYPES.has(keyOf(header));
