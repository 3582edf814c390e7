import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { MenuImport } from '#content/menu/import.ts';
import { decodeFile } from '#kernel/shared/decode.js';
import type { Menu, MenuItem, MenuSection } from '#pub/menu/list.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';

const fileOf = (name: string) => decodeFile(readFileSync(new URL(`lists/${name}`, import.meta.url))).text;

/** The published list in short: sections with their kind, items in their order with strength, allergens, sizes. */
async function inShort(service: TestApp): Promise<string[]> {
  const { sections }: Menu = (await service.get('/api/menu')).json();
  return sections.flatMap(({ title, kind, items }: MenuSection) => [
    `# ${title} (${kind})`,
    ...items.map(itemInShort),
  ]);
}

/** Sizes are `label/millilitres/price`, with a members' price at the end. */
const itemInShort = ({ name, maker, abv, allergens, sizes }: MenuItem): string =>
  [
    [name, maker].filter(Boolean).join(', '),
    abv === null ? [] : `${abv}%`,
    (allergens ?? []).map(({ code, detail }) => (detail ? `${code} (${detail})` : code)).join('+') || [],
    sizes.map(({ label, volumeMl, price, memberPrice }) =>
      [label, volumeMl ?? '', price, ...(memberPrice === null ? [] : [memberPrice])].join('/'),
    ),
  ]
    .flat(2)
    .join(' | ');

interface Case {
  file: string;
  locale: string;
  /** The questions, with their answers. */
  asked?: Record<string, string>;
  /** Lines that are left out, with a part of the reason. */
  left?: [line: number, why: RegExp][];
  warned?: RegExp[];
  list: string[];
}

