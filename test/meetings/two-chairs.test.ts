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

it('two chairs who press for the next speaker at once, or one who taps twice, let nobody be left out', async () => {
  await using one = await openRoom();
  const at = `${one.base}/speakers`;
  await one.act((await one.add({ kind: 'text', title: 'Report' })).id, 'call');
  for (const name of ['Ann', 'Bob', 'Cid']) await one.service.post(at, { name });
  /** The form of the page as it is now, sent twice. */
  const pressTwice = async () => {
    const { body } = await one.service.get(`${one.base}/chair`, { accept: 'text/html' });
    const [, from = 'none'] = /name="from" value="([^"]*)"/.exec(body) ?? [];
    await Promise.all([1, 2].map(() => one.service.submit(`${at}/next`, { from })));
    const { speakers } = (await one.service.get(`/m/${one.id}`)).json();
    return speakers.map(({ name, began_at }: { name: string; began_at: string | null }) => [
      name,
      began_at !== null,
    ]);
  };
  expect(await pressTwice()).toEqual([
    ['Ann', true],
    ['Bob', false],
    ['Cid', false],
  ]);
  expect(await pressTwice()).toEqual([
    ['Bob', true],
    ['Cid', false],
  ]);
});
