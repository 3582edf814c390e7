import { describe, expect, it } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { takeStep } from '#meetings/item-states.ts';
import type { TestApp } from '#test/support/app.ts';
import { testApp } from '#test/support/app.ts';
import { page, send } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();

async function addMeeting(service: TestApp, fields: object = {}) {
  const made = (
    await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00', ...fields })
  ).json();
  const base = `/admin/meetings/${made.id}`;
  return {
    ...made,
    base,
    add: async (item: object) => (await service.post(`${base}/items`, item)).json(),
    items: async () => (await service.get(base)).json().items,
    /** The titles on its paper. */
    asked: async () => {
      const json = (await service.get(`/admin/papers/${made.paper_id}`)).json();
      return json.questions.map(({ title }: { title: string }) => title);
    },
    election: async (id: string) => (await service.get(`/admin/elections/${id}`)).json().election,
  };
}

describe('an item of a meeting', () => {
  it('that is a motion is a question of yes or no on the one paper of the meeting', async () => {
    const service = await shared();
    const one = await addMeeting(service);
    const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps', text: 'At most 900' });
    const election = await one.election(election_id);
    expect(election).toMatchObject({
      title: 'New lamps',
      description: 'At most 900',
      ballot_type: 'SIMPLE_TRIPLE',
      status: 'scheduled',
      settings: { announce: 'by_officer', hide_results_until_close: true },
    });
    expect(await one.asked()).toEqual(['New lamps']);
    await send(service, 'PATCH', `${one.base}/items/${id}`, { title: 'Lamps', text: null });
    expect(await one.election(election_id)).toMatchObject({ title: 'Lamps', description: null });
    expect((await send(service, 'DELETE', `${one.base}/items/${id}`)).statusCode).toBe(200);
    expectRefusal(await service.get(`/admin/elections/${election_id}`), 404, 'election_not_found');
  });

  it('is not opened by the clock', async () => {
    await using service = await testApp();
    const one = await addMeeting(service);
    const { election_id } = await one.add({ kind: 'motion', title: 'Fees' });
    expect((await page(service, `/e/${election_id}`)).body).toContain('when the chair opens it');
    expect((await page(service, '/admin')).body).not.toContain('Fees');
    service.clock.now += 400 * DAY;
    expect(await one.election(election_id)).toMatchObject({ status: 'scheduled' });
  });

  it('can need a share of those present, which other elections cannot', async () => {
    const service = await shared();
    const one = await addMeeting(service);
    const question = { settings: { majority: { share: 'two_thirds', of: 'present' } } };
    const { election_id } = await one.add({ kind: 'motion', title: 'Rules', question });
    expect((await one.election(election_id)).settings.majority).toEqual(question.settings.majority);
    const text = await service.post(`${one.base}/items`, { kind: 'text', title: 'Report', question });
    expect([text.statusCode, text.json().errors[0].path]).toEqual([400, 'question']);
    const wrong = { settings: { majority: { share: 'most' } } };
    const refused = await service.post(`${one.base}/items`, { kind: 'motion', title: 'X', question: wrong });
    expect(refused.json().errors[0].path).toMatch(/^question\.settings\.majority\.share/);
  });

  it('with yes or no to each can lose a name, whatever share and seats it needs', async () => {
    const service = await shared();
    const one = await addMeeting(service);
    const settings = { majority: { share: 'more_than_half', of: 'present' }, seats: 2 };
    const question = { ballot_type: 'YES_NO_EACH', options: ['Ann', 'Ben'], settings };
    const { election_id } = await one.add({ kind: 'election', title: 'Auditors', question });
    const [ann] = (await one.election(election_id)).options;
    const removed = await send(service, 'DELETE', `/admin/elections/${election_id}/options/${ann.id}`);
    expect([removed.statusCode, (await one.election(election_id)).options]).toMatchObject([
      200,
      [{ name: 'Ben' }],
    ]);
  });

  it('that is an election takes its candidates with it or gets them by nominations', async () => {
    const service = await shared();
    const one = await addMeeting(service);
    const named = { ballot_type: 'POLL', options: ['Ann', 'Bob'], settings: { seats: 2 } };
    const { election_id } = await one.add({ kind: 'election', title: 'Auditors', question: named });
    expect((await one.election(election_id)).options.map(({ name }: { name: string }) => name)).toEqual([
      'Ann',
      'Bob',
    ]);
    const later = { ballot_type: 'POLL', settings: { seats: 2 } };
    const { id, election_id: other } = await one.add({ kind: 'election', title: 'Board', question: later });
    expect((await one.election(other)).options).toEqual([]);
    const without = await one.add({ kind: 'election', title: 'Chair' });
    expect(without.election_id).toBeUndefined();
    const patched = await send(service, 'PATCH', `${one.base}/items/${without.id}`, {
      question: { ballot_type: 'RANKED_STV', candidates: [] },
    });
    expect(patched.json().item.election_id).toEqual(expect.any(String));
    await send(service, 'PUT', `${one.base}/order`, { items: [without.id, id, (await one.items())[0].id] });
    expect(await one.asked()).toEqual(['Chair', 'Board', 'Auditors']);
  });

  it('of a copied agenda has a question of the same kind without its candidates', async () => {
    const service = await shared();
    const last = await addMeeting(service);
    const question = { ballot_type: 'POLL', options: ['Ann', 'Bob'], settings: { seats: 2 } };
    await last.add({ kind: 'election', title: 'Auditors', question });
    const next = await addMeeting(service, { agenda_of: last.id });
    const [item] = await next.items();
    expect(await next.election(item.election_id)).toMatchObject({
      title: 'Auditors',
      options: [],
      settings: { seats: 2, announce: 'by_officer' },
    });
  });

  it('takes each step once, from the states that lead to it', async () => {
    const service = await shared();
    const one = await addMeeting(service);
    const { id } = await one.add({ kind: 'motion', title: 'Fees' });
    const step = (name: 'open' | 'close' | 'declare' | 'void' | 'count') =>
      service.ctx.write((tx) => takeStep(tx, id, name, { ip: 'the test', at: service.clock.now }));
    const state = async () => (await one.items())[0].state;
    await expect(step('close')).rejects.toThrow(message('item_state', { state: 'prepared' }));
    expect([await step('open'), await step('open'), await state()]).toEqual([true, false, 'open']);
    expectRefusal(await send(service, 'DELETE', `${one.base}/items/${id}`), 409, 'item_voted_on', {
      state: 'open',
    });
    await expect(step('declare')).rejects.toThrow(message('item_state', { state: 'open' }));
    expect([await step('close'), await step('declare'), await step('declare')]).toEqual([true, true, false]);
    await expect(step('open')).rejects.toThrow(message('item_state', { state: 'declared' }));
    const hands = await one.add({ kind: 'motion', title: 'By hand' });
    await service.ctx.write((tx) => takeStep(tx, hands.id, 'count', { ip: 'the test', at: 1 }));
    await expect(
      service.ctx.write((tx) => takeStep(tx, hands.id, 'open', { ip: 'the test', at: 1 })),
    ).rejects.toThrow(message('item_state', { state: 'closed' }));
    expectRefusal(await send(service, 'DELETE', one.base), 409, 'meeting_has_ballots');
  });
});

