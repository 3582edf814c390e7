import { badField } from '#kernel/http/errors.ts';
import { ownValue } from '#kernel/own-value.ts';
import { type Column, FIELDS, type Field, type FileOptions, isField } from './columns.ts';
import { isTwoDays, readDay } from './days.ts';

/** What an import asks: a column that it could not read, or the kind of membership of a list that names none. */
export interface Question {
  /** The header of the column; `kind` where no column names the kind of membership. */
  column: string;
  ask: 'kind' | 'name' | 'date_order' | 'meaning';
  /** The answers that are possible, the likely one first. */
  options: string[];
  /** Whether the first option is likely. */
  likely?: boolean;
  /** The kinds of membership of the column that the club does not have. */
  values?: string[];
}

/** Answers by column: one of the options, or for unknown kinds one for each of them. */
export type Answers = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The column of the question for a list without a column of kinds. */
export const WHOLE_LIST = 'kind';
/** In place of a kind: people of the list get no membership. */
export const NO_KIND = 'none';
/** In place of a kind: the club gets a new one, with or without a vote. */
export const ADDED_KINDS: Readonly<Record<string, { votes: boolean }>> = {
  vote: { votes: true },
  'no vote': { votes: false },
};

/** What an officer says about a list as a whole. */
interface Said extends FileOptions {
  /** The kind that is meant by one that the club does not have. */
  kinds: Readonly<Record<string, string>>;
  /** The kind of the people of a list that names none. */
  kind?: string | undefined;
  /** The kind that is meant by all others that the club does not have. */
  other_kinds?: string | undefined;
}

/**
 * Adds the answers to what was said.
 * @throws 400 for a column that the list does not have
 */
export function withAnswers<S extends Said>(said: S, answers: Answers, headers: readonly string[]): S {
  const settled = { ...said, mapping: { ...said.mapping }, kinds: { ...said.kinds } };
  for (const [column, answer] of Object.entries(answers)) {
    const isColumn = headers.includes(column.trim());
    if (!isColumn && column !== WHOLE_LIST)
      throw badField(`answers.${column}`, 'no_csv_column', { header: column });
    if (typeof answer !== 'string') Object.assign(settled.kinds, answer);
    else if (!isColumn) settled.kind = answer;
    else if (answer === 'dmy' || answer === 'mdy') settled.date_order = answer;
    else if (answer === '' || isField(answer)) Object.assign(settled.mapping, { [column]: answer });
    else settled.other_kinds = answer;
  }
  return settled;
}

type Cells = (index: number) => string[];

/** Asks which column has the names: the likely one first. */
export function askForNames(columns: readonly Column[], cells: Cells): Question[] {
  const share = (index: number) => {
    const filled = cells(index);
    return (
      filled.filter((text) => /^\p{L}[\p{L}\p{M}'’. ,-]*$/u.test(text)).length / Math.max(1, filled.length)
    );
  };
  return columns
    .map(({ header, field }, index) => ({ header, field, share: share(index) }))
    .filter(({ header, field }) => field === null && header !== '')
    .sort((a, b) => b.share - a.share)
    .map(({ header, share: part }) => ({
      column: header,
      ask: 'name',
      options: ['name', 'first_name', 'last_name', ''],
      likely: part > 0.8,
    }));
}

/** Asks what the columns hold that are not read, unless the officer has said so, and in which order days are. */
export function askForColumns(
  columns: readonly Column[],
  cells: Cells,
  { mapping, date_order }: Pick<FileOptions, 'mapping' | 'date_order'>,
): Question[] {
  const taken = new Set(columns.map(({ field }) => field));
  const free = FIELDS.filter((field) => field === 'email' || !taken.has(field));
  const meanings = columns.flatMap(({ header, field }, index): Question[] => {
    const filled = cells(index);
    if (field !== null || header === '' || ownValue(mapping, header) !== undefined || filled.length === 0)
      return [];
    const likely = free.find((one) => LOOKS_LIKE[one]?.(filled));
    const others = free.filter((one) => one !== likely);
    return [
      {
        column: header,
        ask: 'meaning',
        options: [...(likely ? [likely] : []), ...others, ''],
        likely: likely !== undefined,
      },
    ];
  });
  const days = columns.findIndex(
    ({ field }, index) => (field === 'first_day' || field === 'last_day') && cells(index).some(isTwoDays),
  );
  if (date_order !== undefined || days === -1) return meanings;
  return [...meanings, { column: columns[days]!.header, ask: 'date_order', options: ['dmy', 'mdy'] }];
}

/** The most kinds that a club has: a column with more different values holds something else. */
const KINDS_AT_MOST = 12;

const mostly = (texts: readonly string[], test: (text: string) => boolean): boolean =>
  texts.filter(test).length > texts.length / 2;

/** What the cells of a column look like, by its field. */
const LOOKS_LIKE: Partial<Record<Field, (filled: readonly string[]) => boolean>> = {
  email: (filled) => mostly(filled, (text) => text.includes('@') && !/\s/.test(text)),
  first_day: (filled) => mostly(filled, (text) => !/^\d+$/.test(text) && readDay(text, 'dmy').ok),
  kind: (filled) => {
    const different = new Set(filled).size;
    return (
      different <= KINDS_AT_MOST &&
      different * 2 <= filled.length &&
      mostly(filled, (text) => /^\p{L}/u.test(text))
    );
  },
  number: (filled) =>
    new Set(filled).size === filled.length && filled.every((text) => /^\d{1,10}$/.test(text)),
};
