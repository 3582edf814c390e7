import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { INHERITED } from '#test/support/process/process.ts';
import { runScript } from '#test/support/process/script-runner.ts';
import { ballotSetHash } from '#voting/ballots/ballot-hash.ts';
import type { BallotType } from '#voting/elections/elections.ts';
import { createTally } from '#voting/shared/ballot-types.ts';
import type { RankedResult, TallyOption } from '#voting/shared/tally.ts';

const script = fileURLToPath(new URL('../../scripts/recount.ts', import.meta.url));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'recount-'));
afterAll(() => fs.rmSync(dir, { recursive: true }));

const people = ['Ann', 'Bob', 'Cid'].map((name, index) => ({
  id: name.toLowerCase(),
  number: index + 1,
  name,
  display_order: 3 - index,
  is_none_of_the_above: false,
}));

const SALT = '0123456789abcdef'.repeat(2);

/** Returns the export of a closed election, as earlier versions wrote it. */
function earlierExport(...parts: Parameters<typeof exportOf>) {
  const { question_sha256: _, ballot_set_salt: __, ...file } = exportOf(...parts);
  const texts = file.ballots.map((ballot) => (typeof ballot === 'string' ? ballot : JSON.stringify(ballot)));
  return { ...file, ballot_set_sha256: ballotSetHash(texts.toSorted().map((text) => [text, 1])) };
}

/** Returns the export of a closed election, as the server writes it. */
function exportOf(ballot_type: BallotType, ballots: (string | number[])[], options: TallyOption[] = people) {
  const settings = { poll_response_type: 'multiple' as const, quorum: 3, hide_results_until_close: true };
  const texts = ballots.map((ballot) => (typeof ballot === 'string' ? ballot : JSON.stringify(ballot)));
  const tally = createTally(ballot_type, options.toReversed(), settings);
  for (const text of texts) tally.add(text);
  const rules = {
    SIMPLE_TRIPLE: { quorum: 3 },
    POLL: { poll_response_type: 'multiple', quorum: 3 },
    YES_NO_EACH: { quorum: settings.quorum },
    RANKED_CONDORCET: { ranking: 'complete', quorum: 3 },
    RANKED_STV: { quorum: 3 },
  };
  const asked = { title: 'Chair', description: 'For two years.', attachment_url: null };
  const shown = options.toReversed().map(({ number, id, name, is_none_of_the_above: none_of_the_above }) => ({
    number,
    id,
    name,
    none_of_the_above,
  }));
  const question_sha256 = createHash('sha256')
    .update(JSON.stringify({ ballot_type, rules: rules[ballot_type], options: shown, ...asked }))
    .digest('hex');
  const times = { open_at: '2026-11-20T18:00:00.000Z', close_at: '2026-11-21T18:00:00.000Z' };
  return {
    format: 'publichouse-export-1',
    election: { id: 'e1', ...asked, ballot_type, status: 'closed', ...times, settings },
    options,
    ballots,
    total_ballots: ballots.length,
    question_sha256,
    ballot_set_salt: SALT,
    ballot_set_sha256: ballotSetHash(
      texts.toSorted().map((text) => [text, 1]),
      `${question_sha256}\n${SALT}\n`,
    ),
    results: tally.result(),
  };
}

interface Report {
  code: number;
  out: string;
  err: string;
}

async function recount(...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await runScript({ script, args, cwd: dir, env: INHERITED });
  return { code, out: stdout, err: stderr };
}

/** Starts the script as npm does. */
function startRecount(...args: string[]): Promise<Report> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...args], (_error, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err });
    });
  });
}

let files = 0;

function recountFile(content: unknown, by = recount): Promise<Report> {
  const file = path.join(dir, `${++files}.json`);
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return by(file);
}

const ranked = () =>
  exportOf('RANKED_CONDORCET', [
    [2, 1, 3],
    [2, 3, 1],
    [1, 2, 3],
    [3, 2, 1],
  ]);

/** An export whose rules are those that came later: the majority, the quorum as a share and blank ballots. */
function ruledExport() {
  const rules = {
    quorum: null,
    majority: { share: 'two_thirds' as const, of: 'electors' as const },
    quorum_share: { at_least: '1/3' },
    allow_blank: true,
  };
  const file = exportOf('SIMPLE_TRIPLE', ['blank', 'no', 'yes', 'yes', 'yes'], []);
  const settings = { poll_response_type: 'single' as const, ...rules };
  const tally = createTally('SIMPLE_TRIPLE', [], { ...settings, electors: 10 });
  for (const ballot of file.ballots) tally.add(String(ballot));
  const asked = { title: 'Chair', description: 'For two years.', attachment_url: null };
  const question = JSON.stringify({ ballot_type: 'SIMPLE_TRIPLE', rules, options: [], ...asked });
  const question_sha256 = createHash('sha256').update(question).digest('hex');
  const texts = ['blank', 'no', 'yes', 'yes', 'yes'].map((text): [string, number] => [text, 1]);
  return {
    ...file,
    election: { ...file.election, settings },
    electors: 10,
    question_sha256,
    ballot_set_sha256: ballotSetHash(texts, `${question_sha256}\n${SALT}\n`),
    results: tally.result(),
  };
}

