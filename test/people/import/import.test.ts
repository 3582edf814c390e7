import { describe, expect, it, onTestFinished, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { storeTwoPeople } from '#kernel/db/settings.ts';
import { recorded } from '#test/support/audit.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openClub } from '#test/support/people/roll.ts';
import { addPseudoLanguage, PSEUDO, pseudoText } from '#test/support/pseudo-language.ts';
import { shared } from '#test/support/shared-app.ts';
import { apply, check, counts } from './import-steps.ts';

const open = shared(openClub);
const FILE = `Number,Name,E-mail,Membership,Member since
1,Ann Doe,ann@home.example,full,2020-01-01
2,Bob Doe,ann@home.example,full,2021-02-03
3,Cleo,cleo@home.example,honorary,2022-03-04
`;

const states = ({ rows }: { rows: { state: string }[] }) => rows.map(({ state }) => state);

const pageText = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('an import', () => {
  it('shows its changes, applies them, and changes nothing the second time', async () => {
    await using club = await openClub();
    const dry = await check(club, FILE);
    expect(dry).toMatchObject({
      status: 200,
      batch: null,
      counts: counts({ new: 3 }),
      check: expect.any(String),
    });
    expect(dry.rows[1]).toEqual({
      line: 3,
      state: 'new',
      name: 'Bob Doe',
      after: {
        name: 'Bob Doe',
        called: null,
        number: '2',
        note: null,
        groups: [],
        addresses: ['ann@home.example'],
        standings: [{ kind: 'full', first_day: '2021-02-03', last_day: null }],
      },
    });
    expect((await club.call('GET', 'people')).body.total).toBe(1);

    const done = await apply(club, FILE);
    expect([done.status, done.batch, done.counts]).toEqual([200, 1, counts({ new: 3 })]);
    const { people } = (await club.call('GET', 'people?q=ann@')).body;
    expect(people.map(({ name }: { name: string }) => name)).toEqual(['Ann Doe', 'Bob Doe']);
    const again = await apply(club, FILE);
    expect([again.batch, again.counts]).toEqual([null, counts({ same: 3 })]);
  });

  it('applies only what was checked: the same file over the same roll', async () => {
    await using club = await openClub();
    const dry = await check(club, FILE);
    const send = (body: object) =>
      club.call('POST', 'people/import', { csv: FILE, dry_run: false, check: dry.check, ...body });
    expect((await send({ check: undefined })).body.errors[0].path).toBe('check');
    expect((await send({ csv: `${FILE}4,Dan,,,\n` })).status).toBe(409);
    expect((await send({ end_missing: '2026-01-01' })).status).toBe(409);
    await club.add({ name: 'Eve' });
    const stale = await send({});
    expect([stale.status, stale.body.check]).toEqual([409, (await check(club, FILE)).check]);
    expect((await send({ check: stale.body.check })).body.counts).toEqual(counts({ new: 3 }));
  });

  it('lists its changes, and keeps values that the file does not have', async () => {
    await using club = await openClub();
    await apply(club, FILE);
    const [ann] = (await club.call('GET', 'people?q=1')).body.people;
    await club.call('PATCH', `people/${ann.id}`, { version: 1, called: 'Nan', groups: ['Board'] });
    const { rows } = await apply(club, 'Number;Name;E-Mail\n1;Ann Roe;ann@roe.example\n2;Bob Doe;\n');
    expect(rows[0]).toEqual({
      line: 2,
      state: 'changed',
      name: 'Ann Roe',
      person: ann.id,
      before: { name: 'Ann Doe', addresses: ['ann@home.example'] },
      after: { name: 'Ann Roe', addresses: ['ann@roe.example'] },
    });
    expect(rows[1]).toMatchObject({ line: 3, state: 'same' });
    expect((await club.call('GET', `people/${ann.id}`)).body).toMatchObject({
      called: 'Nan',
      groups: ['Board'],
      standing: { kind: 'full' },
    });
  });

  it('asks which person is meant by only a known name or address', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann Doe', number: '1', addresses: [{ email: 'ann@home.example' }] });
    const file =
      'number,name,email\n7,Ann Doe,\n,Bob Doe,ann@home.example\n8,ann doe,ann@home.example\n,Dan,\n';
    const first = await apply(club, file);
    expect([first.counts, states(first)]).toEqual([
      counts({ unclear: 3, new: 1 }),
      ['unclear', 'unclear', 'unclear', 'new'],
    ]);
    expect(first.rows[0].candidates).toEqual([{ id: ann.id, name: 'Ann Doe', number: '1' }]);
    expect((await club.call('GET', 'people?q=doe')).body.total).toBe(1);

    const decisions = { 2: 'new', 3: 'new', 4: ann.id };
    const settled = await apply(club, file.replace(',Dan,\n', ''), { decisions });
    expect([settled.counts, states(settled)]).toEqual([
      counts({ new: 2, changed: 1 }),
      ['new', 'new', 'changed'],
    ]);
    expect((await club.call('GET', `people/${ann.id}`)).body.number).toBe('8');
    const nobody = await check(club, 'name,email\nBob,ann@home.example\n', { decisions: { 2: 'nobody' } });
    expect(nobody.rows[0]).toMatchObject({ state: 'invalid', reason: 'Nobody has the id that was chosen' });
  });

  it('treats a second person with a known name or address as new if the file has the known person too', async () => {
    await using club = await openClub();
    await club.add({ name: 'Jo Doe', number: '1', addresses: [{ email: 'jo@home.example' }] });
    const file = 'number,name,email\n1,Jo Doe,jo@home.example\n2,Jo Doe,\n3,Ben Doe,jo@home.example\n';
    const { rows } = await check(club, file);
    expect(states({ rows })).toEqual(['same', 'new', 'new']);
    expect(rows[2].reason).toBe('Shares an address with Jo Doe');
  });

  test.each([
    ['name,email\n,a@b.example', 'No name'],
    ['name,email\nA,nobody', '“nobody”: Not an e-mail address'],
    ['name,kind\nA,royal', 'There is no kind of membership “royal”'],
    ['name,groups\nA,Attic', 'There is no group “Attic”'],
    ['name,kind,since\nA,full,3.4.20', '“3.4.20” has a year of two digits'],
    ['name,kind,since\nA,full,31.2.2020', '“31.2.2020” is not a date'],
    ['name,kind,since\nA,full,03/04/2020', /may be two days/],
    ['name,since\nA,2020-01-01', 'A day without a kind of membership'],
    ['name,kind,since,until\nA,full,2020-01-02,2020-01-01', 'The last day is before the first'],
    ['name,number\nB,1\nA,1', 'The number 1 is on line 2 too'],
    ['name,email\nA,a@b.example\na,A@b.example', 'The same person as on line 2'],
  ])('refuses only the invalid row: %j', async (csv, reason) => {
    const club = await open();
    const { counts, rows } = await check(club, csv);
    expect(counts.invalid).toBe(1);
    expect(rows.at(-1)).toMatchObject({ state: 'invalid', reason: expect.stringMatching(reason) });
  });

  test.each([
    ['', 'csv'],
    ['name\n', 'csv'],
    ['colour,size\nred,3', 'csv'],
    ['name,email\n"A,b@c.example', 'csv'],
    [`name\n${'A\n'.repeat(20_001)}`, 'csv'],
  ])('refuses a file that it cannot read', async (csv, path) => {
    const club = await open();
    const { status, errors } = await check(club, csv);
    expect([status, errors[0].path]).toEqual([400, path]);
  });

  it('returns every row of a long file, in order', async () => {
    await using club = await openClub();
    const names = Array.from({ length: 250 }, (_, n) => `Person ${n}`);
    const { rows, counts: made } = await check(club, `name\n${names.join('\n')}\n`);
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(made).toEqual(counts({ new: 250 }));
  });

  it('reads columns by the given mapping', async () => {
    await using club = await openClub();
    const csv = 'Wer,Nr,Seit,Art\nAnn,7,3/4/2020,full\n';
    const { rows, columns } = await check(club, csv, { mapping: { Wer: 'name' }, date_order: 'mdy' });
    expect(rows[0].after).toMatchObject({
      name: 'Ann',
      number: '7',
      standings: [{ kind: 'full', first_day: '2020-03-04', last_day: null }],
    });
    expect(columns.map(({ field }: { field: string }) => field)).toEqual([
      'name',
      'number',
      'first_day',
      'kind',
    ]);
    expect(
      (await check(club, csv, { mapping: { Wer: 'name', Nr: '', Seit: '' } })).rows[0].after.number,
    ).toBeNull();
    for (const mapping of [{ Who: 'name' }, { Wer: 'colour' }, { Wer: 'name', Nr: 'name' }])
      expect((await check(club, csv, { mapping })).errors[0].path).toMatch(/^mapping/);
  });

  it('counts on its page what it would do with each row, and the button says how many changes that is', async () => {
    await using club = await openClub();
    await apply(club, `${FILE}4,Dan,dan@home.example,full,2020-01-01\n`);
    const file = `${FILE.replace('Cleo,cleo', 'Cleo Roe,cleo')}7,Eve,eve@home.example,full,2026-01-01
8,Fay,fay@home.example,full,2026-01-01
9,Gus,no address,full,2026-01-01
,Dan,,full,2020-01-01
`;
    const made = await check(club, file);
    expect(made.counts).toEqual(counts({ new: 2, changed: 1, same: 2, unclear: 1, invalid: 1 }));
    const answer = await club.service.submit('/admin/people/import', { csv: file }, club.sam);
    const text = pageText(answer.body);
    const figures = Object.fromEntries(
      ['New', 'Changed', 'The same', 'Perhaps the same', 'Cannot be read', 'Not in the list'].map((label) => [
        label,
        Number(new RegExp(` ${label} (\\d+) `).exec(text)?.[1]),
      ]),
    );
    expect(figures).toEqual({
      New: 2,
      Changed: 1,
      'The same': 2,
      'Perhaps the same': 1,
      'Cannot be read': 1,
      'Not in the list': 0,
    });
    expect(text).toContain('Apply 3 changes and what was chosen');
    const without = await club.service.submit(
      '/admin/people/import',
      { csv: FILE, end_missing: '2026-10-31' },
      club.sam,
    );
    const missing = pageText(without.body);
    expect(missing).toContain('Apply 1 change');
    expect(missing).toContain('The membership of 1 person who is not in the list ends');
  });

  it('ends the standing of missing people if requested', async () => {
    await using club = await openClub();
    await apply(club, FILE);
    const without = FILE.replace(/^2,.*\n/m, '');
    const seen = await apply(club, without);
    expect(seen.counts).toEqual(counts({ same: 2, missing: 1 }));
    expect(seen.rows.at(-1)).toMatchObject({ line: null, state: 'missing', name: 'Bob Doe' });
    expect(seen.batch).toBeNull();
    const ended = await apply(club, without, { end_missing: '2026-10-31' });
    expect(ended.counts).toEqual(counts({ same: 2, missing: 1 }));
    const [bob] = (await club.call('GET', 'people?q=bob&on=2026-10-31')).body.people;
    expect(bob.standing).toEqual({ kind: 'full', first_day: '2021-02-03', last_day: '2026-10-31' });
    expect((await apply(club, without, { end_missing: '2026-10-31' })).batch).toBeNull();
  });

  it('does not change addresses of staff, except for officers who may change roles', async () => {
    await using club = await openClub();
    const olga = await appoint(club.service, 'olga@club.example', 'owner');
    const csv = 'number,name,email\n1,Olga,olga@club.example\n';
    const [{ id }] = (await club.call('GET', 'people?q=olga')).body.people;
    await club.call('PATCH', `people/${id}`, { version: 1, number: '1', name: 'Olga' });
    const evil = csv.replace('olga@', 'mallory@');
    expect((await check(club, evil)).rows[0].reason).toContain(message('staff_keep_addresses'));
    const own = await club.call('POST', 'people/import', { csv: evil, dry_run: true }, olga);
    expect(states(own.body)).toEqual(['changed']);
  });

  it.each([
    ['another address', 'mallory@club.example', ''],
    ['a further address', 'otto@club.example;mallory@club.example', ''],
    ['another address with a new note', 'mallory@club.example', 'Plays the piano'],
  ])(
    'with the two-person rule gives nobody with a role %s, and the rest is applied',
    async (_, email, note) => {
      await using club = await openClub();
      const { service } = club;
      const olga = await appoint(service, 'olga@club.example', 'owner');
      const otto = await appoint(service, 'otto@club.example', 'officer');
      const ann = await club.add({ name: 'Ann', number: '9' });
      const [stored] = (await club.call('GET', 'people?q=otto')).body.people;
      await club.call('PATCH', `people/${stored.id}`, { version: 1, number: '2', name: 'Otto' });
      const csv = `number,name,email,note\n2,Otto,${email},${note}\n9,Ann,ann@home.example,\n`;
      const importAs = async (who: Record<string, string>, options: object) =>
        (await club.call('POST', 'people/import', { csv, dry_run: true, ...options }, who)).body;
      const addressesOf = async (id: string) =>
        (await club.call('GET', `people/${id}`)).body.addresses.map((one: { email: string }) => one.email);
      const { check } = await importAs(olga, {});
      expect(states(await importAs(olga, {}))).toEqual(['changed', 'changed']);
      await service.ctx.write((tx) => storeTwoPeople(tx, true, service.clock.now));

      const dry = await importAs(olga, {});
      expect(states(dry)).toEqual(['invalid', 'changed']);
      expect(dry.rows[0].reason).toContain('A second person has to confirm');
      // Also with the check of a dry run before the rule was on.
      await importAs(olga, { dry_run: false, check });

      expect(await addressesOf(stored.id)).toEqual(['otto@club.example']);
      expect(await addressesOf(ann.id)).toEqual(['ann@home.example']);
      expect((await service.get('/admin', otto)).statusCode).toBe(200);
    },
  );

  it('needs the permission to change the roll', async () => {
    await using club = await openClub();
    const otto = await appoint(club.service, 'otto@club.example', 'officer');
    const refused = await club.call('POST', 'people/import', { csv: FILE, dry_run: true }, otto);
    expect(refused.body.permission).toBe('people:write');
  });
});

