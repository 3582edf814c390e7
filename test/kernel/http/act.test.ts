import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';

const FORM = 'application/x-www-form-urlencoded';
const PAGE = 'text/html,application/xhtml+xml';

test.each([
  ['JSON to the address for scripts', 'PUT /api/admin/settings', 'application/json', PAGE, 200],
  ['a form that a script sends there', 'PUT /api/admin/settings', FORM, '*/*', 200],
  ['a form that a browser sends there', 'PUT /api/admin/settings', FORM, PAGE, 303],
  ['the form of the page', 'POST /admin/settings', FORM, PAGE, 303],
  ['the form of the page, sent by a script', 'POST /admin/settings', FORM, '*/*', 303],
  ['JSON to one address for both', 'PATCH /api/admin/calendars/programs', 'application/json', PAGE, 200],
  ['a form to one address for both', 'PATCH /api/admin/calendars/programs', FORM, PAGE, 303],
])('an act answers %s', async (_, address, type, accept, status) => {
  await using service = await testApp();
  const headers = { ...(await appoint(service, 'olga@club.example', 'owner')), 'content-type': type, accept };
  const [method = '', url = ''] = address.split(' ');
  const fields: Record<string, string> = url.includes('settings')
    ? { short_name: 'The Anchor' }
    : { enabled: 'true' };
  const payload = type === FORM ? new URLSearchParams(fields).toString() : JSON.stringify(fields);

  const answer = await service.request({ method: method as 'PUT', url, headers, payload });

  expect(answer.statusCode, answer.body).toBe(status);
  if (status === 200) expect(answer.json().ok).toBe(true);
  else expect(answer.headers.location).toMatch(/^\/admin\/(settings\/club|calendar)\?done=(saved|on)$/);
});

test('a form without a single field is read like one with empty fields', async () => {
  await using service = await testApp();
  const owner = await appoint(service, 'olga@club.example', 'owner');

  const answer = await service.request({
    method: 'POST',
    url: '/admin/settings',
    headers: { ...owner, 'content-type': FORM, accept: PAGE },
  });

  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/admin/settings?done=unchanged']);
});
