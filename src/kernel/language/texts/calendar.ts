// Written by `npm run texts -- --write`.
import type { Tag, Value } from '#kernel/language/words.ts';

export interface Values {
  'calendar.event.cancelled_what': { what: Value };
  'calendar.event.date_all_day': { date: Value };
  'calendar.event.date_from': { date: Value; time: Value };
  'calendar.event.date_times': { date: Value; times: Value };
  'calendar.event.days': { first: Value; last: Value };
  'calendar.event.title_when': { title: Value; when: Value };
  'calendar.event.when_where': { when: Value; place: Value };
  'calendar.feed.expired': { path: Value };
  'calendar.feed.title': { club: Value };
  'calendar.links.also_android_nothing_happens_copy': { link: Tag };
  'calendar.links.stop_for': { strong: Tag; email: Value };
  'calendar.links.web_work_school_account_use': { link: Tag };
  'calendar.links.works_until_two_weeks_before': { strong: Tag; expires: Value };
  'calendar.programme.add_only': { hidden: Tag; title: Value };
  'calendar.programme.as_of': { when: Value };
  'calendar.programme.more_about': { hidden: Tag; title: Value };
  'calendar.programme.more_later': { n: number };
  'calendar.programme.next': { dates: Value };
  'calendar.programme.next_and_more': { dates: Value; soft: Tag; n: number };
  'calendar.subscribe.ask_again_in': { n: number };
  'calendar.subscribe.mail_comes_within_few_minutes': { link: Tag };
  'calendar.subscribe.open_mail_any_device_press': { strong: Tag };
  'calendar.subscribe.subscribe_yet_club_sends_mails': { link: Tag };
  'calendar.times.from': { time: Value };
  'calendar.times.since': { when: Value };
  'calendar.times.span': { start: Value; end: Value };
  'calendar.times.until': { when: Value };
}
