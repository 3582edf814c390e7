import { fieldError } from '#kernel/http/errors.ts';
// Every voter page with sample data; `name` is used for all texts that people enter.

import type { Viewer } from '#kernel/access/permissions.ts';
import type { Html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { errorPage } from '#views/error.ts';
import { homePage } from '#views/home.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { confirmationPage } from '#views/voting/ballots/confirmation.ts';
import { reviewPage } from '#views/voting/ballots/review.ts';
import { electionPage } from '#views/voting/election.ts';
import { tokenStatePage } from '#views/voting/token-state.ts';
import type { ResultsJson } from '#voting/counting/results.ts';
import type { BallotType, ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { TallyResult } from '#voting/shared/results.ts';
import type { Majority } from '#voting/shared/share.ts';
import type { Tally } from '#voting/shared/tally.ts';

export const opens = 'Mon, Nov 16, 2026, 9:00 AM New York time';
export const closes = 'Sat, Nov 21, 2026, 11:59 PM New York time';

export const settings = {
  hide_results_until_close: true,
  publish_results_to_home: true,
  poll_response_type: 'single',
  ranking: 'complete',
  quorum: null,
  inclusion_codes: false,
  receipts: 'off',
  publish_ballots: true,
  randomize_order: false,
  majority: null,
  quorum_share: null,
  allow_blank: false,
  seats: null,
  min_choices: null,
  max_choices: null,
  max_yes: null,
  threshold: null,
  lot: null,
  announce: 'at_close',
} as const;

export function election(name = 'Shall we?'): ElectionJson {
  return {
    id: 'e1',
    title: name,
    description: `${name}\n${name}`,
    open_at: '',
    close_at: '',
    closed_at: null,
    status: 'open',
    ballot_type: 'RANKED_CONDORCET',
    settings,
    results_mode: 'computed',
    attachment_url: `https://club.example/?${name}`,
    invite_mode: null,
    workspace_link: null,
    created_at: 0,
    candidates: candidates([name, 'Bo']),
  };
}

export function candidates(names: readonly string[]): OptionJson[] {
  return names.map((name, index) => ({
    id: `c${index + 1}`,
    name,
    display_order: index + 1,
    is_none_of_the_above: name === 'None of the above',
    text: null,
    picture: null,
  }));
}

/** Counts ballots like `[2,1,3]`, each so many times, and closes the election. */
export function ranked(
  names: readonly string[],
  ballots: readonly (readonly [number, string])[],
): ResultsJson {
  const options = candidates(names).map((candidate, index) => ({ ...candidate, number: index + 1 }));
  const tally = createTally('RANKED_CONDORCET', options, { quorum: null, poll_response_type: 'single' });
  for (const [times, ballot] of ballots) tally.add(ballot, times);
  return closed('RANKED_CONDORCET', tally);
}

export function simple(yes: number, no: number, abstain = 0, quorum: number | null = null): ResultsJson {
  const tally = createTally('SIMPLE_TRIPLE', [], { quorum, poll_response_type: 'single' });
  tally.add('yes', yes);
  tally.add('no', no);
  tally.add('abstain', abstain);
  return closed('SIMPLE_TRIPLE', tally);
}

/** A vote with another majority than more yes than no; `blank` ballots too. */
export function ruled(
  majority: Majority,
  { yes, no, blank = 0, electors = 100 }: { yes: number; no: number; blank?: number; electors?: number },
): ResultsJson {
  const settings = { quorum: null, poll_response_type: 'single', majority, electors } as const;
  const tally = createTally('SIMPLE_TRIPLE', [], settings);
  tally.add('yes', yes);
  tally.add('no', no);
  tally.add('blank', blank);
  return closed('SIMPLE_TRIPLE', tally);
}

export function closed(ballot_type: BallotType, tally: Tally<TallyResult>): ResultsJson {
  return {
    election_id: 'e1',
    ballot_type,
    status: 'closed',
    turnout: { issued: 100, used: tally.ballots },
    results_mode: 'computed',
    total_ballots: tally.ballots,
    results: tally.result(),
    ballot_set_sha256: 'ab'.repeat(32),
    inclusion_hashes: ['cd'.repeat(32)],
  };
}

export function manual(name: string): ResultsJson {
  const certification = { certified_at: null, certified_by: name, notes: name };
  const items = [{ label: name, votes: 3, share: 1 }];
  return {
    election_id: 'e1',
    ballot_type: 'SIMPLE_TRIPLE',
    status: 'closed',
    turnout: { issued: 0, used: 0 },
    results_mode: 'manual',
    manual: {
      ...certification,
      results: { contests: [{ label: name, items: [{ label: name, votes: 3 }] }] },
    },
    display: { contests: [{ label: name, total_votes: 3, items, winner: name, tied: false }] },
    certification,
  };
}

/** A signed-in officer, with an API key if one was used. */
export function officer(apiKey?: string): Viewer {
  return { who: 'an officer', permissions: new Set(), officer: true, apiKey };
}

/** Every page, by name. */
export function everyPage(name: string): Record<string, Html> {
  const frame = {
    election: election(name),
    closes,
    token: name,
    submissionId: name,
    inclusionCode: name,
    few: true,
  };
  const about = { opens, closes, few: false, resultsWhen: closes };
  const options = candidates([name, 'Bo']);
  const result = ranked([name, 'Bo', 'Cy'], [[2, '[1,2,3]']]);
  const errors = [fieldError('rank_c1', 'invalid', { problem: name })];
  return {
    home: homePage({
      elections: (['open', 'scheduled', 'closed'] as const).map((status) => ({
        id: 'e1',
        title: name,
        status,
        asked: name,
        opens,
        closes,
        results: result,
      })),
      zone: 'New York time',
    }),
    'home, empty': homePage({ elections: [], zone: 'New York time' }),
    election: electionPage({
      election: election(name),
      ...about,
      results: result,
      token: { value: name, state: 'valid' },
    }),
    'election, hidden': electionPage({
      election: election(name),
      ...about,
      results: null,
      turnout: { issued: 3, used: 1 },
    }),
    'election, certified': electionPage({
      election: { ...election(name), status: 'closed' },
      ...about,
      results: manual(name),
    }),
    'simple ballot': viewOf('SIMPLE_TRIPLE').ballotPage({ ...frame, options: [], entry: '', errors }),
    'poll ballot': viewOf('POLL').ballotPage({
      ...frame,
      election: { ...frame.election, settings: { ...settings, poll_response_type: 'multiple' } },
      options,
      entry: ['c1'],
    }),
    'ranked ballot': viewOf('RANKED_CONDORCET').ballotPage({
      ...frame,
      options,
      entry: { c1: name },
      errors,
    }),
    review: reviewPage({
      ...frame,
      action: '/e/e1/vote',
      choice: { ranking: [{ id: 'c1', name }], unranked: [{ id: 'c2', name }] },
      longest: [],
    }),
    'confirmation, with more ballots': confirmationPage({
      election: election(name),
      few: false,
      resultsWhen: name,
      typed: true,
      others: { waiting: 2, next: `/e/${name}`, list: '/vote/my-elections' },
    }),
    confirmation: confirmationPage({
      election: election(name),
      few: true,
      resultsWhen: name,
      inclusionCode: name,
    }),
    ...Object.fromEntries(
      (['missing', 'invalid', 'used', 'withdrawn', 'replaced', 'not_open', 'closed'] as const).map(
        (state) => [
          `token ${state}`,
          tokenStatePage({
            code: '',
            election: election(name),
            state,
            status: 'open',
            opens,
            closes,
            contact: name,
          }),
        ],
      ),
    ),
    error: errorPage({
      status: 429,
      message: t('errors.invalid', { problem: name }),
      retryAfter: 42,
      requestId: name,
      backHref: name,
    }),
  };
}
