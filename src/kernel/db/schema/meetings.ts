import type { Generated } from 'kysely';

/** The tables of meetings. */
export interface MeetingTables {
  meetings: MeetingsTable;
  meeting_items: MeetingItemsTable;
  nomination_calls: NominationCallsTable;
  nominations: NominationsTable;
  nomination_seconders: NominationSecondersTable;
  motion_calls: MotionCallsTable;
  motions: MotionsTable;
  motion_seconders: MotionSecondersTable;
  meeting_documents: MeetingDocumentsTable;
  meeting_document_files: MeetingDocumentFilesTable;
  attendance: AttendanceTable;
  door_numbers: DoorNumbersTable;
  proxies: ProxiesTable;
  card_packs: CardPacksTable;
  voting_cards: VotingCardsTable;
  remote_presence: RemotePresenceTable;
  item_holders: ItemHoldersTable;
  speakers: SpeakersTable;
  paper_sheets: PaperSheetsTable;
  paper_batches: PaperBatchesTable;
  paper_batch_questions: PaperBatchQuestionsTable;
  paper_entries: PaperEntriesTable;
  meeting_minutes: MeetingMinutesTable;
  minutes_signatures: MinutesSignaturesTable;
}

export interface MeetingsTable {
  id: string;
  title: string;
  held_at: number;
  place: string | null;
  /** Shown on its public page: how to take part, and anything else. */
  notes: string | null;
  /** JSON list of `{ title, url }`. */
  documents: Generated<string>;
  /** People who have to be present; or their share of those who may vote, as JSON. Both null: no quorum. */
  quorum: number | null;
  quorum_share: string | null;
  /** Whether members elsewhere can take part. */
  remote: Generated<0 | 1>;
  /** How many absent members one person may represent. */
  proxies_per_person: Generated<number>;
  /** Whether the represented count for the quorum. */
  proxies_count: Generated<0 | 1>;
  /** JSON list of the names of its classes of cards. */
  classes: string;
  /** How many cards of each class people gave back, as JSON; begins anew when the cards are renewed. */
  given_back: Generated<string>;
  state: Generated<'prepared' | 'running' | 'closed'>;
  /** The ballot paper with its questions; null until there is one. */
  paper_id: string | null;
  /** The event of the calendar that was made from it. */
  event_id: string | null;
  created_at: number;
  /** When its first question was opened, and when it was closed. */
  began_at: number | null;
  ended_at: number | null;
  /** When the first invitation went out, and the number of mails. */
  invited_at: Generated<number | null>;
  invited: Generated<number>;
  /** When it was called off, and why. */
  called_off_at: Generated<number | null>;
  called_off_reason: Generated<string | null>;
  /** For calendars: the number of its changes (SEQUENCE), and the time of the last one. */
  sequence: Generated<number>;
  changed_at: Generated<number>;
  /** When those who were invited were last told of a change. */
  told_at: Generated<number | null>;
  /** The item that is discussed. */
  current_item: Generated<string | null>;
  /** Whether members ask to speak on their phones. */
  members_ask: Generated<0 | 1>;
  /** Whether everybody can read it, also without an invitation, a card or a session. */
  public: Generated<0 | 1>;
  /** Whether voters get inclusion codes on its questions. */
  inclusion_codes: Generated<0 | 1>;
  /** The persons who sign the minutes. */
  chair_id: Generated<string | null>;
  secretary_id: Generated<string | null>;
  /** JSON list of the different invitations that were sent, see `meetings/invitations.ts`. */
  invitations: Generated<string>;
  /** Whether everybody can read the signed minutes. */
  minutes_public: Generated<0 | 1>;
  /** Whether the minutes say birthday and place of the elected, as a register may want it. */
  elected_details: Generated<0 | 1>;
  /** When the results were mailed to those who were invited, and which version of the minutes. */
  results_mailed_at: Generated<number | null>;
  minutes_mailed: Generated<number | null>;
}

