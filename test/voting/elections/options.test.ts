import { describe, expect, it } from 'vitest';
import { verifyAudit } from '#kernel/db/audit.ts';
import { eraseFromAudit } from '#kernel/db/audit-personal.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  auditOf,
  cast,
  page,
  send,
} from '#test/support/factories.ts';
import { errorJson, fieldJson, message, refusal } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const open = sharedApp();

type Kind = 'candidate' | 'option';

const urlOf = (kind: Kind, id: string) => `/admin/elections/${id}/${kind}s`;
const add = (service: TestApp, kind: Kind, id: string, body: object) => service.post(urlOf(kind, id), body);
const remove = (service: TestApp, kind: Kind, id: string, optionId: string | undefined) =>
  send(service, 'DELETE', `${urlOf(kind, id)}/${optionId}`);
const listed = async (service: TestApp, kind: Kind, id: string) =>
  (await service.get(urlOf(kind, id))).json()[`${kind}s`];
const namesOf = async (service: TestApp, kind: Kind, id: string) =>
  (await listed(service, kind, id)).map(({ name }: { name: string }) => name);

/** A ranked election or a poll with these names. */
const addWith = (service: TestApp, kind: Kind, names: string[]) =>
  kind === 'candidate' ? addRanked(service, names) : addPoll(service, names);
const toBallotBody = (kind: Kind, ids: Record<string, string>) =>
  kind === 'candidate' ? { ranking: Object.values(ids) } : { selected_option: Object.values(ids)[0] };
const routeOf = (kind: Kind) => (kind === 'candidate' ? 'vote' : 'vote/poll');

