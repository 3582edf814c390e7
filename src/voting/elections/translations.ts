import type { Selectable } from 'kysely';
import { z } from 'zod';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { ElectionsTable, OptionsTable, PapersTable } from '#kernel/db/schema.ts';
import { badField } from '#kernel/http/errors.ts';
import { optionalText } from '#kernel/http/validation.ts';
import { joinBoth } from '#kernel/language/in-both.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import type { Translations } from '#voting/shared/question.ts';

type Election = Selectable<ElectionsTable>;
type OptionRow = Selectable<OptionsTable>;

// The texts of an election in another language than that in which they were written. Voters who read that language see
// them; public lists of ballots, receipts and minutes show what was written.

/** One of another language: null, or an empty text, takes it away. */
const text = (max: number) => optionalText(max).optional();

/** Texts by language; those that are left out stay. Names of options by the id of the option. */
export const TranslationsInput = z.record(
  z.string().max(35),
  z
    .strictObject({
      title: text(500),
      description: text(5_000),
      options: z.record(z.string().max(64), optionalText(300)).optional(),
    })
    .nullable(),
);

/** Those of a new election: names of options by position, as they are listed. */
export const NewTranslationsInput = z.record(
  z.string().max(35),
  z.strictObject({
    title: text(500),
    description: text(5_000),
    options: z.array(optionalText(300)).max(101).optional(),
  }),
);

/** Those of a ballot paper, whose questions have their own. */
export const PaperTranslationsInput = z.record(
  z.string().max(35),
  z.strictObject({ title: text(500), description: text(5_000) }).nullable(),
);

/** As a column has them, by language. */
type Texts = Pick<Translations[string], 'title' | 'description'>;

const parsed = <Stored>(column: string | null): Record<string, Stored> =>
  column === null ? {} : JSON.parse(column);

/** The JSON of a column: languages in the order of their tags, without empty ones; null for none. */
function stored(texts: Record<string, string | Texts | undefined>): string | null {
  const kept = Object.entries(texts)
    .filter(([, one]) => one !== undefined && (typeof one === 'string' || Object.keys(one).length > 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept));
}

/**
 * The texts of an election in other languages; undefined where there are none. Keys are in a fixed order, because the
 * question commits to them: languages by their tags, options as on the ballot.
 */
export function translationsOf(
  election: Pick<Election, 'translations'>,
  options: readonly Pick<OptionRow, 'id' | 'translations'>[],
): Translations | undefined {
  const texts = parsed<Texts>(election.translations);
  const names = options.map(({ id, translations }) => [id, parsed<string>(translations)] as const);
  const languages = new Set([texts, ...names.map(([, one]) => one)].flatMap((one) => Object.keys(one)));
  if (languages.size === 0) return undefined;
  return Object.fromEntries(
    [...languages].sort().map((language) => {
      const own = names.flatMap(([id, one]) => (one[language] === undefined ? [] : [[id, one[language]]]));
      const { title, description } = texts[language] ?? {};
      return [
        language,
        {
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(own.length > 0 && { options: Object.fromEntries(own) }),
        },
      ];
    }),
  );
}

/**
 * Stores texts in other languages in the rows of an election, which has no ballots.
 * @returns whether something changed @throws 400 for a language that is not offered, or the club's, and an unknown option
 */
export function storeTranslations(
  tx: Tx,
  election: Election,
  options: readonly OptionRow[],
  input: z.output<typeof TranslationsInput>,
): boolean {
  const changed = changedTexts(election, options, input);
  if (!changed) return false;
  tx.run(build.updateTable('elections').set(changed.own).where('id', '=', election.id));
  for (const { id, translations } of changed.rows)
    tx.run(build.updateTable('options').set({ translations }).where('id', '=', id));
  return true;
}

/** The same in the row of a ballot paper. */
export function storePaperTranslations(
  tx: Tx,
  paper: Pick<Selectable<PapersTable>, 'id' | 'translations'>,
  input: z.output<typeof PaperTranslationsInput>,
): boolean {
  const changed = changedTexts(paper, [], input);
  if (!changed) return false;
  tx.run(build.updateTable('papers').set(changed.own).where('id', '=', paper.id));
  return true;
}

/** The columns as a change leaves them; undefined if it changes nothing. @throws as `storeTranslations` */
function changedTexts(
  before: Pick<Election, 'translations'>,
  options: readonly OptionRow[],
  input: z.output<typeof TranslationsInput>,
) {
  ensureOffered(Object.keys(input));
  const texts = parsed<Texts>(before.translations);
  const names = new Map(options.map(({ id, translations }) => [id, parsed<string>(translations)]));
  for (const [language, given] of Object.entries(input)) {
    if (given === null) {
      delete texts[language];
      for (const own of names.values()) delete own[language];
      continue;
    }
    const own: Record<string, string | undefined> = { ...texts[language] };
    for (const name of ['title', 'description'] as const) put(own, name, given[name]);
    // In this order, whichever was given first.
    texts[language] = {
      ...(own.title !== undefined && { title: own.title }),
      ...(own.description !== undefined && { description: own.description }),
    };
    for (const [id, name] of Object.entries(given.options ?? {})) {
      const option = names.get(id);
      if (!option) throw badField(`translations.${language}.options.${id}`, 'option_not_found');
      put(option, language, name);
    }
  }
  const own = { translations: stored(texts) };
  const rows = options.map((option) => ({ ...option, translations: stored(names.get(option.id)!) }));
  const isSame =
    JSON.stringify(translationsOf(own, rows)) === JSON.stringify(translationsOf(before, options));
  return isSame ? undefined : { own, rows };
}

