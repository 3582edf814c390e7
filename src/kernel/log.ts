import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

/** Creates the log of the service: one JSON line per entry, without secrets and without query values of URLs. */
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
  return to ? pino(options, to) : pino(options);
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
  // The link of a nominee or a seconder ends with its secret.
  const path = whole.replace(/^(\/m\/[^/]+\/nominations\/).*/, '$1…');
  if (whole.length === url.length || url[whole.length] === '?') return path;
  return `${path.slice(0, path.lastIndexOf('/') + 1)}…`;
}
