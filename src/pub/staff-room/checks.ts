import { checkPrices } from '#content/price-currency.ts';
import { findPubState } from '#content/shifts.ts';
import type { Check } from '#kernel/checks/checks.ts';
import { listServiceChecks } from '#kernel/checks/service.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import { commas, momentInWords, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
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
  const check = { name: 'music', title: t('settings.check.music') };
  const { listener, player, source } = findMusicSource(ctx, findLatestPlay(ctx));
  if (source === 'player')
    return {
      ...check,
      state: 'ok',
      text: player?.name
        ? t('settings.check.reports_what_plays', { name: player.name })
        : t('settings.check.player_reports_what_plays'),
    };
  if (listener.online) return { ...check, state: 'ok', text: t('settings.check.listening_device_reports') };
  const { lastSeenAt } = listener;
  if (lastSeenAt === null && player)
    return { ...check, state: 'ok', text: t('settings.check.player_reports_when_plays') };
  if (lastSeenAt === null)
    return { ...check, state: 'off', text: t('settings.check.listening_device_player_reported') };
  const at = parseTimestamp(lastSeenAt, 'UTC') ?? 0;
  return {
    ...check,
    state: 'attention',
    text: t('settings.check.listening_device_silent_last_heard', {
      when: momentInWords(at, ctx.now(), ctx.config.TIME_ZONE),
    }),
    remedy: t('settings.check.look_power_network'),
    link: { href: '/admin/pub', label: t('settings.check.staffs_page') },
  };
}

/** While the hours are not known the pub counts as open. */
function isPubClosed(ctx: Context): boolean {
  const { configured, open } = findPubState(ctx);
  return configured && !open;
}

function checkScreens(ctx: Context, version: string): Check {
  const check = { name: 'screens', title: t('settings.check.screens') };
  const { screens } = listScreens(ctx, version);
  if (screens.length === 0) return { ...check, state: 'off', text: t('settings.check.screen_name_reported') };
  const link = { href: '/admin/pub/screens', label: t('settings.check.screens') };
  const found = screens.filter(({ needsSomebody }) => needsSomebody);
  if (found.length > 0) {
    const total = screens.length;
    const ofState = (state: ScreenState, say: (of: { n: number; total: number; names: Words }) => Words) => {
      const names = found.filter((screen) => screen.state === state).map(({ name }) => name);
      const named = commas(names.slice(0, 10));
      return named && say({ n: names.length, total, names: named });
    };
    return {
      ...check,
      state: 'attention',
      text:
        sentences([
          ofState('missing', (of) => t('settings.check.screens_missing', of)),
          ofState('old program', (of) => t('settings.check.screens_old', of)),
          ofState('clock wrong', (of) => t('settings.check.screens_clock', of)),
        ]) ?? '',
      remedy: t('settings.check.look_power_network_clock_take'),
      link,
    };
  }
  const off = screens.filter(({ state }) => state === 'off as expected').length;
  return {
    ...check,
    state: 'ok',
    text:
      off === 0
        ? t('settings.check.all_report', { screens: screens.length })
        : isPubClosed(ctx)
          ? t('settings.check.off_expected_pub_closed', { off, screens: screens.length })
          : t('settings.check.off_expected_own_times', { off, screens: screens.length }),
    link,
  };
}
