import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { coded, codedOf } from '#kernel/messages/messages.ts';
import { line, numberBetween, secretLine, type Variables } from './inputs.ts';
import type { Decided, Setting } from './setting.ts';

/** How a connection to a mail server is encrypted: by STARTTLS, from its beginning, or not at all. */
const ENCRYPTIONS = ['starttls', 'tls', 'none'] as const;
export type Encryption = (typeof ENCRYPTIONS)[number];

/** The usual port of each encryption. */
export const USUAL_PORT: Record<Encryption, number> = { starttls: 587, tls: 465, none: 25 };

/** Whether a host is this machine. */
export const isThisMachine = (host: string): boolean => /^(localhost|127\.[\d.]+|::1)$/.test(host);

/** Whether a password that is sent to this host unencrypted can be read on the way. A name without a dot is private. */
export const isFarAway = (host: string): boolean => !isThisMachine(host) && /[.:]/.test(host);

/** The parts of MAILER_URL. Null where it has none, as the address of a folder. */
interface MailerUrl {
  host: string | null;
  port: number | null;
  encryption: Encryption | null;
  user: string | null;
  password: string | null;
}

type Env = Pick<Variables, 'MAILER_URL' | 'MAILER_API_KEY' | 'NODE_ENV'>;

const FOLDER: MailerUrl = { host: null, port: null, encryption: null, user: null, password: null };

function readMailerUrl({ MAILER_URL = '', MAILER_API_KEY, NODE_ENV }: Env): MailerUrl {
  if (MAILER_URL.startsWith('file:')) return FOLDER;
  const url = new URL(MAILER_URL);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const password = decodeURIComponent(url.password) || (MAILER_API_KEY ?? null);
  const hasLogin = url.username !== '' || password !== null;
  const isSecret = NODE_ENV === 'production' && hasLogin && isFarAway(host);
  const encryption = url.protocol === 'smtps:' ? 'tls' : isSecret ? 'starttls' : 'none';
  return {
    host,
    // The default of the protocol is not that of our encryption: STARTTLS is used where the server offers it.
    port: Number(url.port) || (encryption === 'tls' ? USUAL_PORT.tls : USUAL_PORT.starttls),
    encryption,
    user: decodeURIComponent(url.username) || (password === null ? null : 'apikey'),
    password,
  };
}

/** Decided by MAILER_URL, which names a whole server. */
function byMailer<Part extends keyof MailerUrl>(part: Part) {
  return (env: Env, isSet: (name: 'MAILER_URL') => boolean): Decided<MailerUrl[Part]> | undefined =>
    isSet('MAILER_URL') ? { variable: 'MAILER_URL', value: readMailerUrl(env)[part] } : undefined;
}

/** The name in `Name <address>`; empty for an address alone. */
export const nameIn = (sender: string): string =>
  (/^([^<]*)</.exec(sender)?.[1] ?? '')
    .replaceAll('"', '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** The name of a server. What was copied with it, as `smtp://` or a port, has fields of its own. */
const host = line(255).refine(
  (text) => text === null || /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9])?|[0-9a-f:]+)$/i.test(text),
  coded('not_mail_host'),
);

const encryption = z
  .union([z.enum(ENCRYPTIONS), z.literal('').transform(() => null)], coded('not_encryption'))
  .nullable();

const sender = line(320).transform((text, issues): string | null => {
  if (text === null) return null;
  const read = normalizeAddress(text);
  if (read.ok) return read.email;
  issues.addIssue({ code: 'custom', message: codedOf(read.reason) });
  return z.NEVER;
});

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Certificates, each in PEM form. What else was copied with them is left out. */
const certificates = z
  .string(coded('not_text'))
  .max(100_000, coded('too_long', { max: 100_000 }))
  .transform((text, issues): string | null => {
    if (text.trim() === '') return null;
    const blocks = text.match(BLOCK) ?? [];
    const isValid = blocks.length > 0 && blocks.every(isCertificate) && !text.includes('PRIVATE KEY');
    if (isValid) return blocks.map((block) => block.replaceAll('\r', '')).join('\n');
    issues.addIssue({ code: 'custom', message: coded('not_certificates') });
    return z.NEVER;
  })
  .nullable();

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/** How mails are sent. What is not entered follows from the rest, see `mailServer`. */
export const MAIL_SETTINGS = {
  'mail.from_email': {
    group: 'mail',
    input: sender,
    usual: null,
    isPersonal: true,
    decided: ({ FROM_EMAIL }, isSet) => {
      const read = normalizeAddress(FROM_EMAIL ?? '');
      return isSet('FROM_EMAIL') && read.ok ? { variable: 'FROM_EMAIL', value: read.email } : undefined;
    },
  },
  'mail.from_name': {
    group: 'mail',
    input: line(100),
    usual: null,
    decided: ({ FROM_EMAIL }, isSet) => {
      const name = isSet('FROM_EMAIL') ? nameIn(FROM_EMAIL ?? '') : '';
      return name === '' ? undefined : { variable: 'FROM_EMAIL', value: name };
    },
  },
  'mail.host': { group: 'mail', input: host, usual: null, decided: byMailer('host') },
  'mail.port': { group: 'mail', input: numberBetween(1, 65_535), usual: null, decided: byMailer('port') },
  'mail.encryption': { group: 'mail', input: encryption, usual: null, decided: byMailer('encryption') },
  'mail.user': { group: 'mail', input: line(320), usual: null, isPersonal: true, decided: byMailer('user') },
  'mail.password': {
    group: 'mail',
    input: secretLine(500),
    usual: null,
    isSecret: true,
    // MAILER_API_KEY alone decides nothing: it goes to no server that was entered in the browser.
    decided: (env, isSet) => {
      if (!isSet('MAILER_URL')) return undefined;
      const { user, password } = readMailerUrl(env);
      // The password of a user whom the environment names alone may be entered.
      return user !== null && password === null ? undefined : { variable: 'MAILER_URL', value: password };
    },
  },
  'mail.ca': { group: 'mail', input: certificates, usual: null },
} satisfies Record<string, Setting<unknown, unknown>>;
