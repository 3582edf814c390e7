import type { FastifyContextConfig } from 'fastify';

/** The statuses of everything by which a rule refuses a form. */
export const REFUSALS: readonly number[] = [400, 403, 404, 409, 413, 429, 503];

/**
 * The route config of a form whose page is shown again for every kind of refusal.
 * @param refused renders that page
 */
export function refusedOn(refused: NonNullable<FastifyContextConfig['refused']>) {
  return { refused, refusedStatuses: REFUSALS };
}
