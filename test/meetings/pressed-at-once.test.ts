// What two officers press at the same moment is done as if one had been first.
import { expect, test } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { addPoll } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';

const MEETING = { title: 'AGM', held_at: '2026-12-04T19:00', place: 'Hall' };

test('the event of a meeting is made once', async () => {
  await using service = await testApp();
  const { id } = (await service.post('/admin/meetings', MEETING)).json();
  const made = await Promise.all([1, 2, 3].map(() => service.post(`/admin/meetings/${id}/event`)));
  expect(new Set(made.map((answer) => answer.json().id ?? answer.json().event_id)).size).toBe(1);
  const eve = await editorAt(service);
  expect((await eve.read('event')).items).toHaveLength(1);
});

test('two moves of items of the agenda both count', async () => {
  await using service = await testApp();
  const { id } = (await service.post('/admin/meetings', MEETING)).json();
  const items: Record<string, string> = {};
  for (const title of ['A', 'B', 'C', 'D'])
    items[title] = (await service.post(`/admin/meetings/${id}/items`, { kind: 'text', title })).json().id;
  const move = (title: string, direction: string) =>
    service.post(`/admin/meetings/${id}/items/${items[title]}/move`, { direction });
  await Promise.all([move('A', 'down'), move('D', 'up')]);
  const titles = (await service.get(`/admin/meetings/${id}`))
    .json()
    .items.map((one: { title: string }) => one.title);
  expect(titles.join('')).toBe('BADC');
});

test('a day of the roster that two people enter has one entry; an error saves none of the rows', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const enter = (crew: Record<string, string>) =>
    service.submit(
      '/admin/content/roster/days',
      { first: '2026-11-21', publish: 'true', ...crew },
      eve.headers,
    );
  const [tom, una] = [
    await eve.publish('tender', { full_name: 'Tom Roe' }),
    await eve.publish('tender', { full_name: 'Una Roe' }),
  ];
  const [one, two] = await Promise.all([
    enter({ 'crew.2026-11-28': tom }),
    enter({ 'crew.2026-11-28': una }),
  ]);
  expect([one.statusCode, two.statusCode].toSorted()).toEqual([303, 409]);
  const items = async () => (await eve.read('roster')).items;
  expect(await items()).toHaveLength(1);
  const wrong = await enter({ 'crew.2026-11-22': tom!, 'crew.2026-11-23': 'nobody' });
  expect(wrong.statusCode).toBe(400);
  expect(await items()).toHaveLength(1);
});

test('a second follow-up of one kind answers the first one, until that is void', async () => {
  await using service = await testApp();
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const post = (url: string, payload: object = {}) => service.post(url, payload, olga);
  const dates = {
    open_at: isoTime(service.clock.now + HOUR),
    close_at: isoTime(service.clock.now + 2 * HOUR),
  };
  const { id } = await addPoll(service, ['Ivy', 'Lee']);
  await post(`/admin/elections/${id}/close`);
  const repeat = async () =>
    (await post(`/admin/elections/${id}/follow-up`, { kind: 'repeat', ...dates })).json().id;
  const [first, second] = await Promise.all([repeat(), repeat()]);
  expect([typeof first, second, await repeat()]).toEqual(['string', first, first]);
  await post(`/admin/elections/${first}/void`, { reason: 'A wrong date', repeat: false });
  expect(await repeat()).not.toBe(first);
});