describe.each<Kind>(['candidate', 'option'])('a %s', (kind) => {
  it('is appended, or put where display_order says, and listed in that order', async () => {
    const service = await open();
    const { id } = await addWith(service, kind, ['Ann', 'Bob']);

    const last = await add(service, kind, id, { name: ' Cid ' });
    await add(service, kind, id, { name: 'Zoe', display_order: 0 });
    await add(service, kind, id, { name: 'Mia', display_order: '2' });

    expect(last.statusCode).toBe(200);
    expect(last.json()).toMatchObject({ id: expect.any(String), name: 'Cid', display_order: 3 });
    expect(await listed(service, kind, id)).toMatchObject([
      { name: 'Zoe', display_order: 0, editable: true },
      { name: 'Ann', display_order: 1, editable: true },
      { name: 'Bob', display_order: 2 },
      { name: 'Mia', display_order: 2 },
      { id: last.json().id, name: 'Cid', display_order: 3, editable: true },
    ]);
    expect((await service.get(`/e/${id}`)).json().election[`${kind}s`]).toHaveLength(5);
    expect((await auditOf(service, id)).at(-1)).toMatchObject({
      action: `${kind}.added`,
      metadata: { name: 'Mia' },
    });
  });

  it('can have a text, which voters unfold on its page', async () => {
    const service = await open();
    const { id } = await addWith(service, kind, ['Ann', 'Bob']);

    const added = await add(service, kind, id, { name: 'Cid', text: ' Cooks on Fridays.\r\nHas a van. ' });
    const blank = await add(service, kind, id, { name: 'Dee', text: ' ' });
    const form = await service.submit(urlOf(kind, id), { name: 'Eve', display_order: '', text: 'Sings.' });
    const refused = await service.submit(urlOf(kind, id), { name: 'Fay', text: 'x'.repeat(601) });

    expect(added.json()).toMatchObject({ name: 'Cid', text: 'Cooks on Fridays.\nHas a van.' });
    expect(blank.json().text).toBeNull();
    expect(form.headers.location).toBe(`/admin/elections/${id}/ballot?done=${kind}-added#${kind}s`);
    expect((await listed(service, kind, id)).map(({ text }: { text: string | null }) => text)).toEqual([
      null,
      null,
      'Cooks on Fridays.\nHas a van.',
      null,
      'Sings.',
    ]);
    expect((await page(service, `/e/${id}`)).body).toContain('Sings.');
    const entry = (await auditOf(service, id)).filter(({ action }) => action === `${kind}.added`).at(-1);
    expect(entry?.metadata).toMatchObject({ name: 'Eve', text: 'Sings.' });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(`href="#${kind}s-text"`);
    expect(refused.body).toMatch(/<textarea[^>]* name="text"[^>]*>\nx{601}<\/textarea>/);
  });

  it('has a name that looks like no other', async () => {
    const service = await open();
    const { id } = await addWith(service, kind, ['José Lee', 'Straße']);

    for (const name of [
      'Jose\u0301 Lee',
      'José\u00a0Lee',
      'José  lee',
      'Jo\u00adsé Lee',
      '\u202eJosé Lee',
      'STRASSE',
    ]) {
      const added = await add(service, kind, id, { name });
      expect([name, added.statusCode, added.json().errors]).toEqual([
        name,
        400,
        [fieldJson('name', 'already_exists')],
      ]);
    }
    const added = await add(service, kind, id, { name: 'Jose Lee' });
    const renamed = await send(service, 'PATCH', `${urlOf(kind, id)}/${added.json().id}`, {
      name: 'JOSÉ LEE',
    });

    expect([added.statusCode, renamed.statusCode]).toEqual([200, 400]);
    expect(await namesOf(service, kind, id)).toEqual(['José Lee', 'Straße', 'Jose Lee']);
  });

  it('is stored without characters that turn its name around or are not drawn', async () => {
    const service = await open();
    const { id } = await addWith(service, kind, ['Ann', 'Bob']);

    await add(service, kind, id, { name: '\u202eevil\u2066\u0081' });
    await add(service, kind, id, { name: 'می\u200cخواهم' });

    expect(await namesOf(service, kind, id)).toEqual(['Ann', 'Bob', 'evil', 'می\u200cخواهم']);
  });

  it('is removed, and audited', async () => {
    const service = await open();
    const { id, ids } = await addWith(service, kind, ['Ann', 'Bob', 'Cid']);

    const answer = await remove(service, kind, id, ids.Bob);

    expect(answer.json()).toEqual({ success: true });
    expect(await namesOf(service, kind, id)).toEqual(['Ann', 'Cid']);
    expect((await auditOf(service, id)).at(-1)).toMatchObject({
      action: `${kind}.removed`,
      metadata: { name: 'Bob' },
    });
  });

  it('can be neither added nor removed once there is a ballot', async () => {
    const service = await open();
    const { id, ids } = await addWith(service, kind, ['Ann', 'Bob', 'Cid']);
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, ...toBallotBody(kind, ids) }, routeOf(kind));

    const added = await add(service, kind, id, { name: 'Zoe' });
    const removed = await remove(service, kind, id, ids.Ann);

    for (const answer of [added, removed]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toEqual({
        ...errorJson('ballots_exist'),
        errors: [fieldJson(`${kind}s`, 'fixed_since_first_ballot')],
      });
    }
    expect(await listed(service, kind, id)).toMatchObject([
      { editable: false },
      { editable: false },
      { editable: false },
    ]);
  });

  it('belongs to its own type of election only', async () => {
    const service = await open();
    const other = await addWith(service, kind === 'candidate' ? 'option' : 'candidate', [
      'Ann',
      'Bob',
      'Cid',
    ]);
    const simple = await addElection(service);

    const answers = [
      await add(service, kind, other.id, { name: 'Zoe' }),
      await remove(service, kind, other.id, other.ids.Ann),
      await add(service, kind, simple, { name: 'Zoe' }),
    ];

    expect(await listed(service, kind, other.id)).toEqual([]);
    expect(await listed(service, kind, simple)).toEqual([]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(answers[0]?.json().error).toMatch(kind === 'candidate' ? /ranked/ : /polls/);
  });

  it('of another election, or with an unknown id, is a 404', async () => {
    const service = await open();
    const { id } = await addWith(service, kind, ['Ann', 'Bob', 'Cid']);
    const other = await addWith(service, kind, ['Ann', 'Bob', 'Cid']);

    const answers = [];
    for (const optionId of [other.ids.Ann, 'nonsense', '01a1ff0c-ee80-7c45-b891-da6da41179b8', '%00']) {
      answers.push(await remove(service, kind, id, optionId));
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(await namesOf(service, kind, other.id)).toEqual(['Ann', 'Bob', 'Cid']);
  });

  it.each<[string, string, object]>([
    ['no name', 'name', {}],
    ['a blank name', 'name', { name: '  ' }],
    ['a name of invisible characters', 'name', { name: '\u200b\u3164\u2800' }],
    ['a name of 301 characters', 'name', { name: 'x'.repeat(301) }],
    ['a name that already exists', 'name', { name: ' Ann ' }],
    ['a name that is no text', 'name', { name: ['Zoe'] }],
    ['an order of one and a half', 'display_order', { name: 'Zoe', display_order: 1.5 }],
    ['a text of 601 characters', 'text', { name: 'Zoe', text: 'x'.repeat(601) }],
    ['a text that is none', 'text', { name: 'Zoe', text: ['Sings'] }],
    ['an order in words', 'display_order', { name: 'Zoe', display_order: 'first' }],
  ])('is refused with %s', async (_what, path, body) => {
    const service = await open();
    const { id } = await addWith(service, kind, ['Ann', 'Bob']);

    const answer = await add(service, kind, id, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe(path);
    expect(await namesOf(service, kind, id)).toEqual(['Ann', 'Bob']);
  });
});

describe('a poll', () => {
  it('keeps at least two options', async () => {
    await using service = await testApp();
    const { id, ids } = await addPoll(service, ['Tea', 'Milk']);

    const answer = await remove(service, 'option', id, ids.Tea);

    expect(answer.statusCode).toBe(400);
    expect(await namesOf(service, 'option', id)).toEqual(['Tea', 'Milk']);
  });
});

describe('a ranked election', () => {
  it('can lose all its candidates, and then accepts no ballot', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann']);
    const [token] = await addTokens(service, id, 1);

    const removed = await remove(service, 'candidate', id, ids.Ann);
    const ballot = await cast(service, id, { token, ranking: [] });

    expect(removed.statusCode).toBe(200);
    expect(ballot.statusCode).toBe(400);
    expect(ballot.json().errors[0].path).toBe('ranking');
  });

  it('has “none of the above” at most once', async () => {
    await using service = await testApp();
    const { id } = await addRanked(service, ['Ann'], { none_of_the_above: true });
    const plain = await addRanked(service, ['Ann']);

    const again = await add(service, 'candidate', id, { name: 'Nobody', is_none_of_the_above: true });
    const first = await add(service, 'candidate', plain.id, { name: 'Nobody', is_none_of_the_above: true });
    const named = await service.post('/admin/elections', {
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

  it('accepts up to a hundred candidates', async () => {
    await using service = await testApp();
    const names = Array.from({ length: 99 }, (_, index) => `Candidate ${index}`);
    const { id } = await addRanked(service, names);

    const answers = [
      await add(service, 'candidate', id, { name: 'A' }),
      await add(service, 'candidate', id, { name: 'B' }),
    ];

    expect(answers.map(refusal)).toEqual([
      [200, undefined],
      [400, message('too_many_candidates', { max: 100 })],
    ]);
  });
});

it('names and texts of candidates are outside the chain, and are erased with the person', async () => {
  await using service = await testApp();
  const { id, ids } = await addRanked(service, ['Ann', 'Bob Builder']);
  await send(service, 'PATCH', `/admin/elections/${id}/candidates/${ids['Bob Builder']}`, {
    text: 'He builds.',
  });
  await send(service, 'PATCH', `/admin/elections/${id}/candidates/${ids.Ann}`, { name: 'Bob Builder II' });
  await send(service, 'DELETE', `/admin/elections/${id}/candidates/${ids['Bob Builder']}`);
  const entries = () =>
    service.ctx.db.all(
      build
        .selectFrom('audit_log')
        .select(['action', 'metadata', 'personal'])
        .where('action', 'like', 'candidate.%'),
    );
  expect(JSON.stringify(entries().map(({ metadata }) => metadata))).not.toMatch(/Bob|builds/);
  await service.ctx.write((tx) => eraseFromAudit(tx, { id: 'a person', emails: [], name: 'Bob Builder' }));
  expect(
    entries().map(({ action, personal }) => [action, personal === null ? null : JSON.parse(personal).from]),
  ).toEqual([
    ['candidate.changed', null],
    ['candidate.changed', { name: 'Ann' }],
    ['candidate.removed', null],
  ]);
  expect(verifyAudit(service.ctx.db).broken).toBeUndefined();
});
