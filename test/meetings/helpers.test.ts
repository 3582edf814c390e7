import { expect, it } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { recordedOf } from '#test/support/audit.ts';
import { formAt, press } from '#test/support/forms.ts';
import { expectForbidden } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, openSession } from '#test/support/people/people.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';

const HTML = { accept: 'text/html', host: 'club.example' };

/** A club with an owner, an officer, members, and a meeting on a day in two weeks. */
async function openHelped() {
  const club = await openElectorate();
  const { service, olga } = club;
  const owner = await appoint(service, 'ow@club.example', 'owner');
  for (const name of ['Cat Cole', 'Dan Day', 'Tia Tell'])
    await club.add(person(name, `${name.slice(0, 3).toLowerCase()}@club.example`));
  const meeting = { title: 'AGM', held_at: '2026-12-04T19:00' };
  const { id } = (await service.post('/admin/meetings', meeting, olga)).json();
  const url = `/admin/meetings/${id}/helpers`;
  return {
    ...club,
    owner,
    id,
    url,
    page: async (who = owner) => (await service.get(url, { ...HTML, ...who })).body,
    give: (named: object, who = owner) => service.post(url, named, who),
    rolesOf: async (email: string) => {
      const { assignments } = (await service.get('/api/admin/roles', owner)).json();
      return assignments.find((one: { email: string }) => one.email === email);
    },
    subjectsTo: (address: string) =>
      club.mails.mails
        .filter(({ recipients }) => recipients.includes(address))
        .map(({ headers }) => headers.subject),
    [Symbol.asyncDispose]: () => club[Symbol.asyncDispose](),
  };
}

/** The end of the day of the meeting, in the zone of the club. */
const END = '2026-12-05T05:00:00.000Z';

it('gives chair, door and tellers with one press, until the end of the day of the meeting', async () => {
  await using one = await openHelped();
  const { service, owner, url } = one;
  // Of what somebody has already nothing is taken away.
  const long = isoTime(service.clock.now + 60 * DAY);
  await one.service.request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: { email: 'tia@club.example', roles: ['teller', 'events'], until: long },
    headers: { accept: 'application/json', ...owner },
  });
  const form = formAt(await one.page(), url);
  expect(form.fields).toMatchObject({ chair: '', door: '', tellers: '', until: '2026-12-04' });
  const given = await press(
    service,
    form,
    {
      ...form.fields,
      chair: 'Cat Cole',
      door: 'Dan Day\nnew@club.example',
      tellers: 'tia@club.example\ndan@club.example',
    },
    owner,
  );
  expect([given.statusCode, given.headers.location]).toEqual([303, `${url}?done=given`]);

  expect(await one.rolesOf('cat@club.example')).toMatchObject({ roles: ['chair'], until: { chair: END } });
  expect(await one.rolesOf('dan@club.example')).toMatchObject({ roles: ['door', 'teller'] });
  expect(await one.rolesOf('new@club.example')).toMatchObject({ roles: ['door'] });
  const tia = await one.rolesOf('tia@club.example');
  expect([tia.roles, tia.until.teller]).toEqual([['teller', 'events'], long]);
  await expect.poll(() => one.subjectsTo('cat@club.example')).toEqual(['Your role: Chair']);
  await expect.poll(() => one.subjectsTo('dan@club.example')).toEqual(['Your role: Door and Teller']);
  const changes = recordedOf(service.ctx, 'roles.changed').filter(({ until }) => until === END);
  expect(changes).toHaveLength(3);
  const page = await one.page();
  for (const name of ['Cat Cole', 'Dan Day', 'new@club.example', 'Tia Tell']) expect(page).toContain(name);
  expect(page).toContain('until Fri, Dec 4');

  // A later end prolongs, an earlier one shortens nothing, and none is for good.
  await one.give({ chair: ['Cat Cole'], until: '2026-12-03' });
  expect((await one.rolesOf('cat@club.example')).until.chair).toBe(END);
  await one.give({ chair: ['Cat Cole'] });
  expect(await one.rolesOf('cat@club.example')).not.toHaveProperty('until');
  expect(one.subjectsTo('cat@club.example')).toHaveLength(1);
});

