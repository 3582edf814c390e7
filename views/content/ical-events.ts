import type { SourceJson } from '#content/ical/sources/sources.ts';
import { type Html, html } from '#kernel/html.ts';
import { empty } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { type ListPages, numberedPages, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage, mayWrite, recordPath } from './frame.ts';

/** A date from an external calendar. */
export interface ForeignEvent {
  id: string;
  /** In words. */
  when: string;
  title: string;
  place: string;
  cancelled: boolean;
  /** The id of the club's own record that is a copy of it. */
  copy: string | undefined;
}

export interface IcalEventsPageProps extends ContentPageProps {
  source: SourceJson;
  events: readonly ForeignEvent[];
  pages: ListPages;
}

const SOURCES = '/admin/content/ical';

/** The dates from an external calendar; each can be copied into the club's own list. */
export function icalEventsPage(props: IcalEventsPageProps): Html {
  const { source, events, pages } = props;
  const crumbs = [CONTENT_CRUMB, { href: SOURCES, label: 'Calendars we read' }];
  const copies = mayWrite(props) && source.goes_to !== 'holidays';
  const list =
    events.length === 0
      ? empty('Nothing ahead', 'It was not read yet, or it holds nothing that is still to come.')
      : table({
          caption: 'What it brings',
          quietCaption: true,
          flows: true,
          columns: [
            { label: 'When' },
            { label: 'Title' },
            { label: 'Place' },
            ...(copies ? [{ label: 'Our list' }] : []),
          ],
          rows: events.map((event) => [
            event.when,
            html`${event.title}${event.cancelled && html` ${badge('Cancelled', 'danger')}`}`,
            event.place,
            ...(copies ? [copyButton(source.id, event)] : []),
          ]),
        });
  const lede = copies
    ? 'A copy is a draft of ours that can be changed. Once it is published, this calendar’s own entry is ' +
      'left out; what changes there later does not change the copy.'
    : undefined;
  const body = html`${pageHeader({ title: source.name, crumbs, lede })}${list}
${pages.total > events.length && numberedPages({ ...pages, of: 'events' })}`;
  return contentPage(source.name, body, props);
}

function copyButton(source: string, { id, title, when, copy }: ForeignEvent): Html {
  if (copy !== undefined)
    return html`<a class="content-link" href="${recordPath(
      { name: 'event' },
      copy,
    )}">Our copy<span class="visually-hidden"> of ${title}, ${when}</span></a>`;
  return html`<form method="post" action="${SOURCES}/${encodeURIComponent(
    source,
  )}/events/${id}/copy"><button class="button button-quiet button-small">Copy to our list<span class="visually-hidden">: ${title}, ${when}</span></button></form>`;
}
