import type { FieldError } from '#kernel/http/errors.ts';
import { FieldProblem } from '#kernel/http/field-names.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { pageTextOf } from '#kernel/messages/messages.ts';
import { ownValue } from '#kernel/own-value.ts';

/** A problem as a page says it; `path` is the field that it is about. */
export interface ShownError {
  path: string;
  message: Words | string;
  /** Not an error as JSON has it: see `namedErrors`. */
  code?: never;
}

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
export function errorAt(errors: readonly FieldError[], name: string): Words | undefined {
  const error = errors.find(({ path }) => path === name || path.startsWith(`${name}.`));
  return error && firstError([error]);
}

/** What to show of the only field of a form: its first error, as a sentence. */
export const firstError = ([error]: readonly FieldError[]): Words | undefined =>
  error && atLineStart(problemOf(error));

/** Errors for a summary: each says which field it is about, by one of these labels, else by that of the field on the page. */
export function namedErrors(
  errors: readonly FieldError[],
  labels: Readonly<Record<string, Words | string>> = {},
): ShownError[] {
  return errors.map((error) => {
    const label = labelOf(labels, error.path);
    const problem = problemOf(error);
    return {
      path: error.path,
      message:
        label === undefined
          ? new FieldProblem(error.path, problem)
          : t('common.named', { name: label, value: problem }),
    };
  });
}

/** Errors for a summary whose sentences say themselves what they are about. */
export const saidErrors = (errors: readonly FieldError[]): ShownError[] =>
  errors.map((error) => ({ path: error.path, message: atLineStart(problemOf(error)) }));

/** A refused form as one sentence, for a page with many small forms. */
export const refusalSentence = (
  { message, errors }: { message: Words; errors: readonly FieldError[] },
  labels: Readonly<Record<string, Words | string>>,
): Words | string => namedErrors(errors, labels)[0]?.message ?? message;

/** The label of the field, else of the closest field that contains it. */
function labelOf(labels: Readonly<Record<string, Words | string>>, path: string): Words | string | undefined {
  const parts = path.split('.');
  const wholes = parts.map((_part, index) => parts.slice(0, parts.length - index).join('.'));
  return wholes.map((whole) => ownValue(labels, whole)).find((label) => label !== undefined);
}

/**
 * What a page says about a problem: words that read well after the label of the field and a colon. Alone they begin with
 * a capital letter; ’ and “ stay what they are.
 */
const problemOf = (error: FieldError): Words => pageTextOf(error) ?? t('errors.not_valid');
