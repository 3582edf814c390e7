import { setTimeout as wait } from 'node:timers/promises';
import type { NodemailerError, SendMailOptions } from 'nodemailer';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type Clock, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { withoutQueryValues } from '#kernel/log.ts';
import { LOGO } from './club.ts';
import { type DialogueLimits, NO_ANSWER, QUEUE_LIMITS } from './limits.ts';
import {
  type ComposedMail,
  composeMail,
  type MailMessage,
  missingMailConfig,
  neededMailConfig,
  oneLine,
} from './message.ts';
import type { MailReason } from './reasons.ts';
import { mailServer } from './server.ts';
import { type Transport, transportTo } from './transport.ts';

/** A mail that was not sent; `permanent` when the same mail would be refused again. */
export interface MailFailure {
  ok: false;
  /** The server's own message on one line, without secrets. */
  error: string;
  permanent: boolean;
  /** The server asks for another try later (a 4xx answer): greylisting, or too many mails in a minute. */
  putOff?: boolean;
  /** The server got the whole mail and did not answer: it may have taken it. */
  isUnsure?: boolean;
}

/** `crowded`: the server refused a connection for now, and works. */
type CrowdedFailure = MailFailure & { crowded?: boolean };

export type SendResult = { ok: true } | MailFailure;

/** The outcomes of mails since the start. Times are milliseconds. */
export interface MailOutcomes {
  sent: number;
  failed: number;
  /** When the last one was sent. */
  sentAt?: number;
  /** The last mail that failed permanently, and how many failed in a row. */
  failure?: { at: number; error: string; inARow: number; putOff: boolean };
}

interface MailOptions {
  within?: number | undefined;
  isUrgent?: boolean;
  /** Fails with the first answer: somebody tests the server. */
  triesOnce?: boolean;
}

export interface Mailer {
  /** Names of the variables without which no mail can be sent (specification, Invitation rules). */
  missing(): string[];
  /** The fewest variables that would be enough to send mails; empty if mails can be sent. */
  needed(): string[];
  /** Whether mails go into a folder in production, where nobody reads them. */
  isFolder: boolean;
  /**
   * Sends one mail; may be called concurrently. Errors are returned in the result, not thrown.
   * `within` limits the whole sending, in milliseconds: for a request that waits for the result. An urgent mail, as one
   * that signs somebody in, has a connection of its own, and else the next free one.
   */
  send(message: MailMessage, options?: MailOptions): Promise<SendResult>;
  outcomes(): Readonly<MailOutcomes>;
  /** Loads the club's logo as a png, for mails that show it; set by the domain that stores pictures. */
  logo?: (() => Promise<Buffer>) | undefined;
  /** Waits a few seconds for mails that are being sent, then closes every connection. The rest fails. */
  close(): Promise<void>;
}

export interface MailerTimes extends DialogueLimits {
  /** Delays before the second try, the third, and so on. */
  delays: readonly number[];
}

const TIMES: MailerTimes = { ...QUEUE_LIMITS, delays: [1 * SECOND, 3 * SECOND] };

/** Most mails that are delivered at the same time, and one connection more for urgent ones. */
export const CONNECTIONS = 5;

/** No further try begins later than this after the first failure. */
const RETRY_WITHIN = 10 * SECOND;
const CLOSES_WITHIN = 5 * SECOND;
const LONGEST_ERROR = 300;
/** A server that took a mail in this time works: a refused connection is then put off. */
const WORKED_WITHIN = 10 * MINUTE;

/**
 * Sends mails over SMTP, or writes them into a folder (`MAILER_URL=file:…`). Retries temporary failures. A change of the
 * settings takes effect with the next mail.
 */
