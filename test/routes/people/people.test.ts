import { describe, expect, it, test } from 'vitest';
import { recorded } from '#test/support/audit.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';
import { shared } from '#test/support/shared-app.ts';

const names = async (club: Club, query: string) => {
  const { body } = await club.call('GET', `people?${query}`);
  return body.people.map(({ name }: { name: string }) => name);
};

const withBob = shared(async () => {
  const club = await openClub();
  await club.add({ name: 'Bob', number: '1' });
  return club;
});

describe('a person', () => {
  it('is returned as it was stored, and can be sent back as it was returned', async () => {
    await using club = await openClub();
    const ann = await club.add({
      name: ' Ann  Doe ',
      called: 'Annie',
      number: 'M-7',
      note: 'Has the cellar key',
      addresses: [{ email: 'ann@home.example' }, { email: ' Ann@Club.example ', primary: true }],
      standing: { kind: 'Full', first_day: '2020-01-01' },
      groups: ['board'],
    });
    const standing = { kind: 'full', first_day: '2020-01-01', last_day: null };
    const stored = {
      id: expect.any(String),
      name: 'Ann Doe',
      called: 'Annie',
      number: 'M-7',
      addresses: [
        { email: 'ann@club.example', primary: true, verified: false },
        { email: 'ann@home.example', primary: false, verified: false },
      ],
      standing,
      groups: ['Board'],
      roles: [],
      version: 1,
    };
    expect(ann).toEqual({ ...stored, note: 'Has the cellar key', standings: [standing] });
    const { body } = await club.call('GET', 'people?q=ann');
    expect(body).toEqual({ people: [stored], total: 1 });
    const again = await club.call('PATCH', `people/${ann.id}`, ann);
    expect([again.status, again.body]).toEqual([200, ann]);
    expect((await club.call('GET', `people/${ann.id}`)).body).toEqual(ann);
    expect((await club.call('GET', 'people/nobody')).status).toBe(404);
  });

  it('keeps fields that a change does not have, and loses those that it empties', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann', number: 7, addresses: [{ email: 'ann@a.example' }] });
    const { body } = await club.call('PATCH', `people/${ann.id}`, { version: 1, called: 'Nan' });
    expect(body).toMatchObject({ name: 'Ann', called: 'Nan', number: '7', version: 2 });
    const less = await club.call('PATCH', `people/${ann.id}`, { version: 2, called: null, addresses: [] });
    expect(less.body).toMatchObject({ called: null, number: '7', addresses: [], version: 3 });
  });

  it('is changed by one of two concurrent requests; the other gets the stored version', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann' });
    const change = (name: string) => club.call('PATCH', `people/${ann.id}`, { version: 1, name });
    const both = await Promise.all([change('Anna'), change('Anne')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const stale = both.find(({ status }) => status === 409)?.body;
    expect(stale).toMatchObject({ error: expect.any(String), person: { id: ann.id, version: 2 } });
  });

  test.each<[string, object, string]>([
    ['no name', { called: 'X' }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['no address', { name: 'A', addresses: [{ email: 'nobody' }] }, 'addresses.0.email'],
    [
      'an address twice',
      { name: 'A', addresses: [{ email: 'a@b.example' }, { email: 'A@b.example' }] },
      'addresses.1.email',
    ],
    [
      'two primary addresses',
      {
        name: 'A',
        addresses: [
          { email: 'a@b.example', primary: true },
          { email: 'c@b.example', primary: true },
        ],
      },
      'addresses.1.primary',
    ],
    ['an unknown kind', { name: 'A', standing: { kind: 'royal', first_day: '2020-01-01' } }, 'standing.kind'],
    ['an unknown group', { name: 'A', groups: ['Board', 'Attic'] }, 'groups.1'],
    ['no day', { name: 'A', standing: { kind: 'full', first_day: '2023-02-29' } }, 'standing.first_day'],
    [
      'an end before the beginning',
      { name: 'A', standing: { kind: 'full', first_day: '2023-02-02', last_day: '2023-02-01' } },
      'standing.last_day',
    ],
    [
      'standings that overlap',
      {
        name: 'A',
        standings: [
          { kind: 'full', first_day: '2020-01-01' },
          { kind: 'honorary', first_day: '2021-01-01' },
        ],
      },
      'standings',
    ],
    ['a number that is taken', { name: 'A', number: '1' }, 'number'],
  ])('is refused with %s, naming the field', async (_name, person, path) => {
    const club = await withBob();
    const { status, body } = await club.call('POST', 'people', person);
    expect([status, body.errors[0].path]).toEqual([400, path]);
    expect((await club.call('GET', 'people?q=A')).body.total).toBe(1);
  });

  it('is refused with the name of an unknown kind or group', async () => {
    await using club = await openClub();
    const kind = await club.call('POST', 'people', {
      name: 'A',
      standing: { kind: 'royal', first_day: '2020-01-01' },
    });
    expect(kind.body.error).toContain('royal');
    expect((await club.call('GET', 'people?kind=royal')).body.error).toContain('royal');
    expect((await club.call('GET', 'people?group=Attic')).body.error).toContain('Attic');
  });

  it('is audited only by id', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann Doe', addresses: [{ email: 'ann@a.example' }] });
    await club.call('PATCH', `people/${ann.id}`, { version: 1, name: 'Ann Roe', addresses: [] });
    const rows = recorded(club.service.ctx);
    const own = rows.filter(({ action }) => action.startsWith('person.'));
    expect(own.map(({ action, metadata }) => [action, metadata])).toEqual([
      ['person.created', { person: ann.id, by: 'sam@club.example' }],
      ['person.changed', { person: ann.id, fields: ['name', 'addresses'], by: 'sam@club.example' }],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/Ann|ann@/);
  });
});

describe('a standing', () => {
  it('that is added ends the running one the day before', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann', standing: { kind: 'full', first_day: '2020-01-01' } });
    const standing = { kind: 'honorary', first_day: '2026-03-01' };
    const { body } = await club.call('PATCH', `people/${ann.id}`, { version: 1, standing });
    expect(body.standings).toEqual([
      { kind: 'full', first_day: '2020-01-01', last_day: '2026-02-28' },
      { ...standing, last_day: null },
    ]);
    const standings = [{ kind: 'full', first_day: '2019-01-01', last_day: '2019-12-31' }];
    const replaced = await club.call('PATCH', `people/${ann.id}`, { version: 2, standings });
    expect([replaced.body.standings, replaced.body.standing]).toEqual([standings, null]);
  });

  it('of a kind without a vote takes precedence on its days, and the other continues', async () => {
    await using club = await openClub();
    await club.add({
      name: 'Ann',
      standings: [
        { kind: 'full', first_day: '2020-01-01' },
        { kind: 'suspended', first_day: '2026-05-01', last_day: '2026-05-31' },
      ],
    });
    await club.add({ name: 'Bob', standing: { kind: 'full', first_day: '2026-05-15' } });
    expect(await names(club, 'kind=full&on=2026-04-30')).toEqual(['Ann']);
    expect(await names(club, 'kind=full&on=2026-05-14')).toEqual([]);
    expect(await names(club, 'kind=full&on=2026-05-15')).toEqual(['Bob']);
    expect(await names(club, 'kind=suspended&on=2026-05-31')).toEqual(['Ann']);
    expect(await names(club, 'kind=full&on=2026-06-01')).toEqual(['Ann', 'Bob']);
    expect(await names(club, 'on=2026-05-31')).toEqual(['Ann', 'Bob']);
    expect(await names(club, 'on=2019-12-31')).toEqual([]);
    const { body } = await club.call('GET', 'people?q=ann&on=2026-05-31');
    expect(body.people[0].standing.kind).toBe('suspended');
  });

  it('begins and ends at midnight in the club’s time zone', async () => {
    await using club = await openClub({ TIME_ZONE: 'Europe/Berlin' });
    await club.add({
      name: 'Ann',
      standing: { kind: 'full', first_day: '2026-03-29', last_day: '2026-10-25' },
    });
    const at = async (instant: string) => {
      club.service.clock.now = Temporal.Instant.from(instant).epochMilliseconds;
      return (await names(club, 'kind=full')).length;
    };
    expect(await at('2026-03-28T22:59:59Z')).toBe(0);
    expect(await at('2026-03-28T23:00:00Z')).toBe(1);
    expect(await at('2026-10-25T22:59:59Z')).toBe(1);
    expect(await at('2026-10-25T23:00:00Z')).toBe(0);
  });
});

