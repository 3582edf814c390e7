import { expect, test } from 'vitest';
import { listeningService } from '#test/support/browser/browser-service.ts';

const PATHS = ['/', '/events', '/health', '/openapi.json', '/api/events', '/admin/settings', '/nothing'];

test('HEAD answers as GET does, without a body, and is logged as HEAD', async () => {
  await using service = await listeningService();
  for (const path of PATHS) {
    const head = await fetch(service.origin + path, { method: 'HEAD' });
    const get = await fetch(service.origin + path);
    expect(await head.text(), path).toBe('');
    expect(head.status, path).toBe(get.status);
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag'])
      expect(head.headers.get(name), `${path}: ${name}`).toBe(get.headers.get(name));
  }
  const logged = service.logged.map((line) => JSON.parse(line));
  expect(logged).toContainEqual(expect.objectContaining({ method: 'HEAD', url: '/events', status: 200 }));
  const metrics = await service.get('/metrics');
  expect(metrics.body).toContain('_count{method="HEAD",route="/events",status="2xx"} 1');
});

test('routes with side effects do not accept HEAD', async () => {
  await using service = await listeningService();
  const head = async (url: string) => (await service.request({ method: 'HEAD', url })).statusCode;
  expect(await head('/me/export')).toBe(404);
  const unknown = await head('/api/admin/nothing');
  expect(await head('/api/admin/people/some-id/export?x=1')).toBe(unknown);
  expect(await head('/api/admin/setlist.csv')).toBe(unknown);
});
