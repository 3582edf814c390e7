import type { VotingTables } from '#kernel/db/schema/voting.ts';
import { t } from '#kernel/language/message.ts';
import { derived, type FactTable, fact, none, personal, summed } from './places.ts';

const CODE = none('recognizes a code that is used again; the number of such codes is in the books');
const TIMES = none('a time of mailing or printing');
const LINKS = none('a link to the own elections; it casts nothing');
const LISTS = none('a list of addresses for invitations');
const WORKSPACE = none('the page of the workspace that shows the status');
const SETTLED = 'results.settled';

/** What each column of the tables of voting is to a vote. */
export const VOTING_FACTS: { [Name in keyof VotingTables]: FactTable<VotingTables[Name]> } = {
  elections: {
    of: 'id',
    row: t('voting.fact.election'),
    root: true,
    columns: {
      id: fact(t('voting.fact.election')),
      title: fact(t('voting.fact.title')),
      description: fact(t('voting.fact.description')),
      translations: fact(t('voting.fact.translations')),
      ballot_type: fact(t('voting.fact.ballot_type')),
      open_at: fact(t('voting.fact.open_at')),
      close_at: fact(t('voting.fact.close_at')),
      closed_at: fact(t('voting.fact.voting_closed')),
      settings: fact(t('voting.fact.rules')),
      attachment_url: fact(t('voting.fact.document')),
      invite_mode: none('how codes are handed out'),
      created_at: fact(t('voting.fact.created')),
      opened_at: fact(t('voting.fact.voting_opened')),
      electors: fact(t('voting.fact.codes_at_opening')),
      sealed_at: fact(t('voting.fact.sealed')),
      tokens_deleted: summed('the number of deleted codes', SETTLED),
      used_tokens_deleted: summed('the number of deleted codes that were used', SETTLED),
      voided_at: fact(t('voting.fact.void_mark')),
      void_reason: fact(t('voting.fact.void_reason')),
      repeat_of: fact(t('voting.fact.repeat_of')),
      reopened_at: fact(t('voting.fact.reopened')),
      reopened_ballots: fact(t('voting.fact.reopened_ballots')),
      figures_withheld: fact(t('voting.fact.withheld')),
      follow_up_of: fact(t('voting.fact.follow_up_of')),
      follow_up_kind: fact(t('voting.fact.follow_up_kind')),
      invited_from: fact(t('voting.fact.invited_from')),
      announced_at: fact(t('voting.fact.announcement')),
      dismissed_hints: none('hints for officers that were dismissed'),
      question: fact(t('voting.fact.question')),
      trial: fact(t('voting.fact.trial')),
      paper_id: fact(t('voting.fact.its_paper')),
      paper_position: fact(t('voting.fact.paper_place')),
      papers_awaited: derived('the sheet and the batches of its papers'),
      paper_ballots: fact(t('voting.fact.ballots_on_paper')),
      invalid_papers: fact(t('voting.fact.invalid_papers')),
    },
  },
  papers: {
    of: 'id',
    row: t('voting.fact.paper'),
    root: true,
    columns: {
      id: fact(t('voting.fact.paper')),
      title: fact(t('voting.fact.title')),
      description: fact(t('voting.fact.description')),
      translations: fact(t('voting.fact.translations')),
      settings: fact(t('voting.fact.rules')),
      open_at: fact(t('voting.fact.open_at')),
      close_at: fact(t('voting.fact.close_at')),
      opened_at: fact(t('voting.fact.voting_opened')),
      closed_at: fact(t('voting.fact.voting_closed')),
      invite_mode: none('how codes are handed out'),
      created_at: fact(t('voting.fact.created')),
      tokens_deleted: none('counted in the books of its questions'),
      used_tokens_deleted: none('counted in the books of its questions'),
    },
  },
  options: {
    of: 'election_id',
    row: t('voting.fact.option'),
    columns: {
      id: fact(t('voting.fact.option')),
      election_id: fact(t('voting.fact.option')),
      number: fact(t('voting.fact.option_number')),
      name: fact(t('voting.fact.option_name')),
      display_order: fact(t('voting.fact.options_order')),
      is_none_of_the_above: fact(t('voting.fact.none_option')),
      text: fact(t('voting.fact.option_text')),
      picture: fact(t('voting.fact.option_picture')),
      withdrawn_at: fact(t('voting.fact.withdrawal')),
      withdrawn_note: fact(t('voting.fact.withdrawal_note')),
      translations: fact(t('voting.fact.option_translations')),
    },
  },
  tokens: {
    of: 'election_id',
    columns: {
      token_hash: summed('the voting codes', SETTLED),
      election_id: summed('the voting codes', SETTLED),
      batch_name: none('the name under which a code was printed'),
      created_at: none('when a code was made'),
      used_at: summed('the number of used codes', SETTLED),
      submission_hash: none('recognizes a request that is sent again'),
      on_paper: derived('paper_sheets.handed_out'),
    },
  },
  ballots: {
    of: 'election_id',
    columns: {
      election_id: summed('the ballots', SETTLED),
      id: summed('the receipts', SETTLED),
      choice: summed('the ballots', SETTLED),
      receipt: summed('the receipts', SETTLED),
    },
  },
  results: {
    of: 'election_id',
    columns: {
      election_id: summed('the result', SETTLED),
      result: summed('the result', SETTLED),
      computed_at: derived('the time in `result`'),
      matches: derived('this comparison'),
    },
  },
  drawn_lots: {
    of: 'election_id',
    row: t('voting.fact.lot'),
    columns: {
      election_id: fact(t('voting.fact.lot')),
      number: fact(t('voting.fact.lot')),
      drawn_order: fact(t('voting.fact.lot_order')),
      drawer: fact(t('voting.fact.lot_drawer')),
      witnesses: fact(t('voting.fact.lot_witnesses')),
      drawn_at: fact(t('voting.fact.lot_drawn')),
    },
  },
  manual_results: {
    of: 'election_id',
    row: t('voting.fact.certified'),
    columns: {
      election_id: fact(t('voting.fact.certified')),
      payload: fact(t('voting.fact.certified')),
      set_at: fact(t('voting.fact.figures_certified')),
    },
  },
  certified_versions: {
    of: 'election_id',
    row: t('voting.fact.certified_version'),
    columns: {
      election_id: fact(t('voting.fact.certified_version')),
      sha256: fact(t('voting.fact.certified_version')),
      payload: fact(t('voting.fact.certified_version')),
      set_at: fact(t('voting.fact.version_certified')),
    },
  },
  deleted_used_codes: {
    of: 'election_id',
    columns: { token_hash: CODE, election_id: CODE, submission_hash: CODE },
  },
  electors: {
    of: 'election_id',
    row: t('voting.fact.elector'),
    together: true,
    columns: {
      election_id: fact(t('voting.fact.electors')),
      person_id: fact(t('voting.fact.electors')),
      name: personal,
      email: personal,
      standing: fact(t('voting.fact.electors_standing')),
      as_of: fact(t('voting.fact.electors_day')),
      added_at: fact(t('voting.fact.electors_added')),
      // May be an address.
      added_by: personal,
    },
  },
  invites: {
    of: 'election_id',
    row: t('voting.fact.invitation'),
    together: true,
    columns: {
      id: fact(t('voting.fact.invitations')),
      election_id: fact(t('voting.fact.invitations')),
      person_id: fact(t('voting.fact.invited')),
      email: personal,
      mode: none('how a code is handed out'),
      status: none('how far a mail is'),
      created_at: TIMES,
      sent_at: TIMES,
      mailed_at: TIMES,
      token_hash: none('the code of an invitation; the codes together are compared'),
      token_plaintext: none('a sealed code, which is erased once it was used'),
      error: none('why a mail failed'),
      recipient_name: personal,
      mailing_id: none('the mailing in which it is sent'),
      slip_printed_at: TIMES,
      withdrawn_at: none('when a code was withdrawn; the codes together are compared'),
      room_number: none('random, for the moment of a meeting alone'),
    },
  },
  withdrawn_codes: {
    of: 'election_id',
    columns: {
      token_hash: summed('the voting codes', SETTLED),
      election_id: summed('the voting codes', SETTLED),
      replaced: none('how a code that nobody voted with ended'),
      mailed: none('how a code that nobody voted with ended'),
    },
  },
  deleted_elections: {
    of: 'id',
    columns: {
      id: none('that its log is still to be erased; what was deleted is in the log'),
      log_erased_at: none('when the write-ahead log was erased'),
    },
  },
  deleted_codes: {
    of: 'election_id',
    columns: { code_sha256: CODE, election_id: CODE },
  },
  workspace_links: {
    of: 'election_id',
    columns: {
      election_id: WORKSPACE,
      database_id: WORKSPACE,
      page_id: WORKSPACE,
      status_property_name: WORKSPACE,
      synced_at: WORKSPACE,
      last_error: WORKSPACE,
      last_status: WORKSPACE,
    },
  },
  magic_links: {
    of: 'token_hash',
    columns: { token_hash: LINKS, email: personal, person_id: LINKS, created_at: LINKS },
  },
  magic_link_elections: {
    of: 'election_id',
    columns: { token_hash: LINKS, election_id: LINKS },
  },
  distribution_lists: {
    of: 'id',
    columns: { id: LISTS, name: LISTS, description: LISTS, created_at: LISTS },
  },
  distribution_list_emails: {
    of: 'list_id',
    columns: { id: LISTS, list_id: LISTS, email: personal, name: personal },
  },
};
