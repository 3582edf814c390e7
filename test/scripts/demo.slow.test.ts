import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SESSION_COOKIE } from '#kernel/access/sessions.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { freePort } from '#test/support/process/free-port.ts';
import { INHERITED, tempFolder } from '#test/support/process/process.ts';
import { makeAccounts, OWNER, signInAs } from '../../scripts/demo/accounts.ts';
import { aroundNow } from '../../scripts/demo/around.ts';
import { CLUBS } from '../../scripts/demo/clubs/index.ts';
import { addNeighbour, startNeighbour, writeContent } from '../../scripts/demo/content.ts';
import { holdElections } from '../../scripts/demo/elections.ts';
import { callMeeting, leadMeeting } from '../../scripts/demo/meeting.ts';
import { fillTheRoll } from '../../scripts/demo/members.ts';
import { readOptions } from '../../scripts/demo/options.ts';
import { ensureFree } from '../../scripts/demo/ports.ts';
import { serviceOf } from '../../scripts/demo/service.ts';

const SCRIPT = path.join(import.meta.dirname, '../../scripts/demo.ts');

describe('options', () => {
  it('are parsed, and each port has its own folder beside the database', () => {
    const given = ['--club', 'berlin', '--port', '4000', '--speed', '20'];
    expect(readOptions(given, { HOST: '0.0.0.0', DATABASE_URL: 'file:/data/publichouse.db' })).toMatchObject({
      club: 'berlin',
      setUp: false,
      host: '0.0.0.0',
      port: 4000,
      speed: 20,
      folder: '/data/demo/4000',
    });
    expect(readOptions([], {})).toMatchObject({
      club: 'anchor',
      host: '127.0.0.1',
      port: 3000,
      speed: 1,
      folder: path.resolve('data/demo/3000'),
    });
    expect(readOptions(['--help'], {})).toContain('--set-up');
  });

  it.each([
    [['--fast'], "Unknown option '--fast'"],
    [['20'], "Unexpected argument '20'"],
    [['--club', 'paris'], '--club must be anchor or berlin, not “paris”'],
    [['--language', 'xx'], 'pseudo, not “xx”'],
    [['--port', '65535'], '--port must be a whole number from 1 to 65534, not “65535”'],
    [['--speed', '0'], '--speed must be a number from 1 to 1000, not “0”'],
  ])('%j is refused by name', (args, message) => {
    expect(() => readOptions(args, {})).toThrow(message);
  });
});

it.each(Object.entries(CLUBS))('the club %s gets its content and its votes', async (_name, club) => {
  const mails = { ...mailTo(`file:${tempFolder()}`), BASE_URL: 'http://localhost:3000' };
  await using service = await testApp({ LOCAL_BYPASS: 'off', ...mails });
  const at = aroundNow(
    club.settings.time_zone ?? 'America/New_York',
    Temporal.Instant.fromEpochMilliseconds(service.clock.now),
  );
  await using neighbour = await startNeighbour(club, at);
  await makeAccounts(service.ctx);
  const cookie = `${SESSION_COOKIE}=${await signInAs(service.ctx, OWNER)}`;
  const never = new AbortController().signal;
  const demo = serviceOf(service.app, service.ctx, { host: 'localhost:3000', cookie }, never);
  await demo.put('/api/admin/settings', club.settings);

  await writeContent(demo, club, at);
  await addNeighbour(demo, club, neighbour.url);
  await expect.poll(async () => (await demo.get('/api/admin/ical')).sources[0].events).toBeGreaterThan(1);
  const events = (await demo.get('/events', { accept: 'text/html' })).text;
  for (const { title } of [...club.events(at).slice(1, 3), ...club.neighbour.events(at)])
    expect(events).toContain(title);

  const { sections } = await demo.get('/api/menu');
  expect(sections.map(({ title }: { title: string }) => title)).toEqual(club.menu.map(({ title }) => title));

  await fillTheRoll(demo, club, 30);
  const { big, receipt, ballot, paper } = await holdElections(demo, club, 30);
  expect((await demo.get(ballot, { accept: 'text/html' })).text).toContain(club.elections.treasurer.title);
  const { text } = await demo.get(paper, { accept: 'text/html' });
  for (const { title } of [club.board.chair, club.board.committee, club.board.treasurer, club.board.rules])
    expect(text).toContain(title);
  expect(await demo.post(`/e/${big}/check`, { code: receipt })).toMatchObject({ found: true });

  const meeting = await callMeeting(demo, club);
  await leadMeeting(demo, meeting, Number.POSITIVE_INFINITY, never);
  const { items } = await demo.get(`/admin/meetings/${meeting.id}`);
  const states = items.map(({ state }: { state: string }) => state).slice(0, 4);
  expect(states).toEqual(['declared', 'declared', 'open', 'prepared']);
  const { code } = await demo.get(meeting.page);
  expect(code.questions.map(({ used }: { used: boolean }) => used)).not.toContain(true);
});

it('a new club is set up with the printed code, its mails are in the outbox, and Ctrl-C ends it', async () => {
  const port = await twoFreePorts();
  const child = spawn(process.execPath, [SCRIPT, '--set-up', '--port', String(port)], {
    cwd: tempFolder(),
    env: INHERITED,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (line.startsWith('Ctrl-C')) break;
  }
  const [code = ''] = /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(printed.join('\n')) ?? [];
  const service = `http://127.0.0.1:${port}`;
  const send = (url: string, body: object) =>
    fetch(service + url, {
      method: 'POST',
      redirect: 'manual',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    });

  expect((await send('/set-up', { code, name: 'Ada Thornbury', email: 'ada@club.example' })).status).toBe(
    200,
  );
  expect((await send('/sign-in', { email: 'ada@club.example' })).status).toBe(200);
  const outbox = () => fetch(`http://127.0.0.1:${port + 1}/`).then((answer) => answer.text());
  await expect.poll(outbox).toContain('ada@club.example');
  await expect(ensureFree('127.0.0.1', port)).rejects.toThrow(`Port ${port} is taken`);

  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

async function twoFreePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    const next = await ensureFree('127.0.0.1', port + 1).then(
      () => true,
      () => false,
    );
    if (next) return port;
  }
}