export function createMailer(
  config: Config,
  log: Logger,
  now: Clock,
  times: Partial<MailerTimes> = {},
): Mailer {
  const { delays, ...limits } = { ...TIMES, ...times };
  const missing = missingMailConfig(config);
  if (missing.join() === 'MAILER_URL')
    log.warn('MAILER_URL is not set: no mail can be sent. Outside development it has no default');
  const queue = lineOf(CONNECTIONS);
  // A slow server, or one slow mail, holds up none that signs somebody in.
  const urgentOnly = lineOf(1);
  const lines = [queue, urgentOnly];
  // A server that allowed fewer connections is asked for all of them again once nothing waits.
  queue.turns.on('idle', () => {
    // Setting it signals that the queue is idle again.
    if (queue.turns.concurrency < CONNECTIONS) queue.turns.concurrency = CONNECTIONS;
  });
  /** The mails that wait for a connection; aborting one fails the mail with the given failure. */
  const waiting = new Set<AbortController>();
  const underWay = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const outcomes: MailOutcomes = { sent: 0, failed: 0 };

  const mailer: Mailer = {
    missing: () => missingMailConfig(config),
    needed: () => neededMailConfig(config),
    isFolder: config.NODE_ENV === 'production' && (config.MAILER_URL?.startsWith('file:') ?? false),
    outcomes: () => outcomes,
    send(message, options = {}) {
      const sending = send(message, options)
        .then(remember)
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    async close() {
      closing.abort();
      failWaiting(CLOSED);
      for (const { current } of lines) current?.transport.close(false);
      await Promise.race([Promise.allSettled(underWay), wait(CLOSES_WITHIN, undefined, { ref: false })]);
      for (const { current } of lines) current?.transport.close(true);
    },
  };
  return mailer;

  /** The transport to the server of the present settings. Mails that another one is sending are completed there. */
  function transportNow(line: Line): Transport {
    const server = mailServer(config);
    const made = JSON.stringify([server, config.BASE_URL]);
    if (line.current?.made !== made) {
      line.current?.transport.close(false);
      const { connections } = line;
      line.current = { made, transport: transportTo(server, config, { now, limits, connections }) };
    }
    return line.current.transport;
  }

  /** An urgent mail takes its own connection unless that is busy while another one is free, or was refused. */
  function lineFor(isUrgent: boolean, refusals: number): Line {
    if (!isUrgent || refusals > 0) return queue;
    const isFree = ({ turns }: Line) => turns.pending < turns.concurrency;
    return !isFree(urgentOnly) && isFree(queue) ? queue : urgentOnly;
  }

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

  async function send(
    message: MailMessage,
    { within, isUrgent = false, triesOnce = false }: MailOptions,
  ): Promise<SendResult> {
    const composed = composeMail(config, message, now());
    if ('refused' in composed) {
      log.warn({ mail: message.id, error: composed.refused }, 'mail not sent');
      return { ok: false, error: composed.refused, permanent: true };
    }
    const { mail } = composed;
    if (message.html.includes(LOGO))
      mail.attachments = [...(await logoOf(mailer)), ...(mail.attachments ?? [])];
    const late = within === undefined ? undefined : AbortSignal.timeout(within);
    let began: number | undefined;
    for (let tries = 1; ; tries += 1) {
      if (closing.signal.aborted) return CLOSED;
      const failure = await tryOnce(composed.mail, late, isUrgent);
      if (!failure) return { ok: true };
      // The log names no recipients.
      const error = withoutAddresses(failure.error);
      log.warn({ mail: message.id, tries, permanent: failure.permanent, error }, 'mail not sent');
      began ??= performance.now();
      const delay = triesOnce ? undefined : delays[tries - 1];
      if (failure.permanent || failure.isUnsure || delay === undefined || late?.aborted) return failure;
      if (performance.now() - began + delay > RETRY_WITHIN) return failure;
      const signal = late ? AbortSignal.any([closing.signal, late]) : closing.signal;
      await wait(delay, undefined, { signal }).catch(() => undefined);
    }
  }

  async function tryOnce(
    mail: ComposedMail,
    late: AbortSignal | undefined,
    isUrgent: boolean,
    refusals = 0,
  ): Promise<MailFailure | undefined> {
    const place = new AbortController();
    waiting.add(place);
    const signal = late ? AbortSignal.any([place.signal, late]) : place.signal;
    const line = lineFor(isUrgent, refusals);
    const progress: Progress = { isWhole: false };
    const attempted = line.turns.add(
      () => {
        waiting.delete(place);
        return deliver(mail, late, line, progress);
      },
      { signal, priority: isUrgent ? 1 : 0 },
    );
    // Rejected before its attempt, or by its time limit; the signal tells which.
    const outcome = await attempted
      .catch((): CrowdedFailure => {
        if (place.signal.aborted) return place.signal.reason;
        return progress.isWhole ? UNSURE : TOO_LATE;
      })
      .finally(() => waiting.delete(place));
    if (!outcome) return undefined;
    const { crowded = false, ...failure } = outcome;
    // It waits for one of the connections that the server did allow.
    return crowded && refusals < CONNECTIONS ? tryOnce(mail, late, isUrgent, refusals + 1) : failure;
  }

  async function deliver(
    mail: ComposedMail,
    late: AbortSignal | undefined,
    line: Line,
    progress: Progress,
  ): Promise<CrowdedFailure | undefined> {
    const transport = transportNow(line);
    line.delivering += 1;
    try {
      const limit = AbortSignal.timeout(limits.attempt);
      const signal = late ? AbortSignal.any([limit, late]) : limit;
      await transport.deliver({ ...mail, signal }, () => {
        progress.isWhole = true;
      });
      return undefined;
    } catch (err) {
      const error = err as NodemailerError;
      const failure = failureOf(error, transport.secrets);
      // An answer says what became of it; an end without one does not.
      if (progress.isWhole && error.responseCode === undefined) return UNSURE;
      const works = outcomes.sentAt !== undefined && now() - outcomes.sentAt < WORKED_WITHIN;
      if (isCrowded(error) && (works || queue.delivering + urgentOnly.delivering > 1)) {
        const { turns, delivering } = queue;
        if (line === queue) turns.concurrency = Math.max(1, Math.min(turns.concurrency, delivering) - 1);
        return { ...failure, putOff: true, crowded: true };
      }
      // Hundreds of mails must not each wait for a server that is down, nor each try a wrong password.
      if (concernsAll(error)) failWaiting(failure);
      return failure;
    } finally {
      line.delivering -= 1;
    }
  }

  /** Fails the mails that wait for a connection; deliveries in progress continue. */
  function failWaiting(failure: MailFailure): void {
    for (const place of waiting) place.abort(failure);
  }
}

/** How far one try has come. */
interface Progress {
  /** Whether the server has the whole mail. */
  isWhole: boolean;
}

/** Connections to the server, and the mails that wait for one of them. */
interface Line {
  connections: number;
  turns: PQueue;
  /** Mails that have a connection, or open one. */
  delivering: number;
  current?: { made: string; transport: Transport };
}

const lineOf = (connections: number): Line => ({
  connections,
  turns: new PQueue({ concurrency: connections }),
  delivering: 0,
});

/** A text without the addresses in it, for those who may not see them. */
export const withoutAddresses = (text: string): string => text.replace(/[^\s<>]+@[^\s<>]+/g, '…');

/** The logo as an attachment; if it cannot be loaded, the mail is sent without it. */
async function logoOf({ logo }: Mailer): Promise<NonNullable<SendMailOptions['attachments']>> {
  const content = await logo?.().catch(() => undefined);
  if (!content) return [];
  const cid = LOGO.slice('cid:'.length);
  return [{ cid, content, filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline' }];
}

/** Not tried: the outbox keeps it for the next start. */
const CLOSED: MailFailure = {
  ok: false,
  error: 'The service is stopping' satisfies MailReason,
  permanent: false,
  putOff: true,
};
const TOO_LATE: MailFailure = {
  ok: false,
  error: 'The mail server did not answer in time' satisfies MailReason,
  permanent: false,
};

const UNSURE: MailFailure = {
  ok: false,
  error: NO_ANSWER,
  permanent: false,
  isUnsure: true,
};

/** Errors of the library itself that would occur again; those of a server are classified by its response code. */
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

/** Whether the server temporarily refuses a connection (RFC 5321, 3.1) or a login on it: most allow a few at once. */
const isCrowded = ({ responseCode = 0, code, command }: NodemailerError) =>
  responseCode >= 400 && responseCode < 500 && (command === 'CONN' || code === 'EAUTH');

/** A refused greeting or login does not count: it is a fault of the server or our settings, for an operator to fix. */
const isPutOff = ({ responseCode = 0, code }: NodemailerError) =>
  responseCode >= 400 && responseCode < 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');

function wordsFor({ code, message, response }: NodemailerError): string {
  if (response) return code === 'ETLS' ? `No encryption (STARTTLS): ${response}` : response;
  switch (code) {
    case 'ECONNECTION':
      return 'The mail server closed the connection' satisfies MailReason;
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

/** Whether the server cannot be reached at all, or refuses our login rather than one mail. */
function concernsAll({ code, timeoutType }: NodemailerError): boolean {
  return code === 'EAUTH' || code === 'EDNS' || (code === 'ETIMEDOUT' && timeoutType !== 'SOCKET_TIMEOUT');
}
