import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { providerAt } from './providers.ts';
import type { SmtpServer } from './server.ts';

/** What a failed mail means in words: what is wrong, and what to do. */
interface Refusal {
  /** What the failure looks like: the answer of the server, or the error of the connection. */
  sign: RegExp;
  /** Whether the settings or the server are at fault, so that every other mail fails, too. */
  concernsAll: boolean;
  words: (server: SmtpServer) => Words;
}

const at = ({ host, port }: SmtpServer) => t('settings.check.port', { host, port: String(port) });

/** The first that fits counts. */
const REFUSALS: readonly Refusal[] = [
  {
    sign: /ENOTFOUND|EAI_|ENODATA|ESERVFAIL|queryA|No (?:valid )?(?:address|records)/i,
    concernsAll: true,
    words: ({ host }) => t('settings.check.server_named_compare_spelling_mail', { host }),
  },
  {
    sign: /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/,
    concernsAll: true,
    words: (server) => t('settings.check.nothing_answers_compare_server_port', { server: at(server) }),
  },
  {
    sign: /wrong version number|packet length too long|unknown protocol|EPROTO/i,
    concernsAll: true,
    words: (server) => t('settings.check.server_speak_tls_beginning_choose', { server: at(server) }),
  },
  {
    sign: /^No encryption \(STARTTLS\)/,
    concernsAll: true,
    words: (server) => t('settings.check.server_offers_starttls_nothing_sent', { server: at(server) }),
  },
  {
    sign: /self-signed|self signed|unable to (?:verify the first|get (?:local )?issuer) certificate/i,
    concernsAll: true,
    words: ({ host }) => t('settings.check.certificate_comes_authority_known_here', { host }),
  },
  {
    sign: /altname|does not match certificate|Hostname\/IP/i,
    concernsAll: true,
    words: ({ host }) => t('settings.check.certificate_server_another_name_enter', { host }),
  },
  {
    sign: /certificate has expired|certificate is not yet valid/i,
    concernsAll: true,
    words: () => t('settings.check.certificate_server_expired_valid_yet'),
  },
  {
    sign: /must issue a STARTTLS|STARTTLS (?:is )?required|(?:encryption|TLS) (?:is )?required|^(?:530 5\.7\.0|538)\b|encrypt.*before/i,
    concernsAll: true,
    words: () => t('settings.check.server_wants_encrypted_connection_choose'),
  },
  {
    sign: /application-specific password|app(?:lication)? password|^534\b|InvalidSecondFactor/i,
    concernsAll: true,
    words: () => t('settings.check.server_takes_only_app_password'),
  },
  {
    sign: /^(?:535|504 5\.7|454 4\.7)|authentication (?:failed|unsuccessful|credentials invalid|error)|username and password not accepted|(?:bad|invalid|wrong) (?:credentials|password|user)|login (?:denied|failed)/i,
    concernsAll: true,
    words: ({ host }) =>
      t('settings.check.login_refused', {
        advice: providerAt(host)?.password ?? t('settings.check.enter_both_again'),
      }),
  },
  {
    sign: /authentication (?:is )?required|must authenticate|not authenticated|^530\b/i,
    concernsAll: true,
    words: () => t('settings.check.server_wants_login_enter_user'),
  },
  {
    sign: /Missing credentials|No authentication method|unsupported auth|PLAIN/i,
    concernsAll: true,
    words: () => t('settings.check.server_takes_login_such_connection'),
  },
  {
    sign: /grey-?list|gray-?list|try again later|temporarily deferred|^45[01]\b/i,
    concernsAll: false,
    words: () => t('settings.check.server_takes_mail_later_puts'),
  },
  {
    sign: /relay|not permitted to send|5\.7\.1 .*(?:denied|not allowed)/i,
    concernsAll: true,
    words: () => t('settings.check.server_pass_mails_service_relaying'),
  },
  {
    sign: /sender (?:address )?(?:rejected|denied|refused|verify)|not owned by user|SendAsDenied|from address|not allowed to send (?:as|from)|sender is not allowed|MAIL FROM|SPF|DMARC/i,
    concernsAll: true,
    words: () => t('settings.check.server_take_mails_sender_enter'),
  },
  {
    sign: /^421\b|too many|rate limit|quota/i,
    concernsAll: false,
    words: () => t('settings.check.server_busy_enough_mails_now'),
  },
  {
    sign: /did not answer in time/,
    concernsAll: true,
    words: (server) =>
      server.encryption === 'tls'
        ? t('settings.check.no_answer_perhaps_starttls', {
            host: server.host,
            port: String(server.port),
          })
        : t('settings.check.no_answer_perhaps_tls', {
            host: server.host,
            port: String(server.port),
          }),
  },
  {
    sign: /did not say whether it takes it/,
    concernsAll: false,
    words: ({ host }) => t('settings.check.got_mail_say_time_whether', { host }),
  },
  {
    sign: /closed the connection|ECONNRESET|EPIPE|socket hang up/,
    concernsAll: true,
    words: (server) => t('settings.check.server_closed_connection_compare_port', { server: at(server) }),
  },
  {
    sign: /^55[0-9]\b.*(?:user|mailbox|recipient|address|no such|unknown)/i,
    concernsAll: false,
    words: () => t('settings.check.server_take_mails_address_compare'),
  },
];

const refusalOf = (error: string): Refusal | undefined => REFUSALS.find(({ sign }) => sign.test(error));

/** Whether a mail failed for a reason that every other mail has, too: it is not its own fault. */
export const concernsEveryMail = (error: string): boolean => refusalOf(error)?.concernsAll ?? false;

/** Tells in words why a mail failed, and what to do. @param error as the mailer gives it, without secrets */
export function explainRefusal(error: string, server: SmtpServer): Words {
  const words = refusalOf(error)?.words(server);
  if (words !== undefined) return words;
  return /^\d{3}\b/.test(error) ? t('settings.check.server_refused_mail') : t('settings.check.mail_sent');
}
