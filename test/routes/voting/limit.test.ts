import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { newRandomId } from '#kernel/ids.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addSlips, addTokens } from '#test/support/factories.ts';
import { GUESSES_AN_HOUR } from '#voting/ballots/code-guesses.ts';
import { newShortCode } from '#voting/ballots/voting-code.ts';

const ROOM = { 'edge-connecting-ip': '198.51.100.7' };
const PAGE = { ...ROOM, accept: 'text/html' };

const guess = (service: TestApp, id: string, headers: Record<string, string> = ROOM) =>
  service.post(`/e/${id}/vote`, { token: newShortCode(), choice: 'no' }, headers);

describe('a meeting on one network', () => {
  it('can vote within two minutes, despite somebody who guesses codes', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const codes = [...(await addSlips(service, id, 40)), ...(await addTokens(service, id, 20))];

    const seen = new Map<string, number>();
    const note = (what: string, status: number) => {
      const key = `${what} ${status}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    };
    for (const [at, code] of codes.entries()) {
      service.clock.now += 2 * SECOND;
      // Voters with slips type their codes, the others open their links.
      const led =
        at < 40
          ? (await service.submit('/vote', { code: code.toLowerCase() }, ROOM)).headers.location!
          : `/e/${id}/vote?t=${code}`;
      const page = await service.get(led, PAGE);
      note('page', page.statusCode);
      const again = await service.get(led, PAGE);
      note('page', again.statusCode);
      const form = { token: code, choice: 'yes', submission_id: `s${at}` };
      note('review', (await service.submit(`/e/${id}/vote/review`, form, ROOM)).statusCode);
      note('cast', (await service.submit(`/e/${id}/vote`, form, ROOM)).statusCode);
      for (let time = 0; time < 3; time++) note('guess', (await guess(service, id)).statusCode);
    }

    const { turnout } = (await service.get(`/admin/elections/${id}`)).json();
    expect(turnout).toMatchObject({ tokens: 60, used: 60 });
    expect(Object.fromEntries(seen)).toEqual({
      'page 200': 120,
      'review 200': 60,
      'cast 200': 60,
      // Five in each minute that was started.
      'guess 401': 10,
      'guess 429': 170,
    });
  });

  it('counts a valid code only against itself', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '3' });
    const id = await addElection(service);
    const [mine, other] = await addSlips(service, id, 2);

    const look = (code: string | undefined) => service.get(`/e/${id}/vote?t=${code}`, PAGE);
    const own = [await look(mine), await look(mine), await look(mine), await look(mine)];
    const others = await look(other);
    const stranger = await look(newShortCode());

    expect(own.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    expect(own[0]!.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' });
    expect(others.headers['x-ratelimit-remaining']).toBe('2');
    expect(stranger.headers['x-ratelimit-remaining']).toBe('2');
  });

  it('can open ballots at an address whose general limit is used up', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '2' });
    const id = await addElection(service);
    const [code] = await addSlips(service, id, 1);
    for (let time = 0; time < 3; time++) await service.get(`/e/${id}`, PAGE);

    const refused = await service.get(`/e/${id}/vote?t=${newShortCode()}`, PAGE);
    const typed = await service.submit('/vote', { code: code! }, ROOM);
    const cast = await service.submit(`/e/${id}/vote`, { token: code!, choice: 'yes' }, ROOM);

    expect([refused.statusCode, typed.statusCode, cast.statusCode]).toEqual([429, 303, 200]);
  });
});

describe('ballots with unknown codes', () => {
  it('count against their address, also for an unknown election, and lock out no valid code', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '3', RATE_LIMIT_VOTE: '100' });
    const { id, ids } = await addPoll(service, ['Tea', 'Beer']);
    const [code] = await addSlips(service, id, 1);
    const cast = (election: string, token: string | undefined) =>
      service.post(`/e/${election}/vote/poll`, { token, selected_option: ids.Tea }, ROOM);

    const unknown = [
      await cast(id, newShortCode()),
      await cast(newRandomId(), newShortCode()),
      await cast(id, newShortCode()),
      await cast(id, newShortCode()),
    ];
    const valid = await cast(id, code);

    expect(unknown.map(({ statusCode }) => statusCode)).toEqual([401, 404, 401, 429]);
    expect(unknown.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
      '2',
      '1',
      '0',
      undefined,
    ]);
    expect([valid.statusCode, valid.headers['x-ratelimit-remaining']]).toEqual([200, '2']);
  });
});

describe('a valid code in the address of a ballot', () => {
  it('does not hide unknown ones in its body', async () => {
    await using service = await testApp({ RATE_LIMIT_GENERAL: '3', RATE_LIMIT_VOTE: '100' });
    const { id, ids } = await addPoll(service, ['Tea', 'Beer']);

    const statuses = [];
    for (const code of await addSlips(service, id, 4)) {
      const ballot = { token: newShortCode(), selected_option: ids.Tea };
      statuses.push((await service.post(`/e/${id}/vote/poll?t=${code}`, ballot, ROOM)).statusCode);
    }

    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});

describe('typing codes', () => {
  it('allows five unknown ones a minute, with the headers of that limit, and then still the right one', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [code] = await addSlips(service, id, 1);
    const type = (text: string) => service.submit('/vote', { code: text }, ROOM);

    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await type(newShortCode()));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(answers[0]!.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' });
    expect((await type(code!)).statusCode).toBe(303);
    // A text that no slip can have is not a guess.
    expect((await type('K7P4')).statusCode).toBe(400);
  });
});

describe('guessing short codes', () => {
  /** Uses up the hourly limit of an election as if codes had been tried from many addresses. */
  function useUp(service: TestApp, id: string) {
    for (let time = 0; time < GUESSES_AN_HOUR; time++)
      service.ctx.limiter.hit('guesses of an election', id, GUESSES_AN_HOUR, HOUR);
  }

  it('is counted per election, from all addresses together', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    for (let time = 0; time < 20; time++) {
      await guess(service, id, { 'edge-connecting-ip': `203.0.113.${time}` });
      await service.get(`/e/${id}/vote?t=${newShortCode()}`, PAGE);
    }

    const of = { name: 'guesses of an election', client: id, limit: GUESSES_AN_HOUR, window: HOUR };
    expect(service.ctx.limiter.look(of).remaining).toBe(GUESSES_AN_HOUR - 40);
  });

  it('is refused above the election’s limit for addresses that try many, even with the right code', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [code, other] = await addSlips(service, id, 2);
    const [link] = await addTokens(service, id, 1);
    useUp(service, id);
    for (let time = 0; time < 5; time++) await guess(service, id);

    const look = (token: string | undefined, headers: Record<string, string>) =>
      service.get(`/e/${id}/vote?t=${token}`, headers);
    const right = await look(code, PAGE);
    const wrong = await look(newShortCode(), PAGE);
    const cast = await service.post(`/e/${id}/vote`, { token: code, choice: 'yes' }, ROOM);

    expect([right.statusCode, wrong.statusCode, cast.statusCode]).toEqual([429, 429, 429]);
    expect(right.headers['retry-after']).toBe(wrong.headers['retry-after']);
    // Links in mails cannot be guessed, and other addresses are not affected.
    expect((await look(link, PAGE)).statusCode).toBe(200);
    expect((await look(other, { ...PAGE, 'edge-connecting-ip': '203.0.113.9' })).statusCode).toBe(200);

    service.clock.now += MINUTE;
    expect((await look(code, PAGE)).statusCode).toBe(200);
  });

  it('is also limited where only the code identifies the election', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [code] = await addSlips(service, id, 1);
    useUp(service, 'any election');
    const type = (text: string) => service.submit('/vote', { code: text }, ROOM);
    for (let time = 0; time < 5; time++) await type(newShortCode());

    expect((await type(code!)).statusCode).toBe(429);
    expect((await service.get(`/e/${id}/vote?t=${code}`, PAGE)).statusCode).toBe(200);
  });
});
