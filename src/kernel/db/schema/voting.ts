import type { Generated } from 'kysely';

/** Every type of ballot. Their differences are in tables with an entry for each. */
export const BALLOT_TYPES = [
  'SIMPLE_TRIPLE',
  'RANKED_CONDORCET',
  'POLL',
  'YES_NO_EACH',
  'RANKED_STV',
] as const;

export type BallotType = (typeof BALLOT_TYPES)[number];

/** The tables of the voting domain. */
export interface VotingTables {
  papers: PapersTable;
  elections: ElectionsTable;
  options: OptionsTable;
  tokens: TokensTable;
  ballots: BallotsTable;
  results: ResultsTable;
  drawn_lots: DrawnLotsTable;
  manual_results: ManualResultsTable;
  deleted_used_codes: DeletedUsedCodesTable;
  certified_versions: CertifiedVersionsTable;
  electors: ElectorsTable;
  invites: InvitesTable;
  withdrawn_codes: WithdrawnCodesTable;
  deleted_elections: DeletedElectionsTable;
  deleted_codes: DeletedCodesTable;
  workspace_links: WorkspaceLinksTable;
  magic_links: MagicLinksTable;
  magic_link_elections: MagicLinkElectionsTable;
  distribution_lists: DistributionListsTable;
  distribution_list_emails: DistributionListEmailsTable;
}

export interface ElectionsTable {
  id: string;
  title: string;
  description: string | null;
  ballot_type: BallotType;
  open_at: number;
  close_at: number;
  /** When it ended, by hand or by the clock; from then on the election is closed, whatever the clock shows. */
  closed_at: number | null;
  settings: string;
  attachment_url: string | null;
  invite_mode: 'individual' | 'batch' | null;
  created_at: number;
  /** When its opening was recorded, once. */
  opened_at: number | null;
  /** The number of tokens at its opening; null if it was not recorded. */
  electors: number | null;
  /** Since when nothing in the file or its log reveals the order in which the ballots arrived. */
  sealed_at: number | null;
  /** The tokens of deleted batches, and how many of them were used. */
  tokens_deleted: Generated<number>;
  used_tokens_deleted: Generated<number>;
  /** When it was closed as void, and the public reason. */
  voided_at: Generated<number | null>;
  void_reason: Generated<string | null>;
  /** The void election that it repeats. */
  repeat_of: Generated<string | null>;
  /** When it was opened again after its result was shown, and how many ballots that result had. Once. */
  reopened_at: Generated<number | null>;
  reopened_ballots: Generated<number | null>;
  /** Whether its figures stay hidden after the close: so few ballots came since that they would show votes. */
  figures_withheld: Generated<0 | 1>;
  /** The election that it follows, and why: see `FOLLOW_UPS`. */
  follow_up_of: Generated<string | null>;
  follow_up_kind: Generated<'two_best' | 'unelected' | 'all' | 'repeat' | null>;
  /** JSON of the kinds of membership and the groups from which its electors were chosen; null: from neither. */
  invited_from: Generated<string | null>;
  /** When an officer announced its result, where the settings leave that to officers; null before, and elsewhere. */
  announced_at: Generated<number | null>;
  /** JSON list of the hints that officers have dismissed. */
  dismissed_hints: Generated<string>;
  /** The canonical text of what its ballots answer; null before the opening, or if an earlier version opened it. */
  question: Generated<string | null>;
  /** Whether it is a trial, which is deleted some days after its creation. */
  trial: Generated<0 | 1>;
  /** The ballot paper whose codes answer it, and its place there, from 1; null: it has codes of its own. */
  paper_id: Generated<string | null>;
  paper_position: Generated<number | null>;
  /** Whether its figures wait for papers, see meetings/paper-count/awaited.ts: nobody sees them until then. */
  papers_awaited: Generated<0 | 1>;
  /** How many of its ballots tellers entered from paper, and how many papers were invalid, which are no ballots. */
  paper_ballots: Generated<number>;
  invalid_papers: Generated<number>;
  /** JSON of its texts in other languages, by language: title and description; null: none. */
  translations: Generated<string | null>;
}

/** A ballot paper: several questions that share codes. Each question is an election. */
export interface PapersTable {
  id: string;
  title: string;
  description: string | null;
  /** Of questions that are added, where they say nothing else. */
  settings: string;
  /**
   * From the first opening to the last close of its questions, see `followQuestions`. `closed_at`: when all had ended.
   */
  open_at: number;
  close_at: number;
  opened_at: number | null;
  closed_at: number | null;
  invite_mode: 'individual' | 'batch' | null;
  created_at: number;
  /** The codes of deleted batches, and how many of them were used for a question. */
  tokens_deleted: Generated<number>;
  used_tokens_deleted: Generated<number>;
  /** As those of an election. */
  translations: Generated<string | null>;
}

/** Candidates of ranked elections and options of polls. */
export interface OptionsTable {
  id: string;
  election_id: string;
  /** Its number in stored ballots: 1, 2, 3 ... Options change only before ballots exist. */
  number: number;
  name: string;
  display_order: number;
  is_none_of_the_above: 0 | 1;
  /** What voters can read about it; plain text. */
  text: string | null;
  /** The id of a picture. */
  picture: string | null;
  /** When it was withdrawn after the opening, and the public note: it is taken off all ballots before the count. */
  withdrawn_at: Generated<number | null>;
  withdrawn_note: Generated<string | null>;
  /** JSON of its name in other languages, by language; null: none. */
  translations: Generated<string | null>;
}

/**
 * A voting code. One of a ballot paper has a row for the paper and one for each question that it is valid for, with the
 * same hash; that of the paper is used once any question was answered.
 */
