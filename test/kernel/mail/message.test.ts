import { expect, test } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { clubName, composeMail, missingMailConfig } from '#kernel/mail/message.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mail, mailerFor, onlyMail } from '#test/support/mailer.ts';

test('a mail arrives with both parts, its sender and date, and is marked as auto-generated', async () => {
  const server = await startMailServer();
  const mailer = mailerFor(server.url);

  const result = await mailer.send(
    mail('Jane@Club.example', {
      subject: 'Your vote – Café',
      text: 'A line.\n\nhttps://votes.club.example/e/1?t=abc',
      html: '<p>“A line”</p>',
      headers: { 'List-Unsubscribe': '<https://votes.club.example/u>' },
    }),
  );

  expect(result).toEqual({ ok: true });
  expect(onlyMail(server)).toMatchObject({
    from: 'votes@club.example',
    recipients: ['jane@club.example'],
    text: 'A line.\n\nhttps://votes.club.example/e/1?t=abc',
    html: '<p>“A line”</p>',
    headers: {
      from: 'The Anchor <votes@club.example>',
      to: 'jane@club.example',
      subject: 'Your vote – Café',
      'message-id': '<invite-1@votes.club.example>',
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'list-unsubscribe': '<https://votes.club.example/u>',
      date: 'Sat, 21 Nov 2026 17:00:00 +0000',
    },
  });
});

test('nothing in a name, a subject or an address adds a header or a recipient', async () => {
  const server = await startMailServer();
  const mailer = mailerFor(server.url);
  const evil = '\r\nBcc: evil@x.example\r\n\r\nbody';

  await mailer.send(
    mail(
      { name: `Doe, "Jane" <evil@x.example>,${evil}`, address: 'jane@club.example' },
      {
        subject: `Vote${evil}`,
        id: `a>${evil}`,
        headers: { 'X-Kind': `one${evil}` },
      },
    ),
  );

  const { headers, recipients } = onlyMail(server);
  expect(recipients).toEqual(['jane@club.example']);
  expect(headers).not.toHaveProperty('bcc');
  expect(headers.subject).toBe('Vote Bcc: evil@x.example body');
  expect(headers.to).toMatch(/ <jane@club\.example>$/);
  expect(headers['message-id']).toBe('<a-Bcc-evil-x.example-body@votes.club.example>');
  for (const to of [
    'jane@x.example, evil@x.example',
    `jane@x.example${evil}`,
    'jane@x.example evil@x.example',
  ])
    expect(await mailer.send(mail(to))).toMatchObject({ ok: false, permanent: true });
  expect(server.mails).toHaveLength(1);
});

test('an address in an international domain is delivered', async () => {
  const server = await startMailServer();

  expect(await mailerFor(server.url).send(mail('jörg@bücher.example'))).toEqual({ ok: true });
  expect(onlyMail(server).recipients[0]).toMatch(/^jörg@(bücher|xn--bcher-kva)\.example$/);
});

test('without a sender nothing is sent, and the missing settings are named', async () => {
  const server = await startMailServer();
  const mailer = mailerFor(server.url, { FROM_EMAIL: '', BASE_URL: '' });

  expect(mailer.missing()).toEqual(['MAILER_API_KEY', 'FROM_EMAIL', 'BASE_URL']);
  expect(await mailer.send(mail('jane@club.example'))).toEqual({
    ok: false,
    error: 'FROM_EMAIL is not set',
    permanent: true,
  });
  expect(mailerFor(server.url, { MAILER_API_KEY: 'key' }).missing()).toEqual([]);
});

test.each([
  ['development', []],
  ['test', ['MAILER_URL']],
  ['production', ['MAILER_URL']],
])('the mail server has a default address only in development: %s', async (NODE_ENV, missing) => {
  const mailer = mailerFor('', { MAILER_API_KEY: 'key', NODE_ENV });
  const warnings = mailer.logged.filter((line) => line.includes('MAILER_URL'));

  expect(mailer.missing()).toEqual(missing);
  expect(warnings).toHaveLength(missing.length);
  if (missing.length > 0)
    expect(await mailer.send(mail('jane@club.example'))).toEqual({
      ok: false,
      error: 'MAILER_URL is not set',
      permanent: true,
    });
});

test('a service that sends no mails logs no warning about a missing server', () => {
  const mailer = mailerFor('', { NODE_ENV: 'production' });

  expect(mailer.missing()).toEqual(['MAILER_API_KEY', 'MAILER_URL']);
  expect(mailer.logged).toEqual([]);
});