describe('the roll', () => {
  it('is searched by name, nickname, number and address, ignoring case and accents', async () => {
    await using club = await openClub();
    await club.add({
      name: 'Zoë Müller',
      called: 'Zo',
      number: 'A-12',
      addresses: [{ email: 'zoë@home.example' }],
    });
    await club.add({ name: 'Ann Doe', addresses: [{ email: 'couple@home.example' }] });
    await club.add({ name: 'Bob Doe', addresses: [{ email: 'couple@home.example' }] });
    const cases: [string, string[]][] = [
      ['zoe', ['Zoë Müller']],
      ['MULLER zo', ['Zoë Müller']],
      ['a-12', ['Zoë Müller']],
      ['zoë@', ['Zoë Müller']],
      ['doe', ['Ann Doe', 'Bob Doe']],
      ['doe couple', ['Ann Doe', 'Bob Doe']],
      ['doe zo', []],
      ['%', []],
      ['', ['Ann Doe', 'Bob Doe', 'sam@club.example', 'Zoë Müller']],
    ];
    for (const [q, found] of cases)
      expect([q, await names(club, `q=${encodeURIComponent(q)}`)]).toEqual([q, found]);
  });

  it('is returned in pages, also by group', async () => {
    await using club = await openClub();
    for (const name of ['Cleo', 'Ann', 'Bob']) await club.add({ name, groups: ['Cellar'] });
    const { body } = await club.call('GET', 'people?group=cellar&limit=1&offset=1');
    expect([body.total, body.people.map(({ name }: { name: string }) => name)]).toEqual([3, ['Bob']]);
    expect((await club.call('GET', 'people?limit=0')).status).toBe(400);
    expect((await club.call('GET', 'people?on=yesterday')).body.errors[0].path).toBe('on');
    const { groups } = (await club.call('GET', 'groups')).body;
    expect((await club.call('GET', `people?group=${groups[1].id}`)).body.total).toBe(3);
    expect((await club.call('DELETE', `groups/${groups[1].id}`)).status).toBe(409);
  });

  it('keeps kinds that somebody has or had', async () => {
    await using club = await openClub();
    const ann = await club.add({
      name: 'Ann',
      standings: [
        { kind: 'full', first_day: '2020-01-01' },
        { kind: 'suspended', first_day: '2026-01-01' },
      ],
    });
    const { kinds } = (await club.call('GET', 'kinds')).body;
    const [full, , suspended] = kinds;
    expect(await club.call('DELETE', `kinds/${full.id}`)).toMatchObject({
      status: 409,
      body: { error: message('used_by_people', { name: 'full', people: 1 }) },
    });
    expect(await club.call('PATCH', `kinds/${suspended.id}`, { votes: true })).toMatchObject({
      status: 409,
      body: { error: message('two_votes_on_a_day', { kind: 'suspended' }) },
    });
    await club.call('PATCH', `people/${ann.id}`, { version: 1, standings: [] });
    expect((await club.call('PATCH', `kinds/${suspended.id}`, { votes: true })).status).toBe(200);
    expect((await club.call('DELETE', `kinds/${full.id}`)).status).toBe(200);
  });

  it('can be read only with its permission', async () => {
    await using club = await openClub();
    const vic = await appoint(club.service, 'vic@club.example', 'viewer');
    const otto = await appoint(club.service, 'otto@club.example', 'officer');
    expect((await club.call('GET', 'people', undefined, vic)).body.permission).toBe('people:read');
    expect((await club.call('GET', 'people', undefined, otto)).status).toBe(200);
    expect((await club.call('POST', 'people', { name: 'A' }, otto)).body.permission).toBe('people:write');
    expect((await club.call('GET', 'people', undefined, { host: 'club.example' })).status).toBe(401);
  });
});

