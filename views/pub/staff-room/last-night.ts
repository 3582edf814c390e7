import { daysAfter } from '#content/recurrence/dates.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas, formatDate, formatNumber, formatTime, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import type { LastNight } from '#pub/staff-room/last-night.ts';
import { empty } from '#views/components/notices.ts';
import { definitionList, pageHeader, zoneNote } from '#views/components/structure.ts';
import { staffPage } from '#views/pub/staff-frame.ts';

export const LAST_NIGHT = {
  title: t('pub-staff.last_night.last_night'),
  path: '/admin/pub/last-night',
} as const;

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
  const step = (to: string, label: Words) =>
    html`<a class="button button-quiet" href="${LAST_NIGHT.path}?day=${to}">${label}</a>`;
  const body = html`${pageHeader({
    title: LAST_NIGHT.title,
    crumbs: [{ href: '/admin/pub', label: t('pub-staff.last_night.tonight') }],
    lede: goes_on ? t('pub-staff.last_night.far', { date }) : date,
  })}
${
  isQuiet
    ? empty(
        t('pub-staff.last_night.quiet_night'),
        t('pub-staff.last_night.nothing_recorded_hours_music_kegs'),
      )
    : html`${definitionList([...houseRows(night, zone), ...rows])}${
        rows.length === 0 && html`<p>${t('pub-staff.last_night.quiet_night_nothing_else_recorded')}</p>`
      }`
}
<nav class="toolbar" aria-label="${t('pub-staff.last_night.other_evenings')}">${step(before, t('pub-staff.last_night.evening_before'))}${
    after <= latest && step(after, t('pub-staff.last_night.evening_after'))
  }</nav>
${zoneNote(zoneName(zone))}`;
  return staffPage({ area: 'staff', title: LAST_NIGHT.title, body, nav: LAST_NIGHT.path, identity });
}

type Row = readonly [term: Child, value: Child];

const list = (lines: readonly Child[]): Html =>
  html`<ul role="list">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

function houseRows({ opened, behind }: LastNight, zone: string): Row[] {
  const at = (iso: string) => formatTime(Date.parse(iso), zone);
  const hours = commas(opened.map(({ opens, closes }) => html`${at(opens)} – ${at(closes)}`));
  return [
    [t('pub-staff.last_night.open'), hours ?? t('pub-staff.last_night.open_far_hours_known')],
    ...(behind.length > 0 ? [[t('pub-staff.last_night.behind_bar'), allOf(behind)] as const] : []),
  ];
}

function rowsOf(night: LastNight, zone: string, seesFeedback: boolean): Row[] {
  const { kegs, sold_out, songs, requests, feedback, notices, dark } = night;
  const at = (iso: string) => formatTime(Date.parse(iso), zone);
  const soft = (inside: Words) => html`<span class="soft">${inside}</span>`;
  const stretch = ({ name, from, until, minutes }: LastNight['dark'][number]) => {
    const isBefore = localDate(Date.parse(from), zone) < night.day;
    const what = { name, soft, length: lengthInWords(minutes) };
    if (until === null)
      return isBefore
        ? t('pub-staff.last_night.all_night', what)
        : t('pub-staff.last_night.to_end', { ...what, from: at(from) });
    return isBefore
      ? t('pub-staff.last_night.from_before', { ...what, until: at(until) })
      : t('pub-staff.last_night.from_until', { ...what, from: at(from), until: at(until) });
  };
  const open = requests ? requests.asked - requests.played - requests.refused - requests.expired : 0;
  const all: (Row | false)[] = [
    kegs.length > 0 && [
      t('pub-staff.last_night.kegs_ended'),
      list(
        kegs.map(({ tap, name, until, minutes }) =>
          minutes !== null
            ? t('pub-staff.last_night.tap_lasted', {
                name,
                tap,
                time: at(until),
                soft,
                length: lengthInWords(minutes),
              })
            : t('pub-staff.last_night.tap', { name, tap, time: at(until) }),
        ),
      ),
    ],
    sold_out.length > 0 && [t('pub-staff.last_night.sold_out'), list(sold_out.map(stretch))],
    songs !== null &&
      songs.played > 0 && [
        t('pub-staff.last_night.music'),
        html`${t('pub-staff.last_night.songs', { played: songs.played })}${
          songs.top.length > 0 &&
          list(
            songs.top.map(({ artist, title, times }) =>
              t('pub-staff.last_night.times', { title, artist, times }),
            ),
          )
        }`,
      ],
    requests !== null &&
      requests.asked > 0 && [
        t('pub-staff.last_night.song_requests'),
        t('pub-staff.last_night.requests', {
          requests: requests.asked,
          decided: allOf(
            [
              requests.played > 0 && t('pub-staff.last_night.n_played', { n: requests.played }),
              requests.refused > 0 && t('pub-staff.last_night.n_refused', { n: requests.refused }),
              requests.expired > 0 && t('pub-staff.last_night.n_expired', { n: requests.expired }),
              open > 0 && t('pub-staff.last_night.n_open', { n: open }),
            ].filter((one) => one !== false),
          ),
        }),
      ],
    feedback !== null &&
      feedback.messages > 0 && [t('pub-staff.last_night.feedback'), messagesInWords(feedback, seesFeedback)],
    notices.length > 0 && [
      t('pub-staff.last_night.notices'),
      list(
        notices.map(({ title, at: begins, minutes }) =>
          t('pub-staff.last_night.for', { title, time: at(begins), length: lengthInWords(minutes) }),
        ),
      ),
    ],
    dark.length > 0 && [t('pub-staff.last_night.screens_dark'), list(dark.map(stretch))],
  ];
  return all.filter((row) => row !== false);
}

function messagesInWords({ messages, rating }: NonNullable<LastNight['feedback']>, mayOpen: boolean): Words {
  const link = (inside: Words) => (mayOpen ? html`<a href="/admin/feedback">${inside}</a>` : inside);
  return rating === null
    ? t('pub-staff.last_night.messages', { link, messages })
    : t('pub-staff.last_night.messages_rated', {
        link,
        messages,
        rating: formatNumber(rating, { maximumFractionDigits: 1 }),
      });
}

/** `25 min`, `3 h 20 min`, `5 days`. */
export function lengthInWords(minutes: number): Words {
  if (minutes < 60) return t('pub-staff.last_night.min', { minutes });
  if (minutes >= 2 * 1_440) return t('pub-staff.last_night.days', { days: Math.round(minutes / 1_440) });
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest > 0
    ? t('pub-staff.last_night.h_min', { hours, minutes: rest })
    : t('pub-staff.last_night.h', { hours });
}
