import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { countRequest } from '#kernel/http/rate-limit.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { tryCode } from '#voting/ballots/code-guesses.ts';
import { readVotingCode } from '#voting/ballots/voting-code.ts';
import { findMagicLink } from '#voting/invitations/magic-links.ts';

/** Applies the general limit to all routes of a scope. A request with an unreadable body counts when it is refused. */
export function limitVoters(ctx: Context, scope: App): void {
  const counted = new WeakSet<FastifyRequest>();
  const limit = voterLimit(ctx);
  scope.addHook('preValidation', function (this, request, reply, done) {
    counted.add(request);
    return limit.call(this, request, reply, done);
  });
  scope.setErrorHandler((error, request, reply) => {
    if (!counted.has(request)) count(ctx, { name: 'general', client: request.client }, reply);
    throw error;
  });
}

/**
 * The general limit. A request with a valid voting code counts against that code at its address, every other one
 * against the address. So a whole meeting on one network can vote, even if the address is limited. The limit is applied
 * after the body is read, because the code may be in it.
 */
export function voterLimit(ctx: Context): preValidationHookHandler {
  return (request, reply, done) => {
    const bearer = bearerOf(ctx, request);
    const of =
      bearer === undefined
        ? { name: 'general', client: request.client }
        : { name: 'general of a code', client: `${bearer} ${request.client}` };
    count(ctx, of, reply);
    done();
  };
}

/** @throws 429 over the limit */
function count(ctx: Context, of: { name: string; client: string }, reply: FastifyReply): void {
  countRequest(ctx.limiter, ctx.now, { ...of, limit: ctx.config.RATE_LIMIT_GENERAL }, reply);
}

/** Returns the hash of the request's voting code or link; undefined without a valid one. @throws 429 */
function bearerOf(ctx: Context, request: FastifyRequest): string | undefined {
  const { client, routeOptions } = request;
  const query = fieldsOf(request.query);
  const body = fieldsOf(request.body);
  if (routeOptions.url === '/vote/my-elections')
    return findMagicLink(ctx.db, text(query.token ?? body.token));
  const { id: electionId } = fieldsOf(request.params) as { id?: string };
  if (electionId !== undefined) {
    const code = text(query.t ?? body.token);
    return code === '' ? undefined : tryCode(ctx, { text: code, electionId, client });
  }
  // A typed code may have other text around it.
  const read = readVotingCode(text(body.code));
  return 'code' in read ? tryCode(ctx, { text: read.code, electionId, client }) : undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
