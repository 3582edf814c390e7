import type { onRequestHookHandler } from 'fastify';
import { isSwitchedOff, type Part } from '#kernel/settings/parts.ts';
import { notFound } from './errors.ts';
import { wantsHtml } from './http.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The part of the service that a visitors' page belongs to: if it is switched off, the page is a 404. */
    part?: Part;
  }
}

/** An onRequest hook: a 404 page for the pages of parts that the club has switched off. JSON is still answered. */
export function switchedOffGuard(ctx: Parameters<typeof isSwitchedOff>[0]): onRequestHookHandler {
  return (request, _reply, done) => {
    const { part } = request.routeOptions.config;
    if (part === undefined || request.method !== 'GET' || !isSwitchedOff(ctx, part) || !wantsHtml(request))
      return done();
    done(notFound('page_switched_off'));
  };
}
