import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, auditOf, cast, page, send } from '#test/support/factories.ts';

const generate = (house: TestApp, id: string, body: object) =>
  house.post(`/admin/elections/${id}/tokens`, body);
const batchesOf = async (house: TestApp, id: string) =>
  (await house.get(`/admin/elections/${id}/tokens`)).json().batches;
const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('generating tokens', () => {
  it.each([
    ['one', 1, 1],
    ['a thousand', 1_000, 1_000],
    ['as many as a form says in digits', '5', 5],
  ])('makes %s, each a random id of its own', async (_what, count, made) => {
    await using house = await testApp();
    const id = await addElection(house);

    const answer = await generate(house, id, { count, batch_name: ' Hall ' });

    expect(answer.statusCode).toBe(200);
    const { tokens, ...rest } = answer.json();
    expect(rest).toEqual({
      batch_name: 'Hall',
      count: made,
      warning: expect.stringMatching(/shown only once/),
    });
    expect(new Set(tokens).size).toBe(made);
    for (const token of tokens) expect(token).toMatch(V4);
    expect((await auditOf(house, id)).at(-1)).toMatchObject({
      action: 'tokens.generated',
      metadata: { count: made, batch_name: 'Hall' },
    });
  });

  it.each<[string, object]>([
    ['0', { count: 0 }],
    ['1,001', { count: 1_001 }],
    ['a negative number', { count: -1 }],
    ['a fraction', { count: 1.5 }],
    ['a fraction in digits', { count: '1.5' }],
    ['a word', { count: 'abc' }],
    ['an empty text', { count: '' }],
    ['a list', { count: [5] }],
    ['nothing', {}],
    ['null', { count: null }],
    ['true', { count: true }],
  ])('refuses a count of %s', async (_what, body) => {
    await using house = await testApp();
    const id = await addElection(house);

    const answer = await generate(house, id, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('count');
    expect(await batchesOf(house, id)).toEqual([]);
  });

  it('takes a batch name of 200 characters and refuses one of 201', async () => {
    await using house = await testApp();
    const id = await addElection(house);

    const taken = await generate(house, id, { count: 1, batch_name: 'x'.repeat(200) });
    const refused = await generate(house, id, { count: 1, batch_name: 'x'.repeat(201) });

    expect(taken.json().batch_name).toBe('x'.repeat(200));
    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors[0].path).toBe('batch_name');
  });

  it('is possible before voting begins, and refused once it has ended', async () => {
    await using house = await testApp();
    const early = await addElection(house, { open_at: isoTime(house.clock.now + MINUTE) });
    const closed = await addElection(house);
    const over = await addElection(house);
    await house.post(`/admin/elections/${closed}/close`);

    const before = await generate(house, early, { count: 1 });
    const byHand = await generate(house, closed, { count: 1 });
    house.clock.now += 2 * HOUR;
    const byTime = await generate(house, over, { count: 1 });

    expect(before.statusCode).toBe(200);
    for (const answer of [byHand, byTime]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ error: 'Election is closed' });
    }
  });

  it('stores their SHA-256 alone: no table and no log line holds a plain token', async () => {
    await using house = await testApp();
    const id = await addElection(house);
    const tokens = await addTokens(house, id, 20);
    await cast(house, id, { token: tokens[0], choice: 'yes' });
    await cast(house, id, { token: tokens[0], choice: 'yes' });
    await page(house, `/e/${id}/vote?t=${tokens[1]}`);
    await house.post(`/admin/elections/${id}/tokens/print`, { tokens });

    const kept = (await everythingStored(house)) + house.logged.join('\n');

    expect(kept).toContain(sha256(tokens[0]!));
    for (const token of tokens) expect(kept).not.toContain(token);
  });

  it('for a form answers the one page that shows them, with their links', async () => {
    await using house = await testApp({ BASE_URL: 'https://vote.club.example' });
    const { id } = await addPoll(house, ['Tea', 'Milk']);

    const answer = await house.submit(`/admin/elections/${id}/tokens`, { count: '2', batch_name: 'Hall' });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const links = answer.body.match(
      /https:\/\/vote\.club\.example\/e\/[-0-9a-f]+\/vote\/poll\?t=[-0-9a-f]+/g,
    );
    expect(new Set(links).size).toBe(2);
  });
});

describe('the token listing', () => {
  it('counts by batch, the oldest first', async () => {
    await using house = await testApp();
    const id = await addElection(house);
    const started = house.clock.now;
    const [token] = await addTokens(house, id, 3, 'Hall');
    house.clock.now += MINUTE;
    await addTokens(house, id, 2);
    house.clock.now += MINUTE;
    await addTokens(house, id, 1, 'Hall');
    await cast(house, id, { token, choice: 'yes' });

    const batches = await batchesOf(house, id);

    expect(batches).toEqual([
      { batch_name: 'Hall', count: 4, created_at: started, used_count: 1, unused_count: 3, emails: [] },
      {
        batch_name: null,
        count: 2,
        created_at: started + MINUTE,
        used_count: 0,
        unused_count: 2,
        emails: [],
      },
    ]);
  });
});

