import type { Identity } from '#kernel/access/permissions.ts';
import type { Html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { badge } from '#views/components/status.ts';
import { staffPage } from '#views/pub/staff-frame.ts';
import { type Stylesheet, stylesheets } from '#views/stylesheets.ts';

/** The words for a kind of record. */
export interface KindWords {
  /** Its identifier in addresses and in the API. */
  name: string;
  /** The singular, such as `Announcement`. */
  one: Words;
  many: Words;
  /** What makes one: `New event`. */
  create: Words;
}

export interface ContentPageProps {
  identity: Identity | undefined;
  /** Browser modules of views/assets. */
  scripts?: readonly string[];
  /** Style sheets beside those of every content page. */
  styles?: readonly Stylesheet[] | undefined;
}

/** The breadcrumb of the content overview. */
export const CONTENT_CRUMB = { href: '/admin/content', label: t('content-admin.frame.content') };

export const kindPath = ({ name }: Pick<KindWords, 'name'>): string => `/admin/content/${name}`;
export const recordPath = (words: Pick<KindWords, 'name'>, id: string): string =>
  `${kindPath(words)}/${encodeURIComponent(id)}`;

/** A page of the club's own content. */
export function contentPage(
  title: Words | string,
  body: Html,
  { identity, scripts, styles = [] }: ContentPageProps,
): Html {
  return staffPage({
    title,
    body,
    nav: '/admin/content',
    identity,
    scripts,
    head: stylesheets('content', ...styles),
  });
}

export const mayWrite = ({ identity }: ContentPageProps): boolean =>
  identity?.permissions.has('content:write') ?? false;

/** The state of a record in words. */
export function stateBadge(state: 'draft' | 'published' | 'changed' | 'removed'): Html {
  if (state === 'published') return badge(t('content-admin.frame.published'), 'open');
  if (state === 'changed') return badge(t('content-admin.frame.published_draft'), 'scheduled');
  return state === 'draft'
    ? badge(t('content-admin.frame.draft'), 'scheduled')
    : badge(t('content-admin.frame.removed'));
}
