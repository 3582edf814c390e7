// Pages of other hosts on a screen: looked at when they are entered and each day, framed without our origin.

import http, { type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { DAY, HOUR } from '#kernel/clock.ts';
import { findPageFault, forbiddenBy, lookAtPages } from '#pub/devices/web-pages.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { patchScreen } from '#test/support/screens.ts';
import { openTv, pair } from './pairing-steps.ts';

const OWN = 'https://pub.club.example';

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ 'x-frame-options': 'DENY' }, 'X-Frame-Options: DENY'],
  [{ 'x-frame-options': 'sameorigin' }, 'X-Frame-Options: SAMEORIGIN'],
  [{ 'x-frame-options': 'ALLOW-FROM https://a.example' }, undefined],
  [{ 'content-security-policy': "default-src 'self'" }, undefined],
  [
    { 'content-security-policy': "default-src 'self'; frame-ancestors 'none'" },
    "Content-Security-Policy: frame-ancestors 'none'",
  ],
  [
    { 'content-security-policy': "frame-ancestors 'self'" },
    "Content-Security-Policy: frame-ancestors 'self'",
  ],
  // Browsers ignore X-Frame-Options beside it.
  [{ 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' }, undefined],
  [{ 'content-security-policy': 'frame-ancestors https:' }, undefined],
  [{ 'content-security-policy': 'frame-ancestors http:' }, 'Content-Security-Policy: frame-ancestors http:'],
  [{ 'content-security-policy': `FRAME-ANCESTORS ${OWN}` }, undefined],
  [{ 'content-security-policy': 'frame-ancestors *.club.example' }, undefined],
  [
    { 'content-security-policy': 'frame-ancestors *.example.org pub.club.example.org' },
    'Content-Security-Policy: frame-ancestors *.example.org pub.club.example.org',
  ],
  [
    { 'content-security-policy': 'frame-ancestors pub.club.example:8443' },
    'Content-Security-Policy: frame-ancestors pub.club.example:8443',
  ],
  // Every policy has to allow it.
  [
    { 'content-security-policy': "frame-ancestors *, frame-ancestors 'none'" },
    "Content-Security-Policy: frame-ancestors 'none'",
  ],
])('a page with %j is forbidden by %s', (headers, expected) => {
  expect(forbiddenBy(new Headers(headers), OWN)).toBe(expected);
});

/** A host whose pages answer as the test says. */
async function startHost(answer: RequestListener) {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function pairedTv(service: TestApp) {
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const tv = await openTv(service);
  const id = await pair(service, tom, tv, { name: 'Bar' });
  const patch = (payload: object) => patchScreen(service, tom, id, payload);
  return {
    tv,
    told: async () => (await tv.beat({ uptime_s: 1 })).json(),
    row: async () => (await service.get('/api/admin/screens', tom)).json().screens[0],
    patch,
    show: (...urls: string[]) => patch({ mix: { pages: urls.map((one) => ({ url: one, seconds: 20 })) } }),
  };
}

test('a page that cannot be shown is refused with the reason; one that can is framed by this screen alone', async () => {
  await using service = await testApp();
  const answers: Record<string, [status: number, headers: OutgoingHttpHeaders]> = {
    '/denied': [200, { 'x-frame-options': 'DENY' }],
    '/moved': [302, { location: 'https://elsewhere.example/x' }],
    '/round': [302, { location: '/round' }],
    '/gone': [404, {}],
    '/here': [302, { location: '/fine' }],
    '/fine': [200, { 'content-type': 'text/html' }],
  };
  const asked: (string | undefined)[] = [];
  await using host = await startHost((request, response) => {
    asked.push(request.url);
    const [status, headers] = answers[request.url ?? ''] ?? [500, {}];
    response.writeHead(status, headers).flushHeaders();
    // The rest of the fine one never comes: its headers are enough.
    if (request.url !== '/fine') response.end();
  });
  const { show, patch, tv, told, row } = await pairedTv(service);
  for (const [path, words] of [
    ['/denied', 'X-Frame-Options: DENY'],
    ['/moved', 'https://elsewhere.example/x'],
    ['/round', 'redirects too often'],
    ['/gone', 'answered 404'],
  ] as const) {
    const answer = await show(`${host.origin}/fine`, host.origin + path);
    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, 'mix.pages.1.url']);
    expect(answer.json().error).toContain(words);
  }
  expect(await row()).toMatchObject({ revision: 1, mix: { pages: [] } });
  const policy = async () => (await tv.get('/tv')).headers['content-security-policy'];
  expect(await policy()).toContain("frame-src 'self';");

  service.clock.now += HOUR;
  expect((await show(`${host.origin}/here`)).statusCode).toBe(200);
  expect(await policy()).toContain(`frame-src 'self' ${host.origin};`);
  expect((await service.get('/tv')).headers['content-security-policy']).toContain("frame-src 'self';");
  // It loads its page again, because the former one may not frame that host.
  service.clock.now += 1_000;
  expect((await tv.beat({ uptime_s: 60 })).json().reload).toBe(true);
  expect((await told()).mix.pages).toEqual([{ url: `${host.origin}/here`, seconds: 20 }]);
  // What it shows already may be out of reach while something else is changed.
  answers['/here'] = [503, {}];
  expect((await show(`${host.origin}/here`)).statusCode).toBe(200);

  // One that several mixes have is asked for once.
  asked.length = 0;
  const mix = { pages: [{ url: `${host.origin}/fine` }] };
  const often = await patch({ mix, times: [{ mix }, { days: ['mon'], mix }] });
  expect([often.statusCode, asked]).toEqual([200, ['/fine']]);
  answers['/here'] = [200, {}];
  await patch({ times: [], mix: { pages: [{ url: `${host.origin}/here`, seconds: 20 }] } });
  answers['/here'] = [503, {}];

  // Each day it is looked at again; out of reach alone takes it off no screen.
  await lookAtPages(service.ctx);
  expect((await told()).mix.pages).toHaveLength(1);
  answers['/here'] = [200, { 'content-security-policy': "frame-ancestors 'self'" }];
  service.clock.now += DAY;
  await lookAtPages(service.ctx);
  expect((await told()).mix.pages).toEqual([]);
  expect((await row()).pageFaults).toEqual([
    {
      url: `${host.origin}/here`,
      code: 'page_forbids_frames',
      params: { header: "Content-Security-Policy: frame-ancestors 'self'" },
      message: expect.stringContaining("frame-ancestors 'self'"),
    },
  ]);
  answers['/here'] = [200, {}];
  service.clock.now += DAY;
  await lookAtPages(service.ctx);
  expect((await told()).mix.pages).toHaveLength(1);
  expect(await row()).not.toHaveProperty('pageFaults');
});

test('pages of this service and of private networks are refused', async () => {
  await using service = await testApp({ BASE_URL: OWN });
  expect(await findPageFault(service.ctx, `${OWN}/tv`)).toMatchObject({ code: 'page_of_service' });
  service.ctx.config.NODE_ENV = 'production';
  for (const url of ['https://127.0.0.1/', 'https://192.168.1.1/', 'https://[::1]/', 'http://localhost/'])
    expect(await findPageFault(service.ctx, url)).toMatchObject({ code: 'page_not_reached' });
});
