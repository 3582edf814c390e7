// npm run texts: checks the catalogues of all languages. -- --write writes the types of the values of English texts, which
// a test checks. -- --todo de lists what German lacks, or has otherwise than English. -- --reviewed de voting Ada notes
// that Ada, who did not write them, has read the German texts of an area a second time against the English ones.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { AREAS, type Area, CATALOGUES, LANGUAGES, readArea } from '#kernel/language/catalogues.ts';

const OTHERS: readonly string[] = LANGUAGES.slice(1);
/** A source for each area, with the types of its values. */
const TYPES = path.join(import.meta.dirname, '../src/kernel/language/texts');

/** What the values of a text are, and the plural forms of each of its plurals. */
interface Shape {
  values: Map<string, string>;
  plurals: Map<string, Set<string>>;
}

function write(): string[] {
  for (const area of Object.keys(AREAS) as Area[])
    fs.writeFileSync(path.join(TYPES, `${area}.ts`), valueTypes(area));
  return [];
}

const todo = (language = ''): string[] | undefined =>
  OTHERS.includes(language) ? faultsOf(language, () => true) : undefined;

/** Who has read the texts of an area a second time, when, and the English texts that they were read against. */
interface Review {
  by: string;
  on: string;
  english_sha256: string;
}

const reviewsFile = (language: string): string => path.join(CATALOGUES, language, 'reviewed.json');

const readReviews = (language: string): Partial<Record<Area, Review>> =>
  fs.existsSync(reviewsFile(language)) ? JSON.parse(fs.readFileSync(reviewsFile(language), 'utf8')) : {};

/** Areas whose mistakes cost a vote or a way in: a second reader compares them with the English texts. */
const READ_TWICE: readonly Area[] = ['errors', 'mail', 'voting', 'sign-in', 'meetings'];

const englishHash = (area: Area): string =>
  createHash('sha256')
    .update(JSON.stringify(readArea('en', area)))
    .digest('hex');

/** The areas of a language that were not read a second time since their English texts changed. */
export function unreviewed(language: string): Area[] {
  const reviews = readReviews(language);
  return READ_TWICE.filter(
    (area) => hasArea(language)(area) && reviews[area]?.english_sha256 !== englishHash(area),
  );
}

function noteReview(language = '', area = '', ...by: string[]): string[] | undefined {
  if (!OTHERS.includes(language) || !Object.hasOwn(AREAS, area) || by.length === 0) return undefined;
  const review: Review = {
    by: by.join(' '),
    on: new Date().toISOString().slice(0, 10),
    english_sha256: englishHash(area as Area),
  };
  const reviews = Object.entries({ ...readReviews(language), [area]: review }).sort();
  fs.writeFileSync(reviewsFile(language), `${JSON.stringify(Object.fromEntries(reviews), null, 2)}\n`);
  return [];
}

/** The source with the types of the values of an area: of its English texts that have some. */
export function valueTypes(area: Area): string {
  const fields = Object.entries(readArea('en', area)).flatMap(([name, text]) => {
    const values = [...shapeOf(text).values].map(([value, type]) => `${value}: ${type}`);
    return values.length > 0 ? `  '${area}.${name}': { ${values.join('; ')} };` : [];
  });
  const used = ['Tag', 'Value'].filter((type) => fields.some((field) => field.includes(`: ${type}`)));
  const from =
    used.length > 0 ? `import type { ${used.join(', ')} } from '#kernel/language/words.ts';\n\n` : '';
  return `// Written by \`npm run texts -- --write\`.
${from}export interface Values {
${fields.join('\n')}
}
`;
}

/** What is wrong with the texts of a language: a line for each. @param isChecked which areas */
export function faultsOf(language: string, isChecked: (area: Area) => boolean): string[] {
  return (Object.keys(AREAS) as Area[]).filter(isChecked).flatMap((area) => {
    const english = readArea('en', area);
    const own = readArea(language, area);
    const at = (name: string, fault: string) => `${language}/${area}.json ${name}: ${fault}`;
    return [
      ...Object.keys(own)
        .filter((name) => !Object.hasOwn(english, name))
        .map((name) => at(name, 'English has no such text')),
      ...Object.keys(own)
        .filter((name) => /_\d+$/.test(name))
        .map((name) => at(name, 'ends with a number: name what the text says')),
      ...(Object.keys(own).join() === Object.keys(own).sort().join()
        ? []
        : [at('', 'the keys are not sorted')]),
      ...Object.entries(english).flatMap(([name, text]) =>
        Object.hasOwn(own, name)
          ? faultsIn(language, own[name]!, text).map((fault) => at(name, fault))
          : [at(name, `is missing: ${text}`)],
      ),
    ];
  });
}