/** A version of the minutes of a meeting; those after the first are corrections. */
export interface MeetingMinutesTable {
  meeting_id: string;
  version: number;
  /** JSON of what people wrote, see `meetings/minutes/texts.ts`. */
  texts: string;
  /** Why the version before it had to be corrected. */
  reason: string | null;
  created_at: number;
  /** JSON of the signed content and its SHA-256; null while it is a draft. */
  content: string | null;
  sha256: string | null;
  signed_at: number | null;
  /** The persons who were asked by mail to sign it; null: not yet, empty: again, because a signature is void. */
  chair_asked: string | null;
  secretary_asked: string | null;
}

/** Who has signed a version. A signature under other contents than the present ones is void. */
export interface MinutesSignaturesTable {
  meeting_id: string;
  version: number;
  role: 'chair' | 'secretary';
  /** Null once the person was erased. */
  person_id: string | null;
  name: string;
  /** Of the contents that were signed. */
  sha256: string;
  signed_at: number;
}

/** Somebody who asked to speak; whoever has spoken is deleted. */
export interface SpeakersTable {
  id: string;
  meeting_id: string;
  position: number;
  name: string;
  /** When they began to speak; null: they wait. */
  began_at: number | null;
  /** Until when they may speak; null: as long as they like. */
  ends_at: number | null;
  /** When a member asked, and a hash of where from; null for a name that the chair added. */
  asked_at: number | null;
  client: string | null;
}

export interface MeetingItemsTable {
  id: string;
  meeting_id: string;
  position: number;
  kind: 'text' | 'motion' | 'election';
  title: string;
  text: string | null;
  /** The wording in force that a motion changes. */
  old_text: Generated<string | null>;
  /** As everybody reads it: its place, until the invitation goes out; `8a` of what is added later. */
  number: Generated<string>;
  /** Why a motion is proposed. */
  reason: Generated<string | null>;
  /** Who proposes a motion, as it is written. */
  mover: string | null;
  /** JSON list of the names of those who second it. */
  seconders: Generated<string>;
  /** When those who were invited were mailed that it was added. */
  told_at: Generated<number | null>;
  /** The question that is voted on. */
  election_id: string | null;
  /** JSON list of the classes of cards that vote; null: all. */
  classes: string | null;
  /** Of an item with a question, see `meetings/item-states.ts`. */
  state: Generated<'prepared' | 'open' | 'closed' | 'declared' | 'void'>;
  opened_at: number | null;
  closed_at: number | null;
  declared_at: number | null;
  /** Of votes that an earlier version closed: who was present. */
  present: Generated<number | null>;
  /** JSON of the votes of its question at the close, in parts: see `voting/elections/ways-to-vote.ts`. */
  voters: Generated<string | null>;
  /** Cards that were out and links that were sent, at the close. */
  electors: Generated<number | null>;
  /** The votes as walls and phones say them while it is open. */
  shown_voters: Generated<number | null>;
  /** The quorum of the meeting at the opening, in people. */
  quorum_needed: Generated<number | null>;
  /** Votes in the room as the chair counted them, where the door checks nobody in. */
  counted_present: Generated<number | null>;
  /** How often somebody came since it was opened. */
  arrivals: Generated<number>;
  /** While it is open, as JSON: the classes of cards that came back because their check-in was a mistake. */
  undone: Generated<string>;
  /** Whether the meeting had its quorum then; null before the opening. */
  quorate: Generated<0 | 1 | null>;
  /** When its timer was last put off. */
  extended_at: Generated<number | null>;
  /** JSON of what was counted without ballots, see `HandCount`. */
  counted: Generated<string | null>;
  /** JSON: whether each of the elected accepts, by id. */
  accepts: Generated<string | null>;
  /** Why more ballots than cards do not change the result. */
  note: Generated<string | null>;
  void_reason: Generated<string | null>;
  /** Cards that were made valid while voting was open, and those of its classes that were valid before. */
  late_cards: Generated<number>;
  cards_before: Generated<number>;
  /** How many of the late cards were handed out by the close; null before it. */
  late_cards_out: Generated<number | null>;
}