/** Those of a new election, by the ids that its options were given. @throws 400 for more names than options */
export const byId = (
  given: z.output<typeof NewTranslationsInput>,
  options: readonly OptionRow[],
): z.output<typeof TranslationsInput> =>
  Object.fromEntries(
    Object.entries(given).map(([language, { options: names = [], ...texts }]) => {
      if (names.length > options.length)
        throw badField(`translations.${language}.options`, 'option_not_found');
      return [
        language,
        { ...texts, options: Object.fromEntries(names.map((name, at) => [options[at]!.id, name])) },
      ];
    }),
  );

/** @throws 400 */
export function ensureOffered(languages: readonly string[]): void {
  const values = offeredLanguages().filter((one) => one !== clubReader().language);
  for (const language of languages)
    if (!values.includes(language))
      throw badField(`translations.${language}`, 'not_complete_language', { values });
}

/** Undefined stays as it is; null is taken away. */
function put(into: Record<string, string | undefined>, name: string, value: string | null | undefined): void {
  if (value === null) delete into[name];
  else if (value !== undefined) into[name] = value;
}

/** What has a title, also in other languages. */
export type Titled = Pick<Election, 'title' | 'translations'>;

/** Its title in a language; undefined where nobody has given it one. */
export const translatedTitle = ({ translations }: Titled, language: string): string | undefined =>
  parsed<Texts>(translations)[language]?.title;

/** The JSON of a copy under another title: its title in other languages would name the source. */
export function withoutTitles(translations: string | null): string | null {
  const texts = Object.entries(parsed<Texts>(translations)).map(([language, { title: _, ...rest }]) => [
    language,
    rest,
  ]);
  return stored(Object.fromEntries(texts));
}

/** Its title as each reader reads it, in both; in mails and on pages that many readers share. */
export const titleInBoth = (of: Titled): Words | string =>
  of.translations === null
    ? of.title
    : formatted(({ language }) => joinBoth(translatedTitle(of, language), of.title));

/** Its description in the same way. */
export const descriptionInBoth = (of: Titled & Pick<Election, 'description'>): Words | string | null =>
  of.translations === null || of.description === null
    ? of.description
    : formatted(({ language }) => textsInBoth(of, language).description ?? '');

/** What of an election is shown in two languages. */
interface Shown {
  title: string;
  description: string | null;
  candidates?: { id: string; name: string }[];
  options?: { id: string; name: string }[];
  translations?: Translations;
}

/**
 * An election as its ballots and its result show it to a reader: in the second language and as it was written, so that
 * the reader finds both in the room and in public lists. Unchanged for readers of other languages.
 */
export function inBoth<Json extends Shown>(json: Json, language: string): Json {
  const own = json.translations?.[language];
  if (own === undefined) return json;
  const named = <Option extends { id: string; name: string }>(all: Option[]): Option[] =>
    all.map((option) => ({ ...option, name: joinBoth(own.options?.[option.id], option.name) }));
  return {
    ...json,
    ...bothTexts(json, own),
    ...(json.candidates && { candidates: named(json.candidates) }),
    ...(json.options && { options: named(json.options) }),
  };
}

/** The result of such an election: each option, which it has by id and name, is named in both. */
export function namesInBoth<Result>(
  result: Result,
  { candidates, options, translations }: Shown,
  language: string,
): Result {
  const own = translations?.[language]?.options;
  if (own === undefined) return result;
  const known = new Map((candidates ?? options ?? []).map(({ id, name }) => [id, name]));
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, one]) => [key, named(one)] as const);
    const copy: Record<string, unknown> = Object.fromEntries(entries);
    const { id, name } = copy;
    if (typeof id === 'string' && typeof name === 'string' && known.get(id) === name)
      copy.name = joinBoth(own[id], name);
    return copy;
  };
  return named(result) as Result;
}

const bothTexts = (
  { title, description }: Pick<Shown, 'title' | 'description'>,
  own: Texts,
): Pick<Shown, 'title' | 'description'> => ({
  title: joinBoth(own.title, title),
  description:
    description === null ? (own.description ?? null) : joinBoth(own.description, description, 'text'),
});

/** The row of an election or a ballot paper with its title and description as `inBoth` shows them. */
export const textsInBoth = <Row extends Titled & Pick<Election, 'description'>>(
  row: Row,
  language: string,
): Row => ({ ...row, ...bothTexts(row, parsed<Texts>(row.translations)[language] ?? {}) });
