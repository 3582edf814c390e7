import { beforeAll, expect, test } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import { addPoll, addRanked, addTokens, cast, castAll, page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { getElection } from '#voting/elections/elections.ts';

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
    { path: 'selected_options', message: message('more_than_most', { limit: 3 }) },
    expect.stringContaining('Choose at most 3: take some away.'),
  ]);
  expect(await refused(all.slice(0, 1))).toEqual([
    { path: 'selected_options', message: message('fewer_than_least', { limit: 2 }) },
    expect.stringContaining('Choose at least 2.'),
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

test('without seats a result and its settings say no more than before', async () => {
  const { id, ids } = await addPoll(service, NAMES);
  await castAll(service, id, [{ selected_option: ids['Ivy Cole'] }], 'vote/poll');
  await close(id);

  expect(Object.keys(await resultsOf(id)).toSorted()).toEqual(
    ['blank', 'method', 'options', 'quorum', 'quorum_met', 'tied', 'valid', 'variant', 'winners'].toSorted(),
  );
});
