import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, auditOf, cast, page, send } from '#test/support/factories.ts';
import { errorJson } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
const generate = (service: TestApp, id: string, body: object) =>
  service.post(`/admin/elections/${id}/tokens`, body);
const batchesOf = async (service: TestApp, id: string) =>
  (await service.get(`/admin/elections/${id}/tokens`)).json().batches;
const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('generating tokens', () => {
  it.each([
    ['one', 1, 1],
    ['a thousand', 1_000, 1_000],
    ['as many as a form says in digits', '5', 5],
  ])('makes %s, each a different random id', async (_what, count, made) => {
    const service = await shared();
    const id = await addElection(service);

    const answer = await generate(service, id, { count, batch_name: ' Hall ' });

    expect(answer.statusCode).toBe(200);
    const { tokens, ...rest } = answer.json();
    expect(rest).toEqual({
      batch_name: 'Hall',
      count: made,
      warning: expect.stringMatching(/shown only once/),
    });
    expect(new Set(tokens).size).toBe(made);
    for (const token of tokens) expect(token).toMatch(V4);
    const entries = (await auditOf(service, id)).filter(({ action }) => action === 'tokens.generated');
    expect(entries).toMatchObject([{ metadata: { count: made, batch_name: 'Hall' } }]);
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
    const service = await shared();
    const id = await addElection(service);

    const answer = await generate(service, id, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('count');
    expect(await batchesOf(service, id)).toEqual([]);
  });

  it('adds to the batch whose name looks the same, and deletes that', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await generate(service, id, { count: 1, batch_name: 'Café  Bar' });

    for (const batch_name of ['CAFÉ BAR', 'Cafe\u0301\u200b bar', ' \u202ecafé\u00a0bar '])
      expect((await generate(service, id, { count: 1, batch_name })).json().batch_name).toBe('Café  Bar');
    await generate(service, id, { count: 1, batch_name: 'Cafe Bar' });

    const counts = (await batchesOf(service, id)).map((of: Record<string, unknown>) => [
      of.batch_name,
      of.count,
    ]);
    expect(Object.fromEntries(counts)).toEqual({ 'Café  Bar': 4, 'Cafe Bar': 1 });
    const url = `/admin/elections/${id}/batches`;
    const deleted = await send(service, 'DELETE', url, { batch_name: 'CAFÉ\u200b BAR' });
    expect(deleted.json()).toMatchObject({ batch_name: 'Café  Bar', deleted: 4 });
  });

  it('counts a batch name without a visible character as none', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    for (const batch_name of ['', '\u200b', '\u2800 \u3164', '\u202e\u2066'])
      expect((await generate(service, id, { count: 1, batch_name })).json().batch_name).toBeNull();

    expect(await batchesOf(service, id)).toMatchObject([{ batch_name: null, count: 4 }]);
  });

  it('accepts a batch name of 200 characters and refuses one of 201', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const taken = await generate(service, id, { count: 1, batch_name: 'x'.repeat(200) });
    const refused = await generate(service, id, { count: 1, batch_name: 'x'.repeat(201) });

    expect(taken.json().batch_name).toBe('x'.repeat(200));
    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors[0].path).toBe('batch_name');
  });

  it('is possible before voting begins, and refused once it has ended', async () => {
    await using service = await testApp();
    const early = await addElection(service, { open_at: isoTime(service.clock.now + MINUTE) });
    const closed = await addElection(service);
    const over = await addElection(service);
    await service.post(`/admin/elections/${closed}/close`);

    const before = await generate(service, early, { count: 1 });
    const byHand = await generate(service, closed, { count: 1 });
    service.clock.now += 2 * HOUR;
    const byTime = await generate(service, over, { count: 1 });

    expect(before.statusCode).toBe(200);
    for (const answer of [byHand, byTime]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual(errorJson('election_closed'));
    }
  });

  it('stores only their SHA-256: no table and no log line has a plain token', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const tokens = await addTokens(service, id, 20);
    await cast(service, id, { token: tokens[0], choice: 'yes' });
    await cast(service, id, { token: tokens[0], choice: 'yes' });
    await page(service, `/e/${id}/vote?t=${tokens[1]}`);
    await service.post(`/admin/elections/${id}/tokens/print`, { tokens });

    const kept = (await everythingStored(service)) + service.logged.join('\n');

    expect(kept).toContain(sha256(tokens[0]!));
    for (const token of tokens) expect(kept).not.toContain(token);
  });

  it('by a form answers with the only page that shows them, with their links', async () => {
    await using service = await testApp({ BASE_URL: 'https://vote.club.example' });
    const { id } = await addPoll(service, ['Tea', 'Milk']);

    const answer = await service.submit(`/admin/elections/${id}/tokens`, { count: '2', batch_name: 'Hall' });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('same-origin');
    const links = answer.body.match(
      /https:\/\/vote\.club\.example\/e\/[-0-9a-f]+\/vote\/poll\?t=[-0-9a-f]+/g,
    );
    expect(new Set(links).size).toBe(2);
  });
});

