import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { HOUR, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { recordedOf } from '#test/support/audit.ts';
import { message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { listen, playing, type Song, SUBMIT, single, submit, TOKEN } from './players.ts';

const ENV = { NOW_PLAYING_INGEST_TOKEN: TOKEN, CLUB_NAME: 'The Anchor' };
const shared = sharedApp(ENV);
const SONG: Song = { artist: 'Toots', title: 'Pressure Drop', length: 200 };
const VALIDATE = '/api/listenbrainz/1/validate-token';
const token = (value: string) => ({ authorization: `Token ${value}` });
const count = ({ ctx }: TestApp) => ctx.db.all(build.selectFrom('plays').select('id')).length;

test('says whether a token is valid, and requires one', async () => {
  await using service = await testApp(ENV);
  const right = { code: 200, message: 'Token valid.', valid: true, user_name: 'The Anchor' };
  const wrong = { code: 200, message: 'Token invalid.', valid: false };

  for (const [url, headers, body] of [
    [VALIDATE, token(TOKEN), right],
    [VALIDATE, { authorization: `token ${TOKEN}` }, right],
    [`${VALIDATE}?token=${encodeURIComponent(TOKEN)}`, {}, right],
    ['/1/validate-token/', token(TOKEN), right],
    [VALIDATE, token('another'), wrong],
    [`${VALIDATE}?token=another`, {}, wrong],
  ] as const) {
    const answer = await service.get(url, headers);
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 200, body]);
  }
  const none = await service.get(VALIDATE);
  expect([none.statusCode, none.json()]).toEqual([
    400,
    { code: 400, error: message('authorization_token_missing') },
  ]);
});

test('without the right token nothing is stored; wrong ones are audited and rate limited', async () => {
  await using service = await testApp(ENV);
  const send = (headers: Record<string, string>) => service.post(SUBMIT, playing(SONG), headers);

  for (const [headers, error] of [
    [{}, message('authorization_missing')],
    [{ authorization: TOKEN }, message('authorization_invalid')],
    [token('wrong'), message('authorization_token_invalid')],
  ] as const) {
    const answer = await send(headers);
    expect([answer.statusCode, answer.json()]).toEqual([401, { code: 401, error }]);
  }
  for (let tries = 0; tries < 4; tries += 1) await send(token('wrong'));
  const limited = await send(token('wrong'));
  expect([limited.statusCode, limited.json().code]).toEqual([429, 429]);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect(recordedOf(service.ctx, 'access.refused')).toMatchObject([
    { key: 'NOW_PLAYING_INGEST_TOKEN', route: `POST ${SUBMIT}` },
  ]);
  expect((await send(token(TOKEN))).statusCode).toBe(200);
  expect(service.logged.join('')).not.toContain(TOKEN);
});

test('while no token is set only this machine may submit, and nobody in production', async () => {
  await using local = await testApp({ NOW_PLAYING_INGEST_TOKEN: '' });
  expect((await local.post(SUBMIT, playing(SONG))).statusCode).toBe(200);
  await using live = await testApp({ NOW_PLAYING_INGEST_TOKEN: '', NODE_ENV: 'production' });
  expect((await live.post(SUBMIT, playing(SONG), token('x'))).statusCode).toBe(401);
  expect((await live.get(VALIDATE, token('x'))).json().valid).toBe(false);
});

test('with the setlist off the answer says so', async () => {
  await using service = await testApp({ ...ENV, SETLIST_DB: 'off' });
  const answer = await submit(service, playing(SONG));

  expect([answer.statusCode, answer.json()]).toEqual([503, { code: 503, error: message('setlist_off') }]);
});

const NOW = 1_795_280_400;
const one = (changes: object, info: object = {}) => ({
  listen_type: 'single',
  payload: [
    {
      listened_at: NOW,
      track_metadata: { artist_name: 'A', track_name: 'T', additional_info: info, ...changes },
    },
  ],
});
const listened = (listened_at: unknown) => ({
  listen_type: 'single',
  payload: [{ listened_at, track_metadata: { artist_name: 'A', track_name: 'T' } }],
});

