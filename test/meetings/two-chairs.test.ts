import { expect, it } from 'vitest';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;

/** What two chairs press at once, after these steps, and the entry of the log that it leaves once. */
const ACTS: [act: string, before: string[], entry: string][] = [
  ['call', [], 'meeting.began'],
  ['open', [], 'meeting.item_opened'],
  ['extend', ['open'], 'meeting.item_extended'],
  ['close', ['open'], 'meeting.item_closed'],
  ['declare', ['open', 'close'], 'meeting.item_declared'],
  ['void', ['open'], 'meeting.item_voided'],
  ['unopposed', [], 'meeting.item_unopposed'],
  ['hands', [], 'meeting.hands_counted'],
];
const BODIES: Record<string, object> = { void: { reason: 'A wrong wording' }, hands: { yes: 2, no: 1 } };

async function chairsOf(one: Room) {
  return [
    await appoint(one.service, 'carl@club.example', 'chair'),
    await appoint(one.service, 'cora@club.example', 'chair'),
  ];
}

const entriesOf = async (one: Room, action: string) =>
  (await one.service.get(`/admin/audit-logs?action=${action}`)).json().total;

it.each(ACTS)('two chairs press %s at once: it is done once', async (act, before, entry) => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const chairs = await chairsOf(one);
  const { id } = await one.add({ kind: 'motion', title: 'New lamps' });
  for (const step of before) await one.act(id, step);
  const pressed = await Promise.all(chairs.map((chair) => one.act(id, act, BODIES[act], chair)));
  expect(pressed.map(({ status }) => status)).toEqual([200, 200]);
  expect(pressed[0]?.body.item.state).toBe(pressed[1]?.body.item.state);
  expect(await entriesOf(one, entry)).toBe(1);
});

it('two chairs type the same motion at once: it is put to the vote once', async () => {
  await using one = await openRoom();
  const chairs = await chairsOf(one);
  const motion = { title: 'More lamps', text: 'Two of them' };
  const made = await Promise.all(
    chairs.map((chair) => one.service.post(`${one.base}/motion`, motion, chair)),
  );
  expect(new Set(made.map((answer) => answer.json().item.id)).size).toBe(1);
  expect((await one.read()).items).toHaveLength(1);
});