/** A language is checked in the areas that it has a file for. */
export function hasArea(language: string): (area: Area) => boolean {
  return (area) => language === 'en' || Object.keys(readArea(language, area)).length > 0;
}

/** What is wrong with a text. @param english the text that it translates */
export function faultsIn(language: string, text: string, english: string): string[] {
  let shape: Shape;
  try {
    shape = shapeOf(text);
  } catch (error) {
    return [`cannot be read: ${(error as Error).message}`];
  }
  const wanted = shapeOf(english);
  const names = (of: Shape) => [...of.values].map(([name, type]) => `${name}: ${type}`).sort();
  const faults: string[] = [];
  if (text.trim() !== text || text === '') faults.push('begins or ends with a space, or is empty');
  if (/["']/.test(text)) faults.push('has straight quotation marks; write ’ “ ” « »');
  if (names(shape).join() !== names(wanted).join())
    faults.push(
      `has the values ${names(shape).join(', ') || 'none'}; English has ${names(wanted).join(', ') || 'none'}`,
    );
  for (const [name, forms] of shape.plurals) {
    const type = name.startsWith('ordinal ') ? 'ordinal' : 'cardinal';
    const needed = neededForms(language, type);
    const missing = needed.filter((form) => !forms.has(form));
    const more = [...forms].filter(
      (form) => !form.startsWith('=') && form !== 'other' && !needed.includes(form),
    );
    if (missing.length > 0) faults.push(`lacks the form ${missing.join(', ')} of ${name}`);
    if (more.length > 0)
      faults.push(`has the form ${more.join(', ')} of ${name}, which the language does not use`);
  }
  return faults;
}

/** The plural forms of a language that numbers below a thousand have: millions are not counted here. */
function neededForms(language: string, type: 'cardinal' | 'ordinal'): string[] {
  const rules = new Intl.PluralRules(language, { type });
  return [...new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)))];
}

/** @throws where the text cannot be parsed, or uses what is not allowed */
function shapeOf(text: string): Shape {
  const shape: Shape = { values: new Map(), plurals: new Map() };
  collect(parse(text, { captureLocation: false }), shape);
  return shape;
}

function collect(elements: readonly MessageFormatElement[], shape: Shape): void {
  for (const element of elements) {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        break;
      case TYPE.argument:
        add(shape, element.value, 'Value');
        break;
      case TYPE.number:
        add(shape, element.value, 'number');
        break;
      case TYPE.select: {
        const chosen = Object.keys(element.options).filter((option) => option !== 'other');
        add(shape, element.value, [...chosen.map((option) => `'${option}'`).sort(), "'other'"].join(' | '));
        for (const { value } of Object.values(element.options)) collect(value, shape);
        break;
      }
      case TYPE.plural: {
        add(shape, element.value, 'number');
        const name = `${element.pluralType === 'ordinal' ? 'ordinal ' : ''}${element.value}`;
        const forms = shape.plurals.getOrInsertComputed(name, () => new Set());
        for (const [form, { value }] of Object.entries(element.options)) {
          forms.add(form);
          collect(value, shape);
        }
        break;
      }
      case TYPE.tag:
        add(shape, element.value, 'Tag');
        collect(element.children, shape);
        break;
      default:
        throw new Error('dates and times are values: format them before');
    }
  }
}

function add({ values }: Shape, name: string, type: string): void {
  const before = values.get(name);
  // A number may be written as it is in one place, and decide about a form in another.
  if (before === undefined || (before === 'Value' && type === 'number')) values.set(name, type);
  else if (before !== type && !(before === 'number' && type === 'Value'))
    throw new Error(`{${name}} is ${before} and ${type}`);
}

if (import.meta.main) {
  const [option, ...words] = process.argv.slice(2);
  const acts: Readonly<Record<string, (...words: string[]) => string[] | undefined>> = {
    '--write': write,
    '--todo': todo,
    '--reviewed': noteReview,
  };
  const said =
    option === undefined
      ? LANGUAGES.flatMap((one) => faultsOf(one, hasArea(one)))
      : (acts[option]?.(...words) ?? [
          `Use: npm run texts [-- --write | --todo ${OTHERS.join('|')} | --reviewed <language> <area> <name>]`,
        ]);
  for (const line of said) console.log(line);
  process.exitCode = said.length > 0 && option === undefined ? 1 : 0;
}
