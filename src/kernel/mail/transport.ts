import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Clock, isoTime, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { type ComposedMail, mailerUrl } from './message.ts';

/** Most mails that are delivered at the same time. */
export const CONNECTIONS = 5;
const IDLE = 20 * SECOND;

/** Time-outs of a connection to a mail server, in milliseconds. */
export interface Timeouts {
  connect: number;
  greeting: number;
  /** Silence on an open connection. */
  socket: number;
}

/** The transport that MAILER_URL names; without one every mail fails. */
export function transportTo(config: Config, now: Clock, timeouts: Timeouts): Transport {
  const url = mailerUrl(config);
  if (url === undefined) return NO_TRANSPORT;
  return url.startsWith('file:') ? folder(url, now) : smtp(config, url, timeouts);
}

/** Loaded with the first mail, which is rarely sent soon after a start. */
const loadLibrary = async () => (await import('nodemailer')).default;
type Library = Awaited<ReturnType<typeof loadLibrary>>;

const NO_TRANSPORT: Transport = {
  deliver: async () => {
    throw Object.assign(new Error('MAILER_URL is not set'), { code: 'ECONFIG' });
  },
  close: () => undefined,
  secrets: [],
};

/** A way to deliver mails. */
interface Transport {
  deliver(mail: ComposedMail): Promise<unknown>;
  close(force: boolean): void;
  /** Secrets that must not appear in an error, in all encodings in which they are sent. */
  secrets: string[];
}

function smtp(config: Config, address: string, timeouts: Timeouts): Transport {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const pass = decodeURIComponent(url.password) || config.MAILER_API_KEY;
  const user = decodeURIComponent(url.username) || 'apikey';
  const isHere = /^(localhost|127\.[\d.]+|::1)$/.test(host);
  const options = {
    host,
    ...(url.port && { port: Number(url.port) }),
    ...(config.BASE_URL && { name: new URL(config.BASE_URL).hostname }),
    secure: url.protocol === 'smtps:',
    // The password is never sent unencrypted over a public network; a name without a dot is in a private one.
    requireTLS: config.NODE_ENV === 'production' && Boolean(pass) && !isHere && /[.:]/.test(host),
    tls: { rejectUnauthorized: !isHere },
    connectionTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.socket,
  };
  const open = ({ createTransport }: Library) =>
    createTransport({
      ...options,
      pool: true,
      ...(pass && { auth: { user, pass } }),
      maxConnections: CONNECTIONS,
      // The pool must not retry a closed connection by itself: the mailer counts the tries.
      maxRequeues: 0,
      idleTimeout: IDLE,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  /** Whether the server takes addresses with letters outside ASCII; asked before the first mail to such an address. */
  let takesUtf8: Promise<boolean> | undefined;
  let transport: ReturnType<typeof open> | undefined;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    async deliver(mail) {
      const library = await loadLibrary();
      transport ??= open(library);
      if ([mail.from.address, mail.to.address].some(needsUtf8)) {
        takesUtf8 ??= asksForUtf8(options);
        // A question that got no answer is asked again for the next mail.
        const takes = await takesUtf8.catch((error) => {
          takesUtf8 = undefined;
          throw error;
        });
        if (!takes) throw Object.assign(new Error(NO_UTF8), { code: 'EENVELOPE' });
      }
      return transport.sendMail(mail);
    },
    close: (force) => transport?.close({ force }),
    secrets: pass ? [pass, base64(pass), base64(`\0${user}\0${pass}`), encodeURIComponent(pass)] : [],
  };
}

const NO_UTF8 =
  'The mail server does not take addresses with such letters before the @ (it has no SMTPUTF8). Use another address';

/** Whether an address needs SMTPUTF8 (RFC 6531): a domain alone is sent in its ASCII form. */
const needsUtf8 = (address: string): boolean => /[^ -~]/.test(address.slice(0, address.lastIndexOf('@')));

/** Connects to a server and returns whether it offers SMTPUTF8: the library would send without it all the same. */
async function asksForUtf8(options: SMTPConnection.Options): Promise<boolean> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection(options) as SMTPConnection & { _supportedExtensions: string[] };
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    return connection._supportedExtensions.includes('SMTPUTF8');
  } finally {
    connection.on('error', () => undefined);
    connection.quit();
  }
}

/** For use without a mail server: writes every mail to a file that mail programs can open. */
function folder(url: string, now: Clock): Transport {
  const place = url.slice('file:'.length);
  return {
    async deliver(mail) {
      const { createTransport } = await loadLibrary();
      const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await writer.sendMail(mail);
      const name = `${isoTime(now()).replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`;
      await fs.mkdir(place, { recursive: true, mode: 0o700 });
      await fs.writeFile(path.join(place, name), message as Buffer, { flag: 'wx', mode: 0o600 });
    },
    close: () => undefined,
    secrets: [],
  };
}
