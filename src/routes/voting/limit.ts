import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { countRequest, type Limit } from '#kernel/http/rate-limit.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { countUnknown, ensureMayTry, type TriedCode, tryCode } from '#voting/ballots/code-guesses.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { readVotingCode } from '#voting/ballots/voting-code.ts';
import { findMagicLink } from '#voting/invitations/magic-links.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the general limit has counted this request. */
    isCounted?: boolean;
    /** The code of a ballot that was counted against it before it was looked up. */
    assumedCode?: TriedCode & { hash: string };
  }
}

/** Applies the general limit to all routes of a scope. A request with an unreadable body counts when it is refused. */
export function limitVoters(ctx: Context, scope: App): void {
  const limit = voterLimit(ctx);
  scope.addHook('preValidation', function (this, request, reply, done) {
    request.isCounted = true;
    return limit.call(this, request, reply, done);
  });
  scope.setErrorHandler((error, request, reply) => {
    if (!request.isCounted) countRequest(ctx.limiter, ctx.now, ofAddress(ctx, request.client), reply);
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
    const { client } = request;
    const bearer = bearerOf(ctx, request);
    const limit = bearer === undefined ? ofAddress(ctx, client) : ofCode(ctx, `${bearer} ${client}`);
    countRequest(ctx.limiter, ctx.now, limit, reply);
    done();
  };
}

/** The hash of the voting code in a ballot, computed once for each request. */
export const ballotCodeHash = ({ assumedCode, body }: FastifyRequest): string =>
  assumedCode?.hash ?? hashToken(text(fieldsOf(body).token));

/**
 * Counts a ballot whose code turned out to be unknown against its address, unless `voterLimit` has done so.
 * @throws 429 over the limit
 */
export function countUnknownCode(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const { assumedCode, client } = request;
  if (!assumedCode) return;
  countUnknown(ctx, assumedCode);
  countRequest(ctx.limiter, ctx.now, ofAddress(ctx, client), reply);
}

const ofAddress = ({ config }: Context, client: string): Limit => {
  return { name: 'general', client, limit: config.RATE_LIMIT_GENERAL };
};

const ofCode = ({ config }: Context, client: string): Limit => {
  return { name: 'general of a code', client, limit: config.RATE_LIMIT_GENERAL };
};

/** Returns the hash of the request's voting code or link; undefined without a valid one. @throws 429 */
function bearerOf(ctx: Context, request: FastifyRequest): string | undefined {
  const { client, routeOptions } = request;
  const query = fieldsOf(request.query);
  const body = fieldsOf(request.body);
  if (routeOptions.url === '/vote/my-elections')
    return findMagicLink(ctx.db, text(query.token ?? body.token));
  const { id: electionId } = fieldsOf(request.params) as { id?: string };
  if (electionId !== undefined) {
    const code = { text: text(query.t ?? body.token), electionId, client };
    if (code.text === '') return undefined;
    // A ballot's code is looked up when it is cast; looking it up here too takes a tenth of the time of a ballot.
    // Addresses that may only send valid codes get no write for an unknown one.
    const isBallot = routeOptions.config.admission === 'always' && query.t === undefined;
    if (!isBallot || !ctx.limiter.look(ofAddress(ctx, client)).allowed) return tryCode(ctx, code);
    ensureMayTry(ctx, code);
    const hash = hashToken(code.text);
    request.assumedCode = { text: code.text, electionId, client, hash };
    return hash;
  }
  // A typed code may have other text around it.
  const read = readVotingCode(text(body.code));
  return 'code' in read ? tryCode(ctx, { text: read.code, electionId, client }) : undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
