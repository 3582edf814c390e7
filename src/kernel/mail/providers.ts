import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Encryption, USUAL_PORT } from '#kernel/settings/mail.ts';
import type { GivenSettings, Settings } from '#kernel/settings/settings.ts';

/** A provider whose mail server is known. */
export interface MailProvider {
  name: string;
  host: string;
  port: number;
  encryption: Encryption;
  /** The domains of the addresses that it gives out; none if customers bring their own. */
  domains: readonly string[];
  /** The user name that is the same for everybody. Otherwise it is the address, if the provider gives it out. */
  user: string | undefined;
  /** What its customers have to know about the password. */
  password: Words | undefined;
}

interface More {
  domains?: string;
  user?: string;
  password?: Words;
}

/** A provider with the usual port of an encryption. */
function provider(
  encryption: Encryption,
  name: string,
  host: string,
  { domains = '', user, password }: More = {},
): MailProvider {
  const port = USUAL_PORT[encryption];
  return { name, host, port, encryption, domains: domains.split(' ').filter(Boolean), user, password };
}

const APP = t('settings.check.takes_app_password_which_make');
const SWITCHED = t('settings.check.sending_other_programs_switched_settings');
const OWN = t('settings.check.password_mail_programs_own_which');
const NO_PASSWORDS = t('settings.check.takes_passwords_programs_private');

const OUTLOOK =
  'outlook.com outlook.de outlook.fr outlook.ie hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it hotmail.es live.com live.co.uk live.de live.ie msn.com';
const YAHOO =
  'yahoo.com yahoo.co.uk yahoo.ie yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.com.br ymail.com rocketmail.com';
const SES_REGIONS = ['eu-central-1', 'eu-west-1', 'eu-west-2', 'us-east-1', 'us-west-2'];

export const PROVIDERS: readonly MailProvider[] = [
  provider('starttls', 'Gmail', 'smtp.gmail.com', { domains: 'gmail.com googlemail.com', password: APP }),
  provider('starttls', 'Outlook.com', 'smtp-mail.outlook.com', { domains: OUTLOOK, password: NO_PASSWORDS }),
  provider('starttls', 'Microsoft 365', 'smtp.office365.com'),
  provider('starttls', 'iCloud', 'smtp.mail.me.com', { domains: 'icloud.com me.com mac.com', password: APP }),
  provider('tls', 'Yahoo', 'smtp.mail.yahoo.com', { domains: YAHOO, password: APP }),
  provider('tls', 'AOL', 'smtp.aol.com', { domains: 'aol.com', password: APP }),
  provider('starttls', 'GMX', 'mail.gmx.net', {
    domains: 'gmx.net gmx.de gmx.at gmx.ch',
    password: SWITCHED,
  }),
  provider('starttls', 'GMX.com', 'mail.gmx.com', { domains: 'gmx.com', password: SWITCHED }),
  provider('starttls', 'WEB.DE', 'smtp.web.de', { domains: 'web.de', password: SWITCHED }),
  provider('tls', 'Telekom', 'securesmtp.t-online.de', { domains: 't-online.de magenta.de', password: OWN }),
  provider('tls', 'Fastmail', 'smtp.fastmail.com', { domains: 'fastmail.com fastmail.fm', password: APP }),
  provider('tls', 'mailbox.org', 'smtp.mailbox.org', { domains: 'mailbox.org' }),
  provider('tls', 'Posteo', 'posteo.de', { domains: 'posteo.de posteo.net' }),
  provider('tls', 'Infomaniak', 'mail.infomaniak.com', { domains: 'ik.me ikmail.com etik.com' }),
  provider('tls', 'Runbox', 'smtp.runbox.com', { domains: 'runbox.com' }),
  provider('starttls', 'Disroot', 'disroot.org', { domains: 'disroot.org' }),
  provider('tls', 'Aruba', 'smtps.aruba.it', { domains: 'aruba.it' }),
  provider('tls', 'Zoho', 'smtp.zoho.com', { domains: 'zohomail.com zoho.com' }),
  provider('tls', 'Zoho (zoho.eu)', 'smtp.zoho.eu', { domains: 'zohomail.eu' }),
  provider('tls', 'IONOS', 'smtp.ionos.com'),
  provider('tls', 'IONOS (ionos.de)', 'smtp.ionos.de'),
  provider('tls', 'IONOS (ionos.co.uk)', 'smtp.ionos.co.uk'),
  provider('tls', 'Strato', 'smtp.strato.de'),
  provider('tls', 'OVH', 'ssl0.ovh.net'),
  provider('starttls', 'Gandi', 'mail.gandi.net'),
  provider('tls', 'one.com', 'send.one.com'),
  provider('starttls', 'Brevo', 'smtp-relay.brevo.com', { password: OWN }),
  provider('starttls', 'Mailgun', 'smtp.mailgun.org', { password: OWN }),
  provider('starttls', 'Mailgun (EU)', 'smtp.eu.mailgun.org', { password: OWN }),
  provider('starttls', 'Mailjet', 'in-v3.mailjet.com', { password: OWN }),
  provider('starttls', 'Postmark', 'smtp.postmarkapp.com', { password: OWN }),
  provider('starttls', 'SendGrid', 'smtp.sendgrid.net', { user: 'apikey' }),
  ...SES_REGIONS.map((region) =>
    provider('starttls', `Amazon SES (${region})`, `email-smtp.${region}.amazonaws.com`, { password: OWN }),
  ),
];

/** The provider that gave out an address; undefined for a domain of a club's own. */
export function providerOfAddress(address: string | null | undefined): MailProvider | undefined {
  const domain = address?.toLowerCase().split('@')[1];
  return domain === undefined ? undefined : PROVIDERS.find(({ domains }) => domains.includes(domain));
}

/** The provider that has this server. */
export const providerAt = (host: string | null | undefined): MailProvider | undefined =>
  PROVIDERS.find((one) => one.host === host?.toLowerCase());

/**
 * Adds the mail server of the sender's provider to a change of the settings, where the server is left to it: with the
 * first address, with one of another provider, and where no server is entered any more.
 */
export function withProvider(given: GivenSettings, settings: Settings): GivenSettings {
  const { 'mail.from_email': before } = settings;
  const isEmptied = given['mail.from_email'] === undefined && given['mail.host'] === null;
  const address = isEmptied ? before : given['mail.from_email'];
  const known = providerOfAddress(address);
  if (!known || given['mail.host']) return given;
  const host = given['mail.host'] === undefined ? settings['mail.host'] : null;
  if (host !== null && host !== providerOfAddress(before)?.host) return given;
  const user = given['mail.user'] ?? settings['mail.user'];
  return {
    ...given,
    'mail.host': known.host,
    'mail.port': given['mail.port'] ?? known.port,
    'mail.encryption': given['mail.encryption'] ?? known.encryption,
    'mail.user': user === null || user === before ? (address ?? null) : user,
  };
}
