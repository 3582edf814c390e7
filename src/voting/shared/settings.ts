// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import type { Majority, Share, Threshold } from './share.ts';

/**
 * What a voter's inclusion code proves. `off`: there is no code; `included`: that the ballot is stored; `content`: also
 * its choice, so that an altered ballot is found, but a voter can prove the vote to somebody else.
 */
export const RECEIPTS = ['off', 'included', 'content'] as const;
export type Receipts = (typeof RECEIPTS)[number];

/**
 * What a ranked ballot must rank: every candidate, or at least one. The unranked candidates of a partial ballot share
 * its last place. Other ballot types ignore this.
 */
export const RANKINGS = ['complete', 'partial'] as const;
export type Ranking = (typeof RANKINGS)[number];

/** Who sees the result after the close: everybody, or only those who certify until an officer announces it. */
export const ANNOUNCING = ['at_close', 'by_officer'] as const;
export type Announcing = (typeof ANNOUNCING)[number];

/** What an election decides beside its texts and dates. */
export interface ElectionSettings {
  hide_results_until_close: boolean;
  publish_results_to_home: boolean;
  poll_response_type: 'single' | 'multiple';
  ranking: Ranking;
  /** Ballots needed for the result to count; null: none. */
  quorum: number | null;
  /** Whether voters get a code: `receipts` is not `off`. */
  inclusion_codes: boolean;
  receipts: Receipts;
  /** Whether the ballots are published after the close, see `listedFrom`; null: if there are enough for their type. */
  publish_ballots: boolean | null;
  randomize_order: boolean;
  /** What a motion needs to be carried; null: more than half of yes and no. */
  majority: Majority | null;
  /** The share of the electors that must vote for the result to count; null: none. Never beside `quorum`. */
  quorum_share: Share | null;
  /** Whether a ballot may be left blank. */
  allow_blank: boolean;
  /** How many are elected; null: as many as the type says without seats. */
  seats: number | null;
  /** How many options a ballot must and may choose, see `choiceLimits`. */
  min_choices: number | null;
  max_choices: number | null;
  /** How many Yes a ballot may have; null: any number. */
  max_yes: number | null;
  /** What somebody needs for a seat beside being among the best; null: one vote. */
  threshold: Threshold | null;
  announce: Announcing;
  /** `drawn`: a lot is drawn by hand; null: by the check number of the ballots, and of a poll not at all. */
  lot: 'drawn' | null;
}
