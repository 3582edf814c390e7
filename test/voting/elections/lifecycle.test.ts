import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, auditOf, cast, castAll, page, send } from '#test/support/factories.ts';
import { errorJson, expectForbidden, expectRefusal, message, onPage } from '#test/support/messages.ts';
import { settleClosedElections } from '#voting/counting/results.ts';

const entry = async (service: TestApp, id: string, action: string) =>
  (await auditOf(service, id)).filter((one) => one.action === action);
const shown = async (service: TestApp, id: string) => (await service.get(`/e/${id}`)).json().election;
const resultsOf = async (service: TestApp, id: string) => (await service.get(`/e/${id}/results`)).json();

describe('an election whose closing time has passed', () => {
  it.each<[string, (service: TestApp, id: string, token: string) => Promise<unknown>]>([
    ['a page', (service, id) => page(service, `/e/${id}`)],
    ['the home page', (service) => page(service, '/')],
    ['a ballot', (service, id, token) => cast(service, id, { token, choice: 'no' })],
    ['an officer', (service) => service.get('/admin/elections')],
    ['the job', (service) => settleClosedElections(service.ctx)],
  ])('stays closed after the clock was ahead for a while, if it was noticed by %s', async (_what, look) => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token = '', late] = await addTokens(service, id, 2);
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'yes' }]);
    const { close_at } = await shown(service, id);

    service.clock.now += 3 * HOUR;
    await look(service, id, token);
    service.clock.now -= 3 * HOUR;
    const refused = await cast(service, id, { token: late, choice: 'no' });

    expect([refused.statusCode, refused.json()]).toEqual([403, errorJson('election_not_open')]);
    expect(await shown(service, id)).toMatchObject({ status: 'closed', closed_at: close_at });
    expect(await resultsOf(service, id)).toMatchObject({ total_ballots: 3, turnout: { issued: 5, used: 3 } });
    expect(await entry(service, id, 'election.closed')).toMatchObject([{ metadata: { by: 'clock' } }]);
  });

  it('is closed as of close_at, however late that is noticed', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const { close_at } = await shown(service, id);
    service.clock.now += 3 * DAY;
    await settleClosedElections(service.ctx);

    expect((await shown(service, id)).closed_at).toBe(close_at);
    expect((await page(service, `/e/${id}`)).body).toContain('Voting closed at its time.');
  });
});

describe('the opening of an election', () => {
  const hashOf = (tokens: string[]) =>
    createHash('sha256')
      .update([tokens.length, ...tokens.map(sha256).sort()].join('\n'))
      .digest('hex');

  it('is recorded once with the codes that exist then, and the number of later ones is shown', async () => {
    await using service = await testApp();
    const open_at = isoTime(service.clock.now + HOUR);
    const id = await addElection(service, { open_at });
    const tokens = await addTokens(service, id, 4);
    expect(await entry(service, id, 'election.opened')).toEqual([]);

    service.clock.now += HOUR;
    expect((await page(service, `/e/${id}`)).body).not.toContain('made after opening');
    await addTokens(service, id, 3);
    await cast(service, id, { token: tokens[0], choice: 'yes' });

    expect(await entry(service, id, 'election.opened')).toMatchObject([
      { metadata: { electors: 4, electors_sha256: hashOf(tokens) } },
    ]);
    expect((await page(service, `/e/${id}`)).body).toContain('3 voting codes made after opening.');
  });

  it.each<[string, number, number]>([
    ['seconds after its time', 3_210, 0],
    ['minutes after its time', 20 * MINUTE, 0],
    ['two days late', 2 * DAY + 11 * MINUTE + 7, 2 * DAY],
  ])('by its first ballot, %s, tells no moment of a vote', async (_late, delay, recorded) => {
    await using service = await testApp();
    const open_at = Math.floor(service.clock.now / HOUR) * HOUR + HOUR;
    const id = await addElection(service, {
      open_at: isoTime(open_at),
      close_at: isoTime(open_at + 7 * DAY),
    });
    const [token] = await addTokens(service, id, 2);

    service.clock.now = open_at + delay;
    expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
    service.clock.now += 3 * HOUR;

    expect(await entry(service, id, 'election.opened')).toMatchObject([{ timestamp: open_at + recorded }]);
    const { opened_at } = service.ctx.db.all(build.selectFrom('elections').selectAll())[0]!;
    expect(opened_at).toBe(open_at + recorded);
  });

  it('of an election created after its opening time is recorded with its first codes', async () => {
    await using service = await testApp();
    const id = await addElection(service, { open_at: isoTime(service.clock.now - DAY) });
    await page(service, `/e/${id}`);
    const tokens = await addTokens(service, id, 2);
    await addTokens(service, id, 1);

    expect(await entry(service, id, 'election.opened')).toMatchObject([
      { metadata: { electors: 2, electors_sha256: hashOf(tokens) } },
    ]);
    expect((await page(service, `/e/${id}`)).body).toContain('1 voting code made after opening.');
  });
});

