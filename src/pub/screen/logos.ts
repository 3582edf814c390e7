import { DAY, HOUR, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { servesOthers } from '#kernel/house-network.ts';
import { scaledImage } from '#kernel/images/image.ts';
import { fetchUpstream, hasContent } from '#kernel/upstream.ts';
import { findScoreboard } from './scoreboard.ts';

/** The stored logo of a team, a WebP image of at most 256 px. Makes no request. */
export function findLogo(ctx: Context, league: string, team: string): Buffer | undefined {
  const row = ctx.db.first(
    build.selectFrom('team_logos').select('image').where('league', '=', league).where('team', '=', team),
  );
  return row?.image ?? undefined;
}

/**
 * Fetches missing logos of the listed teams, one after another, so that pages can load them from our own host. A game
 * carries the address of a logo only once it is stored.
 */
export async function fetchLogos(ctx: Context): Promise<void> {
  for (const { league, team, source } of await missingLogos(ctx)) {
    const row = { source, image: await readLogo(ctx, source), read_at: ctx.now() };
    await ctx.write((tx) =>
      tx.run(
        build
          .insertInto('team_logos')
          .values({ league, team, ...row })
          .onConflict((conflict) => conflict.columns(['league', 'team']).doUpdateSet(row)),
      ),
    );
  }
}

const AT_ONCE = 40;
const LIFETIME = 30 * DAY;
const RETRY = HOUR;
const PIXELS = 256;
const MAX_BYTES = 1024 * 1024;

interface WantedLogo {
  league: string;
  team: string;
  source: string;
}

async function missingLogos(ctx: Context): Promise<WantedLogo[]> {
  const { logoSources } = findScoreboard(ctx);
  const known = ctx.db.all(
    build
      .selectFrom('team_logos')
      .select(['league', 'team', 'source', 'read_at'])
      .select((row) => row('image', 'is not', null).as('here')),
  );
  const fresh = new Set(
    known
      .filter(({ here, read_at }) => read_at > ctx.now() - (here ? LIFETIME : RETRY))
      .map(({ league, team, source }) => `${league}:${team} ${source}`),
  );
  return [...logoSources]
    .filter(([key, source]) => !fresh.has(`${key} ${source}`))
    .slice(0, AT_ONCE)
    .map(([key, source]) => {
      const [league = '', team = ''] = key.split(':');
      return { league, team, source };
    });
}

/** The picture, scaled down and encoded again; null when there is no usable one. */
async function readLogo(ctx: Context, source: string): Promise<Buffer | null> {
  const answer = await fetchUpstream(source, {
    headers: { 'user-agent': ctx.userAgent, accept: 'image/png,image/*' },
    timeoutMs: 5 * SECOND,
    maxBytes: MAX_BYTES,
    publicOnly: servesOthers(ctx.config),
  });
  return answer.ok && hasContent(answer) ? ((await scaledImage(answer.body, PIXELS)) ?? null) : null;
}
