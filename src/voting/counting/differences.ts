/** What may not agree between an election and the audit log, in the sentences of JSON and of the log of the service. */
export const DIFFERENCES = {
  question: 'the question, its options or its rules are not those that the log has recorded',
  missing: 'the result that the log has recorded is missing',
  no_entry: 'the log has no entry of this result',
  lots: 'the lots are not those that the log has recorded',
  on_paper: 'the ballots on paper are not as many as the log has recorded',
  repeated: 'the log has several results, and voting was not opened again between them',
  not_anchored: 'the log lacks the entry that the result was stored with',
  altered: 'the ballots are not those whose check number was published',
  codes_since_opening: 'the voting codes are not those with which voting opened',
  codes_since_close: 'the voting codes are not those that existed at the close',
  receipts: 'the receipts of the ballots are not those that existed at the close',
} as const;

/** The same of those that name something: how their sentences begin. */
export const NAMED_DIFFERENCES = {
  stored: 'the stored result differs from the log: ',
  unreadable: 'what is stored of it cannot be read: ',
} as const;