describe('a recount', () => {
  it('counts by a majority of the electors, with a quorum as a share and blank ballots', async () => {
    const { code, out } = await recountFile(ruledExport());
    expect(out.split('\n').slice(1, 5)).toEqual([
      'Not carried: 3 of 10 electors, 7 were needed (two thirds of the electors).',
      'The quorum of 4 ballots was met.',
      'Ballots counted: 5',
      '1 ballot is blank.',
    ]);
    expect(code).toBe(0);
    const fewer = await recountFile({ ...ruledExport(), electors: 4 });
    expect(fewer.out).toContain('results.carried differs: the file says false, the recount true.');
  });

  it('confirms a ranked election and names its winner', async () => {
    const file = ranked();
    const { code, out, err } = await recountFile(file, startRecount);
    expect(err).toBe('');
    expect(out.split('\n')).toEqual([
      'Chair',
      'Bob wins: preferred to every other candidate.',
      'The quorum of 3 ballots was met.',
      'Ballots counted: 4',
      `Question SHA-256: ${file.question_sha256}`,
      `Ballot set SHA-256: ${file.ballot_set_sha256}`,
      'Compare both hashes with those that were published when the election closed.',
      'The result in the file is confirmed.',
      '',
    ]);
    expect(code).toBe(0);
  });

  it.each([
    [
      'a simple vote',
      () => exportOf('SIMPLE_TRIPLE', ['yes', 'no', 'yes', 'abstain'], []),
      'Carried: 2 yes to 1 no.',
    ],
    [
      'a poll',
      () => exportOf('POLL', [[1], [1, 3], [2, 3]]),
      'Tied between Cid and Ann, with 2 ballots each.',
    ],
    [
      'a void election, and says that it is void',
      () => ({ ...exportOf('SIMPLE_TRIPLE', ['yes', 'yes', 'no'], []), void: { reason: 'Wrong roll' } }),
      'Void, no result counts: Wrong roll',
    ],
    ['a poll without ballots', () => exportOf('POLL', []), 'The quorum of 3 ballots was not met.'],
    [
      'one candidate without ballots',
      () => exportOf('RANKED_CONDORCET', [], people.slice(0, 1)),
      'No ballots were cast.',
    ],
    [
      'a vote without its quorum',
      () => exportOf('SIMPLE_TRIPLE', ['yes', 'yes'], []),
      'No valid result: 2 ballots cast, 3 needed. The count was: 2 yes to 0 no.',
    ],
    [
      'a tie',
      () =>
        exportOf('RANKED_CONDORCET', [
          [1, 2, 3],
          [2, 3, 1],
          [3, 1, 2],
        ]),
      'Tied between Cid, Bob and Ann.',
    ],
  ])('confirms %s', async (_name, make, sentence) => {
    const { code, out } = await recountFile(make());
    expect(out).toContain(sentence);
    expect(code).toBe(0);
  });

  const swapped = (file: ReturnType<typeof ranked>) => {
    const [ann, bob, ...others] = file.options;
    return [{ ...ann, number: bob?.number }, { ...bob, number: ann?.number }, ...others];
  };
  it.each([
    ['two options exchanged', (file: ReturnType<typeof ranked>) => ({ ...file, options: swapped(file) })],
    [
      'another title',
      (file: ReturnType<typeof ranked>) => ({ ...file, election: { ...file.election, title: 'Treasurer' } }),
    ],
    [
      'another order on the ballot',
      (file: ReturnType<typeof ranked>) => ({
        ...file,
        options: file.options.map((option) => ({ ...option, display_order: option.number })),
      }),
    ],
  ])('detects another question: %s', async (_name, change) => {
    const { code, out } = await recountFile(change(ranked()));
    expect(out).toContain('question_sha256 differs');
    expect(out).toContain('ballot_set_sha256 differs');
    expect(code).toBe(1);
  });

  it('confirms the export of an earlier version and says what its hash does not cover', async () => {
    const file = earlierExport('SIMPLE_TRIPLE', ['yes', 'no'], []);
    const { code, out } = await recountFile(file);
    expect(out).toContain('covers the ballots alone');
    expect(code).toBe(0);
    expect(await recountFile({ ...file, ballot_set_salt: SALT })).toMatchObject({
      code: 2,
      err: expect.stringContaining('question_sha256 must both be there'),
    });
  });

  it('reads the public list of ballots, which names options', async () => {
    const file = ranked();
    const format = 'publichouse-ballots-1';
    const ballots = file.ballots.map((ballot) =>
      (ballot as number[]).map((number) => people[number - 1]?.name),
    );

    const confirmed = await recountFile({ ...file, format, ballots });
    const unknown = await recountFile({ ...file, format, ballots: [['Ann', 'Bob', 'Dot']] });

    expect(confirmed.out).toContain('The result in the file is confirmed.');
    expect(unknown).toMatchObject({ code: 2, err: 'ballots.0 names no option of this election\n' });
  });

  it('does not depend on the order of the ballots', async () => {
    const file = ranked();
    expect((await recountFile({ ...file, ballots: file.ballots.toReversed() })).code).toBe(0);
  });

  it('of an open election compares everything but the hash', async () => {
    const file = ranked();
    const open = { ...file, election: { ...file.election, status: 'open' }, ballot_set_sha256: null };
    const { code, out } = await recountFile(open);
    expect(out).toContain('The election is open: the file holds no ballot-set hash to compare with.');
    expect(code).toBe(0);
  });

  it('detects an altered ballot, even one that changes no winner', async () => {
    const file = ranked();
    file.ballots[3] = [2, 3, 1];
    const { code, out } = await recountFile(file, startRecount);
    expect(out).toContain('ballot_set_sha256 differs');
    expect(out).toContain('results.pairwise differs');
    expect(out).not.toContain('results.winners differs');
    expect(out).toContain('The result in the file is NOT confirmed.');
    expect(code).toBe(1);
  });

  it('detects a missing ballot', async () => {
    const file = ranked();
    file.ballots.pop();
    const { code, out } = await recountFile(file);
    expect(out).toContain('total_ballots differs: the file says 4, the recount 3.');
    expect(code).toBe(1);
  });

  it('detects an altered result and names the part', async () => {
    const file = ranked();
    const { code, out } = await recountFile({ ...file, results: { ...file.results, winners: ['ann'] } });
    expect(out).toContain('results.winners differs: the file says ["ann"], the recount ["bob"].');
    expect(out).not.toContain('ballot_set_sha256 differs');
    expect(code).toBe(1);
  });

  it('detects a result with a part too few or too many', async () => {
    const file = ranked();
    const { tied, ...results } = file.results as RankedResult;
    const { code, out } = await recountFile({ ...file, results: { ...results, remark: 'won' } });
    expect(out).toContain(`results.tied differs: the file says nothing, the recount ${tied}.`);
    expect(out).toContain('results.remark differs');
    expect(code).toBe(1);
  });

  it('removes control characters from names', async () => {
    const file = ranked();
    file.election.title = 'Chair\n\u001b[2JThe result in the file is confirmed.';
    expect((await recountFile(file)).out.split('\n')[0]).toBe(
      'Chair??[2JThe result in the file is confirmed.',
    );
  });
});

