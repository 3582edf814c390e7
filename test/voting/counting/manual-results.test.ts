import { describe, expect, it } from 'vitest';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, auditOf, castAll, page, send } from '#test/support/factories.ts';
import { atField, errorJson, expectRefusal, message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
const urlOf = (id: string) => `/admin/elections/${id}/manual-results`;
const put = (service: TestApp, id: string, body: object) => send(service, 'PUT', urlOf(id), body);
const contest = (label: string, votes: Record<string, unknown>) => ({
  label,
  items: Object.entries(votes).map(([item, count]) => ({ label: item, votes: count })),
});
const CHAIR = { results: { contests: [contest('Chair', { Ann: 30, Bob: 10 })] } };

describe('certified results', () => {
  it('replace the computed ones until they are removed', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'no' }]);
    await service.post(`/admin/elections/${id}/close`);
    const modeOf = async () => (await service.get(`/e/${id}`)).json().election.results_mode;
    const seen = [await modeOf()];

    const set = await put(service, id, {
      certified_at: '2026-11-20T18:00',
      certified_by: ' The tellers ',
      notes: 'Counted twice.',
      ...CHAIR,
    });
    const manual = (await service.get(`/e/${id}/results`)).json();
    const preview = (await service.get(`/admin/elections/${id}/results-preview`)).json();
    seen.push(await modeOf());
    const cleared = await send(service, 'DELETE', urlOf(id));
    const computed = (await service.get(`/e/${id}/results`)).json();
    seen.push(await modeOf());

    expect([set.statusCode, set.json()]).toEqual([200, { ok: true, results_mode: 'manual' }]);
    expect(manual).toEqual({
      election_id: id,
      results_mode: 'manual',
      ballot_type: 'SIMPLE_TRIPLE',
      status: 'closed',
      computed: expect.any(Object),
      turnout: { issued: 1, used: 1 },
      manual: {
        certified_at: '2026-11-20T23:00:00.000Z',
        certified_by: 'The tellers',
        notes: 'Counted twice.',
        ...CHAIR,
      },
      display: {
        contests: [
          {
            label: 'Chair',
            total_votes: 40,
            items: [
              { label: 'Ann', votes: 30, share: 0.75 },
              { label: 'Bob', votes: 10, share: 0.25 },
            ],
            winner: 'Ann',
            tied: false,
          },
        ],
      },
      certification: {
        certified_at: '2026-11-20T23:00:00.000Z',
        certified_by: 'The tellers',
        notes: 'Counted twice.',
      },
    });
    expect(preview).toEqual(manual);
    expect([cleared.statusCode, cleared.json()]).toEqual([200, { ok: true, results_mode: 'computed' }]);
    expect(computed).toMatchObject({ results_mode: 'computed', total_ballots: 1, results: { no: 1 } });
    expect(seen).toEqual(['computed', 'manual', 'computed']);
    const actions = (await auditOf(service, id)).map(({ action }) => action).slice(-2);
    expect(actions).toEqual(['results.manual_set', 'results.manual_cleared']);
  });

  it('are replaced by the next ones, and need no certification details', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await put(service, id, { certified_by: 'The tellers', ...CHAIR });

    await put(service, id, { results: { contests: [contest('Chair', { Ann: 0 })] } });

    const { manual, certification } = (await service.get(`/e/${id}/results`)).json();
    expect(manual.results.contests).toEqual([{ label: 'Chair', items: [{ label: 'Ann', votes: 0 }] }]);
    expect(certification).toEqual({ certified_at: null, certified_by: null, notes: null });
  });

  it.each<[string, Record<string, number>, object]>([
    ['two that lead are tied', { Ann: 5, Bob: 5, Cid: 1 }, { winner: null, tied: true }],
    [
      'nobody has a vote',
      { Ann: 0, Bob: 0 },
      { winner: null, tied: false, total_votes: 0, items: [{ share: 0 }, { share: 0 }] },
    ],
    ['there is one item', { Ann: 1 }, { winner: 'Ann', tied: false, items: [{ share: 1 }] }],
  ])('name a winner only if there is one: %s', async (_what, votes, expected) => {
    const service = await shared();
    const id = await addElection(service);

    await put(service, id, { results: { contests: [contest('Chair', votes)] } });

    expect((await service.get(`/e/${id}/results`)).json().display.contests).toMatchObject([expected]);
  });

  it('are on the election’s page, escaped', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await put(service, id, { results: { contests: [contest('<b>Chair</b>', { 'Ann & Co': 2 })] } });

    const { body } = await page(service, `/e/${id}`);

    expect(body).toContain('&lt;b&gt;Chair&lt;/b&gt;');
    expect(body).toContain('Ann &amp; Co');
    expect(body).not.toContain('<b>Chair');
  });

  it('that do not exist can be removed, without an audit entry', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const answer = await send(service, 'DELETE', urlOf(id));

    expect(answer.json()).toEqual({ ok: true, results_mode: 'computed' });
    expect((await auditOf(service, id)).map(({ action }) => action)).toEqual(['election.created']);
  });
});

