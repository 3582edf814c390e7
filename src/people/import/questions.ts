import { badField } from '#kernel/http/errors.ts';
import { askForColumns as askForMeanings, type Cells } from '#kernel/lists/columns.ts';
import { type Column, type FileOptions, isField, PEOPLE } from './columns.ts';
import { isTwoDays } from './days.ts';

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
  const meanings = askForMeanings(columns, cells, mapping, PEOPLE);
  const days = columns.findIndex(
    ({ field }, index) => (field === 'first_day' || field === 'last_day') && cells(index).some(isTwoDays),
  );
  if (date_order !== undefined || days === -1) return meanings;
  return [...meanings, { column: columns[days]!.header, ask: 'date_order', options: ['dmy', 'mdy'] }];
}
