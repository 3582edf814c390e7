import { checkPrices } from '#content/price-currency.ts';
import { findPubState } from '#content/shifts.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { listServiceChecks } from '#kernel/checks/service.ts';
import type { Context } from '#kernel/context.ts';
import { momentInWords, parseTimestamp } from '#kernel/local-time.ts';
import type { ScreenState } from '#pub/devices/screen-state.ts';
import { listScreens } from '#pub/devices/screens.ts';
import { findLatestPlay } from '#pub/now-playing/current.ts';
import { findMusicSource } from './music-source.ts';
import { checkSources } from './sources.ts';

/** Lists all checks for the operator. @param version the build of the pages that this service serves */
export async function listAllChecks(ctx: Context, version: string): Promise<Check[]> {
  const service = await listServiceChecks(ctx);
  return [...service, ...checkSources(ctx), ...checkPrices(), checkMusic(ctx), checkScreens(ctx, version)];
}

function checkMusic(ctx: Context): Check {
  const check = { name: 'music', title: 'Music' };
  const { listener, player, source } = findMusicSource(ctx, findLatestPlay(ctx));
  if (source === 'player')
    return { ...check, state: 'ok', text: `${player?.name ?? 'A player'} reports what plays.` };
  if (listener.online) return { ...check, state: 'ok', text: 'The listening device reports.' };
  const { lastSeenAt } = listener;
  if (lastSeenAt === null && player)
    return { ...check, state: 'ok', text: 'A player reports when it plays.' };
  if (lastSeenAt === null)
    return { ...check, state: 'off', text: 'No listening device or player has reported.' };
  const at = parseTimestamp(lastSeenAt, 'UTC') ?? 0;
  return {
    ...check,
    state: 'attention',
    text: `The listening device is silent. Last heard: ${momentInWords(at, ctx.now(), ctx.config.TIME_ZONE)}.`,
    remedy: 'Look at its power and its network.',
    link: { href: '/admin/pub', label: 'The staff’s page' },
  };
}

/** While the hours are not known the pub counts as open. */
function isPubClosed(ctx: Context): boolean {
  const { configured, open } = findPubState(ctx);
  return configured && !open;
}

function checkScreens(ctx: Context, version: string): Check {
  const check = { name: 'screens', title: 'Screens' };
  const { screens } = listScreens(ctx, version);
  if (screens.length === 0) return { ...check, state: 'off', text: 'No screen with a name has reported.' };
  const link = { href: '/admin/pub/screens', label: 'Screens' };
  const found = screens.filter(({ needsSomebody }) => needsSomebody);
  if (found.length > 0) {
    const ofState = (state: ScreenState, words: string) => {
      const names = found.filter((screen) => screen.state === state).map(({ name }) => name);
      return names.length === 0
        ? []
        : [`${names.length} of ${screens.length} ${words}: ${names.slice(0, 10).join(', ')}.`];
    };
    return {
      ...check,
      state: 'attention',
      text: [
        ...ofState('missing', 'do not report'),
        ...ofState('old program', 'show an old version'),
        ...ofState('clock wrong', 'have a wrong clock'),
      ].join(' '),
      remedy: 'Look at their power, network and clock, or take out those that are gone.',
      link,
    };
  }
  const off = screens.filter(({ state }) => state === 'off as expected').length;
  return {
    ...check,
    state: 'ok',
    text:
      off === 0
        ? `All ${screens.length} report.`
        : `${off} of ${screens.length} are off: expected, ${isPubClosed(ctx) ? 'the pub is closed' : 'by their own times'}.`,
    link,
  };
}
