import type { preValidationHookHandler } from 'fastify';
import { linesOf, markFormBody, nestForm } from '#kernel/http/form.ts';

/**
 * A preValidation hook that converts the form of a person into the body of the API: one address per line, the first is
 * the primary one; memberships without a kind are dropped; no ticked group means no group.
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
    // Without stored standings the form has no fields for them.
    ...(Array.isArray(standings) && { standings: standings.filter(isChosen) }),
  };
  markFormBody(body);
  return body;
}

const isChosen = (standing: unknown): boolean =>
  typeof standing === 'object' && standing !== null && 'kind' in standing && standing.kind !== '';
