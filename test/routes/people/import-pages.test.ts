import { describe, expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';

const CSV =
  'Nr;Name;E-Mail;Art\n1;Ann <Doe>;ann@home.example;full\n;Bob Doe;bob@home.example;\n;;x@home.example;\n';

/** Submits the form of the import as a browser does. Returns the relevant parts of the response. */
async function submit(club: Club, fields: Record<string, string>, bytes?: Uint8Array) {
  const form = new FormData();
  form.append('csv', new File(bytes ? [new Uint8Array(bytes)] : [], bytes ? 'list.csv' : ''));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const encoded = new Response(form);
  const answer = await club.service.request({
    method: 'POST',
    url: '/admin/people/import',
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', accept: 'text/html', ...club.sam },
  });
  return { status: answer.statusCode, body: answer.body, location: answer.headers.location };
}

/** The fields of the form on the comparison page, as a browser would send them back. */
function fieldsOf(body: string): Record<string, string> {
  const unescaped = (text = '') =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const hidden = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name = '', value]) => [name, unescaped(value)],
  );
  const selects = [...body.matchAll(/<select[^>]* name="([^"]+)".*?<\/select>/gs)].map(
    ([select, name = '']) => [name, unescaped(/<option value="([^"]*)" selected>/.exec(select)?.[1])],
  );
  return Object.fromEntries([...hidden, ...selects]);
}

it('the import page compares a list, uses the officer’s choices, applies it, and undoes it', async () => {
  await using club = await openClub();
  const bob = await club.add({ name: 'Bob Doe', number: '7' });
  const compared = await submit(club, { csv: CSV, dry_run: 'true', end_missing: '' });
  expect(compared.status).toBe(200);
  for (const text of ['Ann &lt;Doe&gt;', 'Somebody of this name is on the roll', 'No name', 'Apply 1 change'])
    expect(compared.body).toContain(text);
  expect((await club.call('GET', 'people')).body.total).toBe(2);

  const fields = { ...fieldsOf(compared.body), 'decisions.3': bob.id, dry_run: 'false' };
  const applied = await submit(club, fields);
  expect([applied.status, applied.location]).toEqual([303, '/admin/people/import?done=applied']);
  expect((await club.call('GET', `people/${bob.id}`)).body.addresses[0].email).toBe('bob@home.example');
  const page = await club.service.get('/admin/people/import?done=applied', {
    ...club.sam,
    accept: 'text/html',
  });
  expect(page.body).toContain('The import was applied.');
  expect(page.body).toContain('1 person added, 1 changed, 0 ended');
  // Sam is the secretary, who goes on to call a meeting.
  const main = page.body.slice(page.body.indexOf('<main'));
  expect(main).toContain('href="/admin/meetings/new"');
  const later = await club.service.get('/admin/people/import', { ...club.sam, accept: 'text/html' });
  expect(later.body.slice(later.body.indexOf('<main'))).not.toContain('href="/admin/meetings/new"');

  const undone = await club.service.submit('/admin/people/import/1/undo', {}, club.sam);
  expect(undone.headers.location).toBe('/admin/people/import?done=undone');
  const again = await club.service.submit('/admin/people/import/1/undo', {}, club.sam);
  expect([again.statusCode, again.body.includes('It was undone already')]).toEqual([409, true]);
});

it('the import page shows the comparison again if the roll has changed since', async () => {
  await using club = await openClub();
  const compared = await submit(club, { dry_run: 'true' }, Buffer.from(CSV, 'latin1'));
  await club.add({ name: 'Eve' });
  const late = await submit(club, { ...fieldsOf(compared.body), dry_run: 'false' });
  expect(late.status).toBe(409);
  expect(late.body).toContain('Nothing was changed yet');
  expect((await submit(club, { ...fieldsOf(late.body), dry_run: 'false' })).status).toBe(303);
});

it('the import page says in words when the memberships of missing people end', async () => {
  await using club = await openClub();
  const csv = 'Nr;Name;Art\n1;Ann Doe;full\n2;Bob Doe;full\n';
  const compared = await submit(club, { csv, dry_run: 'true' });
  await submit(club, { ...fieldsOf(compared.body), dry_run: 'false' });
  const without = csv.replace('2;Bob Doe;full\n', '');
  const { body } = await submit(club, { csv: without, dry_run: 'true', end_missing: '2026-12-31' });
  expect(body).toContain('not in the list ends on Thu, Dec 31, 2026.');
});

