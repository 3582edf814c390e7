import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { formatShort, zoneName } from '#kernel/local-time.ts';
import { shownParts } from '#kernel/settings/parts.ts';
import { whatIsAsked } from '#views/voting/election.ts';
import { type HomeElection, homePage } from '#views/voting/home.ts';
import { electionsJson, endTime } from '#voting/elections/elections.ts';
import { listPublished } from '#voting/elections/publication.ts';

export async function home(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/', { schema: { summary: 'Published elections and results' } }, async (request, reply) =>
    sendSharedPage(ctx, request, reply, ['/'], async () =>
      homePage({
        elections: shownParts(ctx).voting ? await listElections(ctx) : undefined,
        zone: zoneName(ctx.config.TIME_ZONE),
      }),
    ),
  );
}

async function listElections(ctx: Context): Promise<HomeElection[]> {
  const published = await listPublished(ctx);
  const json = electionsJson(
    ctx,
    published.map(({ election }) => election),
  );
  return published.map(({ election, results }, index) => ({
    id: election.id,
    title: election.title,
    status: json[index]!.status,
    asked: whatIsAsked(json[index]!),
    opens: formatShort(election.open_at, ctx.config.TIME_ZONE),
    closes: formatShort(endTime(election), ctx.config.TIME_ZONE),
    results: results ?? null,
  }));
}