describe('the token listing', () => {
  it('counts by batch, the oldest first', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { hide_results_until_close: true } });
    const started = service.clock.now;
    const [token] = await addTokens(service, id, 3, 'Hall');
    service.clock.now += MINUTE;
    await addTokens(service, id, 2);
    service.clock.now += MINUTE;
    await addTokens(service, id, 1, 'Hall');
    await cast(service, id, { token, choice: 'yes' });

    const batches = await batchesOf(service, id);

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
  const remove = (service: TestApp, id: string, body: object) =>
    send(service, 'DELETE', `/admin/elections/${id}/batches`, body);

  it('deletes its tokens and keeps other batches; the books still count them', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [unused] = await addTokens(service, id, 3, 'Hall');
    const [used] = await addTokens(service, id, 2);
    await cast(service, id, { token: used, choice: 'yes' });

    const named = await remove(service, id, { batch_name: 'Hall' });
    const gone = await cast(service, id, { token: unused, choice: 'yes' });

    expect(named.json()).toEqual({ success: true, batch_name: 'Hall', deleted: 3, deleted_used: 0 });
    expect(gone.json()).toEqual(errorJson('invalid_token'));
    expect(await batchesOf(service, id)).toMatchObject([{ batch_name: null, count: 2 }]);
    expect((await auditOf(service, id)).at(-1)).toMatchObject({
      action: 'batch.deleted',
      metadata: { batch_name: 'Hall', deleted: 3, deleted_used: 0 },
    });
    await service.post(`/admin/elections/${id}/close`);
    expect((await service.get(`/e/${id}/results`)).json().books).toMatchObject({
      tokens_made: 5,
      tokens_deleted: 3,
      tokens_used: 1,
      balanced: true,
    });
  });

  it.each(['open', 'closed'])(
    'deletes used tokens too while voting is %s, and keeps their counts and refusal',
    async (state) => {
      await using service = await testApp();
      const id = await addElection(service);
      const [used, unused] = await addTokens(service, id, 3, 'Hall');
      const submission_id = '7f1c1d0e-9a58-4a57-9b60-6b3d0c4f7a11';
      await cast(service, id, { token: used, choice: 'yes', submission_id });
      if (state === 'closed') await service.post(`/admin/elections/${id}/close`);
      const asked = (await page(service, `/admin/elections/${id}?ask=batch&batch=Hall`)).body;
      expect(asked).toContain('1 of them was used');

      const answer = await remove(service, id, { batch_name: 'Hall' });
      const again = await cast(service, id, { token: used, choice: 'no' });
      const repeated = await cast(service, id, { token: used, choice: 'yes', submission_id });
      const typed = await service.post('/vote', { code: used });
      const unknown = await cast(service, id, { token: unused, choice: 'no' });

      expect(answer.json()).toEqual({ success: true, batch_name: 'Hall', deleted: 3, deleted_used: 1 });
      expect([again.statusCode, again.json()]).toEqual([403, errorJson('token_used')]);
      expect(repeated.statusCode).toBe(200);
      expect([typed.statusCode, unknown.statusCode]).toEqual([403, 401]);
      await service.post(`/admin/elections/${id}/close`);
      expect((await service.get(`/e/${id}/results`)).json()).toMatchObject({
        total_ballots: 1,
        books: { tokens_used: 1, tokens_deleted: 3, balanced: true },
      });
      expect((await page(service, `/e/${id}`)).body).toContain(
        'A batch of 3 voting codes was deleted, 1 of them used.',
      );
    },
  );

  it.each([
    // codes of the batch, votes with them, other codes, votes with them; issued, used
    ['some are used', [4, 4, 7, 5], [11, 9]],
    ['one is used', [3, 1, 2, 0], [3, 1]],
    ['none is used', [3, 0, 2, 1], [2, 1]],
    ['there are no other codes', [3, 2, 0, 0], [2, 2]],
  ])('leaves its used codes in the turnout, and not its unused ones: %s', async (_what, counts, turnout) => {
    await using service = await testApp();
    const id = await addElection(service);
    const [inBatch, votes, others, otherVotes] = counts as [number, number, number, number];
    const codes = (await addTokens(service, id, inBatch, 'Hall')).slice(0, votes);
    if (others > 0) codes.push(...(await addTokens(service, id, others)).slice(0, otherVotes));
    for (const token of codes) await cast(service, id, { token, choice: 'yes' });
    const [issued, used] = turnout as [number, number];
    const shown = `${used} of ${issued} voting ${issued === 1 ? 'code' : 'codes'} used`;

    await remove(service, id, { batch_name: 'Hall' });

    expect((await service.get(`/admin/elections/${id}`)).json().turnout).toMatchObject({
      tokens: issued,
      used,
    });
    expect((await page(service, '/admin')).body).toContain(`${used} of ${issued} codes used`);
    await service.post(`/admin/elections/${id}/close`);
    const made = { tokens_made: inBatch + others, tokens_deleted: inBatch, tokens_used: used };
    expect((await service.get(`/e/${id}/results`)).json()).toMatchObject({
      total_ballots: used,
      turnout: { issued, used },
      books: { ...made, balanced: true },
      result_matches: true,
    });
    expect((await page(service, `/e/${id}`)).body).not.toContain('Something does not agree');
    await send(service, 'DELETE', `/admin/elections/${id}`);
    expect((await page(service, `/e/${id}`)).body).toContain(shown);
  });

  it('that does not exist is a 404', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await addTokens(service, id, 1, 'Hall');

    const answers = [
      await remove(service, id, { batch_name: 'Door' }),
      await remove(service, id, { batch_name: null }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(await batchesOf(service, id)).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['a misspelt key', { batch: 'Hall' }],
    ['a number', { batch_name: 7 }],
    ['201 characters', { batch_name: 'x'.repeat(201) }],
  ])('is refused when it is named by %s, and deletes nothing', async (_what, body) => {
    const service = await shared();
    const id = await addElection(service);
    await addTokens(service, id, 2);

    const answer = await remove(service, id, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('batch_name');
    expect(await batchesOf(service, id)).toMatchObject([{ count: 2 }]);
  });

  it('from a form leads back to the page', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await addTokens(service, id, 2, 'Hall');
    await addTokens(service, id, 2, 'Bar');
    const url = `/admin/elections/${id}/batches?_method=DELETE`;

    const done = await service.submit(url, { batch_name: 'Bar' });

    expect(done.statusCode).toBe(303);
    expect(await batchesOf(service, id)).toMatchObject([{ batch_name: 'Hall' }]);
  });
});

