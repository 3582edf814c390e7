import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type Prepared, writePrepared } from './cached-response.ts';
import type { App } from './http.ts';
import type { Answered } from './metrics.ts';

interface FastAnswer {
  /** Undefined while it is not there yet. */
  look: () => Prepared | undefined;
  cacheControl: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a GET of this very address, without a query, is answered with. It must hold for everybody. */
    fastLane?: FastAnswer;
  }
}

/**
 * Lets answers that all screens ask for all day leave at the door: where a route declares them and they are there,
 * they are sent before Fastify makes a request of it, which is a good part of what such an answer costs. Everything
 * else (HEAD, a query, the very first time, `inject`) takes the route itself, which says the same.
 */
export function fastLane(app: App, nextId: () => string, answered: (what: Answered) => void): void {
  const answers = new Map<string, FastAnswer>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method === 'GET' && config?.fastLane) answers.set(url, config.fastLane);
  });
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const answer = request.method === 'GET' ? answers.get(request.url ?? '') : undefined;
    if (!answer || !leave(answer, request, response)) app.routing(request, response);
  });

  function leave(
    { look, cacheControl }: FastAnswer,
    request: IncomingMessage,
    response: ServerResponse,
  ): boolean {
    const started = performance.now();
    const ready = attempt(look);
    if (!ready) return false;
    const { url = '' } = request;
    const id = nextId();
    writePrepared(request, response, id, ready, cacheControl);
    const ms = performance.now() - started;
    answered({ id, method: 'GET', url, route: url, status: response.statusCode, ms });
    return true;
  }
}

/** What fails here fails in the route too, which knows how to say so. */
function attempt(look: FastAnswer['look']): Prepared | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
