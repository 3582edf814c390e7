import { type Html, html } from '#kernel/html.ts';
import type { MeetingAhead } from '#meetings/ahead.ts';
import { icon } from '#views/components/icons.ts';
import { empty, notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { type MeetingState, meetingBadge, meetingPath } from '#views/meetings/words.ts';
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
        'A meeting has an agenda, a page for its members, and one voting card for all its questions.',
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

/** A meeting that is not over, on the first page of the officers; `when` is already formatted. */
export type MeetingAheadRow = MeetingAhead & { when: string };

/**
 * The meetings that are prepared or running, each with what waits there.
 * @param total how many there are: the rows are the first of them
 */
export function meetingsAhead(
  props: OfficerProps & { rows: readonly MeetingAheadRow[]; total: number },
): Html | null {
  const { rows, total } = props;
  if (total === 0) return null;
  return html`<section class="meetings-ahead" aria-labelledby="meetings-ahead"><h2 id="meetings-ahead">Meetings</h2>
<ul class="election-list" role="list">${rows.map((row) => aheadRow(props, row))}</ul>${
    total > rows.length &&
    html`<p><a class="link-alone" href="/admin/meetings">All ${counted(total, 'meeting')} to come</a></p>`
  }</section>`;
}

function aheadRow(props: OfficerProps, { meeting, when, ...row }: MeetingAheadRow): Html {
  const { id, title, place, state } = meeting;
  const needs = needsOf(props, id, row);
  const ofTitle = html`<span class="visually-hidden">: ${title}</span>`;
  return html`<li class="election-row${needs.length > 0 && ' election-row-waits'}"><div>
<p class="eyebrow">${meetingBadge(state)}</p><h3><a href="${meetingPath(id)}">${title}</a></h3>
<p class="small soft">${when}${place && `, ${place}`}</p>${
    needs.length > 0 &&
    html`<ul class="needs" role="list">${needs.map(
      ({ text, href }) =>
        html`<li>${icon('warning')}<span>${href === undefined ? text : html`<a href="${href}">${text}</a>`}</span></li>`,
    )}</ul>`
  }</div><p class="toolbar">${
    mayDo(props, 'meetings:door') &&
    html`<a class="button button-quiet button-small" href="${meetingPath(id)}/door">The door${ofTitle}</a>`
  }${
    mayDo(props, 'elections:run') &&
    html`<a class="button button-quiet button-small" href="${meetingPath(id)}/chair">Chair${ofTitle}</a>`
  }</p></li>
`;
}

/** What waits at a meeting, each with the page where it is done, for those who may open it. */
function needsOf(
  props: OfficerProps,
  id: string,
  { isUninvited, untold, nominations, motions, unannounced }: Omit<MeetingAhead, 'meeting'>,
): { text: string; href: string | undefined }[] {
  const waiting = (count: number, what: string) => `${counted(count, `${what} waits`, `${what}s wait`)}`;
  return [
    ...(isUninvited ? [{ text: 'Nobody is invited yet.', href: meetingPath(id, 'mails') }] : []),
    ...(untold
      ? [{ text: 'Those who were invited have not been told of a change.', href: meetingPath(id) }]
      : []),
    ...nominations.map(({ item, waiting: count }) => ({
      text: `${item.title}: ${waiting(count, 'nomination')} for a decision.`,
      href: `${meetingPath(id)}/items/${item.id}/nominations`,
    })),
    ...(motions > 0
      ? [{ text: `${waiting(motions, 'motion')} for a decision.`, href: `${meetingPath(id)}/motions` }]
      : []),
    ...(unannounced.length > 0
      ? [
          {
            text: `Counted, not announced: ${listed(unannounced.map(({ title }) => title))}.`,
            href: mayDo(props, 'elections:run') ? `${meetingPath(id)}/chair` : undefined,
          },
        ]
      : []),
  ];
}