const CASES: Case[] = [
  {
    file: 'austria.tsv',
    locale: 'de-AT',
    list: [
      '# Fassbier (drinks)',
      'Märzen, Löwenbräu Ried | 5.2% | gluten | /500/490 | /300/360',
      'Zwickl, Brauhaus am See | 5.4% | gluten | /500/520',
      '# Flaschenbier (drinks)',
      'Weizen alkoholfrei, Edelquell | 0.4% | gluten | /500/480',
      '# Wein (drinks)',
      'Grüner Veltliner, Hof Berger | 12.5% | sulphites | /125/390',
      'Zweigelt, Hof Berger | 13% | sulphites | /125/410',
      '# Alkoholfrei (drinks)',
      'Almdudler | /350/340',
      'Sodawasser | /250/190',
      '# Speisen (food)',
      'Kaspressknödelsuppe | gluten+eggs+milk | //650',
      'Apfelstrudel mit Schlag | gluten+eggs+milk+nuts | //590',
    ],
  },
  {
    file: 'france.csv',
    locale: 'fr-FR',
    list: [
      '# Pression (drinks)',
      'Blonde du Port, Brasserie du Quai | 5% | gluten | /250/400 | /500/750',
      'IPA, Les Deux Rives | 6.2% | gluten | /250/480',
      'IPA, Brasserie Nord | 6.5% | gluten+milk | /250/490',
      '# Vins au verre (drinks)',
      'Muscadet, Domaine Rivoal | 12% | sulphites | /125/420',
      '# Software (drinks)',
      '=1+1 | /330/300',
      '# À manger (food)',
      'Planche mixte | gluten+milk+sulphites | //1450',
      'Crème brûlée | eggs+milk | //600',
    ],
  },
  {
    file: 'britain.csv',
    locale: 'en-GB',
    list: [
      '# Cask (drinks)',
      'Harbour Bitter, Old Quay | 3.8% | Pint/568/460/410 | Half/284/230/205',
      '# Keg (drinks)',
      'Stout, Old Quay | 4.2% | /568/510/460 | /284/255/230',
      '# Gin (drinks)',
      'Sloe Gin | 26% | /25/420',
      '# Soft (drinks)',
      'Ginger Beer | /330/280',
      '# Food (food)',
      'Chip butty | //350',
      'Ploughman’s | //900',
    ],
  },
  {
    file: 'italy.csv',
    locale: 'it-IT',
    asked: { Formato: 'cl' },
    warned: [/^Line 7: “1\.200,00” is read as 1\.?200,00 €$/],
    list: [
      '# Alla spina (drinks)',
      'Bionda, Birrificio del Molo | /200/300 | /400/500',
      '# In bottiglia (drinks)',
      'Rossa, Birrificio del Molo | /330/550',
      '# Vini (drinks)',
      'Prosecco, Cantina Alta | calice//450 | /750/2200',
      '# Cucina (food)',
      'Tagliere | //120000',
    ],
  },
  {
    file: 'japan.tsv',
    locale: 'ja-JP',
    list: [
      '# 生ビール (drinks)',
      '港ペールエール, 港醸造 | 5% | /473/1200 | /284/850',
      '# おつまみ (food)',
      '枝豆 | //480',
    ],
  },
  {
    // A title above the headings, a column of prices for each size, merged cells, a line of totals.
    file: 'spain.csv',
    locale: 'es-ES',
    left: [[10, /total/]],
    list: [
      '# Cervezas (drinks)',
      'Rubia de la Casa, Cervecería del Puerto | 4.8% | CAÑA//180 | JARRA//350',
      'Tostada, Cervecería del Puerto | 5.5% | CAÑA//220 | JARRA//420',
      'Sin alcohol, Cervecería del Puerto | 0% | CAÑA//190',
      '# Vinos (drinks)',
      'Albariño, Bodega Río | 12.5% | CAÑA//320',
      '# Tapas (food)',
      'Croquetas (6 uds.) | //750',
      'Tortilla | //400',
    ],
  },
  {
    // `sep=`, a mark of the byte order, a heading row for each section, the unit in the heading.
    file: 'netherlands.csv',
    locale: 'nl-NL',
    list: [
      '# Bieren (drinks)',
      'Pilsener, De Kade | 5% | gluten | /250/320/280 | /500/600/540',
      'Witbier, De Kade | 4.8% | gluten (tarwe, gerst) | /300/410/360',
      '# Frisdrank (drinks)',
      'Cola | /200/290/250',
      '# Borrelhapjes (food)',
      'Bitterballen (8 st.) | gluten+milk+mustard | //850/750',
      'Kaasplank | milk | //1200/1100',
    ],
  },
  {
    // Windows-1252, tabs, signs of the krona, a word and a volume in one cell, a line twice.
    file: 'sweden.latin1.tsv',
    locale: 'sv-SE',
    list: [
      '# Öl (drinks)',
      'Lager, Hamnbryggeriet | 5.2% | /400/7900 | /250/5200',
      'IPA, Hamnbryggeriet | 6% | /330/8900',
      '# Vin (drinks)',
      'Husets röda | 13% | glas/150/11000 | flaska/750/49000',
      '# Alkoholfritt (drinks)',
      'Lingondricka | /330/4500',
      '# Mat (food)',
      'Räksmörgås | //16500',
    ],
  },
  {
    // Columns in pairs, columns that are the house's own business, quotation marks within a name.
    file: 'usa.csv',
    locale: 'en-US',
    asked: { 'Size 1': 'oz' },
    warned: [/\$1,240\.00/],
    left: [[8, /“from \$12” is more than a price/]],
    list: [
      '# Draft (drinks)',
      'Harbor Lager, Old Pier | 4.8% | /473/700 | /296/500',
      'Fog "Hazy" IPA, Old Pier | 6.5% | /473/850 | /296/600',
      '# Cans (drinks)',
      'Seltzer, Bright | 5% | /355/600',
      '# Wine (drinks)',
      'House Red, Valley | 13.5% | glass/148/900 | bottle/750/3400',
      'Reserve Magnum, Valley | 14% | /1500/124000',
      '# Bites (food)',
      'Pretzel | //900',
    ],
  },
  {
    // Sections as rows, some of which name other sizes; a note below the list.
    file: 'switzerland.csv',
    locale: 'de-CH',
    left: [[10, /Only one cell/]],
    list: [
      '# BIER OFFEN (drinks)',
      'Lager hell 4,8% | /300/520 | /500/750',
      'Amber | /300/560 | /500/800',
      '# WEIN (drinks)',
      'Fendant | /100/650 | /200/1280 | /750/4400',
      'Dôle | /100/700 | /200/1350 | /750/4850',
      '# KÜCHE (food)',
      'Fondue pro Person | //2950',
    ],
  },
];

