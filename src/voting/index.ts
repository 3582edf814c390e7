import type { FastifyError } from 'fastify';
import { adminGuard } from '#kernel/access/guards.ts';
import { knowReader } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import { type App, neverStored, wantsHtml } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { adminPages, answerRefusedForm, keepEntered } from './routes/admin-pages.ts';
import { auditLogs } from './routes/audit-logs.ts';
import { ballots } from './routes/ballots.ts';
import { distributionLists } from './routes/distribution-lists.ts';
import { elections } from './routes/elections.ts';
import { home } from './routes/home.ts';
import { invitePages } from './routes/invite-pages.ts';
import { invites } from './routes/invites.ts';
import { manualResults } from './routes/manual-results.ts';
import { myElections } from './routes/my-elections.ts';
import { options } from './routes/options.ts';
import { publicElections } from './routes/public.ts';
import { tokens } from './routes/tokens.ts';
import { workspace } from './routes/workspace.ts';

/** The voting domain: who may do what, and within which limits. */
export async function voting(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(home, { ctx });

  await app.register(async (voters: App) => {
    const { RATE_LIMIT_GENERAL } = ctx.config;
    voters.addHook('onRequest', rateLimit(ctx.limiter, ctx.now, 'general', RATE_LIMIT_GENERAL));
    // Pages and answers carry voting codes or depend on them.
    voters.addHook('onRequest', neverStored);
    await voters.register(publicElections, { ctx });
    await voters.register(ballots, { ctx });
    await voters.register(myElections, { ctx });
  });

  await app.register(
    async (officers: App) => {
      officers.addHook('onRequest', adminGuard(ctx));
      officers.addHook('onRequest', knowReader(ctx));
      officers.addHook('onRequest', neverStored);
      officers.addHook('preValidation', async (request) => keepEntered(request));
      officers.setErrorHandler(async (error: FastifyError | AppError, request, reply) => {
        if (error instanceof AppError && error.statusCode === 400 && wantsHtml(request)) {
          return answerRefusedForm(ctx, error, request, reply);
        }
        throw error;
      });
      officers.setNotFoundHandler({ preHandler: adminGuard(ctx) }, () => {
        throw notFound();
      });
      await officers.register(adminPages, { ctx });
      await officers.register(elections, { ctx });
      await officers.register(options, { ctx });
      await officers.register(tokens, { ctx });
      await officers.register(manualResults, { ctx });
      await officers.register(invites, { ctx });
      await officers.register(invitePages, { ctx });
      await officers.register(distributionLists, { ctx });
      await officers.register(workspace, { ctx });
      await officers.register(auditLogs, { ctx });
    },
    { prefix: '/admin' },
  );
}
