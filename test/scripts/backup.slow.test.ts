import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { backUp, copyKey } from '#kernel/db/backup.ts';
import { restore } from '#kernel/db/restore.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo } from '#test/support/app.ts';
import { listeningService } from '#test/support/browser/browser-service.ts';
import { INHERITED, tempFolder } from '#test/support/process/process.ts';
import { type Ended, runScript } from '#test/support/process/script-runner.ts';

const run = promisify(execFile);
const script = (name: string) => path.join(import.meta.dirname, `../../scripts/${name}.ts`);

const environmentIn = (folder: string) => ({ ...INHERITED, DATABASE_URL: `file:${folder}/service.db` });

const node = (folder: string, name: string, ...args: string[]): Promise<Ended> =>
  runScript({ script: script(name), args, cwd: folder, env: environmentIn(folder) });

/** Starts the script as npm does. */
async function start(folder: string, name: string, ...args: string[]): Promise<Ended> {
  const options = { cwd: folder, env: environmentIn(folder) };
  return run(process.execPath, [script(name), ...args], options).then(
    (ended) => ({ code: 0, ...ended }),
    (error) => error as Ended,
  );
}

/** Makes a backup as the script does, without the start of a process. @returns its path */
const backUpHere = (folder: string, keep = 14) =>
  backUp(`${folder}/service.db`, { folder: `${folder}/backups`, keep, at: Date.now() });

/** Starts the service in the test's process: for the scripts it is another process, and it starts much faster. */
async function serve(folder: string, env: Record<string, string> = {}) {
  const service = await listeningService({ DATABASE_URL: `file:${folder}/service.db`, ...env });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopped ??= service[Symbol.asyncDispose]();
    await stopped;
  };
  onTestFinished(stop);
  return { url: service.origin, stop };
}

/** An election that has not opened yet: while one is open there are no backups. */
const election = (title: string) => ({
  title,
  ballot_type: 'SIMPLE_TRIPLE',
  open_at: '2098-01-01T00:00:00Z',
  close_at: '2099-01-01T00:00:00Z',
});

async function post(url: string, body: object = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, never> };
}

async function create(url: string, title: string, fields: object = {}): Promise<string> {
  const { status, json } = await post(`${url}/admin/elections`, { ...election(title), ...fields });
  expect(status).toBe(200);
  return json.id ?? '';
}

const backupsIn = (folder: string) =>
  fs.existsSync(`${folder}/backups`) ? fs.readdirSync(`${folder}/backups`).sort() : [];

