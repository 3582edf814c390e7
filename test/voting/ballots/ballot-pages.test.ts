import { describe, expect, it } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, cast, page } from '#test/support/factories.ts';

const isUsed = async (house: TestApp, id: string, token: string) =>
  (await house.get(`/e/${id}?t=${token}`)).json().token.used;

/** The hidden fields of a page's forms, the last of a name. */
function hiddenFields(body: string): Record<string, string> {
  const fields = body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}

describe('the ballot page', () => {
  it.each([
    ['a simple vote', '/vote', async (house: TestApp) => ({ id: await addElection(house) })],
    ['a ranked one', '/vote', (house: TestApp) => addRanked(house, ['Ann & Co', 'Bob'])],
    ['a poll', '/vote/poll', (house: TestApp) => addPoll(house, ['Ann & Co', 'Bob'])],
  ])('of %s shows the ballot, is kept nowhere, and uses nothing up', async (_what, path, add) => {
    await using house = await testApp();
    const { id } = await add(house);
    const [token = ''] = await addTokens(house, id, 1);

    const seen = [];
    for (let looks = 0; looks < 3; looks++) seen.push(await page(house, `/e/${id}${path}?t=${token}`));

    for (const { statusCode, headers, body } of seen) {
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(body).toContain('Review my choice');
    }
    expect(hiddenFields(seen[0]!.body)).toMatchObject({
      token,
      submission_id: expect.stringMatching(/.{36}/),
    });
    expect(await isUsed(house, id, token)).toBe(false);
  });

  it.each([
    ['a poll', '/vote', '/vote/poll', (house: TestApp) => addPoll(house, ['Tea', 'Milk'])],
    ['a ranked one', '/vote/poll', '/vote', (house: TestApp) => addRanked(house, ['Ann'])],
  ])('of %s is found from the other address, keeping the token', async (_what, wrong, right, add) => {
    await using house = await testApp();
    const { id } = await add(house);

    const withToken = await page(house, `/e/${id}${wrong}?t=a%26b`);
    const without = await page(house, `/e/${id}${wrong}`);

    expect([withToken.statusCode, withToken.headers.location]).toEqual([303, `/e/${id}${right}?t=a%26b`]);
    expect([without.statusCode, without.headers.location]).toEqual([303, `/e/${id}${right}`]);
  });

  it.each<
    [string, string, object, (house: TestApp, id: string, token: string) => Promise<unknown> | undefined]
  >([
    [
      'used',
      'A ballot was already recorded',
      {},
      (house, id, token) => cast(house, id, { token, choice: 'no' }),
    ],
    ['early', 'Voting has not opened yet', { open_at: '2026-11-21T18:00:00Z' }, () => undefined],
    ['late', 'Voting has closed', {}, (house, id) => house.post(`/admin/elections/${id}/close`)],
  ])('says why there is no ballot: %s', async (_what, heading, fields, happen) => {
    await using house = await testApp();
    const id = await addElection(house, fields);
    const [token = ''] = await addTokens(house, id, 1);
    await happen(house, id, token);

    const { statusCode, body } = await page(house, `/e/${id}/vote?t=${token}`);

    expect(statusCode).toBe(200);
    expect(body).toContain(heading);
    expect(body).not.toContain('Review my choice');
  });

  it('asks for a code where none or a wrong one came', async () => {
    await using house = await testApp();
    const id = await addElection(house);

    const none = await page(house, `/e/${id}/vote`);
    expect(none.body).toContain('Enter your voting code');
    for (const t of ['nonsense', 'x'.repeat(201), 'a&t=b']) {
      const wrong = await page(house, `/e/${id}/vote?t=${t}`);
      expect(wrong.statusCode).toBe(200);
      expect(wrong.body).toContain('This code does not open a ballot');
    }
  });
});

