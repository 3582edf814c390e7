import { expect, it } from 'vitest';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';

/** Here a permission in elections comes by roles alone. */
const ENV = { ELECTIONS_NEED_ROLE: 'on', RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' };

it('without printed cards the door says so, hands out none in words, and papers wait for cards', async () => {
  await using one = await openRoom({ classes: ['Members', 'Board'] }, undefined, ENV);
  const { service, base, ids } = one;
  const door = async (query = '') =>
    (await service.get(`${base}/door${query}`, { accept: 'text/html' })).body;
  const before = await door();
  expect(before).toContain('No cards are printed');
  expect(before).toContain('Votes are by show of hands');
  expect(before).toContain('href="#print"');
  expect(before).toContain('id="print"');
  expect(before).not.toMatch(/1 card|: Members|Members<span class="visually-hidden">: Ann/);
  expect(before).toContain('aria-label="Check in: Ann"');
  const [dora] = [await appoint(service, 'dora@club.example', 'door')];
  const hers = (await service.get(`${base}/door`, { accept: 'text/html', host: 'club.example', ...dora }))
    .body;
  if (!hers.includes('href="#print"')) expect(hers).toContain('Ask an officer to print cards');

  // What scripts are told is as it was.
  const press = (fields: object) => service.post(`${base}/door`, { person_id: ids.Ann, ...fields });
  expect((await press({ action: 'in' })).json().cards).toEqual({ Members: 1 });
  const form = await service.submit(`${base}/door`, { person_id: ids.Bob!, action: 'in' });
  const said = form.statusCode === 303 ? await door(`?${form.headers.location?.split('?')[1]}`) : form.body;
  expect(said).toContain('No cards are printed: they vote by show of hands.');
  expect(said).not.toContain('Hand out 1 card');
  const found = await door('?q=Ann');
  expect(found).not.toMatch(/gave the card back|Left with the card|No card was handed out/);
  expect(found).toContain('Has left<span');
  await press({ action: 'out' });
  expect(await door('?q=Ann')).toContain('Back<span');

  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  expect((await one.act(motion.id, 'open')).status).toBe(200);
  const papers = async () =>
    (await service.get(`${base}/items/${motion.id}/papers`, { accept: 'text/html' })).body;
  expect(await papers()).toContain('No cards are printed');
  expect(await papers()).not.toContain('Hand out a paper');

  // With cards of one class alone, those of the other are handed out.
  await service.post(`${base}/packs`, { class: 'Members', packs: 1 });
  expect(await papers()).toContain('Hand out a paper');
  const after = await door();
  expect(after).toContain('No cards of Board are printed');
  expect(after).not.toContain('No cards are printed');
});
