// What JSON answers about mails say in English, in the words of the page.
import { t } from '../base/texts.js';

/** The reasons that an invitation may have. @satisfies {Partial<Record<import('#kernel/mail/reasons.ts').MailReason, () => string>>} */
const WORDS = {
  'Not sent': () => t('voting-admin.sending.not_sent'),
  'MAILER_URL is not set': () => t('settings.not_sent.no_server'),
  'FROM_EMAIL is not set': () => t('settings.not_sent.no_sender'),
  'The address of this service is not known': () => t('settings.not_sent.no_own_address'),
  'The mail server did not answer in time': () => t('settings.not_sent.too_late'),
  'The mail server has not answered yet': () => t('settings.not_sent.no_answer_yet'),
  'The mail server got the mail and did not say whether it takes it': () => t('settings.not_sent.no_answer'),
  'The mail server closed the connection': () => t('settings.not_sent.closed_connection'),
  'The service is stopping': () => t('settings.not_sent.stopping'),
  'The service could not make this mail: see its log': () => t('settings.not_sent.not_made'),
  'Has no address: print a slip': () => t('settings.not_sent.no_address'),
  'Voting has closed': () => t('settings.not_sent.voting_closed'),
  'The election closed before it was sent': () => t('settings.not_sent.election_closed'),
};
const REASONS = new Map(Object.entries(WORDS));

/** Why a mail did not go out; what a mail server said stays as it is. @param {string | undefined} error */
export const reasonInWords = (error = 'Not sent') => REASONS.get(error)?.() ?? error;

/** Why a whole request was refused. @param {string | undefined} code @param {number} status */
export function refusalInWords(code, status) {
  if (code === 'election_closed') return t('voting-admin.sending.closed');
  if (status === 429) return t('voting-admin.sending.too_fast');
  if (status === 401) return t('voting-admin.sending.signed_out');
  if (status === 403) return t('voting-admin.sending.may_not');
  return t('voting-admin.sending.refused', { status: String(status) });
}