it('names everybody at the field who is not one person with an own address, and gives nothing then', async () => {
  await using one = await openHelped();
  const { service, owner, url } = one;
  for (const [name, email] of [
    ['Ann Twin', 'ann@club.example'],
    ['Ann Twin', 'twin@club.example'],
    ['Nell Noone', null],
    ['Sue Share', 'both@club.example'],
    ['Sid Share', 'both@club.example'],
  ] as const)
    await one.add(person(name, email));
  const form = formAt(await one.page(), url);
  const refused = await press(
    service,
    form,
    {
      ...form.fields,
      chair: 'Ann Twin\nCat Cole',
      door: 'Zoe Nobody\nSue Share\nboth@club.example',
      tellers: 'Nell Noone\nnot@an address',
    },
    owner,
  );
  expect(refused.statusCode).toBe(400);
  for (const words of [
    'several people are called “Ann Twin”',
    'nobody on the roll is called “Zoe Nobody”',
    'Sue Share shares this address',
    'both@club.example shares this address',
    'Nell Noone has no mail address',
    '“not@an address” is not a mail address',
  ])
    expect(refused.body).toContain(words);
  expect(formAt(refused.body, url).fields).toMatchObject({
    chair: 'Ann Twin\nCat Cole',
    until: '2026-12-04',
  });
  expect(await one.rolesOf('cat@club.example')).toBeUndefined();
  const nobody = await one.give({});
  expect([nobody.statusCode, nobody.json().errors[0].path]).toEqual([400, 'chair']);
  const past = await one.give({ chair: ['Cat Cole'], until: '2020-01-01' });
  expect([past.statusCode, past.json().errors[0].path]).toEqual([400, 'until']);
  // One who may not have a role stops all of it.
  const own = await one.give({ door: ['Dan Day'], chair: ['ow@club.example'] });
  expect(own.statusCode).toBe(403);
  expect(await one.rolesOf('dan@club.example')).toBeUndefined();
});

it('shows who helps to whoever may not give roles, and says whom to ask', async () => {
  await using one = await openHelped();
  await one.give({ chair: ['Cat Cole'], door: ['new@club.example'] });
  const cat = { 'edge-access-authenticated-user-email': 'cat@club.example' };
  const page = await one.page(cat);
  expect(page).toContain('Cat Cole');
  expect(page).toContain('Ask an owner');
  expect(page).not.toContain('new@club.example');
  expect(page).not.toContain(`action="${one.url}"`);
  const read = (await one.service.get(one.url, cat)).json();
  expect([read.chair, read.door, read.tellers]).toEqual([
    [{ name: 'Cat Cole', until: null }],
    [{ name: null, until: null }],
    [],
  ]);
  for (const who of [cat, one.olga])
    expectForbidden(await one.give({ door: ['Dan Day'] }, who), 'roles:write');
  // The officer sees addresses, as on the page of roles.
  expect((await one.service.get(one.url, one.olga)).json().door[0].email).toBe('new@club.example');
});

it('asks a second person once for all of it where the chair is among them and the club wants two', async () => {
  await using one = await openHelped();
  const { service, url } = one;
  await appoint(service, 'second@club.example', 'owner');
  const [first, second] = [browserOf(service), browserOf(service)];
  await openSession(first, service, 'ow@club.example');
  await openSession(second, service, 'second@club.example');
  await first.post('/admin/approvals/setting', { two_people: 'true' });
  const json = { accept: 'application/json' };

  // Door and tellers decide nothing.
  expect((await first.post(url, { door: ['Dan Day'] }, json)).statusCode).toBe(200);
  const asked = await first.post(
    url,
    { chair: ['Cat Cole'], tellers: ['Tia Tell'], until: '2026-12-04' },
    json,
  );
  expect([asked.statusCode, asked.json().waiting]).toEqual([202, true]);
  expect(await one.rolesOf('cat@club.example')).toBeUndefined();
  const [{ id, hash, act, details }] = (await second.get('/admin/approvals', json)).json().approvals;
  expect(act).toBe('Give the roles of helpers for “AGM”');
  expect(details).toEqual([
    { label: 'Chair', value: 'cat@club.example' },
    { label: 'Tellers', value: 'tia@club.example' },
    { label: 'Until', value: 'Fri, Dec 4, 2026' },
  ]);
  await second.post(`/admin/approvals/${id}`, { hash, decision: 'confirmed' }, json);
  expect((await one.rolesOf('cat@club.example')).roles).toEqual(['chair']);
  expect((await one.rolesOf('tia@club.example')).roles).toEqual(['teller']);
});
