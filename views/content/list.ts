import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { openField } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { type ListPages, numberedPages, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import {
  CONTENT_CRUMB,
  type ContentPageProps,
  contentPage,
  type KindWords,
  kindPath,
  mayWrite,
  recordPath,
  stateBadge,
} from './frame.ts';

export interface ListedRecord {
  id: string;
  /** By the columns of its kind; `below` stands in small words under the others. */
  cells: readonly { words: Words | string; below: Words | string; leads: boolean }[];
  state: 'draft' | 'published' | 'changed' | 'removed';
  /** Says where the same thing exists a second time. */
  double?: Words | undefined;
  /** Whether an event has a date on which the pub is closed. */
  closed?: boolean;
  /** Whether it can be moved up and down; absent for a list without an order of its own. */
  moves?: { up: boolean; down: boolean };
}

const STATES = [
  { value: '', label: t('content-admin.list.all_but_removed_ones') },
  { value: 'draft', label: t('content-admin.list.drafts') },
  { value: 'published', label: t('content-admin.list.published') },
  { value: 'changed', label: t('content-admin.list.published_draft') },
  { value: 'removed', label: t('content-admin.list.removed') },
];

/** The records of a kind. */
export function recordsPage(
  props: ContentPageProps & {
    words: KindWords;
    /** The headings. */
    columns: readonly Words[];
    records: readonly ListedRecord[];
    filter: { q: string; state: string };
    /** Undefined for a list that has only one. */
    pages?: ListPages | undefined;
    /** The main part of the page, where that is not the list: the list follows below, under this heading. */
    main?: { body: Html; heading: Words; text: Words; add: Words } | undefined;
    /** Other pages about all records of the kind, for those who may write. */
    ways?: readonly { href: string; label: Words }[] | undefined;
  },
): Html {
  const { words, records, filter, pages, main, ways = [] } = props;
  const path = kindPath(words);
  const add =
    mayWrite(props) &&
    html`<a class="button${main && ' button-quiet'}" href="${path}/new">${
      main ? main.add : words.create
    }</a>`;
  const others =
    mayWrite(props) &&
    ways.map(({ href, label }) => html`\n<a class="button button-quiet" href="${href}">${label}</a>`);
  const isMoved = mayWrite(props) && records.some(({ moves }) => moves?.up || moves?.down);
  const isFiltered = filter.q !== '' || filter.state !== '';
  const list =
    records.length === 0
      ? empty(
          isFiltered ? t('content-admin.list.nothing_found') : t('content-admin.list.nothing_here_yet'),
          isFiltered
            ? t('content-admin.list.try_other_words')
            : t('content-admin.list.what_write_here_screens_soon'),
        )
      : table({
          caption: words.many,
          quietCaption: true,
          columns: [
            ...props.columns.map((label) => ({ label })),
            { label: t('content-admin.list.state'), quiet: true },
            ...(isMoved ? [{ label: t('content-admin.list.move'), quiet: true }] : []),
          ],
          rows: records.map((record) => [
            ...record.cells.map((cell) => cellOf(cell, recordPath(words, record.id))),
            badgesOf(record),
            ...(isMoved ? [movesOf(record, recordPath(words, record.id))] : []),
          ]),
        });
  const body = html`${pageHeader({ title: words.many, crumbs: [CONTENT_CRUMB], actions: (!main && add && html`${add}${others}`) || null })}${
    main &&
    html`${main.body}<section class="panel" aria-labelledby="entries"><h2 id="entries">${main.heading}</h2>
    <p>${main.text}</p>${add && html`<p>${add}</p>`}</section>`
  }
<form class="content-filter" method="get" action="${path}">${openField({
    name: 'q',
    label: t('content-admin.list.search'),
    type: 'search',
    value: filter.q,
  })}
${selectField({ name: 'state', label: t('content-admin.list.show'), options: STATES, value: filter.state })}
<p><button class="button button-quiet">${t('content-admin.list.show')}</button></p></form>
${list}${pages && pages.total > records.length && numberedPages({ ...pages, of: (shown) => t('content-admin.list.shown', shown) })}`;
  return contentPage(words.many, body, isMoved ? { ...props, scripts: ['content/order.js'] } : props);
}

function cellOf({ words, below, leads }: ListedRecord['cells'][number], path: string): Child {
  const said = leads ? html`<a class="content-link" href="${path}">${words}</a>` : words;
  return below === '' ? said : html`<span>${said}<br><span class="small soft">${below}</span></span>`;
}

/** Two buttons that move a record by one place; those of the first and the last one stay where they are, and do nothing. */
function movesOf({ id, cells, moves }: ListedRecord, path: string): Html {
  const name = cells.find(({ leads }) => leads)?.words ?? '';
  const button = (to: 'up' | 'down', label: Words) =>
    html`<button class="button button-quiet button-small" name="direction" value="${to}" id="${to}-${id}"${
      moves?.[to] !== true && html` disabled`
    }>${icon(to)}<span class="visually-hidden">${label}</span></button>`;
  return html`<form class="content-moves" id="r-${id}" method="post" action="${path}/move" data-move>${button('up', t('content-admin.list.up_of', { name }))}${button('down', t('content-admin.list.down_of', { name }))}</form>`;
}

/** What is unusual about a record: most are published, which needs no word. */
function badgesOf({ state, double, closed }: ListedRecord): Html | null {
  const badges = [
    state !== 'published' && stateBadge(state),
    double !== undefined && badge(double, 'scheduled'),
    closed && badge(t('content-admin.list.closed_day'), 'scheduled'),
  ].filter(Boolean);
  return badges.length === 0 ? null : html`<span class="content-badges">${badges}</span>`;
}