it('the form of an agenda makes questions of motions and of elections', async () => {
  const service = await shared();
  const one = await addMeeting(service);
  const rest = {
    share: 'more_than_half',
    of: 'yes_no',
    type: '',
    seats: '1',
    names: '',
    text: '',
    mover: '',
  };
  const add = (fields: Record<string, string>) => service.submit(`${one.base}/items`, { ...rest, ...fields });
  const motion = { kind: 'motion', title: 'Rules', share: 'three_quarters', of: 'present' };
  const stv = { kind: 'election', title: 'Board', type: 'RANKED_STV', seats: '3', names: 'Ann\nBob' };
  const later = { kind: 'election', title: 'Chair' };
  for (const fields of [motion, stv, later, { kind: 'text', title: 'Report' }])
    expect((await add(fields)).statusCode).toBe(303);
  const items = await one.items();
  expect(items.map((item: { election_id: string | null }) => item.election_id !== null)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect((await one.election(items[0].election_id)).settings.majority).toEqual({
    share: 'three_quarters',
    of: 'present',
  });
  expect(await one.election(items[1].election_id)).toMatchObject({
    ballot_type: 'RANKED_STV',
    settings: { seats: 3 },
    candidates: [{ name: 'Ann' }, { name: 'Bob' }],
  });
  const twice = await add({ ...stv, names: 'Ann\nann' });
  expect([twice.statusCode, twice.body.includes('id="names-new-error"')]).toEqual([400, true]);
  const choose = { title: 'Chair', type: 'RANKED_STV', seats: '1', names: '' };
  const chosen = await service.submit(`${one.base}/items/${items[2].id}?_method=PATCH`, choose);
  expect([chosen.statusCode, (await one.items())[2].election_id !== null]).toEqual([303, true]);
});
