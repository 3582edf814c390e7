import { expect, test } from 'vitest';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { recorded } from '#test/support/audit.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

const ADMIN = { 'x-admin-token': 'the admin token' };
const service = () => testApp({ PUB_ADMIN_TOKEN: 'the admin token' });
const lights = (pub: TestApp, body: object, headers: Record<string, string> = ADMIN) =>
  pub.post('/api/admin/dmx/desired', body, headers);
const sound = (pub: TestApp, body: object) => pub.post('/api/admin/qsys/desired', body, ADMIN);
const device = async (pub: TestApp, relay = 'dmx') => (await pub.get(`/api/${relay}/desired`)).json();
const beat = (pub: TestApp, extras: object) =>
  pub.post('/api/now-playing/ingest', { heartbeat: true, ...extras });
const NOTHING = { ok: true, desired: null, desiredSetAt: null };

test('every lighting command reaches the device unchanged', async () => {
  await using pub = await service();
  const actions: object[] = [
    { action: 'scene', name: 'Last call', params: { fadeMs: 2_000 } },
    { action: 'scene', name: 'a', params: { wattage: 9, curve: ['in', 'out'] } },
    { action: 'hold', params: { until: 'dawn' } },
    { action: 'chase', name: 'Rainbow', params: { bpm: 120, loop: true } },
    { action: 'stop' },
    { action: 'stop', name: 'Rainbow', params: {} },
    { action: 'brightness', params: { level: 0, zone: 'bar', fadeMs: 60_000 } },
    { action: 'color', params: { rgb: '#FF8800' } },
    { action: 'color', params: { kelvin: 2_700, zone: 'stage' } },
    { action: 'auto', params: { sensitivity: 0.5 } },
    { action: 'hold' },
    { action: 'blackout', params: { fadeMs: 5_000 } },
    { action: 'house', params: { level: 100 } },
    { action: 'strobe', params: { hz: 4, durationMs: 30_000 } },
  ];

  for (const desired of actions) {
    pub.clock.now += 1;
    const answer = await lights(pub, desired);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { ok: true, desired, desiredSetAt: isoTime(pub.clock.now) },
    ]);
    expect(await device(pub)).toEqual(answer.json());
  }
});

test('any other command is refused with the name of the wrong field, and not stored', async () => {
  await using pub = await service();
  const wrong: [named: string, body: object][] = [
    ['action', {}],
    ['action', { action: 'explode' }],
    ['action', { action: '__proto__' }],
    ['name', { action: 'scene' }],
    ['name', { action: 'chase', name: '  ' }],
    ['name', { action: 'scene', name: 'x'.repeat(65) }],
    ['name', { action: 'stop', name: 5 }],
    ['params', { action: 'brightness' }],
    ['params', { action: 'hold', params: [] }],
    ['params', { action: 'hold', params: 'now' }],
    ['params', { action: 'scene', name: 'a', params: { wattage: 'x'.repeat(2_048) } }],
    ['params.level', { action: 'brightness', params: { level: 101 } }],
    ['params.level', { action: 'house', params: { level: '50' } }],
    ['params.fadeMs', { action: 'blackout', params: { fadeMs: 5_001 } }],
    ['params.bpm', { action: 'chase', name: 'a', params: { bpm: 10 } }],
    ['params.loop', { action: 'chase', name: 'a', params: { loop: 'yes' } }],
    ['params.rgb', { action: 'color', params: { rgb: 'red' } }],
    ['params.kelvin', { action: 'color', params: { kelvin: 100 } }],
    ['rgb or kelvin', { action: 'color', params: {} }],
    ['rgb or kelvin', { action: 'color', params: { rgb: '#ffffff', kelvin: 2_700 } }],
    ['params.zone', { action: 'brightness', params: { level: 5, zone: 'x'.repeat(3_000) } }],
    ['params.hz', { action: 'strobe', params: { hz: 4.1, durationMs: 1_000 } }],
    ['params.hz', { action: 'strobe', params: { durationMs: 1_000 } }],
    ['params.durationMs', { action: 'strobe', params: { hz: 1, durationMs: 30_001 } }],
  ];
  for (const [named, body] of wrong) {
    const answer = await lights(pub, body);
    expect([named, answer.statusCode]).toEqual([named, 400]);
    expect(answer.json().error).toContain(named);
  }
  const hostile = '{"action":"hold","params":{"__proto__":{"x":1}}}';
  const answer = await pub.request({
    method: 'POST',
    url: '/api/admin/dmx/desired',
    payload: hostile,
    headers: { 'content-type': 'application/json', ...ADMIN },
  });
  expect(answer.statusCode).toBe(400);
  expect((await lights(pub, { action: 'hold', pad: 'x'.repeat(17_000) })).statusCode).toBe(413);
  expect(await device(pub)).toEqual(NOTHING);
});

