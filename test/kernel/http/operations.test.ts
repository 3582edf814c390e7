import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { addElection, addTokens } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { tempFolder } from '#test/support/process/process.ts';

test('the metrics count requests by route and status, and contain no URL', async () => {
  await using service = await testApp();
  await service.get('/e/01900000-0000-7000-8000-000000000000/results?t=secret-token');
  const answer = await service.get('/metrics');

  expect(answer.headers['content-type']).toContain('text/plain');
  expect(answer.body).toContain(
    'publichouse_http_request_duration_seconds_count{method="GET",route="/e/:id/results",status="4xx"} 1',
  );
  expect(answer.body).toContain('publichouse_open_streams 0');
  expect(answer.body).toContain('nodejs_version_info');
  expect(answer.body).not.toContain('secret-token');
});

test('the metrics do not tell casting a ballot from looking at one', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  const [token = ''] = await addTokens(service, id, 1);
  await service.get(`/e/${id}/vote?t=${token}`);
  await service.submit(`/e/${id}/vote/review`, { token, choice: 'yes' });
  await service.post(`/e/${id}/vote`, { token, choice: 'yes' });

  const { body } = await service.get('/metrics');

  expect(body).toContain('_count{method="any",route="/e/:id/vote",status="2xx"} 3');
  expect(body.match(/_count\{[^}]*vote[^}]*\}/g)).toHaveLength(1);
});

test('the metrics say when the newest backup was made, also with fractions of a millisecond', async () => {
  const folder = tempFolder();
  const backup = path.join(folder, 'backups/publichouse-2026-01-02T03-04-05Z.db');
  fs.mkdirSync(path.dirname(backup));
  fs.writeFileSync(backup, '');
  fs.utimesSync(backup, 1_767_323_045.1234, 1_767_323_045.1234);
  await using service = await testApp({ DATABASE_URL: `file:${folder}/service.db` });

  const metrics = await service.get('/metrics');

  expect(metrics.body).toContain('publichouse_backup_timestamp_seconds 1767323045');
});

test('the log has the path of each request, without the query', async () => {
  await using service = await testApp();
  const addresses = [
    '/?q=secret@club.example',
    '/e/1/vote?x=1&amp;token=secret',
    '/e/1/vote%3Ft=secret',
    '/e/1/vote?%74=secret',
    '/e/1/vote;t=secret',
    '/e/1/vote?t[]=secret',
    '/vote/my-elections?secret',
    '/nowhere/secret@club.example',
  ];
  for (const url of addresses) await service.get(url, { referer: 'https://club.example/e/1/vote?t=secret' });
  service.ctx.log.error(
    { err: new Error('no answer from https://club.example/?t=secret') },
    '/?token=secret',
  );

  const lines = service.logged.filter((line) => line.includes('"request"'));
  expect(lines).toHaveLength(addresses.length);
  expect(lines[0]).toContain('"url":"/"');
  expect(service.logged.join()).toContain('no answer from https://club.example/?t=…');
  expect(service.logged.join()).not.toContain('secret');
});

test('the ids of requests are not predictable', async () => {
  await using service = await testApp();
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.get('/health')));

  const ids = answers.map(({ headers }) => String(headers['x-request-id']));
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(20);
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBe(20);
  for (const id of ids) expect(service.logged.join()).toContain(id);
});

test('the metrics are for officers', async () => {
  await using service = await testApp({ NODE_ENV: 'production', ADMIN_API_KEY: 'a key of twenty letters' });

  expectRefusal(await service.get('/metrics'), 401, 'officer_key_required');
  expect(
    (await service.get('/metrics', { authorization: 'Bearer a key of twenty letters' })).statusCode,
  ).toBe(200);
});

test('while the process is overloaded new requests get a 503 with Retry-After, and /health responds', async () => {
  // Far longer than the event loop delay of a machine that is merely slow.
  await using service = await testApp({ OVERLOAD_DELAY_MS: '200' });
  await service.app.ready();
  await expect.poll(async () => (await service.get('/')).statusCode).toBe(200);

  // The busy work leaves the event loop only one turn at a time.
  const busy = { value: true };
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const work = () => {
    Atomics.wait(nothing, 0, 0, 300);
    if (busy.value) setImmediate(work);
  };
  work();
  let refused = await service.get('/');
  await expect
    .poll(async () => {
      refused = await service.get('/');
      return refused.statusCode;
    })
    .toBe(503);
  const health = await service.get('/health');
  busy.value = false;

  expect(refused.headers['retry-after']).toBe('5');
  expect(refused.json()).toMatchObject({ error: expect.stringContaining('very busy'), retryAfter: 5 });
  expect(health.statusCode).toBe(200);
  await expect.poll(async () => (await service.get('/')).statusCode).toBe(200);
});

test('the metrics follow the naming rules of Prometheus, and our rules and panels use only existing ones', async () => {
  await using service = await testApp();
  await service.get('/health');
  const { body } = await service.get('/metrics');
  const types = new Map(
    [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const helped = new Set([...body.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name));

  // The rules of `promtool check metrics`.
  const wrong = [...types].filter(
    ([name, type]) =>
      !helped.has(name) ||
      /[A-Z:]/.test(name) ||
      (type === 'counter') !== name.endsWith('_total') ||
      /_(count|sum|bucket|counter|gauge|histogram|summary)$/.test(name) ||
      /_(ms|s|sec|secs|milliseconds|minutes|hours|days|mb|kb|kilobytes|megabytes|percent)(_total)?$/.test(
        name,
      ),
  );
  expect(wrong).toEqual([]);
  const folder = path.join(import.meta.dirname, '../../../deploy/prometheus');
  const used = fs
    .readdirSync(folder)
    .flatMap(
      (file) =>
        fs
          .readFileSync(path.join(folder, file), 'utf8')
          .match(/\b(publichouse|nodejs|process)_[a-z0-9_]+/g) ?? [],
    )
    .map((name) => name.replace(/_seconds_(bucket|count|sum)$/, '_seconds'));
  expect(new Set(used).size).toBeGreaterThan(8);
  expect(used.filter((name) => !types.has(name))).toEqual([]);
});
