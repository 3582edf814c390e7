import type { FastifyContextConfig } from 'fastify';

/**
 * The route config of a form whose page is shown again for every kind of refusal.
 * @param refused renders that page
 */
export function refusedOn(refused: NonNullable<FastifyContextConfig['refused']>) {
  return { refused, refusedStatuses: [400, 403, 404, 409, 413, 429, 503] };
}
