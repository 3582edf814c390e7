// An attacker changes ballots in the database while the service is stopped, or an officer votes with extra codes.
import type Sqlite from 'better-sqlite3';
import { newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { Club, lacks, until } from './club.ts';

const VOTERS = 20;
const half = (index: number) => ({ choice: index % 2 === 0 ? 'yes' : 'no' });

/** How and when the ballots are changed, and what the public page says afterwards. */
interface Case {
  tamper: (database: Sqlite.Database, id: string) => void;
  when: 'before the close' | 'after the close';
  words: string[];
}

const CASES: Record<string, Case> = {
  '30 ballots inserted before the close': {
    when: 'before the close',
    tamper: (database, id) => {
      const insert = database.prepare("INSERT INTO ballots (election_id, id, choice) VALUES (?, ?, 'no')");
      for (let ballot = 0; ballot < 30; ballot++) insert.run(id, newRandomId());
    },
    words: ['There are 50 ballots, but 20 voting codes were used, and the log has 20 votes.'],
  },
  '30 ballots and 30 used codes inserted before the close': {
    when: 'before the close',
    tamper: (database, id) => {
      const insert = database.prepare("INSERT INTO ballots (election_id, id, choice) VALUES (?, ?, 'no')");
      const token = database.prepare(
        'INSERT INTO tokens (election_id, token_hash, created_at, used_at) VALUES (?, ?, 1, 1)',
      );
      for (let ballot = 0; ballot < 30; ballot++) {
        insert.run(id, newRandomId());
        token.run(id, newRandomId());
      }
    },
    words: ['There are 50 ballots, but 50 voting codes were used, and the log has 20 votes.'],
  },
  '15 ballots deleted before the close': {
    when: 'before the close',
    tamper: (database, id) =>
      database
        .prepare('DELETE FROM ballots WHERE id IN (SELECT id FROM ballots WHERE election_id = ? LIMIT 15)')
        .run(id),
    words: ['There are 5 ballots, but 20 voting codes were used, and the log has 20 votes.'],
  },
  '30 ballots inserted after the close': {
    when: 'after the close',
    tamper: (database, id) => {
      const insert = database.prepare("INSERT INTO ballots (election_id, id, choice) VALUES (?, ?, 'no')");
      for (let ballot = 0; ballot < 30; ballot++) insert.run(id, newRandomId());
    },
    words: [
      'There are 50 ballots, but 20 voting codes were used',
      'The stored ballots no longer give the result that was settled, of 20 ballots.',
    ],
  },
  '10 choices altered after the close': {
    when: 'after the close',
    tamper: (database, id) =>
      database.prepare("UPDATE ballots SET choice = 'no' WHERE election_id = ?").run(id),
    words: ['The stored ballots no longer give the result that was settled, of 20 ballots.'],
  },
  '15 ballots deleted after the close': {
    when: 'after the close',
    tamper: (database, id) =>
      database
        .prepare('DELETE FROM ballots WHERE id IN (SELECT id FROM ballots WHERE election_id = ? LIMIT 15)')
        .run(id),
    words: [
      'There are 5 ballots, but 20 voting codes were used',
      'The stored ballots no longer give the result that was settled, of 20 ballots.',
    ],
  },
};

function attack({ tamper, when, words }: Case): () => Promise<Outcome> {
  return async () => {
    await using club = await Club.open();
    const id = await club.election();
    await club.vote(id, await club.tokens(id, VOTERS), half);
    if (when === 'before the close') {
      await club.whileStopped((database) => tamper(database, id));
      await club.close(id);
    } else {
      await club.close(id);
      await club.whileStopped((database) => tamper(database, id));
    }
    let page = '';
    // The ballots are recounted after the start.
    await until('the warning', async () => {
      page = await club.page(`/e/${id}`);
      return words.every((word) => page.includes(word));
    }).catch(() => undefined);
    const verified = await club.run('audit-verify');
    const { result_matches, books } = (await club.get(`/e/${id}/results`)).body;
    return {
      saw: `audit:verify ends with ${verified.code}; books balanced ${books.balanced}, result matches ${result_matches}`,
      wrong: [
        ...lacks(page, 'Something does not agree', ...words),
        ...unless(verified.code === 2, `audit:verify ended with ${verified.code}`),
        ...unless(!books.balanced || !result_matches, 'the JSON says that all agrees'),
      ],
    };
  };
}

/** With codes that cover the choice, voters detect that their ballots were altered, although the totals agree. */
async function swapChoices(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election({ settings: { receipts: 'content' } });
  const tokens = await club.tokens(id, 3);
  const codes: string[] = [];
  for (const [index, token] of tokens.entries())
    codes.push((await club.post(`/e/${id}/vote`, { token, ...half(index) })).body.inclusion_code);
  const left = codes.pop() ?? '';
  await club.whileStopped((database) => {
    database
      .prepare(
        "UPDATE ballots SET choice = iif(choice = 'yes', 'no', 'yes') WHERE election_id = ? AND id <> ?",
      )
      .run(id, sha256(left));
  });
  await club.close(id);
  const look = async (code: string) => {
    const form = new URLSearchParams({ code });
    const { text } = await club.ask('POST', `/e/${id}/check`, form, 'text/html');
    // Templates have texts that the page's script may show.
    return text.replace(/<template[\s\S]*?<\/template>/g, '');
  };
  const [altered, honest] = [await Promise.all(codes.map(look)), await look(left)];
  const told = altered.filter((page) => page.includes('Your ballot was changed')).length;
  return {
    saw: `two choices swapped before the close: ${told} of 2 voters are told, and the third finds the ballot`,
    wrong: [
      ...unless(told === 2, 'a voter of an altered ballot is not told'),
      ...lacks(honest, 'Your ballot is in the box'),
    ],
  };
}

/** Creates codes as an officer, votes with them, and tries to delete them. */
async function ghosts(): Promise<Outcome> {
  await using club = await Club.open();
  const id = await club.election();
  await club.vote(id, await club.tokens(id, 4), () => ({ choice: 'yes' }));
  await club.vote(id, await club.tokens(id, 5, 'ghosts'), () => ({ choice: 'no' }));
  const open = await club.ask('DELETE', `/admin/elections/${id}/batches`, { batch_name: 'ghosts' });
  await club.tokens(id, 3, 'spare');
  const unused = await club.ask('DELETE', `/admin/elections/${id}/batches`, { batch_name: 'spare' });
  await club.close(id);
  const { books, total_ballots } = (await club.get(`/e/${id}/results`)).body;
  const page = await club.page(`/e/${id}`);
  return {
    saw: `a batch with used codes is deleted: ${open.status}; ${total_ballots} ballots, ${books.tokens_made} made, ${books.tokens_used} used, ${books.tokens_deleted} deleted`,
    wrong: [
      ...unless(open.status === 200 && open.body.deleted_used === 5, `the used codes stay: ${open.text}`),
      ...unless(total_ballots === 9, 'ballots went with their codes'),
      ...unless(unused.status === 200, `unused codes stay: ${unused.text}`),
      ...unless(
        books.tokens_made === 12 && books.tokens_used === 9 && books.tokens_deleted === 8 && books.balanced,
        'the books count otherwise',
      ),
      ...lacks(
        page,
        '8 voting codes made after opening.',
        'A batch of 3 voting codes was deleted, 0 of them used.',
        'A batch of 5 voting codes was deleted, 5 of them used.',
      ),
    ],
  };
}

export const tampering: Alone[] = [
  ...Object.entries(CASES).map(([name, one]): Alone => [name, attack(one)]),
  ['choices swapped between two ballots', swapChoices],
  ['votes with codes of nobody', ghosts],
];
