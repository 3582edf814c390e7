// A real SMTP server on loopback that can be slow, refuse, break off, or ask for a password.

import { once } from 'node:events';
import net from 'node:net';
import pino from 'pino';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { createMailer, type Mailer, type MailerTimes } from '#kernel/mail/mailer.ts';
import type { MailMessage } from '#kernel/mail/message.ts';

/** What the server does with a recipient: a reply in place of yes, or the line cut after the whole message. */
export type Answer = 'take' | 'drop' | { code: number; text: string };

export interface ParsedMail {
  /** By lower-case name, unfolded; a repeated one as a list joined by line breaks. */
  headers: Record<string, string>;
  text: string;
  html: string;
}

export interface ReceivedMail extends ParsedMail {
  /** Of the envelope. */
  from: string;
  recipients: string[];
}

export interface MailServer {
  /** For MAILER_URL. */
  url: string;
  /** In the order they came; also those whose sender never heard of it. */
  mails: ReceivedMail[];
  /** How often a recipient was named, taken or not. */
  tries: Map<string, number>;
  logins: { user: string; pass: string }[];
  /** How many connections were made, and how many were open at once at most. */
  connections: { all: number; most: number };
  [Symbol.asyncDispose](): Promise<void>;
}

export interface MailServerOptions {
  /** What to do with a recipient at its first, second, … try. */
  answer?: (address: string, attempt: number) => Answer;
  /** The only password that is taken; without one none is asked for. */
  password?: string;
  /** Text of the 535. */
  refusal?: string;
  /** What it waits for before it takes a message. */
  wait?: () => Promise<unknown>;
  /** A 421 in place of the greeting. */
  busy?: boolean;
}

/** For a server that never takes a message. */
export const never = () => new Promise<void>(() => undefined);

/** Starts a server; it ends with the test at the latest. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { answer = () => 'take', password, refusal = 'Wrong password', wait, busy = false } = options;
  const mails: ReceivedMail[] = [];
  const tries = new Map<string, number>();
  const logins: MailServer['logins'] = [];
  const connections = { all: 0, most: 0 };
  const sockets = new Set<net.Socket>();

  const server = new SMTPServer({
    disabledCommands: password === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: password === undefined,
    disableReverseLookup: true,
    closeTimeout: 0,
    onConnect: (_session, done) => (busy ? done(reply(421, 'Too many connections')) : done()),
    onAuth({ username, password: given }, _session, done) {
      logins.push({ user: username ?? '', pass: given ?? '' });
      if (given === password) done(null, { user: username });
      else done(reply(535, refusal));
    },
    onRcptTo({ address }, _session, done) {
      tries.set(address, (tries.get(address) ?? 0) + 1);
      const decided = answer(address, tries.get(address) ?? 0);
      if (typeof decided === 'string') done();
      else done(reply(decided.code, decided.text));
    },
    async onData(stream, { envelope, remotePort }, done) {
      const chunks = await stream.toArray().catch(() => undefined);
      // Cut off in the middle: no server takes that for a mail.
      if (!chunks) return;
      const source = Buffer.concat(chunks).toString('utf8');
      const recipients = envelope.rcptTo.map(({ address }) => address);
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      mails.push({ ...parseMail(source), from, recipients });
      if (recipients.some((address) => answer(address, tries.get(address) ?? 0) === 'drop')) {
        for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
      } else {
        await wait?.();
        done();
      }
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    connections.all += 1;
    connections.most = Math.max(connections.most, sockets.size);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');

  let closed: Promise<void> | undefined;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    return closed;
  };
  onTestFinished(close);
  const { port } = server.server.address() as net.AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    tries,
    logins,
    connections,
    [Symbol.asyncDispose]: close,
  };
}

const NOON = Temporal.Instant.from('2026-11-21T17:00:00Z').epochMilliseconds;
export interface TestMailer extends Mailer {
  logged: string[];
}

/** A mailer as the service makes it, that does not wait between tries. */
export function mailerFor(
  url: string,
  env: Record<string, string> = {},
  times: Partial<MailerTimes> = {},
): TestMailer {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const variables = {
    MAILER_URL: url,
    BASE_URL: 'https://votes.club.example',
    FROM_EMAIL: 'The Anchor <votes@club.example>',
    ...env,
  };
  const mailer = createMailer(readConfig(variables, ''), log, () => NOON, { delays: [0, 0], ...times });
  onTestFinished(() => mailer.close());
  return { ...mailer, logged };
}

/** A mail to somebody, whatever it says. */
export function mail(to: MailMessage['to'], more: Partial<MailMessage> = {}): MailMessage {
  return { to, subject: 'Vote', text: 'In words', html: '<p>In markup</p>', id: 'invite-1', ...more };
}

/** The one mail that came. */
export function onlyMail({ mails }: MailServer): ReceivedMail {
  expect(mails).toHaveLength(1);
  return mails[0]!;
}

/** A server that takes connections and never says a word. */
export async function startSilentServer(): Promise<{ url: string; connections: () => number }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    connections: () => sockets.size,
  };
}

/** An address where nobody listens: no system gives such a low port to a server that asks for any. */
export const DEAD_ADDRESS = 'smtp://127.0.0.1:9';

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** Reads a message of the kinds that we send: headers, and a text and an HTML part. */
export function parseMail(source: string): ParsedMail {
  const { headers, body } = splitMessage(source);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  const parts = boundary === undefined ? [{ headers, body }] : partsOf(body, boundary);
  const partOf = (type: string) =>
    parts.filter((part) => part.headers['content-type']?.startsWith(type)).map(decodeBody);
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, decodeWords(value)])),
    text: partOf('text/plain').join(''),
    html: partOf('text/html').join(''),
  };
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

function partsOf(body: string, boundary: string): Part[] {
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitMessage(part.replace(/^\r\n/, '')));
}

function splitMessage(source: string): Part {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}\n${value}`;
  }
  return { headers, body: rest.join('\r\n\r\n') };
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding'];
  const text = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text.replaceAll('\r\n', '\n');
  return decodeHex(text.replace(/=\r\n/g, '')).replaceAll('\r\n', '\n');
}

/** RFC 2047: `=?UTF-8?Q?Caf=C3=A9?=`. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeHex(text.replaceAll('_', ' ')),
    );
}

function decodeHex(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const decoded = bytes.replace(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1').toString('utf8');
}