async function titles(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/admin/elections`, { headers: { accept: 'application/json' } });
  const { elections } = (await answer.json()) as { elections: { title: string }[] };
  return elections.map(({ title }) => title).sort();
}

test('a backup of a running service restores its data, and the newer database is set aside', async () => {
  const folder = tempFolder();
  const service = await serve(folder);
  await create(service.url, 'Before');
  const made = await start(folder, 'backup');
  await create(service.url, 'After');
  const [backup = ''] = fs.readdirSync(`${folder}/backups`).filter((name) => name.endsWith('.db'));

  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(backup) });
  const modeOf = (name: string) => (fs.statSync(`${folder}/${name}`).mode & 0o777).toString(8);
  expect(modeOf('backups')).toBe('700');
  for (const name of fs.readdirSync(`${folder}/backups`)) expect(modeOf(`backups/${name}`)).toBe('600');
  const whileItRuns = await node(folder, 'restore', `${folder}/backups/${backup}`);
  expect(whileItRuns).toMatchObject({ code: 1, stderr: expect.stringContaining('another process') });
  expect(await titles(service.url)).toEqual(['After', 'Before']);

  await service.stop();
  const restored = await start(folder, 'restore', `${folder}/backups/${backup}`);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/service\.db\.before-\d+/) });
  for (const name of fs.readdirSync(folder).filter((one) => one.startsWith('service.')))
    expect([name, modeOf(name)]).toEqual([name, '600']);
  const again = await serve(folder);
  expect(await titles(again.url)).toEqual(['Before']);
});

test('a damaged backup is refused, and only the newest ones are kept', async () => {
  const folder = tempFolder();
  const service = await serve(folder);
  await create(service.url, 'Kept');
  await service.stop();
  fs.mkdirSync(`${folder}/backups`);
  for (const day of ['01', '02', '03'])
    fs.writeFileSync(`${folder}/backups/publichouse-2026-01-${day}T00-00-00Z.db`, 'old');
  fs.writeFileSync(`${folder}/backups/notes.txt`, 'mine');

  expect(await node(folder, 'backup', '--keep', '2')).toMatchObject({ code: 0 });
  const names = fs.readdirSync(`${folder}/backups`).filter((name) => name.endsWith('.db'));
  expect(names).toEqual(['publichouse-2026-01-03T00-00-00Z.db', expect.stringContaining('publichouse-')]);
  expect(fs.existsSync(`${folder}/backups/notes.txt`)).toBe(true);

  const backup = `${folder}/backups/${names[1]}`;
  const bytes = fs.readFileSync(backup);
  bytes.fill(0x5a, 8_192, 8_192 + 4_096 * 4);
  fs.writeFileSync(backup, bytes);
  const refused = await node(folder, 'restore', backup);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/damaged|not a sound copy|broken/),
  });
  await expect(restore(`${folder}/none.db`, `${folder}/service.db`, Date.now())).rejects.toThrow('none.db');
});

const OPEN = { open_at: '2026-01-01T00:00:00Z' };

test('while voting is open no backup is made without --now', async () => {
  const folder = tempFolder();
  const service = await serve(folder);
  const id = await create(service.url, 'Open', OPEN);

  const putOff = await node(folder, 'backup', '--key', `${folder}/kept.key`);
  expect(putOff).toMatchObject({ code: 3, stdout: '' });
  expect(putOff.stderr).toMatch(/Voting is open, until 2099-01-01T00:00:00.000Z.*\n.*--now/);
  expect(putOff.stderr).toContain('the vote and the name');
  expect(backupsIn(folder)).toEqual([]);
  expect(fs.existsSync(`${folder}/kept.key`)).toBe(false);

  const now = await node(folder, 'backup', '--now');
  expect(now).toMatchObject({ code: 0, stderr: expect.stringContaining('the vote and the name') });
  expect(backupsIn(folder)).toEqual([expect.stringMatching(/^publichouse-.*Z\.db$/)]);

  await post(`${service.url}/admin/elections/${id}/close`);
  expect(await node(folder, 'backup')).toMatchObject({ code: 0, stderr: '' });
});

test('the key is copied to its own place, and never over other files or into the backups', async () => {
  const folder = tempFolder();
  const service = await serve(folder);
  await service.stop();
  const kept = `${folder}/kept.key`;
  const copy = (to: string) => copyKey(`${folder}/service.db`, to, `${folder}/backups`);

  expect(await node(folder, 'backup', '--key', kept)).toMatchObject({ code: 0 });
  for (const place of [kept, `${folder}/service.key`]) copy(place);
  expect(fs.readFileSync(kept, 'utf8')).toBe(fs.readFileSync(`${folder}/service.key`, 'utf8'));
  expect((fs.statSync(kept).mode & 0o777).toString(8)).toBe('600');
  expect(backupsIn(folder).every((name) => name.endsWith('.db'))).toBe(true);

  const made = backupsIn(folder);
  fs.writeFileSync(`${folder}/other.key`, 'something else');
  expect(await node(folder, 'backup', '--key', `${folder}/other.key`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('holds something else'),
  });
  for (const name of ['publichouse.key', '..key', '../backups/..key'])
    expect(() => copy(`${folder}/backups/${name}`)).toThrow('is in the folder of the backups');
  fs.rmSync(`${folder}/service.key`);
  expect(() => copy(`${folder}/new.key`)).toThrow('there is no key file');

  expect(fs.readFileSync(`${folder}/other.key`, 'utf8')).toBe('something else');
  expect(fs.existsSync(`${folder}/new.key`)).toBe(false);
  expect(backupsIn(folder)).toEqual(made);
});

test('a backup contains no sign-in requests and no passkey challenges', async () => {
  const folder = tempFolder();
  const service = await serve(folder, { LOCAL_BYPASS: 'on', BASE_URL: 'http://localhost:3000' });
  const origin = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const ask = {
    method: 'POST',
    headers: origin,
    body: JSON.stringify({ email: 'asking.person@club.example' }),
  };
  expect((await fetch(`${service.url}/sign-in`, ask)).status).toBe(200);
  const options = await fetch(`${service.url}/sign-in/passkey/options`, { ...ask, body: '{}' });
  const { challenge } = (await options.json()) as { challenge: string };
  const live = new Sqlite(`${folder}/service.db`, { readonly: true });
  expect(live.prepare('SELECT count(*) FROM sign_ins').pluck().get()).toBe(1);
  expect(live.prepare('SELECT challenge FROM passkey_challenges').pluck().get()).toBe(challenge);
  live.close();

  const bytes = fs.readFileSync(await backUpHere(folder), 'latin1');
  expect(bytes).not.toContain('asking.person');
  expect(bytes).not.toContain(challenge);
});

test('a backup has no voting link; after a restore mailed links still work, and new ones can be sent', async () => {
  const folder = tempFolder();
  const { url, mails } = await startMailServer();
  const env = { ...mailTo(url), LOCAL_BYPASS: 'on' };
  const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
  const tokenOf = (email: string) =>
    linkIn(mails.findLast(({ recipients }) => recipients[0] === email)!).searchParams.get('t');
  const emails = Array.from({ length: 40 }, (_, index) => `voter${index}@club.example`);
  const [ann = '', bob = ''] = emails;
  const service = await serve(folder, env);
  const id = await create(service.url, 'Open', OPEN);
  await post(`${service.url}/admin/elections/${id}/invite`, { emails });
  const sealed = sealedIn(`${folder}/service.db`);

  expect(sealed).toHaveLength(40);
  const backup = await backUpHere(folder);
  const bytes = fs.readFileSync(backup, 'latin1');
  expect(`${folder}/backups/${backupsIn(folder).join()}`).toBe(backup);
  expect(bytes).toContain(ann);
  for (const link of sealed) expect(bytes.includes(link.slice(3, 40)), 'a link in the copy').toBe(false);
  expect(bytes).not.toMatch(/v1\.[\w-]{40}/);

  await service.stop();
  // The database itself contains them: this shows that the search finds them.
  const kept = fs.readFileSync(`${folder}/service.db`, 'latin1');
  for (const link of sealed) expect(kept).toContain(link);
  const key = fs.readFileSync(`${folder}/service.key`, 'utf8');
  await restore(backup, `${folder}/service.db`, Date.now());
  expect(fs.readFileSync(`${folder}/service.key`, 'utf8')).toBe(key);

  const again = await serve(folder, env);
  const vote = async (token: string | null) =>
    (await post(`${again.url}/e/${id}/vote`, { token, choice: 'yes' })).status;
  expect(await vote(tokenOf(ann))).toBe(200);
  const old = tokenOf(bob);
  const { json } = await fetch(`${again.url}/admin/elections/${id}/invites`).then(async (answer) => ({
    json: (await answer.json()) as { invites: { id: string; email: string }[] },
  }));
  const invite = json.invites.find(({ email }) => email === bob);
  expect((await post(`${again.url}/admin/elections/${id}/invites/${invite?.id}/resend`)).status).toBe(200);
  expect(tokenOf(bob)).not.toBe(old);
  expect(await vote(old)).toBe(401);
  expect(await vote(tokenOf(bob))).toBe(200);
  await again.stop();
});

test('a restore follows a symbolic link, and uses a key that older versions put beside a backup', async () => {
  const folder = tempFolder();
  const service = await serve(folder);
  await create(service.url, 'Before');
  const backup = await backUpHere(folder);
  await service.stop();
  fs.mkdirSync(`${folder}/disk`);
  fs.renameSync(`${folder}/service.db`, `${folder}/disk/real.db`);
  fs.symlinkSync('disk/real.db', `${folder}/service.db`);
  fs.writeFileSync(backup.replace(/\.db$/, '.key'), 'k'.repeat(40));

  expect(await restore(backup, `${folder}/service.db`, Date.now())).toMatch(/disk\/real\.db\.before-\d+/);

  expect(fs.readlinkSync(`${folder}/service.db`)).toBe('disk/real.db');
  expect(fs.readFileSync(`${folder}/service.key`, 'utf8')).toBe('k'.repeat(40));
  const again = await serve(folder);
  expect(await titles(again.url)).toEqual(['Before']);
  await again.stop();
});

/** Hashes of a folder's files by name; the lock is not compared. */
const contentsOf = (folder: string) =>
  new Map(
    fs
      .readdirSync(folder)
      .filter((name) => !name.includes('.lock') && fs.statSync(`${folder}/${name}`).isFile())
      .map((name) => [name, hash('sha256', fs.readFileSync(`${folder}/${name}`))]),
  );

test('a restore that is refused or fails leaves database, log and key as they were', async () => {
  const folder = tempFolder();
  const file = `${folder}/service.db`;
  const service = await serve(folder);
  await create(service.url, 'Kept');
  const backup = await backUpHere(folder);
  await service.stop();
  fs.mkdirSync(`${folder}/links`);
  fs.symlinkSync(file, `${folder}/links/copy.db`);
  fs.linkSync(file, `${folder}/links/hard.db`);
  const newer = `${folder}/links/newer.db`;
  fs.copyFileSync(backup, newer);
  const sqlite = new Sqlite(newer);
  sqlite.exec("INSERT INTO kysely_migration VALUES ('999-later', '2030-01-01T00:00:00Z')");
  sqlite.close();
  fs.writeFileSync(`${folder}/links/text.db`, 'not a database');
  fs.writeFileSync(`${folder}/links/empty.db`, '');
  const before = contentsOf(folder);

  const refused = [
    [file, 'is the database itself'],
    [`${folder}/links/../service.db`, 'is the database itself'],
    [`${folder}/links/copy.db`, 'is the database itself'],
    [`${folder}/links/hard.db`, 'is the database itself'],
    [newer, 'newer than this program, which does not know 999-later. Nothing was changed'],
    [`${folder}/links/text.db`, 'not a sound copy'],
    [`${folder}/links/empty.db`, 'not a sound copy'],
    [`${folder}/links/none.db`, 'There is no backup'],
  ] as const;
  for (const [from, why] of refused) {
    expect(await node(folder, 'restore', from), from).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(why),
    });
    expect(contentsOf(folder), from).toEqual(before);
    // As long as the database has two names, every restore is refused.
    if (from.endsWith('hard.db')) fs.rmSync(from);
  }

  fs.writeFileSync(backup.replace(/\.db$/, '.key'), 'k'.repeat(40));
  for (const inTheWay of ['service.db.before-7', 'service.key.unfinished', 'service.db.restoring']) {
    fs.mkdirSync(`${folder}/${inTheWay}`);
    await expect(restore(backup, file, 7)).rejects.toThrow();
    expect(contentsOf(folder), inTheWay).toEqual(before);
    fs.rmdirSync(`${folder}/${inTheWay}`);
  }
});

test('a copy beside the database with its name can be restored, and what was set aside comes back with its key', async () => {
  const folder = tempFolder();
  const file = `${folder}/service.db`;
  const service = await serve(folder);
  await create(service.url, 'Before');
  const backup = await backUpHere(folder);
  await create(service.url, 'After');
  await service.stop();
  const key = fs.readFileSync(`${folder}/service.key`, 'utf8');
  fs.copyFileSync(backup, `${folder}/service.bak`);
  // Left by a restore that was killed.
  fs.writeFileSync(`${folder}/service.db.restoring-wal`, 'left over');

  const aside = await restore(`${folder}/service.bak`, file, 1);
  expect(fs.readFileSync(`${folder}/service.key`, 'utf8')).toBe(key);
  expect([...contentsOf(folder).keys()].filter((name) => name.includes('restoring'))).toEqual([]);
  const restored = await serve(folder);
  expect(await titles(restored.url)).toEqual(['Before']);
  await restored.stop();

  fs.writeFileSync(`${folder}/service.key`, 'k'.repeat(40));
  await restore(aside ?? '', file, 2);
  expect(fs.readFileSync(`${folder}/service.key`, 'utf8')).toBe(key);
  expect(fs.readFileSync(`${folder}/service.db.before-2.key`, 'utf8')).toBe('k'.repeat(40));
  const again = await serve(folder);
  expect(await titles(again.url)).toEqual(['After', 'Before']);
  await again.stop();
});

test('the key is written to a new folder, and a failure says so beside the backup', async () => {
  const folder = tempFolder();
  const service = await serve(folder);
  await service.stop();
  const key = fs.readFileSync(`${folder}/service.key`, 'utf8');
  const to = `${folder}/missing/folder/x.key`;

  expect(await node(folder, 'backup', '--key', to)).toMatchObject({ code: 0, stderr: '' });
  expect(fs.readFileSync(to, 'utf8')).toBe(key);
  expect((fs.statSync(path.dirname(to)).mode & 0o777).toString(8)).toBe('700');

  fs.rmSync(`${folder}/backups`, { recursive: true });
  fs.writeFileSync(`${folder}/file`, '');
  const failed = await node(folder, 'backup', '--key', `${folder}/file/x.key`);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^--key: .*\n$/) });
  expect(failed.stdout).toContain(backupsIn(folder)[0]);
  const aFolder = await node(folder, 'backup', '--key', `${folder}/missing`);
  expect(aFolder).toMatchObject({ code: 1, stderr: expect.stringContaining('--key') });
});

/** Returns the sealed links that a database keeps for resending. */
function sealedIn(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    return sqlite
      .prepare('SELECT token_plaintext FROM invites WHERE token_plaintext IS NOT NULL')
      .pluck()
      .all() as string[];
  } finally {
    sqlite.close();
  }
}
