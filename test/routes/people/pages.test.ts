import { describe, expect, it, test } from 'vitest';
import { onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';

const page = async (club: Club, url: string, who = club.sam) => {
  const answer = await club.service.get(url, { accept: 'text/html', host: 'club.example', ...who });
  return { status: answer.statusCode, body: answer.body };
};
const submit = async (club: Club, url: string, fields: Record<string, string | string[]>, who = club.sam) => {
  const { statusCode, body, headers } = await club.service.submit(url, fields, who);
  return { status: statusCode, body, location: headers.location?.toString() ?? '' };
};
/** The value of the field with this id. */
const typedIn = (body: string, id: string) =>
  new RegExp(`<input[^>]*id="${id.replaceAll('.', '\\.')}"[^>]*value="([^"]*)"`).exec(body)?.[1];

describe('the page of the roll', () => {
  it('shows matching people, a page at a time', async () => {
    await using club = await openClub();
    const rows = Array.from({ length: 119 }, (_, n) => `Person ${String(n).padStart(3, '0')}`);
    const csv = `name\n${rows.join('\n')}\n`;
    const { check } = (await club.call('POST', 'people/import', { csv, dry_run: true })).body;
    await club.call('POST', 'people/import', { csv, dry_run: false, check });
    const second = await page(club, '/admin/people?page=2&q=person');
    expect(second.body).toContain('26 to 50 of 119 people');
    expect(second.body).toContain('href="/admin/people?q=person" rel="prev"');
    expect(second.body).toContain('href="/admin/people?q=person&amp;page=3" rel="next"');
    expect((await page(club, '/admin/people?page=5&q=person')).body).not.toContain('rel="next"');
    expect((await page(club, '/admin/people?q=nobody')).body).toContain('Nobody is found');
    expect((await page(club, '/admin/people?kind=royal&on=soon&page=x')).status).toBe(200);
  });

  it('offers only what its user may do', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann' });
    const otto = await appoint(club.service, 'otto@club.example', 'officer');
    const dj = await appoint(club.service, 'dj@club.example', 'dj');
    const links = ['/admin/people/new', '/admin/people/import', '/api/admin/people/export.csv'];
    const [mine, his] = [await page(club, '/admin/people'), await page(club, '/admin/people', otto)];
    for (const link of links)
      expect([mine.body.includes(link), his.body.includes(link)]).toEqual([true, false]);
    expect((await page(club, `/admin/people/${ann.id}`, otto)).body).not.toContain('<form');
    expect((await page(club, '/admin/people/kinds', otto)).body).not.toContain('<form');
    expect((await page(club, '/admin/people', dj)).status).toBe(403);
    expect((await page(club, '/admin/pub', dj)).body).not.toContain('href="/admin/people"');
  });
});

