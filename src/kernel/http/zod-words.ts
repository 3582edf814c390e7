import { z } from 'zod';
import { coded } from '#kernel/messages/messages.ts';

/** What a value of another type is refused with. */
const TYPES: Readonly<Record<string, string>> = {
  string: coded('not_text'),
  number: coded('not_number'),
  int: coded('not_whole_number'),
  boolean: coded('not_true_or_false'),
  array: coded('not_list'),
  object: coded('not_object'),
  record: coded('not_object'),
};

/** What a text of another form is refused with. */
const FORMATS: Readonly<Record<string, string>> = {
  url: coded('not_web_address'),
  email: coded('not_address'),
  datetime: coded('not_iso_time'),
  date: coded('not_date'),
  time: coded('not_clock_time'),
};

const NOT_VALID = coded('not_valid');

type Issue = z.core.$ZodRawIssue;

/** The smallest or largest size of a value that is refused, by what the value is. */
function ofSize(origin: string, least: boolean, size: number): string {
  if (origin === 'string') {
    if (!least) return coded('too_long', { max: size });
    return size === 1 ? coded('empty') : coded('too_short', { min: size });
  }
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return least ? coded('too_few_entries', { min: size }) : coded('too_many_entries', { max: size });
  return least ? coded('too_small', { min: size }) : coded('too_large', { max: size });
}

/** Why a value is none of several kinds: as the kind says that it looks like. */
function ofUnion(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const isOfType = (issues: readonly z.core.$ZodIssue[]) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  const [first] = (branches.length === 1 ? branches[0] : branches.find(isOfType)) ?? [];
  return first && first.path.length === 0 ? first.message : NOT_VALID;
}

/** The message for what a schema has none for. */
function messageFor(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return coded('required');
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? NOT_VALID;
    case 'invalid_format':
      return FORMATS[issue.format] ?? NOT_VALID;
    case 'invalid_value':
      return coded('not_one_of', { values: issue.values.map(String) });
    case 'too_small':
      return ofSize(issue.origin, true, Number(issue.minimum));
    case 'too_big':
      return ofSize(issue.origin, false, Number(issue.maximum));
    case 'unrecognized_keys':
      return coded('unknown_field');
    case 'invalid_union':
      return ofUnion(issue.errors);
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? NOT_VALID;
    default:
      return NOT_VALID;
  }
}

/** Refusals have no sentence of the library: for all schemas of this process. */
export const useOwnWords = (): void => {
  z.config({ customError: messageFor });
};
