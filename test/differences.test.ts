import { expect, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, send } from '#test/support/factories.ts';

// What docs/differences.md says, by request; other rows are tested with their routes.

const iso = (at: number) => new Date(at).toISOString();

test('voting: what differs from the earlier interface', async () => {
  await using service = await testApp();
  const { now } = service.clock;
  const hidden = await addElection(service, { settings: { hide_results_until_close: true } });
  const { id: poll, ids } = await addPoll(service, ['Ann', 'Bob']);
  const [token = ''] = await addTokens(service, hidden, 1);
  const [pollToken = ''] = await addTokens(service, poll, 1);
  await service.post(`/e/${poll}/vote/poll`, { token: pollToken, selected_option: ids.Ann });
  const admin = `/admin/elections/${poll}`;
  const label = (length: number) => ['a', 'b'.repeat(length)];
  const create = (fields: object) =>
    service.post('/admin/elections', {
      ...{ title: 'T', ballot_type: 'POLL', open_at: iso(now), close_at: iso(now + HOUR) },
      ...fields,
    });

  const statuses = {
    preview: await service.get(`/admin/elections/${hidden}/results-preview`, { accept: 'application/json' }),
    fraction: await service.post(`/admin/elections/${hidden}/tokens`, { count: 1.5 }),
    'unknown election': await service.post('/e/nowhere/vote', { token, choice: 'yes' }),
    'no token': await service.post(`/e/${hidden}/vote`, { token: null, choice: 'yes' }),
    'option after a ballot': await service.post(`${admin}/options`, { name: 'Late' }),
    'setting after a ballot': await send(service, 'PATCH', `${admin}/settings`, {
      settings: { poll_response_type: 'multiple' },
    }),
    'used batch': await send(service, 'DELETE', `${admin}/batches`, { batch_name: null }),
    '100 options': await create({ options: Array.from({ length: 100 }, (_, n) => `${n}`) }),
    '101 options': await create({ options: Array.from({ length: 101 }, (_, n) => `${n}`) }),
    '300 characters': await create({ options: label(300) }),
    '301 characters': await create({ options: label(301) }),
    'two alike': await create({ options: ['Ann', 'ANN'] }),
    'foreign origin': await service.post(`${admin}/close`, {}, { origin: 'https://evil.example' }),
    closed: await service.post(`${admin}/close`, {}),
    'new dates after ballots': await send(service, 'PATCH', `${admin}/dates`, {
      open_at: iso(now - HOUR),
      close_at: iso(now + HOUR),
    }),
    'closed without ballots': await service.post(`/admin/elections/${hidden}/close`, {}),
    'new dates without ballots': await send(service, 'PATCH', `/admin/elections/${hidden}/dates`, {
      open_at: iso(now - HOUR),
      close_at: iso(now + HOUR),
    }),
    deleted: await send(service, 'DELETE', admin),
    'deleted page': await service.get(`/e/${poll}`, { accept: 'application/json' }),
    'slash at the end': await service.get('/health/'),
  };

  expect(
    Object.fromEntries(Object.entries(statuses).map(([name, answer]) => [name, answer.statusCode])),
  ).toEqual({
    preview: 403,
    fraction: 400,
    'unknown election': 404,
    'no token': 400,
    'option after a ballot': 409,
    'setting after a ballot': 409,
    'used batch': 200,
    '100 options': 200,
    '101 options': 400,
    '300 characters': 200,
    '301 characters': 400,
    'two alike': 400,
    'foreign origin': 403,
    closed: 200,
    'new dates after ballots': 409,
    'closed without ballots': 200,
    'new dates without ballots': 200,
    deleted: 200,
    'deleted page': 410,
    'slash at the end': 404,
  });
  expect(statuses['used batch'].json()).toMatchObject({ success: true, deleted: 1, deleted_used: 1 });
  for (const name of ['option after a ballot', 'setting after a ballot'] as const)
    expect(statuses[name].json()).toMatchObject({
      error: 'Ballots exist',
      errors: [{ path: expect.any(String) }],
    });
  expect(statuses['new dates after ballots'].json()).toMatchObject({ needs: 'reopen' });
  const { logs } = (await service.get('/admin/audit-logs?action=vote.submitted')).json();
  expect(logs[0]).toMatchObject({ ip_address: null });
  expect(logs[0].timestamp % HOUR).toBe(0);
});

test('production: what an unconfigured service refuses', async () => {
  await using service = await testApp({
    ...{ NODE_ENV: 'production', LOCAL_BYPASS: '', EDGE_ACCESS_TRUST_HEADERS: '', TRUSTED_PROXIES: '' },
    PUB_ADMIN_TOKEN: 'a token of the pub with length',
  });
  const edge = { 'edge-access-jwt-assertion': 'x', accept: '*/*' };
  const song = { artist: 'A', title: 'B' };
  const pub = { authorization: 'Bearer a token of the pub with length' };

  const answers = [
    await service.get('/admin/elections', edge),
    await service.get('/admin/elections', { host: 'localhost' }),
    await service.get('/admin/elections', { accept: 'text/html' }),
    await service.post('/api/now-playing/ingest', song),
    await service.get('/api/admin/people', pub),
    await service.post('/api/admin/dmx/desired', { action: 'scene', name: 'a', params: { fade: 2 } }, pub),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 303, 401, 403, 200]);
  expect(answers[5]!.json().desired.params).toEqual({ fade: 2 });
});
