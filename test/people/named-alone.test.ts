import { expect, it } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { ofField } from '#test/support/messages.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';

it('erasing a person takes their name as proposer from the nominations of others', async () => {
  await using club = await openElectorate();
  const { service, olga } = club;
  const ann = await club.add(person('Ann', 'ann@club.example'));
  await club.add(person('Bob', 'bob@club.example'));
  const held_at = '2026-12-04T19:00';
  const { id } = (await service.post('/admin/meetings', { title: 'AGM', held_at }, olga)).json();
  const election = { kind: 'election', title: 'Chair' };
  const item = (await service.post(`/admin/meetings/${id}/items`, election, olga)).json().id;
  const url = `/admin/meetings/${id}/items/${item}/nominations`;
  const [opens_at, closes_at] = [service.clock.now, service.clock.now + DAY].map(isoTime);
  const payload = { opens_at, closes_at, who: 'members', seconders: 0 };
  await service.request({ method: 'PUT', url, payload, headers: { accept: 'application/json', ...olga } });
  const bob = { name: 'Bob', email: 'bob@club.example', proposer: 'ANN' };
  await service.post(`/m/${id}/nominate/${item}`, bob);
  const proposers = async () =>
    (await service.get(url, olga)).json().nominations.map(({ proposer }: { proposer: string }) => proposer);
  expect(await proposers()).toEqual(['ANN']);
  const { kept } = (await club.call('GET', `people/${ann.id}/export`)).body;
  expect(kept.nominations).toMatchObject([{ name: 'Bob', proposed_by_them: true }]);
  expect((await club.call('POST', `people/${ann.id}/erase`)).status).toBe(200);
  expect(await proposers()).toEqual([null]);
});

it('groups and kinds are compared as names are: Bar and Bär are two', async () => {
  await using club = await openElectorate();
  for (const what of ['groups', 'kinds']) {
    const make = (name: string) =>
      club.call('POST', what, { name, ...(what === 'kinds' && { votes: true }) });
    expect([(await make('Bar')).status, (await make('Bär')).status]).toEqual([200, 200]);
    const { status, body } = await make('BAR');
    expect([status, body.error]).toEqual([400, ofField('name', 'name_taken')]);
  }
});
