import { providerAt } from './providers.ts';
import type { SmtpServer } from './server.ts';

/** What a failed mail means in words: what is wrong, and what to do. */
interface Refusal {
  /** What the failure looks like: the answer of the server, or the error of the connection. */
  sign: RegExp;
  /** Whether the settings or the server are at fault, so that every other mail fails, too. */
  concernsAll: boolean;
  words: (server: SmtpServer) => string;
}

const at = ({ host, port }: SmtpServer) => `${host}, port ${port}`;

/** The first that fits counts. */
const REFUSALS: readonly Refusal[] = [
  {
    sign: /ENOTFOUND|EAI_|ENODATA|ESERVFAIL|queryA|No (?:valid )?(?:address|records)/i,
    concernsAll: true,
    words: ({ host }) => `There is no server named ${host}. Compare the spelling of the mail server.`,
  },
  {
    sign: /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/,
    concernsAll: true,
    words: (server) =>
      `Nothing answers at ${at(server)}. Compare the server and the port; a firewall may be between, too.`,
  },
  {
    sign: /wrong version number|packet length too long|unknown protocol|EPROTO/i,
    concernsAll: true,
    words: (server) =>
      `The server does not speak TLS from the beginning at ${at(server)}. Choose STARTTLS with port 587, or the port for TLS, usually 465.`,
  },
  {
    sign: /^No encryption \(STARTTLS\)/,
    concernsAll: true,
    words: (server) =>
      `The server offers no STARTTLS at ${at(server)}, and nothing is sent unencrypted. Choose TLS with port 465; no encryption is for servers in your own network.`,
  },
  {
    sign: /self-signed|self signed|unable to (?:verify the first|get (?:local )?issuer) certificate/i,
    concernsAll: true,
    words: ({ host }) =>
      `The certificate of ${host} comes from an authority that is not known here. If it is your own, paste its certificate under “Own certificate authority”.`,
  },
  {
    sign: /altname|does not match certificate|Hostname\/IP/i,
    concernsAll: true,
    words: ({ host }) =>
      `The certificate of the server is for another name than ${host}. Enter the server with the name in its certificate.`,
  },
  {
    sign: /certificate has expired|certificate is not yet valid/i,
    concernsAll: true,
    words: () =>
      'The certificate of the server has expired, or is not valid yet. Tell whoever runs it, and compare the clock of this machine.',
  },
  {
    sign: /must issue a STARTTLS|STARTTLS (?:is )?required|(?:encryption|TLS) (?:is )?required|^(?:530 5\.7\.0|538)\b|encrypt.*before/i,
    concernsAll: true,
    words: () => 'The server wants an encrypted connection. Choose STARTTLS, or TLS with port 465.',
  },
  {
    sign: /application-specific password|app(?:lication)? password|^534\b|InvalidSecondFactor/i,
    concernsAll: true,
    words: () =>
      'The server takes only an app password. Make one in your account at the provider, and enter it in place of your usual password.',
  },
  {
    sign: /^(?:535|504 5\.7|454 4\.7)|authentication (?:failed|unsuccessful|credentials invalid|error)|username and password not accepted|(?:bad|invalid|wrong) (?:credentials|password|user)|login (?:denied|failed)/i,
    concernsAll: true,
    words: ({ host }) =>
      [
        'The server refused the user name or the password.',
        providerAt(host)?.password ?? 'Enter both again.',
      ].join(' '),
  },
  {
    sign: /authentication (?:is )?required|must authenticate|not authenticated|^530\b/i,
    concernsAll: true,
    words: () => 'The server wants a login. Enter the user name and the password.',
  },
  {
    sign: /Missing credentials|No authentication method|unsupported auth|PLAIN/i,
    concernsAll: true,
    words: () =>
      'The server takes no login on such a connection. Choose STARTTLS or TLS, or remove the user and the password for a relay without login.',
  },
  {
    sign: /grey-?list|gray-?list|try again later|temporarily deferred|^45[01]\b/i,
    concernsAll: false,
    words: () =>
      'The server takes the mail later: it puts off mails from senders that it does not know yet. Try again in ten minutes; other mails are tried again by themselves.',
  },
  {
    sign: /relay|not permitted to send|5\.7\.1 .*(?:denied|not allowed)/i,
    concernsAll: true,
    words: () =>
      'The server does not pass on mails from this service (relaying is denied). Enter a user name and a password, or let whoever runs it allow this machine.',
  },
  {
    sign: /sender (?:address )?(?:rejected|denied|refused|verify)|not owned by user|SendAsDenied|from address|not allowed to send (?:as|from)|sender is not allowed|MAIL FROM|SPF|DMARC/i,
    concernsAll: true,
    words: () =>
      'The server does not take mails from this sender. Enter the address of the mailbox that logs in as the sender.',
  },
  {
    sign: /^421\b|too many|rate limit|quota/i,
    concernsAll: false,
    words: () => 'The server is busy, or has had enough mails for now. Try again in some minutes.',
  },
  {
    sign: /did not answer in time/,
    concernsAll: true,
    words: (server) =>
      `${server.host} did not answer in time. Compare the server, the port and the encryption: at port ${server.port}, ${server.encryption === 'tls' ? 'a server may expect STARTTLS' : 'a server may expect TLS from the beginning'}. A firewall may be between, too.`,
  },
  {
    sign: /did not say whether it takes it/,
    concernsAll: false,
    words: ({ host }) =>
      `${host} got the mail, and did not say in time whether it takes it. It may still arrive: look in a few minutes before you send another one.`,
  },
  {
    sign: /closed the connection|ECONNRESET|EPIPE|socket hang up/,
    concernsAll: true,
    words: (server) =>
      `The server closed the connection at ${at(server)}. Compare the port and the encryption: 587 goes with STARTTLS, 465 with TLS.`,
  },
  {
    sign: /^55[0-9]\b.*(?:user|mailbox|recipient|address|no such|unknown)/i,
    concernsAll: false,
    words: () => 'The server does not take mails to this address. Compare its spelling.',
  },
];

const refusalOf = (error: string): Refusal | undefined => REFUSALS.find(({ sign }) => sign.test(error));

/** Whether a mail failed for a reason that every other mail has, too: it is not its own fault. */
export const concernsEveryMail = (error: string): boolean => refusalOf(error)?.concernsAll ?? false;

/** Tells in words why a mail failed, and what to do. @param error as the mailer gives it, without secrets */
export function explainRefusal(error: string, server: SmtpServer): string {
  const words = refusalOf(error)?.words(server);
  if (words !== undefined) return words;
  return /^\d{3}\b/.test(error) ? 'The server refused the mail.' : 'The mail could not be sent.';
}