/** A member elsewhere who is present, by the number of the invitation. No time. */
export interface RemotePresenceTable {
  meeting_id: string;
  number: string;
}

/** Whoever had a card, or was represented by one, since an item was opened: until its close. */
export interface ItemHoldersTable {
  item_id: string;
  person_id: string;
}

/** When and by whom candidates for an election are nominated. */
export interface NominationCallsTable {
  /** When it was mailed to those who may vote. */
  mailed_at: Generated<number | null>;
  item_id: string;
  opens_at: number;
  closes_at: number;
  /** When it was to close at first; earlier than `closes_at` where it was extended. */
  first_closes_at: number;
  who: 'members' | 'anybody';
  /** How many people have to second a nomination. */
  seconders: number;
  /** Whether nominees can add a picture. */
  picture: 0 | 1;
}

/** A nomination; it counts once the nominee has confirmed it by mail. */
export interface NominationsTable {
  id: string;
  item_id: string;
  /** SHA-256 of the code in the nominee's link, which is derived from the id. */
  code_hash: string;
  name: string;
  /** Of the nominee. */
  email: string;
  text: string;
  /** Who proposed them, as they wrote it; null: they themselves. */
  proposer: string | null;
  picture: string | null;
  created_at: number;
  consented_at: number | null;
  withdrawn_at: number | null;
  decision: 'accepted' | 'refused' | null;
  /** Why it was refused. */
  reason: string | null;
  decided_at: number | null;
  decided_by: string | null;
  /** The candidate that it became. */
  option_id: string | null;
}

/** Somebody who was asked to second a nomination. */
export interface NominationSecondersTable {
  id: string;
  nomination_id: string;
  code_hash: string;
  email: string;
  seconded_at: number | null;
}

/** A PDF that was uploaded for a meeting. */
export interface MeetingDocumentsTable {
  id: string;
  meeting_id: string;
  /** The item that it belongs to; null: to the whole meeting. */
  item_id: string | null;
  title: string;
  size: number;
  /** Of its bytes. */
  sha256: string;
  added_at: number;
  added_by: string | null;
}

export interface MeetingDocumentFilesTable {
  document_id: string;
  bytes: Uint8Array;
}

/** When and by whom motions for a meeting are handed in. */
export interface MotionCallsTable extends Omit<NominationCallsTable, 'item_id' | 'picture'> {
  meeting_id: string;
}

/** A motion that somebody handed in before a meeting; it counts once they have confirmed it by mail. */
export interface MotionsTable {
  id: string;
  meeting_id: string;
  /** SHA-256 of the code in the author's link, which is derived from the id. */
  code_hash: string;
  /** Of its author. */
  name: string;
  email: string;
  title: string;
  text: string;
  /** Why, as its author writes it. */
  reason: string | null;
  created_at: number;
  consented_at: number | null;
  withdrawn_at: number | null;
  decision: 'accepted' | 'refused' | null;
  decision_reason: string | null;
  decided_at: number | null;
  decided_by: string | null;
  /** The item of the agenda that it became; null again if that was removed. */
  item_id: string | null;
}

/** Somebody who was asked to second a motion, with their name on the roll. */
export interface MotionSecondersTable {
  id: string;
  motion_id: string;
  code_hash: string;
  email: string;
  name: string;
  seconded_at: number | null;
}

