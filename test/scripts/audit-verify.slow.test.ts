import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { addElection, castAll } from '#test/support/factories.ts';
import { INHERITED, tempFolder } from '#test/support/process/process.ts';
import { runScript } from '#test/support/process/script-runner.ts';

const SCRIPT = path.join(import.meta.dirname, '../../scripts/audit-verify.ts');
const GUARD = path.join(import.meta.dirname, '../../scripts/guard.cjs');

async function verify(file: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const env = { ...INHERITED, DATABASE_URL: `file:${file}` };
  const { code, stdout, stderr } = await runScript({ script: SCRIPT, args, cwd: path.dirname(file), env });
  return { code, said: stdout + stderr };
}

/** Starts the script as npm does. */
async function startVerify(file: string): Promise<{ code: number; said: string }> {
  const env = { ...INHERITED, DATABASE_URL: `file:${file}` };
  const ended = promisify(execFile)(process.execPath, [SCRIPT], { cwd: path.dirname(file), env });
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}

/** Creates a database with a closed election of three ballots. @returns its file, and the chain's head at the close */
async function closedElection(): Promise<{ file: string; head: string }> {
  const file = path.join(tempFolder(), 'service.db');
  await using service = await testApp({ DATABASE_URL: `file:${file}` });
  const id = await addElection(service, { title: 'Piano' });
  await castAll(service, id, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'no' }]);
  await service.post(`/admin/elections/${id}/close`);
  const { anchor } = (await service.get(`/e/${id}/results`)).json();
  await addElection(service);
  return { file, head: anchor.head };
}

test('without a database it says so and creates none', async () => {
  const file = path.join(tempFolder(), 'service.db');

  expect(await verify(file)).toEqual({ code: 1, said: `DATABASE_URL: there is no database at ${file}\n` });
  expect(fs.readdirSync(path.dirname(file))).toEqual([]);
});

test('it counts erased entries, which do not break the chain', async () => {
  const file = path.join(tempFolder(), 'service.db');
  {
    await using service = await testApp({ DATABASE_URL: `file:${file}` });
    const ann = { host: 'club.example', 'edge-access-authenticated-user-email': 'ann@club.example' };
    for (const name of ['Members', 'Board']) await service.post('/admin/distribution-lists', { name }, ann);
  }
  tamper(file, 'UPDATE audit_log SET personal = NULL WHERE seq = 1');

  expect(await verify(file)).toMatchObject({
    code: 0,
    said: expect.stringContaining('2 entries, 1 erased, unbroken'),
  });
});

function tamper(file: string, ...statements: string[]): void {
  const sqlite = new Sqlite(file);
  for (const statement of statements) sqlite.exec(statement);
  sqlite.close();
}

test('an intact database verifies, and a head recorded at a close is in its chain', async () => {
  const { file, head } = await closedElection();
  const { code, said } = await verify(file, '--head', head.toUpperCase());

  expect([code, said]).toEqual([0, expect.stringMatching(/\d+ entries, unbroken/)]);
  expect(said).toMatch(new RegExp(`The head ${head} is entry \\d+ of the chain`));
  expect(said).toContain('Closed elections counted again: 1');
});

test('ballots altered or deleted behind the service give exit code 2 and a sentence each', async () => {
  const { file } = await closedElection();
  tamper(file, "UPDATE ballots SET choice = 'no'");
  const altered = await startVerify(file);
  tamper(file, 'DELETE FROM ballots');
  const deleted = await verify(file);

  expect(altered.code).toBe(2);
  expect(altered.said).toMatch(
    /“Piano” .*: the 3 ballots give another result than the 3 that were settled\./,
  );
  expect(altered.said).toContain('the ballots are not those whose check number was published');
  expect(deleted.code).toBe(2);
  expect(deleted.said).toContain('0 ballots, but 3 voting codes were used and the log has 3 votes');
});

