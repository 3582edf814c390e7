// A service with elections, as used by officers, by voters, and by attackers with access to the disk.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { end, type ServiceProcess, start, tempFolder } from '#test/faults/service.ts';

const SCRIPTS = path.join(import.meta.dirname, '../../../scripts');

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls `look` until it returns true. @throws with `what` when that takes longer than half a minute */
export async function until(
  what: string,
  look: () => Promise<boolean> | boolean,
  everyMs = 100,
): Promise<void> {
  const patience = performance.now() + 30_000;
  while (!(await look())) {
    if (performance.now() > patience) throw new Error(`It never came: ${what}`);
    await pause(everyMs);
  }
}

export interface Reply {
  status: number;
  text: string;
  /** Parsed JSON; otherwise null. */
  body: ReturnType<typeof JSON.parse>;
}

export interface Ballot {
  id: string;
  choice: string;
}

export class Club implements AsyncDisposable {
  readonly folder: string;
  readonly file: string;
  service: ServiceProcess;

  private constructor(folder: string, service: ServiceProcess) {
    this.folder = folder;
    this.file = path.join(folder, 'service.db');
    this.service = service;
  }

  static async open({ movable = false } = {}): Promise<Club> {
    const folder = tempFolder();
    return new Club(folder, await start(folder, { movable }));
  }

  /** @param body sent as JSON, or as a form */
  async ask(
    method: string,
    address: string,
    body?: object | URLSearchParams,
    accept = 'application/json',
    more: Record<string, string> = {},
  ): Promise<Reply> {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(this.service.url + address, {
      method,
      redirect: 'manual',
      headers: { ...more, accept, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, text, body: isJson ? JSON.parse(text) : null };
  }

  get = (address: string) => this.ask('GET', address);
  post = (address: string, body: object = {}) => this.ask('POST', address, body);
  /** The text of a page, without its tags. */
  async page(address: string): Promise<string> {
    return plain((await this.ask('GET', address, undefined, 'text/html')).text);
  }

  /** Creates an election that is open now and for another hour. */
  async election(fields: object = {}): Promise<string> {
    const now = systemClock();
    const made = await this.post('/admin/elections', {
      title: 'A piano',
      ballot_type: 'SIMPLE_TRIPLE',
      open_at: isoTime(now - HOUR),
      close_at: isoTime(now + HOUR),
      ...fields,
    });
    if (made.status !== 200) throw new Error(`The election was refused: ${made.text}`);
    return made.body.id;
  }

  async tokens(id: string, count: number, batch_name?: string): Promise<string[]> {
    return (await this.post(`/admin/elections/${id}/tokens`, { count, batch_name })).body.tokens;
  }

  /** Casts a ballot with each token. @throws when one is refused */
  async vote(id: string, tokens: readonly string[], choice: (index: number) => object): Promise<void> {
    for (const [index, token] of tokens.entries()) {
      const cast = await this.post(`/e/${id}/vote`, { token, ...choice(index) });
      if (cast.status !== 200) throw new Error(`A ballot was refused: ${cast.text}`);
    }
  }

  close = (id: string) => this.post(`/admin/elections/${id}/close`);

  async actions(id: string): Promise<string[]> {
    const { body } = await this.get(`/admin/audit-logs?limit=200&election_id=${id}`);
    return body.logs.map(({ action }: { action: string }) => action);
  }

  /** Stops the service, changes its database, and starts it again. */
  async whileStopped(change: (database: Sqlite.Database) => void): Promise<void> {
    await end(this.service, 'SIGTERM');
    const database = new Sqlite(this.file);
    try {
      change(database);
    } finally {
      database.close();
    }
    this.service = await start(this.folder);
  }

  /** Runs a script of the service on its database. */
  async run(script: string, ...args: string[]): Promise<{ code: number; said: string }> {
    const env = { PATH: process.env.PATH, DATABASE_URL: `file:${this.file}` };
    const command = [path.join(SCRIPTS, `${script}.ts`), ...args];
    const child = spawn(process.execPath, command, { env, cwd: this.folder, stdio: 'pipe' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const [code] = await once(child, 'close');
    return { code, said };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.service, 'SIGKILL');
  }
}

/** Returns the visible text of a page. */
function plain(page: string): string {
  return page
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,”])/g, '$1');
}

/** Returns a complaint for each text that a page lacks. */
export function lacks(page: string, ...words: string[]): string[] {
  return words.filter((word) => !page.includes(word)).map((word) => `the page does not say “${word}”`);
}

/** Kendall's tau: 1 for the same order, -1 for the reverse, about 0 for independent orders. */
export function rankCorrelation(ranks: readonly number[]): number {
  let sum = 0;
  for (let later = 1; later < ranks.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) sum += Math.sign(ranks[later]! - ranks[earlier]!);
  }
  return sum / ((ranks.length * (ranks.length - 1)) / 2);
}
