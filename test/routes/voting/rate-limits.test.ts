import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { type TestApp, TRUST_UNSET, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens } from '#test/support/factories.ts';
import { errorJson, expectRefusal, message, refusal } from '#test/support/messages.ts';

const limitsOf = ({ headers }: LightMyRequestResponse) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
});
const NONE = { limit: undefined, remaining: undefined, reset: undefined };

async function times(count: number, ask: () => Promise<LightMyRequestResponse>) {
  const answers: LightMyRequestResponse[] = [];
  for (let time = 0; time < count; time++) answers.push(await ask());
  return answers;
}

const CLIENT = { 'edge-connecting-ip': '198.51.100.1' };
const cast = (service: TestApp, id: string, ballot: object) => service.post(`/e/${id}/vote`, ballot, CLIENT);
const castForm = (service: TestApp, id: string, ballot: Record<string, string>) =>
  service.submit(`/e/${id}/vote`, ballot, CLIENT);
const vote = (service: TestApp, id: string) => cast(service, id, { token: 'nonsense', choice: 'yes' });

describe('the general limit', () => {
  it('allows 100 requests a minute with headers that say what is left, and refuses the next', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const resetAt = String(service.clock.now + MINUTE);

    const allowed = await times(100, () => service.get(`/e/${id}`));
    service.clock.now += 15.5 * SECOND;
    const refused = await service.get(`/e/${id}`);

    expect(limitsOf(allowed[0]!)).toEqual({ limit: '100', remaining: '99', reset: resetAt });
    expect(limitsOf(allowed[99]!)).toEqual({ limit: '100', remaining: '0', reset: resetAt });
    expect(allowed.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual({ ...errorJson('rate_limit_exceeded'), retryAfter: 45 });
    expect(refused.headers['retry-after']).toBe('45');
    expect(limitsOf(refused)).toEqual(NONE);
  });

  it('starts again with the next window, and does not count refused requests', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '2' });
    const id = await addElection(service);
    await times(5, () => service.get(`/e/${id}`));

    service.clock.now += MINUTE - 1;
    const last = await service.get(`/e/${id}`);
    service.clock.now += 1;
    const fresh = await service.get(`/e/${id}`);

    expect([last.statusCode, last.json().retryAfter]).toEqual([429, 1]);
    expect([fresh.statusCode, limitsOf(fresh).remaining]).toEqual([200, '1']);
  });

  it('covers every address under /e, and no others', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '1' });
    const id = await addElection(service);
    await service.get(`/e/${id}`);

    const under = [
      await service.get(`/e/${id}/results`),
      await service.get(`/e/${id}/vote`),
      await service.get(`/e/${id}/vote/poll`),
      await service.post(`/e/${id}/vote`, {}),
      await service.post(`/e/${id}/vote/poll`, {}),
      await service.post(`/e/${id}/vote/review`, {}),
      await service.get('/e/nowhere'),
    ];
    const outside = [
      await service.get('/'),
      await service.get('/health'),
      await service.get('/admin/elections'),
    ];

    expect(under.map(({ statusCode }) => statusCode)).toEqual(under.map(() => 429));
    for (const answer of outside) {
      expect(answer.statusCode).toBe(200);
      expect(limitsOf(answer)).toEqual(NONE);
    }
  });

  it('counts and refuses bodies that cannot be read', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '2' });
    const id = await addElection(service);
    const send = (payload: string, type = 'application/json') =>
      service.request({ method: 'POST', url: `/e/${id}/vote`, payload, headers: { 'content-type': type } });

    const answers = [
      await send('{'),
      await send('x', 'text/csv'),
      await send('{'),
      await service.get(`/e/${id}`),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 415, 429, 429]);
    expect(answers[2]!.json()).toEqual({ ...errorJson('rate_limit_exceeded'), retryAfter: 60 });
  });

  it('tells a browser with a page when to try again', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '1' });
    const id = await addElection(service);
    await service.get(`/e/${id}`);

    const refused = await service.get(`/e/${id}`, { accept: 'text/html' });

    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'retry-after': '60',
    });
    expect(refused.body).toContain('You can try again in <strong>60 seconds</strong>');
    expect(refused.body).toContain('Load this page again then, at 12:01\u00a0PM');
    expect(limitsOf(refused)).toEqual(NONE);
  });
});

