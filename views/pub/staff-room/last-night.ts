import { daysAfter } from '#content/recurrence/dates.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { formatDate, formatTime, localDate, zoneName } from '#kernel/local-time.ts';
import { formatNumber } from '#kernel/locale.ts';
import type { LastNight } from '#pub/staff-room/last-night.ts';
import { empty } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { definitionList, pageHeader, zoneNote } from '#views/components/structure.ts';
import { staffPage } from '#views/pub/staff-frame.ts';

export const LAST_NIGHT = { title: 'Last night', path: '/admin/pub/last-night' } as const;

/** @param latest the newest evening that the page has @param seesFeedback whether the reader may open the messages */
export function lastNightPage(
  night: LastNight,
  {
    latest,
    zone,
    identity,
    seesFeedback,
  }: { latest: string; zone: string; identity: Identity | undefined; seesFeedback: boolean },
): Html {
  const { day, goes_on } = night;
  const date = formatDate(day, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
  const rows = rowsOf(night, zone, seesFeedback);
  const isQuiet = night.opened.length === 0 && rows.length === 0;
  const [before, after] = [daysAfter(day, -1), daysAfter(day, 1)];
  const step = (to: string, label: string) =>
    html`<a class="button button-quiet" href="${LAST_NIGHT.path}?day=${to}">${label}</a>`;
  const body = html`${pageHeader({
    title: LAST_NIGHT.title,
    crumbs: [{ href: '/admin/pub', label: 'Tonight' }],
    lede: `${date}${goes_on ? ', so far' : ''}`,
  })}
${
  isQuiet
    ? empty('A quiet night', 'Nothing was recorded: no hours, no music, no kegs, no messages.')
    : html`${definitionList([...houseRows(night, zone), ...rows])}${
        rows.length === 0 && html`<p>A quiet night: nothing else was recorded.</p>`
      }`
}
<nav class="toolbar" aria-label="Other evenings">${step(before, 'The evening before')}${
    after <= latest && step(after, 'The evening after')
  }</nav>
${zoneNote(zoneName(zone))}`;
  return staffPage({ area: 'staff', title: LAST_NIGHT.title, body, nav: LAST_NIGHT.path, identity });
}

type Row = readonly [term: Child, value: Child];

const list = (lines: readonly Child[]): Html =>
  html`<ul role="list">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

function houseRows({ opened, behind }: LastNight, zone: string): Row[] {
  const at = (iso: string) => formatTime(Date.parse(iso), zone);
  const hours = opened.map(({ opens, closes }) => `${at(opens)} – ${at(closes)}`).join(', ');
  return [
    ['Open', hours || 'Not open, as far as the hours are known'],
    ...(behind.length > 0 ? [['Behind the bar', listed(behind)] as const] : []),
  ];
}

function rowsOf(night: LastNight, zone: string, seesFeedback: boolean): Row[] {
  const { kegs, sold_out, songs, requests, feedback, notices, dark } = night;
  const at = (iso: string) => formatTime(Date.parse(iso), zone);
  const from = (iso: string) =>
    localDate(Date.parse(iso), zone) < night.day ? 'from the day before' : `from ${at(iso)}`;
  const stretch = ({ name, from: begins, until, minutes }: LastNight['dark'][number]) =>
    html`${name}, ${from(begins)} ${until === null ? 'to the end' : `until ${at(until)}`} <span class="soft">(${lengthInWords(minutes)})</span>`;
  const all: (Row | false)[] = [
    kegs.length > 0 && [
      'Kegs that ended',
      list(
        kegs.map(
          ({ tap, name, until, minutes }) =>
            html`${name}, tap ${tap}, at ${at(until)}${
              minutes !== null && html` <span class="soft">(it lasted ${lengthInWords(minutes)})</span>`
            }`,
        ),
      ),
    ],
    sold_out.length > 0 && ['Sold out', list(sold_out.map(stretch))],
    songs !== null &&
      songs.played > 0 && [
        'Music',
        html`${counted(songs.played, 'song')}${
          songs.top.length > 0 &&
          list(songs.top.map(({ artist, title, times }) => `${title}, ${artist}: ${count(times)} times`))
        }`,
      ],
    requests !== null &&
      requests.asked > 0 && [
        'Song requests',
        `${count(requests.asked)}: ${listed(
          [
            [requests.played, 'played'],
            [requests.refused, 'refused'],
            [requests.expired, 'not reached'],
            [requests.asked - requests.played - requests.refused - requests.expired, 'open'],
          ].flatMap(([number, what]) => (Number(number) > 0 ? `${count(Number(number))} ${what}` : [])),
        )}`,
      ],
    feedback !== null &&
      feedback.messages > 0 && [
        'Feedback',
        html`${seesFeedback ? html`<a href="/admin/feedback">${counted(feedback.messages, 'message')}</a>` : counted(feedback.messages, 'message')}${
          feedback.rating !== null &&
          `, ${formatNumber(feedback.rating, { maximumFractionDigits: 1 })} of 5 on average`
        }`,
      ],
    notices.length > 0 && [
      'Notices',
      list(
        notices.map(
          ({ title, at: begins, minutes }) => `${title}, ${at(begins)}, for ${lengthInWords(minutes)}`,
        ),
      ),
    ],
    dark.length > 0 && ['Screens that were dark', list(dark.map(stretch))],
  ];
  return all.filter((row) => row !== false);
}

/** `25 min`, `3 h 20 min`, `5 days`. */
export function lengthInWords(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  if (minutes >= 2 * 1_440) return `${Math.round(minutes / 1_440)} days`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ''}`;
}
