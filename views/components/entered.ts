import type { FieldError } from '#kernel/http/errors.ts';
import { ownValue } from '#kernel/own-value.ts';

/** The values that a form was submitted with, by field name; a name that was sent several times holds a list. */
export type Entered = Readonly<Record<string, unknown>>;

/** The submitted value of a field, the last one of several; the fallback where the field was not sent. */
export function enteredText(entered: Entered, name: string, fallback = ''): string {
  const value = lookUp(entered, name);
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' || typeof last === 'number' || typeof last === 'boolean'
    ? String(last)
    : fallback;
}

/** The submitted text of a text area with one entry per line, which may already be parsed into a list. */
export function enteredLines(entered: Entered, name: string): string {
  const value = lookUp(entered, name);
  return Array.isArray(value) ? value.join('\n') : enteredText(entered, name);
}

/** Whether a checkbox was ticked. */
export function isTicked(entered: Entered, name: string, fallback = false): boolean {
  return ['true', 'on', '1'].includes(enteredText(entered, name, String(fallback)));
}

/** `settings.quorum` is found under that name, and inside `settings`. */
function lookUp(entered: Entered, name: string): unknown {
  if (name in entered) return entered[name];
  const [first = '', ...rest] = name.split('.');
  const inner = entered[first];
  return rest.length > 0 && typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    ? lookUp(inner as Entered, rest.join('.'))
    : undefined;
}

/** The message to show beside a field: the first error of it or of something inside it, as a sentence. */
export function errorAt(errors: readonly FieldError[], name: string): string | undefined {
  const error = errors.find(({ path }) => path === name || path.startsWith(`${name}.`));
  return error && sentence(inOfficersWords(error.message));
}

/** Errors for a summary: each says which field it is about. */
export function namedErrors(
  errors: readonly FieldError[],
  labels: Readonly<Record<string, string>>,
): FieldError[] {
  return errors.map(({ path, message }) => {
    const label = labelOf(labels, path);
    const words = inOfficersWords(message);
    return { path, message: label === undefined ? sentence(words) : `${label}: ${words}` };
  });
}

/** The label of the field, else of the closest field that contains it. */
function labelOf(labels: Readonly<Record<string, string>>, path: string): string | undefined {
  const parts = path.split('.');
  const wholes = parts.map((_part, index) => parts.slice(0, parts.length - index).join('.'));
  return wholes.map((whole) => ownValue(labels, whole)).find((label) => label !== undefined);
}

/** Messages of the service name JSON fields; these replacements are for officers, who see labels. */
const OFFICERS_WORDS: Record<string, string> = {
  'is required': 'this is needed',
  'must not be empty': 'this is needed',
  'must be after open_at': 'has to be after the opening',
  'must be in the future (or send allow_past_close)':
    'has to be in the future. To record a vote that is already over, tick the box under it',
  'must be an ISO 8601 timestamp': 'has to be a day and a time',
  'must be SIMPLE_TRIPLE, RANKED_CONDORCET or POLL': 'choose one',
  'a poll needs at least two': 'a poll needs at least two, one on each line',
  'must be a whole number from 1 to 1,000,000, or null':
    'has to be a whole number from 1 to 1,000,000, or empty',
  'must be a whole number from 0 to 1,000,000,000': 'needs a whole number',
  'cannot change: Ballots exist': 'this is fixed, because there are ballots already',
  'name at least one recipient or distribution list': 'write an address, or choose a list',
  'name at least one election': 'choose at least one',
  'must be individual or batch': 'choose one',
  'must be complete or partial': 'choose one',
  'another list has this name': 'another list has this name already',
  'must be an HTTPS address': 'has to be an address that begins with https://',
};

function inOfficersWords(message: string): string {
  return ownValue(OFFICERS_WORDS, message) ?? message;
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
