import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type ActDetail, requireApproval, type SensitiveAct } from '#people/approvals/approvals.ts';
import { pendingJson } from './with-approval.ts';

/** For the routes of sensitive acts that do not use `withApproval` yet. */
export function graveActs(ctx: Context) {
  const ask = async (request: FastifyRequest, act: SensitiveAct): Promise<() => void> => {
    const asked = await requireApproval(ctx, request, act);
    if (typeof asked === 'function') return asked;
    const { error, ...extra } = pendingJson(asked);
    throw new AppError(202, error, { extra });
  };
  return {
    ask,
    about: (request: FastifyRequest, act: string, details: ActDetail[] = []) =>
      ask(request, { act, details }),
  };
}
