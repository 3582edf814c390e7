import { z } from 'zod';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { optionalText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { findDevice } from '#pub/now-playing/device.ts';
import { type Card, resolveCard } from './card.ts';
import type { Game } from './games.ts';
import {
  deleteExpiredOverride,
  expireAfterGame,
  expiryAfterFinal,
  findOverride,
  nextMorning,
  type Override,
  storeOverride,
} from './override.ts';
import { currentScoreboard, findScoreboard } from './scoreboard.ts';
import { applyOverride, updateScreenings } from './screening-lifecycle.ts';

const MODES = ['automatic', 'movie', 'game', 'generic', 'off'] as const;

/** The choice of staff. `auto` is a synonym of automatic; gameId is used with `game` only. */
export const NowShowingInput = z.object({
  mode: z.preprocess(
    (mode) => (mode === 'auto' ? 'automatic' : mode),
    z.enum(MODES, coded('not_one_of', { values: MODES })),
  ),
  label: optionalText(80),
  gameId: optionalText(80),
});

/** The override, the resulting card, and the games that can be chosen, live ones first. */
export interface NowShowingState {
  override: Override;
  card: Card;
  games: PickableGame[];
}

type PickableGame = Pick<
  Game,
  'id' | 'league' | 'sport' | 'name' | 'shortName' | 'detail' | 'state' | 'startIso'
>;

/** Returns the current card of the bar TV. Makes no request to another host. */
export async function findCard(ctx: Context): Promise<Card> {
  return buildCard(ctx, findOverride(ctx.db, ctx.now()));
}

/** The state of Now Showing for staff. */
export async function findNowShowing(ctx: Context): Promise<NowShowingState> {
  const { games } = await currentScoreboard(ctx);
  const override = findOverride(ctx.db, ctx.now());
  return { override, card: await buildCard(ctx, override), games: listPickable(games, ctx.now()) };
}

/**
 * Sets the override and audits it with the previous one. `movie` begins a screening, other modes end it: see
 * `applyOverride`. The override expires at five in the morning, that of a game a quarter of an hour after its end.
 * @throws 400 for an unknown game
 */
export async function setNowShowing(
  ctx: Context,
  { mode, label, gameId }: z.output<typeof NowShowingInput>,
  actor: Actor,
): Promise<NowShowingState> {
  const game = mode === 'game' ? await getGame(ctx, gameId) : undefined;
  const hasLabel = mode === 'movie' || mode === 'game' || mode === 'generic';
  await ctx.write((tx) => {
    const now = ctx.now();
    const morning = nextMorning(now, ctx.config.TIME_ZONE);
    const before = findOverride(tx, now);
    const after = storeOverride(tx, now, {
      mode,
      label: hasLabel ? label : null,
      game_id: game?.id ?? null,
      set_by: actor.by ?? actor.ip,
      expires_at:
        mode === 'automatic'
          ? null
          : game?.state === 'post'
            ? Math.min(morning, expiryAfterFinal(now))
            : morning,
    });
    applyOverride(tx, ctx, after);
    // Without the person who set it, because the metadata of the log cannot be erased.
    const what = ({ setBy: _, ...override }: Override) => override;
    const metadata = { before: what(before), after: what(after) };
    recordAudit(tx, actor, { action: 'now_showing.set', metadata });
  });
  ctx.hub.publish('showing');
  return findNowShowing(ctx);
}

/**
 * Applies the current time and the device's verdict: the override expires, screenings begin and end. For a job that
 * runs every few seconds.
 */
export async function updateNowShowing(ctx: Context): Promise<void> {
  const { mode, gameId } = findOverride(ctx.db, ctx.now());
  const final = mode === 'game' && findScoreboard(ctx).games.find(({ id }) => id === gameId);
  await ctx.write((tx) => {
    if (final && final.state === 'post') expireAfterGame(tx, final.id, ctx.now());
    deleteExpiredOverride(tx, ctx.now());
  });
  await updateScreenings(ctx);
}

async function buildCard(ctx: Context, override: Override): Promise<Card> {
  const { games } = findScoreboard(ctx);
  const { verdict } = findDevice(ctx.db, ctx);
  const screening = ctx.db.first(
    build.selectFrom('screenings').select('title').where('closed_at', 'is', null),
  );
  return resolveCard({
    enabled: isOn(ctx, 'big_screen'),
    override,
    verdict,
    games,
    screening: screening?.title ?? null,
    now: ctx.now(),
  });
}

async function getGame(ctx: Context, gameId: string | null): Promise<Game> {
  if (!gameId) throw badField('gameId', 'game_needed');
  const { games } = await currentScoreboard(ctx);
  const game = games.find(({ id }) => id === gameId);
  if (!game) throw badField('gameId', 'no_such_game');
  return game;
}

/** Lists games in progress, and those that start within six hours. */
function listPickable(games: readonly Game[], now: number): PickableGame[] {
  const soon = now + 6 * HOUR;
  return games
    .filter(
      ({ state, startIso }) =>
        state === 'in' || (state === 'pre' && Temporal.Instant.from(startIso).epochMilliseconds < soon),
    )
    .map(({ id, league, sport, name, shortName, detail, state, startIso }) => ({
      id,
      league,
      sport,
      name,
      shortName,
      detail,
      state,
      startIso,
    }));
}
