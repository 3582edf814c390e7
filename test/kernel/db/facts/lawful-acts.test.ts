import { expect, it, onTestFinished } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { backUp } from '#kernel/db/backup.ts';
import { listLost } from '#kernel/db/facts/lost.ts';
import { build } from '#kernel/db/queries.ts';
import { restore } from '#kernel/db/restore.ts';
import { listMeetingDifferences } from '#meetings/recorded.ts';
import { heldMeeting, session } from '#test/meetings/held-meeting.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, castAll, send } from '#test/support/factories.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { listDifferences, recheckRecentResults } from '#voting/counting/recheck.ts';
import { deleteOldTrials } from '#voting/elections/trials.ts';

/** Everything in which a service says that its database and its log do not agree. */
async function listAll({ ctx }: TestApp): Promise<string[]> {
  const found: string[] = [];
  for (const election of ctx.db.all(build.selectFrom('elections').selectAll()))
    found.push(...(await listDifferences(ctx, election)));
  return [
    ...found,
    ...listMeetingDifferences(ctx.db).map(({ differences }) => differences),
    ...listLost(ctx.db).map(({ title }) => title),
  ];
}

it('no lawful act is a difference: at once, after a restart, an export, and a backup that is put back', async () => {
  const folder = tempFolder();
  const file = `${folder}/service.db`;
  const env = { DATABASE_URL: `file:${file}` };
  const { one, items, patch, sign, end } = await heldMeeting({}, { env });
  const { service, base, ids } = one;
  const agrees = async (act: string) => expect([act, await listAll(service)]).toEqual([act, []]);
  await agrees('a meeting that is held');

  await service.post(`${base}/door/return`, { code: one.codes[8] });
  await service.post(`${base}/door/return`, { codes: [one.codes[0], one.codes[9]] });
  await agrees('cards that come back');
  const { packs } = (await service.post(`${base}/packs`, { class: 'Members', packs: 1 })).json();
  await service.post(`${base}/packs/${packs[0].id}/open`);
  await service.post(`${base}/door/replace`, { stub: packs[0].cards[0].stub });
  await agrees('a lost card that is replaced');
  const wrong = await one.add({ kind: 'motion', title: 'Wrong' });
  await one.act(wrong.id, 'open');
  await one.act(wrong.id, 'void', { reason: 'The wrong text.' });
  await agrees('a vote that is void');
  await end();
  await service.post(`${base}/packs/void`);
  await patch({ chair: ids.Ann, secretary: ids.Bob });
  for (const [as, name] of Object.entries({ chair: 'Ann', secretary: 'Bob' }))
    expect((await sign(as, await session(one, name))).statusCode).toBe(200);
  await agrees('minutes that are signed');

  const id = await addElection(service);
  await addTokens(service, id, 3);
  await castAll(service, id, Array(6).fill({ choice: 'yes' }));
  await service.post(`/admin/elections/${id}/close`);
  await service.get(`/e/${id}/results`);
  await service.get(`/admin/elections/${id}/export`);
  const dates = { open_at: '2026-01-01T00:00:00Z', close_at: '2099-01-01T00:00:00Z' };
  await send(service, 'PATCH', `/admin/elections/${id}/dates`, { ...dates, reopen: true, reason: 'Late.' });
  await castAll(service, id, Array(5).fill({ choice: 'no' }));
  await service.post(`/admin/elections/${id}/close`);
  await service.get(`/e/${id}/results`);
  await agrees('a vote that is opened again, and an export');
  const gone = await addElection(service);
  await castAll(service, gone, [{ choice: 'yes' }]);
  await send(service, 'DELETE', `/admin/elections/${gone}`, { reason: 'A mistake.' });
  await addElection(service, { trial: true });
  service.clock.now += 8 * DAY;
  await deleteOldTrials(service.ctx);
  await agrees('deleting, and the end of a trial');
  await one.call('POST', `people/${ids.Dee}/erase`, {});
  await one.call('DELETE', `people/${ids.Dee}`, {});
  await agrees('erasing somebody');
  await recheckRecentResults(service.ctx);
  for (const election of [id, items.rules.election_id])
    expect((await service.get(`/e/${election}/results`)).json()).toMatchObject({ result_matches: true });
  expect((await service.get(`/m/${one.id}`)).json()).not.toHaveProperty('differences');
  const backup = await backUp(file, { folder: `${folder}/backups`, keep: 14, at: service.clock.now });
  await one[Symbol.asyncDispose]();

  {
    await using again = await testApp(env);
    expect(await listAll(again)).toEqual([]);
  }
  await restore(backup, file, Date.parse('2026-12-21T18:00:00Z'));
  const restored = await testApp(env);
  onTestFinished(() => restored[Symbol.asyncDispose]());
  expect(await listAll(restored)).toEqual([]);
});
