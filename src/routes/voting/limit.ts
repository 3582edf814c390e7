import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { countRequest, type Limit } from '#kernel/http/rate-limit.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { countUnknown, ensureMayTry, tryCode } from '#voting/ballots/code-guesses.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { readVotingCode } from '#voting/ballots/voting-code.ts';
import { findMagicLink } from '#voting/invitations/magic-links.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the general limit has counted this request. */
    isCounted?: boolean;
  }
}

/**
 * Applies the general limit to all routes of a scope. A request with an unreadable body counts when it is refused, and
 * a ballot when `limitBallot` reads its code.
 */
export function limitVoters(ctx: Context, scope: App): void {
  const limit = voterLimit(ctx);
  scope.addHook('preValidation', function (this, request, reply, done) {
    if (request.routeOptions.config.admission === 'always') return done();
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

/** The voting code of a ballot. */
export interface BallotCode {
  text: string;
  hash: string;
  /** Counts the code as unknown, unless that was done when the request was counted. @throws 429 over the limit */
  countUnknown(): void;
}

/** Reads the code of a ballot, and counts the request like `voterLimit`. @throws 429 over the limit */
export function limitBallot(ctx: Context, request: FastifyRequest, reply: FastifyReply): BallotCode {
  request.isCounted = true;
  const { client } = request;
  const { id: electionId } = request.params as { id: string };
  const code = { text: text(fieldsOf(request.body).token), electionId, client };
  const hash = hashToken(code.text, electionId);
  const count = (limit: Limit) => countRequest(ctx.limiter, ctx.now, limit, reply);
  const byCode = () => count(ofCode(ctx, `${hash} ${client}`));
  const byAddress = () => count(ofAddress(ctx, client));
  // The code is looked up when the ballot is cast; looking it up here too takes a tenth of the time of a ballot.
  // Addresses that may only send valid codes get no write for an unknown one.
  const isAssumed = code.text !== '' && ctx.limiter.look(ofAddress(ctx, client)).allowed;
  if (isAssumed) ensureMayTry(ctx, code);
  if (isAssumed || (code.text !== '' && tryCode(ctx, code) !== undefined)) byCode();
  else byAddress();
  return {
    text: code.text,
    hash,
    countUnknown() {
      if (!isAssumed) return;
      countUnknown(ctx, code);
      byAddress();
    },
  };
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
    return code.text === '' ? undefined : tryCode(ctx, code);
  }
  // A typed code may have other text around it.
  const read = readVotingCode(text(body.code));
  return 'code' in read ? tryCode(ctx, { text: read.code, electionId, client }) : undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
