// A second service on the same database under another name; an audit log that is truncated or rewritten.
import fs from 'node:fs';
import path from 'node:path';
import type Sqlite from 'better-sqlite3';
import { sha256 } from '#kernel/secrets.ts';
import { type Alone, type Outcome, unless } from '#test/faults/attacks/attack.ts';
import { start, tempFolder } from '#test/faults/service.ts';
import { Club } from './club.ts';

async function secondService(): Promise<Outcome> {
  await using club = await Club.open();
  const said: string[] = [];
  for (const link of [fs.symlinkSync, fs.linkSync]) {
    const folder = tempFolder();
    link(club.file, path.join(folder, 'service.db'));
    const outcome = await start(folder).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    said.push(outcome.trim().split(': ').slice(1).join(': '));
    fs.rmSync(path.join(folder, 'service.db'));
  }
  const [symbolic = '', hard = ''] = said;
  return {
    saw: said.join('; '),
    wrong: [
      ...unless(
        symbolic.includes('another process already serves'),
        'a second service runs by a symbolic link',
      ),
      ...unless(hard.includes('names (hard links)'), 'a second service runs by a hard link'),
    ],
  };
}

/** The columns of an entry that its hash covers, in order. */
const CONTENT = ['id', 'action', 'ip_address', 'election_id', 'timestamp', 'metadata'] as const;

/** Rewrites the whole chain with a changed entry. */
function rewriteChain(database: Sqlite.Database): void {
  database.exec('DROP TRIGGER audit_log_no_update');
  database.exec("UPDATE audit_log SET ip_address = '192.0.2.66' WHERE seq = 1");
  const rows = database.prepare('SELECT * FROM audit_log ORDER BY seq').all() as Record<string, unknown>[];
  const update = database.prepare('UPDATE audit_log SET hash = ? WHERE seq = ?');
  let hash = '0'.repeat(64);
  for (const row of rows) {
    hash = sha256(hash + JSON.stringify(CONTENT.map((column) => row[column])));
    update.run(hash, row.seq);
  }
}

const cut = (from: string) => (database: Sqlite.Database) =>
  database.exec(`DROP TRIGGER audit_log_no_delete; DELETE FROM audit_log WHERE seq >= ${from}`);

function forge(change: (database: Sqlite.Database) => unknown): () => Promise<Outcome> {
  return async () => {
    await using club = await Club.open();
    const id = await club.election();
    await club.vote(id, await club.tokens(id, 3), () => ({ choice: 'yes' }));
    await club.close(id);
    await club.post(`/admin/elections/${id}/results-email`, { emails: ['member@club.example'] });
    const outbox = path.join(club.folder, 'outbox');
    const mails = fs.readdirSync(outbox).map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'));
    const { head } = (await club.get(`/e/${id}/results`)).body.anchor;
    const carried = mails.some((mail) =>
      mail
        .replace(/=\r?\n/g, '')
        .replace(/\s/g, '')
        .includes(head),
    );
    const honest = await club.run('audit-verify', '--head', head);
    await club.whileStopped((database) => void change(database));
    const found = await club.run('audit-verify', '--head', head);
    return {
      saw: `audit:verify with the head that a mail carried ends with ${honest.code} before and ${found.code} after`,
      wrong: [
        ...unless(carried, 'no mail carries the head'),
        ...unless(honest.code === 0, `before: ${honest.said}`),
        ...unless(found.code === 1, `it ended with ${found.code}`),
        ...unless(
          found.said.includes(`The head ${head} is not in the chain: the log was truncated or rewritten.`),
          'it does not say so',
        ),
      ],
    };
  };
}

export const logAndLock: Alone[] = [
  ['a second service on one database', secondService],
  [
    'the end of the audit log is cut',
    forge(cut("(SELECT seq FROM audit_log WHERE action = 'results.settled')")),
  ],
  ['all of the audit log is cut', forge(cut('1'))],
  ['the audit log is written anew', forge(rewriteChain)],
];