describe('undoing an import', () => {
  it('restores everybody', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann', number: '1', groups: ['Board'] });
    const before = (await club.call('GET', `people/${ann.id}`)).body;
    const { batch } = await apply(club, FILE);
    expect((await club.call('GET', 'people')).body.total).toBe(4);
    const undone = await club.call('POST', `people/import/${batch}/undo`);
    expect(undone.body).toEqual({ ok: true, batch, people: 3 });
    expect((await club.call('GET', 'people')).body.total).toBe(2);
    expect((await club.call('GET', `people/${ann.id}`)).body).toEqual({ ...before, version: 3 });
    expect((await club.call('POST', `people/import/${batch}/undo`)).status).toBe(409);
    for (const unknown of ['99', 'x'])
      expect((await club.call('POST', `people/import/${unknown}/undo`)).status).toBe(404);
  });

  it('is refused once somebody was edited, got a role, or 30 days have passed', async () => {
    await using club = await openClub();
    const { batch } = await apply(club, FILE);
    const undo = () => club.call('POST', `people/import/${batch}/undo`);
    const [cleo] = (await club.call('GET', 'people?q=cleo')).body.people;
    await club.call('PATCH', `people/${cleo.id}`, { version: 1, called: 'C' });
    expect([(await undo()).status, (await undo()).body.error]).toEqual([
      409,
      expect.stringContaining('1 person'),
    ]);
    const second = await apply(club, 'number,name\n8,Dan\n9,Eve\n');
    const [dan] = (await club.call('GET', 'people?q=dan')).body.people;
    await club.call('PATCH', `people/${dan.id}`, { version: 1, addresses: [{ email: 'dan@home.example' }] });
    expect((await club.call('POST', `people/import/${second.batch}/undo`)).status).toBe(409);
    const third = await apply(club, 'number,name,email\n10,Fay,fay@home.example\n');
    await appoint(club.service, 'fay@home.example', 'dj');
    expect((await club.call('POST', `people/import/${third.batch}/undo`)).status).toBe(409);
    const fourth = await apply(club, 'number,name\n11,Gus\n');
    club.service.clock.now += 31 * 24 * 3_600_000;
    expect((await club.call('POST', `people/import/${fourth.batch}/undo`)).status).toBe(409);
  });
});