describe('the vote limit', () => {
  it('allows five refused codes a minute, with its own headers, and refuses the sixth', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const resetAt = String(service.clock.now + MINUTE);

    const allowed = await times(5, () => vote(service, id));
    const refused = await vote(service, id);

    expect(allowed.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401]);
    expect(allowed.map(limitsOf)).toEqual(
      ['4', '3', '2', '1', '0'].map((remaining) => ({ limit: '5', remaining, reset: resetAt })),
    );
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual({ ...errorJson('rate_limit_exceeded'), retryAfter: 60 });
    expect(limitsOf(refused)).toEqual(NONE);
  });

  it('does not count accepted ballots, and tells them what is left', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const reset = String(service.clock.now + MINUTE);
    const tokens = await addTokens(service, id, 6);

    const answers = [];
    for (const token of tokens) answers.push(await cast(service, id, { token, choice: 'yes' }));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(answers.map(limitsOf)).toEqual(answers.map(() => ({ limit: '5', remaining: '5', reset })));
  });

  it.each(['JSON', 'a form'])('does not lock out a voter on the same address: %s', async (how) => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    const ballot = { token: token!, choice: 'yes', submission_id: 'mine' };
    const send = how === 'JSON' ? cast : castForm;
    await times(6, () => vote(service, id));

    const misshapen = await send(service, id, { ...ballot, choice: 'perhaps' });
    const first = await send(service, id, ballot);
    const retry = await send(service, id, ballot);

    expect(misshapen.statusCode).toBe(400);
    expect([first.statusCode, retry.statusCode]).toEqual([200, 200]);
    expect(limitsOf(first)).toMatchObject({ limit: '5', remaining: '0' });
    expectRefusal(await vote(service, id), 429, 'rate_limit_exceeded');
  });

  it('lets a valid code pass before voting opens', async () => {
    await using service = await testApp();
    const id = await addElection(service, {
      open_at: new Date(service.clock.now + 5 * MINUTE).toISOString(),
    });
    const [token] = await addTokens(service, id, 1);

    const answers = await times(6, () => cast(service, id, { token, choice: 'yes' }));

    expect(answers.map(refusal)).toEqual(answers.map(() => [403, message('election_not_open')]));
  });

  it('counts used codes, missing ones and those of unknown elections', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    const ballot = { token, choice: 'yes', submission_id: 'mine' };
    await cast(service, id, ballot);

    const answers = [
      await cast(service, id, { token, choice: 'no' }),
      await cast(service, id, { ...ballot, submission_id: 'another' }),
      await cast(service, id, { choice: 'yes' }),
      await cast(service, 'nowhere', ballot),
      await castForm(service, id, { token: 'nonsense', choice: 'yes' }),
      await castForm(service, id, { token: 'nonsense', choice: 'yes' }),
      await cast(service, id, { token, choice: 'no' }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 400, 404, 401, 429, 429]);
    expect(answers[5]!.body).toContain('You can try again in <strong>60 seconds</strong>');
  });

  it('does not apply to polls, reviews and page views, which count against the code', async () => {
    await using service = await testApp();
    const { id, ids } = await addPoll(service, ['Tea', 'Milk']);
    const tokens = await addTokens(service, id, 6);

    service.clock.now += MINUTE;
    const answers = [];
    for (const token of tokens) {
      answers.push(await service.post(`/e/${id}/vote/poll`, { token, selected_option: ids.Tea }));
      answers.push(await service.post(`/e/${id}/vote/review`, { token }));
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(limitsOf(answers.at(-1)!)).toMatchObject({ limit: '100', remaining: '98' });
  });

  it('counts in the general limit too', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '3' });
    const id = await addElection(service);

    const answers = await times(4, () => vote(service, id));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 429]);
    expect(limitsOf(answers[3]!)).toEqual(NONE);
  });

  it('can be raised with RATE_LIMIT_VOTE for a meeting on one address', async () => {
    await using service = await testApp({ RATE_LIMIT_VOTE: '80' });
    const id = await addElection(service);

    const answers = await times(81, () => vote(service, id));

    expect(limitsOf(answers[0]!)).toMatchObject({ limit: '80', remaining: '79' });
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
  });
});

