import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { OtherAnswer } from '#kernel/http/act.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { type PendingAct, requireApproval, type SensitiveAct } from '#people/approvals/approvals.ts';
import { askedPage } from '#views/people/approvals.ts';

/**
 * Does a sensitive act, and then notifies the others who may do it; where the club requires two people, stores it
 * until one of them confirms it. Without `sensitive` it is an ordinary act.
 * @returns the result of `run`, or the answer that says that the act waits
 */
export async function withApproval<Done>(
  ctx: Context,
  request: FastifyRequest,
  sensitive: SensitiveAct | undefined,
  run: () => Promise<Done>,
): Promise<Done | OtherAnswer> {
  if (!sensitive) return run();
  const asked = await requireApproval(ctx, request, sensitive);
  if (typeof asked !== 'function') return pendingAnswer(request, asked);
  const done = await run();
  asked();
  return done;
}

/** Says that an act waits for the confirmation of a second person. */
export function pendingAnswer({ viewer }: FastifyRequest, approval: PendingAct): OtherAnswer {
  const { act } = approval;
  const message = sentence('waits_for_second_person', { act });
  const json = { error: sentence('second_person_must_be_other'), approval, message };
  return new OtherAnswer(202, json, () => askedPage({ act, viewer }));
}
