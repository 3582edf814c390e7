/** Texts about calendars and their subscriptions. */
export const CALENDAR = {
  calendar_not_found: { error: 'Calendar not found', page: null },
  subscriber_not_found: { error: 'Subscriber not found', page: null },
  calendar_off: 'This calendar is switched off',
  analytics_unreachable: 'The analytics provider cannot be reached',
  refused_by_internal_calendar: 'The request was refused by the internal calendar',
  internal_calendar_unreachable: 'The internal calendar cannot be reached',
  internal_calendar_busy: 'The internal calendar is busy',
  internal_calendar_not_set_up: 'The internal calendar is not set up: AUTOMATION_BASE_URL is missing',
  internal_calendar_unreadable: 'The internal calendar cannot be read',
  challenge_unanswered: 'the challenge was not answered',
  challenge_failed: 'the challenge was not passed',
  challenge_unverified: {
    error: 'The challenge cannot be verified',
    message: 'Nothing was kept. Try again in a moment.',
  },
  mail_not_sent: {
    error: 'The mail could not be sent',
    message: 'Check the address, and try again in a moment. Nothing was kept.',
  },
  no_calendar_of_link: 'No calendar has this link: it may be incomplete',
  subscription_stopped: 'This subscription was stopped by an officer',
  link_unknown: 'This link is unknown, expired or used up',
  link_incomplete: 'This link is incomplete',
  no_such_event: 'There is no such event, or it was over long ago.',
  event_not_written: 'This event cannot be written as a file',
  gallery_gone: {
    error: 'Gone',
    message: 'The gallery was retired. Nothing of it is kept here, and nothing is taken any more.',
  },
} as const;
