import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';

/** Why a calendar file cannot be read at all. */
export type FileFault = 'nested' | 'not_calendar' | 'cut_off' | 'too_long' | 'too_large' | 'unreadable';

/** Why of a series only the first date is shown. */
export type RuleFault =
  | 'hourly'
  | 'minutely'
  | 'secondly'
  | 'too_often'
  | 'too_long'
  | 'other_calendar'
  | 'unknown_part'
  | 'end'
  | 'not_followed'
  | 'other';

/** What of an event cannot be read, or is not shown. `part`: the part of a rule that is not known here. */
export type Fault =
  | { is: 'change' | 'start' | 'event' }
  | { is: 'too_many'; most: number }
  | { is: 'rule'; why: RuleFault; part?: string | undefined };

/** An event that could not be read, or not in full; without the title of one that may be private. */
export interface EventFault {
  title?: string;
  fault: Fault;
}

/** Words that begin with a small letter, and say nothing of the address. */
export const FILE_FAULTS: Readonly<Record<FileFault, Words>> = {
  too_long: t('content-admin.ical_error.too_long'),
  too_large: t('content-admin.ical_error.too_large'),
  unreadable: t('content-admin.ical_error.unreadable'),
  nested: t('content-admin.ical_error.nested'),
  not_calendar: t('content-admin.ical_error.not_calendar'),
  cut_off: t('content-admin.ical_error.cut_off'),
};

/** The fault of an event, with its title. */
export function faultWords({ title, fault }: EventFault): Words {
  const what = wordsOf(fault);
  return title === undefined
    ? t('content-admin.ical_error.some_event', { fault: what })
    : t('content-admin.ical_error.titled', { title, fault: what });
}

function wordsOf(fault: Fault): Words {
  switch (fault.is) {
    case 'change':
      return t('content-admin.ical_error.fault.change');
    case 'start':
      return t('content-admin.ical_error.fault.start');
    case 'event':
      return t('content-admin.ical_error.fault.event');
    case 'too_many':
      return t('content-admin.ical_error.fault.too_many', { most: String(fault.most) });
    case 'rule':
      return t('content-admin.ical_error.fault.rule', { why: fault.why, part: fault.part ?? '' });
  }
}
