import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

/** The log of the service: one JSON line an entry, without secrets and without anything from the query of an address. */
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
    // Messages of libraries quote addresses too.
    hooks: { streamWrite: withoutQueryValues },
  };
  return to ? pino(options, to) : pino(options);
}

/** A name behind ?, & or ; and the rest of its address, also where these are encoded once or more. */
const QUERY_VALUE = /((?:[?&;]|%(?:25)*(?:3f|26|3b))[\w.~%[\]-]{0,40}(?:=|%(?:25)*3d))[^\s"\\<>]*/gi;

/** A text without the values that addresses in it carry in their queries: they open a ballot, or name a person. */
export function withoutQueryValues(text: string): string {
  return text.replace(QUERY_VALUE, '$1…');
}

/**
 * The path of a URL for the log, without a part that holds more than plain letters: a query may be misspelled or
 * encoded (`/vote;t=`, `/vote%3Ft=`), and an e-mail address may stand in a path.
 */
export function loggedPath(url: string): string {
  const [path = ''] = /^[\w./~-]*/.exec(url) ?? [];
  if (path.length === url.length || url[path.length] === '?') return path;
  return `${path.slice(0, path.lastIndexOf('/') + 1)}…`;
}