test('the sound has its own command', async () => {
  await using pub = await service();
  expect(await device(pub, 'qsys')).toEqual(NOTHING);
  const answer = await sound(pub, { mode: 'movie', ramp_s: 2.5, level: 11 });
  await lights(pub, { action: 'hold' });

  expect(answer.json()).toEqual({
    ok: true,
    desired: { mode: 'movie', ramp_s: 2.5 },
    desiredSetAt: isoTime(pub.clock.now),
  });
  expect((await device(pub, 'qsys')).desired).toEqual({ mode: 'movie', ramp_s: 2.5 });
  for (const [field, body] of [
    ['mode', {}],
    ['mode', { mode: 'loud' }],
    ['ramp_s', { mode: 'bar', ramp_s: 11 }],
    ['ramp_s', { mode: 'bar', ramp_s: '2' }],
  ] as const) {
    expect((await sound(pub, body)).json().errors[0].path).toBe(field);
  }
});

test('a command expires after ten minutes, so that a device that was off does not run it later', async () => {
  await using pub = await service();
  await lights(pub, { action: 'hold' });

  pub.clock.now += 10 * MINUTE - 1;
  expect((await device(pub)).desired).toEqual({ action: 'hold' });
  pub.clock.now += 1;
  expect(await device(pub)).toEqual(NOTHING);
});

test('only the heartbeat that names a command deletes it: a late report never deletes a newer one', async () => {
  await using pub = await service();
  const first = (await lights(pub, { action: 'hold' })).json().desiredSetAt;
  const second = (await lights(pub, { action: 'auto' })).json().desiredSetAt;
  expect(second).not.toBe(first);

  for (const set_at of [first, 'never', 0, 1.5, 1e300, '']) {
    expect((await beat(pub, { applied_intent: { set_at, ok: true } })).statusCode).toBe(200);
  }
  await beat(pub, { applied_sound: { set_at: second, ok: true } });
  expect((await device(pub)).desired).toEqual({ action: 'auto' });

  await beat(pub, { applied_intent: { set_at: second, ok: true } });
  expect(await device(pub)).toEqual(NOTHING);
  await sound(pub, { mode: 'bar' });
  await beat(pub, { applied_sound: { set_at: pub.clock.now, ok: true } });
  expect(await device(pub, 'qsys')).toEqual(NOTHING);
});

test('a command that failed stays, with its error for staff, until the next one', async () => {
  await using pub = await service();
  const admin = async () => (await pub.get('/api/admin/dmx/desired', ADMIN)).json();
  const { desiredSetAt: set_at } = (await lights(pub, { action: 'hold' })).json();
  expect(await admin()).toEqual({ ok: true, desired: { action: 'hold' }, desiredSetAt: set_at, error: null });

  await beat(pub, { applied_intent: { set_at, ok: false, error: ` no signal ${'!'.repeat(300)}` } });
  expect((await admin()).error).toMatch(/^no signal !+$/);
  expect((await admin()).error).toHaveLength(200);
  expect(await device(pub)).toEqual({ ok: true, desired: { action: 'hold' }, desiredSetAt: set_at });
  await beat(pub, { applied_intent: { set_at, ok: false } });
  expect((await admin()).error).toBe('The device could not carry out the command.');

  await lights(pub, { action: 'auto' });
  expect((await admin()).error).toBeNull();
});

test('commands need permissions, and are audited', async () => {
  await using pub = await service();
  for (const role of ['dj', 'events']) await appoint(pub, `${role}@club.example`, role);
  const as = (role: string) => ({ 'edge-access-authenticated-user-email': `${role}@club.example` });
  const strobe = { action: 'strobe', params: { hz: 2, durationMs: 500 } };

  expectRefusal(await lights(pub, { action: 'hold' }, {}), 401, 'staff_key_required');
  expect((await lights(pub, { action: 'hold' }, as('events'))).json().permission).toBe('lighting:write');
  expect((await lights(pub, strobe, as('dj'))).statusCode).toBe(200);
  await sound(pub, { mode: 'dj' });
  const audit = recorded(pub.ctx).filter(({ action }) => action.endsWith('.requested'));
  expect(audit.map(({ action, metadata }) => [action, metadata])).toEqual([
    ['lighting.requested', { desired: strobe, by: 'dj@club.example' }],
    ['sound.requested', { desired: { mode: 'dj' }, by: 'token:pub_admin' }],
  ]);
});

test('without the setlist database commands are refused, and the device gets none', async () => {
  await using pub = await testApp({ PUB_ADMIN_TOKEN: 'the admin token', SETLIST_DB: 'off' });

  expect((await lights(pub, { action: 'hold' })).statusCode).toBe(503);
  expect((await sound(pub, { mode: 'bar' })).body).toBe(message('setlist_off'));
  expect([await device(pub), await device(pub, 'qsys')]).toEqual([NOTHING, NOTHING]);
});
