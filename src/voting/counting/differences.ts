/** What only the log of the service and `audit:verify` say of an election: in English. */
export const LOGGED = {
  altered: 'the ballots are not those whose check number was published',
  codes_since_opening: 'the voting codes are not those with which voting opened',
  codes_since_close: 'the voting codes are not those that existed at the close',
  receipts: 'the receipts of the ballots are not those that existed at the close',
} as const;

/** What cannot be read any more, with why: JSON says it, pages do not. */
export const unreadable = (error: Error): string => `what is stored of it cannot be read: ${error.message}`;
