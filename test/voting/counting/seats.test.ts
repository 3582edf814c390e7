import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import type { TestApp } from '#test/support/app.ts';
import { addPoll, addRanked, addTokens, cast, castAll, page } from '#test/support/factories.ts';
import { fieldJson, message } from '#test/support/messages.ts';
import { INHERITED } from '#test/support/process/process.ts';
import { runScript } from '#test/support/process/script-runner.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { countBallotsOf } from '#voting/counting/settled-result.ts';
import { getElection } from '#voting/elections/elections.ts';
import { findSettledResult } from '#voting/elections/stored-result.ts';

const serviceOf = sharedApp();
let service: TestApp;
beforeAll(async () => {
  service = await serviceOf();
});

const NAMES = ['Ivy Cole', 'Hugh Birch', 'Lee Ford', 'Bo Lund'];
const several = { poll_response_type: 'multiple' };
const close = (id: string) => service.post(`/admin/elections/${id}/close`);
const resultsOf = async (id: string) => (await service.get(`/e/${id}/results`)).json().results;
const textOf = async (address: string) =>
  (await page(service, address)).body.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

/** Ballots of a poll, from the first letters of the names. */
const choosing = (ids: Record<string, string>, ...ballots: [times: number, letters: string][]) =>
  ballots.flatMap(([times, letters]) => {
    const chosen = [...letters].map((letter) => ids[NAMES.find((name) => name.startsWith(letter))!]);
    return Array.from({ length: times }, () => ({ selected_options: chosen }));
  });

test('a ballot of a poll chooses as many options as its rules say, in JSON and on the form', async () => {
  const settings = { ...several, seats: 3, min_choices: 2 };
  const { id, ids } = await addPoll(service, NAMES, { settings });
  const [token = ''] = await addTokens(service, id, 1);
  const all = Object.values(ids);

  const said = await textOf(`/e/${id}/vote/poll?t=${token}`);
  expect(said).toContain('Choose 2 to 3');
  expect(said).toContain('3 are elected.');
  const refused = async (chosen: string[]) => {
    const json = await cast(service, id, { token, selected_options: chosen }, 'vote/poll');
    const form = await service.submit(`/e/${id}/vote/review`, { token, selected_options: chosen });
    expect([json.statusCode, form.statusCode]).toEqual([400, 400]);
    expect(form.body.match(/ checked/g)).toHaveLength(chosen.length);
    return [json.json().errors[0], form.body];
  };
  expect(await refused(all)).toEqual([
    fieldJson('selected_options', 'more_than_most', { limit: 3 }),
    expect.stringContaining(message('choose_fewer', { limit: 3 })),
  ]);
  expect(await refused(all.slice(0, 1))).toEqual([
    fieldJson('selected_options', 'fewer_than_least', { limit: 2 }),
    expect.stringContaining(message('choose_more', { limit: 2 })),
  ]);
  const chosen = { token, selected_options: all.slice(0, 2) };
  expect((await cast(service, id, chosen, 'vote/poll')).statusCode).toBe(200);
});

test('the most votes are elected; the result says who, with its seats and what a seat needs', async () => {
  const threshold = { share: { at_least: '1/3' }, of: 'electors' };
  const { id, ids } = await addPoll(service, NAMES, { settings: { ...several, seats: 3, threshold } });
  await addTokens(service, id, 5);
  await castAll(service, id, choosing(ids, [6, 'IH'], [1, 'IL'], [3, 'B']), 'vote/poll');
  await close(id);

  const results = await resultsOf(id);
  expect(results).toMatchObject({
    seats: 3,
    elected: [ids['Ivy Cole'], ids['Hugh Birch']],
    tied_for_last: [],
    open_seats: 1,
    next: { unelected: [ids['Lee Ford'], ids['Bo Lund']], all: Object.values(ids) },
    threshold,
    base: 15,
    needed: 5,
  });
  const said = await textOf(`/e/${id}`);
  expect(said).toContain('Elected: Ivy Cole (7), Hugh Birch (6). 1 seat stays open.');
  expect(said).toContain('A seat needs 5 votes: at least a third of the electors (15).');
  expect(said).toContain('A further vote can fill it.');
  expect(await listDifferences(service.ctx, getElection(service.ctx.db, id))).toEqual([]);
});