describe('the review', () => {
  it('repeats the choice in words, carries every entry on, and casts nothing', async () => {
    await using house = await testApp();
    const { id, ids } = await addRanked(house, ['Ann', 'Bob'], { settings: { inclusion_codes: true } });
    const [token = ''] = await addTokens(house, id, 1);
    const entered = {
      token,
      submission_id: 'mine',
      inclusion_code: '0123456789abcdef0123456789abcdef',
      [`rank_${ids.Ann}`]: '2',
      [`rank_${ids.Bob}`]: '1',
    };

    const { statusCode, body } = await house.submit(`/e/${id}/vote/review`, entered);

    expect(statusCode).toBe(200);
    expect(body).toContain('Is this your vote?');
    expect(body.indexOf('Bob')).toBeLessThan(body.indexOf('Ann'));
    expect(hiddenFields(body)).toMatchObject({
      token,
      submission_id: 'mine',
      inclusion_code: '0123456789abcdef0123456789abcdef',
      ranking: ids.Ann,
      step: 'edit',
    });
    expect(await isUsed(house, id, token)).toBe(false);
  });

  it('leads back to the ballot with everything as it was', async () => {
    await using house = await testApp();
    const { id, ids } = await addPoll(house, ['Tea', 'Milk'], {
      settings: { poll_response_type: 'multiple' },
    });
    const [token = ''] = await addTokens(house, id, 1);

    const { statusCode, body } = await house.submit(`/e/${id}/vote/review`, {
      token,
      submission_id: 'mine',
      selected_options: [ids.Milk!],
      step: 'edit',
    });

    expect(statusCode).toBe(200);
    expect(body).toMatch(new RegExp(`value="${ids.Milk}"[^>]* checked`));
    expect(body).not.toMatch(new RegExp(`value="${ids.Tea}"[^>]* checked`));
    expect(hiddenFields(body)).toMatchObject({ token, submission_id: 'mine' });
  });

  it.each<[string, (house: TestApp) => Promise<{ id: string; ids: Record<string, string> }>, object, string]>(
    [
      [
        'no answer',
        async (house) => ({ id: await addElection(house), ids: {} }),
        {},
        'Choose yes, no or abstain.',
      ],
      ['no option', (house) => addPoll(house, ['Tea', 'Milk']), {}, 'Choose one option.'],
      ['no rank', (house) => addRanked(house, ['Ann', 'Bob']), {}, 'Ann has no rank yet.'],
    ],
  )('shows the ballot again with what is missing: %s', async (_what, add, fields, sentence) => {
    await using house = await testApp();
    const { id } = await add(house);
    const [token = ''] = await addTokens(house, id, 1);

    const { statusCode, body } = await house.submit(`/e/${id}/vote/review`, { token, ...fields });

    expect(statusCode).toBe(400);
    expect(body).toContain('Your ballot is not complete yet');
    expect(body).toContain(sentence);
    expect(body).toContain('Review my choice');
  });

  it('keeps the ranks that were given when two are the same', async () => {
    await using house = await testApp();
    const { id, ids } = await addRanked(house, ['Ann', 'Bob']);
    const [token = ''] = await addTokens(house, id, 1);

    const { statusCode, body } = await house.submit(`/e/${id}/vote/review`, {
      token,
      [`rank_${ids.Ann}`]: '2',
      [`rank_${ids.Bob}`]: '2',
    });

    expect(statusCode).toBe(400);
    expect(body).toContain('Bob has rank 2, which Ann has already.');
    expect(body.match(/<option value="2" selected>/g)).toHaveLength(2);
  });

  it('of a token that opens no ballot says so', async () => {
    await using house = await testApp();
    const id = await addElection(house);

    const { body } = await house.submit(`/e/${id}/vote/review`, { token: 'nonsense', choice: 'yes' });

    expect(body).toContain('This code does not open a ballot');
  });
});

