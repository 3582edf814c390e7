import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { QUEUE_LIMITS } from '#kernel/mail/limits.ts';
import { DEAD_ADDRESS, never, startMailServer, startSilentServer } from '#test/stand-ins/mail-server.ts';
import { parseMail } from '#test/stand-ins/parse-mail.ts';
import { mail, mailerFor, onlyMail } from '#test/support/mailer.ts';
import { holdTimeouts } from '#test/support/request-timeouts.ts';

const KEY = 'SG.very-secret/key+1';
const UNSURE = {
  ok: false,
  error: 'The mail server got the mail and did not say whether it takes it',
  permanent: false,
  isUnsure: true,
};

test('500 mails sent at once each arrive exactly once, over five connections at most', async () => {
  const server = await startMailServer();
  const mailer = mailerFor(server.url);
  const people = Array.from({ length: 500 }, (_, at) => `member${at}@club.example`);

  const results = await Promise.all(people.map((person) => mailer.send(mail(person, { id: person }))));

  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(server.mails.map(({ recipients }) => recipients.join()).sort()).toEqual(people.toSorted());
  expect(server.connections.most).toBeLessThanOrEqual(5);
});

test('a temporary refusal is tried three times, then fails with the message of the server', async () => {
  const server = await startMailServer({
    answer: () => ({ code: 450, text: 'Mailbox busy,\r\n try later' }),
  });

  const result = await mailerFor(server.url).send(mail('jane@club.example'));

  expect(result).toMatchObject({ ok: false, permanent: false });
  expect(result).toHaveProperty('error', expect.stringMatching(/^450 Mailbox busy, try later/));
  expect(server.tries.get('jane@club.example')).toBe(3);
});

test('a mail accepted at the third attempt is sent with the Message-ID of the first', async () => {
  const server = await startMailServer({
    answer: (_address, attempt) => (attempt < 3 ? { code: 451, text: 'Greylisted' } : 'take'),
  });

  expect(await mailerFor(server.url).send(mail('jane@club.example'))).toEqual({ ok: true });
  expect(onlyMail(server).headers['message-id']).toBe('<invite-1@votes.club.example>');
});

test('a permanent refusal fails at once and does not affect other mails', async () => {
  const server = await startMailServer({
    answer: (address) => (address.startsWith('gone') ? { code: 550, text: 'No such user' } : 'take'),
  });
  const mailer = mailerFor(server.url);

  const [gone, jane] = await Promise.all([
    mailer.send(mail('gone@club.example')),
    mailer.send(mail('jane@club.example')),
  ]);

  expect(gone).toEqual({ ok: false, error: '550 No such user', permanent: true });
  expect(jane).toEqual({ ok: true });
  expect(server.tries.get('gone@club.example')).toBe(1);
});

test('a mail whose connection drops after the message is unsure, and not sent again', async () => {
  const server = await startMailServer({ answer: () => 'drop' });

  expect(await mailerFor(server.url).send(mail('jane@club.example'))).toEqual(UNSURE);

  onlyMail(server);
});

test('a mail whose connection drops before the message is sent again', async () => {
  const server = await startMailServer({
    answer: (_address, attempt) => (attempt === 1 ? { code: 421, text: 'Closing' } : 'take'),
  });

  expect(await mailerFor(server.url).send(mail('jane@club.example'))).toEqual({ ok: true });

  onlyMail(server);
});

test('the queue waits as long as RFC 5321 says for the greeting, and after the final dot', () => {
  expect(QUEUE_LIMITS).toMatchObject({ greeting: 5 * MINUTE, silence: 10 * MINUTE });
  expect(QUEUE_LIMITS.attempt).toBeGreaterThan(QUEUE_LIMITS.greeting + 2 * QUEUE_LIMITS.silence);
});

test('a server that greets after 20 s and accepts after 60 s gets each mail once, at a fiftieth of the time', async () => {
  const pace = 50;
  const after = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms / pace));
  const server = await startMailServer({ greets: after(20 * SECOND), wait: after(60 * SECOND) });
  const { connect, greeting, silence, attempt } = QUEUE_LIMITS;
  const mailer = mailerFor(
    server.url,
    {},
    { connect: connect / pace, greeting: greeting / pace, silence: silence / pace, attempt: attempt / pace },
  );
  const people = Array.from({ length: 8 }, (_, at) => `member${at}@club.example`);

  const results = await Promise.all(people.map((person) => mailer.send(mail(person, { id: person }))));

  expect(results).toEqual(people.map(() => ({ ok: true })));
  expect(server.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(people);
});

test('while a server holds up every connection, urgent mails have one of their own', async () => {
  const server = await startMailServer({
    wait: async ([to]) => (to?.startsWith('member') ? never() : undefined),
  });
  const mailer = mailerFor(server.url);
  for (let at = 0; at < 60; at++) void mailer.send(mail(`member${at}@club.example`));
  await expect.poll(() => server.mails.length).toBe(5);

  const urgent = ['jane', 'rick', 'ann'].map((name) =>
    mailer.send(mail(`${name}@club.example`), { isUrgent: true }),
  );

  expect(await Promise.all(urgent)).toEqual(Array(3).fill({ ok: true }));
  expect(server.mails).toHaveLength(8);
});

