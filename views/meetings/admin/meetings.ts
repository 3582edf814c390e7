import { type Html, html } from '#kernel/html.ts';
import { empty, notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { type MeetingState, meetingBadge } from '#views/meetings/words.ts';
import { mayDo, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';

/** The data of the list of meetings. */
export interface MeetingsProps extends OfficerProps {
  /** The latest first; times are already formatted. */
  rows: readonly {
    id: string;
    title: string;
    state: MeetingState;
    when: string;
    place: string | null;
    items: number;
    /** The items whose papers can be counted. */
    counting: readonly { id: string; title: string }[];
  }[];
  /** A sentence on what has just been done. */
  done?: string | undefined;
}

/** Every meeting of the club. */
export function meetingsPage({ rows, done, viewer }: MeetingsProps) {
  const make =
    mayDo({ viewer }, 'elections:write') &&
    html`<a class="button" href="/admin/meetings/new">New meeting</a>`;
  const body = html`${done && notice('success', done)}
${pageHeader({
  title: 'Meetings',
  lede: rows.length > 0 && 'From the agenda to the signed minutes.',
  actions: rows.length > 0 && make,
})}
${
  rows.length === 0
    ? empty(
        'No meetings yet',
        'A meeting has an agenda, a public page, and one voting card for all its questions.',
        make ? html`<p>${make}</p>` : undefined,
      )
    : table({
        caption: 'Meetings, the latest first',
        quietCaption: true,
        columns: [{ label: 'Meeting' }, { label: 'When' }, { label: 'Agenda' }, { label: 'State' }],
        rows: rows.map((row) => [
          nameOf({ viewer }, row),
          html`${row.when}${row.place && html`<br><span class="small soft">${row.place}</span>`}`,
          counted(row.items, 'item'),
          meetingBadge(row.state),
        ]),
      })
}`;
  return officerPage({ title: 'Meetings', body, nav: '/admin/meetings', viewer });
}

/** The meeting with a link to its page; for those who keep its door or count its papers, to what they do there. */
function nameOf(props: OfficerProps, { id, title, counting }: MeetingsProps['rows'][number]): Html {
  const path = `/admin/meetings/${id}`;
  if (mayDo(props, 'elections:read')) return html`<a href="${path}">${title}</a>`;
  return html`${title}${
    mayDo(props, 'meetings:door') && html`<br><a class="link-alone" href="${path}/door">The door</a>`
  }${
    mayDo(props, 'meetings:count') &&
    counting.map(
      (item) =>
        html`<br><a class="link-alone" href="${path}/items/${item.id}/papers">Papers: ${item.title}</a>`,
    )
  }`;
}
