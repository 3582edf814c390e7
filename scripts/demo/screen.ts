// A TV of the club, paired as by its code: it reports itself each minute and shows the bar's list in the evening.
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { siteOf } from '#kernel/site.ts';
import { pageBuild } from '#views/assets.ts';
import type { DemoClub } from './clubs/club.ts';
import type { Service } from './service.ts';

const EVENING = [{ days: [], between: { from: '18:00', to: '23:00' }, mix: 'menu_board' }];

/** Pairs the TV. @returns its cookie */
export async function pairScreen(service: Service, { screen }: DemoClub, url: string): Promise<string> {
  const { code, secret } = await service.post('/api/screens/pairings');
  await service.post('/api/admin/screens', {
    code,
    ...screen,
    page: 'tv',
    mix: 'everything',
    times: EVENING,
  });
  const polled = await send(`${url}/api/screens/pairings/poll`, { secret });
  return polled.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** Reports the TV until it is stopped. It always has the present version of its page. */
export async function runScreen(
  { ctx }: Service,
  { screen }: DemoClub,
  { url, cookie, signal }: { url: string; cookie: string; signal: AbortSignal },
): Promise<void> {
  const own = { screen: screen.name, page: 'tv', viewport: '1920x1080', bootId: 'demo', skewMs: 0 };
  for (let uptime_s = 0; !signal.aborted; uptime_s += MINUTE / SECOND) {
    const version = pageBuild(ctx.version, siteOf(ctx).version);
    await send(`${url}/api/screens/heartbeat`, { ...own, version, uptime_s }, { cookie });
    await pause(MINUTE, undefined, { signal }).catch(() => undefined);
  }
}

const send = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
