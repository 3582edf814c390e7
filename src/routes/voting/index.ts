import type { onRequestHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import { nestFormBody } from '#kernel/http/form.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { home } from '#routes/home.ts';
import { onlyForReaders } from '#routes/readers.ts';
import { isDue, openAndCloseDue } from '#voting/elections/lifecycle.ts';
import { papers } from './ballot-papers/ballot-papers.ts';
import { answerForDeletedPaper, paperBallots } from './ballot-papers/casting.ts';
import { ballots } from './ballots/ballots.ts';
import { verification } from './ballots/verification.ts';
import { answerForDeleted } from './deleted.ts';
import { approvals } from './elections/approvals.ts';
import { auditLogs } from './elections/audit-logs.ts';
import { chair } from './elections/chair.ts';
import { dashboard } from './elections/dashboard.ts';
import { elections } from './elections/elections.ts';
import { followUps } from './elections/follow-ups.ts';
import { lots } from './elections/lots.ts';
import { manualResults } from './elections/manual-results.ts';
import { candidatePictures, options } from './elections/options.ts';
import { publicElections } from './elections/public.ts';
import { announcing, results, withheld } from './elections/results.ts';
import { trials } from './elections/trials.ts';
import { workspace } from './elections/workspace.ts';
import { distributionLists } from './invitations/distribution-lists.ts';
import { electorCodes, inviteList } from './invitations/invite-list.ts';
import { bulkInvites, invites } from './invitations/invites.ts';
import { mailings } from './invitations/mailings.ts';
import { slips } from './invitations/slips.ts';
import { tokens } from './invitations/tokens.ts';
import { limitVoters } from './limit.ts';
import { myElections, ownElections } from './my-elections.ts';
import { guardOfficers, writing } from './officers.ts';
import { subPages } from './officers-page/sub-pages.ts';
import { typedCode } from './typed-code.ts';
import { paperWall } from './wall.ts';

/** Registers the routes of the voting domain with their permissions and rate limits. */
export async function voting(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.addHook('onRequest', advance(ctx));
  await home(app, { ctx });
  await app.register(async (typing: App) => {
    typing.addHook('onRequest', noStore);
    typedCode(typing, { ctx });
  });
  candidatePictures(app, { ctx });

  await app.register(async (voters: App) => {
    limitVoters(ctx, voters);
    // Pages and answers carry voting codes or depend on them.
    voters.addHook('onRequest', noStore);
    await voters.register(async (one: App) => {
      answerForDeleted(ctx, one);
      onlyForReaders(ctx, one, 'question');
      await publicElections(one, { ctx });
      await ballots(one, { ctx });
      await verification(one, { ctx });
    });
    await voters.register(async (one: App) => {
      answerForDeletedPaper(ctx, one);
      onlyForReaders(ctx, one, 'paper');
      await paperBallots(one, { ctx });
      paperWall(one, { ctx });
    });
    await myElections(voters, { ctx });
    ownElections(voters, { ctx });
  });

  await app.register(async (officers: App) => {
    guardOfficers(ctx, officers);
    officers.addHook('preValidation', nestFormBody);
    await officers.register(
      writing('elections:write', dashboard, trials, elections, papers, subPages, options, workspace, chair),
      {
        ctx,
      },
    );
    await officers.register(
      writing(
        'elections:run',
        tokens,
        slips,
        invites,
        inviteList,
        electorCodes,
        mailings,
        bulkInvites,
        distributionLists,
      ),
      { ctx },
    );
    await officers.register(
      writing('elections:certify', results, announcing, followUps, lots, withheld, auditLogs, approvals),
      { ctx },
    );
    await officers.register(writing('elections:certify', manualResults), { ctx });
  });

  // Unknown addresses are guarded too: a client that is not signed in does not learn which ones exist.
  await app.register(
    async (unknown: App) => {
      guardOfficers(ctx, unknown);
      unknown.setNotFoundHandler(() => {
        throw notFound('not_found');
      });
    },
    { prefix: '/admin' },
  );
}

/** Returns a hook that opens and closes the elections that are due before a request is handled. */
function advance(ctx: Context): onRequestHookHandler {
  return ({ routeOptions }, _reply, done) => {
    // The transaction of a ballot checks the times itself.
    const isBallot = routeOptions.config.admission === 'always';
    if (isBallot || !isDue(ctx.db, ctx.now())) done();
    else openAndCloseDue(ctx).then(() => done(), done);
  };
}
