import type { FastifyContextConfig } from 'fastify';

/**
 * The config of a form's route whose page is shown again, whatever the route refuses.
 * @param refused makes that page
 */
export function refusedOn(refused: NonNullable<FastifyContextConfig['refused']>) {
  return { refused, refusedStatuses: [400, 403, 404, 409, 413, 429, 503] };
}
