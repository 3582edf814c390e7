import { expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { cachedJson, sharedAnswer } from '#kernel/http/cached-response.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, page } from '#test/support/factories.ts';

test('a shared answer is made once for all who ask, until a change or for a second', async () => {
  await using house = await testApp();
  let made = 0;
  const ask = async () => {
    const answer = await sharedAnswer(house.ctx, ['/figures', 1], async () => cachedJson(++made));
    return answer.body.toString();
  };

  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['1', '1', '1']);
  await addElection(house);
  expect(await Promise.all([ask(), ask()])).toEqual(['2', '2']);
  house.clock.now += SECOND - 1;
  expect(await ask()).toBe('2');
  house.clock.now += 1;
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
])('%s carries a tag, and is not sent again to who has it', async (url, type) => {
  await using house = await testApp();

  const whole = await page(house, url);
  const tag = String(whole.headers.etag);
  const again = await page(house, url, { 'if-none-match': tag });

  expect(whole.headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' });
  expect(tag).toMatch(/^"[\w-]{22}"$/);
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('a page is of another tag as soon as it says something else', async () => {
  await using house = await testApp();
  const before = await page(house, '/');
  await addElection(house, { title: 'A new piano', settings: { publish_results_to_home: true } });

  const after = await page(house, '/', { 'if-none-match': String(before.headers.etag) });

  expect(after.statusCode).toBe(200);
  expect(after.body).toContain('A new piano');
});
