// An attacker changes the question, the result or the log of a closed election in the stopped database so that all
// numbers in it agree, or puts an older copy back and has the vote repeated.
import fs from 'node:fs';
import path from 'node:path';
import type Sqlite from 'better-sqlite3';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { end } from '#test/faults/service.ts';
import { Club, lacks, until } from './club.ts';

interface Case {
  tamper: (database: Sqlite.Database, id: string) => void;
  /** The exit code of audit:verify. */
  code: number;
  /** What the public page says; nothing if only the chain itself is broken. */
  words: string[];
}

const CASES: Record<string, Case> = {
  'options exchanged, with counts and winner that fit': {
    tamper: (database, id) => {
      const number = database.prepare('UPDATE options SET number = ? WHERE election_id = ? AND name = ?');
      for (const [to, name] of [
        [9, 'Red'],
        [1, 'Blue'],
        [2, 'Red'],
      ] as const)
        number.run(to, id, name);
      database
        .prepare(
          `UPDATE results SET result = json_set(result,
             '$.results.options[0].count', result ->> '$.results.options[1].count',
             '$.results.options[1].count', result ->> '$.results.options[0].count',
             '$.results.winners[0]', result ->> '$.results.options[1].id')`,
        )
        .run();
    },
    code: 2,
    words: ['The question, its options or its rules are not those that the log has recorded.'],
  },
  'all ballots and the stored result changed consistently': {
    tamper: (database, id) => {
      database.prepare("UPDATE ballots SET choice = '[2]' WHERE election_id = ?").run(id);
      database
        .prepare(
          `UPDATE results SET result = json_set(result, '$.results.options[0].count', 0,
             '$.results.options[1].count', 9, '$.results.winners[0]', result ->> '$.results.options[1].id',
             '$.ballot_set_sha256', ?)`,
        )
        .run('ab'.repeat(32));
    },
    code: 2,
    words: ['The stored result differs from the log'],
  },
  'an entry of the log edited': {
    tamper: (database) => {
      database.exec('DROP TRIGGER audit_log_no_update');
      database.exec(
        `UPDATE audit_log SET metadata = json_set(metadata, '$.total_ballots', 8) WHERE action = 'results.settled'`,
      );
    },
    code: 1,
    words: ['The stored result differs from the log: the number of ballots.'],
  },
  'the end of the log deleted, without a head to compare': {
    tamper: (database) => {
      database.exec('DROP TRIGGER audit_log_no_delete');
      database.exec(
        `DELETE FROM audit_log WHERE seq >= (SELECT seq FROM audit_log WHERE action = 'results.settled')`,
      );
    },
    code: 1,
    words: ['The log has no entry of this result.'],
  },
};

const colours = { ballot_type: 'POLL', options: ['Red', 'Blue'] };

/** Casts nine ballots, two thirds of them for the first option. */
async function vote(club: Club, id: string): Promise<void> {
  const { options } = (await club.get(`/e/${id}`)).body.election;
  for (const [index, token] of (await club.tokens(id, 9)).entries())
    await club.post(`/e/${id}/vote/poll`, { token, selected_option: options[index % 3 === 0 ? 1 : 0].id });
}

function attack({ tamper, code, words }: Case): () => Promise<Outcome> {
  return async () => {
    await using club = await Club.open();
    const id = await club.election(colours);
    await vote(club, id);
    await club.close(id);
    const honest = (await club.get(`/e/${id}/results`)).body;
    await club.whileStopped((database) => tamper(database, id));
    const page = await club.page(`/e/${id}`);
    const { result_matches } = (await club.get(`/e/${id}/results`)).body;
    const verified = await club.run('audit-verify');
    return {
      saw: `audit:verify ends with ${verified.code}; result matches ${result_matches}`,
      wrong: [
        ...unless(honest.total_ballots === 9 && honest.result_matches, 'there was no honest result'),
        ...lacks(page, 'Something does not agree', ...words),
        ...unless(verified.code === code, `audit:verify ended with ${verified.code}: ${verified.said}`),
        ...unless(!result_matches, 'the JSON says that all agrees'),
      ],
    };
  };
}

/** Puts the copy from before the vote back, and lets the same codes vote again. */
async function repeatVote(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election();
  const tokens = await club.tokens(id, 5);
  await club.run('backup', '--now');
  const [copy = ''] = fs
    .readdirSync(path.join(club.folder, 'backups'))
    .filter((name) => name.endsWith('.db'));
  await club.vote(id, tokens, () => ({ choice: 'no' }));
  await club.close(id);
  const { ballot_set_sha256: first } = (await club.get(`/e/${id}/results`)).body;
  await end(club.service, 'SIGTERM');
  const restored = await club.run('restore', path.join(club.folder, 'backups', copy));
  await club.whileStopped(() => undefined);
  await club.vote(id, tokens, () => ({ choice: 'yes' }));
  await club.close(id);
  let page = '';
  await until('the page', async () => {
    page = await club.page(`/e/${id}`);
    return page.includes('an older copy was put back');
  }).catch(() => undefined);
  const { result_matches, results } = (await club.get(`/e/${id}/results`)).body;
  return {
    saw: `restore ends with ${restored.code}; the second vote is ${results.outcome}, result matches ${result_matches}`,
    wrong: [
      ...unless(restored.code === 0, restored.said),
      ...lacks(page, 'The database was restored from a copy', 'an older copy was put back', first),
      ...unless(!result_matches, 'the JSON says that all agrees'),
    ],
  };
}

export const commitments: Alone[] = [
  ...Object.entries(CASES).map(([name, one]): Alone => [name, attack(one)]),
  ['an older copy is restored and the vote repeated', repeatVote],
];
