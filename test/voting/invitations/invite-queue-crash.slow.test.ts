import { once } from 'node:events';
import type net from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { type ParsedMail, parseMail } from '#test/stand-ins/parse-mail.ts';
import { BASE, mailTo, testApp } from '#test/support/app.ts';
import { addElection, send } from '#test/support/factories.ts';
import {
  leftByKill,
  type ServiceProcess,
  startHere,
  startService,
  tempFolder,
} from '#test/support/process/process.ts';

/** How many mails the service sends at a time. */
const CONNECTIONS = 5;

const people = (count: number) => Array.from({ length: count }, (_, n) => `member${n}@club.example`);

type Listening = Pick<ServiceProcess, 'url'>;

interface TakenMail extends ParsedMail {
  to: string;
}

/** A mail server that calls `answer` for each complete message and waits for it before it accepts the message. */
async function watchedServer(answer: (mail: TakenMail, nth: number) => Promise<void>) {
  const mails: TakenMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 0,
    async onData(stream, { envelope }, done) {
      const chunks = await stream.toArray().catch(() => undefined);
      // The message was cut off: a server does not accept that.
      if (!chunks) return;
      const source = Buffer.concat(chunks).toString('utf8');
      const mail = { ...parseMail(source), to: envelope.rcptTo[0]?.address ?? '' };
      mails.push(mail);
      await answer(mail, mails.length);
      done();
    },
  });
  const sockets = new Set<net.Socket>();
  server.on('error', () => undefined);
  server.server.on('connection', (socket: net.Socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const closed = Promise.withResolvers<void>();
  const cut = () => {
    server.close(() => closed.resolve());
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    return closed.promise;
  });
  return { mails, cut, url: `smtp://127.0.0.1:${(server.server.address() as net.AddressInfo).port}` };
}

