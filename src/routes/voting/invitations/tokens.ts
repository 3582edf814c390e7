import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { act } from '#kernel/http/act.ts';
import { type App, sendFile } from '#kernel/http/http.ts';
import { listOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { coded } from '#kernel/messages/messages.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { issuerOf, placed } from '#routes/voting/officers-page/address.ts';
import { onPage } from '#routes/voting/officers-page/page.ts';
import { tokensOncePage } from '#views/voting/admin/invitations/tokens-once.ts';
import { adminPath, sectionPath } from '#views/voting/words.ts';
import { votingPath } from '#voting/ballots/ballots.ts';
import {
  BatchInput,
  deleteBatch,
  ensureTokensBelong,
  generateTokens,
  listBatches,
  TOKENS_PER_CALL,
  TokensInput,
} from '#voting/ballots/tokens.ts';
import { electionStatus } from '#voting/elections/elections.ts';
import type { Issuer } from '#voting/elections/issuers.ts';
import { mayReadRoll } from '#voting/electors/roll-access.ts';
import { ensureMayInvite } from './invites.ts';
import { sendSlips } from './slips.ts';

const params = z.object({ id: Id });
const HeldTokens = z.object({
  tokens: listOf(z.string().trim().min(1).max(200), TOKENS_PER_CALL).refine(
    (list) => list.length > 0,
    coded('empty'),
  ),
});

/** The voting codes of an election or a ballot paper. */
export function tokens(app: App, { ctx }: { ctx: Context }): void {
  for (const url of ['/admin/elections/:id/tokens', '/admin/papers/:id/tokens'])
    app.get(url, { config: { json: true }, schema: { params } }, async (request) => ({
      batches: listBatches(ctx.db, issuerOf(ctx, request).id, mayReadRoll(request)),
    }));

  act(app, ctx, {
    ...onPage(ctx, 'tokens'),
    both: ['POST /admin/elections/:id/tokens', 'POST /admin/papers/:id/tokens'],
    body: TokensInput,
    run: async ({ params: { id }, body, actor, request }) => {
      const election = issuerOf(ctx, request);
      const { title } = election;
      const { count, batch_name } = body;
      const sensitive = await lateAct(request, election, {
        kind: 'codes',
        act: t('voting-admin.tokens.make_voting_codes_which_open', { title }),
        details: [
          { label: t('voting-admin.tokens.voting_codes'), value: String(count) },
          ...(batch_name === null ? [] : [{ label: t('voting-admin.tokens.batch'), value: batch_name }]),
        ],
      });
      return withApproval(ctx, request, sensitive, () => generateTokens(ctx, id, body, actor), {
        tried: (on) => generateTokens(on, id, body, actor),
      });
    },
    made: ({ batch_name, count, made_at }, { request }) => {
      const election = issuerOf(ctx, request);
      return {
        what: t('voting-admin.tokens.voting_codes_made', { count, title: election.title }),
        page: sectionPath(election, 'tokens'),
        remove: {
          action: `${adminPath(election, 'batches')}?_method=DELETE`,
          fields: { batch_name: batch_name ?? '', made_at: String(made_at) },
          label: t('voting-admin.tokens.delete_these_codes_unused'),
        },
      };
    },
    json: ({ made_at: _, ...made }) => made,
    next: ({ batch_name, count, tokens }, { request }) => {
      const election = issuerOf(ctx, request);
      const links = linksOf(ctx, request, election, tokens);
      return tokensOncePage({
        election: placed(ctx, request, election),
        batch_name,
        count,
        links,
        viewer: request.viewer,
      });
    },
  });

  for (const url of ['/admin/elections/:id/tokens/print', '/admin/papers/:id/tokens/print'])
    app.post(url, { schema: { params, body: HeldTokens } }, async (request, reply) => {
      const { election, links } = held(request);
      const codes = links.map(({ token }) => ({ token }));
      return sendSlips(ctx, request, reply, { election, codes, kept: false });
    });

  for (const url of ['/admin/elections/:id/tokens/csv', '/admin/papers/:id/tokens/csv'])
    app.post(url, { schema: { params, body: HeldTokens } }, async (request, reply) => {
      const { election, links } = held(request);
      const rows = links.map(({ token, url }) => [token, url]);
      return sendFile(
        reply,
        `voting-codes-${election.id.slice(-8)}.csv`,
        'text/csv; charset=utf-8',
        csvText([['voting_code', 'link'], ...rows]),
      );
    });

  act(app, ctx, {
    ...onPage(ctx, 'batches', 'batch-deleted'),
    both: ['DELETE /admin/elections/:id/batches', 'DELETE /admin/papers/:id/batches'],
    body: BatchInput,
    run: async ({ params: { id }, body, actor, request }) => {
      const { batch_name } = body;
      const election = issuerOf(ctx, request);
      const sensitive = await lateAct(request, election, {
        kind: 'codes',
        act: t('voting-admin.tokens.delete_batch_voting_codes_which', { title: election.title }),
        details: [
          {
            label: t('voting-admin.tokens.batch'),
            value: batch_name ?? t('voting-admin.tokens.batch_without_name'),
          },
        ],
      });
      return withApproval(ctx, request, sensitive, () => deleteBatch(ctx, id, body, actor), {
        tried: (on) => deleteBatch(on, id, body, actor),
      });
    },
    json: (counts) => ({ success: true, ...counts }),
  });

  /** Codes of an election that has opened need a fresh proof and, by the club's rule, a second person. */
  async function lateAct(request: FastifyRequest, election: Issuer, sensitive: SensitiveAct) {
    if (election.opened_at === null || electionStatus(election, ctx.now()) === 'closed') return undefined;
    await ensureMayInvite(ctx, request, [election]);
    return sensitive;
  }

  function held(request: FastifyRequest & { body: { tokens: string[] } }) {
    const { tokens } = request.body;
    const election = issuerOf(ctx, request);
    ensureTokensBelong(ctx.db, election.id, tokens);
    return { election, links: linksOf(ctx, request, election, tokens) };
  }
}

/** Voting codes with their voting links. */
export function linksOf(
  ctx: Context,
  request: FastifyRequest,
  election: Issuer,
  tokens: readonly string[],
): { token: string; url: string }[] {
  const origin = linkOrigin(ctx, request) ?? '';
  return tokens.map((token) => ({ token, url: `${origin}${votingPath(ctx.db, election, token)}` }));
}
