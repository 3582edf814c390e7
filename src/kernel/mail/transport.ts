import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, type Transform } from 'node:stream';
import { createSecureContext, getCACertificates } from 'node:tls';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Clock, isoTime, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { DialogueLimits } from './limits.ts';
import type { ComposedMail } from './message.ts';
import type { MailReason } from './reasons.ts';
import type { MailServer, SmtpServer } from './server.ts';

const IDLE = 20 * SECOND;

interface TransportOptions {
  now: Clock;
  limits: DialogueLimits;
  /** Most connections at the same time. */
  connections: number;
}

/** The transport to a server or into a folder; without one every mail fails. */
export function transportTo(
  server: MailServer | undefined,
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  options: TransportOptions,
): Transport {
  if (server === undefined) return NO_TRANSPORT;
  return 'folder' in server ? folder(server.folder, options.now) : smtp(server, BASE_URL, options);
}

/** Loaded with the first mail, which is rarely sent soon after a start. */
const loadLibrary = async () => (await import('nodemailer')).default;
type Library = Awaited<ReturnType<typeof loadLibrary>>;

const NO_TRANSPORT: Transport = {
  deliver: async () => {
    throw Object.assign(new Error('MAILER_URL is not set' satisfies MailReason), { code: 'ECONFIG' });
  },
  close: () => undefined,
  secrets: [],
};

/** A way to deliver mails. */
export interface Transport {
  /** @param onWhole called when the whole mail went to the server, which may have taken it from then on */
  deliver(mail: ComposedMail, onWhole?: () => void): Promise<unknown>;
  close(force: boolean): void;
  /** Secrets that must not appear in an error, in all encodings in which they are sent. */
  secrets: string[];
}

function smtp(
  server: SmtpServer,
  ownAddress: string | undefined,
  { limits, connections }: TransportOptions,
): Transport {
  const { host, port, encryption, user, password: pass, ca } = server;
  const options = {
    host,
    port,
    ...(ownAddress && { name: new URL(ownAddress).hostname }),
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none' && !server.isOpportunistic,
    tls: {
      rejectUnauthorized: server.isProved,
      ...(ca !== null && { secureContext: trusting(ca) }),
    },
    // The library counts the greeting as a part of connecting.
    connectionTimeout: limits.connect + limits.greeting,
    dnsTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.silence,
  };
  const open = ({ createTransport }: Library) => {
    const pool = createTransport({
      ...options,
      pool: true,
      ...(user !== null && pass !== null && { auth: { user, pass } }),
      maxConnections: connections,
      // The pool itself must not retry a closed connection: the mailer counts the tries.
      maxRequeues: 0,
      idleTimeout: IDLE,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    pool.use('stream', ({ data, message }, done) => {
      const { onWhole } = data as Watched;
      if (onWhole) message.transform(() => endOf(onWhole));
      done();
    });
    return pool;
  };
  /** Whether the server accepts letters outside ASCII; asked before the first mail to such an address. */
  let takesUtf8: Promise<boolean> | undefined;
  let transport: ReturnType<typeof open> | undefined;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    async deliver(mail, onWhole) {
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
      return transport.sendMail({ ...mail, onWhole } as ComposedMail & Watched);
    },
    close: (force) => transport?.close({ force }),
    secrets: pass ? [pass, base64(pass), base64(`\0${user}\0${pass}`), encodeURIComponent(pass)] : [],
  };
}

/** What a mail carries to the plugin of the pool; the library does not look at it. */
interface Watched {
  onWhole?: (() => void) | undefined;
}

/** Passes a mail on, and calls back at its end: only the final dot follows. */
const endOf = (onWhole: () => void): Transform =>
  new PassThrough({
    flush(done) {
      onWhole();
      done();
    },
  });

/** Trusts an own authority besides the usual ones; it may be one between two others, or the certificate itself. */
const trusting = (ca: string) =>
  createSecureContext({ ca: [...getCACertificates('default'), ca], allowPartialTrustChain: true });

const NO_UTF8 =
  'The mail server does not accept addresses with such letters before the @ (it has no SMTPUTF8). Use another address' satisfies MailReason;

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
function folder(place: string, now: Clock): Transport {
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
