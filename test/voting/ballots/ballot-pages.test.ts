import { describe, expect, it } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, cast, page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
const isUsed = async (service: TestApp, id: string, token: string) =>
  (await service.get(`/e/${id}?t=${token}`)).json().token.used;

/** The hidden fields of a page's forms, by name; of several with one name the last. */
function hiddenFields(body: string): Record<string, string> {
  const fields = body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}

describe('the ballot page', () => {
  it.each([
    ['a simple vote', '/vote', async (service: TestApp) => ({ id: await addElection(service) })],
    ['a ranked one', '/vote', (service: TestApp) => addRanked(service, ['Ann & Co', 'Bob'])],
    ['a poll', '/vote/poll', (service: TestApp) => addPoll(service, ['Ann & Co', 'Bob'])],
  ])('of %s shows the ballot, is not cached, and does not use the token', async (_what, path, add) => {
    const service = await shared();
    const { id } = await add(service);
    const [token = ''] = await addTokens(service, id, 1);

    const seen = [];
    for (let looks = 0; looks < 3; looks++) seen.push(await page(service, `/e/${id}${path}?t=${token}`));

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
    expect(await isUsed(service, id, token)).toBe(false);
  });

  it.each([
    ['live results', {}, 5, ['The figures are public while voting is open. Someone who sees them change']],
    ['hidden results', { hide_results_until_close: true }, 5, []],
    ['four voters', { hide_results_until_close: true }, 4, ['Fewer than five people have a voting code.']],
    ['four voters and live results', {}, 4, ['The figures are public', 'Fewer than five people']],
  ])('says what can give a vote away, with %s', async (_what, settings, voters, words) => {
    const service = await shared();
    const id = await addElection(service, { settings });
    const [token = ''] = await addTokens(service, id, voters);

    const ballot = await page(service, `/e/${id}/vote?t=${token}`);
    const review = await service.submit(`/e/${id}/vote/review`, { token, choice: 'yes' });
    const about = await page(service, `/e/${id}?t=${token}`);
    const thanks = await service.submit(`/e/${id}/vote`, { token, choice: 'yes' });

    for (const { body } of [ballot, review, about, thanks]) {
      for (const sentence of ['The figures are public', 'Fewer than five people'])
        expect(body.includes(sentence)).toBe(words.some((word) => word.startsWith(sentence)));
      for (const word of words) expect(body).toContain(word);
    }
    expect(ballot.body.includes('Your vote is secret.')).toBe(words.length === 0);
  });

  it.each([
    ['a poll', '/vote', '/vote/poll', (service: TestApp) => addPoll(service, ['Tea', 'Milk'])],
    ['a ranked one', '/vote/poll', '/vote', (service: TestApp) => addRanked(service, ['Ann'])],
  ])('of %s is redirected to from the other address, keeping the token', async (_what, wrong, right, add) => {
    const service = await shared();
    const { id } = await add(service);

    const withToken = await page(service, `/e/${id}${wrong}?t=a%26b`);
    const without = await page(service, `/e/${id}${wrong}`);

    expect([withToken.statusCode, withToken.headers.location]).toEqual([303, `/e/${id}${right}?t=a%26b`]);
    expect([without.statusCode, without.headers.location]).toEqual([303, `/e/${id}${right}`]);
  });

  it.each<
    [string, string, object, (service: TestApp, id: string, token: string) => Promise<unknown> | undefined]
  >([
    [
      'used',
      'A ballot was already recorded',
      {},
      (service, id, token) => cast(service, id, { token, choice: 'no' }),
    ],
    ['early', 'Voting has not opened yet', { open_at: '2026-11-21T18:00:00Z' }, () => undefined],
    ['late', 'Voting has closed', {}, (service, id) => service.post(`/admin/elections/${id}/close`)],
  ])('says why there is no ballot: %s', async (_what, heading, fields, happen) => {
    const service = await shared();
    const id = await addElection(service, fields);
    const [token = ''] = await addTokens(service, id, 1);
    await happen(service, id, token);

    const { statusCode, body } = await page(service, `/e/${id}/vote?t=${token}`);

    expect(statusCode).toBe(200);
    expect(body).toContain(heading);
    expect(body).not.toContain('Review my choice');
  });

  it('for a used code says when voting opened and closes, or has closed', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, choice: 'yes' });

    const during = await page(service, `/e/${id}/vote?t=${token}`);
    await service.post(`/admin/elections/${id}/close`);
    const after = await page(service, `/e/${id}/vote?t=${token}`);

    expect(during.body).toMatch(/Voting opened.*Voting closes/s);
    expect(after.body).toMatch(/Voting opened.*Voting closed/s);
  });

  it('asks for a code if it is missing or wrong', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const none = await page(service, `/e/${id}/vote`);
    expect(none.body).toContain('Enter your voting code');
    const review = await page(service, `/e/${id}/vote/review`);
    expect([review.statusCode, review.headers.location]).toEqual([303, `/e/${id}/vote`]);
    for (const t of ['nonsense', 'x'.repeat(201), 'a&t=b']) {
      const wrong = await page(service, `/e/${id}/vote?t=${t}`);
      expect(wrong.statusCode).toBe(200);
      expect(wrong.body).toContain('This code does not open a ballot');
    }
  });
});

