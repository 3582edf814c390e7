import { html } from '#kernel/html.ts';
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
        rows: rows.map(({ id, title, state, when, place, items }) => [
          html`<a href="/admin/meetings/${id}">${title}</a>`,
          html`${when}${place && html`<br><span class="small soft">${place}</span>`}`,
          counted(items, 'item'),
          meetingBadge(state),
        ]),
      })
}`;
  return officerPage({ title: 'Meetings', body, nav: '/admin/meetings', viewer });
}
