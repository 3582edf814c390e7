import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';

test('a page breaks no time between its hour and AM or PM; JSON, calendars and fields have plain spaces', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const description = 'Doors at 7 PM.';
  await eve.publish('event', { title: 'Quiz', date: '2026-11-24', time: '20:00', description });
  const { body } = await service.get('/events', { accept: 'text/html' });
  const [path = '', id = ''] = /\/events\/([0-9a-f]+)[^"]*/.exec(body) ?? [];
  const page = await service.get(path, { accept: 'text/html' });
  const form = await service.get(`/admin/content/event/${id}`, { ...eve.headers, accept: 'text/html' });

  expect(page.body).toContain('Doors at 7\u00a0PM.');
  expect(page.body.replace(/<[^>]*>|<title>.*?<\/title>/g, '')).not.toMatch(/\d [AP]M/);
  expect(form.body).toMatch(/<textarea[^>]*>\s*Doors at 7 PM\./);
  expect((await service.get(`${path}/calendar.ics`)).body).toContain('Doors at 7 PM.');
  expect((await service.get('/api/events')).body).toContain('8:00 PM');
});
