import { AppError } from '#kernel/http/errors.ts';
import { formatNumber } from '#kernel/settings/locale.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { type Body, type Kind, parseBody } from '../records/kind.ts';

/** A record that a page of the workspace becomes. */
export interface PlannedRecord {
  kind: Kind;
  /** The id of its page; of a pair that of the programme's, by which calendars know it. */
  id: string;
  /** The other page of a pair, else the same. */
  page: string;
  title: string;
  /** Without its picture. */
  body: Body;
  /** Whether it is shown at once. */
  publish: boolean;
  /** The address of its picture. */
  picture?: string | undefined;
  /** What differs from the page, in words. */
  notes: string[];
}

/** Something to say about a page or a record. */
export interface ImportLine {
  kind: string;
  id: string;
  title: string;
  text: string;
}

/** The record that a page was imported into, of a page that was. */
export type KnownPages = (page: string) => string | undefined;

/** Of a record of two pages. */
export const DIFFERENT = 'its two pages do not say the same any more';

/** What a page becomes; or why it becomes nothing. */
export type Planned = { record: PlannedRecord } | { leftOut: ImportLine };

export function leaveOut(kind: Pick<Kind, 'name'>, page: WorkspacePage, text: string): Planned {
  return { leftOut: { kind: kind.name, id: page.id, title: page.title || 'Untitled', text } };
}

/** A record of one page, its fields checked as those of any other. */
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

/** A text as a field takes it; that it was cut is noted. */
export function shorten(text: string, max: number, what: string, notes: string[]): string {
  const plain = text.trim();
  if (plain.length <= max) return plain;
  notes.push(`${what} was cut after ${formatNumber(max)} characters`);
  return plain.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

/** A web address as a field takes it. */
export function shortAddress(url: string, notes: string[]): string {
  if (url.length <= 2_000) return url;
  notes.push('its web address is too long and was left out');
  return '';
}
