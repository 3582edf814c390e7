import type { FieldError } from '#kernel/http/errors.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { ownValue } from '#kernel/own-value.ts';

/** The problems of a form that was refused. */
export type Refusal = Pick<RefusedForm, 'message' | 'errors'>;

/** The labels of the form's fields, by field name. */
type Labels = Readonly<Record<string, string>>;

/** An error for each field that has a label; without any, one sentence about the whole form. */
export function describeRefusal(
  refusal: Refusal | undefined,
  labels: Labels,
): { errors: FieldError[]; sentence: string | undefined } {
  if (!refusal) return { errors: [], sentence: undefined };
  const errors = refusal.errors.flatMap(({ path, message }) => {
    const label = ownValue(labels, path);
    return label === undefined ? [] : [{ path, message: `${label} ${message}.` }];
  });
  return { errors, sentence: errors.length > 0 ? undefined : refusalSentence(refusal, labels) };
}

/** The refusal as one sentence, for a page with many small forms. */
export function refusalSentence({ message, errors }: Refusal, labels: Labels): string {
  const [problem] = errors;
  if (!problem) return message;
  // Some messages are whole sentences.
  if (/^[A-Z]/.test(problem.message)) return `${problem.message}.`;
  const label = ownValue(labels, problem.path.replace(/\.\d+$/, '')) ?? `${problem.path}:`;
  return `${label} ${problem.message}.`;
}
