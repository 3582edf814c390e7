import type { Config } from '#kernel/config.ts';
import { type Encryption, isFarAway, isThisMachine, USUAL_PORT } from '#kernel/settings/mail.ts';
import { providerAt } from './providers.ts';

/** A server that takes mails over SMTP. */
export interface SmtpServer {
  host: string;
  port: number;
  encryption: Encryption;
  /** Where it is used without encryption: whether STARTTLS is used if the server offers it. */
  isOpportunistic: boolean;
  /** Whether its certificate has to prove its name. */
  isProved: boolean;
  /** Null: there is no login. */
  user: string | null;
  password: string | null;
  /** Certificates of authorities that are trusted besides the usual ones, in PEM form. */
  ca: string | null;
}

/** Where mails are delivered: to a server, or into a folder. */
export type MailServer = SmtpServer | { folder: string };

type ServerConfig = Pick<Config, 'settings' | 'MAILER_URL' | 'MAILER_API_KEY' | 'NODE_ENV'>;

/** Returns where mails are delivered; undefined if nobody has decided that. In development it is this machine. */
export function mailServer(config: ServerConfig): MailServer | undefined {
  const { settings, MAILER_URL, NODE_ENV } = config;
  if (MAILER_URL?.startsWith('file:')) return { folder: MAILER_URL.slice('file:'.length) };
  const { 'mail.host': host, 'mail.password': password, 'mail.ca': ca } = settings;
  if (host === null)
    return NODE_ENV === 'development' ? { ...ON_THIS_MACHINE, ...loginOf(config), ca } : undefined;
  const isOfUrl = MAILER_URL !== undefined;
  const encryption = settings['mail.encryption'] ?? usualEncryption(host, settings['mail.port']);
  const isPlain = encryption === 'none';
  const { user } = loginOf(config);
  return {
    host,
    port: settings['mail.port'] ?? providerAt(host)?.port ?? USUAL_PORT[encryption],
    // A password is never sent unencrypted over a public network.
    encryption:
      isPlain && user !== null && NODE_ENV === 'production' && isFarAway(host) ? 'starttls' : encryption,
    isOpportunistic: isOfUrl && isPlain,
    // Mail programs on this machine often have a certificate for another name.
    isProved: ca !== null || !isOfUrl || !isThisMachine(host),
    user,
    password: user === null ? null : password,
    ca,
  };
}

const ON_THIS_MACHINE: SmtpServer = {
  host: '127.0.0.1',
  port: 25,
  encryption: 'none',
  isOpportunistic: true,
  isProved: false,
  user: null,
  password: null,
  ca: null,
};

/**
 * The user that logs in, with the password. Without a user the sender's address is that of the mailbox. MAILER_API_KEY
 * goes to a server that was entered in the browser in no case.
 */
function loginOf({
  settings,
  MAILER_URL,
  MAILER_API_KEY,
}: ServerConfig): Pick<SmtpServer, 'user' | 'password'> {
  const { 'mail.host': host, 'mail.user': user, 'mail.from_email': from } = settings;
  const ownKey = host === null ? (MAILER_API_KEY ?? null) : null;
  const password = settings['mail.password'] ?? ownKey;
  if (user !== null || password === null || MAILER_URL !== undefined) return { user, password };
  const known = providerAt(host)?.user;
  return { user: known ?? (ownKey === null ? from : null) ?? 'apikey', password };
}

function usualEncryption(host: string, port: number | null): Encryption {
  const known = providerAt(host)?.encryption;
  if (port === USUAL_PORT.tls) return 'tls';
  if (known !== undefined && port === null) return known;
  return isFarAway(host) ? 'starttls' : 'none';
}
