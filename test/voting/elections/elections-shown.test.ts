import { describe, expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  cast,
  openElection,
  page,
} from '#test/support/factories.ts';

describe('the election listing', () => {
  it('shows every election with its options, the newest first', async () => {
    await using service = await testApp();
    const simple = await addElection(service);
    service.clock.now += 1;
    const ranked = await addRanked(service, ['Ann', 'Bob'], { none_of_the_above: true });
    service.clock.now += 1;
    const poll = await addPoll(service, ['Tea', 'Milk']);

    const { elections } = (await service.get('/admin/elections')).json();

    expect(elections.map(({ id }: { id: string }) => id)).toEqual([poll.id, ranked.id, simple]);
    expect(elections[0].options).toEqual([
      {
        id: poll.ids.Tea,
        name: 'Tea',
        display_order: 1,
        is_none_of_the_above: false,
        text: null,
        picture: null,
      },
      {
        id: poll.ids.Milk,
        name: 'Milk',
        display_order: 2,
        is_none_of_the_above: false,
        text: null,
        picture: null,
      },
    ]);
    expect(elections[1].candidates.map(({ name }: { name: string }) => name)).toEqual([
      'Ann',
      'Bob',
      'None of the above',
    ]);
    expect(elections[2]).not.toHaveProperty('options');
    expect(elections[2]).not.toHaveProperty('candidates');
  });
});

describe('one election', () => {
  it('is shown to officers as JSON with its turnout, or as a page, by Accept', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 3);
    await cast(service, id, { token, choice: 'yes' });

    const json = await service.get(`/admin/elections/${id}`);
    const html = await page(service, `/admin/elections/${id}`);

    expect(json.json().turnout).toEqual({ tokens: 3, used: 1, invited: 0 });
    expect(json.json().election.id).toBe(id);
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(html.body).toContain('Shall we buy a piano?');
    for (const { headers } of [json, html]) {
      expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    }
  });

  it('is shown to the public without the fields for officers', async () => {
    await using service = await testApp();
    const id = await addElection(service, { invite_mode: 'batch' });

    const { election } = (await service.get(`/e/${id}`)).json();

    expect(election).toMatchObject({ id, title: 'Shall we buy a piano?', status: 'open' });
    expect(election).not.toHaveProperty('invite_mode');
    expect(election).not.toHaveProperty('created_at');
  });

  it('tells a voter whether a token is valid, without using it', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token, used] = await addTokens(service, id, 2);
    await cast(service, id, { token: used, choice: 'no' });

    const answers = [];
    const twice = `${token}&t=${token}`;
    for (const t of [token, token, used, 'nonsense', 'x'.repeat(201), twice, `&t=${token}`])
      answers.push((await service.get(`/e/${id}?t=${t}`)).json().token);

    expect(answers).toEqual([
      { valid: true, used: false },
      { valid: true, used: false },
      { valid: true, used: true },
      { valid: false, used: false },
      { valid: false, used: false },
      { valid: false, used: false },
      { valid: false, used: false },
    ]);
  });

  it('has the flags that a form sends as words', async () => {
    await using service = await testApp();

    const made = await service.submit('/admin/elections', {
      ...(openElection(service) as Record<string, string>),
      'settings.hide_results_until_close': 'on',
      'settings.publish_results_to_home': 'false',
    });

    const { elections } = (await service.get('/admin/elections')).json();
    expect(made.statusCode).toBe(303);
    expect(made.headers.location).toBe(`/admin/elections/${elections[0].id}?done=created`);
    expect(elections[0].settings).toMatchObject({
      hide_results_until_close: true,
      publish_results_to_home: false,
    });
  });

  it('from an invalid form is shown again with the input', async () => {
    await using service = await testApp();

    const refused = await service.submit('/admin/elections', { title: 'A <new> piano', ballot_type: 'POLL' });

    expect(refused.statusCode).toBe(400);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused.body).toContain('A &lt;new&gt; piano');
  });
});

describe('published-status', () => {
  it.each([
    ['not published', {}, false, true],
    ['published, live', { publish_results_to_home: true }, true, true],
    ['published, hidden', { publish_results_to_home: true, hide_results_until_close: true }, true, false],
  ])('says if results are published and why: %s', async (_what, settings, published, results_visible) => {
    await using service = await testApp();
    const id = await addElection(service, { settings });

    const answer = await service.get(`/admin/elections/${id}/published-status`);

    expect(answer.json()).toEqual({ published, results_visible, reason: expect.stringMatching(/home page/) });
  });
});
