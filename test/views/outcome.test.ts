import { describe, expect, test } from 'vitest';
import { ENGLISH } from '#kernel/language/words.ts';
import { outcomeSentence } from '#views/voting/results/outcome.ts';
import { type ResultsContext, resultsView } from '#views/voting/results/results.ts';
import { whyWinner } from '#views/voting/types/why.ts';
import type { ComputedResultsJson, ResultsJson } from '#voting/counting/results.ts';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { RankedResult, TallySettings } from '#voting/shared/tally.ts';
import { candidates, closed, manual, ranked, ruled, simple } from './samples.ts';

const CONDORCET = ranked(
  ['Ada', 'Bo', 'Cy'],
  [
    [31, '[1,2,3]'],
    [24, '[2,1,3]'],
  ],
);
const CIRCLE = ranked(
  ['Ada', 'Bo', 'Cy'],
  [
    [23, '[1,2,3]'],
    [17, '[2,3,1]'],
    [2, '[2,1,3]'],
    [10, '[3,1,2]'],
    [8, '[3,2,1]'],
  ],
);
const TIED = ranked(
  ['Ada', 'Bo', 'Cy'],
  [
    [10, '[1,2,3]'],
    [10, '[2,1,3]'],
  ],
);

const numbered = (names: string[]) =>
  candidates(names).map((option, index) => ({ ...option, number: index + 1 }));

function poll(
  counts: readonly number[],
  type: 'single' | 'multiple' = 'single',
  rules: Partial<TallySettings> = {},
  orders: string[][] = [],
) {
  const options = numbered(['Darts', 'Quiz', 'Music']);
  const tally = createTally('POLL', options, { quorum: null, poll_response_type: type, ...rules });
  counts.forEach((count, index) => {
    tally.add(`[${index + 1}]`, count);
  });
  return closed('POLL', {
    ...tally,
    ballots: tally.ballots,
    result: () => tally.result(orders),
  } as typeof tally);
}

/** Yes and no to Ada, Bo and Cy: `y`, `n` or `-` for each, with the number of such ballots. */
function each(ballots: Record<string, number>, rules: Partial<TallySettings> = {}) {
  const settings: TallySettings = { quorum: null, poll_response_type: 'single', ...rules };
  const tally = createTally('YES_NO_EACH', numbered(['Ada', 'Bo', 'Cy']), settings);
  const words: Record<string, string> = { y: 'yes', n: 'no', '-': 'abstain' };
  for (const [answers, times] of Object.entries(ballots))
    tally.add(JSON.stringify(Object.fromEntries([...answers].map((one, at) => [at + 1, words[one]]))), times);
  return closed('YES_NO_EACH', tally);
}

const why = (results: ReturnType<typeof ranked>) =>
  whyWinner((results.results_mode === 'computed' ? results.results : undefined) as RankedResult).map(
    (sentence) => sentence.for(ENGLISH),
  );

