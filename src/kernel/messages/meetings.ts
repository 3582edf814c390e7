/** Texts about meetings. */
export const MEETINGS = {
  meeting_not_found: { error: 'Meeting not found', page: null },
  item_not_found: { error: 'Item not found', page: null },
  one_quorum: 'is given as a number or as a share, not as both',
  not_class: 'must be a class of this meeting: {names}',
  class_used: '“{name}” has cards, people or items already',
  item_voted_on: 'This item was voted on: it is {state}',
  item_state: 'This item is {state}',
  meeting_has_ballots: 'This meeting has ballots',
  meeting_closed: 'This meeting is closed',
  meeting_not_running: 'This meeting is {state}',
  not_items: 'must list every item of the agenda once',
  no_such_agenda: 'there is no such agenda',
  text_has_no_question: 'a text is not voted on',
  election_needs_question: 'an election needs a question',
  not_document: 'must be a title and an address that begins with https://',
} as const;
