// A real SMTP server on loopback that can be slow, refuse mail, drop connections, or require a password.

import { once } from 'node:events';
import net from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { type ParsedMail, parseMail } from './parse-mail.ts';

/** What the server does with a recipient: accept it, reply with an error, or drop the connection after the message. */
export type Answer = 'take' | 'drop' | { code: number; text: string };

export interface ReceivedMail extends ParsedMail {
  /** The sender of the envelope. */
  from: string;
  recipients: string[];
}

export interface MailServer {
  /** For MAILER_URL. */
  url: string;
  port: number;
  /** In order of arrival, including those that were never acknowledged. */
  mails: ReceivedMail[];
  /** How often a recipient was named, accepted or not. */
  tries: Map<string, number>;
  logins: { user: string; pass: string }[];
  /** How many connections were made, and how many were open at once at most. */
  connections: { all: number; most: number };
  [Symbol.asyncDispose](): Promise<void>;
}

export interface MailServerOptions {
  /** What to do with a recipient at its first, second, … try. */
  answer?: (address: string, attempt: number) => Answer;
  /** The only password that is accepted; without one there is no login. */
  password?: string;
  /** The text of the 535 reply. */
  refusal?: string;
  /** What it waits for before it accepts a message to these. */
  wait?: (recipients: readonly string[]) => Promise<unknown>;
  /** What it waits for before it greets a connection. */
  greets?: () => Promise<unknown>;
  /** Replies with 421 in place of the greeting. */
  busy?: boolean;
  /** How many connections may be open at once; more are refused with 421 in place of the greeting. */
  atMost?: number;
  /** Does not offer SMTPUTF8. */
  asciiOnly?: boolean;
  /** Its certificate. Connections are encrypted from their beginning, or by STARTTLS. */
  tls?: { cert: string; key: string; how: 'tls' | 'starttls' };
}

/** A `wait` for a server that never accepts a message. */
export const never = () => new Promise<void>(() => undefined);

/** Starts a server. @param atEnd is given the function that closes it; by default the test's end calls it */
export async function startMailServer(
  options: MailServerOptions = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<MailServer> {
  const { answer = () => 'take', password, refusal = 'Wrong password', wait, greets, busy = false } = options;
  const { atMost = Infinity, asciiOnly = false, tls } = options;
  const mails: ReceivedMail[] = [];
  const tries = new Map<string, number>();
  const logins: MailServer['logins'] = [];
  const connections = { all: 0, most: 0 };
  const sockets = new Set<net.Socket>();
  /** The connections that were not refused. */
  const greeted = new Set<string>();

  const server = new SMTPServer({
    disabledCommands: [
      ...(tls?.how === 'starttls' ? [] : ['STARTTLS']),
      ...(password === undefined ? ['AUTH'] : []),
    ],
    secure: tls?.how === 'tls',
    ...(tls && { cert: tls.cert, key: tls.key }),
    // With STARTTLS it takes a login on an encrypted connection alone.
    allowInsecureAuth: tls === undefined,
    authOptional: password === undefined,
    disableReverseLookup: true,
    closeTimeout: 0,
    hideSMTPUTF8: asciiOnly,
    async onConnect({ id }, done) {
      await greets?.();
      if (busy || greeted.size >= atMost) return done(reply(421, 'Too many connections'));
      greeted.add(id);
      done();
    },
    onClose({ id }) {
      greeted.delete(id);
    },
    onAuth({ username, password: given }, _session, done) {
      logins.push({ user: username ?? '', pass: given ?? '' });
      if (given === password) done(null, { user: username });
      else done(reply(535, refusal));
    },
    onMailFrom(_address, { secure }, done) {
      if (tls && !secure) done(reply(530, '5.7.0 Must issue a STARTTLS command first'));
      else done();
    },
    onRcptTo({ address }, _session, done) {
      tries.set(address, (tries.get(address) ?? 0) + 1);
      const decided = answer(address, tries.get(address) ?? 0);
      if (typeof decided === 'string') done();
      else done(reply(decided.code, decided.text));
    },
    async onData(stream, { envelope, remotePort }, done) {
      const chunks = await stream.toArray().catch(() => undefined);
      // An incomplete message does not count.
      if (!chunks) return;
      const source = Buffer.concat(chunks).toString('utf8');
      const recipients = envelope.rcptTo.map(({ address }) => address);
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      mails.push({ ...parseMail(source), from, recipients });
      if (recipients.some((address) => answer(address, tries.get(address) ?? 0) === 'drop')) {
        for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
      } else {
        await wait?.(recipients);
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
    // Under an encrypted connection a socket must not go away: the server ends these itself.
    if (!tls) for (const socket of sockets) socket.destroy();
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    return closed;
  };
  atEnd(close);
  const { port } = server.server.address() as net.AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    tries,
    logins,
    connections,
    [Symbol.asyncDispose]: close,
  };
}

/** Starts a server that accepts connections and never sends anything. */
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

/** An address where nothing listens: no system assigns such a low port to a server that asks for a free one. */
export const DEAD_ADDRESS = 'smtp://127.0.0.1:9';

function reply(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
