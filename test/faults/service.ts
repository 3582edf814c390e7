// Helpers of every fault script: the real process, concurrent users, and checks of the database afterwards.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { verifyAudit } from '#kernel/db/audit.ts';
import { createReader, Statements } from '#kernel/db/queries.ts';

const MAIN = path.join(import.meta.dirname, '../../src/main.ts');
const MOVED_CLOCK = path.join(import.meta.dirname, '../support/process/moved-clock.ts');

export interface ServiceProcess {
  url: string;
  process: ChildProcess;
  folder: string;
  /** Everything it has written to its output so far. */
  output: () => string;
}

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});
// process.exit runs the exit handlers, which end the started processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Creates a folder that is deleted when the process exits. */
export function tempFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faults-'));
  folders.push(folder);
  return folder;
}

/** How the service is run. */
interface Running {
  /** A command that runs it, such as strace. */
  under?: string[];
  /** Whether messages of milliseconds move its clock ahead or back. */
  movable?: boolean;
  /** A listening socket, passed to the command as descriptor 3. */
  socket?: number;
}

/** Starts the service on `folder`. @throws if it ends first */
export async function start(
  folder: string,
  { env = {}, ...running }: Running & { env?: Record<string, string> } = {},
): Promise<ServiceProcess> {
  const settings = {
    DATABASE_URL: `file:${folder}/service.db`,
    BASE_URL: 'https://club.example',
    LOCAL_BYPASS: 'on',
    FROM_EMAIL: 'club@club.example',
    MAILER_API_KEY: 'any',
    MAILER_URL: `file:${folder}/outbox`,
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_VOTE: '1000000',
    // Every track counts, also a repeated one.
    NOW_PLAYING_DEDUPE_WINDOW_SECONDS: '0',
    LYRICS_API_URL: '',
    GENRE_API_URL: '',
    OVERLOAD_DELAY_MS: '0',
    ...env,
  };
  return launch(folder, settings, running);
}

/** Starts the service with these settings and no others, on a free port. @throws if it ends first */
export async function launch(
  folder: string,
  settings: Record<string, string>,
  { under = [], movable = false, socket }: Running = {},
): Promise<ServiceProcess> {
  const clock = movable ? ['--import', MOVED_CLOCK] : [];
  const [command = '', ...args] = [...under, process.execPath, ...clock, MAIN];
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', ...settings },
    stdio: [
      'ignore',
      'pipe',
      'pipe',
      ...(socket === undefined ? [] : [socket]),
      ...(movable ? (['ipc'] as const) : []),
    ],
    // Its own process group, so that the command it runs under ends with it.
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said += chunk;
    });
  }
  const killed = () => signalGroup(child, 'SIGKILL');
  process.on('exit', killed);
  child.once('exit', () => process.off('exit', killed));
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, url] = /Server listening at (http:[^"]+)/.exec(line) ?? [];
    if (!url) continue;
    child.stdout!.resume();
    return { url, process: child, folder, output: () => said };
  }
  throw new Error(`The service ended before it listened: ${said}`);
}

/** The headers of a manager behind the edge, and the settings with which the service trusts them. */
export const MANAGER = { 'edge-access-authenticated-user-email': 'mia@club.example' };
export const BELIEVE_EDGE = { EDGE_ACCESS_TRUST_HEADERS: 'on', TRUSTED_PROXIES: '127.0.0.1' };

