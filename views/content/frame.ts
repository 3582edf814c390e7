import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { namedErrors } from '#views/components/entered.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** The words for a kind of record. */
export interface KindWords {
  /** Its identifier in addresses and in the API. */
  name: string;
  /** The singular, such as `Announcement`; `article` is the one that goes before it. */
  one: string;
  many: string;
  article: 'a' | 'an';
}

export interface ContentPageProps {
  identity: Identity | undefined;
  /** Browser modules of views/assets. */
  scripts?: readonly string[];
}

/** The breadcrumb of the content overview. */
export const CONTENT_CRUMB = { href: '/admin/content', label: 'Content' };

export const kindPath = ({ name }: Pick<KindWords, 'name'>): string => `/admin/content/${name}`;
export const recordPath = (words: Pick<KindWords, 'name'>, id: string): string =>
  `${kindPath(words)}/${encodeURIComponent(id)}`;

/** A page of the club's own content. */
export function contentPage(
  title: string,
  body: Html,
  { identity, scripts }: ContentPageProps,
  refused = false,
): Html {
  return staffPage({
    title: refused ? `Please check: ${title}` : title,
    body,
    nav: '/admin/content',
    identity,
    scripts,
    head: stylesheets('content'),
  });
}

export const mayWrite = ({ identity }: ContentPageProps): boolean =>
  identity?.permissions.has('content:write') ?? false;

/** The state of a record in words. */
export function stateBadge(state: 'draft' | 'published' | 'changed' | 'removed'): Html {
  if (state === 'published') return badge('Published', 'open');
  if (state === 'changed') return badge('Published, with a draft', 'scheduled');
  return state === 'draft' ? badge('Draft', 'scheduled') : badge('Removed');
}

/** The problems of a form: a link to each field that has one, or one sentence. */
export function refusedNotice(
  refused: RefusedForm | undefined,
  labels: Readonly<Record<string, string>>,
  idOf: (path: string) => string,
): Html | null {
  if (!refused) return null;
  const { errors, message } = refused;
  if (errors.length > 0) return errorSummary(namedErrors(errors, labels), idOf, 'Nothing was saved yet');
  return html`<div role="alert">${notice('danger', message, 'Nothing was saved')}</div>`;
}
