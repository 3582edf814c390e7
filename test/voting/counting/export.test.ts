import { describe, expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, castAll, page } from '#test/support/factories.ts';
import { recount } from '#test/support/process/recount.ts';

const exported = (service: TestApp, id: string, format?: string) =>
  service.get(`/admin/elections/${id}/export${format ? `?format=${format}` : ''}`);
const close = (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`);

describe('the CSV export', () => {
  it('has one ballot per line, and is the default format', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'no' }, { choice: 'yes' }]);

    await close(service, id);
    const answer = await exported(service, id);

    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="election-2026-11-21-[\w-]+\.csv"$/,
      ),
      'cache-control': 'no-store',
    });
    const [head, ...lines] = answer.body.trimEnd().split('\r\n');
    expect(head).toBe('\ufeffchoice');
    expect(lines.toSorted()).toEqual(['no', 'yes', 'yes']);
  });

  it('runs no formula in a spreadsheet and keeps unusual names intact', async () => {
    await using service = await testApp();
    const names = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', 'Ann, "the" Chair'];
    const { id, ids } = await addRanked(service, names);
    await castAll(service, id, [{ ranking: names.map((name) => ids[name]) }]);

    await close(service, id);
    const { body } = await exported(service, id, 'csv');

    expect(body).toBe(
      '\ufeffrank 1,rank 2,rank 3,rank 4,rank 5\r\n' +
        `"'=HYPERLINK(""http://x"")",'+1,'-1,'@SUM(A1),"Ann, ""the"" Chair"\r\n`,
    );
  });

  it('names the options of a poll', async () => {
    await using service = await testApp();
    const { id, ids } = await addPoll(service, ['Tea', 'Milk'], {
      settings: { poll_response_type: 'multiple' },
    });
    const both = { selected_options: [ids.Milk, ids.Tea] };
    await castAll(service, id, [both, { selected_options: [ids.Milk] }], 'vote/poll');

    await close(service, id);
    const { body } = await exported(service, id, 'csv');

    const [head, ...lines] = body.trimEnd().split('\r\n');
    expect(head).toBe('\ufeffchoice 1,choice 2');
    expect(lines.toSorted()).toEqual(['Milk,', 'Tea,Milk']);
  });

  it('is shuffled again each time', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(
      service,
      id,
      Array.from({ length: 40 }, (_, index) => ({ choice: index < 20 ? 'yes' : 'no' })),
    );

    const bodies = [];
    for (let times = 0; times < 4; times++) bodies.push((await exported(service, id)).body);

    // Of 40 ballots, 20 of each kind, there are 137 billion orders.
    expect(new Set(bodies).size).toBe(4);
    expect(new Set(bodies.map((body) => body.split('\r\n').toSorted().join())).size).toBe(1);
  });
});

describe('the Condorcet Election Format', () => {
  it('counts equal ballots, with names that its grammar allows', async () => {
    await using service = await testApp();
    const names = ['Ann > Bob', 'Ann ; Bob', 'Cid * 3 # x'];
    const { id, ids } = await addRanked(service, names);
    const [first, second, third] = names.map((name) => ids[name]);
    await castAll(service, id, [
      { ranking: [first, second, third] },
      { ranking: [first, second, third] },
      { ranking: [third, first, second] },
    ]);

    await close(service, id);
    const { headers, body } = await exported(service, id, 'cef');

    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = body.trimEnd().split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '#/Candidates: Ann Bob ; Ann Bob (2) ; Cid 3 x',
      '#/Implicit Ranking: false',
      '#/Number of Seats: 1',
    ]);
    expect(lines.slice(3).toSorted()).toEqual([
      'Ann Bob > Ann Bob (2) > Cid 3 x * 2',
      'Cid 3 x > Ann Bob > Ann Bob (2) * 1',
    ]);
  });

  it.each([
    [
      ['Ann || Bob', 'Treasurer: Ann', 'Ann "Annie" Lee', 'Lager at $5 < 6'],
      ['Ann Bob', 'Treasurer Ann', 'Ann Annie Lee', 'Lager at 5 6'],
    ],
    // A number that tells two apart may not make a third.
    [
      ['Plan (3)', 'Plan', 'Plan/', '>'],
      ['Plan (3)', 'Plan', 'Plan (3)+', 'Candidate 4'],
    ],
    [
      ['x'.repeat(150), `${'x'.repeat(120)}y`, '||'],
      ['x'.repeat(100), `${'x'.repeat(96)} (2)`, 'Candidate 3'],
    ],
  ])('has names that the reference reader accepts: %j', async (names, written) => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, names);
    await castAll(service, id, [{ ranking: names.map((name) => ids[name]) }]);

    await close(service, id);
    const { headers, body } = await exported(service, id, 'cef');

    expect(headers['content-disposition']).toMatch(/\.cvotes"$/);
    const [head, , , ballot] = body.split('\n');
    expect(head).toBe(`#/Candidates: ${written.join(' ; ')}`);
    expect(ballot).toBe(`${written.join(' > ')} * 1`);
  });

  it('is for ranked elections only, and other formats are refused', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const answers = [await exported(service, id, 'cef'), await exported(service, id, 'xlsx')];

    for (const answer of answers) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toContain('format');
    }
  });
});

