// The actions of staff, music players and scheduled jobs in the soak.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { multipart, smallPicture } from '#test/support/pictures.ts';
import type { Asker } from './asker.ts';
import { MEMBERS } from './people.ts';

const BACKUP = path.join(import.meta.dirname, '../../backup.ts');

/** Publishes a new record, changes and publishes it again, reads it, and removes it. */
export async function edit(asker: Asker, nth: number): Promise<void> {
  const title = `Quiz ${nth}`;
  const event = { title, place: 'Pub', date: '2030-01-01', time: '20:00', rule: 'FREQ=WEEKLY' };
  const [kind, body] = nth % 2 ? ['event', event] : ['announcement', { title, text: 'Tonight' }];
  const base = `/api/admin/content/${kind}`;
  const { id } = await asker.staff('content', base, { body: { body, publish: true } });
  const change = { version: 1, body: { title: `${title}, later` }, publish: true };
  await asker.staff('content', `${base}/${id}`, { method: 'PATCH', body: change });
  await asker.staff('content', `${base}/${id}`);
  await asker.staff('content', `${base}/${id}/remove`, { body: { version: 2 } });
}

export async function sendPicture(asker: Asker, nth: number): Promise<void> {
  const bytes = await smallPicture(`#${((nth * 7_919) % 0xffffff).toString(16).padStart(6, '0')}`);
  const { payload, headers } = await multipart({ alt: `Picture ${nth}` }, { picture: { bytes } });
  const { id } = await asker.staff('picture', '/api/admin/pictures', {
    body: new Uint8Array(payload),
    headers,
  });
  await asker.staff('picture', `/api/admin/pictures/${id}/file?size=480`);
  await asker.staff('picture', `/api/admin/pictures/${id}`, { method: 'DELETE' });
}

export async function takeOver(asker: Asker, nth: number): Promise<void> {
  const notice = { kind: 'own', title: `Notice ${nth}`, minutes: 5 };
  const { id } = await asker.staff('takeover', '/api/admin/takeover', { body: notice });
  await asker.staff('takeover', `/api/admin/takeover/${id}/end`, { method: 'POST' });
}

/** Adds an external calendar, which the service reads every hour of its clock. */
export async function addCalendar(asker: Asker, address: string): Promise<void> {
  const source = { name: 'Choir', address, goes_to: ['screens', 'calendar'] };
  await asker.staff('calendar', '/api/admin/ical', { body: source });
}

export async function listen(asker: Asker, token: string, nth: number, now: number): Promise<void> {
  const listened_at = Math.floor(now / 1_000) - 60;
  const song = (count: number) => ({
    artist_name: `Artist ${count % 40}`,
    track_name: `Song ${count % 900}`,
    release_name: 'Album',
    additional_info: { duration_ms: 200_000, submission_client: 'soak' },
  });
  const headers = { authorization: `Token ${token}` };
  const submit = (listen_type: string, payload: object[]) =>
    asker.ask('listens', '/api/listenbrainz/1/submit-listens', { body: { listen_type, payload }, headers });
  await submit('playing_now', [{ track_metadata: song(nth) }]);
  await submit('single', [{ listened_at, track_metadata: song(nth) }]);
  if (nth % 10 > 0) return;
  const past = Array.from({ length: 50 }, (_, at) => ({
    listened_at: listened_at - 86_400 * 30 - nth * 10_000 - at * 200,
    track_metadata: song(nth + at),
  }));
  await submit('import', past);
}

/** Imports the list of members, in which some names have changed since the last time. */
export async function importRoll(asker: Asker, nth: number): Promise<void> {
  const lines = Array.from({ length: 2 * MEMBERS }, (_, at) => {
    const name = at % 7 === nth % 7 ? `Member Number ${at}, ${nth}` : `Member Number ${at}`;
    return `"${name}",member${at}@club.example`;
  });
  const body = { csv: ['Name,Email', ...lines].join('\n') };
  const seen = await asker.staff('roll', '/api/admin/people/import', { body: { ...body, dry_run: true } });
  await asker.staff('roll', '/api/admin/people/import', {
    body: { ...body, dry_run: false, check: seen.check },
  });
}

export async function watch(asker: Asker): Promise<void> {
  for (const page of ['/admin/health', '/metrics', '/admin/people', '/admin/content', '/admin/audit-logs'])
    await asker.staff('officers', page, { headers: { accept: 'text/html' } });
}

export async function backUp(asker: Asker, folder: string): Promise<void> {
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${folder}/service.db` };
  const child = spawn(process.execPath, [BACKUP, `${folder}/backups`, '--keep', '3', '--now'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw asker.wrong(`backup: ${code} ${said.trim().slice(0, 80)}`);
}
