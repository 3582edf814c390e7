import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Overview } from '#pub/staff-room/overview.ts';
import { LAST_NIGHT } from './last-night.ts';
import { clock, type Moment, roomPath } from './words.ts';

/** Until this hour, before the pub opens, the page begins with how the night was. */
const MORNING_ENDS = 14;

const localHour = (at: number, zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).hour;

/** What staff need to know at once; a line leads to the section or the page for it. */
export function tonight(overview: Overview, moment: Moment): Html {
  const lastNight = [LAST_NIGHT.path, LAST_NIGHT.title, t('pub-staff.tonight.what_it_was_like')] as const;
  const { bar, requests, feedback, takeovers, card } = overview;
  const waiting = requests?.items.filter(({ status }) => status === 'pending').length ?? 0;
  const [notice] = takeovers ?? [];
  const isMorning = localHour(moment.now, moment.zone) < MORNING_ENDS && !bar?.open;
  const lines: (readonly [href: string | null, what: Child, how: Child])[] = [
    ...(isMorning ? [lastNight] : []),
    ...(bar
      ? [
          [
            null,
            bar.opening,
            bar.tenders
              ? t('pub-staff.tonight.behind_bar', { tenders: bar.tenders })
              : t('pub-staff.tonight.nobody_on_roster'),
          ] as const,
        ]
      : []),
    ...(requests
      ? [
          [
            '#requests',
            t('pub-staff.tonight.song_requests'),
            waiting > 0
              ? html`<strong>${t('pub-staff.tonight.decide', { waiting })}</strong>`
              : t('pub-staff.tonight.none_to_decide'),
          ] as const,
        ]
      : []),
    ...(feedback
      ? [
          [
            '/admin/feedback',
            t('pub-staff.tonight.messages'),
            feedback.new > 0
              ? html`<strong>${t('pub-staff.tonight.new', { new: feedback.new })}</strong>`
              : t('pub-staff.tonight.none_new'),
          ] as const,
        ]
      : []),
    ...(card
      ? [
          [
            roomPath('screen'),
            t('pub-staff.tonight.screens_show'),
            card.showing ? html`<strong>${card.title}</strong>` : t('pub-staff.tonight.no_film_or_game'),
          ] as const,
        ]
      : []),
    ...(takeovers
      ? [
          [
            '#takeover',
            t('pub-staff.tonight.notice'),
            notice
              ? t('pub-staff.tonight.until', {
                  title: html`<strong>${notice.title || notice.text}</strong>`,
                  time: clock(notice.expiresAt, moment),
                })
              : t('pub-staff.tonight.none'),
          ] as const,
        ]
      : []),
    ...(isMorning ? [] : [lastNight]),
  ];
  return html`<ul class="room-tonight" role="list">${lines.map(
    ([href, what, how]) => html`
  <li>${href === null ? html`<p>${line(what, how)}</p>` : html`<a href="${href}">${line(what, how)}</a>`}</li>
  \n`,
  )}</ul>`;
}

const line = (what: Child, how: Child): Html =>
  html`<span class="tonight-what">${what}</span> <span class="tonight-how">${how}</span>`;
