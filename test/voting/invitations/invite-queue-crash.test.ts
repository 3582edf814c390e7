import { once } from 'node:events';
import type net from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { type ParsedMail, parseMail } from '#test/stand-ins/parse-mail.ts';
import { BASE, mailTo } from '#test/support/app.ts';
import { type ServiceProcess, startHere, startService, tempFolder } from '#test/support/process.ts';

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
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { mails, url: `smtp://127.0.0.1:${(server.server.address() as net.AddressInfo).port}` };
}

async function json(service: Listening, path: string, body?: object, method = body ? 'POST' : 'GET') {
  const answer = await fetch(service.url + path, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

/** Queues invitations to an election that opens later, and then opens it. */
async function openWithQueue(service: Listening, count: number): Promise<string> {
  const now = systemClock();
  const dates = (opens: number) => ({ open_at: isoTime(now + opens), close_at: isoTime(now + 9 * HOUR) });
  const fields = { title: 'The piano', ballot_type: 'SIMPLE_TRIPLE', ...dates(HOUR) };
  const { id } = await json(service, '/admin/elections', fields);
  const queued = await json(service, `/admin/elections/${id}/invite`, { emails: people(count), queue: true });
  expect(queued.summary).toMatchObject({ queued: count });
  await json(service, `/admin/elections/${id}/dates`, dates(-HOUR), 'PATCH');
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
  const env = { LOCAL_BYPASS: 'on', ...mailTo(server.url), MAILER_PACE_PER_MINUTE: '600' };
  const first = await startService(folder, env);
  const id = await openWithQueue(first, 25);
  const sentBy = async () => (await invitesOf(first, id)).filter(({ status }) => status === 'SENT');
  await expect.poll(async () => (await sentBy()).length, { interval: 20 }).toBe(3);
  await expect.poll(() => server.mails.length, { interval: 20 }).toBe(3 + CONNECTIONS);
  const sent = (await sentBy()).map(({ email }) => email);

  killed = true;
  first.process.kill('SIGKILL');
  await first.ended;
  const second = await startHere(folder, { ...env, MAILER_PACE_PER_MINUTE: '6000' });
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

test('a service killed after a mail was accepted and before it is recorded repeats only that mail', async () => {
  const folder = tempFolder();
  let service: ServiceProcess | undefined;
  const server = await watchedServer(async (_mail, nth) => {
    // At one mail per second only one is in transit: the service is killed while its acceptance is sent.
    if (nth === 1) service?.process.kill('SIGKILL');
  });
  const env = { LOCAL_BYPASS: 'on', ...mailTo(server.url), MAILER_PACE_PER_MINUTE: '60' };
  service = await startService(folder, env);
  const id = await openWithQueue(service, 4);
  await service.ended;
  const again = await startHere(folder, { ...env, MAILER_PACE_PER_MINUTE: '6000' });
  const rows = await settled(again, id);

  expect(rows.map(({ status }) => status)).toEqual(Array(4).fill('SENT'));
  const mails = byRecipient(server.mails);
  expect([...mails.keys()].toSorted()).toEqual(people(4));
  expect(server.mails.length).toBeLessThanOrEqual(5);
});

test('an invitation in a request that a kill -9 ended is sent after the next start', async () => {
  const folder = tempFolder();
  let service: ServiceProcess | undefined;
  const server = await watchedServer(async (_mail, nth) => {
    if (nth === 3) service?.process.kill('SIGKILL');
  });
  const env = { LOCAL_BYPASS: 'on', ...mailTo(server.url) };
  service = await startService(folder, env);
  const now = systemClock();
  const { id } = await json(service, '/admin/elections', {
    ...{ title: 'The piano', ballot_type: 'SIMPLE_TRIPLE' },
    ...{ open_at: isoTime(now - HOUR), close_at: isoTime(now + HOUR) },
  });
  const answer = json(service, `/admin/elections/${id}/invite`, { emails: people(20) }).catch(
    () => 'no answer',
  );

  expect(await answer).toBe('no answer');
  await service.ended;
  const again = await startHere(folder, { ...env, MAILER_PACE_PER_MINUTE: '6000' });
  const rows = await settled(again, id);

  expect(rows).toHaveLength(20);
  const mails = byRecipient(server.mails);
  expect([...mails.keys()].toSorted()).toEqual(people(20).toSorted());
  // Besides those in transit, the first two may have been accepted and not recorded yet.
  expect(server.mails.length).toBeLessThanOrEqual(20 + CONNECTIONS + 2);
  expect(server.mails.every(({ text }) => text.includes(BASE))).toBe(true);
});
