import { afterAll, beforeAll, expect, test } from 'vitest';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addPseudoLanguage, PSEUDO, pseudoText } from '#test/support/pseudo-language.ts';
import { play } from '../setlist/rollups/fixtures.ts';

let forget: () => void;
beforeAll(() => {
  forget = addPseudoLanguage();
});
afterAll(() => forget());

test('after a change of language feeds, screens and what the setlist tells are in it; codes and statuses stay', async () => {
  await using service = await testApp({ SETLIST_DB: 'on' });
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const editor = await editorAt(service);
  const ada = await editor.publish('tender', { full_name: 'Ada Lovelace', meet: true });
  const week = { sat: [{ opens: '11:00', closes: '23:00', tenders: [ada] }] };
  await editor.publish('hours', { from: '2026-01-01', week });
  const today = { date: '2026-11-21', place: 'Pub', in_pub: true };
  await editor.publish('event', { ...today, title: 'Quiz', time: '12:30', end_time: '14:00' });
  await editor.publish('event', { ...today, title: 'Fair', time: null, end_time: null });
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  const feed = async () => (await service.get('/api/events')).json();
  const persona = async () => (await service.get('/api/setlist/persona')).json();
  expect((await feed()).pubTender).toMatchObject({ note: 'Open until 11:00 PM', noteState: 'active' });
  expect((await persona()).data).toMatchObject({ id: null, name: 'Still listening' });

  const [url, payload] = ['/api/admin/settings', { language: PSEUDO }];
  const answer = await service.request({ method: 'PUT', url, payload, headers: owner });
  expect(answer.statusCode).toBe(200);
  await refreshRollups(service.ctx);

  const { pubTender, todayEvents, slides } = await feed();
  const [opened, time] = [pseudoText('Open until {time}'), '11:00 PM'];
  expect(pubTender).toMatchObject({ note: opened.replace('{time}', time), noteState: 'active' });
  expect(todayEvents).toMatchObject([
    { title: 'Fair', start: pseudoText('All day'), status: 'Now' },
    { title: 'Quiz', start: '12:30 PM', status: 'Next' },
  ]);
  expect(slides).toContainEqual(
    expect.objectContaining({ type: 'tender', title: pseudoText('Meet your Tender') }),
  );
  expect((await persona()).data).toMatchObject({ id: null, name: pseudoText('Still listening') });
  const screen = (await service.get('/tv')).body;
  expect(screen).toContain(`<html lang="${PSEUDO}"`);
  expect(screen).toContain(pseudoText('That was all for today.'));
});
