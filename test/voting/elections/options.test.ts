import { describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, auditOf, cast, send } from '#test/support/factories.ts';

type Kind = 'candidate' | 'option';

const urlOf = (kind: Kind, id: string) => `/admin/elections/${id}/${kind}s`;
const add = (house: TestApp, kind: Kind, id: string, body: object) => house.post(urlOf(kind, id), body);
const remove = (house: TestApp, kind: Kind, id: string, optionId: string | undefined) =>
  send(house, 'DELETE', `${urlOf(kind, id)}/${optionId}`);
const listed = async (house: TestApp, kind: Kind, id: string) =>
  (await house.get(urlOf(kind, id))).json()[`${kind}s`];
const namesOf = async (house: TestApp, kind: Kind, id: string) =>
  (await listed(house, kind, id)).map(({ name }: { name: string }) => name);

/** A ranked election or a poll with these names. */
const addWith = (house: TestApp, kind: Kind, names: string[]) =>
  kind === 'candidate' ? addRanked(house, names) : addPoll(house, names);
const toBallotBody = (kind: Kind, ids: Record<string, string>) =>
  kind === 'candidate' ? { ranking: Object.values(ids) } : { selected_option: Object.values(ids)[0] };
const routeOf = (kind: Kind) => (kind === 'candidate' ? 'vote' : 'vote/poll');

