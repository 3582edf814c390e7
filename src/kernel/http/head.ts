import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { App } from './http.ts';

const heads = new WeakSet<IncomingMessage>();

/**
 * Lets GET routes answer HEAD; Node leaves out the body: RFC 9110 (9.3.2). Separate HEAD routes, as Fastify makes them,
 * would be a quarter of all. Call it before the first route is registered.
 * @returns a function that turns a HEAD request into a GET, unless its route has `exposeHeadRoute: false`
 */
export function answerHead(app: App): (request: IncomingMessage) => void {
  const refusing: RegExp[] = [];
  app.addHook('onRoute', ({ exposeHeadRoute, url }) => {
    if (exposeHeadRoute === false) refusing.push(new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`));
  });
  return (request) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    if (request.method !== 'HEAD' || refusing.some((pattern) => pattern.test(path))) return;
    heads.add(request);
    request.method = 'GET';
  };
}

/** The method as the client sent it, for logs and metrics. */
export function sentMethod({ raw, method }: FastifyRequest): string {
  return heads.has(raw) ? 'HEAD' : method;
}
