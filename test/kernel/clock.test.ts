import { expect, test } from 'vitest';
import { ClockWatch, HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { watchClock } from '../../src/jobs.ts';

test('a clock changed by more than a minute counts as jumped for ten minutes; one that drifts does not', () => {
  let [now, steady] = [HOUR, 0];
  const watch = new ClockWatch(
    () => now,
    () => steady,
  );
  const pass = (ms: number, more = 0) => {
    steady += ms;
    now += ms + more;
    return watch.look();
  };

  expect([pass(2 * SECOND), pass(2 * SECOND, 40 * SECOND), pass(2 * SECOND, -40 * SECOND)]).toEqual([
    0, 0, 0,
  ]);
  expect(watch.jumped).toBe(false);
  expect(pass(2 * SECOND, -2 * HOUR)).toBe(-2 * HOUR);
  expect(pass(9 * MINUTE)).toBe(0);
  expect(watch.jumped).toBe(true);
  pass(MINUTE);
  expect(watch.jumped).toBe(false);
});

test('officers, the log and the health page are told that the clock jumped; the service stays healthy', async () => {
  await using service = await testApp();
  watchClock(service.ctx);
  expect((await service.get('/health')).json().checks).not.toHaveProperty('clock');
  expect((await page(service, '/admin')).body).not.toContain('jumped');

  service.clock.now += 2 * HOUR;
  watchClock(service.ctx);
  const health = await service.get('/health');

  expect([health.statusCode, health.json()]).toMatchObject([
    200,
    { status: 'ok', checks: { clock: 'jumped' } },
  ]);
  expect((await page(service, '/admin')).body).toContain('The clock of this machine jumped');
  expect(service.logged.join()).toContain('the clock of this machine jumped');
});