/** Somebody who was checked in at the door; a random id and no time, so that nothing tells who came when. */
export interface AttendanceTable {
  id: string;
  meeting_id: string;
  /** Null for a guest, and for an erased person. */
  person_id: string | null;
  name: string;
  /** The class of their card; null: a guest, or a kind of membership without a vote. */
  class: string | null;
  state: 'in' | 'out';
  /** Their own card: never handed out, in their hands, or given back. */
  card: Generated<'none' | 'held' | 'back'>;
  /** What the last press that let them in, or handed them a card, has changed, as JSON: an undo takes it back. */
  last_entry: Generated<string | null>;
  /** The random id of the press that made this state, where a door sent one. */
  press: Generated<string | null>;
}

/** The number in an invitation by which the door finds a person: eight random digits, until the meeting ends. */
export interface DoorNumbersTable {
  meeting_id: string;
  person_id: string;
  number: string;
}

/** Who represents an absent member. */
export interface ProxiesTable {
  id: string;
  meeting_id: string;
  giver_id: string | null;
  holder_id: string | null;
  /** The class of the giver, of which the holder gets one more card. */
  class: string;
  /** What shows it, as the officers wrote it. */
  document: string | null;
  /** `used`: the holder has the card. */
  state: 'given' | 'used';
}

/** Printed cards. Those of a pack are valid once the door opens it. */
export interface CardPacksTable {
  id: string;
  meeting_id: string;
  number: number;
  class: string;
  cards: number;
  state: 'printed' | 'open' | 'void';
}

/** A printed card, without whoever has it. */
export interface VotingCardsTable {
  /** That of its voting code, a code of the meeting's paper. */
  code_hash: string;
  pack_id: string;
  /** SHA-256 of the code on its stub. */
  stub_hash: string;
  state: 'valid' | 'returned' | 'lost';
  /** Whether another one was handed out for its stub. */
  replaced: Generated<0 | 1>;
}

/** How many papers of an item there are, and where they went. */
export interface PaperSheetsTable {
  item_id: string;
  /** Cards that died for a paper. */
  handed_out: Generated<number>;
  /** As tellers counted them; null until they did. */
  printed: number | null;
  /** Handed back instead of put into the box. */
  returned: number | null;
  in_box: number | null;
  /** Why the chair did not wait for more papers; null while they are waited for. */
  no_more: Generated<string | null>;
}

/** Papers that two tellers enter, each without the other. */
export interface PaperBatchesTable {
  id: string;
  item_id: string;
  /** 1, 2, 3 ... among those of the item. */
  number: number;
  /** Control totals: the papers as they were counted by hand. */
  valid: number;
  blank: number;
  invalid: number;
  /** Why it comes after the announcement; published. */
  reason: string | null;
  state: Generated<'open' | 'joined'>;
  /** Who entered it: `person:<id>`; null: not yet. */
  teller_1_by: Generated<string | null>;
  teller_2_by: Generated<string | null>;
  /** How many differences between the two were settled. */
  settled: Generated<number>;
  /** Whether its ballots joined the others after the result was announced. */
  late: Generated<0 | 1>;
  /** Why more votes or papers than there can be did not change the result when it came late; published. */
  note: Generated<string | null>;
  /** Other control totals as JSON, and who wants them, as `teller_1_by`; until another person agrees. */
  control_asked: Generated<string | null>;
  control_asked_by: Generated<string | null>;
}

/** The items that the papers of a batch answer, and what was counted once it had joined. */
export interface PaperBatchQuestionsTable {
  batch_id: string;
  item_id: string;
  position: number;
  valid: Generated<number>;
  blank: Generated<number>;
  invalid: Generated<number>;
}

/**
 * What a teller read on a paper, for one item. It ties the number on a paper to its ballot, and the ballots of one paper
 * to each other: the rows of an item are deleted when its result is announced.
 */
export interface PaperEntriesTable {
  batch_id: string;
  teller: 1 | 2;
  /** As it was written on the paper after the box was mixed. */
  number: number;
  item_id: string;
  /** As ballots are stored, or `invalid`. */
  choice: string;
  /** The ballot that it became; only of the first teller. */
  ballot_id: Generated<string | null>;
}
