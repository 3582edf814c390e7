import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { formatShort, zoneName } from '#kernel/local-time.ts';
import { shownParts } from '#kernel/settings/parts.ts';
import { askedOf } from '#views/voting/ballot-types.ts';
import { archivePage, type HomeElection, homePage } from '#views/voting/home.ts';
import {
  listArchive,
  listPublished,
  type PublishedElection,
  RESULTS_A_PAGE,
} from '#voting/counting/publication.ts';
import { type Election, electionsJson, endTime, isPaused } from '#voting/elections/elections.ts';
import { findPaper } from '#voting/elections/issuers.ts';
import { whyHidden } from '#voting/elections/visibility.ts';

const archiveQuery = z.object({
  year: wholeNumber(1, 9_999).optional().catch(undefined),
  page: wholeNumber(1, 10_000).default(1).catch(1),
});

export async function home(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/', { schema: { summary: 'Published elections and results' } }, async (request, reply) =>
    sendSharedPage(ctx, request, reply, ['/'], async () => {
      const zone = zoneName(ctx.config.TIME_ZONE);
      if (!shownParts(ctx).voting) return homePage({ zone });
      const { elections, older } = await listPublished(ctx);
      return homePage({ elections: shownOf(ctx, elections), older, zone });
    }),
  );

  const read = { summary: 'Published results of earlier years', querystring: archiveQuery };
  app.get('/archive', { schema: read }, async (request, reply) => {
    if (!shownParts(ctx).voting) throw notFound('not_found');
    const { year, page } = request.query;
    return sendSharedPage(ctx, request, reply, ['/archive', year, page], async () => {
      const { elections, ...archive } = await listArchive(ctx, year, page);
      const zone = zoneName(ctx.config.TIME_ZONE);
      return archivePage({ ...archive, elections: shownOf(ctx, elections), pageSize: RESULTS_A_PAGE, zone });
    });
  });
}

function shownOf(ctx: Context, published: PublishedElection[]): HomeElection[] {
  const json = electionsJson(
    ctx,
    published.map(({ election }) => election),
  );
  const paperOf = ({ paper_id }: Election) => {
    const paper = paper_id === null ? undefined : findPaper(ctx.db, paper_id);
    return paper && { id: paper.id, title: paper.title };
  };
  return published.map(({ election, results }, index) => ({
    id: election.id,
    title: election.title,
    status: json[index]!.status,
    asked: askedOf(json[index]!),
    paused: isPaused(election, ctx.now()),
    opens: formatShort(election.open_at, ctx.config.TIME_ZONE),
    closes: formatShort(endTime(election), ctx.config.TIME_ZONE),
    results: results ?? null,
    paper: paperOf(election),
    isAwaited: whyHidden(election, ctx.now()) === 'results_not_announced',
  }));
}
