import { expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { cachedJson, sharedAnswer } from '#kernel/http/cached-response.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, page } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const open = sharedApp();

test('a shared response is built once for concurrent requests, until a change or for a second', async () => {
  await using service = await testApp();
  let made = 0;
  const ask = async () => {
    const answer = await sharedAnswer(service.ctx, ['/figures', 1], async () => cachedJson(++made));
    return answer.body.toString();
  };

  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['1', '1', '1']);
  await addElection(service);
  expect(await Promise.all([ask(), ask()])).toEqual(['2', '2']);
  service.clock.now += SECOND - 1;
  expect(await ask()).toBe('2');
  service.clock.now += 1;
  expect(await ask()).toBe('3');
});

test.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/', 'text/html; charset=utf-8'],
  ['/now', 'text/html; charset=utf-8'],
  ['/events', 'text/html; charset=utf-8'],
  ['/tenders/', 'text/html; charset=utf-8'],
  ['/setlist', 'text/html; charset=utf-8'],
  ['/programme', 'text/html; charset=utf-8'],
])('%s has an ETag, and is not sent again to clients that have it', async (url, type) => {
  const service = await open();

  const whole = await page(service, url);
  const tag = String(whole.headers.etag);
  const again = await page(service, url, { 'if-none-match': tag });

  expect(whole.headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' });
  expect(tag).toMatch(/^"[\w-]{22}"$/);
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('the ETag of a page changes with its content', async () => {
  await using service = await testApp();
  const before = await page(service, '/');
  await addElection(service, { title: 'A new piano', settings: { publish_results_to_home: true } });

  const after = await page(service, '/', { 'if-none-match': String(before.headers.etag) });

  expect(after.statusCode).toBe(200);
  expect(after.body).toContain('A new piano');
});
