import { expect, test } from 'vitest';
import { expectRefusal } from '#test/support/messages.ts';
import { type TestApp, testApp } from './support/app.ts';
import { editorAt } from './support/content.ts';
import { addElection } from './support/factories.ts';
import { appoint } from './support/people/patrons.ts';
import { openClub } from './support/people/roll.ts';

/** The headings of a search with the links below each. */
async function search(service: TestApp, who: Record<string, string>, q: string) {
  const url = `/admin/search?q=${encodeURIComponent(q)}`;
  const { body } = await service.get(url, { accept: 'text/html', host: 'club.example', ...who });
  const sections = body.matchAll(/<section><h2>([^<]+)<\/h2>(.*?)<\/section>/gs);
  return Object.fromEntries(
    [...sections].map(([, heading, list = '']) => [
      heading,
      [...list.matchAll(/<a href="([^"]+)">([^<]+)/g)].map(([, href, label]) => ({ href, label })),
    ]),
  );
}

test('the search finds pages, elections, meetings, people and events by all words, and only what a role may open', async () => {
  const { service, add } = await openClub({ ELECTIONS_NEED_ROLE: 'on' });
  await using _ = service;
  const election = await addElection(service, { title: 'Treasurer of the crew' });
  const meeting = (
    await service.post('/admin/meetings', { title: 'Treasury meeting', held_at: '2026-12-04T19:00' })
  ).json();
  const person = await add({ name: 'Édith Treacy' });
  const editor = await editorAt(service);
  const event = await editor.publish('event', { title: 'Treasure hunt', date: '2026-12-05' });
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const tender = await appoint(service, 'tess@club.example', 'tender');

  expect(await search(service, owner, 'trea')).toEqual({
    Elections: [{ href: `/admin/elections/${election}`, label: 'Treasurer of the crew' }],
    Meetings: [{ href: `/admin/meetings/${meeting.id}`, label: 'Treasury meeting' }],
    People: [{ href: `/admin/people/${person.id}`, label: 'Édith Treacy' }],
    Events: [{ href: `/admin/content/event/${event}`, label: 'Treasure hunt' }],
  });
  expect(await search(service, owner, 'crew TREASURER')).toHaveProperty('Elections');
  expect(await search(service, owner, 'edith')).toHaveProperty('People');
  expect(await search(service, owner, 'backups')).toEqual({
    Pages: [{ href: '/admin/backups', label: 'Backups' }],
    Settings: [{ href: '/admin/settings/backups', label: 'Backups' }],
  });
  expect(await search(service, owner, 'time zone')).toEqual({
    Settings: [{ href: '/admin/settings/formats#time_zone', label: 'Time zone' }],
  });
  expect(Object.keys(await search(service, tender, 'trea'))).toEqual(['Events']);
  expect(await search(service, tender, 'backups')).toEqual({});
  expect(await search(service, owner, '')).toEqual({});
  expect(await search(service, owner, '"><script>')).toEqual({});
});

test('a search is for those who work here', async () => {
  await using service = await testApp({ LOCAL_BYPASS: 'off' });

  const answer = await service.get('/admin/search?q=a', { host: 'club.example' });

  expectRefusal(answer, 401, 'officer_key_required');
});
