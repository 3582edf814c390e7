import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { expectRefusal } from '#test/support/messages.ts';

const TOKEN = 'a long token of the players';
const FOREIGN = { origin: 'https://player.example', 'sec-fetch-site': 'cross-site' };

test('a right token is let in from a page of another site, by player and device; without one Origin is looked at', async () => {
  await using service = await testApp({ NOW_PLAYING_INGEST_TOKEN: TOKEN, SETLIST_DB: 'on' });
  const ingest = (headers: object) =>
    service.post('/api/now-playing/ingest', { artist: 'A', title: 'T' }, { ...FOREIGN, ...headers });
  expect((await ingest({ authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200);
  expectRefusal(await ingest({}), 403, 'cross_site_request');
  const url = '/api/listenbrainz/1/submit-listens';
  for (const asked of [url, '/api/now-playing/ingest'])
    for (const origin of [FOREIGN.origin, 'chrome-extension://abc', 'moz-extension://abc', 'null']) {
      const ask = await service.request({
        method: 'OPTIONS',
        url: asked,
        headers: { ...FOREIGN, origin, 'access-control-request-method': 'POST' },
      });
      expect([ask.statusCode, ask.headers['access-control-allow-origin']]).toEqual([204, '*']);
      expect(ask.headers['access-control-allow-headers']).toContain('Authorization');
      expect(ask.headers).not.toHaveProperty('access-control-allow-credentials');
      const track_metadata = { artist_name: 'A', track_name: origin };
      const body =
        asked === url
          ? { listen_type: 'playing_now', payload: [{ track_metadata }] }
          : { artist: 'A', title: origin };
      const sent = await service.post(asked, body, { ...FOREIGN, origin, authorization: `Bearer ${TOKEN}` });
      expect([sent.statusCode, sent.headers['access-control-allow-origin']]).toEqual([200, '*']);
    }
  const listen = {
    listen_type: 'playing_now',
    payload: [{ track_metadata: { artist_name: 'A', track_name: 'T' } }],
  };
  const sent = await service.post(url, listen, { ...FOREIGN, authorization: `Token ${TOKEN}` });
  expect([sent.statusCode, sent.headers['access-control-allow-origin']]).toEqual([200, '*']);
});

test('without a token only this machine by a loopback name is heard, as for the capture device', async () => {
  await using service = await testApp({ EDGE_ACCESS_TRUST_HEADERS: '', TRUSTED_PROXIES: '' });
  const track_metadata = { artist_name: 'A', track_name: 'B' };
  const listens = { listen_type: 'playing_now', payload: [{ track_metadata }] };
  const send = async (host: string) =>
    (await service.post('/api/listenbrainz/1/submit-listens', listens, { host })).statusCode;
  expect([await send('127.0.0.1:3000'), await send('localhost'), await send('[::1]:3000')]).toEqual([
    200, 200, 200,
  ]);
  expect([await send('evil.example:3000'), await send('localhost.evil.example')]).toEqual([401, 401]);
});
