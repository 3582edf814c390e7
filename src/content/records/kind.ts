import type { z } from 'zod';
import type { Config } from '#kernel/config.ts';
import { badFields, type FieldError, fieldError, fieldErrorOf } from '#kernel/http/errors.ts';
import { parseInput } from '#kernel/http/validation.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { messageOf } from '#kernel/messages/messages.ts';
import type { VolumeUnit } from '#kernel/settings/menu.ts';

/** The content of one version of a record, stored as JSON. */
export type Body = Record<string, unknown>;

/** A kind of content: everything in which its records are treated differently. */
export interface Kind<B extends Body = Body> {
  /** Used in the API and in the database. */
  name: string;
  /** A strict object; optional fields have a default. */
  schema: z.ZodObject;
  /** Returns the problems between fields that are each valid by themselves. */
  check?(body: B): FieldError[];
  /** Returns problems that depend on the date of the change, or on the newest versions of other records of the kind. */
  checkAmong?(
    body: B,
    about: { before: B | undefined; others: () => readonly B[]; at: number; config: Config },
  ): FieldError[];
  /** Fills in what the service sets, such as a time zone or a stamp; after the check, before storing. */
  complete?(body: B, about: { before: B | undefined; at: number; config: Config }): B;
  /** Fields with the id, or ids, of records of another kind, by its name. */
  refersTo?: Readonly<Record<string, 'menu_section' | 'menu_item'>>;
  /** Questions that must be confirmed before it is stored: what is unusual about a body and was not so before. */
  questions?(body: B, before: B | undefined): Question[];
  /** The field of its prices, and the same body with another figure in place of each price. */
  prices?: { field: string; each(body: B, change: (minor: number) => number): B };
  /** Whether it is part of the list of drinks and food. */
  isOnMenu?: true;
  /** Fields that are objects, whose keys are merged one by one if two people change them at the same time. */
  mergedByKey?: readonly string[];
  /** Internal fields: not in the API, and not reported as changes. */
  hidden?: readonly string[];
  /** The title, with its date where it has no other name. */
  title(body: B): Words | string;
  /** The columns of its list. */
  columns: readonly Column<B>[];
  /**
   * A text by which its list is sorted, the soonest first; undefined for what is over, which comes last. A kind without
   * it is sorted by the first date.
   */
  soonest?(body: B, about: ListedAt): string | undefined;
  /** Its order on the list of drinks and food, where officers move records up and down within a group. */
  ordered?: {
    group(body: B): string;
    compare(a: B, b: B, about: Pick<ListedAt, 'placeOf'>): number;
  };
  /** The local dates that it covers, both inclusive; a null end is open. Null: it has no date. */
  dates?(body: B): { from: string; to: string | null } | null;
  /** The names of the fields in forms and lists. */
  labels: Readonly<Record<string, Words>>;
}

/** A column of the list of a kind. */
export interface Column<B extends Body = Body> {
  label: Words;
  words(body: B, about: ListedAt): Words | string;
  /** In small words below. */
  below?(body: B, about: ListedAt): Words | string | undefined;
  /** It leads to the record. */
  leads?: true;
}

/** What a list is written with. */
export interface ListedAt {
  now: number;
  zone: string;
  volumeUnit: VolumeUnit;
  /** Of a tender, or of a section of the list of drinks and food. */
  nameOf(id: string): string | undefined;
  /** The place of a section of the list. */
  placeOf(id: string): number;
}

/** What has to be confirmed, and the code of its sentence. */
export interface Question {
  name: string;
  code: 'confirm_gluten_free';
}

/** The title of a record for everybody: in the club's language where it is made of a date. */
export function titleOf<B extends Body>(kind: Pick<Kind<B>, 'title'>, body: B): string {
  const title = kind.title(body);
  return typeof title === 'string' ? title : forClub(title);
}

/** Declares a kind; the type of its bodies is derived from the schema. */
export function defineKind<Schema extends z.ZodObject>(
  kind: Omit<Kind<z.output<Schema>>, 'schema'> & {
    schema: Schema;
    labels: Readonly<Record<keyof z.output<Schema>, Words>>;
  },
): Kind<z.output<Schema>> {
  return kind as unknown as Kind<z.output<Schema>>;
}

/**
 * Validates a whole body.
 * @param prefix its path in the request, `body.`, or empty
 * @throws 400 that names the invalid fields, including unknown ones
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

/** Returns a body as the API returns it, without hidden fields. */
export function wireBody<B extends Body>({ hidden = [] }: Pick<Kind<B>, 'hidden'>, body: B): B {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !hidden.includes(field))) as B;
}

/**
 * Parses a stored body; missing top-level fields, which are newer, get their defaults. Nothing else is validated: if a
 * part is added inside a field later, the code that reads it must supply the default.
 */
export function readBody<B extends Body>(kind: Kind<B>, text: string): B {
  const stored: Body = JSON.parse(text);
  for (const [field, schema] of Object.entries(kind.schema.shape)) {
    if (Object.hasOwn(stored, field)) continue;
    const { data } = schema.safeParse(undefined);
    if (data !== undefined) stored[field] = data;
  }
  return stored as B;
}

/** Converts the problems of a schema, including unknown fields. */
export function problemsOf({ issues }: z.ZodError): FieldError[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => fieldError([...issue.path, key].join('.'), 'unknown_field'))
      : [fieldErrorOf(issue.path.join('.'), messageOf(issue))],
  );
}

function refusedBody(problems: FieldError[], prefix: string): Error {
  return badFields(problems.map((problem) => ({ ...problem, path: prefix + problem.path })));
}
