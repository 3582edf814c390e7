import type { Source } from '#content/ical/sources/sources.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { empty } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { type ListPages, numberedPages, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage, mayWrite, recordPath } from './frame.ts';

/** A date from an external calendar. */
export interface ForeignEvent {
  id: string;
  /** In words. */
  when: Words;
  title: string;
  place: string;
  cancelled: boolean;
  /** The id of the club's own record that is a copy of it. */
  copy: string | undefined;
}

export interface IcalEventsPageProps extends ContentPageProps {
  source: Source;
  events: readonly ForeignEvent[];
  pages: ListPages;
}

const SOURCES = '/admin/content/ical';

/** The dates from an external calendar; each can be copied into the club's own list. */
export function icalEventsPage(props: IcalEventsPageProps): Html {
  const { source, events, pages } = props;
  const crumbs = [CONTENT_CRUMB, { href: SOURCES, label: t('content-admin.ical.calendars_read') }];
  const copies = mayWrite(props) && source.goes_to !== 'holidays';
  const list =
    events.length === 0
      ? empty(t('content-admin.ical.nothing_ahead'), t('content-admin.ical.read_yet_holds_nothing_still'))
      : table({
          caption: t('content-admin.ical.what_it_brings'),
          quietCaption: true,
          flows: true,
          columns: [
            { label: t('content-admin.ical.when') },
            { label: t('content-admin.ical.title') },
            { label: t('content-admin.ical.place') },
            ...(copies ? [{ label: t('content-admin.ical.list') }] : []),
          ],
          rows: events.map((event) => [
            event.when,
            html`${event.title}${event.cancelled && html` ${badge(t('content-admin.ical.cancelled'), 'danger')}`}`,
            event.place,
            ...(copies ? [copyButton(source.id, event)] : []),
          ]),
        });
  const lede = copies ? t('content-admin.ical.copy_draft_ours_changed_once') : undefined;
  const body = html`${pageHeader({ title: source.name, crumbs, lede })}${list}
${pages.total > events.length && numberedPages({ ...pages, of: (shown) => t('content-admin.list.shown', shown) })}`;
  return contentPage(source.name, body, props);
}

function copyButton(source: string, { id, title, when, copy }: ForeignEvent): Html {
  if (copy !== undefined)
    return html`<a class="content-link" href="${recordPath(
      { name: 'event' },
      copy,
    )}">${t('content-admin.ical.copy', { hidden, title, when })}</a>`;
  return html`<form method="post" action="${SOURCES}/${encodeURIComponent(
    source,
  )}/events/${id}/copy"><button class="button button-quiet button-small">${t('content-admin.ical.copy_list', { hidden, title, when })}</button></form>`;
}
