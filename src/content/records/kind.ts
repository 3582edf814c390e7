import type { z } from 'zod';
import type { Config } from '#kernel/config.ts';
import { badRequest, type FieldError } from '#kernel/http/errors.ts';
import { parseInput } from '#kernel/http/validation.ts';

/** What is written down of a record, in one version: JSON. */
export type Body = Record<string, unknown>;

/** One sort of content: all that its records are treated differently in. */
export interface Kind<B extends Body = Body> {
  /** On the wire and in the database. */
  name: string;
  /** A strict object; what may be left out has a default. */
  schema: z.ZodObject;
  /** What is wrong between fields that are right by themselves. */
  check?(body: B): FieldError[];
  /** What is wrong on the day of the change, or beside the newest versions of the other records of the kind. */
  checkAmong?(
    body: B,
    about: { before: B | undefined; others: () => readonly B[]; at: number; config: Config },
  ): FieldError[];
  /** Fills in what the service itself decides, such as a time zone or a stamp; after the check, before storing. */
  complete?(body: B, about: { before: B | undefined; at: number; config: Config }): B;
  /** Fields that hold records by key and are merged key by key where two people change them at once. */
  mergedByKey?: readonly string[];
  /** Fields that the service keeps for itself: not on the wire, and no change that is told. */
  hidden?: readonly string[];
  /** By what it is known in lists. */
  title(body: B): string;
  /** The local dates it is about, both included; a null end is open. Null: it is about no date. */
  dates?(body: B): { from: string; to: string | null } | null;
  /** The fields in words. */
  labels: Readonly<Record<string, string>>;
}

/** A kind as it is declared; the type of its bodies comes from the schema. */
export function defineKind<Schema extends z.ZodObject>(
  kind: Omit<Kind<z.output<Schema>>, 'schema'> & { schema: Schema },
): Kind<z.output<Schema>> {
  return kind as unknown as Kind<z.output<Schema>>;
}

/**
 * Reads a whole body.
 * @param prefix where it stands in the request, `body.`, or nothing
 * @throws 400 that names the fields that do not fit, unknown ones too
 */
export function parseBody<B extends Body>(kind: Kind<B>, input: unknown, prefix = ''): B {
  const parsed = parseInput(kind.schema, structuredClone(input), 'json');
  const problems = parsed.success ? (kind.check?.(parsed.data as B) ?? []) : problemsOf(parsed.error);
  ensureNoProblems(problems, prefix);
  return parsed.data as B;
}

/** @throws 400 that names the fields */
export function ensureNoProblems(problems: FieldError[], prefix: string): void {
  if (problems.length > 0) throw refusedBody(problems, prefix);
}

/** A body as it is answered. */
export function wireBody<B extends Body>({ hidden = [] }: Pick<Kind<B>, 'hidden'>, body: B): B {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !hidden.includes(field))) as B;
}

/**
 * What was stored; fields that it lacks, because they are newer, have their defaults. One that has all of them is not
 * checked again: a part that comes to be inside a field later needs its default where it is read.
 */
export function readBody<B extends Body>(kind: Kind<B>, text: string): B {
  const stored: Body = JSON.parse(text);
  if (Object.keys(kind.schema.shape).every((field) => Object.hasOwn(stored, field))) return stored as B;
  const { data } = kind.schema.safeParse(stored);
  return (data ?? stored) as B;
}

/** What a schema found wrong, unknown fields too. */
export function problemsOf({ issues }: z.ZodError): FieldError[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not known' }))
      : [{ path: issue.path.join('.'), message: issue.message }],
  );
}

function refusedBody(problems: FieldError[], prefix: string): Error {
  const errors = problems.map(({ path, message }) => ({ path: prefix + path, message }));
  return badRequest(`${errors[0]?.path}: ${errors[0]?.message}`, errors);
}
