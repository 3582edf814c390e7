import { checkCalendars } from '#content/ical/sources/check.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { listServiceChecks } from '#kernel/checks/service.ts';
import type { Context } from '#kernel/context.ts';
import { momentInWords, parseTimestamp } from '#kernel/local-time.ts';
import { checkWorkspace } from '#kernel/workspace/check.ts';
import { findLatestPlay } from '#pub/now-playing/current.ts';
import { areScreensExpectedOff, listScreens } from '../devices/screens.ts';
import { findMusicSource } from './music-source.ts';

/** Lists all checks for the operator. @param version the build of the pages that this service serves */
export async function listAllChecks(ctx: Context, version: string): Promise<Check[]> {
  const service = await listServiceChecks(ctx);
  return [...service, checkWorkspace(ctx), checkCalendars(ctx), checkMusic(ctx), checkScreens(ctx, version)];
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

function checkScreens(ctx: Context, version: string): Check {
  const check = { name: 'screens', title: 'Screens' };
  const { screens } = listScreens(ctx, version);
  if (screens.length === 0) return { ...check, state: 'off', text: 'No screen with a name has reported.' };
  const silent = screens.filter(({ online }) => !online).map(({ name }) => name);
  const link = { href: '/admin/pub/screens', label: 'Screens' };
  if (silent.length === 0) return { ...check, state: 'ok', text: `All ${screens.length} report.`, link };
  if (areScreensExpectedOff(ctx))
    return {
      ...check,
      state: 'ok',
      text: `${silent.length} of ${screens.length} are off: expected, the pub is closed.`,
      link,
    };
  return {
    ...check,
    state: 'attention',
    text: `${silent.length} of ${screens.length} do not report: ${silent.slice(0, 10).join(', ')}.`,
    remedy: 'Look at their power and network, or forget those that are gone.',
    link,
  };
}