describe('a ballot cast by a form', () => {
  it('is answered by a page; the code is shown there once', async () => {
    await using house = await testApp();
    const id = await addElection(house, { settings: { inclusion_codes: true } });
    const [token = ''] = await addTokens(house, id, 1);

    const { statusCode, headers, body } = await house.submit(`/e/${id}/vote`, { token, choice: 'yes' });

    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('Your vote has been recorded.');
    expect(body).toMatch(/>[0-9a-f]{32}</);
    expect(await isUsed(house, id, token)).toBe(true);
  });

  it('takes a ranking and several options, also a single one', async () => {
    await using house = await testApp();
    const settings = { poll_response_type: 'multiple' };
    const poll = await addPoll(house, ['Tea', 'Milk'], { settings });
    const ranked = await addRanked(house, ['Ann', 'Bob']);
    const [one = '', two = ''] = await addTokens(house, poll.id, 2);
    const [token = ''] = await addTokens(house, ranked.id, 1);

    const answers = [
      await house.submit(`/e/${poll.id}/vote/poll`, { token: one, selected_options: poll.ids.Tea! }),
      await house.submit(`/e/${poll.id}/vote/poll`, {
        token: two,
        selected_options: [poll.ids.Tea!, poll.ids.Milk!],
      }),
      await house.submit(`/e/${ranked.id}/vote`, { token, ranking: [ranked.ids.Bob!, ranked.ids.Ann!] }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const { results } = (await house.get(`/e/${poll.id}/results`)).json();
    expect(results.options).toMatchObject([
      { name: 'Tea', count: 2 },
      { name: 'Milk', count: 1 },
    ]);
  });

  type Before = (house: TestApp, id: string, token: string) => Promise<unknown>;
  const nothing: Before = async () => undefined;
  const voted: Before = (house, id, token) => cast(house, id, { token, choice: 'no' });
  const closed: Before = (house, id) => house.post(`/admin/elections/${id}/close`);

  it.each<[string, number, string, Before, Record<string, string>]>([
    ['an unknown token', 401, 'This code does not open a ballot', nothing, { token: 'nonsense' }],
    ['a used token', 403, 'A ballot was already recorded with this link', voted, {}],
    ['a closed election', 403, 'Voting has closed', closed, {}],
    ['a wrong answer', 400, 'must be yes, no or abstain', nothing, { choice: 'perhaps' }],
    ['no token', 401, 'Enter your voting code', nothing, { token: '' }],
    ['a long token', 401, 'This code does not open a ballot', nothing, { token: 'x'.repeat(201) }],
  ])('that is refused for %s is a page with the same status', async (_what, status, text, before, fields) => {
    await using house = await testApp();
    const id = await addElection(house);
    const [token = ''] = await addTokens(house, id, 1);
    await before(house, id, token);

    const answer = await house.submit(`/e/${id}/vote`, { token, choice: 'yes', ...fields });

    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain(text);
  });

  it('with JSON wanted is answered in JSON', async () => {
    await using house = await testApp();
    const id = await addElection(house);
    const [token = ''] = await addTokens(house, id, 1);

    const answer = await house.submit(
      `/e/${id}/vote`,
      { token, choice: 'yes' },
      { accept: 'application/json' },
    );

    expect(answer.json()).toEqual({ success: true, message: 'Your vote has been recorded' });
  });
});

describe('the election page', () => {
  it('leads a good token to its ballot, and a HEAD request changes nothing', async () => {
    await using house = await testApp();
    const { id } = await addPoll(house, ['Tea', 'Milk'], { open_at: isoTime(house.clock.now) });
    const [token = ''] = await addTokens(house, id, 1);

    const html = await page(house, `/e/${id}?t=${token}`);
    const head = await house.request({ method: 'HEAD', url: `/e/${id}/vote/poll?t=${token}` });

    expect(html.headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(html.body).toContain(`/e/${id}/vote/poll?t=${token}`);
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(await isUsed(house, id, token)).toBe(false);
  });
});
