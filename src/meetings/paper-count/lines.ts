import type { Reader } from '#kernel/db/queries.ts';
import { AppError, badField, badFields, type FieldError, fieldError } from '#kernel/http/errors.ts';
import { linesOf } from '#kernel/http/form.ts';
import type { Words } from '#kernel/language/words.ts';
import { pageTextOf } from '#kernel/messages/messages.ts';
import type { Item } from '#meetings/items.ts';
import { readPaperBallot } from '#voting/ballots/paper-count.ts';
import { keysOf, readKeys } from '#voting/ballots/paper-count-keys.ts';
import { getElection, listOptions } from '#voting/elections/elections.ts';
import { type Entry, INVALID } from './entries.ts';

/** A paper in the shape of the API. */
export type LinePaper = { number: number } & Record<string, unknown>;

const BETWEEN_QUESTIONS = '/';

/**
 * Reads what a teller types: a paper on each line, its number and then its keys; with several questions, the keys of each
 * between strokes.
 * @throws 400 with an error for each line that is not read
 */
export function readLines(reader: Reader, items: readonly Item[], text: string): LinePaper[] {
  const errors: FieldError[] = [];
  const papers = linesOf(text).flatMap((line, at) => {
    try {
      return [readLine(reader, items, line)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(fieldError('lines', 'line_not_read', { line: at + 1, problem: problemOf(error) }));
      return [];
    }
  });
  if (errors.length > 0) throw badFields(errors);
  return papers;
}

function problemOf(error: AppError): Words | string {
  const [first = error] = error.errors ?? [];
  return pageTextOf(first) ?? first.message;
}

function readLine(reader: Reader, items: readonly Item[], line: string): LinePaper {
  const [, digits, rest = ''] = /^([1-9]\d{0,5})(?:\s*[:.)]\s*|\s+|$)(.*)$/.exec(line) ?? [];
  if (digits === undefined) throw badField('lines', 'line_without_number', { line: line.slice(0, 40) });
  const number = Number(digits);
  const typed = rest.trim();
  if (typed === '') throw badField('lines', 'line_without_keys', { number: digits });
  return { number, ...readPaperKeys(reader, items, number, typed) };
}

/** Reads the keys of one paper. @throws 400 */
export function readPaperKeys(
  reader: Reader,
  items: readonly Item[],
  number: number,
  typed: string,
): Record<string, unknown> {
  const read = ({ election_id }: Item, keys: string) => {
    const election = getElection(reader, election_id ?? '');
    const fields = readKeys(election, listOptions(reader, election.id), keys);
    try {
      if (fields.invalid === undefined) readPaperBallot(reader, election, fields);
    } catch (error) {
      throw error instanceof AppError ? badField('keys', 'keys_against_rules', { keys }) : error;
    }
    return fields;
  };
  const parts = typed.split(BETWEEN_QUESTIONS).map((part) => part.trim());
  const [first, only] = [items[0]!, parts[0] ?? ''];
  if (items.length === 1) return read(first, typed);
  // One key for the whole paper.
  if (parts.length === 1 && (only === 'b' || only === 'x')) return read(first, only);
  if (parts.length !== items.length)
    throw badField('lines', 'line_other_questions', {
      number: String(number),
      given: parts.length,
      expected: items.length,
    });
  return {
    answers: Object.fromEntries(items.map((item, at) => [item.election_id, read(item, parts[at] ?? '')])),
  };
}

/** The lines in which a teller typed these entries. */
export function linesOfEntries(reader: Reader, items: readonly Item[], entries: readonly Entry[]): string {
  const lines = [...Map.groupBy(entries, ({ number }) => number)].map(
    ([number, parts]) => `${number} ${keysOfPaper(reader, items, parts)}`,
  );
  return lines.join('\n');
}

/** The keys of one paper. */
export function keysOfPaper(
  reader: Reader,
  items: readonly Item[],
  parts: readonly Pick<Entry, 'item_id' | 'choice'>[],
): string {
  return items
    .map(({ id, election_id }) => {
      const choice = parts.find(({ item_id }) => item_id === id)?.choice;
      if (choice === undefined) return '';
      const election = getElection(reader, election_id ?? '');
      return choice === INVALID ? 'x' : keysOf(election, listOptions(reader, election.id), choice);
    })
    .join(` ${BETWEEN_QUESTIONS} `);
}