test('a tie over the last seat elects nobody of the tied until a lot is drawn', async () => {
  const { id, ids } = await addPoll(service, NAMES, { settings: { ...several, seats: 2, lot: 'drawn' } });
  await castAll(service, id, choosing(ids, [2, 'IH'], [2, 'IL'], [8, 'I']), 'vote/poll');
  await close(id);

  const tied = [ids['Hugh Birch'], ids['Lee Ford']];
  expect(await resultsOf(id)).toMatchObject({
    elected: [ids['Ivy Cole']],
    tied_for_last: tied,
    awaiting_lot: tied,
    open_seats: 1,
  });
  expect(await textOf(`/e/${id}`)).toContain(
    'Tied for the last seat: Hugh Birch and Lee Ford, with 2 votes each.',
  );
  const drawn = { order: tied.toReversed(), drawn_by: 'Ada Chair', witnesses: ['Bo', 'Cy'] };
  expect((await service.post(`/admin/elections/${id}/lot`, drawn)).statusCode).toBe(200);

  const results = await resultsOf(id);
  expect(results).toMatchObject({
    elected: [ids['Ivy Cole'], ids['Lee Ford']],
    tied_for_last: [],
    open_seats: 0,
    ties: [{ candidates: tied, by: 'lot', taken: [ids['Lee Ford']] }],
  });
  expect(results).not.toHaveProperty('awaiting_lot');
  expect(await textOf(`/e/${id}`)).toContain('Elected: Ivy Cole (12), Lee Ford (2, by lot).');
  const again = await service.post(`/admin/elections/${id}/lot`, drawn);
  expect([again.statusCode, again.json().error]).toEqual([409, message('no_lot_awaited')]);
  expect(await listDifferences(service.ctx, getElection(service.ctx.db, id))).toEqual([]);
});

test('a ranked election with seats elects the first of the order, and says that it is not proportional', async () => {
  const { id, ids } = await addRanked(service, NAMES, { settings: { seats: 2 } });
  const [token = ''] = await addTokens(service, id, 1);
  const order = NAMES.map((name) => ids[name]);
  await castAll(
    service,
    id,
    Array.from({ length: 3 }, () => ({ ranking: order })),
  );

  expect(await textOf(`/e/${id}/vote?t=${token}`)).toContain('2 are elected.');
  await close(id);
  expect(await resultsOf(id)).toMatchObject({ elected: order.slice(0, 2), tied_for_last: [], open_seats: 0 });
  const said = await textOf(`/e/${id}`);
  expect(said).toContain('Elected: Ivy Cole, Hugh Birch.');
  expect(said).toContain('not proportional: the same majority can fill every seat');
});

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'seats-'));
afterAll(() => fs.rmSync(dir, { recursive: true }));
const recount = async (id: string) => {
  const script = fileURLToPath(new URL('../../../scripts/recount.ts', import.meta.url));
  const file = path.join(dir, `${id}.json`);
  fs.writeFileSync(file, (await service.get(`/e/${id}/ballots.json`)).body);
  return runScript({ script, args: [file], cwd: dir, env: INHERITED });
};

/** A closed election for seats: Ivy beats Hugh, Lee beats Bo, and no other majority is there. */
async function twoChains(seats: number) {
  const settings = { seats, publish_ballots: true };
  const { id, ids } = await addRanked(service, NAMES, { settings });
  const [ivy, hugh, lee, bo] = NAMES.map((name) => ids[name]!) as [string, string, string, string];
  const rankings = [
    [ivy, hugh, lee, bo],
    [lee, bo, ivy, hugh],
  ];
  await castAll(
    service,
    id,
    Array.from({ length: 10 }, (_, at) => ({ ranking: rankings[at % 2] })),
  );
  await close(id);
  return { id, ivy, hugh, lee, bo };
}

