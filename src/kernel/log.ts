import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import { dateOf } from './clock.ts';
import type { Config } from './config.ts';
import { LogOutput } from './log-output.ts';

/**
 * Creates the log of the service, without secrets and without query values of URLs: one JSON line per entry, or for a
 * terminal one that people read.
 */
export function createLog({ LOG_LEVEL: level }: Pick<Config, 'LOG_LEVEL'>, to?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: [
      'headers',
      '*.headers.authorization',
      '*.headers.cookie',
      '*.token',
      '*.token_plaintext',
      '*.password',
      // The bytes of a request that could not be parsed.
      'err.rawPacket',
    ],
    serializers: {
      req: ({ id, method, url }: FastifyRequest) => ({ id, method, url: loggedPath(url) }),
      res: ({ statusCode }: FastifyReply) => ({ statusCode }),
    },
    // Messages of libraries contain URLs too.
    hooks: { streamWrite: withoutQueryValues },
  };
  if (to) return pino(options, to);
  if (process.stdout.isTTY)
    return pino(options, { write: (line) => void process.stdout.write(readable(line)) });
  const output = new LogOutput(process.stdout.fd, (lost) =>
    log.error({ lost }, 'lines of the log were lost, because it could not be written'),
  );
  const log: Logger = pino(options, output);
  return log;
}

/** A query parameter after ?, & or ; and the rest of its URL, also if percent-encoded once or more. */
const QUERY_VALUE = /((?:[?&;]|%(?:25)*(?:3f|26|3b))[\w.~%[\]-]{0,40}(?:=|%(?:25)*3d))[^\s"\\<>]*/gi;

/** Removes the query values of URLs from a text: they open a ballot, or name a person. */
export function withoutQueryValues(text: string): string {
  return text.replace(QUERY_VALUE, '$1…');
}

/**
 * The path of a URL for the log, cut before the first segment with unusual characters: a query may be misspelled or
 * encoded (`/vote;t=`, `/vote%3Ft=`), and a path may contain an e-mail address.
 */
export function loggedPath(url: string): string {
  const [whole = ''] = /^[\w./~-]*/.exec(url) ?? [];
  // The link of a nominee, of the author of a motion or of a seconder ends with its secret.
  const path = whole.replace(/^(\/m\/[^/]+\/(?:nominations|motions)\/).*/, '$1…');
  if (whole.length === url.length || url[whole.length] === '?') return path;
  return `${path.slice(0, path.lastIndexOf('/') + 1)}…`;
}

/** The levels of pino that are named in a readable line; `info` is not. */
const LEVELS: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  40: 'Warning:',
  50: 'Error:',
  60: 'Error:',
};

/** An entry of the log for people: the time of day, what happened, and the details; an error with its stack below. */
export function readable(line: string): string {
  const { time, level, msg, err, id: _id, ...details } = JSON.parse(line) as Record<string, unknown>;
  const { method, url, status, ms, ...more } = details;
  const clock = dateOf(Number(time)).toTimeString().slice(0, 8);
  const what = msg === 'request' ? [method, url, status, `${Math.round(Number(ms))} ms`] : [msg];
  const left = Object.entries(msg === 'request' ? more : details).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string };
  const words = [clock, LEVELS[Number(level)], ...what, ...left].filter((word) => word !== undefined);
  const text = `${words.join(' ')}\n${err ? `${stack ?? message ?? JSON.stringify(err)}\n` : ''}`;
  // A control character from outside must not steer the terminal.
  return text.replace(/[^\P{Cc}\n\t]/gu, '�');
}
