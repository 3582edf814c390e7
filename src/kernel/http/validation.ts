import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { coded, codedOf, messageOf } from '#kernel/messages/messages.ts';
import { cleanLines, cleanName, isVisible } from '#kernel/names.ts';
import { badFields, type FieldError, fieldError, fieldErrorOf } from './errors.ts';
import { isFormBody } from './form.ts';
import { useOwnWords } from './zod-words.ts';

useOwnWords();

/** Uses Zod as Fastify's validator: invalid input is a 400 that names its fields. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart, method, url }) => {
  const known = httpPart === 'body' && NAMES_ALL.test(url) ? keysOf(schema) : undefined;
  return (input: unknown) => {
    const change = method === 'PATCH' || method === 'PUT';
    const json = change ? 'change' : 'json';
    const source = httpPart !== 'body' ? 'query' : isFormBody(input) ? 'form' : json;
    // A missing body counts as an empty one, so that the answer names the missing fields.
    const unknown =
      known && source !== 'form' ? Object.keys(fieldsOf(input)).filter((key) => !known.has(key)) : [];
    const parsed = parseInput(schema, httpPart === 'body' ? (input ?? {}) : input, source);
    if (unknown.length > 0) {
      const others = parsed.success ? [] : fieldErrors(parsed.error);
      return { error: badFields([...others, ...unknown.map((key) => fieldError(key, 'unknown_field'))]) };
    }
    return parsed.success ? { value: parsed.data } : { error: refusal(parsed.error) };
  };
};

/** The routes that refuse fields which they do not know: a misspelt one of a vote would be lost silently. */
const NAMES_ALL = /^\/admin\/(elections|papers|meetings)(\/|$)/;

/** The fields of a body; undefined where it takes any. */
function keysOf(schema: z.core.$ZodType): Set<string> | undefined {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  switch (def.type) {
    case 'object':
      return def.catchall === undefined || def.catchall._zod.def.type === 'never'
        ? new Set(Object.keys(def.shape))
        : undefined;
    case 'pipe':
      return keysOf(def.in._zod.def.type === 'transform' ? def.out : def.in);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return keysOf(def.innerType);
    case 'union': {
      const all = def.options.map(keysOf);
      return all.every((one) => one !== undefined) ? new Set(all.flatMap((one) => [...one!])) : undefined;
    }
    case 'intersection': {
      const [left, right] = [keysOf(def.left), keysOf(def.right)];
      return left && right && left.union(right);
    }
    default:
      return undefined;
  }
}

/** Where an input comes from: each source has its own way to leave out a field and to send a list of one entry. */
type InputSource = 'json' | 'change' | 'form' | 'query';

const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';

/** Which refused values count as absent where they may be. In a change an empty text would clear the field. */
const isAbsent: Record<InputSource, (value: unknown) => boolean> = {
  json: (value) => value === null || isEmpty(value),
  change: (value) => value === null,
  form: () => false,
  query: isEmpty,
};

/**
 * Parses the input of a client. A refused value counts as absent if the source uses it for that, see `isAbsent`; a field
 * that has to be there is refused for what was sent. In a form and in a query, a single text is taken for a list of one.
 * `input` is corrected in place.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  source: InputSource,
): z.ZodSafeParseResult<z.output<Schema>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed;
  const corrections = parsed.error.issues.filter((issue) => correct(schema, input, issue, source));
  return corrections.length > 0 ? parseInput(schema, input, source) : parsed;
}

/** @returns whether the value that the issue is about was dropped or became a list */
function correct(schema: z.ZodType, input: unknown, issue: z.core.$ZodIssue, source: InputSource): boolean {
  const field = issue.path.at(-1);
  const parent = issue.path.slice(0, -1).reduce<unknown>(memberOf, input);
  // An entry of a list is not optional.
  if (field === undefined || Array.isArray(parent)) return false;
  const value = memberOf(parent, field);
  const record = parent as Record<PropertyKey, unknown>;
  if (isAbsent[source](value)) {
    delete record[field];
    if (value === null || mayLack(schema, input, issue.path)) return true;
    record[field] = value;
    return false;
  }
  const listExpected = issue.code === 'invalid_type' && issue.expected === 'array';
  if ((source !== 'form' && source !== 'query') || typeof value !== 'string' || !listExpected) return false;
  record[field] = [value];
  return true;
}

/** Whether nothing is said about a field that was taken out. */
function mayLack(schema: z.ZodType, input: unknown, path: readonly PropertyKey[]): boolean {
  const { error } = schema.safeParse(input);
  const place = path.join('.');
  return !error?.issues.some((issue) => issue.path.join('.') === place);
}