export interface TokensTable {
  token_hash: string;
  /** That of an election, or of a paper; so in every table of codes, invitations and electors. */
  election_id: string;
  batch_name: string | null;
  created_at: number;
  used_at: number | null;
  /** SHA-256 of the submission id that used it, so that a retry after a lost answer is recognized. */
  submission_hash: string | null;
  /** Whether its holder was handed a paper for this question instead: it casts nothing, and is still an elector's. */
  on_paper: Generated<0 | 1>;
}

/** Contains nothing about the voter and no time. WITHOUT ROWID with a random id, so that no order is stored either. */
export interface BallotsTable {
  election_id: string;
  /** Random v4, or the SHA-256 of the inclusion code. */
  id: string;
  /** `yes`, `no` or `abstain`; `blank`; else JSON of option numbers: `[2]`, `[1,4]`, or best first `[3,1,2]`. */
  choice: string;
  /** SHA-256 of the code, `:` and the choice, if the election's receipts cover the choice. */
  receipt: string | null;
}

/** The computed result of a closed election; deleted when the election is opened again. */
export interface ResultsTable {
  election_id: string;
  result: string;
  computed_at: number;
  /** Whether the ballots still gave this result when they were last counted again. */
  matches: Generated<0 | 1>;
}

/** A lot that was drawn by hand between candidates with equal votes. */
export interface DrawnLotsTable {
  election_id: string;
  /** 1, 2, 3 ... in the order in which they were drawn. */
  number: number;
  /** JSON list of option ids. */
  drawn_order: string;
  /** Names, as they were entered; a JSON list of those who saw it. */
  drawer: string;
  witnesses: string;
  drawn_at: number;
}

/** A used code of a deleted batch. */
export interface DeletedUsedCodesTable {
  token_hash: string;
  election_id: string;
  submission_hash: string | null;
}

/** Every version of an election's certified figures, by the SHA-256 of its payload. */
export interface CertifiedVersionsTable {
  election_id: string;
  sha256: string;
  payload: string;
  set_at: number;
}

export interface ManualResultsTable {
  election_id: string;
  payload: string;
  set_at: number;
}

/** A person who may vote in an election, as recorded in the roll when their invitation was created. */
export interface ElectorsTable {
  election_id: string;
  /** May no longer be in the roll. */
  person_id: string;
  /** Empty once it was erased. */
  name: string;
  /** The address of the invitation; null: they get a printed slip. */
  email: string | null;
  /** The kind of membership by which they were chosen, and the day on which they had it; null: by their address. */
  standing: string | null;
  as_of: string | null;
  added_at: number;
  added_by: string;
}

/** One person invited to one election, or one address without a known person. A second invitation reuses the row. */
export interface InvitesTable {
  id: string;
  election_id: string;
  person_id: string | null;
  /** Empty for a person whose code is printed (no address) or who was erased; `erased:<id>` for an erased address. */
  email: string;
  mode: Generated<'individual' | 'batch'>;
  /**
   * `PREPARED`: taken over from a void election, and not invited yet; `QUEUED`: its mail is in the outbox; `SLIP`: the
   * code is printed.
   */
  status: 'PREPARED' | 'QUEUED' | 'SENT' | 'FAILED' | 'SLIP';
  created_at: number;
  /** When the invitation itself went out. */
  sent_at: number | null;
  /** When the last mail about it went out, reminders too. */
  mailed_at: Generated<number | null>;
  token_hash: string | null;
  /** Sealed under SECRET_KEY; erased once the token is used or the election has closed. */
  token_plaintext: string | null;
  error: string | null;
  /** The name that was given with the address: `Ada Lovelace <ada@club.example>`. */
  recipient_name: Generated<string | null>;
  /** The mailing in which it is sent, if that has a page. */
  mailing_id: Generated<string | null>;
  /** When the present code was last printed on a slip. */
  slip_printed_at: Generated<number | null>;
  /** When the code was withdrawn; the invite has none then. */
  withdrawn_at: Generated<number | null>;
  /** Of a member elsewhere who is present in a meeting: a random number, which is not the code. */
  room_number: Generated<string | null>;
}

/** A code that an officer withdrew or replaced before it was used. It names nobody. */
export interface WithdrawnCodesTable {
  token_hash: string;
  election_id: string;
  /** Whether its elector got another code in its place. */
  replaced: 0 | 1;
  /** Whether it had been mailed. */
  mailed: 0 | 1;
}

/** A link to /vote/my-elections, and the person it was mailed to; its elections are in the next table. */
export interface MagicLinksTable {
  token_hash: string;
  email: string;
  /** Null if only the address is known. */
  person_id: string | null;
  created_at: number;
}

export interface MagicLinkElectionsTable {
  token_hash: string;
  election_id: string;
}

export interface DistributionListsTable {
  id: string;
  name: string;
  description: string | null;
  created_at: number;
}

export interface DistributionListEmailsTable {
  id: string;
  list_id: string;
  email: string;
  name: Generated<string | null>;
}

/** A deleted election that had ballots. */
export interface DeletedElectionsTable {
  id: string;
  /** When the write-ahead log was overwritten, which had its ballots in their order of arrival. */
  log_erased_at: number | null;
}

/** A voting code of a deleted election, by the SHA-256 of its stored hash. */
export interface DeletedCodesTable {
  code_sha256: string;
  election_id: string;
}

/** The workspace page that shows the status of an election. */
export interface WorkspaceLinksTable {
  election_id: string;
  database_id: string;
  page_id: string;
  status_property_name: string;
  synced_at: number | null;
  /** Why the last try failed; null if it succeeded. */
  last_error: string | null;
  /** The status that was last written to the page. */
  last_status: 'scheduled' | 'open' | 'closed' | null;
}
