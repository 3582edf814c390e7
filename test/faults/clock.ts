// The machine's clock jumps: back an hour, ahead a day, back again. The current track and the rate limits stay right.

import { DAY, HOUR, MINUTE, systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { openContext } from '#kernel/open-context.ts';
import { buildApp } from '../../src/app.ts';
import { report, tempFolder } from './service.ts';

let now = systemClock();
const env = {
  DATABASE_URL: `file:${tempFolder()}/service.db`,
  LOG_LEVEL: 'silent',
  PUB_ADMIN_TOKEN: 'a-token',
};
const ctx = await openContext(readConfig(env, ''), { now: () => now });
const app = await buildApp(ctx);
const found: string[] = [];
const expect = (what: string, status: number, wanted: number) => {
  if (status !== wanted) found.push(`${what}: ${status} instead of ${wanted}`);
};
const send = async (url: string, payload: object) =>
  (
    await app.inject({
      method: 'POST',
      url,
      payload,
      headers: { host: 'localhost', 'x-admin-token': 'a-token' },
    })
  ).statusCode;
const play = (title: string) => send('/api/now-playing/ingest', { artist: 'The Anchors', title });
const current = async () => (await app.inject('/api/now-playing/snapshot')).json().track?.title ?? null;

expect('a track', await play('One'), 200);
for (const [name, jump] of [
  ['back an hour', -HOUR],
  ['ahead a day', DAY],
  ['back again', -DAY + HOUR],
] as const) {
  now += jump;
  expect(`${name}: a track`, await play(`After ${name}`), 200);
  const statuses = await Promise.all(Array.from({ length: 101 }, () => app.inject('/vote/my-elections')));
  if (!statuses.some(({ statusCode }) => statusCode === 429))
    found.push(`${name}: the limit no longer holds`);
  now += 2 * MINUTE;
  if ((await app.inject('/vote/my-elections')).statusCode === 429)
    found.push(`${name}: the limit never ends`);
  expect(`${name}: health`, (await app.inject('/health')).statusCode, 200);
}
// With the clock right again, a new track is the current one.
now += HOUR;
await play('Now');
if ((await current()) !== 'Now') found.push(`the current track is ${await current()}`);
const { broken } = verifyAudit(ctx.db);
if (broken) found.push(`the audit log is broken at entry ${broken.seq}`);
await app.close();
await ctx[Symbol.asyncDispose]();
report('clock jumps', found);