/** The fields of a value that is not validated yet; none if it is not an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A body that names an election by `election_id`, or else has the fields of something new. */
export const newOrNamed = <New extends z.ZodType, Named extends z.ZodType>(fresh: New, named: Named) =>
  z.unknown().transform((value, context): z.output<New> | z.output<Named> => {
    const parsed = (fieldsOf(value).election_id == null ? fresh : named).safeParse(value);
    if (parsed.success) return parsed.data as z.output<New> | z.output<Named>;
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never);
    return z.NEVER;
  });

function memberOf(parent: unknown, key: PropertyKey): unknown {
  const known = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key);
  return known ? (parent as Record<PropertyKey, unknown>)[key] : undefined;
}

/** The 400 for a zod error, with its first problem as the message and all of them in `errors`. */
export const refusal = (error: z.ZodError): Error => badFields(fieldErrors(error));

export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return unknown.map((key) =>
      fieldErrorOf([...issue.path, ...(key === undefined ? [] : [key])].join('.'), messageOf(issue)),
    );
  });
}

/** The message for a text that is missing or of another type. */
export const REQUIRED_TEXT = {
  error: ({ input }: { input?: unknown }) => coded(input === undefined ? 'required' : 'not_text'),
};

/** The message for a text that is too long. */
export const atMost = (max: number) => coded('too_long', { max });

/** One of a few values, which the message lists. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, coded('not_either', { choices: values }));

/** A required text, trimmed, of 1 to `max` characters. */
export const requiredText = (max: number) =>
  z.string(REQUIRED_TEXT).trim().min(1, coded('empty')).max(max, atMost(max));

/** A required text that `clean` tidies, of 1 to `max` characters, one of which is visible. */
const requiredClean = (clean: (text: string) => string) => (max: number) =>
  z
    .string(REQUIRED_TEXT)
    .refine((text) => text.trim() !== '', { error: coded('empty'), abort: true })
    .refine(isVisible, { error: coded('no_visible_character'), abort: true })
    .transform(clean)
    .pipe(z.string().max(max, atMost(max)));

/** The same where it may be left out; without a visible character it is taken as absent. */
const optionalClean = (clean: (text: string) => string) => (max: number) =>
  z
    .string()
    .transform((text) => (isVisible(text) ? clean(text) : null))
    .pipe(z.string().max(max, atMost(max)).nullable())
    .nullish()
    .transform((text) => text ?? null);

/** A name, see `cleanName`. */
export const requiredName = requiredClean(cleanName);
export const optionalName = optionalClean(cleanName);

/** A text of visitors, see `cleanLines`. */
export const requiredLines = requiredClean(cleanLines);
export const optionalLines = optionalClean(cleanLines);

/**
 * An optional text, trimmed; null where it is absent or empty (forms send empty fields). With `.optional()` one that is
 * absent stays so: in a change it keeps the stored text, and an empty one removes it.
 */
export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, atMost(max))
    .nullish()
    .transform((text) => text || null);

/** A value that null, or an empty field of a form, takes away. */
export const orNone = <Input extends z.ZodType>(input: Input) =>
  z.preprocess((value) => (value === '' ? null : value), input.nullable());

/** A required e-mail address, as addresses are compared and stored: trimmed, in lower case. */
export const emailAddress = z.string(REQUIRED_TEXT).transform((text, issues) => {
  const address = normalizeAddress(text);
  if (address.ok) return address.email;
  issues.addIssue({ code: 'custom', message: codedOf(address.reason) });
  return z.NEVER;
});

/** A flag: JSON's true and false, or what a form sends. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'on', '1', 'false', 'off', '0', ''])], coded('not_true_or_false'))
  .transform((value) => value === true || value === 'true' || value === 'on' || value === '1');

/** A whole number, also as the text that a form or a query sends. A fraction is refused. */
export const wholeNumber = (min: number, max: number, error: string = rangeMessage(min, max)) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .trim()
          .regex(/^-?\d{1,16}$/)
          .transform(Number),
      ],
      { error },
    )
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, { error });

/** Rows on a page of a list for officers: what can be read through on a phone. */
export const ROWS_A_PAGE = 25;

/** The number of entries on a page of a list: `usual` by default, and `most` if more are asked for. */
export const pageSize = (usual: number, most: number) =>
  wholeNumber(1, Number.MAX_SAFE_INTEGER, rangeMessage(1, most))
    .default(usual)
    .transform((limit) => Math.min(limit, most));

/** The same where the usual number depends on who asks: undefined if none is asked for. */
export const askedPageSize = (most: number) =>
  wholeNumber(1, Number.MAX_SAFE_INTEGER, rangeMessage(1, most))
    .transform((limit) => Math.min(limit, most))
    .optional();

/** The message for a number outside its range. */
const rangeMessage = (min: number, max: number) => coded('out_of_range', { min, max });

/** A list; a form or query may also send a single value, see `parseInput`. */
export const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(item, { error: ({ input }) => coded(input === undefined ? 'required' : 'not_list') })
    .max(max, coded('too_many_entries', { max }));
