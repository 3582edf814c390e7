import { readText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { ADDRESS_FAULTS } from '#kernel/mail-addresses.ts';
import { pageTextOf, say, sentenceOf } from '#kernel/messages/messages.ts';
import { ownValue } from '#kernel/own-value.ts';

/**
 * Why a mail did not go out, where the service itself says so: the sentence in which that is stored and which JSON has,
 * and its words on pages. Rows hold the sentences, so they are never changed.
 */
const REASONS = {
  'Not sent': t('settings.not_sent.not_sent'),
  // THE MAIL SERVER
  'MAILER_URL is not set': t('settings.not_sent.no_server'),
  'FROM_EMAIL is not set': t('settings.not_sent.no_sender'),
  'The address of this service is not known': t('settings.not_sent.no_own_address'),
  'The mail server does not accept addresses with such letters before the @ (it has no SMTPUTF8). Use another address':
    t('settings.not_sent.no_utf8'),
  'The mail server did not answer in time': t('settings.not_sent.too_late'),
  'The mail server has not answered yet': t('settings.not_sent.no_answer_yet'),
  'The mail server got the mail and did not say whether it takes it': t('settings.not_sent.no_answer'),
  'The mail server closed the connection': t('settings.not_sent.closed_connection'),
  'The service is stopping': t('settings.not_sent.stopping'),
  'The service could not make this mail: see its log': t('settings.not_sent.not_made'),
  // VOTING
  'Has no address: print a slip': t('settings.not_sent.no_address'),
  'Voting has closed': t('settings.not_sent.voting_closed'),
  'This voting code was used already': t('settings.not_sent.code_used'),
  'The voting link is no longer there': t('settings.not_sent.link_gone'),
  'There is no unused ballot any more': t('settings.not_sent.no_ballot'),
  'Already invited': t('settings.not_sent.invited_already'),
  'Already mailed': t('settings.not_sent.mailed_already'),
  'It is not known whether it was mailed': t('settings.not_sent.unsure'),
  'The election closed before it was sent': t('settings.not_sent.election_closed'),
  'Results are hidden until voting closes': t('settings.not_sent.results_hidden'),
  // WHAT A MAIL WAS ABOUT
  'It was answered, or deleted': t('settings.not_sent.answered'),
  'The call is over': t('settings.not_sent.call_over'),
  'Its code was used or has expired': t('settings.not_sent.code_expired'),
  'This person is not on the roll any more': t('settings.not_sent.not_on_roll'),
  'The meeting is over': t('settings.not_sent.meeting_over'),
  'The meeting is deleted': t('settings.not_sent.meeting_deleted'),
  'The minutes are not signed': t('settings.not_sent.not_signed'),
  'It was signed, or is not needed any more': t('settings.not_sent.signed'),
  'Its link was withdrawn or has expired': t('settings.not_sent.link_expired'),
  'Its link was used, withdrawn or has expired': t('settings.not_sent.link_used'),
} satisfies Record<string, Words>;

export type MailReason = keyof typeof REASONS;

/** Why an address was refused, or a person. */
const REFUSALS = [...ADDRESS_FAULTS, say('link_for_several'), say('not_on_roll')];
const REFUSED = new Map(REFUSALS.map((refusal) => [sentenceOf(refusal), pageTextOf(refusal)]));

/** A stored reason in words; what a mail server says stays as it is. */
export function reasonWords(stored: string): Words | string {
  const reason = readText(stored);
  if (typeof reason !== 'string') return reason;
  return ownValue(REASONS, reason) ?? REFUSED.get(reason) ?? reason;
}
