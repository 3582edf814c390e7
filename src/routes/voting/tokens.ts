import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone, sendFile, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { listOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { graveActs } from '#routes/people/grave-acts.ts';
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
import { ensureMayInvite } from './invite-pages.ts';
import { sendSlips } from './printed-slips.ts';

const params = z.object({ id: Id });
const HeldTokens = z.object({
  tokens: listOf(z.string().trim().min(1).max(200), TOKENS_PER_CALL).refine(
    (list) => list.length > 0,
    'must not be empty',
  ),
});

export function tokens(app: App, { ctx }: { ctx: Context }): void {
  const acts = graveActs(ctx);
  app.get('/admin/elections/:id/tokens', { config: { json: true }, schema: { params } }, async (request) => ({
    batches: listBatches(ctx.db, request.params.id, mayReadRoll(request)),
  }));

  app.post(
    '/admin/elections/:id/tokens',
    { config: refusedOnElectionPage(ctx, 'tokens'), schema: { params, body: TokensInput } },
    async (request, reply) => {
      const before = getElection(ctx.db, request.params.id);
      const notifyOthers = await askForLateCodes(request, before, request.body);
      const made = await generateTokens(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      notifyOthers?.();
      if (!wantsHtml(request)) return made;
      const election = getElection(ctx.db, request.params.id);
      const origin = linkOrigin(ctx, request) ?? '';
      const links = made.tokens.map((token) => ({ token, url: `${origin}${ballotPath(election, token)}` }));
      return sendHtml(
        reply,
        tokensOncePage({
          election,
          batch_name: made.batch_name,
          count: made.count,
          links,
          viewer: request.viewer,
        }),
      );
    },
  );

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

  app.delete(
    '/admin/elections/:id/batches',
    { config: refusedOnElectionPage(ctx, 'batches'), schema: { params, body: BatchInput } },
    async (request, reply) => {
      const { id } = request.params;
      const { batch_name } = request.body;
      const election = getElection(ctx.db, id);
      const isOpen = election.opened_at !== null && electionStatus(election, ctx.now()) !== 'closed';
      if (isOpen) await ensureMayInvite(ctx, request, [election]);
      const notifyOthers = isOpen
        ? await acts.about(request, `Delete a batch of voting codes of “${election.title}”, which is open`, [
            { label: 'Batch', value: batch_name ?? 'without a name' },
          ])
        : undefined;
      const counts = await deleteBatch(ctx, id, batch_name, actorOf(request, ctx.now));
      notifyOthers?.();
      return answerDone(
        request,
        reply,
        { success: true, ...counts },
        `/admin/elections/${id}?done=batch-deleted#tokens`,
      );
    },
  );

  /** Codes for an election that has opened need a fresh proof and, by the club's rule, a second person. */
  async function askForLateCodes(
    request: FastifyRequest,
    election: Election,
    { count, batch_name }: z.output<typeof TokensInput>,
  ) {
    if (election.opened_at === null || electionStatus(election, ctx.now()) === 'closed') return undefined;
    await ensureMayInvite(ctx, request, [election]);
    return acts.about(request, `Make voting codes for “${election.title}”, which is open`, [
      { label: 'Voting codes', value: String(count) },
      ...(batch_name === null ? [] : [{ label: 'Batch', value: batch_name }]),
    ]);
  }

  function held(request: FastifyRequest & { params: { id: string }; body: { tokens: string[] } }) {
    const { tokens } = request.body;
    ensureTokensBelong(ctx.db, request.params.id, tokens);
    const election = getElection(ctx.db, request.params.id);
    const origin = linkOrigin(ctx, request) ?? '';
    return {
      election,
      links: tokens.map((token) => ({ token, url: `${origin}${ballotPath(election, token)}` })),
    };
  }
}