describe('a refusal of certified results', () => {
  const withContests = (contests: unknown) => ({ results: { contests } });
  const withVotes = (votes: unknown) => withContests([contest('Chair', { Ann: votes })]);

  it.each<[string, string, object]>([
    ['no results', 'results', {}],
    ['no contests', 'results.contests', { results: {} }],
    ['an empty list of contests', 'results.contests', withContests([])],
    ['contests that are no list', 'results.contests', withContests({})],
    ['an empty contest', 'results.contests.0.items', withContests([{ label: 'Chair', items: [] }])],
    ['a contest without items', 'results.contests.0.items', withContests([{ label: 'Chair' }])],
    ['an empty label of a contest', 'results.contests.0.label', withContests([contest(' ', { Ann: 1 })])],
    [
      'an empty label of an item',
      'results.contests.0.items.0.label',
      withContests([contest('Chair', { '': 1 })]),
    ],
    ['negative votes', 'results.contests.0.items.0.votes', withVotes(-1)],
    ['half a vote', 'results.contests.0.items.0.votes', withVotes(1.5)],
    ['votes in words', 'results.contests.0.items.0.votes', withVotes('many')],
    ['votes as a text', 'results.contests.0.items.0.votes', withVotes('5')],
    ['too many votes', 'results.contests.0.items.0.votes', withVotes(1_000_000_001)],
    ['no votes', 'results.contests.0.items.0.votes', withVotes(null)],
    ['a garbled time', 'certified_at', { certified_at: 'yesterday', ...CHAIR }],
    ['a name that is no text', 'certified_by', { certified_by: ['x'], ...CHAIR }],
    ['notes of 5,001 characters', 'notes', { notes: 'x'.repeat(5_001), ...CHAIR }],
  ])('has its own error format and names the field: %s', async (_what, path, body) => {
    const service = await shared();
    const id = await addElection(service);

    const answer = await put(service, id, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ ok: false, error: expect.any(String), code: 'VALIDATION_ERROR' });
    expect(answer.json().errors[0].path).toBe(path);
    expect((await service.get(`/e/${id}`)).json().election.results_mode).toBe('computed');
  });

  it('has the same format for malformed JSON and for an unknown election', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const malformed = await service.request({
      method: 'PUT',
      url: urlOf(id),
      payload: '{"results":',
      headers: { 'content-type': 'application/json' },
    });
    const unknown = await put(service, 'nowhere', CHAIR);
    const nothing = await send(service, 'DELETE', urlOf('nowhere'));

    expect([malformed.statusCode, malformed.json()]).toMatchObject([
      400,
      { ok: false, code: 'VALIDATION_ERROR' },
    ]);
    for (const answer of [unknown, nothing]) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ ok: false, error: message('election_not_found'), code: 'NOT_FOUND' });
    }
  });

  it('has the same format for a body that is too large or of another type', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const put = (type: string, payload: string) =>
      service.request({ method: 'PUT', url: urlOf(id), payload, headers: { 'content-type': type } });

    const large = await put('application/json', JSON.stringify({ notes: 'x'.repeat(1024 * 1024) }));
    const other = await put('text/plain', '{}');

    expect([large.statusCode, large.json()]).toEqual([
      413,
      { ok: false, error: expect.any(String), code: 'BODY_TOO_LARGE' },
    ]);
    expect([other.statusCode, other.json()]).toEqual([
      415,
      { ok: false, error: expect.any(String), code: 'UNSUPPORTED_CONTENT_TYPE' },
    ]);
  });

  it('has its own format on these routes only', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const answers = [
      await service.get('/admin/audit-logs?limit=0'),
      await service.get(`/admin/elections/${id}/export?format=nonsense`),
      await service.get('/admin/elections/nowhere/results-preview'),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 404]);
    for (const answer of answers) expect(Object.keys(answer.json())).not.toContain('ok');
  });

  it('is the usual 401 without authentication', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const answer = await service.request({
      method: 'DELETE',
      url: urlOf(id),
      headers: { host: 'club.example' },
    });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ ...errorJson('officer_key_required'), message: expect.any(String) });
  });
});

