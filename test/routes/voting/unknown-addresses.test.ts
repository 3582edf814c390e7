import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { errorJson } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { asset } from '#views/assets.ts';

const shared = sharedApp();

describe('an unknown address', () => {
  it.each([
    '/nowhere',
    '/e',
    '/e/',
    '/e/x/nowhere',
    '/admin/nowhere',
    '/admin/elections/x/nowhere',
    '/vote/nowhere',
    '/index.php',
  ])('is a 404 in JSON or as a page, and always in JSON for other methods: %s', async (url) => {
    const service = await shared();

    const json = await service.get(url);
    const html = await page(service, url);
    const changes = [];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      changes.push(await service.request({ method, url, headers: { accept: 'text/html' } }));
    }

    for (const answer of [json, ...changes]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json().error).toMatch(/not found/i);
    }
    expect(html.statusCode).toBe(404);
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('under a known path but with another method is a 404 too', async () => {
    await using service = await testApp();

    const answers = [
      await service.request({ method: 'PUT', url: '/health' }),
      await service.request({ method: 'DELETE', url: '/' }),
      await service.request({ method: 'POST', url: '/admin/audit-logs' }),
      await service.request({ method: 'OPTIONS', url: '/admin/elections' }),
    ];

    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toEqual([404, errorJson('not_found')]);
  });

  it.each(['/%', '/e/%zz', '/e/%c0%ae', '/e/%/vote', '/admin/elections/%E0%A4%A', '/e/%zz/results?x=%zz'])(
    'with bad percent encoding is a 404 in JSON or as a page: %s',
    async (url) => {
      const service = await shared();

      const json = await service.get(url);
      const html = await page(service, url);

      expect([json.statusCode, json.json()]).toEqual([404, errorJson('not_found')]);
      expect(html.statusCode).toBe(404);
      expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    },
  );

  it.each(['/e/%zz', `/e/${'x'.repeat(201)}`])(
    'that the router refuses has the headers of every response: %s',
    async (url) => {
      const service = await shared();

      for (const { statusCode, headers } of [await service.get(url), await page(service, url)]) {
        expect(statusCode).toBe(404);
        expect(headers).toMatchObject({
          'x-request-id': expect.stringMatching(/^[-0-9a-f]{36}$/),
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
        expect(service.logged.join()).toContain(String(headers['x-request-id']));
      }
    },
  );

  it('that leaves its folder is an error', async () => {
    await using service = await testApp();
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    const addresses = [
      '/e/..%2f..%2fpackage.json',
      '/e/../../package.json',
      '/assets/x/..%2f..%2f..%2fpackage.json',
      `${asset('')}../../../package.json`,
      `${asset('')}..%2f..%2f..%2fpackage.json`,
      `${asset('fonts/')}../../../package.json`,
      '//admin//elections',
      `/e/${'x'.repeat(5_000)}`,
    ];

    const statuses = [];
    for (const address of addresses) statuses.push(await statusOf(service, address));

    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  });
});

/** Requests an unchanged path over a real socket, because `inject` would normalize it. */
function statusOf(service: TestApp, path: string): Promise<number> {
  const { port } = service.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    http
      .get(
        { host: '127.0.0.1', port, path, agent: false, headers: { accept: 'application/json' } },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        },
      )
      .on('error', reject);
  });
}