describe('an election that is reopened', () => {
  it('says so on its public page permanently, with the reason and the previous result', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'yes' }]);
    await service.post(`/admin/elections/${id}/close`);
    const first = await resultsOf(service, id);
    service.clock.now += MINUTE;
    await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(service.clock.now - HOUR),
      close_at: isoTime(service.clock.now + HOUR),
      reopen: true,
      reason: 'The links came <late>.',
    });
    await castAll(service, id, Array(5).fill({ choice: 'no' }));
    service.clock.now += 2 * HOUR;

    const { body } = await page(service, `/e/${id}`);
    expect(body).toContain('Voting was opened again after it had closed');
    expect(body).toContain('“The links came &lt;late&gt;.”');
    expect(body).toContain(`3 ballots and the check number <code class="hash">${first.ballot_set_sha256}`);
    const second = await resultsOf(service, id);
    expect(second.total_ballots).toBe(8);
    expect(second.ballot_set_sha256).not.toBe(first.ballot_set_sha256);
    expect(second.anchor.entries).toBeGreaterThan(first.anchor.entries);
  });

  it.each([
    [0, 200],
    [1, 403],
    [4, 403],
    [5, 200],
  ])('hides its figures until the new close, and after %i more ballots answers %i', async (more, status) => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(service, id, Array(10).fill({ choice: 'yes' }));
    await service.post(`/admin/elections/${id}/close`);
    const dates = { open_at: isoTime(service.clock.now - HOUR), close_at: isoTime(service.clock.now + HOUR) };
    const again = { ...dates, reopen: true, reason: 'Late.' };
    expect((await send(service, 'PATCH', `/admin/elections/${id}/dates`, again)).statusCode).toBe(200);
    const figures = [
      `/e/${id}/results`,
      `/e/${id}/ballots.json`,
      `/e/${id}/recount`,
      `/admin/elections/${id}/results-preview`,
      `/admin/elections/${id}/export?format=json`,
    ];
    const statuses = async () => {
      const answers = await Promise.all(figures.map((url) => service.get(url)));
      return new Set(answers.map(({ statusCode }) => statusCode));
    };
    expect(await statuses()).toEqual(new Set([403]));
    if (more > 0) await castAll(service, id, Array(more).fill({ choice: 'no' }));
    await service.post(`/admin/elections/${id}/close`);

    expect(await statuses()).toEqual(new Set([status]));
    const proposed = (await page(service, `/admin/elections/${id}/manual-results`)).body;
    expect(proposed.includes('value="10"')).toBe(status === 200);
    expectRefusal(
      await send(service, 'PATCH', `/admin/elections/${id}/dates`, again),
      409,
      'opened_again_once',
    );
    const shown = (await page(service, `/admin/elections/${id}/withheld`)).body;
    if (status === 403) expect(shown).toContain(more === 1 ? '1 person' : '4 people');
    expect((await page(service, `/admin/elections/${id}/chair`)).statusCode).toBe(200);
    const body = (await page(service, `/e/${id}`)).body;
    if (status === 403) expect(body).toContain(onPage('results_withheld'));
    // A key is no owner.
    expectForbidden(await service.post(`/admin/elections/${id}/withheld`), 'settings:write');
  });

  it('is confirmed by officers in the form of the dates, which says what is missing', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'yes' }]);
    await service.post(`/admin/elections/${id}/close`);
    const dates = {
      open_at: isoTime(service.clock.now - HOUR),
      close_at: isoTime(service.clock.now + HOUR),
    };
    const form = `/admin/elections/${id}/dates?_method=PATCH`;

    const plain = await service.submit(form, dates);
    const silent = await service.submit(form, { ...dates, reopen: 'true', reason: ' ' });
    const done = await service.submit(form, { ...dates, reopen: 'true', reason: 'Too early.' });

    expect(plain.statusCode).toBe(409);
    expect(plain.body).toContain(message('dates_open_again'));
    expect(silent.statusCode).toBe(400);
    expect(silent.body).toContain('id="dates-reopen" checked');
    expect(done.statusCode).toBe(303);
    expect((await shown(service, id)).status).toBe('open');
  });

  it('needs no confirmation if the new dates leave it closed, and keeps its result', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await castAll(service, id, [{ choice: 'yes' }]);
    await service.post(`/admin/elections/${id}/close`);
    const before = await resultsOf(service, id);
    const answer = await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(service.clock.now - DAY),
      close_at: isoTime(service.clock.now - SECOND),
    });

    expect(answer.statusCode).toBe(200);
    expect(await resultsOf(service, id)).toEqual(before);
    expect(
      service.ctx.db.all(build.selectFrom('elections').select('closed_at').where('id', '=', id)),
    ).toEqual([{ closed_at: service.clock.now }]);
  });
});
