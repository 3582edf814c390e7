import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type App, queryOf, sendHtml, wantsHtml } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen, parseTimestamp } from '#kernel/local-time.ts';
import { electionPage } from '#views/voting/election.ts';
import { CodeQuery, findToken, turnoutOf } from '#voting/ballots/tokens.ts';
import { areHidden, getResults } from '#voting/counting/results.ts';
import {
  type Election,
  electionJson,
  getElection,
  publicJson,
  statusOf,
} from '#voting/elections/elections.ts';

const params = z.object({ id: Id });

export async function publicElections(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/e/:id', { schema: { params, querystring: CodeQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = await getElection(ctx, request.params.id);
    const { t } = request.query;
    const token = t ? await findToken(ctx, election.id, t) : undefined;
    if (wantsHtml(request)) {
      const state = token ? (token.used ? 'used' : 'valid') : 'invalid';
      return sendHtml(reply, await page(ctx, election, t ? { value: t, state } : undefined));
    }
    const json = publicJson(await electionJson(ctx, election));
    return {
      election: json,
      ...(t && { token: { valid: token !== undefined, used: token?.used ?? false } }),
    };
  });

  app.get(
    '/e/:id/results',
    { schema: { params, querystring: z.object({ refresh: z.string().optional() }) } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const election = await getElection(ctx, request.params.id);
      if (wantsHtml(request)) return reply.redirect(`/e/${election.id}${queryOf(request)}`, 303);
      const { refresh } = request.query;
      return getResults(
        ctx,
        election,
        refresh !== undefined && !['0', 'false', 'off', 'no'].includes(refresh),
      );
    },
  );
}

async function page(
  ctx: Context,
  election: Election,
  token: { value: string; state: 'used' | 'valid' | 'invalid' } | undefined,
) {
  const zone = ctx.config.TIME_ZONE;
  const status = statusOf(election, ctx.now());
  const hidden = status === 'scheduled' || areHidden(election, ctx.now());
  const results = hidden ? null : await getResults(ctx, election);
  const certified = results?.results_mode === 'manual' ? results.certification.certified_at : null;
  const closes = formatWhen(election.close_at, zone);
  return electionPage({
    election: await electionJson(ctx, election),
    opens: formatWhen(election.open_at, zone),
    closes,
    closedEarly: election.closed_at === null ? null : formatWhen(election.closed_at, zone),
    token,
    results,
    turnout:
      status === 'open'
        ? ((await turnoutOf(ctx, [election.id])).get(election.id) ?? { issued: 0, used: 0 })
        : null,
    resultsWhen: `The result appears here when voting closes: ${closes}.`,
    certifiedAt: certified && formatWhen(parseTimestamp(certified, zone)!, zone),
  });
}
