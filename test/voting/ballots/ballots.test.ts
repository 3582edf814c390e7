import { describe, expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, auditOf, cast } from '#test/support/factories.ts';
import { errorJson } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();

/** An election with one token. */
async function withToken(service: TestApp, fields: object = {}) {
  const id = await addElection(service, fields);
  const [token = ''] = await addTokens(service, id, 1);
  return { id, token };
}

async function choicesOf(service: TestApp, id: string): Promise<string[]> {
  const rows = service.ctx.db.all(build.selectFrom('ballots').select('choice').where('election_id', '=', id));
  return rows.map(({ choice }) => choice);
}

const isUsed = async (service: TestApp, id: string, token: string) =>
  (await service.get(`/e/${id}?t=${token}`)).json().token.used;

describe('a ballot', () => {
  it('is recorded once, and its token is used with it', async () => {
    await using service = await testApp();
    const { id, token } = await withToken(service);

    const answer = await cast(service, id, { token, choice: 'yes' });
    const again = await cast(service, id, { token, choice: 'no' });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ success: true, message: 'Your vote has been recorded' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(again.statusCode).toBe(403);
    expect(again.json()).toEqual(errorJson('token_used'));
    expect(await choicesOf(service, id)).toEqual(['yes']);
    expect((await auditOf(service, id)).at(-1)).toMatchObject({
      action: 'vote.submitted',
      metadata: { ballot_type: 'SIMPLE_TRIPLE' },
    });
  });

  it('is accepted from the opening until just before the close, to the millisecond', async () => {
    await using service = await testApp();
    const { now } = service.clock;
    const id = await addElection(service, { open_at: isoTime(now + 1_000), close_at: isoTime(now + 2_000) });
    const tokens = await addTokens(service, id, 4);

    const seen = [];
    for (const [index, after] of [999, 1_000, 1_999, 2_000].entries()) {
      service.clock.now = now + after;
      seen.push((await cast(service, id, { token: tokens[index], choice: 'yes' })).statusCode);
    }

    expect(seen).toEqual([403, 200, 200, 403]);
    expect(await choicesOf(service, id)).toHaveLength(2);
  });

  it('with a token of another election is refused', async () => {
    await using service = await testApp();
    const { id } = await withToken(service);
    const other = await withToken(service);

    const answer = await cast(service, id, { token: other.token, choice: 'yes' });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual(errorJson('invalid_token'));
    expect(await isUsed(service, other.id, other.token)).toBe(false);
  });

  it('accepts a token with spaces around it, as copied from a slip', async () => {
    await using service = await testApp();
    const { id, token } = await withToken(service);

    const answer = await cast(service, id, { token: ` ${token}\n`, choice: 'yes' });

    expect(answer.statusCode).toBe(200);
  });
});

describe('the order of refusals', () => {
  it('is: unknown election, unknown token, used token, not open, and only then the ballot itself', async () => {
    await using service = await testApp();
    const { id, token } = await withToken(service);
    const [used] = await addTokens(service, id, 1);
    await cast(service, id, { token: used, choice: 'yes' });
    // Everything about this ballot is wrong.
    const wrong = { choice: 'perhaps', ranking: 7, inclusion_code: 'zz', submission_id: '' };

    const unknownElection = await cast(service, 'nowhere', { token: 'nonsense', ...wrong });
    const unknownToken = await cast(service, id, { token: 'nonsense', ...wrong });
    const usedToken = await cast(service, id, { token: used, ...wrong });
    const shape = await cast(service, id, { token, ...wrong });
    service.clock.now += 2 * HOUR;
    const unknownLater = await cast(service, id, { token: 'nonsense', ...wrong });
    const usedLater = await cast(service, id, { token: used, ...wrong });
    const notOpen = await cast(service, id, { token, ...wrong });

    expect(unknownElection.statusCode).toBe(404);
    expect([unknownToken.statusCode, unknownToken.json()]).toEqual([401, errorJson('invalid_token')]);
    expect([usedToken.statusCode, usedToken.json()]).toEqual([403, errorJson('token_used')]);
    expect(shape.statusCode).toBe(400);
    expect(unknownLater.statusCode).toBe(401);
    expect(usedLater.json()).toEqual(errorJson('token_used'));
    expect([notOpen.statusCode, notOpen.json()]).toEqual([403, errorJson('election_not_open')]);
  });

  it.each([
    ['an empty token', ''],
    ['a blank token', ' '],
    ['a token that is a number', 7],
    ['a token that is a list', ['x']],
    ['a token of 201 characters', 'x'.repeat(201)],
  ])('treats %s as an unknown token', async (_what, token) => {
    const service = await shared();
    const { id } = await withToken(service);

    const json = await cast(service, id, { token, choice: 7 });

    expect([json.statusCode, json.json()]).toEqual([401, errorJson('invalid_token')]);
  });

  it.each([
    ['nothing', {}],
    ['a null', { token: null }],
  ])('names the token field when there is %s', async (_what, body) => {
    const service = await shared();
    const { id } = await withToken(service);

    const answer = await cast(service, id, { choice: 'yes', ...body });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('token');
  });
});

