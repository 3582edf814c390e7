import { expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { browserOf } from '#test/support/people/people.ts';
import { shared } from '#test/support/shared-app.ts';
import { accountsPage, makeAccounts } from '../../scripts/demo/accounts.ts';

const openDemo = shared(async () => {
  // With overload protection it has its own Fastify instance, which can take the additional route.
  const service = await testApp({ LOCAL_BYPASS: 'off', OVERLOAD_DELAY_MS: '60000' });
  await service.app.register(accountsPage, { ctx: service.ctx });
  await makeAccounts(service.ctx);
  return service;
});

it.each([
  ['olga', '/admin', ['/admin', '/admin/pub', '/admin/people']],
  ['otto', '/admin', ['/admin', '/admin/elections/new']],
  ['tess', '/admin/pub', ['/admin/pub']],
  ['mia', '/me', ['/me']],
])('%s is signed in with one click, and begins at %s', async (name, begins, pages) => {
  const visitor = browserOf(await openDemo());
  const email = `${name}@club.example`;
  expect((await visitor.get('/demo')).body).toContain(`value="${email}"`);
  const answer = await visitor.post('/demo', { email });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, begins]);
  for (const page of pages) expect([page, (await visitor.get(page)).statusCode]).toEqual([page, 200]);
});

it('nobody else is signed in with one click, and nobody in the service itself', async () => {
  await using service = await testApp({ LOCAL_BYPASS: 'off' });
  expect((await service.get('/demo')).statusCode).toBe(404);
  const visitor = browserOf(await openDemo());
  expect((await visitor.post('/demo', { email: 'eve@club.example' })).statusCode).toBe(404);
  expect(await visitor.isSignedIn()).toBe(false);
});
