import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { normalizeAddress } from './addresses.ts';
import { badRequest, type FieldError } from './errors.ts';

/** Zod as Fastify's validator: a part that does not fit is a 400 that names its fields. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (input: unknown) => {
    // A missing body is an empty one, so that the answer names the fields that are missing.
    const parsed = schema.safeParse(httpPart === 'body' ? (input ?? {}) : input);
    return parsed.success ? { value: parsed.data } : { error: refusal(parsed.error) };
  };

/** The 400 for a zod error, its first problem in the sentence and all of them in `errors`. */
export function refusal(error: z.ZodError): Error {
  const errors = fieldErrors(error);
  const { path, message } = errors[0] ?? { path: '', message: 'Invalid request' };
  return badRequest(path ? `${path}: ${message}` : message, errors);
}

export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
}

/** A required text, trimmed, of 1 to `max` characters. */
export const requiredText = (max: number) =>
  z
    .string({ error: 'is required' })
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max.toLocaleString('en-US')} characters`);

/** An optional text, trimmed; an empty one is taken as absent (forms send empty fields). */
export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `must have at most ${max.toLocaleString('en-US')} characters`)
    .nullish()
    .transform((text) => text || null);

/** A required e-mail address, as addresses are compared and stored: trimmed, in lower case. */
export const emailAddress = z.string({ error: 'is required' }).transform((text, issues) => {
  const address = normalizeAddress(text);
  if (address.ok) return address.email;
  issues.addIssue({ code: 'custom', message: address.reason });
  return z.NEVER;
});

/** A flag: JSON's true and false, or what a form sends. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'on', '1', 'false', 'off', '0', ''])], {
    error: 'must be true or false',
  })
  .transform((value) => value === true || value === 'true' || value === 'on' || value === '1');

/** A whole number, also as the text that a form or a query sends. A fraction is refused. */
export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .trim()
          .regex(/^-?\d{1,16}$/)
          .transform(Number),
      ],
      { error: message },
    )
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, message);
};

/** A list that a form sends as one value when only one is chosen. */
export const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(item, { error: 'must be a list' })
      .max(max, `must have at most ${max.toLocaleString('en-US')} entries`),
  );
