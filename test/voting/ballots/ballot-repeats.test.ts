import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, auditOf, cast } from '#test/support/factories.ts';
import { errorJson } from '#test/support/messages.ts';
import { tempFolder } from '#test/support/process/process.ts';

const RECORDED = { success: true, message: 'Your vote has been recorded' };
const CODE = '0123456789abcdef0123456789abcdef';

const ballotsOf = (service: TestApp, id: string) =>
  service.ctx.db.all(build.selectFrom('ballots').selectAll().where('election_id', '=', id));

describe('the same ballot sent again with its submission_id', () => {
  it('gets the same answer and is counted once; another ballot with that token is refused', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    const ballot = { token, choice: 'yes', submission_id: 'a'.repeat(64) };

    const first = await cast(service, id, ballot);
    const retry = await cast(service, id, ballot);
    const other = await cast(service, id, { ...ballot, submission_id: 'b' });
    const none = await cast(service, id, { token, choice: 'yes' });

    for (const answer of [first, retry]) expect([answer.statusCode, answer.json()]).toEqual([200, RECORDED]);
    for (const answer of [other, none]) {
      expect([answer.statusCode, answer.json()]).toEqual([403, errorJson('token_used')]);
    }
    expect(await ballotsOf(service, id)).toHaveLength(1);
    const votes = (await auditOf(service, id)).filter(({ action }) => action === 'vote.submitted');
    expect(votes).toHaveLength(1);
  });

  it('gets the same answer after the close too', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    const ballot = { token, choice: 'yes', submission_id: 'mine' };
    await cast(service, id, ballot);
    service.clock.now += 2 * HOUR;

    const retry = await cast(service, id, ballot);
    const other = await cast(service, id, { ...ballot, submission_id: 'yours' });

    expect([retry.statusCode, retry.json()]).toEqual([200, RECORDED]);
    expect(other.json()).toEqual(errorJson('token_used'));
    expect(await ballotsOf(service, id)).toHaveLength(1);
  });

  it('does not change the first choice', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, choice: 'yes', submission_id: 'mine' });

    await cast(service, id, { token, choice: 'no', submission_id: 'mine' });

    expect(await ballotsOf(service, id)).toMatchObject([{ choice: 'yes' }]);
  });

  it('is not recognized by an empty submission_id if it was first sent without one', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, choice: 'yes' });

    const answers = [];
    for (const submission_id of ['', ' ', null, undefined, 0, []]) {
      answers.push(await cast(service, id, { token, choice: 'yes', submission_id }));
    }

    expect(answers.map((answer) => answer.json())).toEqual(answers.map(() => errorJson('token_used')));
  });

  it.each([
    ['of 65 characters', 'x'.repeat(65)],
    ['that is a number', 5],
  ])('with a submission_id %s is a 400 that does not use the token', async (_what, submission_id) => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);

    const answer = await cast(service, id, { token, choice: 'yes', submission_id });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('submission_id');
    expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
  });
});

describe('an inclusion code', () => {
  const withCodes = (service: TestApp) => addElection(service, { settings: { inclusion_codes: true } });

  it('made by the voter is returned, and only its hash is stored, as the ballot’s id', async () => {
    await using service = await testApp();
    const id = await withCodes(service);
    const [token] = await addTokens(service, id, 1);

    const answer = await cast(service, id, { token, choice: 'yes', inclusion_code: CODE.toUpperCase() });

    expect(answer.json()).toEqual({ ...RECORDED, inclusion_code: CODE });
    expect(await ballotsOf(service, id)).toEqual([
      { election_id: id, id: sha256(CODE), choice: 'yes', receipt: null },
    ]);
    expect(service.logged.join()).not.toContain(CODE);
  });

  it('is made by the server if none was sent', async () => {
    await using service = await testApp();
    const id = await withCodes(service);
    const [token] = await addTokens(service, id, 1);

    const { inclusion_code } = (await cast(service, id, { token, choice: 'yes' })).json();

    expect(inclusion_code).toMatch(/^[0-9a-f]{32}$/);
    expect(await ballotsOf(service, id)).toMatchObject([{ id: sha256(inclusion_code) }]);
  });

  it('is kept by a retry', async () => {
    await using service = await testApp();
    const id = await withCodes(service);
    const [token] = await addTokens(service, id, 1);
    const ballot = { token, choice: 'yes', submission_id: 'mine', inclusion_code: CODE };
    await cast(service, id, ballot);

    const retry = await cast(service, id, ballot);

    expect(retry.json()).toEqual({ ...RECORDED, inclusion_code: CODE });
    expect(await ballotsOf(service, id)).toHaveLength(1);
  });

  it('changed in a retry is not confirmed, because no ballot has it', async () => {
    await using service = await testApp();
    const id = await withCodes(service);
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, choice: 'yes', submission_id: 'mine', inclusion_code: CODE });

    const retry = await cast(service, id, {
      token,
      choice: 'yes',
      submission_id: 'mine',
      inclusion_code: 'f'.repeat(32),
    });

    expect(retry.json()).toEqual(RECORDED);
  });

  it.each([
    ['too short', '0123'],
    ['too long', `${CODE}0`],
    ['no hexadecimal', 'g'.repeat(32)],
    ['no text', 7],
    ['taken by another ballot', CODE],
  ])('is refused when it is %s, and the token stays valid', async (_what, inclusion_code) => {
    await using service = await testApp();
    const id = await withCodes(service);
    const [first, token] = await addTokens(service, id, 2);
    await cast(service, id, { token: first, choice: 'no', inclusion_code: CODE });

    const refused = await cast(service, id, { token, choice: 'yes', inclusion_code });
    const taken = await cast(service, id, { token, choice: 'yes' });

    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors[0].path).toBe('inclusion_code');
    expect(taken.statusCode).toBe(200);
    expect(await ballotsOf(service, id)).toHaveLength(2);
  });

  it('is refused for all but one of the ballots that bring it at the same moment', async () => {
    await using service = await testApp();
    const id = await withCodes(service);
    const tokens = await addTokens(service, id, 4);
    const bring = (token: string, inclusion_code?: string) =>
      cast(service, id, { token, choice: 'yes', ...(inclusion_code && { inclusion_code }) });

    const [free, ...same] = await Promise.all(
      tokens.map((token, index) => bring(token, index ? CODE : undefined)),
    );
    const refused = same.filter(({ statusCode }) => statusCode !== 200);

    expect(free!.statusCode).toBe(200);
    expect(refused.map((answer) => answer.json().errors[0].path)).toEqual([
      'inclusion_code',
      'inclusion_code',
    ]);
    expect(await ballotsOf(service, id)).toHaveLength(2);
    const turnout = await Promise.all(tokens.map((token) => bring(token)));
    expect(turnout.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
  });

  it('is listed by its hash after the close and not before, without choices', async () => {
    await using service = await testApp();
    const id = await withCodes(service);
    const tokens = await addTokens(service, id, 5);
    const codes: string[] = [];
    for (const token of tokens)
      codes.push((await cast(service, id, { token, choice: 'yes' })).json().inclusion_code);

    const open = (await service.get(`/e/${id}/results`)).json();
    await service.post(`/admin/elections/${id}/close`);
    const closed = (await service.get(`/e/${id}/results`)).json();

    expect(open).not.toHaveProperty('inclusion_hashes');
    expect(closed.inclusion_hashes).toEqual(codes.map(sha256).sort());
  });

  it('is ignored if the setting is off', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);

    const answer = await cast(service, id, { token, choice: 'yes', inclusion_code: CODE });
    await service.post(`/admin/elections/${id}/close`);

    expect(answer.json()).toEqual(RECORDED);
    const [ballot] = await ballotsOf(service, id);
    expect(ballot?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect((await service.get(`/e/${id}/results`)).json()).not.toHaveProperty('inclusion_hashes');
  });
});

