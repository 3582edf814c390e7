import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { cachedJson, cachedResponse, sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { IMAGE_TYPE } from '#kernel/images/image.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { findLogo } from '#pub/screen/logos.ts';
import { currentScoreboard, type Scoreboard } from '#pub/screen/scoreboard.ts';
import { whenOn } from './feature-flags.ts';

/** The live scoreboard, and the logos of its teams from our own host. */
export function sports(app: App, { ctx }: { ctx: Context }): void {
  const onRequest = whenOn(ctx, 'sports', {
    json: { games: [] },
    code: 'sports_off',
  });

  app.get(
    '/api/sports/live',
    { onRequest, schema: { summary: 'Games of yesterday and today; `live` are in progress' } },
    async (request, reply) => {
      const answer = await sharedAnswer(ctx, ['/api/sports/live'], async () =>
        cachedJson(liveJson(await currentScoreboard(ctx))),
      );
      return sendCached(request, reply, answer, 'public, max-age=30');
    },
  );

  app.get(
    '/api/logo/:league/:team',
    {
      schema: {
        summary: 'The logo of a team that plays',
        params: z.object({ league: z.string(), team: z.string() }),
      },
    },
    async (request, reply) => {
      const { league, team } = request.params;
      const logo = findLogo(ctx, league, team);
      if (!logo) throw notFound('image_not_found');
      return sendCached(request, reply, cachedResponse(logo, IMAGE_TYPE), 'public, max-age=86400');
    },
  );
}

function liveJson({ fetchedAt, games, errors, stale }: Scoreboard) {
  return {
    enabled: true,
    fetched_at: fetchedAt,
    live: games.filter(({ state }) => state === 'in'),
    games,
    errors: errors.map((error) => ({ ...error, reason: inEnglish(error.reason) })),
    stale,
  };
}
