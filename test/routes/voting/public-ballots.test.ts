import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import type { TestApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  cast,
  castAll,
  page,
  send,
} from '#test/support/factories.ts';
import { expectRefusal, fieldJson } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const serviceOf = sharedApp();
let service: TestApp;
beforeAll(async () => {
  service = await serviceOf();
});

const close = (id: string) => service.post(`/admin/elections/${id}/close`);
const list = async (id: string) => (await service.get(`/e/${id}/ballots.json`)).json();
const votes = (yes: number, no: number) => [
  ...Array.from({ length: yes }, () => ({ choice: 'yes' })),
  ...Array.from({ length: no }, () => ({ choice: 'no' })),
];

describe('the public list of ballots', () => {
  it('is sorted in several turns of the event loop, so that other requests can run between them', async () => {
    const id = await addElection(service, { settings: { receipts: 'content' } });
    const tokens = await addTokens(service, id, 20);
    for (const [n, token] of tokens.entries())
      await cast(service, id, { token, choice: 'yes', inclusion_code: sha256(`${n}`).slice(0, 32) });
    await close(id);
    await service.get(`/e/${id}/results`);
    using turns = vi.spyOn(service.ctx.queue, 'turn');

    const { receipts } = await list(id);

    expect(receipts).toEqual(receipts.toSorted());
    const buckets = new Set(receipts.map((hash: string) => hash.slice(0, 2)));
    expect(receipts).toHaveLength(20);
    expect(turns.mock.calls.length).toBeGreaterThan(buckets.size);
  });

  it('names options, groups equal ballots, and has the election’s facts and the hash of the set', async () => {
    const { id, ids } = await addRanked(service, ['Ann', 'Bob', 'Cid']);
    const orders = [
      ['Ann', 'Bob', 'Cid'],
      ['Cid', 'Ann', 'Bob'],
    ];
    const ballots = Array.from({ length: 12 }, (_, at) => orders[at % 2] ?? []);
    await castAll(
      service,
      id,
      ballots.map((names) => ({ ranking: names.map((name) => ids[name]) })),
    );
    await close(id);
    const results = (await service.get(`/e/${id}/results`)).json();

    const file = await list(id);

    expect(file).toMatchObject({
      format: 'publichouse-ballots-1',
      election: { id, ballot_type: 'RANKED_CONDORCET', status: 'closed', settings: { receipts: 'off' } },
      total_ballots: 12,
      ballot_set_sha256: results.ballot_set_sha256,
      question_sha256: results.question_sha256,
      ballot_set_salt: results.ballot_set_salt,
      results: results.results,
      anchor: results.anchor,
    });
    expect(file.options.map(({ name }: { name: string }) => name)).toEqual(['Ann', 'Bob', 'Cid']);
    expect(file.ballots.toSorted()).toEqual(ballots.toSorted());
    const spelled = file.ballots.map((names: string[]) => JSON.stringify(names));
    // Equal ballots are adjacent, so the ballot changes at only one place.
    expect(spelled.filter((ballot: string, at: number) => at > 0 && ballot !== spelled[at - 1])).toHaveLength(
      1,
    );
    const hashes = file.ballots.map((names: string[]) =>
      sha256(`${id}\n${JSON.stringify(names.map((name) => ['Ann', 'Bob', 'Cid'].indexOf(name) + 1))}`),
    );
    expect(hashes).toEqual(hashes.toSorted());
    expect(file).not.toHaveProperty('receipts');
  });

  it('as CSV has one ballot per line', async () => {
    const { id, ids } = await addPoll(service, ['Tea', '=Milk'], {
      settings: { poll_response_type: 'multiple' },
    });
    const both = { selected_options: [ids.Tea, ids['=Milk']] };
    await castAll(service, id, Array(10).fill(both), 'vote/poll');
    await close(id);

    const { headers, body } = await service.get(`/e/${id}/ballots.csv`);

    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const { ballot_set_sha256, question_sha256, ballot_set_salt } = await list(id);
    const rows = Array.from(
      { length: 10 },
      (_, at) =>
        `Tea,'=Milk,${at === 0 ? `${ballot_set_sha256},${question_sha256},${ballot_set_salt}` : ',,'}\r\n`,
    );
    expect(body).toBe(
      `\ufeffchoice 1,choice 2,ballot_set_sha256,question_sha256,ballot_set_salt\r\n${rows.join('')}`,
    );
  });

  it('is published only after the close, with ten ballots or more, and not if it was turned off', async () => {
    const open = await addElection(service);
    const few = await addElection(service);
    const given = await addElection(service, { settings: { publish_ballots: false } });
    await castAll(service, open, votes(6, 4));
    await castAll(service, few, votes(9, 0));
    await castAll(service, given, votes(6, 4));
    await close(few);
    await close(given);

    const answers = async (id: string) =>
      Promise.all(
        ['ballots.json', 'ballots.csv', 'recount'].map(async (name) => {
          const { statusCode, json } = await service.get(`/e/${id}/${name}`);
          return [statusCode, json().error];
        }),
      );

    expect(new Set((await answers(open)).map(String))).toEqual(
      new Set(['403,The ballots are published when voting closes']),
    );
    expect(new Set((await answers(few)).map(String))).toEqual(
      new Set(['404,The ballots are not published: there are fewer than 10']),
    );
    expect(new Set((await answers(given)).map(String))).toEqual(
      new Set(['404,The ballots of this election are not published']),
    );
    for (const id of [open, few, given])
      expect((await page(service, `/e/${id}`)).body).not.toContain('Count the ballots yourself');
  });

  it.each([
    [3, 10, {}, 200],
    [4, 10, {}, 404],
    [4, 99, {}, 404],
    [4, 100, {}, 200],
    [4, 10, { publish_ballots: true }, 200],
    [4, 9, { publish_ballots: true }, 404],
    [4, 100, { publish_ballots: false }, 404],
  ])(
    'of %i candidates with %i rankings and %j is answered with %i',
    async (names, ballots, settings, status) => {
      const candidates = ['Ann', 'Bob', 'Cid', 'Dee'].slice(0, names);
      const { id, ids } = await addRanked(service, candidates, { settings });
      const [token = ''] = await addTokens(service, id, 5);
      const about = await page(service, `/e/${id}/vote?t=${token}`);
      const ranking = Object.values(ids);
      await castAll(
        service,
        id,
        Array.from({ length: ballots }, () => ({ ranking })),
      );
      await close(id);

      expect((await service.get(`/e/${id}/ballots.json`)).statusCode).toBe(status);
      const from = names > 3 && !('publish_ballots' in settings) ? 'a hundred' : 'ten';
      const listed = !('publish_ballots' in settings) || settings.publish_ballots;
      expect(about.body.includes(`If there are ${from} ballots or more`)).toBe(listed);
    },
  );

  it('is linked from the result, even beside certified figures', async () => {
    const id = await addElection(service);
    await castAll(service, id, votes(6, 4));
    await close(id);
    const link = `href="/e/${id}/recount">Count the ballots yourself`;

    expect((await page(service, `/e/${id}`)).body).toContain(link);
    const contests = [{ label: 'Chair', items: [{ label: 'Ann', votes: 3 }] }];
    const set = await send(service, 'PUT', `/admin/elections/${id}/manual-results`, {
      results: { contests },
    });
    expect(set.statusCode).toBe(200);
    expect((await page(service, `/e/${id}`)).body.split(link)).toHaveLength(2);
    expect((await list(id)).ballots).toHaveLength(10);
  });

  it('can be turned off until the close, but not on again once there are ballots', async () => {
    const patch = (id: string, publish_ballots: boolean | null) =>
      send(service, 'PATCH', `/admin/elections/${id}/settings`, { settings: { publish_ballots } });
    const id = await addElection(service);
    await castAll(service, id, votes(6, 4));

    const raised = await patch(id, true);
    expect([raised.statusCode, raised.json().errors[0].path]).toEqual([409, 'settings.publish_ballots']);
    expect((await patch(id, null)).statusCode).toBe(200);
    expect((await patch(id, false)).statusCode).toBe(200);
    for (const publish of [true, null]) expectRefusal(await patch(id, publish), 409, 'ballots_exist');

    const other = await addElection(service);
    await castAll(service, other, votes(6, 4));
    await close(other);
    expectRefusal(await patch(other, false), 409, 'ballots_exist');
    expect((await list(other)).ballots).toHaveLength(10);
  });

  it('does not reveal by its order which ballot belongs to a code that covers no choice', async () => {
    const id = await addElection(service, { settings: { receipts: 'included' } });
    await castAll(service, id, votes(6, 6));
    await close(id);

    const file = await list(id);

    expect(file).not.toHaveProperty('receipts');
    expect(new Set([file.ballots.slice(0, 6).join(), file.ballots.slice(6).join()]).size).toBe(2);
    expect(file.ballots.filter((ballot: string, at: number) => ballot !== file.ballots[at - 1])).toHaveLength(
      2,
    );
  });
});