describe('the JSON export', () => {
  const elections: [string, string, (service: TestApp) => Promise<string>][] = [
    [
      'a simple vote',
      'Carried: 2 yes to 1 no.',
      async (service) => {
        const id = await addElection(service, { settings: { quorum: 2 } });
        await castAll(service, id, [{ choice: 'yes' }, { choice: 'no' }, { choice: 'yes' }]);
        return id;
      },
    ],
    [
      'a poll',
      'Tied between Tea and Milk',
      async (service) => {
        const { id, ids } = await addPoll(service, ['Tea', 'Milk']);
        await castAll(
          service,
          id,
          [{ selected_option: ids.Tea }, { selected_option: ids.Milk }],
          'vote/poll',
        );
        return id;
      },
    ],
    [
      'a ranked election',
      'Bob wins',
      async (service) => {
        const { id, ids } = await addRanked(service, ['Ann', 'Bob'], { none_of_the_above: true });
        const none = ids['None of the above'];
        await castAll(service, id, [
          { ranking: [ids.Bob, ids.Ann, none] },
          { ranking: [ids.Bob, none, ids.Ann] },
        ]);
        return id;
      },
    ],
  ];

  it.each(elections)('of %s, once closed, is confirmed by a recount', async (_what, sentence, make) => {
    await using service = await testApp();
    const id = await make(service);
    await service.post(`/admin/elections/${id}/close`);
    const published = (await service.get(`/e/${id}/results`)).json();

    const { code, out } = await recount((await exported(service, id, 'json')).body);

    expect(out).toContain(sentence);
    expect(out).toContain(published.ballot_set_sha256);
    expect(code).toBe(0);
  });

  it('has all that a recount needs, and no ids of ballots', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { inclusion_codes: true } });
    await castAll(service, id, Array(10).fill({ choice: 'yes' }));

    const { headers, body } = await exported(service, id, 'json');

    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(body)).toMatchObject({
      format: 'publichouse-export-1',
      election: { id, ballot_type: 'SIMPLE_TRIPLE', status: 'open' },
      options: [],
      ballots: Array(10).fill('yes'),
      total_ballots: 10,
      ballot_set_sha256: null,
      results: { yes: 10 },
    });
    const [ballot] = service.ctx.db.all(build.selectFrom('ballots').select('id'));
    expect(body).not.toContain(ballot?.id);
  });
});

describe('the export of an open election', () => {
  it.each([
    ['no ballots', 0, {}, 403],
    ['nine ballots', 9, {}, 403],
    ['ten ballots', 10, {}, 200],
    ['ten ballots and hidden results', 10, { hide_results_until_close: true }, 403],
  ])('with %s is answered as it should be, in each format', async (_what, ballots, settings, status) => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob'], { settings });
    const ranking = Object.values(ids);
    if (ballots > 0) await castAll(service, id, Array(ballots).fill({ ranking }));

    const answers = [];
    for (const format of ['csv', 'json', 'cef']) answers.push(await exported(service, id, format));
    const officers = (await page(service, `/admin/elections/${id}`)).body;

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status]);
    expect(officers.includes('export?format=csv')).toBe(status === 200);
  });
});
