import { isDeepStrictEqual } from 'node:util';
import type { Body, Kind } from './kind.ts';

export interface Merged {
  body: Body;
  /** Fields that both sides changed to different values. `body` has the stored values. */
  conflicts: string[];
}

/**
 * Three-way merge by field: takes each field from the side that changed it.
 * @param base the version that the user opened
 * @param theirs the body that is stored now
 */
export function mergeBodies(kind: Pick<Kind, 'mergedByKey'>, base: Body, theirs: Body, yours: Body): Merged {
  const body: Body = {};
  const conflicts: string[] = [];
  for (const field of keysOf(base, theirs, yours)) {
    const [was, their, your] = [base[field], theirs[field], yours[field]];
    let value = isDeepStrictEqual(your, was) ? their : your;
    if (value !== their && !isDeepStrictEqual(their, was) && !isDeepStrictEqual(their, your)) {
      const parts =
        kind.mergedByKey?.includes(field) && isRecord(was) && isRecord(their) && isRecord(your)
          ? mergeBodies({}, was, their, your)
          : undefined;
      value = parts?.body ?? their;
      conflicts.push(...(parts ? parts.conflicts.map((part) => `${field}.${part}`) : [field]));
    }
    if (value !== undefined) body[field] = value;
  }
  return { body, conflicts };
}

/** The fields in which two bodies differ. */
export function changedFields(before: Body, after: Body): string[] {
  return keysOf(before, after).filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

const keysOf = (...bodies: Body[]): string[] => [...new Set(bodies.flatMap(Object.keys))];

const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
