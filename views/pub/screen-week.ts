import { namedWeekdays, WEEKDAYS, type Weekday } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatLocal } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { PRESET_NAMES, presetOf, type TimeOfDay } from '#pub/devices/mixes.ts';
import type { OffHours } from '#pub/devices/off-hours.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import { mixName } from './mix-names.ts';

const DAY = 24 * 60;

/** A part of a day, in minutes, and what is shown then. */
interface Bar {
  from: number;
  to: number;
  /** The class of its colour. */
  kind: string;
  words: Words;
}

/** The week of a screen as bars, one line a day, with the same in words below; null without other times. */
export function screenWeek({ times, off_hours }: Pick<ScreenJson, 'times' | 'off_hours'>): Html | null {
  if (times.length === 0) return null;
  const hours = [0, 6, 12, 18, 24].map((hour) => html`<span>${hourName(hour)}</span>`);
  const rows = namedWeekdays('short').map(([day, name]) => {
    const bars = [...barsOf(times, day), ...offBars(off_hours, day)];
    const bar = ({ from, to }: Bar, kind: string) =>
      html`<rect class="week-${kind}" x="${from}" width="${to - from}" height="10"/>`;
    return html`<div class="week-day"><span>${name}</span><svg viewBox="0 0 ${DAY} 10" preserveAspectRatio="none"
focusable="false"><rect class="week-usual" width="${DAY}" height="10"/>${bars.map((one) => [bar(one, 'usual'), bar(one, one.kind)])}</svg></div>`;
  });
  return html`<div class="week" aria-hidden="true">${rows}<div class="week-hours"><span></span><div>${hours}</div></div></div>
<ul class="week-words small" role="list">${times.map(
    (slot) => html`<li><span class="week-key week-key-${kindOf(slot)}"></span>${sentenceOf(slot)}</li>`,
  )}</ul>`;
}

const kindOf = ({ mix }: TimeOfDay): string => {
  const preset = presetOf(mix);
  return preset === null ? 'own' : `mix-${PRESET_NAMES.indexOf(preset) + 1}`;
};

/** The bars of a day, in the order in which they begin, so that the later one covers the earlier. */
function barsOf(times: readonly TimeOfDay[], day: Weekday): Bar[] {
  const before = WEEKDAYS[(WEEKDAYS.indexOf(day) + 6) % 7]!;
  const isOn = (slot: TimeOfDay, on: Weekday) => slot.days.length === 0 || slot.days.includes(on);
  const bars = times.flatMap((slot): (Bar & { begins: number })[] => {
    const from = slot.between ? minutes(slot.between.from) : 0;
    const end = slot.between ? minutes(slot.between.to) : DAY;
    const to = end > from ? end : end + DAY;
    const shown = { kind: kindOf(slot), words: sentenceOf(slot) };
    return [
      ...(isOn(slot, before) && to > DAY ? [{ ...shown, begins: from - DAY, from: 0, to: to - DAY }] : []),
      ...(isOn(slot, day) ? [{ ...shown, begins: from, from, to: Math.min(to, DAY) }] : []),
    ];
  });
  return bars.sort((a, b) => a.begins - b.begins);
}

/** Only times of its own are the same each week. */
function offBars(offHours: OffHours, day: Weekday): Bar[] {
  if (typeof offHours === 'string') return [];
  const before = WEEKDAYS[(WEEKDAYS.indexOf(day) + 6) % 7]!;
  const spans = (on: Weekday) =>
    offHours[on].map(({ from, to }) => [minutes(from), minutes(to) + (to > from ? 0 : DAY)] as const);
  return [
    ...spans(before).map(([, to]) => [0, to - DAY] as const),
    ...spans(day).map(([from, to]) => [from, Math.min(to, DAY)] as const),
  ]
    .filter(([from, to]) => to > from)
    .map(([from, to]) => ({ from, to, kind: 'off', words: t('pub-staff.screen_week.off') }));
}

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** `Fri, Sat 10:00 PM – 2:00 AM: Menu board` */
function sentenceOf({ days, between, mix }: TimeOfDay): Words {
  const names = new Map(namedWeekdays('short'));
  const on =
    days.length % WEEKDAYS.length === 0
      ? t('pub-staff.screen_week.every_day')
      : (commas(days.map((day) => names.get(day))) ?? '');
  const at = between && html` ${clockName(between.from)} – ${clockName(between.to)}`;
  return t('common.named', { name: html`${on}${at}`, value: mixName(presetOf(mix)) });
}

const clockName = (time: string): Words =>
  formatLocal(Date.parse(`2000-01-01T${time}:00Z`), 'UTC', { hour: 'numeric', minute: '2-digit' });

const hourName = (hour: number): Words =>
  formatLocal(Date.parse(`2000-01-01T${String(hour % 24).padStart(2, '0')}:00:00Z`), 'UTC', {
    hour: 'numeric',
  });