test('names that differ in a vowel sign, a tone or a voicing mark are different people', async () => {
  await using club = await openClub();
  await club.add({ name: 'रीना शर्मा', addresses: [{ email: 'sharma@home.example' }] });

  const other = await check(club, 'name,email\nराना शर्मा,sharma@home.example\n');
  const family =
    'name,email\nかさ,kasa@home.example\nがさ,kasa@home.example\nบา,kasa@home.example\nบ่า,kasa@home.example\n';
  const both = await check(club, family);
  const again = await check(club, 'name,email\nरीना शर्मा,sharma@home.example\n');
  const found = await club.call('GET', `people?q=${encodeURIComponent('राना')}`);

  expect(states(other)).toEqual(['unclear']);
  expect(states(both)).toEqual(['new', 'new', 'new', 'new']);
  expect(states(again)).toEqual(['same']);
  expect(found.body.total).toBe(0);
});

test('a name that differs in an accent only is asked about, and is found by searching', async () => {
  await using club = await openClub();
  await club.add({ name: 'Zoë Åberg', addresses: [{ email: 'zoe@home.example' }] });

  const asked = await check(club, 'name,email\nZoe Aberg,zoe@home.example\n');
  const known = await check(club, 'name,email\nZoe\u0308 A\u030aberg,zoe@home.example\n');

  expect([asked, known].map(states)).toEqual([['unclear'], ['same']]);
  expect(asked.rows[0].reason).toBe('Somebody of almost this name is on the roll');
  expect((await club.call('GET', 'people?q=zoe aberg')).body.total).toBe(1);
});