test('an urgent mail goes over a connection that is open where the server allows no other', async () => {
  const server = await startMailServer({ atMost: 1 });
  const mailer = mailerFor(server.url);
  await mailer.send(mail('member@club.example'));

  expect(await mailer.send(mail('jane@club.example'), { isUrgent: true })).toEqual({ ok: true });
});

test('a server that is too busy or unreachable is tried three times', async () => {
  const server = await startMailServer({ busy: true });

  expect(await mailerFor(server.url).send(mail('jane@club.example'))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^421 .*Too many connections/),
    permanent: false,
  });
  expect(server.connections.all).toBe(3);

  const nobody = mailerFor(DEAD_ADDRESS);
  expect(await nobody.send(mail('jane@club.example'))).toMatchObject({
    ok: false,
    error: expect.stringContaining('cannot be reached: connect ECONNREFUSED'),
    permanent: false,
  });
  expect(nobody.logged.filter((line) => line.includes('mail not sent'))).toHaveLength(3);
});

test('a server that never greets fails all queued mails together, not one after another', async () => {
  const server = await startSilentServer();
  const mailer = mailerFor(server.url, {}, { greeting: 30, delays: [0] });

  const results = await Promise.all(
    Array.from({ length: 200 }, (_, at) => mailer.send(mail(`m${at}@club.example`))),
  );

  const failure = { ok: false, error: 'The mail server did not answer in time', permanent: false };
  expect(results).toEqual(Array(200).fill(failure));
  expect(server.connections()).toBeLessThan(30);
});

test('a mail that a server takes too long to accept is unsure, and not tried again', async () => {
  const server = await startMailServer({ wait: never });
  expect(await mailerFor(server.url, {}, { silence: 1_000 }).send(mail('jane@club.example'))).toEqual(UNSURE);

  const attempt = 3_000;
  const endTimeouts = holdTimeouts(attempt);
  const sending = mailerFor(server.url, {}, { attempt }).send(mail('rick@club.example'));
  await expect.poll(() => server.mails.length).toBe(2);
  endTimeouts();

  expect(await sending).toEqual(UNSURE);
  expect(server.mails).toHaveLength(2);
});

test('a mail with a time limit fails in time, queued or during an attempt, and is not sent later', async () => {
  const server = await startSilentServer();
  const mailer = mailerFor(server.url);
  const within = 1_000;
  const endTimeouts = holdTimeouts(within);
  const sending = ['m0', 'm1', 'm2', 'm3', 'm4', 'jane'].map((name) =>
    mailer.send(mail(`${name}@club.example`), { within }),
  );
  await expect.poll(server.connections).toBe(5);

  endTimeouts();

  const failure = { ok: false, error: 'The mail server did not answer in time', permanent: false };
  expect(await Promise.all(sending)).toEqual(Array(6).fill(failure));
  expect(server.connections()).toBe(5);
});

test('a mail whose time limit ends after its final dot is unsure', async () => {
  const server = await startMailServer({ wait: never });
  const within = 1_000;
  const endTimeouts = holdTimeouts(within);
  const sending = mailerFor(server.url).send(mail('jane@club.example'), { within });
  await expect.poll(() => server.mails.length).toBe(1);

  endTimeouts();

  expect(await sending).toEqual(UNSURE);
});

test('the key is the password and `apikey` the user, unless MAILER_URL has its own', async () => {
  const server = await startMailServer({ password: KEY });
  const named = server.url.replace('//', `//post%40club:${encodeURIComponent(KEY)}@`);

  expect(await mailerFor(server.url, { MAILER_API_KEY: KEY }).send(mail('a@club.example'))).toEqual({
    ok: true,
  });
  expect(await mailerFor(named, { MAILER_API_KEY: 'other' }).send(mail('b@club.example'))).toEqual({
    ok: true,
  });
  expect(server.logins).toEqual([
    { user: 'apikey', pass: KEY },
    { user: 'post@club', pass: KEY },
  ]);
});

test('a wrong password fails queued mails too at once, and appears in no error and no log', async () => {
  const base64 = Buffer.from(`\0apikey\0${KEY}`).toString('base64');
  const server = await startMailServer({ password: 'right', refusal: `Bad: ${KEY} ${base64}` });
  const mailer = mailerFor(server.url, { MAILER_API_KEY: KEY });

  const results = await Promise.all(
    Array.from({ length: 50 }, (_, at) => mailer.send(mail(`m${at}@club.example`))),
  );

  expect(results).toEqual(Array(50).fill({ ok: false, error: '535 Bad: … …', permanent: true }));
  expect(server.logins.length).toBeLessThanOrEqual(5);
  expect(mailer.logged.join()).not.toContain(KEY);
  expect(mailer.logged.join()).not.toContain(base64);
});

