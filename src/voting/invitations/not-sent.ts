// Why a mail did not go out, as it is stored and as JSON says it.
export const NOT_SENT = 'Not sent';
export const NO_ADDRESS = 'Has no address: print a slip';
export const VOTING_CLOSED = 'Voting has closed';
export const CODE_USED = 'This voting code was used already';
export const LINK_GONE = 'The voting link is no longer there';
export const NO_BALLOT = 'There is no unused ballot any more';
/** No failure, and a retry would not help. */
export const ALREADY_INVITED = 'Already invited';
