import { expect, test } from 'vitest';
import { ownValue } from '#kernel/own-value.ts';
import { testApp } from './support/app.ts';
import { addElection } from './support/factories.ts';

const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
const TOKEN = 'a long token of the pub';

test('a name from a request finds own properties of an object, and nothing inherited', () => {
  expect(ownValue({ a: 1 }, 'a')).toBe(1);
  for (const name of [...INHERITED, 'b', undefined]) expect(ownValue({ a: 1 }, name)).toBeUndefined();
});

test('no page shows an inherited property that its address names', async () => {
  await using service = await testApp({
    PUB_ADMIN_TOKEN: TOKEN,
    SETLIST_REQUESTS_ENABLED: 'on',
    FEEDBACK_ENABLED: 'on',
  });
  const election = await addElection(service);
  const list = (await service.post('/admin/distribution-lists', { name: 'Members' })).json().id;
  const pages = [
    '/requests?done=',
    '/feedback?page=',
    '/subscribe-programs?error=',
    '/admin?done=',
    '/admin/approvals?done=',
    `/admin/elections/${election}?done=`,
    `/admin/elections/${election}?ask=`,
    `/admin/elections/${election}?invites=`,
    '/admin/distribution-lists?done=',
    `/admin/distribution-lists/${list}?done=`,
    '/admin/pub?done=',
    '/admin/pub/roles?done=',
    '/admin/feedback?done=',
    '/admin/calendar?done=',
  ];

  for (const page of pages) {
    for (const name of INHERITED) {
      const { statusCode, body } = await service.get(page + name, {
        accept: 'text/html',
        'x-admin-token': TOKEN,
      });
      expect([page, name, statusCode]).toEqual([page, name, 200]);
      expect(body).not.toMatch(/native code|\[object/);
    }
  }
});
