import { actorWords } from '#kernel/access/actors.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { MissingDoor } from '#meetings/door/heard.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import { notice } from '#views/components/notices.ts';
import type { ChairProps } from './chair-side.ts';

/** In the place of the figures, which nobody sees before the papers are counted. */
export const awaiting = ({ out, joined }: NonNullable<ItemWithResult['papers_awaited']>): Html =>
  html`<p class="said">${t('meetings-admin.chair.voting_closed_papers_counted', { joined, out })}</p>
<p class="small soft">${t('meetings-admin.chair.sees_figures_before_number_box')}</p>`;

/** More votes than the door has counted: as soon as it is so, because only an open vote can be stopped by one person. */
export const alarmNotice = ({ alarm }: ItemWithResult): Html | undefined =>
  alarm &&
  notice(
    'danger',
    t('meetings-admin.chair.votes_but_door_counted_find', { votes: alarm.votes, voters: alarm.voters }),
    t('meetings-admin.chair.more_votes_door_counted'),
  );

/** Doors without network count until the announcement. */
export const missing = ({ missingDoors }: ChairProps): Html | null =>
  missingDoors.length === 0
    ? null
    : html`${missingDoors.map(({ letters, silent, waiting }) =>
        notice(
          'attention',
          silentDoor(letters, silent, waiting),
          t('meetings-admin.chair.presses_door_missing'),
        ),
      )}`;

/** @param silent seconds @param waiting presses that it has to send */
function silentDoor(named: MissingDoor['letters'], silent: number, waiting: number): Words {
  const letters = named && t('meetings-admin.chair.door_letters', named);
  if (waiting > 0)
    return letters === null
      ? t('meetings-admin.chair.door_to_send', { n: waiting })
      : t('meetings-admin.chair.named_door_to_send', { letters, n: waiting });
  const time =
    silent < 120
      ? t('meetings.wall.seconds', { n: silent })
      : t('meetings.wall.minutes', { n: Math.round(silent / 60) });
  return letters === null
    ? t('meetings-admin.chair.door_silent', { time })
    : t('meetings-admin.chair.named_door_silent', { letters, time });
}

/** That somebody asks to make a vote void, and who confirms it. */
export const voidAsked = ({ person }: ChairProps, { void_asked }: ItemWithResult): Html | undefined =>
  void_asked &&
  notice(
    'attention',
    html`${void_asked.reason}. ${
      void_asked.person === person
        ? t('meetings-admin.chair.somebody_else_who_announce_results', {
            link: (inside) => html`<a href="/admin/approvals">${inside}</a>`,
          })
        : t('meetings-admin.chair.confirmed_below_until_nothing_changed')
    }`,
    void_asked.person === person
      ? t('meetings-admin.chair.asked_make_void')
      : t('meetings-admin.chair.asks_make_void', { by: actorWords(void_asked.by) }),
  );

/** The page about the papers of an item. */
export const papersLink = ({ meeting }: ChairProps, item: ItemWithResult): Html =>
  html`<p><a class="link-alone" href="/admin/meetings/${meeting.id}/items/${item.id}/papers">${t('meetings-admin.shared.ballots_paper')}</a></p>`;

/** What is to be done with papers before the result is announced. */
export function papersLeft(props: ChairProps, item: ItemWithResult): Html {
  const { paper_alarm: alarm, batches_open = 0 } = item;
  return html`${
    batches_open > 0 &&
    notice(
      'attention',
      t('meetings-admin.chair.batches_papers_joined_other_ballots', { n: batches_open }),
      t('meetings-admin.chair.papers_counted_yet'),
    )
  }${
    alarm &&
    notice(
      'danger',
      t('meetings-admin.chair.papers_but_handed_out', { papers: alarm.papers, out: alarm.handed_out }),
      t('meetings-admin.shared.more_papers_handed_out'),
    )
  }${item.way === 'ballots' && papersLink(props, item)}`;
}

/** Whoever is elected and has not said whether they accept, of a meeting that is over and whose minutes are not signed. */
export function answersAwaited(meetingId: string, names: readonly string[]): Html | null {
  if (names.length === 0) return null;
  const link = html`<a href="/admin/meetings/${meetingId}/minutes#answers">${t('meetings-admin.chair.record_answers')}</a>`;
  return notice(
    'attention',
    html`<p>${t('meetings-admin.chair.awaited_answers', { n: names.length, names: allOf(names) })} ${link}</p>`,
  );
}