describe('deleting a batch', () => {
  const remove = (house: TestApp, id: string, body: object) =>
    send(house, 'DELETE', `/admin/elections/${id}/batches`, body);

  it('takes its tokens, used ones too, and leaves other batches and the ballots', async () => {
    await using house = await testApp();
    const id = await addElection(house);
    const [used, unused] = await addTokens(house, id, 3, 'Hall');
    await addTokens(house, id, 2);
    await cast(house, id, { token: used, choice: 'yes' });

    const named = await remove(house, id, { batch_name: 'Hall' });
    const gone = await cast(house, id, { token: unused, choice: 'yes' });
    const rest = await remove(house, id, { batch_name: null });

    expect(named.json()).toEqual({ success: true, batch_name: 'Hall', deleted: 3, deleted_used: 1 });
    expect(gone.json()).toEqual({ error: 'Invalid token' });
    expect(rest.json()).toEqual({ success: true, batch_name: null, deleted: 2, deleted_used: 0 });
    expect(await batchesOf(house, id)).toEqual([]);
    expect((await house.get(`/e/${id}/results`)).json().total_ballots).toBe(1);
    expect((await auditOf(house, id)).at(-1)).toMatchObject({
      action: 'batch.deleted',
      metadata: { batch_name: null, deleted: 2, deleted_used: 0 },
    });
  });

  it('that does not exist is a 404', async () => {
    await using house = await testApp();
    const id = await addElection(house);
    await addTokens(house, id, 1, 'Hall');

    const answers = [
      await remove(house, id, { batch_name: 'Door' }),
      await remove(house, id, { batch_name: null }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(await batchesOf(house, id)).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['a misspelt key', { batch: 'Hall' }],
    ['a number', { batch_name: 7 }],
    ['201 characters', { batch_name: 'x'.repeat(201) }],
  ])('is refused when it is named by %s, and deletes nothing', async (_what, body) => {
    await using house = await testApp();
    const id = await addElection(house);
    await addTokens(house, id, 2);

    const answer = await remove(house, id, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('batch_name');
    expect(await batchesOf(house, id)).toMatchObject([{ count: 2 }]);
  });

  it('from a form asks for its name when used tokens would go', async () => {
    await using house = await testApp();
    const id = await addElection(house);
    const [token] = await addTokens(house, id, 2, 'Hall');
    await cast(house, id, { token, choice: 'yes' });
    const url = `/admin/elections/${id}/batches?_method=DELETE`;

    const refused = await house.submit(url, { batch_name: 'Hall', confirm: 'hall' });
    const done = await house.submit(url, { batch_name: 'Hall', confirm: 'Hall' });

    expect(refused.statusCode).toBe(400);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(done.statusCode).toBe(303);
    expect(await batchesOf(house, id)).toEqual([]);
  });
});

describe('voting slips and the CSV of codes', () => {
  it('carry each code, its link, and on slips its QR code', async () => {
    await using house = await testApp({ BASE_URL: 'https://vote.club.example' });
    const id = await addElection(house, { title: 'Piano & <stool>' });
    const tokens = await addTokens(house, id, 2);

    const slips = await house.post(`/admin/elections/${id}/tokens/print`, { tokens });
    const csv = await house.post(`/admin/elections/${id}/tokens/csv`, { tokens });

    expect(slips.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(slips.body.match(/<svg class="qr"/g)).toHaveLength(2);
    expect(slips.body).toContain('Piano &amp; &lt;stool&gt;');
    for (const token of tokens)
      expect(slips.body).toContain(`https://vote.club.example/e/${id}/vote?t=${token}`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="[-\w]+\.csv"$/),
      'cache-control': 'no-store',
    });
    expect(csv.body).toBe(
      `voting_code,link\r\n${tokens.map((token) => `${token},https://vote.club.example/e/${id}/vote?t=${token}\r\n`).join('')}`,
    );
  });

  it.each(['print', 'csv'])('are refused for tokens of another election, and for none: %s', async (kind) => {
    await using house = await testApp();
    const id = await addElection(house);
    const own = await addTokens(house, id, 1);
    const foreign = await addTokens(house, await addElection(house), 1);

    const answers = [];
    for (const tokens of [[...own, ...foreign], ['nonsense'], [], undefined, Array(1_001).fill(own[0])]) {
      answers.push(await house.post(`/admin/elections/${id}/tokens/${kind}`, { tokens }));
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400]);
    expect(answers[0]?.json().errors[0].path).toBe('tokens');
  });
});

/** Every value of every table, as one text. */
async function everythingStored(house: TestApp): Promise<string> {
  const rows = house.ctx.db.all(
    sql<{
      name: string;
    }>`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.compile(build),
  );
  const tables = rows.map(({ name }) =>
    house.ctx.db.all(sql`SELECT * FROM ${sql.table(name)}`.compile(build)),
  );
  return JSON.stringify(tables);
}
