import { describe, expect, it } from 'vitest';
import { type Club, openClub } from '#test/support/people/roll.ts';

const check = async (club: Club, csv: string, more: object = {}) =>
  (await club.call('POST', 'people/import', { csv, dry_run: true, ...more })).body;
const apply = async (club: Club, csv: string, more: object = {}) => {
  const { check: seen } = await check(club, csv, more);
  return (await club.call('POST', 'people/import', { csv, dry_run: false, check: seen, ...more })).body;
};
const kindsOf = async (club: Club) => {
  const { people } = (await club.call('GET', 'people')).body;
  return Object.fromEntries(
    people.map(({ name, standing }: { name: string; standing?: { kind: string } }) => [name, standing?.kind]),
  );
};
const idOf = async (club: Club, named: string) =>
  (await club.call('GET', 'kinds')).body.kinds.find(({ name }: { name: string }) => name === named).id;

describe('an import asks', () => {
  it('what a column holds that it does not know, the likely meaning first', async () => {
    await using club = await openClub();
    const csv = 'Name,Sparte,Wohnort\nAnn,full,Kiel\nBob,full,Ulm\nCid,honorary,Bonn\nDee,full,Trier\n';
    const asked = await check(club, csv);
    expect(asked.questions).toMatchObject([
      { column: 'Sparte', ask: 'meaning', likely: true },
      { column: 'Wohnort', ask: 'meaning', likely: false },
    ]);
    expect(asked.questions[0].options[0]).toBe('kind');
    expect(asked.questions[1].options).toContain('');

    const answers = { Sparte: 'kind', Wohnort: '' };
    const settled = await check(club, csv, { answers });
    expect([settled.questions, settled.counts.new]).toEqual([[], 4]);
    expect((await apply(club, csv, { answers })).counts.new).toBe(4);
    expect(await kindsOf(club)).toMatchObject({ Ann: 'full', Cid: 'honorary' });
  });

  it('which column has the names, and nothing is compared before', async () => {
    await using club = await openClub();
    const csv = 'Ref,Benaming,Mail\nx1,Ann de Wit,ann@club.example\nx2,Bob,bob@club.example\n';
    const asked = await check(club, csv);
    expect(asked.questions[0]).toMatchObject({ column: 'Benaming', ask: 'name', likely: true });
    const answers = { Benaming: 'name', Ref: '', kind: 'none' };
    expect(await check(club, csv, { answers })).toMatchObject({ counts: { new: 2 }, questions: [] });
  });

  it('whether the day or the month comes first, once for the list', async () => {
    await using club = await openClub();
    const csv = 'Name,Kind,Joined\nAnn,full,03/04/2020\nBob,full,05/06/2021\n';
    const asked = await check(club, csv);
    expect(asked.questions).toEqual([{ column: 'Joined', ask: 'date_order', options: ['dmy', 'mdy'] }]);
    const { rows, questions } = await check(club, csv, { answers: { Joined: 'mdy' } });
    expect([rows[0].after.standings[0].first_day, questions]).toEqual(['2020-03-04', []]);
    expect((await check(club, csv.replace('05/06', '25/06'))).questions).toEqual([]);
  });

  it('which kinds are meant that the club does not have; new ones are made with the import', async () => {
    await using club = await openClub();
    const csv = 'Name,Category\nAnn,Gold\nBob,Guest\nCid,gold\nDee,full\n';
    const asked = await check(club, csv);
    expect(asked.questions).toMatchObject([{ column: 'Category', ask: 'kind', values: ['gold', 'Guest'] }]);
    const full = await idOf(club, 'full');
    expect(asked.questions[0].options).toEqual(expect.arrayContaining([full, 'vote', 'no vote']));

    const answers = { Category: { Gold: 'vote', Guest: full } };
    expect(await check(club, csv, { answers })).toMatchObject({
      questions: [],
      counts: { new: 4, invalid: 0 },
    });
    expect((await club.call('GET', 'kinds')).body.kinds).toHaveLength(3);
    await apply(club, csv, { answers });
    expect(await kindsOf(club)).toEqual({ Ann: 'Gold', Bob: 'full', Cid: 'Gold', Dee: 'full' });
    const other = 'Name,Category\nEve,Silver\nFay,Bronze\n';
    await apply(club, other, { answers: { Category: full } });
    expect(await kindsOf(club)).toMatchObject({ Eve: 'full', Fay: 'full' });
  });

  it('once which kind of members a list without kinds has', async () => {
    await using club = await openClub();
    const full = await idOf(club, 'full');
    await club.add({ name: 'Zoe', standing: { kind: 'honorary', first_day: '2020-01-01' } });
    const csv = 'Name,Joined\nAnn,2020-01-01\nBob,2021-01-01\nZoe,2019-01-01\n';
    const asked = await check(club, csv);
    expect(asked.questions).toMatchObject([{ column: 'kind', ask: 'kind' }]);
    expect(asked.questions[0].options).toEqual(expect.arrayContaining([full, 'none']));
    const zoe = asked.rows.find(({ name }: { name: string }) => name === 'Zoe').line;
    const decided = { [zoe]: (await club.call('GET', 'people?q=zoe')).body.people[0].id };

    const settled = { answers: { kind: full }, decisions: decided };
    expect(await check(club, csv, settled)).toMatchObject({ questions: [], counts: { new: 2, changed: 1 } });
    await apply(club, csv, settled);
    expect(await kindsOf(club)).toEqual({ Ann: 'full', Bob: 'full', Zoe: 'honorary' });
  });

  it('nothing where the club has one kind: people without a membership get it', async () => {
    await using club = await openClub();
    for (const named of ['honorary', 'suspended'])
      await club.call('DELETE', `kinds/${await idOf(club, named)}`);
    const { questions } = await check(club, 'Name\nAnn\nBob\n');
    expect(questions).toEqual([]);
    await apply(club, 'Name\nAnn\nBob\n');
    expect(await kindsOf(club)).toEqual({ Ann: 'full', Bob: 'full' });
    expect((await check(club, 'Name\nAnn\nBob\n')).questions).toEqual([]);
  });

  it.each([
    ['en', 'Member'],
    ['de', 'Mitglied'],
  ])('a club (%s) without kinds can make one in place: %s', async (language, kind) => {
    await using club = await openClub({ CLUB_LANGUAGE: language });
    for (const named of ['full', 'honorary', 'suspended'])
      await club.call('DELETE', `kinds/${await idOf(club, named)}`);
    const csv = 'Name\nAnn\n';
    expect((await check(club, csv)).questions).toMatchObject([
      { column: 'kind', options: ['vote', 'no vote', 'none'] },
    ]);
    await apply(club, csv, { answers: { kind: 'vote' } });
    expect(await kindsOf(club)).toEqual({ Ann: kind });
  });
});

it.each([
  [{ Nowhere: 'name' }, 'answers.Nowhere'],
  [{ kind: 'platinum' }, 'kind'],
  [{ Name: 'name', Sparte: 'name' }, 'mapping.Sparte'],
])('the answer %o is refused', async (answers, path) => {
  await using club = await openClub();
  const { body, status } = await club.call('POST', 'people/import', {
    csv: 'Name,Sparte\nAnn,x\nBob,y\n',
    dry_run: true,
    answers,
  });
  expect([status, body.errors[0].path]).toEqual([400, path]);
});
