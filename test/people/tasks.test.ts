import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { phone } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';

const html = { accept: 'text/html' };

/** The links of “Your tasks”, as words and addresses. */
async function tasksOf(service: Awaited<ReturnType<typeof testApp>>, who: Record<string, string>) {
  const { body } = await service.get('/me', { ...html, ...who });
  const [, list = ''] = /Your tasks<\/h2>\s*<ul[^>]*>(.*?)<\/ul>/s.exec(body) ?? [];
  return Object.fromEntries(
    [...list.matchAll(/<a class="link-alone" href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, words]) => [
      words,
      href,
    ]),
  );
}

test('an officer’s own page names their pages, with what waits on each', async () => {
  await using service = await testApp({ SETLIST_REQUESTS_ENABLED: 'on', FEEDBACK_ENABLED: 'on' });
  const eve = await editorAt(service);
  const olga = await signedIn(service, 'owner');
  expect(await tasksOf(service, await signedIn(service, 'events'))).toMatchObject({
    'Events, hours and slides': '/admin/content',
  });
  const before = await tasksOf(service, olga);
  expect(before).toMatchObject({
    Elections: '/admin',
    Feedback: '/admin/feedback',
    Roles: '/admin/pub/roles',
  });
  expect(Object.values(before)).not.toContain('/admin/pub#requests');

  for (const artist of ['Toto', 'ABBA'])
    await phone(service).post('/api/setlist/request', { artist, title: 'A song' });
  await phone(service).post('/api/feedback', { message: 'More dark beer' });
  const quiz = await eve.publish('announcement', { title: 'Quiz' });
  await eve.patch(`announcement/${quiz}`, { version: 1, body: { title: 'Big quiz' } });
  await eve.create('announcement', { title: 'Roof' });
  expect(await tasksOf(service, olga)).toMatchObject({
    'Song requests: 2': '/admin/pub#requests',
    'Feedback: 1 new': '/admin/feedback',
    'Events, hours and slides: 2 not published': '/admin/content',
  });
});

test('parts that are off, and people without a role, have no tasks', async () => {
  await using service = await testApp();
  const ofOwner = Object.values(await tasksOf(service, await signedIn(service, 'owner')));
  expect([ofOwner.includes('/admin/people'), ofOwner.includes('/admin/feedback')]).toEqual([true, false]);
  expect(await tasksOf(service, await signedIn(service))).toEqual({});
});

test('whoever chairs, keeps the door or counts is told of the meeting', async () => {
  await using service = await testApp();
  const meeting = { title: 'Annual meeting', held_at: '2026-12-04T19:00' };
  const { id } = (await service.post('/admin/meetings', meeting)).json();
  const people = {
    chair: await signedIn(service, 'chair'),
    door: await signedIn(service, 'door'),
    teller: await signedIn(service, 'teller'),
  };
  for (const person of Object.values(people))
    expect(await tasksOf(service, person)).toMatchObject({ Meetings: '/admin/meetings' });

  await service.post(`/admin/meetings/${id}/invite`, { emails: ['ann@club.example'] });
  expect(await tasksOf(service, people.door)).toEqual({
    'The door: Annual meeting': `/admin/meetings/${id}/door`,
  });
  expect(await tasksOf(service, people.chair)).toMatchObject({
    'Chair the meeting: Annual meeting': `/admin/meetings/${id}/chair`,
  });
  expect(await tasksOf(service, people.teller)).toEqual({ 'Meetings: Annual meeting': '/admin/meetings' });
});