test('a changed title or an edited result gives exit code 2, whatever numbers fit', async () => {
  const { file } = await closedElection();
  tamper(
    file,
    "UPDATE ballots SET choice = 'no'",
    `UPDATE results SET result = json_set(result, '$.results.yes', 0, '$.results.no', 3,
       '$.results.outcome', 'failed', '$.ballot_set_sha256', '${'0'.repeat(64)}')`,
  );
  const edited = await verify(file);
  expect(edited.code).toBe(2);
  expect(edited.said).toContain('differs from the log: the check number of the ballots, the figures');

  const { file: other } = await closedElection();
  tamper(other, "UPDATE elections SET title = 'Harp', question = replace(question, 'Piano', 'Harp')");
  const renamed = await verify(other);
  expect([renamed.code, renamed.said]).toEqual([2, expect.stringContaining('“Harp”')]);
  expect(renamed.said).toContain('the question, its options or its rules are not those');
});

test('it prints the books of each closed election, and a closed pipe does no harm', async () => {
  const { file } = await closedElection();
  const books = 'ballots 3, voting codes used 3, votes in the log 3, codes made 3, mailed 0, deleted 0';
  expect(await verify(file)).toMatchObject({ code: 0, said: expect.stringContaining(books) });

  const child = spawn(process.execPath, ['-r', GUARD, SCRIPT], {
    env: { ...INHERITED, DATABASE_URL: `file:${file}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += text;
  });
  const [code] = await once(child, 'close');
  expect([code, complaints]).toEqual([0, '']);
});

test('a log whose end was cut off lacks the entry of a stored result, and the head that mails contain', async () => {
  const { file, head } = await closedElection();
  tamper(
    file,
    'DROP TRIGGER audit_log_no_delete',
    "DELETE FROM audit_log WHERE seq >= (SELECT seq FROM audit_log WHERE action = 'results.settled')",
  );
  const without = await verify(file);
  const cut = await verify(file, '--head', head);

  expect([without.code, without.said]).toEqual([1, expect.stringContaining('no entry of this result')]);
  expect(cut.code).toBe(1);
  expect(cut.said).toContain('unbroken');
  expect(cut.said).toContain('is not in the chain: the log was truncated or rewritten');
});

test('a broken entry gives exit code 1, whatever else agrees', async () => {
  const { file } = await closedElection();
  tamper(file, 'DROP TRIGGER audit_log_no_update', 'UPDATE audit_log SET timestamp = 0 WHERE seq = 2');
  const broken = await verify(file);

  expect([broken.code, broken.said]).toEqual([1, expect.stringContaining('Broken at entry 2')]);
});

test('facts and meetings are compared, what is lost is named, and an option or an old database has a code of its own', async () => {
  const { file } = await closedElection();
  expect(await verify(file, '--haed', 'x')).toMatchObject({
    code: 64,
    said: expect.stringContaining('--haed'),
  });
  tamper(file, "UPDATE elections SET attachment_url = 'https://club.example/v2.pdf'");
  const edited = await verify(file);
  expect([edited.code, edited.said]).toEqual([
    2,
    expect.stringContaining('recorded otherwise: the document'),
  ]);
  tamper(file, 'PRAGMA foreign_keys = ON', "DELETE FROM elections WHERE title = 'Piano'");
  const lost = await verify(file);
  expect([lost.code, lost.said]).toEqual([2, expect.stringMatching(/the election “Piano” .* is in the log/)]);
  await using service = await testApp({ DATABASE_URL: `file:${file}` });
  const [, id] = /“Piano” \(([^)]+)\) is in the log/.exec(lost.said)!;
  expect((await service.get(`/e/${id}`)).statusCode).toBe(410);
});

test('a database of an earlier version gives exit code 3 and is left as it is', async () => {
  const { file } = await closedElection();
  tamper(file, "DELETE FROM kysely_migration WHERE name LIKE '250%'");
  expect(await verify(file)).toMatchObject({
    code: 3,
    said: expect.stringContaining('of an earlier version'),
  });
});
