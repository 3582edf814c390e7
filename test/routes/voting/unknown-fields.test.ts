import { expect, it } from 'vitest';
import { addElection, send } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
const unknown = (path: string) => expect.objectContaining({ path, message: message('unknown_field') });

it.each([
  ['/admin/elections', { title: 'Budget', ballot_type: 'POLL', trail: true }],
  ['/admin/papers', { title: 'Board', trail: true }],
  ['/admin/meetings', { title: 'Annual meeting', held_at: '2026-12-04T19:00', trail: true }],
] as const)('a script that makes something at %s learns which field nobody knows', async (url, body) => {
  const answer = await (await shared()).post(url, body);
  expect([answer.statusCode, answer.json().errors]).toEqual([
    400,
    expect.arrayContaining([unknown('trail')]),
  ]);
});

it('a change names each of them, beside what else is wrong, and changes nothing', async () => {
  const service = await shared();
  const id = await addElection(service);
  const answer = await send(service, 'PATCH', `/admin/elections/${id}`, { title: 'New', titel: 'x', b: 1 });
  expect([answer.statusCode, answer.json().errors]).toEqual([400, [unknown('titel'), unknown('b')]]);
  expect((await service.get(`/admin/elections/${id}`)).json().election.title).not.toBe('New');
});

it('a form may send more than a script: its page is ours', async () => {
  const service = await shared();
  const id = await addElection(service);
  const answer = await service.submit(`/admin/elections/${id}?_method=PATCH`, { title: 'New', kept: 'x' });
  expect(answer.statusCode).toBe(303);
});