test.each<[what: string, document: unknown, error: RegExp]>([
  ['no JSON', '{"listen_type":', /^Cannot parse JSON document/],
  ['an empty body', '', /^Cannot parse JSON document/],
  ['a list', [], /top level/],
  ['null', null, /top level/],
  ['no payload', { listen_type: 'single' }, /must contain listen_type and payload/],
  ['no type', { payload: [] }, /must contain listen_type and payload/],
  ['a payload that is no list', { listen_type: 'single', payload: {} }, /must be a list/],
  ['no listens', { listen_type: 'import', payload: [] }, /does not contain any listens/],
  ['another type', { ...one({}), listen_type: 'love' }, /listen_type must be one of/],
  ['two singles', { listen_type: 'single', payload: [1, 2] }, /exactly one listen/],
  ['two that play', { listen_type: 'playing_now', payload: [1, 2] }, /exactly one listen/],
  ['a listen that is a number', { listen_type: 'single', payload: [7] }, /must be an object/],
  ['a listen that is null', { listen_type: 'import', payload: [null] }, /must be an object/],
  ['no time', listened(undefined), /must contain listened_at/],
  ['a time in words', listened('yesterday'), /whole number of seconds/],
  ['a time that is a list', listened([NOW]), /whole number of seconds/],
  ['a time before 2002', listened(1_033_430_399), /too low/],
  ['a time in milliseconds', listened(NOW * 1000), /too high/],
  ['a time an hour ahead', listened(NOW + 3_600), /too high/],
  ['another key', { listen_type: 'single', payload: [{ ...one({}).payload[0], mood: 'x' }] }, /only contain/],
  [
    'a time with what plays',
    { listen_type: 'playing_now', payload: one({}).payload },
    /must not contain listened_at/,
  ],
  ['no metadata', { listen_type: 'playing_now', payload: [{}] }, /track_metadata/],
  ['metadata of null', { listen_type: 'playing_now', payload: [{ track_metadata: null }] }, /track_metadata/],
  ['no artist', one({ artist_name: undefined }), /must contain track_metadata.artist_name/],
  ['an empty title', one({ track_name: ' \u0007 ' }), /track_metadata.track_name is empty/],
  ['an artist that is a list', one({ artist_name: ['A'] }), /artist_name must be a text/],
  ['an album that is a number', one({ release_name: 7 }), /release_name must be a text/],
  ['a null character', one({ track_name: 'A\u0000' }), /null character/],
  ['information that is a text', one({ additional_info: 'x' }), /must be an object/],
  ['51 tags', one({}, { tags: Array(51).fill('a') }), /at most 50 items/],
  ['a long tag', one({}, { tags: ['a'.repeat(65)] }), /at most 64 characters/],
  ['tags that are no list', one({}, { tags: { a: 1 } }), /list of texts/],
  ['two lengths', one({}, { duration: 1, duration_ms: 1_000 }), /both duration and duration_ms/],
  ['a length of 0', one({}, { duration: 0 }), /positive whole number/],
  ['a length in words', one({}, { duration_ms: 'long' }), /positive whole number/],
  ['a length of 25 days', one({}, { duration: 25 * 86_400 }), /too large/],
  ['a wrong id', one({}, { recording_mbid: 'x' }), /recording_mbid is not a valid MBID/],
  ['wrong ids', one({}, { artist_mbids: ['x'] }), /artist_mbids must be a list of MBIDs/],
])('%s is refused', async (_, document, error) => {
  const service = await shared();
  const answer = await submit(service, document);

  expect(answer.json()).toEqual({ code: 400, error: expect.stringMatching(error) });
  expect([answer.statusCode, count(service)]).toEqual([400, 0]);
});

