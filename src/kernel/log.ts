import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';
import { loggedPath, withoutQueryValues } from './http/redact.ts';

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