test('a seat of a ranking goes to nobody who does not beat the others; a lot decides, and recounts agree', async () => {
  const { id, ivy, hugh, lee, bo } = await twoChains(3);
  const agrees = async () => {
    expect(await recount(id)).toMatchObject({ code: 0, stdout: expect.stringContaining('is confirmed') });
    expect(await listDifferences(service.ctx, getElection(service.ctx.db, id))).toEqual([]);
  };
  expect(await resultsOf(id)).toMatchObject({
    seats_rule: 'beats',
    elected: [ivy, lee],
    tied_for_last: [hugh, bo],
    open_seats: 1,
  });
  expect(await textOf(`/e/${id}`)).toContain(
    'Neither Hugh Birch nor Bo Lund beats the other, so none of them has a seat. It takes a further vote',
  );
  await agrees();

  const drawn = { order: [bo, hugh], drawn_by: 'Ada Chair', witnesses: [] };
  expect((await service.post(`/admin/elections/${id}/lot`, drawn)).statusCode).toBe(200);
  expect(await resultsOf(id)).toMatchObject({ elected: [ivy, lee, bo], tied_for_last: [], open_seats: 0 });
  await agrees();
});

test('where some of the tied beat others, the page says that the order is partial, and a lot keeps to it', async () => {
  const { id, ivy, hugh, lee, bo } = await twoChains(2);
  expect(await resultsOf(id)).toMatchObject({ elected: [], open_seats: 2 });
  expect(await textOf(`/e/${id}`)).toContain('is partial (neither Ivy Cole nor Lee Ford beats the other,');

  expect(await textOf(`/admin/elections/${id}/lot`)).toContain('nobody before somebody who beats them');
  const drawn = { order: [hugh, ivy, bo, lee], drawn_by: 'Ada Chair', witnesses: [] };
  expect((await service.post(`/admin/elections/${id}/lot`, drawn)).statusCode).toBe(200);
  expect((await resultsOf(id)).elected).toEqual([ivy, hugh]);
});

test('a result that an earlier version settled is counted again by rank, and says so', async () => {
  const { id, ivy, lee } = await twoChains(2);
  const election = getElection(service.ctx.db, id);
  const { matches: _, ...settled } = findSettledResult(service.ctx.db, id)!;
  const { results } = await countBallotsOf(service.ctx, election, { seats_rule: 'ranks' });
  expect(results).toMatchObject({ elected: [ivy, lee], tied_for_last: [], open_seats: 0 });
  expect(results).not.toHaveProperty('seats_rule');
  const store = (stored: object) =>
    service.ctx.write((tx) => {
      const result = JSON.stringify({ ...settled, results: stored });
      tx.run(build.updateTable('results').set({ result }).where('election_id', '=', id));
    });
  const another = expect.stringContaining('give another result');

  await store(results);
  service.clock.now += 10_000;
  expect(await listDifferences(service.ctx, election)).not.toContainEqual(another);
  expect(await recount(id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('An earlier version settled this result.'),
  });
  expect(await textOf(`/e/${id}`)).toContain('An earlier version settled this result.');

  await store({ ...results, seats_rule: 'beats' });
  expect(await listDifferences(service.ctx, election)).toContainEqual(another);
});

test('without seats a result and its settings say no more than before', async () => {
  const { id, ids } = await addPoll(service, NAMES);
  await castAll(service, id, [{ selected_option: ids['Ivy Cole'] }], 'vote/poll');
  await close(id);

  expect(Object.keys(await resultsOf(id)).toSorted()).toEqual(
    ['blank', 'method', 'options', 'quorum', 'quorum_met', 'tied', 'valid', 'variant', 'winners'].toSorted(),
  );
});
