import type { SendMailOptions } from 'nodemailer';
import { dateOf } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { sentenceOf } from '#kernel/messages/messages.ts';
import { nameIn } from '#kernel/settings/mail.ts';
import type { MailReason } from './reasons.ts';
import { mailServer } from './server.ts';

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
  /** Files for the receiver, such as a calendar entry. One with a `cid` is a picture inside the mail: `cid:<cid>`. */
  files?: readonly { name: string; type: string; content: string | Buffer; cid?: string }[];
}

/** Links of a mail follow no Host header, so without an address there is nothing that they can lead to. */
export const NO_ADDRESS = 'The address of this service is not known' satisfies MailReason;

const DEFAULT_NAME = 'Public House';

/** Turns a text into one line: line breaks and control characters become spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

type SenderConfig = Pick<Config, 'settings' | 'FROM_EMAIL' | 'MAILER_URL' | 'CLUB_NAME'>;

/** The sender of mails: the address that was set, else the mailbox that sends them, with the name of the club. */
function senderOf(config: SenderConfig): MailAddress | undefined {
  const { 'mail.from_email': from, 'mail.from_name': name, 'mail.user': user } = config.settings;
  // Mails in a folder may have any sender.
  const mailbox = config.MAILER_URL?.startsWith('file:') ? 'publichouse@club.invalid' : user;
  const read = normalizeAddress(from ?? mailbox ?? '');
  if (!read.ok) return undefined;
  // The name of the club is preferred to one in the environment.
  const isOwnName = name !== null && nameIn(config.FROM_EMAIL ?? '') === '';
  return { name: isOwnName ? name : clubName(config), address: read.email };
}

/** The club's name wherever it is shown: CLUB_NAME, else the name in FROM_EMAIL, else our default. */
export function clubName({ CLUB_NAME, FROM_EMAIL = '' }: Pick<Config, 'CLUB_NAME' | 'FROM_EMAIL'>): string {
  return CLUB_NAME ?? (nameIn(FROM_EMAIL) || DEFAULT_NAME);
}

/** The settings of mail as they take effect, with what follows from others where nothing was entered. */
export function shownMailSettings(config: MailConfig) {
  const server = config.settings['mail.host'] === null ? undefined : mailServer(config);
  const from = senderOf(config);
  return {
    ...(config.FROM_EMAIL && from && { 'mail.from_name': from.name }),
    ...(server &&
      !('folder' in server) && {
        'mail.port': server.port,
        'mail.encryption': server.encryption,
        'mail.user': server.user,
      }),
  };
}

type MailConfig = SenderConfig & Pick<Config, 'MAILER_API_KEY' | 'BASE_URL' | 'NODE_ENV' | 'leftEmpty'>;

/**
 * Whether the server is a relay without login, which knows no mailbox: it has a sender. In the environment a
 * MAILER_API_KEY that is named and empty was forgotten.
 */
function isRelay(config: MailConfig): boolean {
  return senderOf(config) !== undefined && isWithoutLogin(config);
}

function isWithoutLogin(config: MailConfig): boolean {
  const server = config.settings['mail.host'] === null ? undefined : mailServer(config);
  if (server === undefined || 'folder' in server || server.user !== null) return false;
  return config.MAILER_URL === undefined || !config.leftEmpty.has('MAILER_API_KEY');
}

/** Names the variables that would be set if nothing were set in the browser (specification, Invitation rules). */
export function missingMailConfig(config: MailConfig): string[] {
  const server = mailServer(config);
  const isKnown = server !== undefined && ('folder' in server || server.password !== null);
  const needed = {
    MAILER_API_KEY:
      isKnown ||
      config.settings['mail.password'] !== null ||
      (config.settings['mail.host'] === null && config.MAILER_API_KEY !== undefined) ||
      isRelay(config),
    FROM_EMAIL: senderOf(config),
    BASE_URL: config.BASE_URL,
    MAILER_URL: server,
  };
  return Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
}

/** The fewest of them that would be enough: a MAILER_URL can hold the user, the password and so the sender. */
export function neededMailConfig(config: MailConfig): string[] {
  const missing = missingMailConfig(config);
  if (missing.length === 0) return [];
  const others = missing.filter((name) => name === 'BASE_URL');
  if (config.MAILER_URL === undefined && config.settings['mail.host'] === null)
    return ['MAILER_URL', ...others];
  // Without a user a sender makes it a relay.
  return missing.filter((name) => name !== 'MAILER_API_KEY' || !isWithoutLogin(config));
}

const IN_WORDS: Record<string, Words> = {
  MAILER_URL: t('settings.needed.server'),
  MAILER_API_KEY: t('settings.needed.password'),
  FROM_EMAIL: t('settings.needed.sender'),
  BASE_URL: t('settings.needed.address'),
};

/** What has to be entered in the settings before mail can be sent, in words. @param needed of the mailer */
export const neededInWords = (needed: readonly string[]): (Words | string)[] =>
  needed.map((name) => IN_WORDS[name] ?? name);

/** No absence note answers such a mail: RFC 3834, and for Exchange, which looks at its own header alone (MS-OXCMAIL). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** A mail for the library, with one sender and one recipient. */
export type ComposedMail = SendMailOptions & { from: MailAddress; to: MailAddress };

/**
 * Converts a message for the mail library. Addresses are objects: in a string a comma would make two recipients.
 * @returns the mail, or the reason if there is no valid sender or recipient, or no address that its links lead to
 */
export function composeMail(
  config: SenderConfig & Pick<Config, 'BASE_URL'>,
  { to, subject, text, html, id, headers, origin, files = [] }: MailMessage,
  at: number,
): { mail: ComposedMail } | { refused: string } {
  const from = senderOf(config);
  if (!from) return { refused: 'FROM_EMAIL is not set' satisfies MailReason };
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
      ...(files.length > 0 && {
        attachments: files.map(({ name, type, content, cid }) => ({
          filename: name,
          contentType: type,
          content,
          ...(cid !== undefined && { cid, contentDisposition: 'inline' as const }),
        })),
      }),
      headers: { ...Object.fromEntries(extra), ...AUTOMATIC },
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  };
}