describe('simultaneous posts', () => {
  it('with one token: one is recorded, 199 are refused, and there is one ballot', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);

    const posts = Array.from({ length: 200 }, (_, index) =>
      cast(service, id, { token, choice: index % 2 ? 'yes' : 'no' }),
    );
    const answers = await Promise.all(posts);

    const statuses = Map.groupBy(answers, ({ statusCode }) => statusCode);
    expect(statuses.get(200)).toHaveLength(1);
    expect(statuses.get(403)).toHaveLength(199);
    expect(await ballotsOf(service, id)).toHaveLength(1);
    expect((await service.get(`/admin/elections/${id}`)).json().turnout).toMatchObject({ used: 1 });
  });

  it('with wrong ballots among them do not affect the other ballots', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const tokens = await addTokens(service, id, 60);

    const answers = await Promise.all(
      tokens.map((token, index) => cast(service, id, { token, choice: index % 3 === 0 ? 'perhaps' : 'yes' })),
    );

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(40);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(20);
    expect(await ballotsOf(service, id)).toHaveLength(40);
    expect((await service.get(`/admin/elections/${id}`)).json().turnout).toMatchObject({ used: 40 });
  });
});

describe('while another program locks the database', () => {
  async function lockedService() {
    const file = path.join(tempFolder(), 'service.db');
    const service = await testApp({ DATABASE_URL: `file:${file}` });
    onTestFinished(() => service[Symbol.asyncDispose]());
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    const other = new Sqlite(file);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    return { service, id, other, vote: () => cast(service, id, { token, choice: 'yes' }) };
  }

  it('reads are answered, and a ballot waits for the lock', async () => {
    const { service, id, other, vote } = await lockedService();
    const answered: string[] = [];
    const waiting = vote().then((answer) => {
      answered.push('ballot');
      return answer;
    });
    for (const address of ['/health', `/e/${id}`, '/health']) {
      expect((await service.get(address)).statusCode).toBe(200);
      answered.push(address);
    }
    other.exec('COMMIT');

    expect((await waiting).statusCode).toBe(200);
    expect(answered).toEqual(['/health', `/e/${id}`, '/health', 'ballot']);
    expect(ballotsOf(service, id)).toHaveLength(1);
  });

  it('a lock that stays is a 503 with Retry-After; nothing is stored, and the ballot can be sent again', async () => {
    const { service, id, other, vote } = await lockedService();
    const refused = await Promise.all([
      vote(),
      service.post(`/admin/elections/${id}/tokens`, { count: 1, batch_name: 'Late' }),
    ]);

    for (const { statusCode, headers, body } of refused)
      expect([statusCode, headers['retry-after'], body]).toEqual([
        503,
        '2',
        expect.stringContaining('Another program is using the database. Nothing was saved'),
      ]);
    expect(ballotsOf(service, id)).toEqual([]);
    expect((await service.get('/health')).statusCode).toBe(200);
    other.exec('COMMIT');
    expect((await vote()).json()).toEqual(RECORDED);
    expect(ballotsOf(service, id)).toHaveLength(1);
  });
});
