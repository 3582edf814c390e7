import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';

const FILE = '/.well-known/security.txt';

test.each([
  ['nothing is set', {}, undefined],
  ['the contact is words', { contact: 'Ask at the bar' }, undefined],
  ['the contact is a mailbox', { contact: 'board@club.example' }, 'mailto:board@club.example'],
  ['the contact is a page', { contact: 'https://club.example/us' }, 'https://club.example/us'],
  [
    'there is one for security',
    { contact: 'board@club.example', security_contact: 'safe@club.example' },
    'mailto:safe@club.example',
  ],
])('security.txt where %s', async (_what, settings, contact) => {
  await using service = await testApp({ BASE_URL: 'https://club.example' });
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const headers = { accept: 'application/json', ...owner };
  await service.app.inject({ method: 'PUT', url: '/api/admin/settings', headers, payload: settings });

  const answer = await service.app.inject(FILE);

  if (contact === undefined) return expect(answer.statusCode).toBe(404);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  const fields = answer.body.trim().split('\n');
  expect(fields).toEqual([
    `Contact: ${contact}`,
    expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00.000Z$/),
    `Canonical: https://club.example${FILE}`,
  ]);
  // RFC 9116: readers drop a file that has expired, and one for more than a year is discouraged.
  const days = (Date.parse(fields[1]!.slice('Expires: '.length)) - service.clock.now) / 86_400_000;
  expect(days).toBeGreaterThan(170);
  expect(days).toBeLessThan(365);
});
