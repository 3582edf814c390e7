import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { MeetingAhead } from '#meetings/ahead.ts';
import { icon } from '#views/components/icons.ts';
import { empty, notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
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
    when: Words;
    place: string | null;
    items: number;
    /** The items whose papers can be counted. */
    counting: readonly { id: string; title: string }[];
  }[];
  /** A sentence on what has just been done. */
  done?: Words | string | undefined;
}

/** Every meeting of the club. */
export function meetingsPage({ rows, done, viewer }: MeetingsProps) {
  const make =
    mayDo({ viewer }, 'elections:write') &&
    html`<a class="button" href="/admin/meetings/new">${t('meetings-admin.shared.new_meeting')}</a>`;
  const body = html`${done && notice('success', done)}
${pageHeader({
  title: t('meetings-admin.shared.meetings'),
  lede: rows.length > 0 && t('meetings-admin.meetings.agenda_signed_minutes'),
  actions: rows.length > 0 && make,
})}
${
  rows.length === 0
    ? empty(
        t('meetings-admin.meetings.meetings_yet'),
        t('meetings-admin.meetings.meeting_agenda_page_members_voting'),
        make ? html`<p>${make}</p>` : undefined,
      )
    : table({
        caption: t('meetings-admin.meetings.meetings_latest_first'),
        quietCaption: true,
        columns: [
          { label: t('meetings-admin.meetings.meeting') },
          { label: t('meetings-admin.meetings.when') },
          { label: t('meetings-admin.shared.agenda') },
          { label: t('meetings-admin.shared.state') },
        ],
        rows: rows.map((row) => [
          nameOf({ viewer }, row),
          html`<span>${row.when}${row.place && html`<br><span class="small soft">${row.place}</span>`}</span>`,
          t('meetings-admin.meetings.items', { items: row.items }),
          meetingBadge(row.state),
        ]),
      })
}`;
  return officerPage({ title: t('meetings-admin.shared.meetings'), body, nav: '/admin/meetings', viewer });
}

/** The meeting with a link to its page; for those who keep its door or count its papers, to what they do there. */
function nameOf(props: OfficerProps, { id, title, counting }: MeetingsProps['rows'][number]): Html {
  const path = `/admin/meetings/${id}`;
  if (mayDo(props, 'elections:read')) return html`<a href="${path}">${title}</a>`;
  return html`<span>${title}${
    mayDo(props, 'meetings:door') &&
    html`<br><a class="link-alone" href="${path}/door">${t('meetings-admin.shared.door')}</a>`
  }${
    mayDo(props, 'meetings:count') &&
    counting.map(
      (item) =>
        html`<br><a class="link-alone" href="${path}/items/${item.id}/papers">${t('meetings-admin.meetings.papers', { title: item.title })}</a>`,
    )
  }</span>`;
}

/** A meeting that is not over, on the first page of the officers; `when` is already formatted. */
export type MeetingAheadRow = MeetingAhead & { when: Words | string };

/**
 * The meetings that are prepared or running, each with what waits there.
 * @param total how many there are: the rows are the first of them
 */
export function meetingsAhead(
  props: OfficerProps & { rows: readonly MeetingAheadRow[]; total: number },
): Html | null {
  const { rows, total } = props;
  if (total === 0) return null;
  return html`<section class="meetings-ahead" aria-labelledby="meetings-ahead"><h2 id="meetings-ahead">${t('meetings-admin.shared.meetings')}</h2>
<ul class="election-list" role="list">${rows.map((row) => aheadRow(props, row))}</ul>${
    total > rows.length &&
    html`<p><a class="link-alone" href="/admin/meetings">${t('meetings-admin.meetings.all_meetings_come', { meetings: total })}</a></p>`
  }</section>`;
}

function aheadRow(props: OfficerProps, { meeting, when, ...row }: MeetingAheadRow): Html {
  const { id, title, place, state } = meeting;
  const needs = needsOf(props, id, row);
  return html`<li class="election-row${needs.length > 0 && ' election-row-waits'}"><div>
<p class="eyebrow">${meetingBadge(state)}</p><h3><a href="${meetingPath(id)}">${title}</a></h3>
<p class="small soft">${place ? t('meetings.meeting.when_and_where', { when, place }) : when}</p>${
    needs.length > 0 &&
    html`<ul class="needs" role="list">${needs.map(
      ({ text, href }) =>
        html`<li>${icon('warning')}<span>${href === undefined ? text : html`<a href="${href}">${text}</a>`}</span></li>`,
    )}</ul>`
  }</div><p class="toolbar">${
    mayDo(props, 'meetings:door') &&
    html`<a class="button button-quiet button-small" href="${meetingPath(id)}/door">${t('meetings-admin.meetings.door_of', { title, hidden })}</a>`
  }${
    mayDo(props, 'elections:run') &&
    html`<a class="button button-quiet button-small" href="${meetingPath(id)}/chair">${t('meetings-admin.meetings.chair_of', { title, hidden })}</a>`
  }</p></li>
`;
}

/** What waits at a meeting, each with the page where it is done, for those who may open it. */
function needsOf(
  props: OfficerProps,
  id: string,
  { isUninvited, untold, nominations, motions, unannounced }: Omit<MeetingAhead, 'meeting'>,
): { text: Words; href: string | undefined }[] {
  return [
    ...(isUninvited
      ? [{ text: t('meetings-admin.meetings.invited_yet'), href: meetingPath(id, 'mails') }]
      : []),
    ...(untold
      ? [{ text: t('meetings-admin.meetings.those_who_invited_told_change'), href: meetingPath(id) }]
      : []),
    ...nominations.map(({ item, waiting: n }) => ({
      text: t('meetings-admin.meetings.nominations_wait', { title: item.title, n }),
      href: `${meetingPath(id)}/items/${item.id}/nominations`,
    })),
    ...(motions > 0
      ? [
          {
            text: t('meetings-admin.meetings.motions_wait', { n: motions }),
            href: `${meetingPath(id)}/motions`,
          },
        ]
      : []),
    ...(unannounced.length > 0
      ? [
          {
            text: t('meetings-admin.meetings.counted_announced', {
              items: allOf(unannounced.map(({ title }) => title)),
            }),
            href: mayDo(props, 'elections:run') ? `${meetingPath(id)}/chair` : undefined,
          },
        ]
      : []),
  ];
}
