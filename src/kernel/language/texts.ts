// Written by `npm run texts -- --write`.
import type { Tag, Value } from './words.ts';

/** The texts of the catalogues, with their values. */
export interface Texts {
  'common.copy.copied': Record<never, never>;
  'common.copy.selected': Record<never, never>;
  'common.foot.for_officers': Record<never, never>;
  'common.foot.imprint': Record<never, never>;
  'common.foot.own_page': Record<never, never>;
  'common.foot.privacy': Record<never, never>;
  'common.head.skip': Record<never, never>;
  'common.head.title': { title: Value; club: Value };
  'common.head.title_refused': { title: Value; club: Value };
  'common.nav.behind_the_bar': Record<never, never>;
  'common.nav.calendar': Record<never, never>;
  'common.nav.club': Record<never, never>;
  'common.nav.drinks': Record<never, never>;
  'common.nav.drinks_and_food': Record<never, never>;
  'common.nav.elections': Record<never, never>;
  'common.nav.feedback': Record<never, never>;
  'common.nav.films': Record<never, never>;
  'common.nav.hours': Record<never, never>;
  'common.nav.main': Record<never, never>;
  'common.nav.more': Record<never, never>;
  'common.nav.music': Record<never, never>;
  'common.nav.now_playing': Record<never, never>;
  'common.nav.own_page': Record<never, never>;
  'common.nav.programme': Record<never, never>;
  'common.nav.pub': Record<never, never>;
  'common.nav.setlist': Record<never, never>;
  'common.nav.song': Record<never, never>;
  'common.nav.vote': Record<never, never>;
  'common.nav.whats_on': Record<never, never>;
  'common.set_up.line': { link: Tag };
  'common.time.day_and_time': { day: Value; time: Value };
  'common.time.days': { first: Value; last: Value };
  'common.time.in_days': { days: number; day: Value };
  'common.time.midnight': Record<never, never>;
  'common.time.noon': Record<never, never>;
  'common.time.today': Record<never, never>;
  'common.time.today_in_sentence': Record<never, never>;
  'common.time.tomorrow': Record<never, never>;
  'common.time.tomorrow_in_sentence': Record<never, never>;
  'common.time.when_chair_closes': Record<never, never>;
  'common.time.when_chair_opens': Record<never, never>;
  'common.time.with_zone': { when: Value; zone: Value; which: 'earlier' | 'later' | 'other' };
  'common.time.yesterday': Record<never, never>;
  'common.time.yesterday_in_sentence': Record<never, never>;
  'common.time.zone': { place: Value };
  'voting.cast.busy': { when: Tag; seconds: number };
  'voting.cast.button_sending': Record<never, never>;
  'voting.cast.still_sending': { when: Tag; seconds: number };
}
