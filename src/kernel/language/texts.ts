// Written by `npm run texts -- --write`.
import type { Tag, Value } from './message.ts';

/** The texts of the catalogues, with their values. */
export interface Texts {
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
}
