import { expect, it } from 'vitest';
import { apply } from '#test/people/import/import-steps.ts';
import { openRoom } from './a-meeting.ts';

const LIST = [
  'Nr,Vorname,Nachname,Art',
  '1,Ann,Young,full',
  '2,Zoe,Adams,full',
  '3,Bob,Élan,full',
  '4,Cid,van Dyk,full',
];
const SORTED = ['Zoe Adams', 'Bob Élan', 'Cid van Dyk', 'Ann Young'];

it('lists are sorted by the family name that the list of members had', async () => {
  await using one = await openRoom({}, []);
  const { service, base } = one;
  expect((await apply(one, LIST.join('\n'))).counts).toMatchObject({ new: 4 });
  const door = async (query = '') => (await service.get(`${base}/door${query}`)).json().people;
  const names = async (query = '') => (await door(query)).map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(SORTED);
  // The letters of two doors are those of the list.
  expect([await names('?from=A&to=E'), await names('?from=F&to=Z')]).toEqual([
    SORTED.slice(0, 2),
    SORTED.slice(2),
  ]);
  // A search finds the words of a name in any order.
  expect(await names('?q=zoe')).toEqual(['Zoe Adams']);
  expect(await names('?q=dyk%20cid')).toEqual(['Cid van Dyk']);
  const roll = await one.call('GET', 'people');
  expect(
    roll.body.people
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => SORTED.includes(name)),
  ).toEqual(SORTED);

  await service.post(`${base}/letters`);
  const letters = (await service.get(`${base}/letters`, { accept: 'text/html' })).body;
  const places = SORTED.map((name) => letters.indexOf(name));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThan(0);

  for (const { id } of await door()) await service.post(`${base}/door`, { person_id: id, action: 'in' });
  await service.post(`${base}/door`, { guest: 'Bea Baker', action: 'in' });
  const { minutes } = (await service.get(`${base}/minutes`)).json();
  const present = JSON.stringify(minutes);
  const inMinutes = SORTED.map((name) => present.indexOf(name));
  expect(inMinutes).toEqual(inMinutes.toSorted((a, b) => a - b));
  expect(Math.min(...inMinutes)).toBeGreaterThan(0);
});

it('a family name goes with the name that it is in, and comes with the next list', async () => {
  await using one = await openRoom({}, []);
  await apply(one, LIST.join('\n'));
  const find = async (q: string) => (await one.call('GET', `people?q=${q}`)).body.people[0];
  const change = async (q: string, name: string) => {
    const { id, version } = await find(q);
    return one.call('PATCH', `people/${id}`, { name, version });
  };
  const names = async () =>
    (await one.service.get(`${one.base}/door`)).json().people.map(({ name }: { name: string }) => name);
  await change('adams', 'Zoe Maria Adams');
  expect((await names())[0]).toBe('Zoe Maria Adams');
  await change('adams', 'Zoe Maria Ziegler');
  expect(await names()).toEqual(['Bob Élan', 'Cid van Dyk', 'Ann Young', 'Zoe Maria Ziegler']);
  const again = await apply(one, LIST.join('\n').replace('2,Zoe,Adams', '2,Zoe Maria,Ziegler'));
  expect(again.rows.filter(({ state }: { state: string }) => state === 'changed')).toMatchObject([
    { before: { family_name: null }, after: { family_name: 'Ziegler' } },
  ]);
  // A list with whole names leaves it.
  const whole = await apply(one, 'Nr,Name,Art\n1,Ann Young,full\n2,Zoe Maria Ziegler,full');
  expect(whole.counts).toMatchObject({ same: 2, changed: 0 });
  expect((await names()).at(-1)).toBe('Zoe Maria Ziegler');
});
