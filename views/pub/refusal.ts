import type { FieldError } from '#kernel/http/errors.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { refusalSentence } from '#views/components/entered.ts';

/** The problems of a form that was refused. */
export type Refusal = Pick<RefusedForm, 'message' | 'errors'>;

/** The labels of the form's fields, by field name. */
type Labels = Readonly<Record<string, Words | string>>;

/** An error for each field that has a label; without any, one sentence about the whole form. */
export function describeRefusal(
  refusal: Refusal | undefined,
  labels: Labels,
): { errors: readonly FieldError[]; sentence: Words | string | undefined } {
  if (!refusal) return { errors: [], sentence: undefined };
  const errors = refusal.errors.filter(({ path }) => ownValue(labels, path) !== undefined);
  return { errors, sentence: errors.length > 0 ? undefined : refusalSentence(refusal, labels) };
}
