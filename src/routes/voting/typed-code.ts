import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { AppError, badRequest, forbidden } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { failureLimit } from '#kernel/http/rate-limit.ts';
import { REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { coded } from '#kernel/messages/messages.ts';
import { findMeeting } from '#meetings/meetings.ts';
import { type CodeRefusal, typedCodePage } from '#views/voting/typed-code.ts';
import { invalidToken, votingPath } from '#voting/ballots/ballots.ts';
import { type FoundCode, findTokenAnywhere, hashToken } from '#voting/ballots/tokens.ts';
import { readVotingCode } from '#voting/ballots/voting-code.ts';
import { findEndAnywhere } from '#voting/ballots/withdrawn-codes.ts';
import { findDeletedByCode } from '#voting/elections/deletion.ts';
import { electionStatus, endTime, getElection, isPaused } from '#voting/elections/elections.ts';
import { findMeetingOfPaper, getIssuer, type Issuer } from '#voting/elections/issuers.ts';
import { findVoid } from '#voting/elections/void.ts';
import { sendDeleted } from './deleted.ts';
import { voterLimit } from './limit.ts';

const body = z.object({ code: z.string(REQUIRED_TEXT).max(8_000, coded('far_too_long')) });

/** The page for voters with a printed slip: one field for the code, which leads to its ballot. */
export function typedCode(app: App, { ctx }: { ctx: Context }): void {
  const refusals = failureLimit(ctx.limiter, ctx.now, 'vote', ctx.config.RATE_LIMIT_VOTE);

  app.get('/vote', { schema: { summary: 'Type a voting code' } }, async (_request, reply) =>
    sendHtml(reply, typedCodePage({ text: '' })),
  );

  app.post(
    '/vote',
    {
      config: { admission: 'voting', proofInBody: true },
      bodyLimit: 16 * 1024,
      preValidation: voterLimit(ctx),
      schema: { body, summary: 'The ballot that a voting code opens' },
    },
    async (request, reply) => {
      const { code: text } = request.body;
      const link = myElectionsLink(text);
      if (link !== undefined) return lead(request, reply, link);
      const read = readVotingCode(text);
      if (!('code' in read)) return refuse(request, reply, text, read);
      const hash = hashToken(read.code);
      const found = findTokenAnywhere(ctx.db, hash, ctx.now());
      // The page of a meeting goes on with a card before, between and after its votes.
      if (found?.isPaper && isHeld(ctx, found))
        return lead(request, reply, votingPath(ctx.db, { id: found.election_id, isPaper: true }, read.code));
      const ended = found ? undefined : findEndAnywhere(ctx.db, hash);
      if (ended) return refuse(request, reply, text, { state: ended });
      const deleted = found ? undefined : findDeletedByCode(ctx.db, hash);
      if (deleted) return sendDeleted(ctx, deleted, request, reply);
      const ofVoid = found && voidOf(ctx, found);
      if (ofVoid) return refuse(request, reply, text, ofVoid);
      if (!found || found.used) refusals.count(request, reply);
      if (!found) return refuse(request, reply, text, { state: 'unknown' });
      const election = getIssuerOfCode(ctx, found);
      const status = electionStatus(election, ctx.now());
      const state = found.used
        ? 'used'
        : status === 'open'
          ? undefined
          : isPaused(election, ctx.now())
            ? 'paused'
            : status;
      if (state === undefined) return lead(request, reply, votingPath(ctx.db, election, read.code));
      const at = status === 'scheduled' ? election.open_at : endTime(election);
      const when = formatWhen(at, ctx.config.TIME_ZONE);
      return refuse(request, reply, text, { state, election, when });
    },
  );
}

/** What a code of a vote that is void is told, used or not; undefined for others, and for the code of a paper. */
function voidOf(ctx: Context, found: FoundCode): CodeRefusal | undefined {
  if (found.isPaper) return undefined;
  const election = getElection(ctx.db, found.election_id);
  const isVoid = findVoid(ctx.db, election);
  if (!isVoid) return undefined;
  const { id, title } = election;
  const { reason, repeated_by } = isVoid;
  return { state: 'void', election: { id, title, isPaper: false }, reason, isRepeated: repeated_by !== null };
}

/** Whether it is a code of the paper of a meeting that is not over. */
function isHeld(ctx: Context, { election_id }: FoundCode): boolean {
  const meeting = findMeetingOfPaper(ctx.db, election_id);
  return meeting !== undefined && findMeeting(ctx.db, meeting)?.state !== 'closed';
}

/** The election or the ballot paper of a code; a question for the code of a paper that was deleted from it alone. */
const getIssuerOfCode = (ctx: Context, { election_id, isPaper }: FoundCode): Issuer =>
  isPaper ? getIssuer(ctx.db, election_id) : { ...getElection(ctx.db, election_id), isPaper: false };

/** Returns the path of a batch invitation's link in a pasted text. */
function myElectionsLink(text: string): string | undefined {
  const query = new URLSearchParams(/\/vote\/my-elections\?(\S+)/.exec(text)?.[1] ?? '');
  const email = query.get('email');
  const token = query.get('token');
  return email && token ? `/vote/my-elections?${new URLSearchParams({ email, token })}` : undefined;
}

const lead = (request: FastifyRequest, reply: FastifyReply, path: string) =>
  wantsHtml(request) ? reply.redirect(path, 303) : { path };

/** Refuses a code with the errors of POST /e/:id/vote. Browsers get the page again, with the typed text. */
function refuse(request: FastifyRequest, reply: FastifyReply, text: string, refusal: CodeRefusal) {
  const error = errorOf(refusal);
  if (!wantsHtml(request)) throw error;
  return sendHtml(reply, typedCodePage({ text, refusal }), error.statusCode);
}

function errorOf({ state }: CodeRefusal): AppError {
  switch (state) {
    case 'unknown':
      return new AppError(401, 'invalid_token');
    case 'withdrawn':
    case 'replaced':
      return invalidToken(state);
    case 'used':
      return forbidden('token_used');
    case 'scheduled':
    case 'paused':
    case 'closed':
    case 'void':
      return forbidden('election_not_open');
    case 'misread':
      return badRequest('code_misread');
    default:
      return badRequest('code_incomplete');
  }
}