describe('a simple ballot', () => {
  it.each(['yes', 'no', 'abstain', 'YES', 'No', 'aBsTaIn', ' yes '])('accepts "%s"', async (choice) => {
    const service = await shared();
    const { id, token } = await withToken(service);

    const answer = await cast(service, id, { token, choice });

    expect(answer.statusCode).toBe(200);
    expect(await choicesOf(service, id)).toEqual([choice.trim().toLowerCase()]);
  });

  it.each<[unknown]>([
    ['maybe'],
    [''],
    ['yes no'],
    [true],
    [1],
    [['yes']],
    [{ yes: 1 }],
    [null],
    [undefined],
  ])('refuses %j, and the token stays valid', async (choice) => {
    const service = await shared();
    const { id, token } = await withToken(service);

    const answer = await cast(service, id, { token, choice });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual(badField('choice', 'not_simple_choice').answer);
    expect(await isUsed(service, id, token)).toBe(false);
    expect((await cast(service, id, { token, choice: 'no' })).statusCode).toBe(200);
  });
});

describe('a ballot of a poll', () => {
  const answers = (multiple: boolean) => async (make: (ids: Record<string, string>) => object) => {
    await using service = await testApp();
    const settings = { poll_response_type: multiple ? 'multiple' : 'single' };
    const { id, ids } = await addPoll(service, ['Tea', 'Milk', 'Juice'], { settings });
    const [token] = await addTokens(service, id, 1);
    const answer = await cast(service, id, { token, ...make(ids) }, 'vote/poll');
    return { status: answer.statusCode, body: answer.json(), stored: await choicesOf(service, id), ids };
  };
  const single = answers(false);
  const multiple = answers(true);

  it('of one option stores its number', async () => {
    const { status, stored } = await single(({ Milk }) => ({ selected_option: Milk }));

    expect([status, stored]).toEqual([200, ['[2]']]);
  });

  it('of several options stores their numbers in ascending order', async () => {
    const { status, stored } = await multiple(({ Juice, Tea }) => ({ selected_options: [Juice, Tea] }));

    expect([status, stored]).toEqual([200, ['[1,3]']]);
  });

  it.each<[string, string, (ids: Record<string, string>) => object]>([
    ['nothing', 'selected_option', () => ({})],
    ['an unknown option', 'selected_option', () => ({ selected_option: 'nonsense' })],
    ['the name of an option', 'selected_option', () => ({ selected_option: 'Tea' })],
    ['a list', 'selected_option', ({ Tea }) => ({ selected_option: [Tea] })],
    ['selected_options', 'selected_options', ({ Tea }) => ({ selected_options: [Tea] })],
    ['both', 'selected_options', ({ Tea }) => ({ selected_option: Tea, selected_options: [Tea] })],
  ])('with one choice is refused with %s', async (_what, path, make) => {
    const { status, body, stored } = await single(make);

    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
    expect(stored).toEqual([]);
  });

  it.each<[string, string, (ids: Record<string, string>) => object]>([
    ['nothing', 'selected_options', () => ({})],
    ['an empty list', 'selected_options', () => ({ selected_options: [] })],
    ['an unknown option', 'selected_options', ({ Tea }) => ({ selected_options: [Tea, 'nonsense'] })],
    ['an option twice', 'selected_options', ({ Tea, Milk }) => ({ selected_options: [Tea, Milk, Tea] })],
    ['an empty id', 'selected_options', ({ Tea }) => ({ selected_options: [Tea, ''] })],
    ['a number', 'selected_options', () => ({ selected_options: [1] })],
    ['selected_option', 'selected_option', ({ Tea }) => ({ selected_option: Tea })],
    ['both', 'selected_option', ({ Tea }) => ({ selected_option: Tea, selected_options: [Tea] })],
  ])('with several choices is refused with %s', async (_what, path, make) => {
    const { status, body, stored } = await multiple(make);

    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
    expect(stored).toEqual([]);
  });
});

