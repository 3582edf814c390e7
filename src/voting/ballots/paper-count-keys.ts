import { badField } from '#kernel/http/errors.ts';
import { readSettings } from '#voting/election-settings.ts';
import type { Election, OptionRow } from '#voting/elections/elections.ts';
import { BLANK, type SimpleChoice } from '#voting/shared/choice.ts';
import { handlingOf, type PaperMarks } from './ballot-types.ts';

/** Keys for a paper that is left blank, and for one that is no ballot. */
const BLANK_KEY = 'b';
const INVALID_KEY = 'x';

const ANSWERS: Readonly<Record<string, SimpleChoice>> = { y: 'yes', n: 'no', a: 'abstain' };
/** No mark beside a name. */
const NO_MARK = /^[-.0]$/;
/** Up to here each key is one digit, so that no spaces are needed. */
const ONE_DIGIT = 9;

/** What a teller types for a paper, in the order of the printed names. */
type Reader = (keys: string, printed: readonly OptionRow[], countsToGap: boolean) => Record<string, unknown>;

const READERS: { readonly [Marks in PaperMarks]: Reader } = {
  answer(keys) {
    const choice = ANSWERS[keys];
    if (choice === undefined) throw badField('keys', 'keys_of_answer', { keys });
    return { choice };
  },
  crosses(keys, printed) {
    const numbers = partsOf(keys, printed.length).map(Number);
    const wrong = numbers.find((number) => printed[number - 1] === undefined);
    if (wrong !== undefined || numbers.length === 0)
      throw badField('keys', 'keys_of_crosses', { keys, max: printed.length });
    const ids = numbers.map((number) => printed[number - 1]!).filter(isStanding);
    return { selected_options: ids.map(({ id }) => id) };
  },
  ranks(keys, printed, countsToGap) {
    const parts = partsOf(keys, printed.length);
    const fits = parts.every((part) => NO_MARK.test(part) || /^\d{1,3}$/.test(part));
    if (parts.length > printed.length || !fits)
      throw badField('keys', 'keys_of_ranks', { keys, max: printed.length });
    const marked = parts.flatMap((part, at) =>
      NO_MARK.test(part) ? [] : [{ rank: Number(part), option: printed[at]! }],
    );
    const inOrder = marked.toSorted((a, b) => a.rank - b.rank);
    const isRepeated = ({ rank }: { rank: number }) => marked.filter((one) => one.rank === rank).length > 1;
    if (!countsToGap && marked.some(isRepeated)) throw badField('keys', 'keys_rank_twice', { keys });
    const gap = inOrder.findIndex((one, at) => one.rank !== at + 1 || isRepeated(one));
    const counted = countsToGap && gap !== -1 ? inOrder.slice(0, gap) : inOrder;
    if (counted.length === 0) throw badField('keys', 'keys_no_first', { keys });
    return {
      ranking: counted
        .map(({ option }) => option)
        .filter(isStanding)
        .map(({ id }) => id),
    };
  },
  answers(keys, printed) {
    const parts = [...keys.replaceAll(/\s+/g, '')];
    const fits = parts.every((part) => NO_MARK.test(part) || ANSWERS[part] !== undefined);
    if (parts.length > printed.length || !fits)
      throw badField('keys', 'keys_of_answers', { keys, max: printed.length });
    const given = parts.flatMap((part, at) => {
      const option = printed[at]!;
      const answer = ANSWERS[part];
      return answer === undefined || !isStanding(option) ? [] : [[option.id, answer] as const];
    });
    return { answers: Object.fromEntries(given) };
  },
};

/** Names that were withdrawn are on the papers still; marks beside them do not count. */
const isStanding = ({ withdrawn_at }: OptionRow): boolean => withdrawn_at === null;

/** `2 1 3` or, with up to nine names, `213`. */
function partsOf(keys: string, options: number): string[] {
  const parts = keys.split(/[\s,]+/).filter(Boolean);
  const [only = ''] = parts;
  return parts.length === 1 && only.length > 1 && options <= ONE_DIGIT ? [...only] : parts;
}

/**
 * Turns what a teller types for a paper into the fields of its ballot.
 * @param options of the election, withdrawn ones too, in the order in which they are printed
 * @throws 400 that says which keys there are
 */
export function readKeys(
  { ballot_type, settings }: Pick<Election, 'ballot_type' | 'settings'>,
  options: readonly OptionRow[],
  typed: string,
): Record<string, unknown> {
  const keys = typed.trim().toLowerCase();
  if (keys === BLANK_KEY) return { blank: true };
  if (keys === INVALID_KEY) return { invalid: true };
  const { onPaper, countsToGap = false } = handlingOf(ballot_type);
  const fields = READERS[onPaper](keys, options, countsToGap);
  const { selected_options: chosen } = fields as { selected_options?: string[] };
  const isSingle = readSettings(settings).poll_response_type === 'single';
  if (chosen === undefined || !isSingle) return fields;
  if (chosen.length !== 1) throw badField('keys', 'keys_one_cross', { keys });
  return { selected_option: chosen[0] };
}

/** What a teller types for a choice as it is stored. @param options as in `readKeys` */
export function keysOf(
  { ballot_type }: Pick<Election, 'ballot_type'>,
  options: readonly OptionRow[],
  choice: string,
): string {
  if (choice === BLANK) return BLANK_KEY;
  const { onPaper } = handlingOf(ballot_type);
  if (onPaper === 'answer') return choice.charAt(0);
  const stored: number[] | Record<string, string> = JSON.parse(choice);
  const marks = options.map(({ number }, at) => {
    if (!Array.isArray(stored)) return (stored[number] ?? '-').charAt(0);
    const place = stored.indexOf(number);
    if (onPaper === 'crosses') return place < 0 ? '' : String(at + 1);
    return place < 0 ? '-' : String(place + 1);
  });
  const typed = marks.filter(Boolean);
  return typed.join(onPaper === 'answers' ? '' : ' ');
}