test.each([
  ['The Anchor <votes@club.example>', 'The Anchor'],
  ['"Anchor, The" <votes@club.example>', 'Anchor, The'],
  ['votes@club.example', 'Public House'],
  ['', 'Public House'],
])('with FROM_EMAIL %s the name of the club is %s', (FROM_EMAIL, name) => {
  expect(clubName(readConfig({ FROM_EMAIL }, ''))).toBe(name);
});

test.each([
  ['smtp://votes%40club.example:secret@mail.example', 'votes@club.example'],
  ['smtp://votes:secret@mail.example', undefined],
  ['file:./outbox', 'publichouse@club.invalid'],
])('MAILER_URL %s suffices if it has a password and a mailbox, or is a folder', (MAILER_URL, sender) => {
  const config = readConfig({ MAILER_URL, BASE_URL: 'https://club.example', CLUB_NAME: 'The Anchor' }, '');
  const composed = composeMail(config, mail('ann@club.example'), 0);

  expect(missingMailConfig(config)).toEqual(sender ? [] : ['FROM_EMAIL']);
  expect('mail' in composed ? composed.mail.from : undefined).toEqual(
    sender && { name: 'The Anchor', address: sender },
  );
});

test.each([
  [{}, undefined, 'refused'],
  [{ BASE_URL: 'https://club.example' }, undefined, 'mail'],
  // A request from this machine.
  [{}, 'http://localhost:3000', 'mail'],
  [{ NODE_ENV: 'production' }, undefined, 'refused'],
])('the address of the service %j and the origin %s: %s', (env, origin, outcome) => {
  const config = readConfig({ FROM_EMAIL: 'votes@club.example', ...env }, '');
  const composed = composeMail(config, mail('ann@club.example', origin === undefined ? {} : { origin }), 0);
  expect(Object.keys(composed)).toEqual([outcome]);
});

test.each([
  { MAILER_URL: 'http://mail.example' },
  { MAILER_URL: 'mail.example:25' },
  { MAILER_URL: 'smtp://' },
  { MAILER_URL: 'smtp://user:%FF@mail.example' },
  { MAILER_URL: 'file:' },
  { FROM_EMAIL: 'The Anchor' },
  { FROM_EMAIL: 'a@b.example, c@d.example' },
  { MAILER_PACE_PER_MINUTE: '0' },
])('the configuration %o is refused by name', (env) => {
  expect(() => readConfig(env, '')).toThrow(new RegExp(`^${Object.keys(env)[0]}: `));
});

test.each([
  ['a relay without login', { MAILER_URL: 'smtp://relay:25', FROM_EMAIL: 'v@club.example' }, [], []],
  [
    'a relay without a sender',
    { MAILER_URL: 'smtp://relay:25' },
    ['MAILER_API_KEY', 'FROM_EMAIL'],
    ['FROM_EMAIL'],
  ],
  ['a relay on this machine', { MAILER_URL: 'smtp://127.0.0.1', FROM_EMAIL: 'v@club.example' }, [], []],
  [
    'a key that was left empty',
    { MAILER_URL: 'smtp://relay:25', MAILER_API_KEY: '', FROM_EMAIL: 'v@club.example' },
    ['MAILER_API_KEY'],
    ['MAILER_API_KEY'],
  ],
  [
    'a user without a password',
    { MAILER_URL: 'smtps://v%40club.example@mail' },
    ['MAILER_API_KEY'],
    ['MAILER_API_KEY'],
  ],
  ['a mailbox', { MAILER_URL: 'smtps://v%40club.example:secret@mail' }, [], []],
  ['nothing', {}, ['MAILER_API_KEY', 'FROM_EMAIL', 'MAILER_URL'], ['MAILER_URL']],
  [
    'a provider without its address',
    { MAILER_API_KEY: 'key', FROM_EMAIL: 'v@club.example' },
    ['MAILER_URL'],
    ['MAILER_URL'],
  ],
])(
  '%s: what is missing, and the fewest variables that are enough',
  (_, env: Record<string, string>, missing, needed) => {
    const mailer = mailerFor('', { MAILER_URL: '', FROM_EMAIL: '', NODE_ENV: 'production', ...env });
    expect([mailer.missing(), mailer.needed()]).toEqual([missing, needed]);
  },
);