describe('the review', () => {
  it('repeats the choice in words, keeps every entry in hidden fields, and casts nothing', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob'], { settings: { inclusion_codes: true } });
    const [token = ''] = await addTokens(service, id, 1);
    const entered = {
      token,
      submission_id: 'mine',
      inclusion_code: '0123456789abcdef0123456789abcdef',
      [`rank_${ids.Ann}`]: '2',
      [`rank_${ids.Bob}`]: '1',
    };

    const { statusCode, body } = await service.submit(`/e/${id}/vote/review`, entered);

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
    expect(await isUsed(service, id, token)).toBe(false);
  });

  it('leads back to the ballot with all entries kept', async () => {
    await using service = await testApp();
    const { id, ids } = await addPoll(service, ['Tea', 'Milk'], {
      settings: { poll_response_type: 'multiple' },
    });
    const [token = ''] = await addTokens(service, id, 1);

    const { statusCode, body } = await service.submit(`/e/${id}/vote/review`, {
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

  it.each<
    [string, (service: TestApp) => Promise<{ id: string; ids: Record<string, string> }>, object, string]
  >([
    [
      'no answer',
      async (service) => ({ id: await addElection(service), ids: {} }),
      {},
      message('choose_answer'),
    ],
    ['no option', (service) => addPoll(service, ['Tea', 'Milk']), {}, message('choose_option')],
    [
      'no rank',
      (service) => addRanked(service, ['Ann', 'Bob']),
      {},
      message('rank_missing', { name: 'Ann' }),
    ],
  ])('shows the ballot again and says what is missing: %s', async (_what, add, fields, sentence) => {
    const service = await shared();
    const { id } = await add(service);
    const [token = ''] = await addTokens(service, id, 1);

    const { statusCode, body } = await service.submit(`/e/${id}/vote/review`, { token, ...fields });

    expect(statusCode).toBe(400);
    expect(body).toContain('Your ballot is not complete yet');
    expect(body).toContain(sentence);
    expect(body).toContain('Review my choice');
  });

  it('keeps the ranks that were given when two are the same', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob']);
    const [token = ''] = await addTokens(service, id, 1);

    const { statusCode, body } = await service.submit(`/e/${id}/vote/review`, {
      token,
      [`rank_${ids.Ann}`]: '2',
      [`rank_${ids.Bob}`]: '2',
    });

    expect(statusCode).toBe(400);
    expect(body).toContain(message('rank_taken', { name: 'Bob', rank: 2, other: 'Ann' }));
    expect(body.match(/<option value="2" selected>/g)).toHaveLength(2);
  });

  it('of an invalid token says so', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const { body } = await service.submit(`/e/${id}/vote/review`, { token: 'nonsense', choice: 'yes' });

    expect(body).toContain('This code does not open a ballot');
  });
});

describe('a ballot cast by a form', () => {
  it('is answered with a page that shows the inclusion code', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { inclusion_codes: true } });
    const [token = ''] = await addTokens(service, id, 1);

    const { statusCode, headers, body } = await service.submit(`/e/${id}/vote`, { token, choice: 'yes' });

    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store, no-transform');
    expect(body).toContain('class="thanks"');
    expect(body).toMatch(/>[0-9a-f]{4}( [0-9a-f]{4}){7}</);
    expect(await isUsed(service, id, token)).toBe(true);
  });

  it('can be a ranking, several options, or a single option', async () => {
    await using service = await testApp();
    const settings = { poll_response_type: 'multiple' };
    const poll = await addPoll(service, ['Tea', 'Milk'], { settings });
    const ranked = await addRanked(service, ['Ann', 'Bob']);
    const [one = '', two = ''] = await addTokens(service, poll.id, 2);
    const [token = ''] = await addTokens(service, ranked.id, 1);

    const answers = [
      await service.submit(`/e/${poll.id}/vote/poll`, { token: one, selected_options: poll.ids.Tea! }),
      await service.submit(`/e/${poll.id}/vote/poll`, {
        token: two,
        selected_options: [poll.ids.Tea!, poll.ids.Milk!],
      }),
      await service.submit(`/e/${ranked.id}/vote`, { token, ranking: [ranked.ids.Bob!, ranked.ids.Ann!] }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const { results } = (await service.get(`/e/${poll.id}/results`)).json();
    expect(results.options).toMatchObject([
      { name: 'Tea', count: 2 },
      { name: 'Milk', count: 1 },
    ]);
  });

  type Before = (service: TestApp, id: string, token: string) => Promise<unknown>;
  const nothing: Before = async () => undefined;
  const voted: Before = (service, id, token) => cast(service, id, { token, choice: 'no' });
  const closed: Before = (service, id) => service.post(`/admin/elections/${id}/close`);

  it.each<[string, number, string, Before, Record<string, string>]>([
    ['an unknown token', 401, 'This code does not open a ballot', nothing, { token: 'nonsense' }],
    ['a used token', 403, 'A ballot was already recorded with this link', voted, {}],
    ['a closed election', 403, 'Your ballot was not counted', closed, {}],
    ['a wrong answer', 400, 'Must be yes, no or abstain', nothing, { choice: 'perhaps' }],
    ['no token', 401, 'Enter your voting code', nothing, { token: '' }],
    ['a long token', 401, 'This code does not open a ballot', nothing, { token: 'x'.repeat(201) }],
  ])('that is refused for %s is a page with this status', async (_what, status, text, before, fields) => {
    const service = await shared();
    const id = await addElection(service);
    const [token = ''] = await addTokens(service, id, 1);
    await before(service, id, token);

    const answer = await service.submit(`/e/${id}/vote`, { token, choice: 'yes', ...fields });

    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain(text);
  });

  it('with Accept: application/json is answered in JSON', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token = ''] = await addTokens(service, id, 1);

    const answer = await service.submit(
      `/e/${id}/vote`,
      { token, choice: 'yes' },
      { accept: 'application/json' },
    );

    expect(answer.json()).toEqual({ success: true, message: 'Your vote has been recorded' });
  });
});

describe('the election page', () => {
  it('links a valid token to its ballot, and a HEAD request changes nothing', async () => {
    await using service = await testApp();
    const { id } = await addPoll(service, ['Tea', 'Milk'], { open_at: isoTime(service.clock.now) });
    const [token = ''] = await addTokens(service, id, 1);

    const html = await page(service, `/e/${id}?t=${token}`);
    const head = await service.request({ method: 'HEAD', url: `/e/${id}/vote/poll?t=${token}` });

    expect(html.headers).toMatchObject({
      vary: 'Accept, Accept-Language, Cookie',
      'cache-control': 'no-store',
    });
    expect(html.body).toContain(`/e/${id}/vote/poll?t=${token}`);
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(await isUsed(service, id, token)).toBe(false);
  });
});
