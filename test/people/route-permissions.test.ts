import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS, ROLES, type Role } from '#kernel/access/roles.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { signedIn } from '#test/support/people/people.ts';

/** The admin routes of routes.txt: method, address, needed permission. */
const ROUTES = fs
  .readFileSync(new URL('../routes.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split(/\s+/))
  .filter(([, url = '']) => /^\/(api\/)?admin(\/|$)/.test(url))
  .map(([method = '', url = '', , needed = '']) => ({ method, url, needed: needed.split('|') }));

/** In addition to their permission these need the role `owner`. */
const FOR_OWNERS = ['/admin/content/import', '/api/admin/content/import'];

/** These show names of the roll, and need this permission too. */
const WITH_ROLL = ['/admin/elections/:id/invites/slips', '/admin/papers/:id/invites/slips'];

/**
 * The two persons whom a meeting names need no permission for its minutes, so these routes decide by themselves. Whoever
 * reads elections reads those of an unknown meeting. Without its fields a signature or a correction is refused before that.
 */
const MINUTES = '/admin/meetings/:id/minutes';
const mayUseMinutes = (method: string, holds: (permission: string) => boolean): boolean =>
  method === 'POST' || holds(method === 'GET' ? 'elections:read' : 'elections:write');

/** The end of a meeting, which this route is too, takes less than any other change of it. */
const CHANGE_OF_MEETING = 'PATCH /admin/meetings/:id';

let service: TestApp;
beforeAll(async () => {
  const limits = { RATE_LIMIT_ADMIN: '100000', RATE_LIMIT_GENERAL: '100000' };
  service = await testApp({ LOCAL_BYPASS: 'off', LOG_LEVEL: 'silent', ...limits });
});
afterAll(() => service[Symbol.asyncDispose]());

async function statusOf(
  method: string,
  url: string,
  headers: Record<string, string>,
  at = service,
): Promise<number> {
  const answer = await at.request({
    method: method as 'GET',
    url: url.replace(/:\w+|\*/g, 'nowhere'),
    headers: { accept: 'application/json', ...headers },
    ...(method !== 'GET' && { payload: {} }),
  });
  return answer.statusCode;
}

it('every admin route declares its permission', () => {
  expect(ROUTES.length).toBeGreaterThan(100);
  const known = [...Object.keys(PERMISSIONS), 'any'];
  expect(ROUTES.filter(({ needed }) => !needed.every((one) => known.includes(one)))).toEqual([]);
});

it('every admin route refuses requests without an identity, also while the local bypass is on', async () => {
  await using open = await testApp({ LOCAL_BYPASS: 'on', LOG_LEVEL: 'silent', RATE_LIMIT_ADMIN: '100000' });
  const stranger = { host: 'club.example' };
  for (const { method, url } of ROUTES)
    for (const at of [service, open])
      expect([method, url, await statusOf(method, url, stranger, at)]).toEqual([method, url, 401]);
});

describe.each(['nobody', ...Object.keys(ROLES)])('%s', (name) => {
  it('can open the admin routes that the role permits, and no others', async () => {
    const roles = name === 'nobody' ? [] : [name as Role];
    const who = await signedIn(service, ...roles);
    const permitted = new Set<string>(roles.flatMap((role) => ROLES[role]));
    for (const { method, url, needed } of ROUTES) {
      const isChange = `${method} ${url}` === CHANGE_OF_MEETING;
      const isPermitted = isChange
        ? permitted.has('elections:write')
        : url.startsWith(MINUTES) && !url.endsWith('/mail')
          ? mayUseMinutes(method, (permission) => permitted.has(permission))
          : needed.some((one) => (one === 'any' ? permitted.size > 0 : permitted.has(one)));
      const showsRoll = WITH_ROLL.includes(url) && !permitted.has('people:read');
      const allowed = isPermitted && !showsRoll && (name === 'owner' || !FOR_OWNERS.includes(url));
      const status = await statusOf(method, url, who);
      expect([method, url, status === 403]).toEqual([method, url, !allowed]);
    }
  });
});

it('a user without a role can read their own page', async () => {
  const who = await signedIn(service);
  expect(await statusOf('GET', '/me', who)).toBe(200);
});
