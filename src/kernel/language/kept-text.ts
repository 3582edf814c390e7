import { Message } from './message.ts';
import type { Texts } from './texts.ts';
import { Figure, type FormatName, Row } from './times.ts';
import { ENGLISH, Note, type Words } from './words.ts';

/** A value of a kept text: as it is, a text of the catalogues, a figure with what it is written from, or a row of them. */
type Kept =
  | string
  | number
  | { key: string; values: Record<string, Kept> }
  | { format: string; args: unknown[] }
  | { items: Kept[]; between: string };

/** Begins what is no plain sentence: nobody can type it. */
const MARK = '\u0001';

/**
 * A text as the database keeps it: what people wrote as it is, a text of the catalogues as its key and values, and in
 * English for a later version without this key.
 * @throws for a text that holds anything else
 */
export function keepText(text: Words | string): string {
  return typeof text === 'string' && !text.startsWith(MARK)
    ? text
    : MARK + JSON.stringify({ kept: keptOf(text), english: inEnglish(text) });
}

function keptOf(value: unknown): Kept {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Figure) return { format: value.name, args: [...value.args] };
  if (value instanceof Row) return { items: value.items.map(keptOf), between: value.between };
  if (!(value instanceof Message)) throw new TypeError('This text cannot be kept');
  const values = Object.entries(value.values).map(([name, one]) => [name, keptOf(one)]);
  return { key: value.key, values: Object.fromEntries(values) };
}

/**
 * Reads a text that `keepText` made; a sentence of an earlier version is returned as it is, and in English if the
 * catalogues have it no longer, or with other values. What is read is some days old at most: keys of texts may be renamed.
 */
export function readText(stored: string): Words | string {
  if (!stored.startsWith(MARK)) return stored;
  const { kept, english } = JSON.parse(stored.slice(MARK.length)) as { kept: Kept; english: string };
  try {
    const text = readKept(kept);
    inEnglish(text);
    return text;
  } catch {
    return english;
  }
}

function readKept(kept: Kept): Words | string {
  if (typeof kept !== 'object') return String(kept);
  if ('items' in kept) return new Row(kept.items.map(readKept), kept.between);
  if ('format' in kept) return new Figure(kept.format as FormatName, kept.args as never);
  const values = Object.entries(kept.values).map(([name, one]) => [
    name,
    typeof one === 'number' ? one : readKept(one),
  ]);
  return new Message(kept.key as keyof Texts, Object.fromEntries(values));
}

/** A text in English, for JSON. */
export const inEnglish = (text: Words | string): string =>
  typeof text === 'string' ? text : text instanceof Note ? text.english : text.for(ENGLISH);
