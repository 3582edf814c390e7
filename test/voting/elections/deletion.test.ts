import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addSlips,
  addTokens,
  auditOf,
  cast,
  page,
  send,
} from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { leftByKill, startHere, tempFolder } from '#test/support/process/process.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { addCodes, addPaper, castPaper, motion } from '#test/voting/ballot-papers/a-paper.ts';
import { sealElections } from '#voting/counting/sealing.ts';

const shared = sharedApp();
const remove = (service: TestApp, id: string, body: object = {}) =>
  send(service, 'DELETE', `/admin/elections/${id}`, body);
const close = (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`);

describe('a deleted election that had ballots', () => {
  it('leaves a 410 with what is public of it, at each of its addresses', async () => {
    const service = await shared();
    const id = await addElection(service, { settings: { receipts: 'included' } });
    const [one, two] = await addTokens(service, id, 3);
    await cast(service, id, { token: one, choice: 'yes' });
    await cast(service, id, { token: two, choice: 'yes' });
    const { open_at } = (await service.get(`/e/${id}`)).json().election;
    await close(service, id);
    const { ballot_set_sha256, electors_sha256, question_sha256 } = (
      await service.get(`/e/${id}/results`)
    ).json();

    expect((await remove(service, id, { reason: 'Wrong <question>' })).json()).toEqual({ success: true });

    const json = await service.get(`/e/${id}`);
    expect([json.statusCode, json.json()]).toEqual([
      410,
      {
        error: message('election_deleted'),
        code: 'election_deleted',
        params: {},
        deleted: {
          election_id: id,
          title: 'Shall we buy a piano?',
          open_at,
          close_at: expect.any(String),
          closed_at: isoTime(service.clock.now),
          deleted_at: isoTime(service.clock.now),
          deleted_by: expect.toSatisfy((name) => name === null || !name.includes('@')),
          reason: 'Wrong <question>',
          turnout: { issued: 3, used: 2 },
          result: {
            total_ballots: 2,
            ballot_set_sha256,
            electors_sha256,
            question_sha256,
            outcome: 'Carried: 2 yes to 0 no.',
            totals: [
              { label: 'Yes', votes: 2 },
              { label: 'No', votes: 0 },
              { label: 'Abstain', votes: 0 },
            ],
          },
        },
      },
    ]);
    for (const part of [
      '',
      '/vote',
      `/vote?t=${one}`,
      '/results',
      '/results?wall=1',
      '/check',
      '/results/matrix',
      '/recount',
    ]) {
      const shown = await page(service, `/e/${id}${part}`);
      expect([part, shown.statusCode]).toEqual([part, 410]);
      for (const text of [
        'Shall we buy a piano?',
        'Wrong &lt;question&gt;',
        '2 of 3 voting codes used',
        ballot_set_sha256,
      ])
        expect(shown.body, part).toContain(text);
    }
    for (const part of ['/results', '/ballots.json', '/ballots.csv'])
      expect((await service.get(`/e/${id}${part}`)).statusCode, part).toBe(410);
    expectRefusal(await service.get(`/admin/elections/${id}`), 404, 'election_not_found');
    expectRefusal(await remove(service, id), 404, 'election_not_found');
  });

  it.each(['open', 'paused'])('shows no figures if it was %s', async (state) => {
    const service = await shared();
    const { id, ids } = await addPoll(service, ['Tea', 'Milk'], {
      settings: { hide_results_until_close: false },
    });
    const [token] = await addTokens(service, id, 2);
    await cast(service, id, { token, selected_option: ids.Tea }, 'vote/poll');
    const [open_at, close_at] = [service.clock.now + HOUR, service.clock.now + 2 * HOUR].map(isoTime);
    if (state === 'paused')
      await send(service, 'PATCH', `/admin/elections/${id}/dates`, { open_at, close_at, pause: true });

    await remove(service, id, { reason: '  ' });

    const { deleted } = (await service.get(`/e/${id}`)).json();
    expect(deleted).toMatchObject({ reason: null, closed_at: null, turnout: { issued: 2, used: 1 } });
    expect(deleted.result).toBeUndefined();
    expect(JSON.stringify(await auditOf(service, id))).not.toContain('Tea:');
  });

  it('keeps the totals if voting is over and nobody has looked', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob']);
    const [token] = await addTokens(service, id, 2);
    await cast(service, id, { token, ranking: [ids.Bob, ids.Ann] });
    service.clock.now += 3 * HOUR;

    await remove(service, id);

    const { result } = (await service.get(`/e/${id}`)).json().deleted;
    expect(result.total_ballots).toBe(1);
    expect(result.totals).toEqual([
      { label: '1. Bob', votes: 1 },
      { label: '2. Ann', votes: 0 },
    ]);
    expect((await page(service, `/e/${id}`)).body).toContain('<span translate="no">1. Bob</span>: 1');
  });

  it('keeps the counted totals beside the certified ones, alone and on a ballot paper', async () => {
    await using service = await testApp();
    const { id: paper, questions } = await addPaper(service, [motion('Shall we buy a piano?')]);
    const [onPaper = ''] = questions;
    for (const [at, token] of (await addCodes(service, paper, 3)).entries())
      await castPaper(service, paper, { token, answers: { [onPaper]: { choice: at === 1 ? 'no' : 'yes' } } });
    const alone = await addElection(service);
    for (const [at, token] of (await addTokens(service, alone, 3)).entries())
      await cast(service, alone, { token, choice: at === 1 ? 'no' : 'yes' });
    await close(service, alone);
    await service.post(`/admin/papers/${paper}/close`);
    const contest = (label: string, Ayes: number) => ({ label, items: [{ label: 'Ayes', votes: Ayes }] });
    const certify = (id: string, contests: object[]) =>
      send(service, 'PUT', `/admin/elections/${id}/manual-results`, { results: { contests } });
    expect((await certify(alone, [contest('Piano', 8)])).statusCode).toBe(200);
    expect((await certify(onPaper, [contest('Room', 8), contest('Post', 5)])).statusCode).toBe(200);

    expect((await remove(service, alone)).statusCode).toBe(200);
    expect((await send(service, 'DELETE', `/admin/papers/${paper}`)).statusCode).toBe(200);

    const counted = {
      outcome: 'Carried: 2 yes to 1 no.',
      totals: [
        { label: 'Yes', votes: 2 },
        { label: 'No', votes: 1 },
        { label: 'Abstain', votes: 0 },
      ],
    };
    const certified = {
      [alone]: [{ label: 'Ayes', votes: 8 }],
      [onPaper]: [
        { label: 'Room: Ayes', votes: 8 },
        { label: 'Post: Ayes', votes: 5 },
      ],
    };
    for (const [id, totals] of Object.entries(certified)) {
      const { result } = (await service.get(`/e/${id}`)).json().deleted;
      expect(result).toMatchObject({ totals, counted });
      const shown = (await page(service, `/e/${id}`)).body.replaceAll(/\s+/g, ' ');
      expect(shown).toContain('Certified votes');
      expect(shown).toMatch(/Counted result.*Carried: 2 yes to 1 no\..*Counted votes.*Yes<\/span>: 2/);
    }
  });

  it('answers its codes with a 410, used and unused, and counts them as no guesses', async () => {
    await using service = await testApp({ RATE_LIMIT_VOTE: '3' });
    const id = await addElection(service);
    const codes = await addSlips(service, id, 2);
    await cast(service, id, { token: codes[0], choice: 'yes' });
    await remove(service, id);

    for (const code of codes) {
      const typed = await service.submit('/vote', { code });
      expect([typed.statusCode, typed.body.includes('Shall we buy a piano?')]).toEqual([410, true]);
      expect((await service.post('/vote', { code })).json().deleted.election_id).toBe(id);
      for (let times = 0; times < 4; times += 1) {
        const answer = await service.post(`/e/${id}/vote`, { token: code, choice: 'no' });
        expect(answer.statusCode).toBe(410);
      }
    }
    expect((await service.post('/vote', { code: 'K7P4-2MQX-9TDW-5HRC' })).statusCode).not.toBe(410);
  });

  it('is a 404 if it had no ballots', async () => {
    const service = await shared();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    await remove(service, id, { reason: 'A mistake' });

    expectRefusal(await service.get(`/e/${id}`), 404, 'election_not_found');
    expect((await page(service, `/e/${id}/vote?t=${token}`)).statusCode).toBe(404);
    expectRefusal(await service.post('/vote', { code: token }), 401, 'invalid_token');
  });
});

describe('the form', () => {
  it('asks for a reason and keeps it if the title is mistyped', async () => {
    const service = await shared();
    const id = await addElection(service);
    const form = (await page(service, `/admin/elections/${id}?ask=delete`)).body;
    const fields = { confirm: 'Shall we?', reason: 'Asked twice' };
    const refused = await service.submit(`/admin/elections/${id}?_method=DELETE`, fields);

    expect(form).toContain('name="reason"');
    expect([refused.statusCode, refused.body.includes('value="Asked twice"')]).toEqual([400, true]);
  });
});

/** An open election with three ballots, in a database file. */
async function openWithBallots() {
  const folder = tempFolder();
  const file = path.join(folder, 'service.db');
  const service = await testApp({ DATABASE_URL: `file:${file}` });
  const id = await addElection(service);
  const tokens = await addTokens(service, id, 3);
  for (const token of tokens) await cast(service, id, { token, choice: 'yes' });
  return { folder, file, service, id, tokens };
}

it('has left the write-ahead log once its deletion is answered', async () => {
  const { file, id, tokens, ...made } = await openWithBallots();
  await using service = made.service;
  const inLog = () => {
    const log = fs.readFileSync(`${file}-wal`, 'latin1');
    return tokens.map((token) => log.includes(sha256(token)));
  };
  expect(inLog()).toEqual([true, true, true]);

  expect((await remove(service, id)).statusCode).toBe(200);

  expect(inLog()).toEqual([false, false, false]);
});

it('overwrites the trace of an open election in the write-ahead log, also after a restart', async () => {
  const { folder, file, id, tokens, ...made } = await openWithBallots();
  await using service = made.service;
  const reader = new Sqlite(file, { readonly: true });
  reader.exec('BEGIN');
  const ballots = reader.prepare('SELECT id FROM ballots').pluck().all() as string[];
  const traces = [...ballots, ...tokens.map(sha256)];
  const inLog = (name: string) => {
    const log = fs.existsSync(`${name}-wal`) ? fs.readFileSync(`${name}-wal`, 'latin1') : '';
    return traces.filter((text) => log.includes(text)).length;
  };

  expect((await remove(service, id)).statusCode).toBe(200);
  expect(inLog(file)).toBe(6);
  const killed = leftByKill(folder);
  reader.close();
  await sealElections(service.ctx);

  expect(inLog(file)).toBe(0);
  const left = path.join(killed, 'service.db');
  expect(inLog(left)).toBe(6);
  await startHere(killed);
  await expect.poll(() => inLog(left), { timeout: 20_000 }).toBe(0);
  const database = new Sqlite(file, { readonly: true });
  const rows = ['tokens', 'deleted_used_codes', 'withdrawn_codes', 'deleted_codes'].map((table) =>
    JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()),
  );
  database.close();
  expect(tokens.filter((token) => rows.some((text) => text.includes(sha256(token))))).toEqual([]);
});