describe('receipts that cover the choice', () => {
  const CODE = '0123456789abcdef0123456789abcdef';
  let id: string;
  beforeEach(async () => {
    id = await addElection(service, { settings: { receipts: 'content' } });
    await castAll(service, id, votes(6, 4));
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, choice: 'abstain', inclusion_code: CODE });
  });

  it('are published instead of the hashes of codes, and determine the order of the list', async () => {
    await close(id);
    const receipt = sha256(`${CODE}:abstain`);
    const { inclusion_hashes } = (await service.get(`/e/${id}/results`)).json();
    const { ballots, receipts } = await list(id);
    const csv = (await service.get(`/e/${id}/ballots.csv`)).body.trimEnd().split('\r\n');

    expect(inclusion_hashes).toContain(receipt);
    expect(inclusion_hashes).not.toContain(sha256(CODE));
    expect(receipts).toEqual(inclusion_hashes);
    expect(receipts).toEqual(receipts.toSorted());
    expect(ballots[receipts.indexOf(receipt)]).toBe('abstain');
    expect(csv[0]).toMatch(/^\ufeffreceipt,choice,/);
    expect(csv.some((line) => line.startsWith(`${receipt},abstain,`))).toBe(true);
  });

  it('show the ballot as it was counted, with the code in any spelling', async () => {
    await close(id);
    const code = '01234567-89AB CDEF 0123-4567-89ab-cdef';

    const shown = await service.submit(`/e/${id}/check`, { code });
    const other = await service.post(`/e/${id}/check`, { code: code.replace('0', 'f') });

    expect(shown.body).toContain('Your ballot is in the box');
    expect(shown.body).toMatch(/It was counted like this<\/h2>\s*<ol[^>]*><li>Abstain<\/li>/);
    expect((await service.post(`/e/${id}/check`, { code })).json()).toEqual({
      found: true,
      ballot: 'abstain',
      altered: false,
    });
    expect(other.json()).toEqual({ found: false });
  });

  it('hash the names of options, and find each ballot whose options were exchanged', async () => {
    const { id, ids } = await addPoll(service, ['Red', 'Blue'], { settings: { receipts: 'content' } });
    const codes = Array.from({ length: 10 }, (_, at) => sha256(`code ${at}`).slice(0, 32));
    const tokens = await addTokens(service, id, 11);
    for (const [at, inclusion_code] of codes.entries())
      await cast(
        service,
        id,
        { token: tokens[at], selected_option: at < 9 ? ids.Red : ids.Blue, inclusion_code },
        'vote/poll',
      );
    const earlier = sha256('an earlier code').slice(0, 32);
    await cast(
      service,
      id,
      { token: tokens[10], selected_option: ids.Red, inclusion_code: earlier },
      'vote/poll',
    );
    // An earlier version hashed the numbers of the options.
    await service.ctx.write((tx) =>
      tx.run(
        build
          .updateTable('ballots')
          .set({ receipt: sha256(`${earlier}:[1]`) })
          .where('id', '=', sha256(earlier)),
      ),
    );
    await close(id);
    const check = async (code: string) => (await service.post(`/e/${id}/check`, { code })).json();
    expect((await list(id)).receipts).toContain(sha256(`${codes[0]}:["Red"]`));
    for (const code of [...codes, earlier])
      expect(await check(code)).toMatchObject({ found: true, altered: false });

    const numberOf = (name: string, number: number) =>
      build.updateTable('options').set({ number }).where('election_id', '=', id).where('name', '=', name);
    await service.ctx.write((tx) => {
      for (const [name, number] of [
        ['Red', 9],
        ['Blue', 1],
        ['Red', 2],
      ] as const)
        tx.run(numberOf(name, number));
    });

    for (const [at, code] of codes.entries())
      expect(await check(code)).toEqual({ found: true, ballot: [at < 9 ? 'Blue' : 'Red'], altered: true });
  });

  it('find a ballot that was altered', async () => {
    await close(id);
    await service.ctx.write((tx) =>
      tx.run(build.updateTable('ballots').set({ choice: 'no' }).where('id', '=', sha256(CODE))),
    );

    const shown = await service.submit(`/e/${id}/check`, { code: CODE });

    expect(shown.body).toContain('Your ballot was changed');
    expect((await service.post(`/e/${id}/check`, { code: CODE })).json()).toMatchObject({ altered: true });
  });

  it('refuse a code that is already in use, whatever was chosen', async () => {
    const [token] = await addTokens(service, id, 1);
    const refused = await cast(service, id, { token, choice: 'yes', inclusion_code: CODE });

    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, 'inclusion_code']);
  });

  it('come with a warning to voters and officers about what such a code can prove', async () => {
    const [token = ''] = await addTokens(service, id, 1);
    const ballot = await page(service, `/e/${id}/vote?t=${token}`);
    const thanks = await service.submit(`/e/${id}/vote`, {
      token,
      choice: 'no',
      inclusion_code: 'f'.repeat(32),
    });
    const other = await addElection(service);
    const form = await page(service, `/admin/elections/${other}/checks`);

    expect(ballot.body).toContain('Anyone who sees your code can find out how you voted.');
    expect(thanks.body).toContain('Keep the code to yourself: anyone who has it can find out how you voted.');
    expect(form.body).toContain('a voter can prove the vote to somebody else');
  });
});

describe('the setting of receipts', () => {
  it.each([
    [{ inclusion_codes: true }, { inclusion_codes: true, receipts: 'included' }],
    [{ receipts: 'content' }, { inclusion_codes: true, receipts: 'content' }],
    [
      { receipts: 'content', inclusion_codes: true },
      { inclusion_codes: true, receipts: 'content' },
    ],
    [{ receipts: 'off' }, { inclusion_codes: false, receipts: 'off' }],
    [{}, { inclusion_codes: false, receipts: 'off', publish_ballots: null }],
  ])('%j means %j', async (settings, expected) => {
    const id = await addElection(service, { settings });
    expect((await service.get(`/e/${id}`)).json().election.settings).toMatchObject(expected);
  });

  it('accepts no other value', async () => {
    const answer = await service.post('/admin/elections', { settings: { receipts: 'all' } });
    expect(answer.json().errors).toContainEqual(
      fieldJson('settings.receipts', 'not_either', { choices: ['off', 'included', 'content'] }),
    );
  });
});
