import { setTimeout as wait } from 'node:timers/promises';
import type { NodemailerError, SendMailOptions } from 'nodemailer';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type Clock, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { withoutQueryValues } from '#kernel/log.ts';
import { LOGO } from './club.ts';
import { composeMail, type MailMessage, missingMailConfig, oneLine } from './message.ts';
import { CONNECTIONS, type Timeouts, transportTo } from './transport.ts';

/** A mail that was not sent; `permanent` when the same mail would be refused again. */
export interface MailFailure {
  ok: false;
  /** The server's own words on one line, with nothing secret in them. */
  error: string;
  permanent: boolean;
  /** The server asks for another try later (a 4xx answer): greylisting, or too many mails in a minute. */
  putOff?: boolean;
}

export type SendResult = { ok: true } | MailFailure;

/** How mails went since the start. Times are milliseconds. */
export interface MailOutcomes {
  sent: number;
  failed: number;
  /** When the last one was sent. */
  sentAt?: number;
  /** The last one that was given up, and how many were without one sent between them. */
  failure?: { at: number; error: string; inARow: number; putOff: boolean };
}

export interface Mailer {
  /** Names of the variables without which no mail can be sent. */
  missing(): string[];
  /**
   * Sends one mail; any number at once. What goes wrong is in the result, nothing is thrown.
   * `within` limits it as a whole, in milliseconds: for somebody who waits for the answer.
   */
  send(message: MailMessage, options?: { within?: number }): Promise<SendResult>;
  outcomes(): Readonly<MailOutcomes>;
  /** The club's logo as a png, for mails that show it; set where pictures are known. */
  logo?: (() => Promise<Buffer>) | undefined;
  /** Lets what is on its way finish for a few seconds, then ends every connection. The rest fails. */
  close(): Promise<void>;
}

export interface MailerTimes extends Timeouts {
  /** One try from its first to its last byte, also with a server that trickles. */
  attempt: number;
  /** Before the second try, the third, and so on. */
  delays: readonly number[];
}

const TIMES: MailerTimes = {
  connect: 5 * SECOND,
  greeting: 5 * SECOND,
  socket: 10 * SECOND,
  attempt: 30 * SECOND,
  delays: [1 * SECOND, 3 * SECOND],
};

/** No further try begins later than this after the first. */
const RETRY_WITHIN = 10 * SECOND;
const CLOSES_WITHIN = 5 * SECOND;
const LONGEST_ERROR = 300;