describe('the outcome in a sentence', () => {
  test.each([
    ['passed', simple(31, 12, 3), 'Carried: 31 yes to 12 no.'],
    ['not passed', simple(12, 31), 'Not carried: 31 no to 12 yes.'],
    ['tied', simple(20, 20, 6), 'Not carried (tie): 20 yes to 20 no.'],
    ['all abstained', simple(0, 0, 4), 'Not carried (tie): everyone abstained.'],
    ['no ballots', simple(0, 0), 'No ballots were cast.'],
    [
      'not carried',
      ruled({ share: 'two_thirds', of: 'yes_no' }, { yes: 60, no: 47, blank: 3 }),
      'Not carried: 60 of 107 votes, 72 were needed (two thirds of yes and no).',
    ],
    [
      'carried, by all electors',
      ruled({ share: { more_than: '1/2' }, of: 'electors' }, { yes: 60, no: 1 }),
      'Carried: 60 of 100 electors, 51 were needed (more than half of the electors).',
    ],
    [
      'one of one',
      ruled({ share: 'all', of: 'ballots' }, { yes: 1, no: 0 }),
      'Carried: 1 of 1 ballot, 1 was needed (all of the ballots cast).',
    ],
    [
      'a tie with another majority',
      ruled({ share: { at_least: '3/5' }, of: 'yes_no' }, { yes: 2, no: 2 }),
      'Not carried: 2 of 4 votes, 3 were needed (at least 3/5 of yes and no).',
    ],
    [
      'every ballot blank',
      ruled({ share: 'two_thirds', of: 'yes_no' }, { yes: 0, no: 0, blank: 3 }),
      'No result: every ballot is blank.',
    ],
    [
      'no quorum',
      simple(7, 2, 1, 30),
      'No valid result: 10 ballots cast, 30 needed. The count was: 7 yes to 2 no.',
    ],
    ['poll', poll([12, 21, 0]), 'Quiz wins: 21 of 33 ballots.'],
    ['poll, several choices', poll([12, 21, 0], 'multiple'), 'Quiz was chosen most: 21 of 33 ballots.'],
    ['poll, tied', poll([12, 12, 12]), 'Tied between Darts, Quiz and Music, with 12 ballots each.'],
    ['seats', poll([59, 60, 2], 'single', { seats: 2 }), 'Elected: Quiz (60), Darts (59).'],
    [
      'seats, tied for the last one',
      poll([30, 60, 30], 'single', { seats: 2 }),
      'Elected: Quiz (60). Tied for the last seat: Darts and Music, with 30 votes each.',
    ],
    [
      'seats, all tied for two of them',
      poll([30, 30, 30], 'single', { seats: 2 }),
      'Tied for the last 2 seats: Darts, Quiz and Music, with 30 votes each.',
    ],
    [
      'seats, a lot',
      poll([30, 60, 30], 'single', { seats: 2 }, [['c3', 'c1']]),
      'Elected: Quiz (60), Music (30, by lot).',
    ],
    [
      'seats, a lot that is not drawn',
      poll([30, 60, 30], 'single', { seats: 2, lot: 'drawn' }),
      'Elected: Quiz (60). Tied for the last seat: Darts and Music, with 30 votes each. The lot is not drawn yet.',
    ],
    [
      'seats that stay open',
      poll([40, 9, 9], 'single', { seats: 2, threshold: { share: 'more_than_half', of: 'valid' } }),
      'Elected: Darts (40). 1 seat stays open.',
    ],
    [
      'nobody elected',
      poll([10, 9, 9], 'single', { threshold: { share: 'more_than_half', of: 'valid' } }),
      'Nobody is elected.',
    ],
    [
      'seats without a quorum',
      poll([3, 2, 1], 'single', { seats: 2, quorum: 10 }),
      'No valid result: 6 ballots cast, 10 needed. The count was: Darts (3), Quiz (2) lead.',
    ],
    ['yes or no to each', each({ 'yn-': 5, yyn: 4 }), 'Elected: Ada (9). 2 seats stay open.'],
    ['ranked', CONDORCET, 'Ada wins: preferred to every other candidate.'],
    ['ranked, one candidate without ballots', ranked(['Ada'], []), 'No ballots were cast.'],
    ['ranked, tied', TIED, 'Tied between Ada and Bo.'],
    ['certified', manual('Ada'), 'Ada: 3 of 3.'],
  ])('%s', (_name, results, sentence) => {
    expect(outcomeSentence(results).for(ENGLISH)).toBe(sentence);
  });

  test('says “So far” while voting is open', () => {
    expect(outcomeSentence({ ...simple(5, 12), status: 'open' }).for(ENGLISH)).toBe(
      'So far: 5 yes to 12 no.',
    );
    const open = ruled({ share: 'two_thirds', of: 'yes_no' }, { yes: 4, no: 3 });
    expect(outcomeSentence({ ...open, status: 'open' }).for(ENGLISH)).toBe(
      'So far: 4 of 7 votes, 5 needed (two thirds of yes and no).',
    );
    expect(outcomeSentence({ ...simple(0, 0), status: 'open' }).for(ENGLISH)).toBe(
      'No ballots have been cast yet.',
    );
    expect(outcomeSentence({ ...CONDORCET, status: 'open' }).for(ENGLISH)).toBe(
      'So far: Ada leads: preferred to every other candidate.',
    );
    expect(
      resultsView({ ...CONDORCET, status: 'open' })
        .for(ENGLISH)
        .match(/so far/gi),
    ).toHaveLength(1);
  });
});

describe('why the winner won', () => {
  test('says the closest pair below an outcome that says who is preferred to all', () => {
    expect(outcomeSentence(CONDORCET).for(ENGLISH)).toBe('Ada wins: preferred to every other candidate.');
    expect(why(CONDORCET)).toEqual(['Closest: 31 to 24 against Bo.']);
  });

  test('explains a circle with its wins and the chain that decides', () => {
    const [circle, chain] = why(CIRCLE);
    expect(circle).toBe(
      'No candidate beats every other head to head; the preferences run in a circle: Bo beats Cy 42 to 18, Cy beats Ada 35 to 25 and Ada beats Bo 33 to 27.',
    );
    expect(chain).toContain('closest: 35 to 33 against Ada.');
  });

  test('leaves a tie to the club’s rules', () => {
    expect(why(TIED)[0]).toMatch(/^The ballots put Ada and Bo level.*It is a tie/);
  });

  test('explains a candidate who is level head to head but stronger by chains', () => {
    const level = ranked(
      ['Ada', 'Bo', 'Cy'],
      [
        [4, '[1,3,2]'],
        [4, '[3,2,1]'],
        [2, '[1,2,3]'],
        [2, '[2,1,3]'],
      ],
    );
    expect(why(level).join(' ')).not.toContain('undefined');
  });
});

