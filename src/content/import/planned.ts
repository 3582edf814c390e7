import { type Body, type Kind, parseBody } from '#content/records/kind.ts';
import { AppError } from '#kernel/http/errors.ts';
import { formatNumber } from '#kernel/locale.ts';
import { truncate } from '#kernel/text.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';

/** A record to be made from a page of the workspace. */
export interface PlannedRecord {
  kind: Kind;
  /** The page's id; for a pair that of the programme's page, which calendars know. */
  id: string;
  /** The id of the other page of a pair, else the same id. */
  page: string;
  title: string;
  /** Without its picture. */
  body: Body;
  /** Whether it is published at once. */
  publish: boolean;
  /** The address of its picture. */
  picture?: string | undefined;
  /** Differences from the page, in words. */
  notes: string[];
}

/** A remark about a page or a record. */
export interface ImportLine {
  kind: string;
  id: string;
  title: string;
  text: string;
}

/** Returns the id of the record that a page was imported into, if it was. */
export type KnownPages = (page: string) => string | undefined;

/** Why a record made from two pages is kept. */
export const DIFFERENT = 'its two pages do not say the same any more';

/** The record planned for a page, or why the page is left out. */
export type Planned = { record: PlannedRecord } | { leftOut: ImportLine };

export function leaveOut(kind: Pick<Kind, 'name'>, page: WorkspacePage, text: string): Planned {
  return { leftOut: { kind: kind.name, id: page.id, title: page.title || 'Untitled', text } };
}

/** Plans a record from one page; its fields are validated like those of any other record. */
export function planRecord<B extends Body>(
  kind: Kind<B>,
  page: WorkspacePage,
  input: Body,
  {
    title,
    publish = true,
    ...rest
  }: Pick<PlannedRecord, 'title' | 'notes' | 'picture'> & { publish?: boolean },
): Planned {
  try {
    const body = parseBody(kind, input);
    const known = kind as unknown as Kind;
    return { record: { kind: known, id: page.id, page: page.id, title, body, publish, ...rest } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return leaveOut(kind, page, `it cannot be kept here: ${error.message}`);
  }
}

/** Cuts a text to the length that a field accepts, and adds a note if it was cut. */
export function shorten(text: string, max: number, what: string, notes: string[]): string {
  const plain = text.trim();
  if (plain.length <= max) return plain;
  notes.push(`${what} was cut after ${formatNumber(max)} characters`);
  return truncate(plain, max);
}

/** Returns a web address if a field accepts its length, else an empty text and adds a note. */
export function shortAddress(url: string, notes: string[]): string {
  if (url.length <= 2_000) return url;
  notes.push('its web address is too long and was left out');
  return '';
}