it('the import page reads the columns as the officer chooses', async () => {
  await using club = await openClub();
  const compared = await submit(club, { csv: CSV, dry_run: 'true' });
  const fields = { ...fieldsOf(compared.body), 'mapping.E-Mail': 'note' };
  const again = await submit(club, { ...fields, dry_run: 'true' });
  expect(fieldsOf(again.body)['mapping.E-Mail']).toBe('note');
  await submit(club, { ...fieldsOf(again.body), dry_run: 'false' });
  const [ann] = (await club.call('GET', 'people?q=ann')).body.people;
  expect((await club.call('GET', `people/${ann.id}`)).body).toMatchObject({
    addresses: [],
    note: 'ann@home.example',
  });
});

it('the import page shows a list that it cannot read again, with the reason', async () => {
  await using club = await openClub();
  const { status, body } = await submit(club, {
    csv: 'colour\nred\n',
    dry_run: 'true',
    end_missing: '2026-01-01',
  });
  expect(status).toBe(400);
  expect(body).toContain('no column holds names');
  expect(body).toContain('colour\r\nred');
  expect(body).toContain('value="2026-01-01"');
  expect((await submit(club, { dry_run: 'true' })).body).toContain('href="#csv"');
});

it('a column that is not recognised is named once, with the selects to say what it holds', async () => {
  await using club = await openClub();

  const unnamed = await submit(club, { csv: 'Benaming;E-mailadres\nAnn;ann@club.example', dry_run: 'true' });
  const odd = await submit(club, {
    csv: 'Name;Sparte;Joined\nAnn;full;2020-01-01\nBob;full;2021-01-01',
    dry_run: 'true',
  });
  const told = await submit(club, { ...fieldsOf(odd.body), 'mapping.Sparte': 'kind', dry_run: 'true' });

  expect(unnamed.body).toMatch(/<details open>[\s\S]*name="mapping.Benaming"/);
  expect(odd.body).toContain('“Sparte” is not read');
  expect(odd.body).toContain('2 rows wait for an answer');
  expect(odd.body).toMatch(/<details open>[\s\S]*name="mapping.Sparte"/);
  expect(odd.body).not.toContain('A day without a kind');
  expect(told.body).not.toContain('is not read');
  expect(told.body).toContain('2 people have no address');
});

it('the import page asks about all unknown kinds of membership at once', async () => {
  await using club = await openClub();
  const csv = 'Name;Membership\nAnn;gold\nBob;guest\nCid;Full (2026)\nDee;full\nEve;Gold\nFay;x.y\n';
  const compared = await submit(club, { csv, dry_run: 'true' });
  expect(compared.body.match(/<select[^>]* name="kinds\./g)).toHaveLength(4);

  const full = (await club.call('GET', 'kinds')).body.kinds.find(
    ({ name }: { name: string }) => name === 'full',
  );
  const chosen = { 'kinds.Gold': 'vote', 'kinds.guest': 'no vote', 'kinds.Full (2026)': full.id };
  const again = await submit(club, { ...fieldsOf(compared.body), ...chosen, dry_run: 'false' });

  // The answers can still be changed; nothing is made before the import is applied.
  expect([again.status, fieldsOf(again.body)]).toMatchObject([409, { ...chosen, 'kinds.x.y': '' }]);
  expect((await club.call('GET', 'kinds')).body.kinds).toHaveLength(3);
  expect((await club.call('GET', 'people')).body.total).toBe(1);
  const applied = await submit(club, { ...fieldsOf(again.body), dry_run: 'false' });
  expect(applied.location).toBe('/admin/people/import?done=applied');
  const { people } = (await club.call('GET', 'people')).body;
  const kindOf = (named: string) =>
    people.find(({ name }: { name: string }) => name === named)?.standing?.kind;
  expect(['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay'].map(kindOf)).toEqual([
    'Gold',
    'guest',
    'full',
    'full',
    'Gold',
    undefined,
  ]);
  expect((await club.call('GET', 'kinds')).body.kinds).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'Gold', votes: true }),
      expect.objectContaining({ name: 'guest', votes: false }),
    ]),
  );
});