describe('the form of a person', () => {
  const typed = {
    name: 'Ann <Doe>',
    called: '',
    number: '7',
    note: 'Key',
    groups: 'Board',
    addresses: 'ann@home.example\r\nann@club.example\r\n',
    'standing.kind': 'full',
    'standing.first_day': '2020-01-01',
    'standing.last_day': '',
  };

  it('adds and changes a person', async () => {
    await using club = await openClub();
    const added = await submit(club, '/admin/people', typed);
    expect([added.status, added.location]).toEqual([
      303,
      expect.stringMatching(/^\/admin\/people\/[\w-]+\?done=added$/),
    ]);
    const url = added.location.split('?')[0]!;
    expect((await page(club, added.location)).body).toContain('The person was added.');
    const stored = async () => (await club.call('GET', url.replace('/admin/', ''))).body;
    expect(await stored()).toMatchObject({
      name: 'Ann <Doe>',
      called: null,
      groups: ['Board'],
      addresses: [
        { email: 'ann@home.example', primary: true },
        { email: 'ann@club.example', primary: false },
      ],
      standing: { kind: 'full', first_day: '2020-01-01' },
    });
    const existing = {
      'standings.0.kind': 'full',
      'standings.0.first_day': '2020-01-01',
      'standings.0.last_day': '',
      'standing.kind': 'honorary',
      'standing.first_day': '2026-01-01',
    };
    const { groups: _none, ...rest } = typed;
    const saved = await submit(club, url, {
      ...rest,
      ...existing,
      version: '1',
      addresses: 'ann@club.example',
    });
    expect(saved.location).toBe(`${url}?done=saved`);
    expect(await stored()).toMatchObject({
      groups: [],
      addresses: [{ email: 'ann@club.example', primary: true }],
      standings: [
        { kind: 'full', first_day: '2020-01-01', last_day: '2025-12-31' },
        { kind: 'honorary', first_day: '2026-01-01', last_day: null },
      ],
    });
    expect((await page(club, url)).body).toContain('honorary, since Jan 1, 2026');
    await submit(club, url, {
      name: 'Ann',
      version: '2',
      addresses: '',
      'standings.0.kind': '',
      'standings.1.kind': '',
    });
    expect(await stored()).toMatchObject({ name: 'Ann', standings: [], addresses: [] });
  });

  it('is shown again with the input, and with errors at their fields', async () => {
    await using club = await openClub();
    const wrong = { ...typed, name: ' ', addresses: 'ann@home.example\nnobody', 'standing.first_day': '' };
    const { status, body } = await submit(club, '/admin/people', wrong);
    expect(status).toBe(400);
    for (const id of ['name', 'addresses', 'standing.first_day']) {
      expect(body).toContain(`href="#${id}"`);
      expect(body).toContain(`id="${id}-error"`);
    }
    expect(body).toContain('ann@home.example\nnobody</textarea>');
    expect(typedIn(body, 'number')).toBe('7');
    expect(body).toMatch(/value="Board" checked/);
    expect(body).toMatch(/<option value="full" selected>/);
    expect((await club.call('GET', 'people')).body.total).toBe(1);
  });

  it('shows what somebody else has saved meanwhile, and overwrites it when sent again', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann', number: '7' });
    await club.call('PATCH', `people/${ann.id}`, { version: 1, number: '8' });
    const url = `/admin/people/${ann.id}`;
    const late = { name: 'Anna', number: '9', version: '1', addresses: '' };
    const { status, body } = await submit(club, url, late);
    expect([status, typedIn(body, 'name')]).toEqual([409, 'Anna']);
    expect(body).toContain(onPage('person_changed_meanwhile'));
    expect(body).toMatch(/<dt>Number<\/dt>\s*<dd>8<\/dd>/);
    const version = /name="version" value="(\d+)"/.exec(body)?.[1] ?? '';
    expect((await submit(club, url, { ...late, version })).status).toBe(303);
    expect((await club.call('GET', `people/${ann.id}`)).body).toMatchObject({ name: 'Anna', number: '9' });
  });

  it('refuses to change addresses of staff, with a reason', async () => {
    await using club = await openClub();
    await appoint(club.service, 'dj@club.example', 'dj');
    const [{ id }] = (await club.call('GET', 'people?q=dj@')).body.people;
    const { status, body } = await submit(club, `/admin/people/${id}`, {
      name: 'DJ',
      version: '1',
      addresses: 'm@club.example',
    });
    expect([status, body.includes(onPage('staff_keep_addresses'))]).toEqual([403, true]);
  });
});

test('kinds and groups are created, changed and deleted on their page', async () => {
  await using club = await openClub();
  const added = await submit(club, '/admin/people/kinds', {
    form: 'new-kind',
    name: 'Trial',
    votes: 'false',
  });
  expect(added.location).toBe('/admin/people/kinds?done=added');
  await submit(club, '/admin/people/groups', { form: 'new-group', name: 'Choir' });
  const [kinds, groups] = [
    (await club.call('GET', 'kinds')).body.kinds,
    (await club.call('GET', 'groups')).body.groups,
  ];
  const [trial, choir] = [kinds.find(({ name }: { name: string }) => name === 'Trial'), groups.at(-1)];
  const taken = await submit(club, `/admin/people/kinds/${trial.id}?_method=PATCH`, {
    form: trial.id,
    name: 'Full',
    votes: 'false',
  });
  expect([taken.status, typedIn(taken.body, `name-${trial.id}`)]).toEqual([400, 'Full']);
  expect(taken.body).toContain(`href="#name-${trial.id}"`);
  await submit(club, `/admin/people/groups/${choir.id}?_method=PATCH`, { form: choir.id, name: 'Singers' });
  expect((await page(club, '/admin/people/kinds')).body).toContain('Singers');
  await club.add({ name: 'Ann', groups: ['Singers'] });
  const used = await submit(club, `/admin/people/groups/${choir.id}?_method=DELETE`, { form: choir.id });
  expect([used.status, used.body.includes(onPage('used_by_people', { name: 'Singers', people: 1 }))]).toEqual(
    [409, true],
  );
  const gone = await submit(club, `/admin/people/kinds/${trial.id}?_method=DELETE`, { form: trial.id });
  expect(gone.location).toBe('/admin/people/kinds?done=deleted');
});