describe('an address of staff', () => {
  it('is changed only by themselves or by those who may change roles, and the last one is never removed', async () => {
    await using club = await openClub();
    const olga = await appoint(club.service, 'olga@club.example', 'owner');
    const dj = await appoint(club.service, 'dj@club.example', 'dj');
    const idOf = async (q: string) => (await club.call('GET', `people?q=${q}`)).body.people[0].id;
    const id = await idOf('dj@');
    const addresses = [{ email: 'dj@club.example' }, { email: 'mallory@club.example' }];
    const patch = { version: 1, addresses };

    const refused = await club.call('PATCH', `people/${id}`, patch);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.stringContaining(message('staff_keep_addresses')),
    ]);
    expect(
      (await club.call('PATCH', `people/${id}`, { version: 1, name: 'DJ', addresses: [addresses[0]] }))
        .status,
    ).toBe(200);
    expect((await club.call('PATCH', `people/${id}`, { ...patch, version: 2 }, olga)).status).toBe(200);
    expect((await club.call('PATCH', `people/${id}`, { version: 3, addresses: [] }, olga)).status).toBe(409);
    expect((await club.call('PATCH', `people/${id}`, { version: 3, name: 'D' }, dj)).status).toBe(403);
    const own = await idOf('sam@');
    const sams = [{ email: 'sam@club.example' }, { email: 'sam@home.example' }];
    expect((await club.call('PATCH', `people/${own}`, { version: 1, addresses: sams })).status).toBe(200);
  });
});
