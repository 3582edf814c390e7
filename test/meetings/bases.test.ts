import { expect, it } from 'vitest';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;

const yes = { choice: 'yes' };
const no = { choice: 'no' };
const of = (base: string) => ({ settings: { majority: { share: 'more_than_half', of: base } } });

const motionOf = (one: Room, base: string) =>
  one.add({ kind: 'motion', title: 'New lamps', question: of(base) });

const door = (one: Room, name: string, action: string, more: object = {}) =>
  one.service.post(`${one.base}/door`, { person_id: one.ids[name], action, ...more });

it('codes that an officer would make vote in no meeting, also with members elsewhere and while a vote is open', async () => {
  await using one = await openRoom({ remote: true });
  await one.arrive(['Ann', 'Bob']);
  const item = await motionOf(one, 'present');
  await one.act(item.id, 'open');
  const olga = await appoint(one.service, 'olga@club.example', 'officer');
  for (const at of [`/admin/papers/${await one.paper()}`, `/admin/elections/${item.election_id}`]) {
    const made = await one.service.post(`${at}/tokens`, { count: 8 }, olga);
    expect([at, made.statusCode]).toEqual([at, 409]);
  }
  for (const code of one.codes.slice(0, 2)) await one.vote(code, item.election_id, no);
  await one.act(item.id, 'close');
  const { voters, result } = (await one.act(item.id, 'declare')).body.item;
  expect([voters.total, result.total_ballots, result.results.carried]).toEqual([2, 2, false]);
});

it('cards that the holder of proxies gave back before the opening are in no base', async () => {
  await using one = await openRoom({ proxies_per_person: 2 });
  const { Dee, Eve } = one.ids;
  await one.arrive(['Bob', 'Cid']);
  expect((await door(one, 'Ann', 'in', { proxies: [Dee, Eve] })).json().cards).toEqual({ Members: 3 });
  // The pile of the door is in order: Bob and Cid had the first two.
  expect((await door(one, 'Ann', 'out', { gave_back: true })).json().takes).toEqual({ Members: 3 });
  await one.service.post(`${one.base}/door/return`, { codes: one.codes.slice(2, 5) });
  const item = await motionOf(one, 'electors');
  await one.act(item.id, 'open');
  for (const code of one.codes.slice(0, 2)) expect(await one.vote(code, item.election_id, yes)).toBe(200);
  await one.act(item.id, 'close');
  const { result } = (await one.act(item.id, 'declare')).body.item;
  expect(result.results).toMatchObject({ yes: 2, base: 2, carried: true });
});

it('a motion of those present on which nobody voted is not carried, on pages and in minutes', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const item = await motionOf(one, 'present');
  for (const act of ['call', 'open', 'close', 'declare'])
    expect([act, (await one.act(item.id, act)).status]).toEqual([act, 200]);
  for (const url of [`/m/${one.id}`, `/m/${one.id}/wall`, `${one.base}/minutes`, `/e/${item.election_id}`]) {
    const { body } = await one.service.get(url, { accept: 'text/html' });
    expect([url, body.includes('Not carried: no ballots were cast.')]).toEqual([url, true]);
  }
});

it('the giver of a proxy gets its card while no question is open at all, also none of another class', async () => {
  await using one = await openRoom({ proxies_per_person: 1, classes: ['Members', 'Board'] });
  await one.arrive(['Bob'], 'Board');
  expect((await door(one, 'Ann', 'in', { proxies: [one.ids.Dee] })).json().cards).toEqual({ Members: 2 });
  const [, proxyCard] = await one.arrive([]);
  const item = await one.add({ kind: 'motion', title: 'Of the board', classes: ['Board'] });
  await one.act(item.id, 'open');
  expect((await door(one, 'Dee', 'in')).json()).toMatchObject({ waits: true, cards: {} });
  await one.service.post(`${one.base}/door/return`, { code: proxyCard });
  const early = await door(one, 'Dee', 'card', { gave_back: true });
  expect([early.statusCode, early.json().error]).toEqual([409, expect.stringContaining('Of the board')]);
  await one.act(item.id, 'close');
  expect((await door(one, 'Dee', 'card', { gave_back: true })).json().cards).toEqual({ Members: 1 });
});