describe('the editor of certified results', () => {
  it('ignores empty rows, and adds rows without losing what was entered', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const entered = {
      certified_by: 'The tellers',
      'results.contests.0.label': 'Chair',
      'results.contests.0.items.0.label': 'Ann',
      'results.contests.0.items.0.votes': '12',
      'results.contests.0.items.1.label': '',
      'results.contests.0.items.1.votes': '',
      'results.contests.1.label': '',
    };

    const more = await service.submit(`${urlOf(id)}/edit`, { ...entered, more: 'contest' });
    const saved = await service.submit(`${urlOf(id)}?_method=PUT`, entered);

    expect(more.statusCode).toBe(200);
    expect(more.body).toContain('value="The tellers"');
    expect(more.body).toContain('value="12"');
    expect(saved.statusCode).toBe(303);
    expect((await service.get(`/e/${id}/results`)).json().manual.results.contests).toEqual([
      contest('Chair', { Ann: 12 }),
    ]);
  });

  it('starts with the options of the election and the votes counted here', async () => {
    await using service = await testApp();
    const motion = await addElection(service, { title: 'The piano' });
    await castAll(service, motion, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'no' }]);
    const poll = await addPoll(service, ['Tea', 'Cake'], { title: 'Supper' });
    const ranked = await addRanked(service, ['Ann', 'Bob'], { title: 'Chair' });
    await castAll(service, poll.id, [{ selected_option: poll.ids.Cake }], 'vote/poll');
    const rows = async (id: string) => {
      const { body } = await page(service, urlOf(id));
      const value = (name: string) =>
        new RegExp(`name="results.contests.0.${name}"[^>]* value="([^"]*)"`).exec(body)?.[1];
      const items = [0, 1].map((row) => [value(`items.${row}.label`), value(`items.${row}.votes`)]);
      return [value('label'), ...items];
    };

    const whileOpen = await rows(motion);
    for (const id of [motion, poll.id, ranked.id]) await service.post(`/admin/elections/${id}/close`);

    expect(whileOpen).toEqual(['The piano', ['Yes', ''], ['No', '']]);
    expect(await rows(motion)).toEqual(['The piano', ['Yes', '2'], ['No', '1']]);
    expect(await rows(poll.id)).toEqual(['Supper', ['Tea', '0'], ['Cake', '1']]);
    expect(await rows(ranked.id)).toEqual(['Chair', ['Ann', ''], ['Bob', '']]);
  });

  it('explains that nothing was entered', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const nothing = await service.submit(`${urlOf(id)}?_method=PUT`, { certified_by: 'The tellers' });

    expect(nothing.statusCode).toBe(400);
    expect(nothing.body).toContain(atField('nothing_entered'));
    expect(nothing.body).toContain('value="The tellers"');
    expect(nothing.body).not.toMatch(/Contest 1|Item 1/);
  });

  it('shows a refused entry again', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const refused = await service.submit(`${urlOf(id)}?_method=PUT`, {
      'results.contests.0.label': 'Chair',
      'results.contests.0.items.0.label': 'Ann',
      'results.contests.0.items.0.votes': 'many',
    });

    expect(refused.statusCode).toBe(400);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused.body).toContain('value="many"');
  });
});

describe('certified figures and the public', () => {
  const figures = (votes: number) => ({
    results: { contests: [{ label: 'Board', items: [{ label: 'Bea', votes }] }] },
  });
  const put = (service: TestApp, id: string, votes: number) =>
    send(service, 'PUT', `/admin/elections/${id}/manual-results`, figures(votes));

  it('are refused while voting is open and has ballots, and accepted in every other state', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    expect((await put(service, id, 1)).statusCode).toBe(200);
    await castAll(service, id, [{ choice: 'yes' }]);
    const refused = await put(service, id, 99);
    await service.post(`/admin/elections/${id}/close`);
    expect([refused.statusCode, refused.json().ok]).toEqual([409, false]);
    expect((await put(service, id, 2)).statusCode).toBe(200);
  });

  it('keep every version on the public page, with the hash that the log has', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await service.post(`/admin/elections/${id}/close`);
    for (const votes of [99, 98]) await put(service, id, votes);
    await send(service, 'DELETE', `/admin/elections/${id}/manual-results`);
    const { body } = await page(service, `/e/${id}`);
    const links = [...body.matchAll(/href="(\/e\/[^"]*\/certified\/([0-9a-f]{64}))"/g)];
    const logged = (await auditOf(service, id)).flatMap(({ metadata }) => metadata.figures_sha256 ?? []);

    expect(links.map(([, , hash]) => hash)).toEqual(logged);
    const texts = await Promise.all(links.map(async ([, url = '']) => (await service.get(url)).body));
    expect(texts.map(sha256)).toEqual(logged);
    expect(texts.map((text) => JSON.parse(text).results.contests[0].items[0].votes)).toEqual([99, 98]);
    expectRefusal(await service.get(`/e/${id}/certified/${'f'.repeat(64)}`), 404, 'no_certified_figures');
  });
});
