import sharp from 'sharp';
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { fetchLogos } from '#pub/screen/logos.ts';
import { fakeGame } from '#test/stand-ins/scoreboard-server.ts';
import { NOON } from '#test/support/app.ts';
import { errorJson, expectRefusal } from '#test/support/messages.ts';
import { screenService } from './screen-service.ts';

const game = () => fakeGame({ id: '1', startsAt: NOON, status: 'playing' });

test('a game has its logos once they are fetched, on our own host and scaled down', async () => {
  await using service = await screenService([game()]);
  expect((await service.live()).games[0]?.home.logoUrl).toBe('');

  await fetchLogos(service.ctx);
  const [shown] = (await service.live()).games;

  expect([shown?.home.logoUrl, shown?.away.logoUrl]).toEqual(['/api/logo/nhl/16', '/api/logo/nhl/29']);
  const logo = await service.get('/api/logo/nhl/16');
  expect(logo.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=86400',
  });
  expect(await sharp(logo.rawPayload).metadata()).toMatchObject({ width: 256, height: 256 });
  expect(
    (await service.get('/api/logo/nhl/16', { 'if-none-match': String(logo.headers.etag) })).statusCode,
  ).toBe(304);
});

test('a logo is fetched once, however often it is looked for', async () => {
  await using service = await screenService([game()]);
  await service.live();

  await fetchLogos(service.ctx);
  await fetchLogos(service.ctx);

  expect(service.scores.logoRequests).toHaveLength(2);
});

test.each(['missing', 'svg'] as const)(
  'a logo that is %s is not shown, and looked for again after an hour',
  async (logos) => {
    await using service = await screenService([game()]);
    service.scores.logos = logos;
    await service.live();
    await fetchLogos(service.ctx);
    await fetchLogos(service.ctx);

    expect((await service.live()).games[0]?.home.logoUrl).toBe('');
    expect(service.scores.logoRequests).toHaveLength(2);
    const answer = await service.get('/api/logo/nhl/16');
    expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([
      404,
      errorJson('image_not_found'),
      'no-store',
    ]);

    service.scores.logos = 'picture';
    service.clock.now += HOUR + MINUTE;
    await fetchLogos(service.ctx);
    expect((await service.get('/api/logo/nhl/16')).statusCode).toBe(200);
  },
);

test('an unknown team has no logo', async () => {
  await using service = await screenService();

  expectRefusal(await service.get('/api/logo/nhl/..%2F..%2Fetc'), 404, 'image_not_found');
});