test('in production the key is not sent unencrypted to another machine', async () => {
  const server = await startMailServer({ password: KEY });
  const far = server.url.replace('127.0.0.1', '0.0.0.0');
  const mailer = mailerFor(far, { MAILER_API_KEY: KEY, NODE_ENV: 'production' });

  expect(await mailer.send(mail('jane@club.example'))).toMatchObject({
    ok: false,
    error: expect.stringContaining('STARTTLS'),
  });
  expect(server.logins).toEqual([]);
});

test('an error is one line of at most 300 characters, without the values of links', async () => {
  const text = `Spam: https://votes.club.example/e/1/vote?t=token-of-jane ${'x'.repeat(900)}`;
  const server = await startMailServer({ answer: () => ({ code: 554, text }) });
  const mailer = mailerFor(server.url);

  const result = await mailer.send(mail('jane@club.example'));

  expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/^554 Spam: \S+\?t=… x{200,}$/) });
  expect(result).toHaveProperty('error.length', 300);
  expect(mailer.logged.join()).not.toContain('token-of-jane');
});

test('the log tells which mail was not sent, never to whom', async () => {
  const server = await startMailServer({ answer: (to) => ({ code: 550, text: `<${to}> unknown` }) });
  const mailer = mailerFor(server.url);

  expect(await mailer.send(mail('jane@club.example'))).toHaveProperty(
    'error',
    '550 <jane@club.example> unknown',
  );
  expect(mailer.logged.join()).toContain('"mail":"invite-1"');
  expect(mailer.logged.join()).not.toContain('jane');
});

test('closing completes mails that are being sent and fails queued ones', async () => {
  const arrived = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  const server = await startMailServer({
    wait: () => closing.promise,
    answer: () => {
      arrived.resolve();
      return 'take';
    },
  });
  const mailer = mailerFor(server.url);
  const sends = Array.from({ length: 20 }, (_, at) => mailer.send(mail(`m${at}@club.example`)));
  await arrived.promise;

  const closed = mailer.close();
  closing.resolve();
  await closed;

  const results = await Promise.all(sends);
  const sent = results.filter(({ ok }) => ok).length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBe(server.mails.length);
  expect(results.at(-1)).toEqual({
    ok: false,
    error: 'The service is stopping',
    permanent: false,
    putOff: true,
  });
  expect(await mailer.send(mail('late@club.example'))).toMatchObject({ ok: false, permanent: false });
});

test('a folder in place of a server gets one file per mail, readable only by its owner', async () => {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'outbox-'));
  onTestFinished(() => fs.rmSync(parent, { recursive: true }));
  const mailer = mailerFor(`file:${parent}/mails/out`);

  await Promise.all([
    mailer.send(mail('jane@club.example')),
    mailer.send(mail('rick@club.example', { id: 'invite-2' })),
  ]);

  const files = fs.readdirSync(`${parent}/mails/out`).map((name) => path.join(parent, 'mails/out', name));
  expect(files).toHaveLength(2);
  for (const file of files) {
    expect(path.basename(file)).toMatch(/^2026-11-21T17-00-00\.000Z-[0-9a-f]{8}\.eml$/);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  }
  const mails = files.map((file) => parseMail(fs.readFileSync(file, 'utf8')));
  expect(mails.map(({ headers }) => headers.to).sort()).toEqual(['jane@club.example', 'rick@club.example']);
  expect(mails[0]).toMatchObject({ text: 'In words', html: '<p>In markup</p>' });
});

test('a folder that cannot be written gives a failed result and throws no error', async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'outbox-')), 'file');
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true }));
  fs.writeFileSync(file, '');

  expect(await mailerFor(`file:${file}`).send(mail('jane@club.example'))).toMatchObject({ ok: false });
});

test.each([1, 3])('a server that greets %d connections only gets all mails over these', async (atMost) => {
  const server = await startMailServer({ atMost, wait: () => Promise.resolve() });
  const mailer = mailerFor(server.url, {}, { delays: [] });
  const all = Array.from({ length: 60 }, (_, at) => `m${at}@club.example`);

  const results = await Promise.all(all.map((to) => mailer.send(mail(to))));

  expect(results).toEqual(all.map(() => ({ ok: true })));
  expect(server.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(all.toSorted());
});

test.each([
  ['jürgen@club.example', false],
  ['иван@почта.example', false],
  ['jane@bücher.example', true],
  ['jane@club.example', true],
])('a server without SMTPUTF8 and a mail to %s: sent is %s', async (to, isSent) => {
  const server = await startMailServer({ asciiOnly: true });

  const result = await mailerFor(server.url).send(mail(to));

  expect(result.ok).toBe(isSent);
  expect(server.mails).toHaveLength(isSent ? 1 : 0);
  if (!isSent) expect(result).toMatchObject({ permanent: true, error: expect.stringMatching(/SMTPUTF8/) });
});
