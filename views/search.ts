import type { Identity } from '#kernel/access/permissions.ts';
import { html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type NavLink, SEARCH } from './admin-nav.ts';
import { field } from './components/forms.ts';
import { pageHeader } from './components/structure.ts';
import { staffPage } from './pub/staff-frame.ts';

/** Something that was found. */
export interface Found extends Pick<NavLink, 'href'> {
  label: Words | string;
  /** What tells it from others of the same name, such as its day. */
  note?: Words | string;
}

/** The search of officers and staff, with what was found. @param q what was typed; empty before the first search */
export function searchPage({
  q,
  groups,
  identity,
}: {
  q: string;
  groups: readonly { heading: Words; found: readonly Found[] }[];
  identity: Identity | undefined;
}) {
  const body = html`${pageHeader({ title: t('settings.search.title') })}
<form class="search-form" role="search" action="${SEARCH}">
${field({ name: 'q', label: t('settings.search.label'), type: 'search', value: q, open: true, maxlength: 200, autocomplete: 'off', spellcheck: false })}
<button class="button">${t('settings.search.title')}</button></form>
${q !== '' && groups.length === 0 && html`<p role="status">${t('settings.search.nothing', { q })}</p>`}
${groups.map(
  ({ heading, found }) =>
    html`<section><h2>${heading}</h2><ul role="list" class="found">${found.map(
      ({ href, label, note }) =>
        html`<li><a href="${href}">${label}</a>${note && html` <span class="soft">${note}</span>`}</li>`,
    )}</ul></section>`,
)}`;
  const title = q === '' ? t('settings.search.title') : t('settings.search.title_words', { q });
  return staffPage({ title, body, nav: SEARCH, identity });
}
