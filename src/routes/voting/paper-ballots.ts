import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { type FailureLimit, failureLimit } from '#kernel/http/rate-limit.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { CodeQuery, hashToken } from '#voting/ballots/tokens.ts';
import { findDeletedByCode } from '#voting/elections/deletion.ts';
import { findPaper, getPaper } from '#voting/elections/issuers.ts';
import { type CastPaper, castPaper } from '#voting/papers/casting.ts';
import { checkPaperCode } from '#voting/papers/check.ts';
import { findDeletedPaper } from '#voting/papers/deletion.ts';
import { findPaperCode, publicPaperJson } from '#voting/papers/public-paper.ts';
import { type BallotCode, limitBallot } from './limit.ts';
import { CodeBody } from './verification.ts';

const params = z.object({ id: Id });
/** The ballots of several questions. */
const bodyLimit = 64 * 1024;

/** The body, only for the API description: the rules are those of each question. */
const PaperBallots = z.object({
  token: z.string(),
  answers: z.record(z.string(), z.record(z.string(), z.unknown())),
  submission_id: z.string().max(64).optional(),
  inclusion_code: z.string().optional(),
});

/** A ballot paper for voters: its page, casting it, and looking up its inclusion code. */
export async function paperBallots(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const refusals = failureLimit(ctx.limiter, ctx.now, 'vote', ctx.config.RATE_LIMIT_VOTE);

  app.get('/p/:id', { schema: { params, querystring: CodeQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const paper = getPaper(ctx.db, request.params.id);
    const { t } = request.query;
    const code = t ? findPaperCode(ctx.db, paper, hashToken(t), ctx.now()) : undefined;
    const { end, ...token } = code ?? {};
    return {
      ...publicPaperJson(ctx, paper),
      ...(code && { token: { ...token, ...(end && { [end]: true }) } }),
    };
  });

  app.post(
    '/p/:id/vote',
    {
      validatorCompiler: readLater,
      bodyLimit,
      config: { admission: 'always', proofInBody: true },
      schema: { params, body: PaperBallots, summary: 'Cast the ballots of several questions' },
    },
    async (request, reply) => {
      const code = limitBallot(ctx, request, reply);
      refusals.show(request, reply);
      return castWithinLimit(
        ctx,
        { paperId: request.params.id, body: request.body, code },
        refusals,
        request,
        reply,
      );
    },
  );

  app.post(
    '/p/:id/check',
    {
      bodyLimit: 4 * 1024,
      schema: { params, body: CodeBody, summary: 'Whether the ballots with this code are in the boxes' },
    },
    async (request) => {
      const questions = checkPaperCode(ctx, getPaper(ctx.db, request.params.id), request.body.code);
      return { found: questions.some(({ found }) => found), questions };
    },
  );
}

/** Leaves the validation to `castPaper`, which checks the body after paper and token (order of refusals). */
const readLater = () => (value: unknown) => ({ value });

/**
 * Casts the ballots of a paper. A refusal counts against the limit unless the code still opens a question.
 * @throws 429 over the limit
 */
async function castWithinLimit(
  ctx: Context,
  { paperId, body, code }: { paperId: string; body: unknown; code: BallotCode },
  limit: FailureLimit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CastPaper> {
  const { hash: token_hash } = code;
  try {
    return await castPaper(ctx, { paperId, body, token_hash });
  } catch (error) {
    if (error instanceof AppError) {
      const paper = findPaper(ctx.db, paperId);
      const found = paper && findPaperCode(ctx.db, paper, token_hash, ctx.now());
      // A code that was withdrawn, or deleted with its paper, is not a guess.
      const isUnknown = !found?.valid && !found?.end && !findDeletedByCode(ctx.db, token_hash);
      if (isUnknown) code.countUnknown();
      if (isUnknown || found?.used) limit.count(request, reply);
    }
    throw error;
  }
}

/** Answers a 410 with what stays of a deleted paper, for each route of a scope that does not find it. */
export function answerForDeletedPaper(ctx: Context, scope: App): void {
  scope.setErrorHandler<Error & { statusCode?: number }>((error, request) => {
    const { id } = fieldsOf(request.params);
    const deleted =
      error.statusCode === 404 && typeof id === 'string' ? findDeletedPaper(ctx.db, id) : undefined;
    if (deleted) throw new AppError(410, 'paper_deleted', {}, { extra: { deleted } });
    throw error;
  });
}
