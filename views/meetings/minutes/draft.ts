import { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import type { Block } from '#meetings/minutes/versions.ts';

/** A part of the minutes before its texts are written: minutes are in the club's language, and signed as they are. */
export type Draft = Unwritten<Block>;

type Unwritten<T> = T extends string
  ? string extends T
    ? Words | string
    : T
  : T extends object
    ? { [Name in keyof T]: Unwritten<T[Name]> }
    : T;

/** Writes the texts of minutes for the club. */
export const writtenBlocks = (drafts: readonly Draft[]): Block[] => drafts.map(written) as Block[];

function written(value: unknown): unknown {
  if (value instanceof Words) return value.for(clubReader());
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]));
}
