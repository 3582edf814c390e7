import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { currentVerdict, findDevice, type Verdict } from '#pub/now-playing/device.ts';
import { type TestApp, testApp } from '#test/support/app.ts';

const BEAT = 30 * SECOND;

test('a verdict is accepted after two heartbeats, and dropped after two others', async () => {
  await using service = await testApp();

  expect(await say(service, 'movie', 0.9)).toBeUndefined();
  expect(await say(service, 'movie', 0.8)).toBe('movie');
  expect(await say(service, 'music', 0.9)).toBe('movie');
  expect(await say(service, 'movie', 0.9)).toBe('movie');
  expect(await say(service, 'music', 0.9)).toBe('movie');
  expect(await say(service, 'music', 0.9)).toBe('music');
});

test('a repeated verdict keeps its start and takes the newest confidence and hint', async () => {
  await using service = await testApp();
  const began = service.clock.now;
  await beat(service, { content: { kind: 'sports', confidence: 0.9, hint: 'RED' } });
  await beat(service, { content: { kind: 'sports', confidence: 0.7, hint: 'BLU' } });
  const { verdict } = findDevice(service.ctx.db, service.ctx);

  expect(verdict).toEqual({
    kind: 'sports',
    confidence: 0.7,
    hint: 'BLU',
    since: began,
    at: began + BEAT,
  });
});

test('a verdict expires, and needs two heartbeats again after that', async () => {
  await using service = await testApp();
  await say(service, 'movie', 0.9);
  await say(service, 'movie', 0.9);

  service.clock.now += 91 * SECOND;
  const away = findDevice(service.ctx.db, service.ctx);
  const back = await say(service, 'movie', 0.9);
  const again = await say(service, 'movie', 0.9);

  expect(away).toMatchObject({ online: false, verdict: null });
  expect([back, again]).toEqual([undefined, 'movie']);
});

test('a heartbeat without content changes no verdict', async () => {
  await using service = await testApp();
  await say(service, 'tv', 0.9);
  await beat(service, {});

  expect(await say(service, 'tv', 0.9)).toBe('tv');
});

test('flags that a heartbeat leaves out keep their value until the device goes offline', async () => {
  await using service = await testApp();
  const flags = async () => {
    const { qsysDown, quietActive } = findDevice(service.ctx.db, service.ctx);
    return [qsysDown, quietActive];
  };
  await beat(service, { qsys_down: true, quiet_active: true });
  await beat(service, { quiet_active: false });
  expect(await flags()).toEqual([true, false]);

  service.clock.now += 2 * MINUTE;
  expect(await flags()).toEqual([false, false]);
  await beat(service, {});
  expect(await flags()).toEqual([false, false]);
});

test('the device is online up to 90 seconds after its heartbeat, and reports its id and version', async () => {
  await using service = await testApp();
  expect(findDevice(service.ctx.db, service.ctx)).toMatchObject({ online: false, lastSeen: null, id: null });
  const at = service.clock.now;
  await beat(service, { device: { id: 'pi-1', version: '2.0', uptime_s: 12.5 } });
  await beat(service, { device: { uptime_s: 42 } });

  service.clock.now = at + BEAT + 90 * SECOND;
  expect(findDevice(service.ctx.db, service.ctx)).toMatchObject({
    online: true,
    lastSeen: at + BEAT,
    id: 'pi-1',
    version: '2.0',
    uptimeS: 42,
  });
  service.clock.now += 1;
  expect(findDevice(service.ctx.db, service.ctx)).toMatchObject({ online: false, id: 'pi-1' });
});

const said = (kind: Verdict['kind'], confidence: number, at: number): Verdict => ({
  kind,
  confidence,
  hint: null,
  since: at,
  at,
});

test.each<[what: string, held: Verdict | null, candidate: Verdict | null, now: Verdict, holds: string]>([
  ['nothing before', null, null, said('movie', 0.9, 2), 'none'],
  ['the same twice', null, said('movie', 0.9, 1), said('movie', 0.9, 2), 'movie 0.9'],
  ['sure after unsure is new', null, said('movie', 0.5, 1), said('movie', 0.6, 2), 'none'],
  ['unsure once does not drop', said('movie', 0.9, 1), null, said('movie', 0.4, 2), 'movie 0.9'],
  ['unsure twice does', said('movie', 0.9, 1), said('movie', 0.4, 2), said('movie', 0.3, 3), 'movie 0.3'],
  ['another kind in between', said('movie', 0.9, 1), said('tv', 0.9, 2), said('sports', 0.9, 3), 'movie 0.9'],
])('%s', (_what, held, candidate, now, holds) => {
  const { verdict } = currentVerdict(held, candidate, now);

  expect(verdict ? `${verdict.kind} ${verdict.confidence}` : 'none').toBe(holds);
});

async function say(service: TestApp, kind: string, confidence: number) {
  await beat(service, { content: { kind, confidence } });
  return findDevice(service.ctx.db, service.ctx).verdict?.kind;
}

/** One heartbeat, half a minute after the one before. */
async function beat(service: TestApp, extras: object): Promise<void> {
  if (findDevice(service.ctx.db, service.ctx).lastSeen !== null) service.clock.now += BEAT;
  const answer = await service.post('/api/now-playing/ingest', { heartbeat: true, ...extras });
  expect(answer.statusCode).toBe(200);
}