describe('a file that is no export', () => {
  const refused: [string, () => unknown, RegExp][] = [
    ['garbage', () => 'garbage', /not JSON/],
    ['another format', () => ({ ...ranked(), format: 'publichouse-export-9' }), /: format: /],
    ['a list', () => [], /: file: /],
    ['a wrong field', () => ({ ...ranked(), total_ballots: 'four' }), /: total_ballots: /],
    ['a wrong ballot', () => ({ ...ranked(), ballots: [7] }), /: ballots\.0: must be a word or a list/],
    [
      'an impossible ballot',
      () => ({
        ...ranked(),
        ballots: [
          [1, 2, 3],
          [1, 1, 2],
        ],
      }),
      /^ballots\.1: \[1,1,2\] is not/,
    ],
    [
      'a repeated number',
      () => ({ ...ranked(), options: [people[0], people[0]] }),
      /: options: an id is repeated/,
    ],
    ['no hash', () => ({ ...ranked(), ballot_set_sha256: null }), /: ballot_set_sha256: is missing, though/],
  ];

  it.each(refused)('is refused in one line: %s', async (_name, make, line) => {
    const { code, out, err } = await recountFile(make());
    expect(err).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it('is refused in one line when it does not exist, or no file is given', async () => {
    expect(await recount(path.join(dir, 'absent.json'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^.*absent\.json cannot be read: ENOENT.*\n$/),
    });
    expect(await recount()).toMatchObject({ code: 2, err: 'Usage: npm run recount -- <file.json>\n' });
  });
});