test('imports are audited by counts and the number of the batch', async () => {
  await using club = await openClub();
  const { batch } = await apply(club, FILE);
  await club.call('POST', `people/import/${batch}/undo`);
  const rows = recorded(club.service.ctx).toReversed().slice(0, 2);
  expect(rows.map(({ action, metadata }) => [action, metadata])).toEqual([
    ['people.import_undone', { batch, people: 3, by: 'sam@club.example' }],
    ['people.imported', { batch, created: 3, changed: 0, ended: 0, by: 'sam@club.example' }],
  ]);
});

test('why a row is not taken is said in the language of the officer, and to scripts by a code', async () => {
  onTestFinished(addPseudoLanguage());
  await using club = await openClub();
  const csv = 'name,email\nAda,nobody';
  const { rows } = await check(club, csv);
  expect(rows[0]).toMatchObject({
    reason: '“nobody”: Not an e-mail address',
    code: 'import_address',
    params: { text: 'nobody' },
    problem: { code: 'not_address' },
  });
  const own = build.updateTable('persons').set({ language: PSEUDO });
  await club.service.ctx.write((tx) => tx.run(own));
  const { body } = await club.service.submit('/admin/people/import', { csv }, club.sam);
  expect(body).toContain(pseudoText('Cannot be read, and are left out'));
  expect(body).toContain(`⟦“nobody”: ${pseudoText('Not an e-mail address')}⟧`);
});
