import { expect, it } from 'vitest';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { signedIn } from '#test/support/people/people.ts';

const HOSTILE: string[] = [
  ...['/..//evil.example', '/.//evil.example', '/a/..//evil.example', '/%2e%2e//evil.example'],
  ...[
    '/%2E%2e//evil.example',
    '/a/%2e%2e//evil.example',
    '/././/evil.example/..',
    '/a/b/../..//evil.example',
  ],
  ...[
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
  ],
  ...['/..\\/evil.example', '/.\\/evil.example', '/%5cevil.example', '/%5C%5Cevil.example', '/a%5c..%5c'],
  ...['/%2f/evil.example', '/%2Fevil.example', '/..%2f/evil.example', '/%2e%2e%2f%2fevil.example'],
  ...[
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '/a\0',
    '/%09/evil.example',
    '/%0d%0aSet-Cookie:a',
  ],
  ...['/%00', '/\u0085/evil.example', '/%c2%85', '/%', '/%ff', '/%zz'],
  ...[
    'https://evil.example',
    'http:/evil.example',
    'http:evil.example',
    'javascript:alert(1)',
    'evil.example',
  ],
  ...[' /now', '?next=/now', '', '.', '..//evil.example', '@evil.example', ':80/now', `/${'x'.repeat(500)}`],
];

it.each(HOSTILE)('leads to /me: %j', (next) => expect(pathOnward(next)).toBe('/me'));

it.each([
  ['/now', '/now'],
  ['/events?day=1&to=//x', '/events?day=1&to=//x'],
  ['/a/../events', '/events'],
  ['/events#next', '/events'],
  ['/x//y', '/x//y'],
  ['/Straße', '/Stra%C3%9Fe'],
  ['/e/%C3%A4?t=%5c', '/e/%C3%A4?t=%5c'],
])('leads to the path of this service: %s', (next, onward) => {
  expect(pathOnward(next)).toBe(onward);
  expect(pathOnward(onward)).toBe(onward);
});

it.each([undefined, null, 5, ['/now'], {}])('leads to /me without a text: %j', (next) =>
  expect(pathOnward(next)).toBe('/me'),
);

it('is asked by every address that leads onward', async () => {
  await using service: TestApp = await testApp({ LOCAL_BYPASS: 'off' });
  const ann = await signedIn(service, 'tender');
  const to = '/..//evil.example';
  const html = { accept: 'text/html', ...ann };
  const query = `next=${encodeURIComponent(to)}`;
  expect((await service.get(`/sign-in?${query}`, html)).headers.location).toBe('/me');
  const asked = await service.get(`/sign-in?${query}`, { ...html, cookie: '' });
  expect(asked.body).toContain('name="next" value="/me"');
  const again = await service.submit('/sign-in', { email: 'nobody', next: to }, { host: 'club.example' });
  expect(again.body).toContain('name="next" value="/me"');
  const sudo = await service.submit('/me/sudo/code', { sudo_to: to, sudo_method: 'POST' }, ann);
  expect(sudo.body).not.toContain('evil.example');
  const confirmed = await service.submit(
    '/me/sudo',
    { sudo_to: to, sudo_method: 'GET', sudo_code: 'x' },
    ann,
  );
  expect(confirmed.body).not.toContain('evil.example');
});