test.each<[what: string, document: unknown, kept: object]>([
  ['texts of numbers', one({}, { duration: '200.9' }), { duration_ms: 200_000 }],
  ['a length over a day', one({}, { duration: 90_000 }), { duration_ms: null }],
  ['empty ids and codes', one({}, { artist_mbids: [''], recording_mbid: '', isrc: '' }), { isrc: '' }],
  ['a code', one({}, { isrc: 'us-rc1-76-07839' }), { isrc: 'USRC17607839', track_key: 'USRC17607839' }],
  ['several codes', one({}, { isrc: ['USRC17607839', 'USRC17607840'] }), { isrc: 'USRC17607839' }],
  ['no information', one({ additional_info: null, release_name: null }), { album: null, duration_ms: null }],
  ['control characters', one({ track_name: ' A\u0007\nB ' }), { title: 'A B' }],
  ['a very long title', one({ track_name: `${'x'.repeat(299)}😀` }), { title: 'x'.repeat(299) }],
  ['markup', one({ artist_name: '<b>&amp;' }), { artist: '<b>&amp;' }],
  ['a time as a text', listened(String(NOW)), { started_at: NOW * 1000 }],
])('%s: accepted and normalised', async (_, document, kept) => {
  await using service = await testApp(ENV);
  service.clock.now = NOW * 1000;
  const answer = await submit(service, document);

  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
  expect(service.ctx.db.first(build.selectFrom('plays').selectAll())).toMatchObject(kept);
});

test('applies the limits of the protocol: 1000 listens, 10240 bytes each and 10240000 in all', async () => {
  await using service = await testApp(ENV);
  const at = service.clock.now - HOUR;
  const listens = (many: number) => Array.from({ length: many }, () => listen(SONG, at));
  const padded = (bytes: number) => {
    const text = JSON.stringify(single(SONG, at));
    return text + ' '.repeat(bytes - text.length);
  };
  const errorOf = async (document: unknown) => (await submit(service, document)).json();

  expect(await errorOf({ listen_type: 'import', payload: listens(1_001) })).toEqual({
    code: 400,
    error: message('too_many_listens', { max: '1000' }),
  });
  expect((await errorOf(padded(10_241))).error).toContain('at most 10240 bytes');
  expect((await errorOf(' '.repeat(10_240_001))).error).toBe(
    'Payload too large. It cannot exceed 10240000 bytes.',
  );
  expect(count(service)).toBe(0);
  expect(await errorOf(padded(10_240))).toEqual({ status: 'ok' });
});

test('every answer says how many requests are left, and beyond the limit when to retry', async () => {
  await using service = await testApp(ENV);
  const first = await submit(service, playing(SONG));
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '299',
    'x-ratelimit-reset-in': '10',
    'x-ratelimit-reset': String(service.clock.now / 1000 + 10),
    'cache-control': 'no-store',
  });
  for (let sent = 1; sent < 300; sent += 1) service.ctx.limiter.hit('listens', '127.0.0.1', 300, 10 * SECOND);
  service.clock.now += 4 * SECOND;

  const limited = await submit(service, playing(SONG));
  expect([limited.statusCode, limited.json()]).toEqual([429, { code: 429, error: message('listens_limit') }]);
  expect(limited.headers).toMatchObject({
    'retry-after': '6',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset-in': '6',
  });
  service.clock.now += 6 * SECOND;
  expect((await submit(service, playing(SONG))).statusCode).toBe(200);
});

test('a document that is sent in pieces and without a content type is accepted', async () => {
  await using service = await testApp(ENV);
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
  const body = JSON.stringify(playing(SONG));
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
    socket.write(`POST ${SUBMIT} HTTP/1.1\r\nhost: localhost\r\nauthorization: Token ${TOKEN}\r\n`);
    socket.write(`connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 20)}`);
    socket.write(body.slice(20));
  });

  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('{"status":"ok"}');
  expect(count(service)).toBe(1);
});