describe('a ranked ballot', () => {
  async function rank(make: (ids: Record<string, string>) => unknown) {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob', 'Cid']);
    const [token = ''] = await addTokens(service, id, 1);
    const answer = await cast(service, id, { token, ranking: make(ids) });
    const used = await isUsed(service, id, token);
    return {
      status: answer.statusCode,
      body: answer.json(),
      stored: await choicesOf(service, id),
      used,
      ids,
    };
  }

  it('lists every candidate, best first', async () => {
    const { status, stored } = await rank(({ Ann, Bob, Cid }) => [Cid, Ann, Bob]);

    expect([status, stored]).toEqual([200, ['[3,1,2]']]);
  });

  it.each<[string, (ids: Record<string, string>) => unknown, (ids: Record<string, string>) => string[]]>([
    ['missing', ({ Bob }) => [Bob], ({ Ann, Cid }) => ['missing', Ann!, Cid!]],
    ['all missing', () => [], ({ Ann, Bob, Cid }) => ['missing', Ann!, Bob!, Cid!]],
    ['unknown', ({ Ann, Bob, Cid }) => [Ann, Bob, Cid, 'zoe'], () => ['unknown', 'zoe']],
    ['repeated', ({ Ann, Bob, Cid }) => [Ann, Bob, Cid, Bob], ({ Bob }) => ['more than once', Bob!]],
  ])('is refused with ids that are %s, and names them', async (_what, make, expected) => {
    const { status, body, stored, used, ids } = await rank(make);

    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('ranking');
    for (const text of expected(ids)) expect(body.error).toContain(text);
    expect([stored, used]).toEqual([[], false]);
  });

  it.each<[unknown]>([[undefined], [null], [7], ['Ann'], [{ 0: 'Ann' }], [[1, 2, 3]], [[['Ann']]]])(
    'is refused when its ranking is %j',
    async (ranking) => {
      const { status, body, used } = await rank(() => ranking);

      expect([status, body.errors[0].path, used]).toEqual([400, 'ranking', false]);
    },
  );
});

describe('a ballot on the wrong route', () => {
  it.each([
    ['vote', 'POST /e/:id/vote/poll', (service: TestApp) => addPoll(service, ['Tea', 'Milk'])],
    [
      'vote/poll',
      'POST /e/:id/vote',
      async (service: TestApp) => ({ id: await addElection(service), ids: {} }),
    ],
    ['vote/poll', 'POST /e/:id/vote', (service: TestApp) => addRanked(service, ['Ann', 'Bob'])],
  ])('(%s) is told the right one, and the token stays valid', async (route, right, add) => {
    const service = await shared();
    const { id } = await add(service);
    const [token = ''] = await addTokens(service, id, 1);

    const answer = await cast(service, id, { token, choice: 'yes', selected_option: 'x' }, route);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatch(new RegExp(`${right}$`));
    expect(await isUsed(service, id, token)).toBe(false);
  });
});