async function json(service: Listening, path: string, body?: object, method = body ? 'POST' : 'GET') {
  const answer = await fetch(service.url + path, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

const dates = (now: number, opens: number) => ({
  open_at: isoTime(now + opens),
  close_at: isoTime(now + 9 * HOUR),
});

/** The settings of an officer on this machine, and the pace of the queue. */
const queueAt = (perMinute: number) => ({ LOCAL_BYPASS: 'on', MAILER_PACE_PER_MINUTE: String(perMinute) });

/** Queues invitations to an election that opens later, and then opens it. */
async function openWithQueue(service: Listening, count: number): Promise<string> {
  const now = systemClock();
  const fields = { title: 'The piano', ballot_type: 'SIMPLE_TRIPLE', ...dates(now, HOUR) };
  const { id } = await json(service, '/admin/elections', fields);
  const queued = await json(service, `/admin/elections/${id}/invite`, { emails: people(count), queue: true });
  expect(queued.summary).toMatchObject({ queued: count });
  await json(service, `/admin/elections/${id}/dates`, dates(now, -HOUR), 'PATCH');
  return id;
}

async function invitesOf(service: Listening, id: string): Promise<{ email: string; status: string }[]> {
  return (await json(service, `/admin/elections/${id}/invites`)).invites;
}

/** Waits until an election has no queued invitations. */
async function settled(service: Listening, id: string): Promise<{ email: string; status: string }[]> {
  let rows: { email: string; status: string }[] = [];
  await expect
    .poll(
      async () => {
        rows = await invitesOf(service, id);
        return rows.filter(({ status }) => status === 'QUEUED').length;
      },
      { interval: 50 },
    )
    .toBe(0);
  return rows;
}

async function vote(service: Listening, id: string, { text }: ParsedMail): Promise<number> {
  const token = new URL(/https:\S+/.exec(text)![0]).searchParams.get('t');
  const answer = await fetch(`${service.url}/e/${id}/vote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, choice: 'yes' }),
  });
  await answer.text();
  return answer.status;
}

/** Groups mails by recipient; several mails to one recipient must be the same mail with the same link. */
function byRecipient(mails: TakenMail[]): Map<string, TakenMail[]> {
  const grouped = Map.groupBy(mails, ({ to }) => to);
  for (const same of grouped.values()) {
    expect(new Set(same.map(({ headers }) => headers['message-id'])).size).toBe(1);
    expect(new Set(same.map(({ text }) => text)).size).toBe(1);
  }
  return grouped;
}

test('after a kill -9 while sending, everyone gets the mail, and only mails in transit are sent twice', async () => {
  const folder = tempFolder();
  const never = new Promise<void>(() => undefined);
  let killed = false;
  const server = await watchedServer(async (_mail, nth) => {
    // The fourth mail and those in parallel are received but not acknowledged.
    if (nth >= 4 && !killed) await never;
  });
  const env = { ...mailTo(server.url), ...queueAt(600) };
  const first = await startService(folder, env);
  const id = await openWithQueue(first, 25);
  const sentBy = async () => (await invitesOf(first, id)).filter(({ status }) => status === 'SENT');
  await expect.poll(async () => (await sentBy()).length, { interval: 20 }).toBe(3);
  await expect.poll(() => server.mails.length, { interval: 20 }).toBe(3 + CONNECTIONS);
  const sent = (await sentBy()).map(({ email }) => email);

  killed = true;
  first.process.kill('SIGKILL');
  await first.ended;
  const second = await startHere(folder, { ...env, ...queueAt(6000) });
  const rows = await settled(second, id);

  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'SENT'));
  const mails = byRecipient(server.mails);
  expect([...mails.keys()].toSorted()).toEqual(people(25).toSorted());
  for (const [to, same] of mails) {
    expect(same.length, to).toBeLessThanOrEqual(2);
    if (sent.includes(to)) expect(same.length, to).toBe(1);
  }
  expect(server.mails.length).toBeLessThanOrEqual(25 + CONNECTIONS);
  const twice = [...mails.values()].find((same) => same.length === 2)!;
  expect([await vote(second, id, twice[0]!), await vote(second, id, twice[1]!)]).toEqual([200, 403]);
});

/** A service in the process of the test, of whose files a copy is made when it has sent the nth mail. */
async function killedAt(nth: number) {
  const folder = tempFolder();
  let left: string | undefined;
  const server = await watchedServer(async (_mail, taken) => {
    if (taken === nth) left = leftByKill(folder);
    if (left) server.cut();
  });
  const env = { ...mailTo(server.url), DATABASE_URL: `file:${folder}/service.db` };
  const service = await testApp(env, { delays: [] });
  service.clock.now = systemClock();
  const leftFolder = () => {
    if (!left) throw new Error('It sent fewer mails');
    return left;
  };
  return Object.assign(service, { server, leftFolder });
}

test('a service killed after a mail was accepted and before it is recorded repeats only that mail', async () => {
  const after = await watchedServer(async () => undefined);
  await using first = await killedAt(1);
  const id = await addElection(first, { open_at: isoTime(first.clock.now + HOUR) });
  await first.post(`/admin/elections/${id}/invite`, { emails: people(4), queue: true });
  const now = first.clock.now;
  await send(first, 'PATCH', `/admin/elections/${id}/dates`, dates(now, -HOUR));
  await sendDueMails(first.ctx);

  const second = await startHere(first.leftFolder(), { ...queueAt(6000), ...mailTo(after.url) });
  const rows = await settled(second, id);

  expect(rows.map(({ status }) => status)).toEqual(Array(4).fill('SENT'));
  const taken = [...first.server.mails, ...after.mails];
  expect([...byRecipient(taken).keys()].toSorted()).toEqual(people(4));
  expect(taken.length).toBeLessThanOrEqual(5);
});

test('an invitation in a request that a kill -9 ended is sent after the next start', async () => {
  const after = await watchedServer(async () => undefined);
  await using first = await killedAt(3);
  const id = await addElection(first);
  await first.post(`/admin/elections/${id}/invite`, { emails: people(20) });

  const second = await startHere(first.leftFolder(), { ...queueAt(6000), ...mailTo(after.url) });
  const rows = await settled(second, id);

  expect(rows).toHaveLength(20);
  const taken = [...first.server.mails, ...after.mails];
  const mails = byRecipient(taken);
  expect([...mails.keys()].toSorted()).toEqual(people(20).toSorted());
  // Besides those in transit, the first two may have been accepted and not recorded yet.
  expect(taken.length).toBeLessThanOrEqual(20 + CONNECTIONS + 2);
  expect(taken.every(({ text }) => text.includes(BASE))).toBe(true);
});
