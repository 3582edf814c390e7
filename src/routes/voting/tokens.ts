import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { act } from '#kernel/http/act.ts';
import { type App, sendFile } from '#kernel/http/http.ts';
import { listOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { tokensOncePage } from '#views/voting/admin/tokens-once.ts';
import { ballotPath } from '#voting/ballots/ballots.ts';
import {
  BatchInput,
  deleteBatch,
  ensureTokensBelong,
  generateTokens,
  listBatches,
  TOKENS_PER_CALL,
  TokensInput,
} from '#voting/ballots/tokens.ts';
import { type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import { refusedOnElectionPage } from './election-page.ts';
import { ensureMayInvite } from './invites.ts';
import { sendSlips } from './slips.ts';

const params = z.object({ id: Id });
const HeldTokens = z.object({
  tokens: listOf(z.string().trim().min(1).max(200), TOKENS_PER_CALL).refine(
    (list) => list.length > 0,
    coded('empty'),
  ),
});

export function tokens(app: App, { ctx }: { ctx: Context }): void {
  app.get('/admin/elections/:id/tokens', { config: { json: true }, schema: { params } }, async (request) => ({
    batches: listBatches(ctx.db, request.params.id, mayReadRoll(request)),
  }));

  act(app, ctx, {
    ...refusedOnElectionPage(ctx, 'tokens'),
    both: 'POST /admin/elections/:id/tokens',
    params,
    body: TokensInput,
    run: async ({ params: { id }, body, actor, request }) => {
      const election = getElection(ctx.db, id);
      const { title } = election;
      const { count, batch_name } = body;
      const sensitive = await lateAct(request, election, {
        act: `Make voting codes for “${title}”, which is open`,
        details: [
          { label: 'Voting codes', value: String(count) },
          ...(batch_name === null ? [] : [{ label: 'Batch', value: batch_name }]),
        ],
      });
      return withApproval(ctx, request, sensitive, () => generateTokens(ctx, id, body, actor));
    },
    json: (made) => made,
    next: ({ batch_name, count, tokens }, { params: { id }, request }) => {
      const election = getElection(ctx.db, id);
      const links = linksOf(ctx, request, election, tokens);
      return tokensOncePage({ election, batch_name, count, links, viewer: request.viewer });
    },
  });

  app.post(
    '/admin/elections/:id/tokens/print',
    { schema: { params, body: HeldTokens } },
    async (request, reply) => {
      const { election, links } = held(request);
      const codes = links.map(({ token }) => ({ token }));
      return sendSlips(ctx, request, reply, { election, codes, kept: false });
    },
  );

  app.post(
    '/admin/elections/:id/tokens/csv',
    { schema: { params, body: HeldTokens } },
    async (request, reply) => {
      const { election, links } = held(request);
      const rows = links.map(({ token, url }) => [token, url]);
      return sendFile(
        reply,
        `voting-codes-${election.id.slice(-8)}.csv`,
        'text/csv; charset=utf-8',
        csvText([['voting_code', 'link'], ...rows]),
      );
    },
  );

  act(app, ctx, {
    ...refusedOnElectionPage(ctx, 'batches'),
    both: 'DELETE /admin/elections/:id/batches',
    params,
    body: BatchInput,
    run: async ({ params: { id }, body: { batch_name }, actor, request }) => {
      const election = getElection(ctx.db, id);
      const sensitive = await lateAct(request, election, {
        act: `Delete a batch of voting codes of “${election.title}”, which is open`,
        details: [{ label: 'Batch', value: batch_name ?? 'without a name' }],
      });
      return withApproval(ctx, request, sensitive, () => deleteBatch(ctx, id, batch_name, actor));
    },
    json: (counts) => ({ success: true, ...counts }),
    next: (_, { params: { id } }) => `/admin/elections/${id}?done=batch-deleted#tokens`,
  });

  /** Codes of an election that has opened need a fresh proof and, by the club's rule, a second person. */
  async function lateAct(request: FastifyRequest, election: Election, sensitive: SensitiveAct) {
    if (election.opened_at === null || electionStatus(election, ctx.now()) === 'closed') return undefined;
    await ensureMayInvite(ctx, request, [election]);
    return sensitive;
  }

  function held(request: FastifyRequest & { params: { id: string }; body: { tokens: string[] } }) {
    const { tokens } = request.body;
    ensureTokensBelong(ctx.db, request.params.id, tokens);
    const election = getElection(ctx.db, request.params.id);
    return { election, links: linksOf(ctx, request, election, tokens) };
  }
}

/** Voting codes with their voting links. */
export function linksOf(
  ctx: Context,
  request: FastifyRequest,
  election: Election,
  tokens: readonly string[],
): { token: string; url: string }[] {
  const origin = linkOrigin(ctx, request) ?? '';
  return tokens.map((token) => ({ token, url: `${origin}${ballotPath(election, token)}` }));
}
