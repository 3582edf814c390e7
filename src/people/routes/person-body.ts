import type { preValidationHookHandler } from 'fastify';
import { linesOf, markFormBody, nestForm } from '#kernel/http/form.ts';

/**
 * A preValidation hook that turns the form of a person into the body of the API: an address on each line, the first is
 * the primary one; memberships whose kind is left empty are none; no ticked group means no group.
 */
export const personBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.entered) request.body = readPersonForm(request.entered);
  done();
};

function readPersonForm(entered: Record<string, unknown>): Record<string, unknown> {
  const { addresses, standing, standings, groups = [], ...rest } = nestForm(entered);
  const lines = [addresses].flat().filter((text) => typeof text === 'string');
  const body = {
    ...rest,
    addresses: linesOf(lines.join('\n')).map((email, index) => ({ email, primary: index === 0 })),
    groups: [groups].flat(),
    ...(isChosen(standing) && { standing }),
    // Where nothing was stored the form has no fields for it.
    ...(Array.isArray(standings) && { standings: standings.filter(isChosen) }),
  };
  markFormBody(body);
  return body;
}

const isChosen = (standing: unknown): boolean =>
  typeof standing === 'object' && standing !== null && 'kind' in standing && standing.kind !== '';
