import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, page } from '#test/support/factories.ts';

let service: TestApp & { id: string };

beforeAll(async () => {
  const outbox = fs.mkdtempSync(path.join(os.tmpdir(), 'outbox-'));
  const app = await testApp(mailTo(`file:${outbox}`));
  const id = await addElection(app, { title: 'The piano', settings: { hide_results_until_close: true } });
  const members = Array.from({ length: 230 }, (_, n) => `member${n}@club.example`);
  await app.post(`/admin/elections/${id}/invite`, {
    emails: [
      ...members,
      'Ada Lovelace <ada@club.example>',
      '"Hopper, Grace" <grace@club.example>',
      'gone@club.example',
    ],
  });
  const invite = (email: string) =>
    app.ctx.db.first(build.selectFrom('invites').select(['id', 'token_hash']).where('email', '=', email))!;
  await app.ctx.write((tx) => {
    const voted = build.updateTable('tokens').set({ used_at: app.clock.now });
    tx.run(voted.where('token_hash', '=', invite('ada@club.example').token_hash));
    const failed = build.updateTable('invites').set({ status: 'FAILED', error: '550 No such person' });
    tx.run(failed.where('id', '=', invite('gone@club.example').id));
  });
  service = Object.assign(app, { id });
  return async () => {
    await app[Symbol.asyncDispose]();
    fs.rmSync(outbox, { recursive: true });
  };
});

const list = async (query = '') =>
  (await page(service, `/admin/elections/${service.id}/invitations${query}`)).body;
const whoIn = (body: string) =>
  [...body.matchAll(/id="invite-[^"]*">(.*?)<\/(?:div|span)>/gs)].map(([, cell = '']) =>
    cell
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

test('addresses are in natural order, on numbered pages, with the number of invitations', async () => {
  const first = await list();
  const last = await list('?page=16');

  expect(whoIn(first).slice(0, 6)).toEqual([
    'Ada Lovelace ada@club.example',
    'gone@club.example',
    'Hopper, Grace grace@club.example',
    'member0@club.example',
    'member1@club.example',
    'member2@club.example',
  ]);
  expect(first).toContain('1 to 15 of 233 invitations');
  expect(whoIn(last)).toHaveLength(8);
  expect(whoIn(last)[0]).toBe('member222@club.example');
  expect(last).toContain('226 to 233 of 233 invitations');
  for (const number of [1, 2, 3]) expect(first).toMatch(new RegExp(`Page</span> ${number}</a>`));
  expect(whoIn(await list('?page=99'))).toHaveLength(8);
});

test('a search finds names and addresses by any part and in any letter case', async () => {
  expect(whoIn(await list('?q=LOVE'))).toEqual(['Ada Lovelace ada@club.example']);
  expect(whoIn(await list('?q=member22&sort=address'))).toHaveLength(11);
  expect(await list('?q=%3Cscript%3E')).toContain('No invitation matches.');
  expect(whoIn(await list('?sort=name')).slice(0, 2)).toEqual([
    'Ada Lovelace ada@club.example',
    'Hopper, Grace grace@club.example',
  ]);
});

test('filters show failed invitations and members who have not voted; unknown filters show all', async () => {
  const failed = await list('?filter=failed');
  expect(whoIn(failed)).toEqual(['gone@club.example']);
  expect(failed).toContain('No such person');
  expect(await list('?filter=not-voted')).toContain('231 invitations</caption>');
  expect(await list('?filter=queued')).toContain('No invitation matches.');
  expect(await list('?filter=constructor&sort=__proto__&page=x')).toContain('1 to 15 of 233');
});

test('the listing for scripts has the names', async () => {
  const { invites } = (await service.get(`/admin/elections/${service.id}/invites`)).json();
  const ada = invites.find(({ email }: { email: string }) => email === 'ada@club.example');

  expect(invites).toHaveLength(233);
  expect(ada).toMatchObject({ name: 'Ada Lovelace', status: 'SENT', used: true });
  expect((await page(service, '/admin/elections/nothing/invitations')).statusCode).toBe(404);
});

test('the election’s page contains no invitations, however many there are', async () => {
  const { body } = await page(service, `/admin/elections/${service.id}/mails`);

  expect(body).not.toContain('member1@club.example');
  expect(body).toContain(`href="/admin/elections/${service.id}/invitations">All 233 invitations</a>`);
  expect(body.length).toBeLessThan(60_000);
});

test('lists keep the names of their addresses, and invitations by a list have them', async () => {
  const { id: listId } = (await service.post('/admin/distribution-lists', { name: 'Board' })).json();
  await service.submit(`/admin/distribution-lists/${listId}/emails`, {
    emails: 'Joan Clarke <joan@club.example>; Alan <alan@club.example>',
  });
  const { distribution_list } = (await service.get(`/admin/distribution-lists/${listId}`)).json();
  await service.post(`/admin/elections/${service.id}/invite`, { distribution_list_ids: [listId] });

  expect(distribution_list.emails).toMatchObject([
    { email: 'alan@club.example', name: 'Alan' },
    { email: 'joan@club.example', name: 'Joan Clarke' },
  ]);
  expect((await page(service, `/admin/distribution-lists/${listId}?q=clarke`)).body).toContain('Joan Clarke');
  expect(whoIn(await list('?q=clarke'))).toEqual(['Joan Clarke joan@club.example']);
});
