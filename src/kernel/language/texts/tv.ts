// Written by `npm run texts -- --write`.
import type { Tag, Value } from '#kernel/language/words.ts';

export interface Values {
  'tv.bar_right.now_playing_request': { requested: Tag };
  'tv.feed.cancelled': { title: Value };
  'tv.feed.date_from': { date: Value; time: Value };
  'tv.feed.from': { time: Value };
  'tv.feed.open_until': { time: Value };
  'tv.feed.opens_at': { time: Value };
  'tv.game.state': { state: 'abandoned' | 'after_extra_time' | 'after_penalties' | 'bottom' | 'canceled' | 'clock_period' | 'clock_quarter' | 'clock_third' | 'delayed' | 'end_inning' | 'end_period' | 'end_quarter' | 'end_third' | 'final' | 'final_overtime' | 'final_shootout' | 'first_half' | 'halftime' | 'middle' | 'overtime' | 'postponed' | 'rain' | 'scheduled' | 'second_half' | 'shootout' | 'suspended' | 'top' | 'walkover' | 'other'; clock: Value; number: number };
  'tv.hours.again_on_day': { weekday: Value; time: Value };
  'tv.hours.again_today': { time: Value };
  'tv.hours.again_tomorrow': { time: Value };
  'tv.hours.closed_because': { reason: Value };
  'tv.hours.closed_today_because': { reason: Value };
  'tv.hours.open': { hours: Value };
  'tv.menu.as_of': { time: Value };
  'tv.menu.continued': { title: Value };
  'tv.menu.page': { page: Value; of: Value };
  'tv.menu.until': { time: Value };
  'tv.note.as_of': { time: Value };
  'tv.note.offline_since': { time: Value };
  'tv.offer.here_only': { address: Value; code: Value };
  'tv.offer.pair': { address: Value; code: Value };
  'tv.pair.scan_picture_phone_open_type': { address: Value };
  'tv.report.lyrics': { title: Value };
  'tv.row.from': { time: Value };
  'tv.row.in_hours': { hours: Value };
  'tv.row.in_hours_minutes': { hours: Value; minutes: Value };
  'tv.row.in_minutes': { minutes: Value };
  'tv.row.soon_until': { soon: Value; until: Value };
  'tv.row.until': { time: Value };
  'tv.showing.guests_at_home': { guests: Value; home: Value };
  'tv.showing.guests_at_home_lines': { guests: Value; home: Value };
  'tv.showing.starts_at': { time: Value };
  'tv.slide.part': { part: Value; of: Value };
  'tv.tv.page': { page: Value; of: Value };
  'tv.weather.credit': { source: Value };
  'tv.weather.rain': { amount: Value };
  'tv.weather.sleet': { amount: Value };
  'tv.wifi.with_password': { name: Value; password: Value };
}