describe('voting slips and the CSV of codes', () => {
  it('contain each code and its link, and slips also the QR code', async () => {
    await using service = await testApp({ BASE_URL: 'https://vote.club.example' });
    const id = await addElection(service, { title: 'Piano & <stool>' });
    const tokens = await addTokens(service, id, 2);

    const slips = await service.post(`/admin/elections/${id}/tokens/print`, { tokens });
    const csv = await service.post(`/admin/elections/${id}/tokens/csv`, { tokens });

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
      `\ufeffvoting_code,link\r\n${tokens.map((token) => `${token},https://vote.club.example/e/${id}/vote?t=${token}\r\n`).join('')}`,
    );
  });

  it.each(['print', 'csv'])('are refused for tokens of another election, and for none: %s', async (kind) => {
    const service = await shared();
    const id = await addElection(service);
    const own = await addTokens(service, id, 1);
    const foreign = await addTokens(service, await addElection(service), 1);

    const answers = [];
    for (const tokens of [[...own, ...foreign], ['nonsense'], [], undefined, Array(1_001).fill(own[0])]) {
      answers.push(await service.post(`/admin/elections/${id}/tokens/${kind}`, { tokens }));
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400]);
    expect(answers[0]?.json().errors[0].path).toBe('tokens');
  });
});

/** Every value of every table, as one string. */
async function everythingStored(service: TestApp): Promise<string> {
  const rows = service.ctx.db.all(
    sql<{
      name: string;
    }>`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.compile(build),
  );
  const tables = rows.map(({ name }) =>
    service.ctx.db.all(sql`SELECT * FROM ${sql.table(name)}`.compile(build)),
  );
  return JSON.stringify(tables);
}