describe.each<Kind>(['candidate', 'option'])('a %s', (kind) => {
  it('is appended, or put where display_order says, and listed in that order', async () => {
    await using house = await testApp();
    const { id } = await addWith(house, kind, ['Ann', 'Bob']);

    const last = await add(house, kind, id, { name: ' Cid ' });
    await add(house, kind, id, { name: 'Zoe', display_order: 0 });
    await add(house, kind, id, { name: 'Mia', display_order: '2' });

    expect(last.statusCode).toBe(200);
    expect(last.json()).toMatchObject({ id: expect.any(String), name: 'Cid', display_order: 3 });
    expect(await listed(house, kind, id)).toMatchObject([
      { name: 'Zoe', display_order: 0, editable: true },
      { name: 'Ann', display_order: 1, editable: true },
      { name: 'Bob', display_order: 2 },
      { name: 'Mia', display_order: 2 },
      { id: last.json().id, name: 'Cid', display_order: 3, editable: true },
    ]);
    expect((await house.get(`/e/${id}`)).json().election[`${kind}s`]).toHaveLength(5);
    expect((await auditOf(house, id)).at(-1)).toMatchObject({
      action: `${kind}.added`,
      metadata: { name: 'Mia' },
    });
  });

  it('may differ from another in case alone', async () => {
    await using house = await testApp();
    const { id } = await addWith(house, kind, ['us', 'them']);

    expect((await add(house, kind, id, { name: 'US' })).statusCode).toBe(200);
    expect(await namesOf(house, kind, id)).toEqual(['us', 'them', 'US']);
  });

  it('is removed, and audited', async () => {
    await using house = await testApp();
    const { id, ids } = await addWith(house, kind, ['Ann', 'Bob', 'Cid']);

    const answer = await remove(house, kind, id, ids.Bob);

    expect(answer.json()).toEqual({ success: true });
    expect(await namesOf(house, kind, id)).toEqual(['Ann', 'Cid']);
    expect((await auditOf(house, id)).at(-1)).toMatchObject({
      action: `${kind}.removed`,
      metadata: { name: 'Bob' },
    });
  });

  it('can be neither added nor removed once a ballot is in', async () => {
    await using house = await testApp();
    const { id, ids } = await addWith(house, kind, ['Ann', 'Bob', 'Cid']);
    const [token] = await addTokens(house, id, 1);
    await cast(house, id, { token, ...toBallotBody(kind, ids) }, routeOf(kind));

    const added = await add(house, kind, id, { name: 'Zoe' });
    const removed = await remove(house, kind, id, ids.Ann);

    for (const answer of [added, removed]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ error: 'Ballots exist' });
    }
    expect(await listed(house, kind, id)).toMatchObject([
      { editable: false },
      { editable: false },
      { editable: false },
    ]);
  });

  it('belongs to its own type of election only', async () => {
    await using house = await testApp();
    const other = await addWith(house, kind === 'candidate' ? 'option' : 'candidate', ['Ann', 'Bob', 'Cid']);
    const simple = await addElection(house);

    const answers = [
      await add(house, kind, other.id, { name: 'Zoe' }),
      await remove(house, kind, other.id, other.ids.Ann),
      await add(house, kind, simple, { name: 'Zoe' }),
    ];

    expect(await listed(house, kind, other.id)).toEqual([]);
    expect(await listed(house, kind, simple)).toEqual([]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(answers[0]?.json().error).toMatch(kind === 'candidate' ? /ranked/ : /polls/);
  });

  it('of another election, or none, is a 404', async () => {
    await using house = await testApp();
    const { id } = await addWith(house, kind, ['Ann', 'Bob', 'Cid']);
    const other = await addWith(house, kind, ['Ann', 'Bob', 'Cid']);

    const answers = [];
    for (const optionId of [other.ids.Ann, 'nonsense', '01a1ff0c-ee80-7c45-b891-da6da41179b8', '%00']) {
      answers.push(await remove(house, kind, id, optionId));
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(await namesOf(house, kind, other.id)).toEqual(['Ann', 'Bob', 'Cid']);
  });

  it.each<[string, string, object]>([
    ['no name', 'name', {}],
    ['a blank name', 'name', { name: '  ' }],
    ['a name of 301 characters', 'name', { name: 'x'.repeat(301) }],
    ['a name that is there already', 'name', { name: ' Ann ' }],
    ['a name that is no text', 'name', { name: ['Zoe'] }],
    ['an order of one and a half', 'display_order', { name: 'Zoe', display_order: 1.5 }],
    ['an order in words', 'display_order', { name: 'Zoe', display_order: 'first' }],
  ])('is refused with %s', async (_what, path, body) => {
    await using house = await testApp();
    const { id } = await addWith(house, kind, ['Ann', 'Bob']);

    const answer = await add(house, kind, id, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe(path);
    expect(await namesOf(house, kind, id)).toEqual(['Ann', 'Bob']);
  });
});

describe('a poll', () => {
  it('keeps at least two options', async () => {
    await using house = await testApp();
    const { id, ids } = await addPoll(house, ['Tea', 'Milk']);

    const answer = await remove(house, 'option', id, ids.Tea);

    expect(answer.statusCode).toBe(400);
    expect(await namesOf(house, 'option', id)).toEqual(['Tea', 'Milk']);
  });
});

describe('a ranked election', () => {
  it('may lose all its candidates, and then takes no ballot', async () => {
    await using house = await testApp();
    const { id, ids } = await addRanked(house, ['Ann']);
    const [token] = await addTokens(house, id, 1);

    const removed = await remove(house, 'candidate', id, ids.Ann);
    const ballot = await cast(house, id, { token, ranking: [] });

    expect(removed.statusCode).toBe(200);
    expect(ballot.statusCode).toBe(400);
    expect(ballot.json().errors[0].path).toBe('ranking');
  });

  it('has none of the above once', async () => {
    await using house = await testApp();
    const { id } = await addRanked(house, ['Ann'], { none_of_the_above: true });
    const plain = await addRanked(house, ['Ann']);

    const again = await add(house, 'candidate', id, { name: 'Nobody', is_none_of_the_above: true });
    const first = await add(house, 'candidate', plain.id, { name: 'Nobody', is_none_of_the_above: true });
    const named = await house.post('/admin/elections', {
      title: 'Chair',
      ballot_type: 'RANKED_CONDORCET',
      open_at: '2026-11-21T10:00',
      close_at: '2026-11-22T10:00',
      candidates: ['Ann', 'None of the Above'],
      none_of_the_above: true,
    });

    expect(again.statusCode).toBe(400);
    expect(again.json().errors[0].path).toBe('is_none_of_the_above');
    expect(first.json()).toMatchObject({ name: 'Nobody', is_none_of_the_above: true });
    expect(named.statusCode).toBe(400);
    expect(named.json().errors[0].path).toBe('candidates');
  });

  it('takes up to a hundred candidates', async () => {
    await using house = await testApp();
    const names = Array.from({ length: 99 }, (_, index) => `Candidate ${index}`);
    const { id } = await addRanked(house, names);

    const answers = [
      await add(house, 'candidate', id, { name: 'A' }),
      await add(house, 'candidate', id, { name: 'B' }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400]);
  });
});
