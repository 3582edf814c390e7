import type { BallotType } from '#kernel/db/schema/voting.ts';

export const NAMES = ['Ann', 'Bob', 'Cid', 'Dee'];

/** An election with its ballots, and what every surface must say of it. */
export interface Case {
  type: BallotType;
  settings: object;
  /** `6 yes`, `6 AB` (chosen, or ranked), `6 A+B-` (yes to Ann, no to Bob), `1 blank`. */
  ballots: string[];
  /** Codes that nobody uses. */
  unused?: number;
  names?: number;
  /** The order of the lot that the chair draws. */
  lot?: string;
  /** The outcome, on every surface. */
  outcome: string;
  /** Every figure, as the recount says them. */
  figures: string;
  carried?: boolean;
  elected?: string;
  invalid?: true;
  blank?: number;
  listed?: false;
  /** The votes that the form of certified figures proposes. */
  proposed?: number[];
}

const several = { poll_response_type: 'multiple' };
const hidden = { hide_results_until_close: true };
const byOfficer = { announce: 'by_officer' };

/** Each type of ballot with the settings that it knows, pairwise. */
export const CASES: Record<string, Case> = {
  'a motion with two thirds, a quorum that is met and blank ballots': {
    type: 'SIMPLE_TRIPLE',
    settings: {
      ...hidden,
      receipts: 'content',
      majority: { share: 'two_thirds', of: 'yes_no' },
      quorum: 10,
      allow_blank: true,
    },
    ballots: ['7 yes', '3 no', '1 abstain', '1 blank'],
    outcome: 'Carried: 7 of 10 votes, 7 were needed (two thirds of yes and no).',
    figures: 'yes 7, no 3, abstain 1',
    carried: true,
    blank: 1,
    proposed: [7, 3],
  },
  'a motion that needs half of the electors, with a quorum share that is met': {
    type: 'SIMPLE_TRIPLE',
    settings: {
      ...byOfficer,
      majority: { share: 'more_than_half', of: 'electors' },
      quorum_share: { at_least: '1/2' },
    },
    ballots: ['6 yes', '5 no'],
    unused: 9,
    outcome: 'Not carried: 6 of 20 electors, 11 were needed (more than half of the electors).',
    figures: 'yes 6, no 5, abstain 0',
    carried: false,
    proposed: [6, 5],
  },
  'a motion whose quorum share is missed': {
    type: 'SIMPLE_TRIPLE',
    settings: { receipts: 'included', quorum_share: { more_than: '1/2' } },
    ballots: ['6 yes', '4 no'],
    unused: 10,
    outcome: 'No valid result: 10 ballots cast, 11 needed. The count was: 6 yes to 4 no.',
    figures: 'yes 6, no 4, abstain 0',
    carried: false,
    invalid: true,
    proposed: [6, 4],
  },
  'a motion with a majority of the ballots whose quorum is missed': {
    type: 'SIMPLE_TRIPLE',
    settings: {
      ...hidden,
      ...byOfficer,
      receipts: 'content',
      majority: { share: { at_least: '3/5' }, of: 'ballots' },
      quorum: 20,
      allow_blank: true,
    },
    ballots: ['9 yes', '1 blank'],
    outcome: 'No valid result: 10 ballots cast, 20 needed.',
    figures: 'yes 9, no 0, abstain 0',
    carried: false,
    invalid: true,
    blank: 1,
    proposed: [9, 0],
  },
  'a poll whose quorum is missed': {
    type: 'POLL',
    settings: { quorum: 12, receipts: 'included' },
    ballots: ['6 A', '3 B', '1 C'],
    outcome: 'No valid result: 10 ballots cast, 12 needed. The count was: Ann leads: 6 of 10 ballots.',
    figures: 'Ann 6, Bob 3, Cid 1',
    invalid: true,
    proposed: [6, 3, 1],
  },
  'a poll with seats, limits of choices, a threshold and blank ballots': {
    type: 'POLL',
    settings: {
      ...several,
      ...hidden,
      receipts: 'content',
      seats: 3,
      min_choices: 1,
      max_choices: 2,
      threshold: { share: 'more_than_half', of: 'ballots' },
      allow_blank: true,
      quorum: 5,
    },
    ballots: ['7 AB', '3 BC', '1 blank'],
    outcome: 'Elected: Bob (10), Ann (7). 1 seat stays open.',
    figures: 'Ann 7, Bob 10, Cid 3',
    elected: 'BA',
    blank: 1,
    proposed: [7, 10, 3],
  },
  'a poll with a tie for the last seat that a drawn lot decides': {
    type: 'POLL',
    settings: { ...several, ...byOfficer, seats: 2, lot: 'drawn', receipts: 'content' },
    ballots: ['6 AB', '6 AC'],
    lot: 'CB',
    outcome: 'Elected: Ann (12), Cid (6, by lot).',
    figures: 'Ann 12, Bob 6, Cid 6',
    elected: 'AC',
    proposed: [12, 6, 6],
  },
  'a poll with seats whose quorum share is missed, and no list': {
    type: 'POLL',
    settings: { ...several, ...hidden, seats: 2, quorum_share: 'two_thirds', publish_ballots: false },
    ballots: ['6 AB', '4 A'],
    unused: 10,
    outcome: 'No valid result: 10 ballots cast, 14 needed. The count was: Ann (10), Bob (6) lead.',
    figures: 'Ann 10, Bob 6, Cid 0',
    elected: '',
    invalid: true,
    listed: false,
    proposed: [10, 6, 0],
  },
  'partial rankings with seats and blank ballots': {
    type: 'RANKED_CONDORCET',
    settings: { ...hidden, ranking: 'partial', seats: 2, allow_blank: true, receipts: 'content', quorum: 3 },
    ballots: ['7 AB', '4 BC', '2 C', '1 blank'],
    outcome: 'Elected: Ann, Bob.',
    figures: '1. Ann, 2. Bob, 3. Cid',
    elected: 'AB',
    blank: 1,
  },
  'rankings with seats whose quorum is missed, listed by an officer': {
    type: 'RANKED_CONDORCET',
    settings: { ...byOfficer, seats: 2, quorum: 50, publish_ballots: true, receipts: 'included' },
    names: 4,
    ballots: ['7 ABCD', '4 BCDA'],
    outcome: 'No valid result: 11 ballots cast, 50 needed. The count was: Ann, Bob lead.',
    figures: '1. Ann, 2. Bob, 3. Cid, 4. Dee',
    elected: '',
    invalid: true,
  },
  'rankings of four candidates for one office, not listed': {
    type: 'RANKED_CONDORCET',
    settings: { quorum_share: { at_least: '1/3' }, receipts: 'content' },
    names: 4,
    ballots: ['7 ABCD', '4 BCDA'],
    outcome: 'Ann wins',
    figures: '1. Ann, 2. Bob, 3. Cid, 4. Dee',
    listed: false,
  },
  'rankings without their quorum': {
    type: 'RANKED_CONDORCET',
    settings: { ...hidden, quorum: 12, allow_blank: true },
    ballots: ['7 ABC', '4 BCA'],
    outcome: 'No valid result: 11 ballots cast, 12 needed. The count was: Ann',
    figures: '1. Ann, 2. Bob, 3. Cid',
    invalid: true,
  },
  'a proportional election with blank ballots': {
    type: 'RANKED_STV',
    settings: { ...hidden, seats: 2, allow_blank: true, quorum: 5, receipts: 'content' },
    ballots: ['7 ABC', '4 BC', '2 C', '1 blank'],
    outcome: 'Elected: Ann and Bob.',
    figures: 'quota 5; stages: first, surplus Ann; votes at the end: Ann 5.00000, Bob 5.99997, Cid 2.00000',
    elected: 'AB',
    blank: 1,
  },
  'a proportional election without its quorum': {
    type: 'RANKED_STV',
    settings: { ...byOfficer, seats: 2, quorum_share: 'three_quarters', receipts: 'included' },
    ballots: ['7 ABC', '4 BC'],
    unused: 9,
    outcome: 'No valid result: 11 ballots cast, 15 needed. The count was: the seats go to Ann and Bob.',
    figures: 'quota 4; stages: first; votes at the end: Ann 7.00000, Bob 4.00000, Cid 0.00000',
    elected: '',
    invalid: true,
  },
  'a proportional election with as many candidates as seats, without its quorum': {
    type: 'RANKED_STV',
    settings: { seats: 3, quorum: 11 },
    ballots: ['6 A', '4 BC'],
    outcome: 'No valid result: 10 ballots cast, 11 needed. The count was: the seats go to Ann, Bob and Cid.',
    figures: 'no stages',
    elected: '',
    invalid: true,
  },
  'a proportional election that waits for a drawn lot': {
    type: 'RANKED_STV',
    settings: { ...hidden, ...byOfficer, seats: 1, lot: 'drawn', receipts: 'content' },
    ballots: ['6 AB', '3 BA', '3 CA'],
    lot: 'CB',
    outcome: 'Elected: Ann.',
    figures: 'quota 7; stages: first, exclude Cid; votes at the end: Ann 9.00000, Bob 3.00000, Cid 0.00000',
    elected: 'A',
  },
  'yes or no to each, with seats, most Yes, two thirds of the ballots and blank ones': {
    type: 'YES_NO_EACH',
    settings: {
      ...hidden,
      seats: 2,
      max_yes: 2,
      majority: { share: 'two_thirds', of: 'ballots' },
      allow_blank: true,
      receipts: 'content',
      quorum: 11,
    },
    ballots: ['9 A+B-', '2 C+A+', '1 blank'],
    outcome: 'Elected: Ann (11). 1 seat stays open.',
    figures: 'Ann: yes 11, no 0, abstain 0; Bob: yes 0, no 9, abstain 2; Cid: yes 2, no 0, abstain 9',
    elected: 'A',
    blank: 1,
  },
  'yes or no to each, without its quorum': {
    type: 'YES_NO_EACH',
    settings: { seats: 2, quorum_share: { at_least: '3/5' }, receipts: 'included' },
    ballots: ['9 A+B-', '2 B+'],
    unused: 9,
    outcome: 'No valid result: 11 ballots cast, 12 needed. The count was: Ann (9) leads.',
    figures: 'Ann: yes 9, no 0, abstain 2; Bob: yes 2, no 9, abstain 0; Cid: yes 0, no 0, abstain 11',
    elected: '',
    invalid: true,
  },
  'yes or no to each, with a lot for the last seat': {
    type: 'YES_NO_EACH',
    settings: {
      ...byOfficer,
      seats: 1,
      lot: 'drawn',
      majority: { share: { more_than: '1/4' }, of: 'electors' },
      receipts: 'content',
    },
    ballots: ['6 A+B-', '6 B+C-'],
    unused: 8,
    lot: 'BA',
    outcome: 'Elected: Bob (6, by lot).',
    figures: 'Ann: yes 6, no 0, abstain 6; Bob: yes 6, no 6, abstain 0; Cid: yes 0, no 6, abstain 6',
    elected: 'B',
  },
};
