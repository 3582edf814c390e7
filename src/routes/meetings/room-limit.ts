import type { preValidationHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { countRequest } from '#kernel/http/rate-limit.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { meetingNow } from '#meetings/meetings.ts';
import { keptCard } from '#routes/voting/ballots/card-cookie.ts';
import { tryCode } from '#voting/ballots/code-guesses.ts';

/** How many phones of a meeting may share one address, each at the general limit. */
const PHONES = 50;

/**
 * The limit of the pages that a whole meeting follows from one network: a request with a valid card counts against the
 * card at its address, every other one against the address, with room for many phones.
 */
export function limitRoom(ctx: Context): preValidationHookHandler {
  return (request, reply, done) => {
    const { client } = request;
    const limit = ctx.config.RATE_LIMIT_GENERAL;
    const { id = '' } = fieldsOf(request.params) as { id?: string };
    const { t } = fieldsOf(request.query);
    const text = typeof t === 'string' ? t : (keptCard(request) ?? '');
    const paper = text === '' ? null : (meetingNow(ctx, id)?.paper_id ?? null);
    const card = paper === null ? undefined : tryCode(ctx, { text, electionId: paper, client });
    countRequest(
      ctx.limiter,
      ctx.now,
      card === undefined
        ? { name: 'general of a meeting', client, limit: limit * PHONES }
        : { name: 'general of a code', client: `${card} ${client}`, limit },
      reply,
    );
    done();
  };
}
