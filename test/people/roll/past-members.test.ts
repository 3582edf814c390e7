import { expect, it } from 'vitest';
import { createSession, deleteEndedSessions } from '#kernel/access/sessions.ts';
import { DAY } from '#kernel/clock.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { addElection } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';

const LINE = 'for two years. <a href="/admin/people?past=1">';

/** Adds a person whose membership ended on a day. */
const addFormer = (club: Club, name: string, last_day: string | null, more: object = {}) =>
  club.add({ name, standing: { kind: 'full', first_day: '2020-01-01', last_day }, ...more });

const proposed = async (club: Club, query = '') => {
  const { status, body } = await club.call('GET', `people?past=1${query}`);
  expect(status).toBe(200);
  return body.people.map(({ name }: { name: string }) => name);
};
const page = async (club: Club, url: string, who = club.sam) =>
  (await club.service.get(url, { accept: 'text/html', ...who })).body;

/** Stores what a sign-in stores. */
const signIn = (club: Club, person_id: string, at: number) =>
  club.service.ctx.write((tx) => {
    const proof = { method: 'code', address_id: null, credential_at: at, stay: true } as const;
    createSession(tx, { person_id, ...proof, browser: 'Firefox', network: '203.0.113.0/24' }, at);
    const by = `person:${person_id}`;
    recordAudit(
      tx,
      { ip: '203.0.113.7', at, by },
      { action: 'session.opened', metadata: { method: 'code' } },
    );
  });

it('past members are those whose last membership ended more than two years ago', async () => {
  await using club = await openClub();
  await addFormer(club, 'Long gone', '2021-12-31');
  await addFormer(club, 'Just past', '2024-11-20');
  await addFormer(club, 'Two years today', '2024-11-21');
  await addFormer(club, 'Still here', null);
  await club.add({ name: 'Never a member' });
  await club.add({
    name: 'Came back',
    standings: [
      { kind: 'full', first_day: '2010-01-01', last_day: '2012-12-31' },
      { kind: 'honorary', first_day: '2025-01-01', last_day: '2025-12-31' },
    ],
  });
  expect(await proposed(club)).toEqual(['Just past', 'Long gone']);
  expect(await proposed(club, '&q=gone')).toEqual(['Long gone']);
});

it('past members have no role', async () => {
  await using club = await openClub();
  await addFormer(club, 'Ann', '2021-12-31', { addresses: [{ email: 'ann@home.example' }] });
  await addFormer(club, 'Bob', '2021-12-31', { addresses: [{ email: 'bob@home.example' }] });
  await appoint(club.service, 'ann@home.example', 'auditor');
  expect(await proposed(club)).toEqual(['Bob']);
});

it('past members have not signed in for two years, even if the session was deleted', async () => {
  await using club = await openClub();
  const { service } = club;
  const [ann, bob, cid] = [
    await addFormer(club, 'Ann', '2021-12-31'),
    await addFormer(club, 'Bob', '2021-12-31'),
    await addFormer(club, 'Cid', '2021-12-31'),
  ];
  // Older than the part of the log that is read at once.
  await signIn(club, ann.id, service.clock.now - 800 * DAY);
  await signIn(club, bob.id, service.clock.now - 700 * DAY);
  for (let n = 0; n < 600; n++) await signIn(club, cid.id, service.clock.now - 600 * DAY);
  await service.ctx.write((tx) => deleteEndedSessions(tx, service.clock.now));
  expect(service.ctx.db.all(build.selectFrom('sessions').select('id'))).toEqual([]);
  expect(await proposed(club)).toEqual(['Ann']);
  service.clock.now += 40 * DAY;
  expect(await proposed(club)).toEqual(['Ann', 'Bob']);
});

it('past members are neither electors nor invited in an election that is not over', async () => {
  await using club = await openClub();
  const { service } = club;
  const email = 'ann@home.example';
  await addFormer(club, 'Ann', '2021-12-31', { addresses: [{ email }] });
  const bob = await addFormer(club, 'Bob', '2021-12-31');
  await addFormer(club, 'Cid', '2021-12-31');
  const election_id = await addElection(service);
  const at = service.clock.now;
  await service.ctx.write((tx) => {
    const elector = { name: 'Bob', email: null, standing: null, as_of: null, added_at: at, added_by: 'x' };
    tx.run(build.insertInto('electors').values({ election_id, person_id: bob.id, ...elector }));
    const invite = { id: 'invite', person_id: null, status: 'SENT', created_at: at, sent_at: at } as const;
    const secret = { token_hash: null, token_plaintext: null, error: null };
    tx.run(build.insertInto('invites').values({ election_id, email, ...invite, ...secret }));
  });
  expect(await proposed(club)).toEqual(['Cid']);
  expect((await service.post(`/admin/elections/${election_id}/close`)).statusCode).toBe(200);
  expect(await proposed(club)).toEqual(['Ann', 'Bob', 'Cid']);
});

it('past members are counted above the roll and listed in pages, with links to the erase button', async () => {
  await using club = await openClub();
  expect(await page(club, '/admin/people')).not.toContain(LINE);
  const rows = Array.from({ length: 60 }, (_, n) => `Person ${n + 10},full,2020-01-01,2021-12-31`);
  const csv = `name,kind,since,until\n${rows.join('\n')}\nEve,full,2020-01-01,\n`;
  const { check } = (await club.call('POST', 'people/import', { csv, dry_run: true })).body;
  await club.call('POST', 'people/import', { csv, dry_run: false, check });

  expect(await page(club, '/admin/people')).toContain(`60 people have not been members ${LINE}`);
  expect(await page(club, '/admin/people?q=eve')).not.toContain(LINE);
  const list = await page(club, '/admin/people?past=1');
  expect(list).toContain('1 to 25 of 60 people');
  expect(list).toContain('href="/admin/people?past=1&amp;page=2" rel="next"');
  expect(list).toContain('Nobody is erased automatically');
  expect(list).not.toContain(LINE);
  expect(list).not.toContain('Eve');
  const [, person = ''] = /href="(\/admin\/people\/[\w-]+)">Person 10</.exec(list) ?? [];
  expect(await page(club, person)).toContain(`href="${person}/erase"`);
  expect(await page(club, '/admin/people?past=1&q=person+12')).toContain('1 to 1 of 1 person');
});

it('past members are shown only to those who may erase', async () => {
  await using club = await openClub();
  await addFormer(club, 'Ann', '2021-12-31');
  await addFormer(club, 'Eve', null);
  const audrey = await appoint(club.service, 'audrey@club.example', 'auditor');
  expect(await page(club, '/admin/people')).toContain(`1 person has not been a member ${LINE}`);
  expect(await page(club, '/admin/people', audrey)).not.toContain(LINE);
  expect(await page(club, '/admin/people?past=1', audrey)).toContain('Eve');
  expect((await club.call('GET', 'people?past=1', undefined, audrey)).status).toBe(403);
  expect((await club.call('GET', 'people?past=0', undefined, audrey)).body.total).toBe(4);
});