/** Sends mails over SMTP, or writes them into a folder (`MAILER_URL=file:…`). Passing failures are tried again. */
export function createMailer(
  config: Config,
  log: Logger,
  now: Clock,
  times: Partial<MailerTimes> = {},
): Mailer {
  const { attempt, delays, ...timeouts } = { ...TIMES, ...times };
  const transport = transportTo(config, now, timeouts);
  const missing = missingMailConfig(config);
  if (missing.join() === 'MAILER_URL')
    log.warn('MAILER_URL is not set: no mail can be sent. Outside development it has no default');
  const queue = new PQueue({ concurrency: CONNECTIONS });
  /** Each mail that waits for a connection; aborted with the failure that it gets instead. */
  const waiting = new Set<AbortController>();
  const underWay = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const outcomes: MailOutcomes = { sent: 0, failed: 0 };

  const mailer: Mailer = {
    missing: () => missingMailConfig(config),
    outcomes: () => outcomes,
    send(message, { within } = {}) {
      const sending = send(message, within)
        .then(remember)
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    async close() {
      closing.abort();
      failWaiting(CLOSED);
      transport.close(false);
      await Promise.race([Promise.allSettled(underWay), wait(CLOSES_WITHIN, undefined, { ref: false })]);
      transport.close(true);
    },
  };
  return mailer;

  function remember(result: SendResult): SendResult {
    if (result.ok) {
      outcomes.sent += 1;
      outcomes.sentAt = now();
      delete outcomes.failure;
    } else {
      outcomes.failed += 1;
      const inARow = (outcomes.failure?.inARow ?? 0) + 1;
      const { error, putOff = false } = result;
      outcomes.failure = { at: now(), error: withoutAddresses(error), inARow, putOff };
    }
    return result;
  }

  async function send(message: MailMessage, within?: number): Promise<SendResult> {
    const composed = composeMail(config, message, now());
    if ('refused' in composed) return { ok: false, error: composed.refused, permanent: true };
    if (message.html.includes(LOGO)) composed.mail.attachments = await logoOf(mailer);
    const late = within === undefined ? undefined : AbortSignal.timeout(within);
    let began: number | undefined;
    for (let tries = 1; ; tries += 1) {
      if (closing.signal.aborted) return CLOSED;
      const failure = await tryOnce(composed.mail, late);
      if (!failure) return { ok: true };
      // The log names no recipients.
      const error = withoutAddresses(failure.error);
      log.warn({ mail: message.id, tries, permanent: failure.permanent, error }, 'mail not sent');
      began ??= performance.now();
      const delay = delays[tries - 1];
      if (failure.permanent || delay === undefined || late?.aborted) return failure;
      if (performance.now() - began + delay > RETRY_WITHIN) return failure;
      const signal = late ? AbortSignal.any([closing.signal, late]) : closing.signal;
      await wait(delay, undefined, { signal }).catch(() => undefined);
    }
  }

  async function tryOnce(
    mail: SendMailOptions,
    late: AbortSignal | undefined,
  ): Promise<MailFailure | undefined> {
    const place = new AbortController();
    waiting.add(place);
    const signal = late ? AbortSignal.any([place.signal, late]) : place.signal;
    const attempted = queue.add(
      () => {
        waiting.delete(place);
        return deliver(mail, late);
      },
      { signal },
    );
    // Rejected without an attempt, or as its time is over: both say why by the signal.
    return attempted
      .catch(() => (place.signal.aborted ? place.signal.reason : TOO_LATE))
      .finally(() => waiting.delete(place));
  }

  async function deliver(
    mail: SendMailOptions,
    late: AbortSignal | undefined,
  ): Promise<MailFailure | undefined> {
    try {
      const limit = AbortSignal.timeout(attempt);
      await transport.deliver({ ...mail, signal: late ? AbortSignal.any([limit, late]) : limit });
      return undefined;
    } catch (error) {
      const failure = failureOf(error as NodemailerError, transport.secrets);
      // Five hundred mails must not wait one after another for a server that is away, nor try a wrong password each.
      if (concernsAll(error as NodemailerError)) failWaiting(failure);
      return failure;
    }
  }

  /** Those that are being delivered go on. */
  function failWaiting(failure: MailFailure): void {
    for (const place of waiting) place.abort(failure);
  }
}

const withoutAddresses = (text: string) => text.replace(/[^\s<>]+@[^\s<>]+/g, '…');

/** The logo as a mail carries it; a mail goes out without it rather than not at all. */
async function logoOf({ logo }: Mailer): Promise<NonNullable<SendMailOptions['attachments']>> {
  const content = await logo?.().catch(() => undefined);
  if (!content) return [];
  const cid = LOGO.slice('cid:'.length);
  return [{ cid, content, filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline' }];
}

const CLOSED: MailFailure = { ok: false, error: 'The service is stopping', permanent: false };
const TOO_LATE: MailFailure = {
  ok: false,
  error: 'The mail server did not answer in time',
  permanent: false,
};

/** Refusals that come from the library itself and would come again; a server's own are told by its code. */
const PERMANENT = new Set(['EAUTH', 'ENOAUTH', 'EENVELOPE', 'EMESSAGE', 'EREQUIRETLS', 'ECONFIG']);

function failureOf(error: NodemailerError, secrets: string[]): MailFailure {
  const words = withoutQueryValues(oneLine(wordsFor(error)));
  return {
    ok: false,
    error: secrets.reduce((text, secret) => text.replaceAll(secret, '…'), words).slice(0, LONGEST_ERROR),
    permanent: error.responseCode ? error.permanent === true : PERMANENT.has(error.code ?? ''),
    ...(isPutOff(error) && { putOff: true }),
  };
}

/** A refused greeting or login is a fault of the server or of our settings, which somebody has to look at. */
const isPutOff = ({ responseCode = 0, code }: NodemailerError) =>
  responseCode >= 400 && responseCode < 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');

function wordsFor({ code, message, response }: NodemailerError): string {
  if (response) return code === 'ETLS' ? `No encryption (STARTTLS): ${response}` : response;
  switch (code) {
    case 'ECONNECTION':
      return 'The mail server closed the connection';
    case 'ETIMEDOUT':
    case 'EABORT':
      return TOO_LATE.error;
    case 'EDNS':
    case 'ESOCKET':
    case 'ETLS':
      return `The mail server cannot be reached: ${message}`;
    default:
      return message;
  }
}

/** Whether the server cannot be had at all, or refuses us rather than one mail. */
function concernsAll({ code, timeoutType }: NodemailerError): boolean {
  return code === 'EAUTH' || code === 'EDNS' || (code === 'ETIMEDOUT' && timeoutType !== 'SOCKET_TIMEOUT');
}