describe('a client', () => {
  const remainingOf = async (
    service: TestApp,
    id: string,
    headers: Record<string, string>,
    remoteAddress: string,
  ) => {
    const answer = await service.request({ url: `/e/${id}`, headers, remoteAddress });
    return Number(limitsOf(answer).remaining);
  };
  const PEER = '192.0.2.1';

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    [
      'Edge-Connecting-IP first',
      { 'edge-connecting-ip': 'a' },
      { 'edge-connecting-ip': 'a', 'x-forwarded-for': 'b' },
      '192.0.2.2',
    ],
    [
      'then the first of X-Forwarded-For, where all of it are trusted',
      { 'x-forwarded-for': '203.0.113.1, 203.0.113.2' },
      { 'x-forwarded-for': '203.0.113.1 ,203.0.113.3' },
      '192.0.2.2',
    ],
    ['then the address of the socket', {}, { 'edge-connecting-ip': '', 'x-forwarded-for': '' }, PEER],
  ])('is identified by %s', async (_how, first, second, peer) => {
    await using service = await testApp();
    const id = await addElection(service);

    const before = await remainingOf(service, id, first, PEER);
    const same = await remainingOf(service, id, second, peer);
    const other = await remainingOf(service, id, { 'edge-connecting-ip': 'somebody else' }, PEER);

    expect([before, same, other]).toEqual([99, 98, 99]);
  });

  it('is not identified by a header that no trusted proxy set', async () => {
    await using service = await testApp({ TRUSTED_PROXIES: '192.0.2.7' });
    const id = await addElection(service);

    const forged = [
      await remainingOf(service, id, { 'edge-connecting-ip': 'a' }, PEER),
      await remainingOf(service, id, { 'edge-connecting-ip': 'b', 'x-forwarded-for': 'c' }, PEER),
    ];
    const proxied = [
      await remainingOf(service, id, { 'edge-connecting-ip': 'a' }, '192.0.2.7'),
      await remainingOf(service, id, { 'edge-connecting-ip': 'b' }, '192.0.2.7'),
    ];

    expect(forged).toEqual([99, 98]);
    expect(proxied).toEqual([99, 99]);
  });
});

describe('a client behind listed proxies', () => {
  it.each<[string, string, string]>([
    ['what it sent itself before a proxy added to it', '6.6.6.6, 198.51.100.4', '7.7.7.7, 198.51.100.4'],
    ['the proxies between', '6.6.6.6, 198.51.100.4, 10.0.0.9', '198.51.100.4, 10.0.0.8, 10.0.0.9'],
    ['a listed address that it claims', '10.0.0.1, 198.51.100.4', '10.0.0.2, 198.51.100.4'],
    ['its port', '198.51.100.4:40001', '198.51.100.4:40002'],
    ['brackets and port', '[2001:db8::4]:40001', '2001:db8::4'],
    ['the notation', '::ffff:198.51.100.4, 10.0.0.9', '198.51.100.4'],
  ])('is the same regardless of %s', async (_what, first, second) => {
    await using service = await testApp({ TRUSTED_PROXIES: '192.0.2.7, 10.0.0.0/8' });
    const remaining = async (forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded };
      return limitsOf(await service.request({ url: '/e/nowhere', headers, remoteAddress: '192.0.2.7' }))
        .remaining;
    };

    expect([await remaining(first), await remaining(second), await remaining('198.51.100.5')]).toEqual([
      '99',
      '98',
      '99',
    ]);
  });
});

describe('a client in production', () => {
  it.each<[string, Record<string, string>, number[]]>([
    ['by the socket alone by default', {}, [99, 98, 97]],
    ['by its headers from a listed proxy', { TRUSTED_PROXIES: '192.0.2.0/24' }, [99, 99, 99]],
    ['by the socket where others are listed', { TRUSTED_PROXIES: '10.0.0.0/8' }, [99, 98, 97]],
    ['by its headers from anybody with any', { TRUSTED_PROXIES: 'any' }, [99, 99, 99]],
  ])('is identified %s', async (_how, env, remaining) => {
    await using service = await testApp({ ...TRUST_UNSET, NODE_ENV: 'production', ...env });

    const left = [];
    for (const headers of [{ 'edge-connecting-ip': 'a' }, { 'x-forwarded-for': 'b' }, {}]) {
      const answer = await service.request({ url: '/e/nowhere', headers, remoteAddress: '192.0.2.1' });
      left.push(Number(limitsOf(answer).remaining));
    }

    expect(left).toEqual(remaining);
    const warned = service.logged.some((line) => line.includes('TRUSTED_PROXIES=any: '));
    expect(warned).toBe(env.TRUSTED_PROXIES === 'any');
  });
});

describe('a refused request', () => {
  it('is not in the audit log', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const totalOf = async () => (await service.get('/admin/audit-logs')).json().total;
    const before = await totalOf();

    const answers = await times(20, () => vote(service, id));

    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
    expect(await totalOf()).toBe(before);
  });
});
