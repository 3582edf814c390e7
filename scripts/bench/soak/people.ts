// The actions of voters, members and patrons in the soak.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Asker } from './asker.ts';

/** Enough members that none of them exceeds the limit of codes per address within ten hours. */
export const MEMBERS = 200;
const BALLOTS_AN_ELECTION = 600;
const INVITED = 20;
const CODE_WITHIN_MS = 20_000;
const LOOKS = [
  ...['/', '/now', '/events', '/requests', '/setlist/top-songs', '/api/events', '/api/tenders'],
  ...['/api/now-playing/setlist', '/api/now-playing/snapshot', '/api/takeover', '/tv', '/health'],
];

/** Holds one whole election: invitations, ballots at a steady pace, the close, public pages, mails with the result. */
export async function holdElection(asker: Asker, running: () => boolean): Promise<void> {
  const { id } = await asker.staff('election', '/admin/elections', {
    body: {
      title: 'The soak',
      ballot_type: 'SIMPLE_TRIPLE',
      settings: { receipts: 'content' },
      open_at: '2020-01-01T00:00:00Z',
      close_at: '2099-01-01T00:00:00Z',
    },
  });
  const { tokens } = await asker.staff('election', `/admin/elections/${id}/tokens`, {
    body: { count: BALLOTS_AN_ELECTION },
  });
  const emails = Array.from({ length: INVITED }, (_, nth) => `member${nth}@club.example`);
  await asker.staff('mailing', `/admin/elections/${id}/invite`, { body: { emails, queue: true } });
  for (const token of tokens) {
    if (!running()) break;
    // Not awaited: a slow answer does not make the next voter wait.
    const vote = asker.ask('vote', `/e/${id}/vote`, { body: { token, choice: 'yes' } });
    vote.catch(() => undefined);
    await pause(100);
  }
  await asker.staff('close', `/admin/elections/${id}/close`, { method: 'POST' });
  for (const page of ['results', 'recount']) await asker.ask(page, `/e/${id}/${page}`);
  await asker.staff('mailing', `/admin/elections/${id}/results-email`, { body: {} });
}

export async function look(asker: Asker, nth: number): Promise<void> {
  const page = LOOKS[nth % LOOKS.length]!;
  await asker.ask('page', page, { headers: { accept: page.startsWith('/api/') ? '*/*' : 'text/html' } });
}

/** Signs in with a mailed code, opens the member's own page, and signs out. */
export async function signIn(asker: Asker, outbox: string, nth: number): Promise<void> {
  const email = `member${nth % MEMBERS}@club.example`;
  const own = { 'sec-fetch-site': 'same-origin' };
  const asked = await asker.ask('sign-in', '/sign-in', {
    body: new URLSearchParams({ email }).toString(),
    headers: own,
    wanted: 303,
  });
  const cookies = new Map<string, string>();
  const keep = (lines: string[] = []) => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return [...cookies].map((pair) => pair.join('=')).join('; ');
  };
  const asking = keep(asked.headers['set-cookie']);
  const code = await mailedCode(outbox, email);
  if (!code) throw asker.wrong(`sign-in: no mail with a code came within ${CODE_WITHIN_MS / 1_000} s`);
  const signedIn = await asker.ask('sign-in', '/sign-in/code', {
    body: new URLSearchParams({ code }).toString(),
    headers: { ...own, cookie: asking },
    wanted: 303,
  });
  const cookie = keep(signedIn.headers['set-cookie']);
  await asker.ask('me', '/me', { headers: { cookie, accept: 'text/html' } });
  await asker.ask('sign-in', '/sign-out', { body: 'x=', headers: { ...own, cookie }, wanted: 303 });
}

/** Waits for a mail with a code to an address. @returns the code of the newest one, which is deleted */
async function mailedCode(outbox: string, email: string): Promise<string | undefined> {
  const until = performance.now() + CODE_WITHIN_MS;
  while (performance.now() < until) {
    await pause(100);
    if (!fs.existsSync(outbox)) continue;
    for (const name of fs.readdirSync(outbox).sort().reverse()) {
      const file = path.join(outbox, name);
      const text = fs.readFileSync(file, 'utf8');
      if (!new RegExp(`^To: .*\\b${email}`, 'm').test(text)) continue;
      const [code] = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(/^Subject: .*$/m.exec(text)?.[0] ?? '') ?? [];
      if (!code) continue;
      fs.rmSync(file);
      return code;
    }
  }
  return undefined;
}

/** Deletes mails older than a minute, so that they do not accumulate. */
export function emptyOutbox(outbox: string): void {
  if (!fs.existsSync(outbox)) return;
  const before = Date.now() - 60_000;
  for (const name of fs.readdirSync(outbox)) {
    const file = path.join(outbox, name);
    if (fs.statSync(file).mtimeMs < before) fs.rmSync(file, { force: true });
  }
}

export async function beat(asker: Asker, nth: number): Promise<void> {
  await asker.ask('screen', '/api/screens/heartbeat', {
    body: { screen: `wall-${nth % 10}`, page: 'tv', version: 'soak', uptime_s: nth, viewport: '1920x1080' },
  });
}

export async function subscribe(asker: Asker, nth: number): Promise<void> {
  const body = { name: 'A member', email: `subscriber${nth}@club.example` };
  await asker.ask('subscribe', '/api/subs/new?calendar_id=programs', { body });
}
