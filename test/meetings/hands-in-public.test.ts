import { expect, it } from 'vitest';
import { listAudit } from '#kernel/access/audit-listing.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { auditReader } from '#voting/elections/visibility.ts';
import { openRoom } from './a-meeting.ts';

const asPage = { accept: 'text/html' };

it('a question whose hands were counted shows its result on every page once it is announced', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
  const paper = await one.paper();
  const page = async (path: string) => (await one.service.get(path, asPage)).body;
  await one.act(id, 'hands', { yes: 2, no: 1 });
  const before = await page(`/e/${election_id}`);
  expect(before).toContain('The result will be announced');
  // Ten cards are in the pile; nobody voted with one.
  expect(before).not.toMatch(/of 10\b|2 yes/);
  expectRefusal(await one.service.get(`/e/${election_id}/results`), 403, 'results_not_announced');
  expect(await page(`/p/${paper}`)).not.toContain('2 yes to 1 no');

  await one.act(id, 'declare');
  for (const path of [`/e/${election_id}`, `/p/${paper}`])
    expect(await page(path)).toContain('2 yes to 1 no');
  expect(await page(`/e/${election_id}`)).toContain('By show of hands');
  expect((await one.service.get(`/e/${election_id}/results`)).json()).toMatchObject({
    results_mode: 'hands',
    carried: true,
    results: { yes: 2, no: 1 },
  });
});

it('the log tells no counted hands before they are announced, but to those who certify', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const { id } = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(id, 'hands', { yes: 1, no: 2 });
  await one.act(id, 'hands', { yes: 2, no: 1, correction: true });
  const { ctx } = one.service;
  const seen = (...permissions: Permission[]) => {
    const reader = auditReader(ctx, new Set<Permission>(['elections:read', 'audit:read', ...permissions]));
    const read = (action: string) => {
      const { logs } = listAudit(
        ctx.db,
        { limit: 1, offset: 0, action: `meeting.${action}`, election_id: undefined },
        reader,
      );
      return JSON.parse(logs[0]?.metadata ?? '{}');
    };
    return { ...read('hands_counted'), ...read('hands_corrected') };
  };
  const told = { yes: 1, no: 2, to: { yes: 2, no: 1 } };
  expect(seen('elections:certify')).toMatchObject(told);
  expect(Object.keys(seen()).sort()).toEqual(['item', 'meeting', 'question']);
  await one.act(id, 'declare');
  expect(seen()).toMatchObject(told);
});
