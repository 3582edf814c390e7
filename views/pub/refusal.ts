import type { FieldError } from '#kernel/http/errors.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { ownValue } from '#kernel/own-value.ts';

/** What a page says of a form that was refused. */
export type Refusal = Pick<RefusedForm, 'message' | 'errors'>;

/** What a page calls the fields that people type into, by their names. */
type Labels = Readonly<Record<string, string>>;

/** A message for each field that the page shows; else one sentence about the whole form. */
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