/** Gives the manager their role, or another one, in a database file that may not exist yet. */
export function appointManager(file: string, role = 'manager'): void {
  const [email] = Object.values(MANAGER);
  const script = path.join(import.meta.dirname, '../../scripts/admin.ts');
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${file}` };
  const { status, stderr } = spawnSync(process.execPath, [script, 'grant', email!, role], { env });
  if (status !== 0) throw new Error(String(stderr));
}

/** Waits until the process has ended, after sending a signal if given. Returns its exit code. */
export async function end(service: ServiceProcess, signal?: NodeJS.Signals): Promise<number | null> {
  const { process: child } = service;
  if (signal) signalGroup(child, signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** What the service has acknowledged. */
export interface Acknowledged {
  ballots: number;
  /** Ids of plays. */
  plays: number[];
  /** Addresses that signed up for the calendar. */
  addresses: string[];
  /** Other requests by status; 0 for no answer. */
  refused: Record<number, number>;
}

export interface OpenElection {
  election: string;
  tokens: string[];
}

export async function openElection({ url }: ServiceProcess, voters: number): Promise<OpenElection> {
  const year = 365 * 86_400_000;
  const at = (ms: number) => Temporal.Now.instant().add({ milliseconds: ms }).toString();
  const made = (await post(`${url}/admin/elections`, {
    title: 'Under faults',
    ballot_type: 'SIMPLE_TRIPLE',
    open_at: at(-year),
    close_at: at(year),
  })) as { body: { id: string } };
  const tokens: string[] = [];
  while (tokens.length < voters) {
    const answer = await post(`${url}/admin/elections/${made.body.id}/tokens`, { count: 1_000 });
    tokens.push(...(answer.body as { tokens: string[] }).tokens);
  }
  return { election: made.body.id, tokens: tokens.slice(0, voters) };
}

/** Votes, plays tracks and signs up for the calendar concurrently until `done` or no tokens are left. */
export async function crowd(
  service: ServiceProcess,
  { election, tokens }: OpenElection,
  done: (so: Acknowledged) => boolean,
): Promise<Acknowledged> {
  const so: Acknowledged = { ballots: 0, plays: [], addresses: [], refused: {} };
  const waiting = [...tokens];
  let person = 0;
  let stopped = false;
  const each = async (deed: () => Promise<boolean>) => {
    while (!stopped && (await deed())) stopped ||= done(so);
  };
  const byProxy = () => ({ 'edge-connecting-ip': `10.0.${person >> 8}.${person++ & 255}` });
  const ask = async (
    path: string,
    body: object,
    yes: (body: never) => void,
    headers: Record<string, string> = byProxy(),
  ) => {
    const answer = await post(service.url + path, body, headers);
    if (answer.status === 200) yes(answer.body as never);
    else so.refused[answer.status] = (so.refused[answer.status] ?? 0) + 1;
    if (answer.status === 0) stopped = true;
  };

  const vote = async () => {
    const token = waiting.pop();
    if (token) await ask(`/e/${election}/vote`, { token, choice: 'yes' }, () => (so.ballots += 1));
    return token !== undefined;
  };
  const play = async () => {
    const track = { artist: 'The Anchors', title: `Song ${person}` };
    person += 1;
    // Without a token the device is heard on this machine alone, and not through a proxy.
    await ask('/api/now-playing/ingest', track, ({ id }: { id: number }) => so.plays.push(id), {});
    return true;
  };
  const signUp = async () => {
    const email = `member${person}@club.example`;
    const form = { name: 'A member', email };
    await ask('/api/subs/new?calendar_id=programs', form, () => so.addresses.push(email));
    return true;
  };
  const voters = Array.from({ length: 24 }, () => each(vote));
  const others = [
    ...Array.from({ length: 4 }, () => each(play)),
    ...Array.from({ length: 4 }, () => each(signUp)),
  ];
  await Promise.all(voters);
  stopped = true;
  await Promise.all(others);
  return so;
}

/** Returns complaints about the database, given what was acknowledged; no process may use it meanwhile. */
export async function complaints(
  folder: string,
  { election }: OpenElection,
  so: Acknowledged,
): Promise<string[]> {
  const sqlite = new Sqlite(`${folder}/service.db`);
  const db = createReader(new Statements(sqlite));
  const found: string[] = [];
  const one = (statement: string, ...values: unknown[]) =>
    Number(
      (sqlite
        .prepare(statement)
        .pluck()
        .get(...values) as number) ?? 0,
    );
  try {
    const integrity = sqlite.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') found.push(`integrity: ${integrity}`);
    const ballots = one('SELECT count(*) FROM ballots WHERE election_id = ?', election);
    const used = one('SELECT count(*) FROM tokens WHERE election_id = ? AND used_at IS NOT NULL', election);
    const told = one("SELECT count(*) FROM audit_log WHERE action = 'vote.submitted'");
    if (ballots < so.ballots) found.push(`${so.ballots} ballots were acknowledged, ${ballots} are there`);
    if (used !== ballots || told !== ballots)
      found.push(`${ballots} ballots, but ${used} used tokens and ${told} audit entries`);
    const lost = so.plays.filter((id) => one('SELECT count(*) FROM plays WHERE id = ?', id) !== 1);
    if (lost.length > 0) found.push(`${lost.length} acknowledged plays are lost`);
    if (new Set(so.plays).size !== so.plays.length) found.push('two plays have one id');
    const outbox = fs.existsSync(`${folder}/outbox`) ? fs.readdirSync(`${folder}/outbox`) : [];
    const mails = outbox.map((name) => fs.readFileSync(`${folder}/outbox/${name}`, 'utf8')).join('\n');
    const unheard = so.addresses.filter((email) => !mails.includes(email));
    if (unheard.length > 0) found.push(`${unheard.length} who signed up got no mail`);
    const { broken } = verifyAudit(db);
    if (broken) found.push(`the audit log is broken at entry ${broken.seq}`);
  } finally {
    sqlite.close();
  }
  return found;
}

/** Posts JSON. Status 0: no answer. */
export async function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown; retryAfter: string | null }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, body: await answer.json().catch(() => null), retryAfter };
  } catch {
    return { status: 0, body: null, retryAfter: null };
  }
}

/** Prints the result of a case; sets exit code 1 when there are complaints. */
export function report(what: string, found: string[]): void {
  for (const complaint of found) console.error(`  ${complaint}`);
  console.log(`${found.length === 0 ? 'ok  ' : 'FAIL'} ${what}`);
  if (found.length > 0) process.exitCode = 1;
}
