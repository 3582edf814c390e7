import { describe, expect, it } from 'vitest';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, castAll, page, send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';

const REASON = 'The wrong text was sent';
const VOTES = ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'no', 'no'].map((choice) => ({ choice }));
const FIGURES = /\b6 yes|yes 6|75 ?%|Carried|"yes":6|2 no\b/;

const declareVoid = (service: TestApp, id: string) =>
  service.post(`/admin/elections/${id}/void`, { reason: REASON, repeat: false });

/** An election with eight ballots that is declared void before its close. */
async function stopped(service: TestApp, settings: object, pause = false): Promise<string> {
  const id = await addElection(service, { settings: { publish_results_to_home: true, ...settings } });
  await castAll(service, id, VOTES);
  if (pause)
    await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(service.clock.now + HOUR),
      close_at: isoTime(service.clock.now + 2 * HOUR),
      pause: true,
    });
  expect((await declareVoid(service, id)).statusCode).toBe(200);
  service.clock.now += MINUTE;
  return id;
}

describe.each([
  ['hidden until the close', { hide_results_until_close: true }, false],
  ['announced by an officer', { hide_results_until_close: true, announce: 'by_officer' }, false],
  ['hidden, and paused', { hide_results_until_close: true }, true],
] as const)('a vote that is void before its close, %s', (_what, settings, pause) => {
  it('shows turnout and reason alone, for ever and to everybody', async () => {
    await using service = await testApp();
    const id = await stopped(service, settings, pause);
    for (const later of [0, 30 * 24 * HOUR]) {
      service.clock.now += later;
      for (const url of [`/e/${id}/results`, `/admin/elections/${id}/results-preview`]) {
        const answer = await service.get(url);
        expect(answer.statusCode).toBe(200);
        expect(answer.json()).toMatchObject({ void: { reason: REASON }, turnout: { used: 8 } });
        expect(answer.json()).not.toHaveProperty('results');
        expect(answer.json()).not.toHaveProperty('ballot_set_sha256');
      }
      for (const url of [
        `/e/${id}`,
        '/',
        `/e/${id}/results?wall=1`,
        `/admin/elections/${id}/results-preview`,
      ]) {
        const { body } = await page(service, url);
        expect(body).toContain(REASON);
        expect(body).not.toMatch(FIGURES);
        expect(body).not.toContain('will be announced');
      }
      for (const url of [`/admin/elections/${id}`, `/admin/elections/${id}/chair`]) {
        const { body } = await page(service, url);
        expect(body).not.toMatch(FIGURES);
        expect(body).not.toMatch(/will be announced|then announce it/);
      }
      for (const url of [
        `/admin/elections/${id}/export?format=json`,
        `/e/${id}/ballots.json`,
        `/e/${id}/recount`,
      ])
        expectRefusal(await service.get(url), 403, 'results_void');
    }
    expect((await service.get(`/e/${id}`)).json().election.void).toMatchObject({ reason: REASON });
  });

  it('is not settled or announced, has books, and is sealed', async () => {
    await using service = await testApp();
    const id = await stopped(service, settings, pause);
    expectRefusal(await service.post(`/admin/elections/${id}/announce`, {}), 409, 'election_void_no_result');
    const figures = { results: { contests: [{ label: 'x', items: [{ label: 'Yes', votes: 6 }] }] } };
    expect((await send(service, 'PUT', `/admin/elections/${id}/manual-results`, figures)).statusCode).toBe(
      409,
    );
    expect((await service.post(`/admin/elections/${id}/results-email`, {})).statusCode).not.toBe(200);
    const actions = (await auditOf(service, id)).map(({ action }) => action);
    expect(actions).not.toContain('results.settled');
    expect(actions).toContain('election.sealed');
    const { books } = (await service.get(`/e/${id}/results`)).json();
    expect(books).toMatchObject({ ballots: 8, tokens_used: 8, vote_entries: 8, balanced: true });
    expect(JSON.stringify(await auditOf(service, id))).not.toMatch(/ballot_set_sha256|results_sha256/);
  });
});

it('figures that everybody saw while voting was open stay in the history of a vote that becomes void', async () => {
  await using service = await testApp();
  const id = await stopped(service, { hide_results_until_close: false });
  expect((await service.get(`/e/${id}/results`)).json()).not.toHaveProperty('results');
  const { body } = await page(service, `/e/${id}`);
  expect(body).toContain('Figures that were public before, and do not count: yes 6, no 2, abstain 0.');
  expect(body.split('yes 6')).toHaveLength(2);
});

it('figures of the close before a re-opening stay in the history, those since then do not appear', async () => {
  await using service = await testApp();
  const id = await addElection(service, { settings: { hide_results_until_close: true } });
  await castAll(service, id, VOTES);
  await service.post(`/admin/elections/${id}/close`);
  await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
    open_at: isoTime(service.clock.now - 2 * HOUR),
    close_at: isoTime(service.clock.now + HOUR),
    reopen: true,
    reason: 'The door was locked',
  });
  await castAll(service, id, Array(6).fill({ choice: 'no' }));
  expect((await declareVoid(service, id)).statusCode).toBe(200);
  const { body } = await page(service, `/e/${id}`);
  expect(body).toContain('do not count: yes 6, no 2, abstain 0.');
  expect(body).not.toMatch(/no 8|8 no/);
  expect((await service.get(`/e/${id}/results`)).json()).not.toHaveProperty('results');
});

it('a result that was counted before it became void is shown as one that does not count', async () => {
  await using service = await testApp();
  const id = await addElection(service, {
    settings: { hide_results_until_close: true, announce: 'by_officer', publish_results_to_home: true },
  });
  await castAll(service, id, VOTES);
  await service.post(`/admin/elections/${id}/close`);
  expectRefusal(await service.get(`/e/${id}/results`), 403, 'results_not_announced');
  expect((await declareVoid(service, id)).statusCode).toBe(200);
  expect((await service.get(`/e/${id}/results`)).json()).toMatchObject({
    void: { reason: REASON },
    results: { yes: 6, no: 2 },
  });
  expect((await page(service, `/e/${id}`)).body).toContain('What was counted before: it does not count');
});
