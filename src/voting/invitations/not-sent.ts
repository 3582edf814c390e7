import type { MailReason } from '#kernel/mail/reasons.ts';

// Why a mail did not go out, as it is stored and as JSON says it.
export const NOT_SENT = 'Not sent' satisfies MailReason;
export const NO_ADDRESS = 'Has no address: print a slip' satisfies MailReason;
export const VOTING_CLOSED = 'Voting has closed' satisfies MailReason;
export const CODE_USED = 'This voting code was used already' satisfies MailReason;
export const LINK_GONE = 'The voting link is no longer there' satisfies MailReason;
export const NO_BALLOT = 'There is no unused ballot any more' satisfies MailReason;
/** No failure, and a retry would not help. */
export const ALREADY_INVITED = 'Already invited' satisfies MailReason;
