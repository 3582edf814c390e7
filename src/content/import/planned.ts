import { type Body, type Kind, parseBody } from '#content/records/kind.ts';
import { AppError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { pageTextOf } from '#kernel/messages/messages.ts';
import { truncate } from '#kernel/text.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';

/** A record to be made from a page of the workspace. */
export interface PlannedRecord {
  kind: Kind;
  /** The page's id; for a pair that of the programme's page, which calendars know. */
  id: string;
  /** The id of the other page of a pair, else the same id. */
  page: string;
  title: Words | string;
  /** Without its picture. */
  body: Body;
  /** Whether it is published at once. */
  publish: boolean;
  /** The address of its picture. */
  picture?: string | undefined;
  /** Differences from the page. */
  notes: Words[];
}

/** A remark about a page or a record. */
export interface ImportLine {
  kind: string;
  id: string;
  title: Words | string;
  text: Words;
}

/** Returns the id of the record that a page was imported into, if it was. */
export type KnownPages = (page: string) => string | undefined;

/** Why a record made from two pages is kept. */
export const DIFFERENT = t('content-admin.import_note.two_differ');

/** The record planned for a page, or why the page is left out. */
export type Planned = { record: PlannedRecord } | { leftOut: ImportLine };

export function leaveOut(kind: Pick<Kind, 'name'>, page: WorkspacePage, text: Words): Planned {
  const title = page.title || t('calendar.untitled');
  return { leftOut: { kind: kind.name, id: page.id, title, text } };
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
    return leaveOut(kind, page, t('content-admin.import_note.not_kept', { problem: problemOf(error, kind) }));
  }
}

/** A problem of a field is named by the label that the form of the record has. */
function problemOf(error: AppError, { labels }: Pick<Kind, 'labels'>): Words | string {
  const [first] = error.errors ?? [];
  const problem = first && pageTextOf(first);
  const label = first && labels[first.path.split('.')[0] ?? ''];
  return problem && label
    ? t('common.named', { name: label, value: problem })
    : (error.pageText ?? error.message);
}

/** The fields that may be cut; `other` is the second way of tips. */
type Cut = Parameters<typeof t<'content-admin.import_note.cut'>>[1]['what'];

/** Cuts a text to the length that a field accepts, and adds a note if it was cut. */
export function shorten(text: string, max: number, what: Cut, notes: Words[]): string {
  const plain = text.trim();
  if (plain.length <= max) return plain;
  notes.push(t('content-admin.import_note.cut', { what, max }));
  return truncate(plain, max);
}

/** Returns a web address if a field accepts its length, else an empty text and adds a note. */
export function shortAddress(url: string, notes: Words[]): string {
  if (url.length <= 2_000) return url;
  notes.push(t('content-admin.import_note.address_too_long'));
  return '';
}
