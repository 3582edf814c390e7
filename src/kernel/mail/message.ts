import type { SendMailOptions } from 'nodemailer';
import { dateOf } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { sentenceOf } from '#kernel/messages/messages.ts';
import { normalizeAddress } from '../mail-addresses.ts';

export interface MailAddress {
  name: string;
  address: string;
}

/** The content of a mail, made by its template. The text says the same as the HTML. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** A mail to be sent. */
export interface MailMessage extends MailContent {
  to: string | MailAddress;
  /** The same for each try of this mail, so that a receiver can recognize duplicates. */
  id: string;
  headers?: Readonly<Record<string, string>>;
  /**
   * What its links begin with, from `linkOrigin`. Needed by a mail for a request from this machine, the only kind that
   * is sent while the address of the service is not known.
   */
  origin?: string;
}

/** Links of a mail follow no Host header, so without an address there is nothing that they can lead to. */
export const NO_ADDRESS = 'The address of this service is not known';

const DEFAULT_NAME = 'Public House';

/** Turns a text into one line: line breaks and control characters become spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

type SenderConfig = Pick<Config, 'FROM_EMAIL' | 'MAILER_URL' | 'CLUB_NAME'>;

/** The sender of mails: the address of FROM_EMAIL, else the mailbox of MAILER_URL, with the name of the club. */
function senderOf({ FROM_EMAIL, MAILER_URL, CLUB_NAME }: SenderConfig): MailAddress | undefined {
  const given = FROM_EMAIL ?? mailboxOf(MAILER_URL);
  const read = normalizeAddress(given);
  if (!read.ok) return undefined;
  const [, name = ''] = /^([^<]*)</.exec(given) ?? [];
  return { name: CLUB_NAME || oneLine(name.replaceAll('"', '')) || DEFAULT_NAME, address: read.email };
}

/** The user of MAILER_URL, which is an address for most mailboxes. Mails written to files may have any sender. */
function mailboxOf(address: string | undefined): string {
  if (address?.startsWith('file:')) return 'publichouse@club.invalid';
  return decodeURIComponent(URL.parse(address ?? '')?.username ?? '');
}

/** The club's name wherever it is shown: CLUB_NAME, else the name in FROM_EMAIL, else our default. */
export function clubName(config: SenderConfig): string {
  return config.CLUB_NAME ?? senderOf(config)?.name ?? DEFAULT_NAME;
}

/** The mail server: MAILER_URL; if unset, in development only, one on this machine. */
export function mailerUrl({
  MAILER_URL,
  NODE_ENV,
}: Pick<Config, 'MAILER_URL' | 'NODE_ENV'>): string | undefined {
  return MAILER_URL ?? (NODE_ENV === 'development' ? 'smtp://127.0.0.1:25' : undefined);
}

type MailConfig = SenderConfig & Pick<Config, 'MAILER_API_KEY' | 'BASE_URL' | 'NODE_ENV' | 'leftEmpty'>;

/**
 * Whether MAILER_URL is a relay without login: it has no user, and MAILER_API_KEY is not named at all. A relay knows no
 * mailbox, so it needs a FROM_EMAIL. A MAILER_API_KEY that is named and empty was forgotten.
 */
export const isRelay = (config: MailConfig): boolean => Boolean(config.FROM_EMAIL) && isWithoutLogin(config);

function isWithoutLogin({ MAILER_URL, MAILER_API_KEY, leftEmpty }: MailConfig): boolean {
  if (MAILER_URL === undefined || MAILER_API_KEY !== undefined) return false;
  return URL.parse(MAILER_URL)?.username === '' && !leftEmpty.has('MAILER_API_KEY');
}

const hasPassword = ({ MAILER_URL }: MailConfig): boolean =>
  MAILER_URL?.startsWith('file:') === true || Boolean(URL.parse(MAILER_URL ?? '')?.password);

/**
 * Names the variables that mail needs and that are not set (specification, Invitation rules). A MAILER_URL with a
 * password needs no MAILER_API_KEY, one whose user is an address needs no FROM_EMAIL, and a folder needs neither.
 */
export function missingMailConfig(config: MailConfig, relay = isRelay(config)): string[] {
  const needed = {
    MAILER_API_KEY: config.MAILER_API_KEY || hasPassword(config) || relay,
    FROM_EMAIL: senderOf(config)?.address,
    BASE_URL: config.BASE_URL,
    MAILER_URL: mailerUrl(config),
  };
  return Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
}

/** The fewest variables that would be enough: a MAILER_URL can hold the user, the password and so the sender. */
export function neededMailConfig(config: MailConfig, relay = isRelay(config)): string[] {
  const missing = missingMailConfig(config, relay);
  if (missing.length === 0) return [];
  const others = missing.filter((name) => name === 'BASE_URL');
  if (config.MAILER_URL === undefined) return ['MAILER_URL', ...others];
  // Without a user a FROM_EMAIL makes it a relay.
  return missing.filter((name) => name !== 'MAILER_API_KEY' || !isWithoutLogin(config));
}

/** A mail for the library, with one sender and one recipient. */
export type ComposedMail = SendMailOptions & { from: MailAddress; to: MailAddress };

/**
 * Converts a message for the mail library. Addresses are objects: in a string a comma would make two recipients.
 * @returns the mail, or the reason if there is no valid sender or recipient, or no address that its links lead to
 */
export function composeMail(
  config: SenderConfig & Pick<Config, 'BASE_URL'>,
  { to, subject, text, html, id, headers, origin }: MailMessage,
  at: number,
): { mail: ComposedMail } | { refused: string } {
  const from = senderOf(config);
  if (!from) return { refused: 'FROM_EMAIL is not set' };
  if ((config.BASE_URL ?? origin) === undefined) return { refused: NO_ADDRESS };
  const { name, address } = typeof to === 'string' ? { name: '', address: to } : to;
  const recipient = normalizeAddress(address);
  if (!recipient.ok) return { refused: sentenceOf(recipient.reason) };

  const host = config.BASE_URL ? new URL(config.BASE_URL).hostname : from.address.replace(/^.*@/, '');
  const extra = Object.entries(headers ?? {}).map(([key, value]) => [oneLine(key), oneLine(value)]);
  return {
    mail: {
      from,
      to: { name: oneLine(name), address: recipient.email },
      subject: oneLine(subject),
      text,
      html,
      messageId: `<${id.replace(/[^\w.-]+/g, '-')}@${host}>`,
      date: dateOf(at),
      headers: { ...Object.fromEntries(extra), 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  };
}