describe('the view of results', () => {
  test('gives tied candidates the same rank', () => {
    const text = resultsView(TIED).for(ENGLISH);
    expect([...text.matchAll(/Rank <\/span>(\d)/g)].map(([, rank]) => rank)).toEqual(['1', '1', '3']);
    expect(text).not.toContain('Winner');
  });

  test('marks the winning side of each pair in the matrix by more than colour', () => {
    const text = resultsView(CONDORCET).for(ENGLISH);
    expect(text).toMatch(/<td class="heat-5"><b>31.*?wins<\/span><\/b><\/td>/);
    expect(text).toMatch(/<td class="heat-4">24<\/td>/);
  });

  test('says who is not acceptable, if there is “None of the above”', () => {
    const results = ranked(['Ada', 'Bo', 'None of the above'], [[3, '[1,3,2]']]);
    expect(resultsView(results).for(ENGLISH)).toContain('not acceptable: <span translate="no">Bo</span>.');
  });

  test('shows nobody as winner before any ballot', () => {
    for (const names of [['Ada', 'Bo'], ['Ada']])
      expect(resultsView(ranked(names, [])).for(ENGLISH)).not.toMatch(/Winner|Tied|The order|one candidate/);
  });

  test('lists first choices in the order of the result, also in the table', () => {
    const results = ranked(
      ['Ada', 'Bo', 'Cy'],
      [
        [5, '[1,3,2]'],
        [4, '[2,3,1]'],
        [2, '[3,2,1]'],
      ],
    );
    const text = resultsView(results).for(ENGLISH);
    const order = [...text.matchAll(/Rank <\/span>\d<\/span><span><span[^>]*>(\w+)/g)].map(
      ([, name]) => name,
    );
    expect(order).toEqual(['Cy', 'Bo', 'Ada']);
    const labels = [...text.matchAll(/class="bar-label[^"]*"><span[^>]*>(\w+)/g)].map(([, name]) => name);
    expect(labels).toEqual(order);
    const rows = [...text.matchAll(/<th scope="row"[^>]*>(?:<span[^>]*>)?(Ada|Bo|Cy)/g)].map(
      ([, name]) => name,
    );
    expect(rows.slice(-3)).toEqual(order);
  });

  test('offers to count the ballots, and to look for a ballot, only where these pages are', () => {
    const links = (context: ResultsContext, results = CONDORCET) =>
      [
        ...resultsView(results, context)
          .for(ENGLISH)
          .matchAll(/class="button[^"]*" href="([^"]+)"/g),
      ].map(([, href]) => href);
    expect(links({ recountPath: '/e/e1/recount' })).toEqual(['/e/e1/recount', '/e/e1/check']);
    expect(links({})).toEqual(['/e/e1/check']);
    const { inclusion_hashes: _, ...plain } = CONDORCET as ComputedResultsJson;
    expect(links({}, plain)).toEqual([]);
    expect(resultsView(plain).for(ENGLISH)).not.toContain('Check this result');
  });

  test('shows the portrait of a winner, and of nobody while it is open, tied or void', () => {
    const portraits = candidates(['Ada', 'Bo', 'Cy']).map((one) => ({
      ...one,
      picture: one.name === 'Cy' ? null : { id: one.id, url: `/assets/candidates/${one.id}` },
    }));
    const shown = (results: ResultsJson) =>
      [
        ...resultsView(results, { portraits })
          .for(ENGLISH)
          .matchAll(/<img [^>]*alt="([^"]+)"/g),
      ].map(([, name]) => name);
    expect(shown(CONDORCET)).toEqual(['Ada']);
    expect(shown({ ...CONDORCET, status: 'open' })).toEqual([]);
    expect(shown(TIED)).toEqual([]);
    expect(
      shown({ ...CONDORCET, void: { reason: 'A fault', at: '', repeated_by: null } } as ResultsJson),
    ).toEqual([]);
    expect(shown(ranked(['Bo', 'Ada', 'Cy'], [[3, '[3,1,2]']]))).toEqual([]);
  });

  test('says each of several certified contests in a line of its own, once', () => {
    const one = manual('Ada');
    if (one.results_mode !== 'manual') throw new Error('These are certified figures.');
    const [contest] = one.display.contests;
    const contests = ['Chair', 'Clerk', 'Treasurer', 'Accounts'].map((label) => ({ ...contest!, label }));
    const text = resultsView({ ...one, display: { contests } }).for(ENGLISH);
    for (const label of ['Chair', 'Clerk', 'Treasurer', 'Accounts'])
      expect(text.split(`<li>${label}: <span translate="no">Ada</span>: 3 of 3.</li>`)).toHaveLength(2);
    expect(text).not.toContain('more contest');
    expect(resultsView(one).for(ENGLISH)).not.toContain('<li>Ada');
  });

  test('shows the hash of the ballots and how to check it', () => {
    const text = resultsView(CONDORCET).for(ENGLISH);
    expect(text).toContain('ab'.repeat(32));
    expect(text).toContain('shasum -a 256');
  });
});

test('a result with too many codes for a page says where programs get them', () => {
  const result = simple(1_500, 1_000);
  const hashes = Array.from({ length: 2_500 }, (_, index) => index.toString(16).padStart(64, '0'));
  const text = resultsView({ ...result, inclusion_hashes: hashes } as typeof result).for(ENGLISH);

  expect(text).toContain('2,500 ballots in the list');
  expect(text).toContain('It is too long for this page');
  expect(text.length).toBeLessThan(50_000);
});
