import { expect, test } from 'vitest';
import { eventLines } from '#test/stand-ins/calendar-host.ts';
import { event } from '#test/stand-ins/pub-workspace.ts';
import { editorAt } from '#test/support/content.ts';
import { startPub } from '#test/support/pub-service.ts';
import { serviceWith } from '../ical/reading-service.ts';

const QUIZ = { title: 'Quiz night', place: 'Pub', date: '2026-11-24', time: '20:00' };

/** Returns the duplicate marks in the list of events. */
async function marks(
  service: { get: (url: string, headers: Record<string, string>) => Promise<{ body: string }> },
  headers: Record<string, string>,
) {
  const { body } = await service.get('/admin/content/event', { ...headers, accept: 'text/html' });
  return [...body.matchAll(/(Also in [a-z ]+|Twice in our list)/g)].map(([words]) => words);
}

test('the list marks an event that another calendar also has within half an hour', async () => {
  await using service = await serviceWith([eventLines('QUIZ  night', '20261201T203000')]);
  const eve = await editorAt(service);

  const id = await eve.publish('event', { ...QUIZ, rule: 'FREQ=WEEKLY' });
  await eve.publish('event', { ...QUIZ, title: 'Darts' });
  expect(await marks(service, eve.headers)).toEqual(['Also in another calendar']);
  await eve.patch(`event/${id}`, { version: 1, body: { time: '19:59' } });
  expect(await marks(service, eve.headers)).toEqual([]);
});

test('the list marks events that were entered twice, and those that the workspace also has', async () => {
  await using pub = await startPub({
    events: [event('Quiz night', '2026-11-24T20:15:00.000-05:00')],
  });
  const eve = await editorAt(pub.service);
  await eve.create('event', QUIZ);
  await eve.publish('event', { ...QUIZ, title: 'Darts' });
  await eve.create('event', { ...QUIZ, title: 'Darts', time: '20:30' });

  expect((await marks(pub.service, eve.headers)).sort()).toEqual([
    'Also in the workspace',
    'Twice in our list',
  ]);
});
