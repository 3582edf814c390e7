import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ensureDatabase } from '#test/support/app.ts';
import { freePort } from '#test/support/process/free-port.ts';
import { holdSocket, sendSteadily } from '#test/support/process/held-socket.ts';
import {
  DATABASE_FILES,
  modesIn,
  PRIVATE,
  runToEnd,
  startProcess,
  startService,
  tempFolder,
} from '#test/support/process/process.ts';

test('a restart refuses no request: they wait in the socket of the parent; a standby takes over from a killed service', async () => {
  const folder = tempFolder();
  const held = await holdSocket(folder);
  const { port } = held;
  const first = await held.listening();
  const asking = sendSteadily(() => ask(port));
  await ask(port);

  await held.end('SIGTERM', 0);
  const second = await held.listening();
  await ask(port);
  const statuses = await asking.stop();

  expect(second).not.toBe(first);
  expect(statuses.length).toBeGreaterThan(20);
  expect(new Set(statuses)).toEqual(new Set([200]));

  // A socket that is meant for another process is not used.
  const others = { LISTEN_PID: '1', LISTEN_FDS: '1' };
  const standby = startProcess(folder, { STANDBY: 'on', PORT: String(await freePort()), ...others });
  const waits = await standby.line(/^Standby: .* waiting at (http:.*)$/);
  const url = waits[1] ?? '';
  const stopped = startProcess(folder, { STANDBY: 'on' });
  await stopped.line(/^Standby:/);

  stopped.process.kill('SIGTERM');
  expect(await stopped.ended).toBe(0);
  // It never touched the database.
  expect(await ask(port)).toBe(200);
  const health = await fetch(`${url}/health`);
  const page = await fetch(`${url}/events`);
  const played = await play(`http://127.0.0.1:${port}`, 'Before');
  // What older versions created with other permissions.
  for (const file of DATABASE_FILES.slice(0, 4)) fs.chmodSync(path.join(folder, file), 0o644);
  // Killed, so that its write-ahead log still exists.
  await held.end('SIGKILL', 137);
  await standby.line(/Server listening at/);

  expect([health.status, page.status, page.headers.get('retry-after')]).toEqual([503, 503, '5']);
  expect(await health.json()).toMatchObject({ service: 'publichouse', status: 'standby' });
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await play(url, 'After')) - played).toBe(1);
  // Permissions of existing files are restricted as well.
  expect(modesIn(folder)).toEqual(PRIVATE);
});

test('a service whose lock was moved away writes no more and says so, while another serves', async () => {
  const folder = tempFolder();
  const lock = path.join(folder, 'service.db.lock');
  await ensureDatabase(path.join(folder, 'service.db'));
  const first = startProcess(folder);
  const [, url = ''] = await first.line(/Server listening at (http:[^"]+)/);
  const before = await play(url, 'Before');

  fs.renameSync(lock, `${lock}.stale`);
  await first.line(/The lock .* was deleted, moved or replaced/);
  const refused = await ingest(url, 'Refused');
  const health = await fetch(`${url}/health`);
  const second = await startService(folder);
  const after = await play(second.url, 'After');
  // Put back, the lock is again that of the first, but the other has written meanwhile.
  fs.renameSync(`${lock}.stale`, lock);

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect([health.status, await health.json()]).toMatchObject([503, { checks: { database: 'lock_lost' } }]);
  expect(after - before).toBe(1);
  expect((await ingest(url, 'Refused again')).status).toBe(503);
  expect((await fetch(`${url}/events`)).status).toBe(200);
});

test('more than one socket from the parent stops the start with one line', async () => {
  const { code, stderr } = await runToEnd(tempFolder(), {}, [
    'sh',
    '-c',
    'LISTEN_PID=$$ LISTEN_FDS=2 exec "$@"',
    'sh',
  ]);

  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^LISTEN_FDS: must be 1/)]);
});

/** Sends one request over its own connection, and returns the status; rejects when it is refused or cut off. */
function ask(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get({ port, host: '127.0.0.1', path: '/health', agent: false }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', reject);
      })
      .once('error', reject);
  });
}

const ingest = (url: string, title: string) =>
  fetch(`${url}/api/now-playing/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ artist: 'The Anchors', title }),
  });

async function play(url: string, title: string): Promise<number> {
  const answer = await ingest(url, title);
  return ((await answer.json()) as { id: number }).id;
}