it.each(CASES)(
  'the spreadsheet $file becomes a list with at most two answers, and changes nothing a second time',
  async ({ file, locale, asked = {}, left = [], warned = [], list }) => {
    await using service = await testApp({ LOCALE: locale });
    const editor = await editorAt(service);
    if (list.some((line) => /\/\d*\/\d+\/\d+/.test(line))) await twoColumns(service);
    const send = async (more: object): Promise<MenuImport> => {
      const payload = { text: fileOf(file), leave_out: true, ...more };
      return (await service.post('/api/admin/menu/import', payload, editor.headers)).json();
    };
    const tried = await send({ dry_run: true });
    expect(tried.questions.map(({ column }) => column)).toEqual(Object.keys(asked));
    expect(Object.keys(asked).length).toBeLessThanOrEqual(2);
    const answered = await send({ dry_run: true, answers: asked });
    expect(answered.questions).toEqual([]);
    expect(answered.warnings).toEqual(warned.map((one) => expect.stringMatching(one)));
    const out = answered.rows.filter(({ state }) => state === 'left_out');
    expect(out.map(({ line, notes }) => [line, notes.join()])).toEqual(
      left.map(([line, why]) => [line, expect.stringMatching(why)]),
    );
    const done = await send({ publish: true, answers: asked, check: answered.check });
    expect(done.items).toBe(list.filter((line) => !line.startsWith('#')).length);
    expect(await inShort(service)).toEqual(list);

    const again = await send({ publish: true, take_prices: true, answers: asked });
    expect(again).toMatchObject({ items: 0, changed: 0, differing: 0, sections: [] });
    expect(await inShort(service)).toEqual(list);
  },
);

/** What lists of other shapes are read as: the fields of the columns, what is asked, and the sizes of each item. */
const SHAPES: [what: string, locale: string, text: string, read: object][] = [
  [
    'a section for each heading of columns, with words of the house',
    'fr-FR',
    'Boisson;Demi;Pinte\nBières pression;;\nBlonde;3,50;6,50\nBrune;4,00;7,00',
    {
      fields: ['name', 'size_price', 'size_price'],
      sizes: { Blonde: ['Demi//350', 'Pinte//650'], Brune: ['Demi//400', 'Pinte//700'] },
    },
  ],
  [
    'no headings at all',
    'de-DE',
    'Helles;0,5;3,80\nDunkles;0,5;3,90',
    {
      fields: ['name', 'volume', 'price'],
      asked: ['section'],
      sizes: { Helles: ['/500/380'], Dunkles: ['/500/390'] },
    },
  ],
  [
    'numbers and their units in two columns, and one that is asked about',
    'de-CH',
    'Rubrik;Bezeichnung;Menge;Einheit;Preis CHF;Notiz intern\nBier;Eichhof;3;dl;4.50;x\nBier;Eichhof;5;dl;6.80;y',
    {
      fields: ['section', 'name', 'volume', 'size', 'price', null],
      asked: ['Notiz intern'],
      sizes: { Eichhof: ['/300/450', '/500/680'] },
    },
  ],
  [
    'units in the headings, capitals, tabs and a title',
    'de-DE',
    'GETRÄNKE 2026\n\nARTIKEL\tINHALT IN L\tVOL. %\tVK BRUTTO (€)\tEK\nBIERE\nPils\t0,4\t4,9\t4,20\t1,1\nSchnäpse\nObstler\t0,02\t38\t3,00\t0,9',
    { fields: ['name', 'volume', 'abv', 'price', null], sizes: { Pils: ['/400/420'], Obstler: ['/20/300'] } },
  ],
];

it.each(SHAPES)('%s', async (_, locale, text, read) => {
  await using service = await testApp({ LOCALE: locale });
  const { headers } = await editorAt(service);
  const payload = { text, dry_run: true, answers: { section: 'Bar' } };
  const tried = (await service.post('/api/admin/menu/import', { ...payload, answers: {} }, headers)).json();
  const found: MenuImport = (await service.post('/api/admin/menu/import', payload, headers)).json();
  const sizes = Object.fromEntries(
    found.rows.map(({ name, sizes: some }) => [
      name,
      some.map(({ label, volume_ml, price }) => [label, volume_ml ?? '', price].join('/')),
    ]),
  );
  const asked = tried.questions.map(({ column }: { column: string }) => column);
  expect({ fields: found.columns.map(({ field }) => field), asked, sizes }).toEqual({ asked: [], ...read });
});

async function twoColumns(service: TestApp): Promise<void> {
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const headers = { accept: 'application/json', ...owner };
  await service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { price_columns: 2 },
    headers,
  });
}