it('the import page lets the kind of a whole list be changed until it is applied', async () => {
  await using club = await openClub();
  const { kinds } = (await club.call('GET', 'kinds')).body;
  const idOf = (named: string) => kinds.find(({ name }: { name: string }) => name === named).id;
  const asked = await submit(club, { csv: 'Name\nAnn\nBob\n', dry_run: 'true' });
  expect(fieldsOf(asked.body)).toHaveProperty('kind', '');
  const first = await submit(club, { ...fieldsOf(asked.body), kind: idOf('honorary'), dry_run: 'true' });
  expect(fieldsOf(first.body).kind).toBe(idOf('honorary'));
  const second = await submit(club, { ...fieldsOf(first.body), kind: idOf('full'), dry_run: 'true' });
  const applied = await submit(club, { ...fieldsOf(second.body), dry_run: 'false' });

  expect(applied.location).toBe('/admin/people/import?done=applied');
  const { people } = (await club.call('GET', 'people?q=ann')).body;
  expect(people[0].standing.kind).toBe('full');
});

describe('the columns of a list', () => {
  const csv = 'Name;Erika;Seit;Art\nAnn;7;03/04/2020;full\n';
  const chosen = { 'mapping.Erika': 'number', 'mapping.Art': 'kind', date_order: 'mdy', dry_run: 'true' };
  const LAST_TIME = 'Columns as last time';
  /** Imports a list with these headers, read as the officer chose. */
  const importOnce = async (club: Club) => {
    const first = await submit(club, { csv, dry_run: 'true' });
    expect(first.body).not.toContain(LAST_TIME);
    const compared = await submit(club, { ...fieldsOf(first.body), ...chosen });
    expect(compared.body).not.toContain(LAST_TIME);
    const applied = await submit(club, { ...fieldsOf(compared.body), dry_run: 'false' });
    expect(applied.location).toBe('/admin/people/import?done=applied');
  };

  it('are read as last time, including the order of days, for a list with the same headers', async () => {
    await using club = await openClub();
    await importOnce(club);
    const again = await submit(club, { csv: `${csv}Bob;8;05/06/2021;full\n`, dry_run: 'true' });
    expect(again.body).toContain(LAST_TIME);
    expect(fieldsOf(again.body)).toMatchObject({
      'mapping.Name': 'name',
      'mapping.Erika': 'number',
      'mapping.Seit': 'first_day',
      'mapping.Art': 'kind',
      date_order: 'mdy',
    });
    const applied = await submit(club, { ...fieldsOf(again.body), dry_run: 'false' });
    expect(applied.location).toBe('/admin/people/import?done=applied');
    const [bob] = (await club.call('GET', 'people?q=bob')).body.people;
    expect(bob).toMatchObject({ number: '8', standing: { kind: 'full', first_day: '2021-05-06' } });
  });

  it('are read and remembered differently once the officer changes them', async () => {
    await using club = await openClub();
    await importOnce(club);
    const again = await submit(club, { csv, dry_run: 'true' });
    const other = { ...fieldsOf(again.body), 'mapping.Erika': '', date_order: 'dmy' };
    const compared = await submit(club, { ...other, dry_run: 'true' });
    expect(compared.body).not.toContain(LAST_TIME);
    expect(fieldsOf(compared.body)).toMatchObject({ 'mapping.Erika': '', date_order: 'dmy' });
    await submit(club, { ...fieldsOf(compared.body), dry_run: 'false' });
    const third = fieldsOf((await submit(club, { csv, dry_run: 'true' })).body);
    expect(third).toMatchObject({ 'mapping.Erika': '', date_order: 'dmy' });
  });

  it('show the order of days themselves if that is unambiguous', async () => {
    await using club = await openClub();
    await importOnce(club);
    const clear = await submit(club, { csv: csv.replace('03/04', '30/04'), dry_run: 'true' });
    expect(fieldsOf(clear.body)).toMatchObject({ 'mapping.Erika': 'number', date_order: 'dmy' });
  });

  it('are read by their headers in a different list, and in the API', async () => {
    await using club = await openClub();
    await importOnce(club);
    const other = await submit(club, { csv: csv.replace('Seit', 'Beginn'), dry_run: 'true' });
    expect(other.body).not.toContain(LAST_TIME);
    const { body } = await club.call('POST', 'people/import', { csv, dry_run: true });
    expect(body.columns[1]).toEqual({ header: 'Erika', field: null });
    expect(body.date_order).toBeUndefined();
  });

  it('are remembered without storing the text of the header line', async () => {
    await using club = await openClub();
    await importOnce(club);
    const stored = JSON.stringify(club.service.ctx.db.all(build.selectFrom('settings').selectAll()));
    expect(stored).toContain('number');
    expect(stored).not.toContain('Erika');
  });
});
