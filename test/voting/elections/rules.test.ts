import { beforeAll, describe, expect, test } from 'vitest';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { sha256 } from '#kernel/secrets.ts';
import type { TestApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, cast, openElection, page, send } from '#test/support/factories.ts';
import { expectBadField, message, onPage } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { countBallotTexts, fileQuestion, listDifferences, spellBallots } from '#voting/shared/ballot-file.ts';

const serviceOf = sharedApp();
let service: TestApp;
beforeAll(async () => {
  service = await serviceOf();
});

const settingsOf = async (id: string) =>
  (await service.get(`/admin/elections/${id}`)).json().election.settings;
const create = (settings: object, fields: object = {}) =>
  service.post('/admin/elections', openElection(service, { settings, ...fields }));
const patch = (id: string, settings: object) =>
  send(service, 'PATCH', `/admin/elections/${id}/settings`, { settings });

test('rules are stored as they were sent; what is left out has its default', async () => {
  const plain = await addElection(service);
  const ruled = await addElection(service, {
    settings: { majority: { share: { at_least: ' 3/5 ' }, of: 'electors' }, quorum_share: 'two_thirds' },
  });
  const half = await addElection(service, {
    settings: { majority: { share: 'two_thirds' }, allow_blank: true },
  });

  expect(await settingsOf(plain)).toMatchObject({ majority: null, quorum_share: null, allow_blank: false });
  expect(await settingsOf(ruled)).toMatchObject({
    majority: { share: { at_least: '3/5' }, of: 'electors' },
    quorum_share: 'two_thirds',
  });
  expect(await settingsOf(half)).toMatchObject({
    majority: { share: 'two_thirds', of: 'yes_no' },
    allow_blank: true,
  });
});

const TO_POLL = { ballot_type: 'POLL', options: ['A', 'B'] };
test.each<[string, object, object, string]>([
  ['a share in other words', { majority: { share: 'most' } }, {}, 'settings.majority.share'],
  ['a fraction alone', { quorum_share: '1/3' }, {}, 'settings.quorum_share'],
  [
    'a fraction of more than 1',
    { majority: { share: { at_least: '4/3' } } },
    {},
    'settings.majority.share.at_least',
  ],
  ['a share of zero', { quorum_share: { more_than: '0/3' } }, {}, 'settings.quorum_share.more_than'],
  ['hundred and firsts', { quorum_share: { more_than: '1/101' } }, {}, 'settings.quorum_share.more_than'],
  ['two fractions', { quorum_share: { at_least: '1/2', more_than: '1/2' } }, {}, 'settings.quorum_share'],
  ['an unknown base', { majority: { of: 'members' } }, {}, 'settings.majority.of'],
  ['those present outside a meeting', { majority: { of: 'present' } }, {}, 'settings.majority.of'],
  ['two quorums', { quorum: 5, quorum_share: { at_least: '1/3' } }, {}, 'settings.quorum_share'],
  ['a majority in a poll', { majority: { share: 'all' } }, TO_POLL, 'settings.majority'],
])('%s is a 400 that names it', async (_case, settings, fields, path) => {
  const answer = await create(settings, fields);

  expect([answer.statusCode, answer.json().errors?.map((error: { path: string }) => error.path)]).toEqual([
    400,
    [path],
  ]);
});

test('a change is checked beside the stored settings', async () => {
  const id = await addElection(service, { settings: { quorum: 5 } });
  const { id: poll } = await addPoll(service, ['A', 'B']);

  expectBadField(
    await patch(id, { quorum_share: 'two_thirds' }),
    'settings.quorum_share',
    'quorum_said_twice',
  );
  expect((await patch(id, { quorum: null, quorum_share: 'two_thirds' })).statusCode).toBe(200);
  expect((await patch(poll, { majority: { share: 'all' } })).json().errors[0].path).toBe('settings.majority');
  // Taking away what is not there changes nothing, so a form can have a field for every type.
  expect((await patch(poll, { majority: null })).statusCode).toBe(200);
});

test('the first ballot fixes the rules', async () => {
  const majority = { share: 'two_thirds', of: 'yes_no' };
  const id = await addElection(service, { settings: { majority } });
  const [token] = await addTokens(service, id, 1);
  await cast(service, id, { token, choice: 'yes' });

  const fixed = { majority: { share: 'all' }, quorum_share: 'two_thirds', allow_blank: true };
  for (const [setting, value] of Object.entries(fixed))
    expect((await patch(id, { [setting]: value })).json()).toMatchObject({
      error: message('ballots_exist'),
      errors: [{ path: `settings.${setting}` }],
    });
  // Sent again as it is, as a form does.
  expect((await patch(id, { majority, quorum_share: null, allow_blank: false })).statusCode).toBe(200);
});

describe('the form', () => {
  const form = (fields: Record<string, string>) =>
    service.submit('/admin/elections', {
      title: 'Shall the rules change?',
      ballot_type: 'SIMPLE_TRIPLE',
      open_now: 'true',
      close_at: '2030-01-01T12:00',
      ...fields,
    });
  const createdBy = (answer: { headers: Record<string, unknown> }) =>
    /elections\/([0-9a-f-]{36})/.exec(String(answer.headers.location))![1]!;

  test.each<[string, Record<string, string>, object]>([
    ['the usual rule', { 'settings.majority.rule': '' }, { majority: null }],
    [
      'a rule by country',
      { 'settings.majority.rule': 'de_rules' },
      { majority: { share: 'three_quarters', of: 'yes_no' } },
    ],
    [
      'its own rule',
      {
        'settings.majority.rule': 'own',
        'settings.majority.share.kind': 'at_least',
        'settings.majority.share.fraction': '3/5',
        'settings.majority.of': 'ballots',
      },
      { majority: { share: { at_least: '3/5' }, of: 'ballots' } },
    ],
    [
      'a share as quorum',
      {
        'settings.quorum': '',
        'settings.quorum_share.kind': 'more_than_half',
        'settings.quorum_share.fraction': '1/7',
      },
      { quorum: null, quorum_share: 'more_than_half' },
    ],
    [
      'no quorum',
      {
        'settings.quorum': '',
        'settings.quorum_share.kind': '',
        'settings.quorum_share.fraction': '',
        'settings.allow_blank': 'true',
      },
      { quorum: null, quorum_share: null, allow_blank: true },
    ],
  ])('stores %s', async (_what, fields, settings) => {
    expect(await settingsOf(createdBy(await form(fields)))).toMatchObject(settings);
  });

  test('of another type ignores the majority, whose field it shows without script', async () => {
    const poll = { ballot_type: 'POLL', options: 'Tea\nMilk' };
    const answer = await form({ ...poll, 'settings.majority.rule': 'de_rules' });

    expect((await settingsOf(createdBy(answer))).majority).toBeNull();
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'a fraction that is none',
      {
        'settings.majority.rule': 'own',
        'settings.majority.share.kind': 'at_least',
        'settings.majority.share.fraction': '7/5',
      },
      `Majority: ${onPage('not_fraction', { max: 20 })}`,
    ],
    [
      'two quorums',
      { 'settings.quorum': '9', 'settings.quorum_share.kind': 'two_thirds' },
      `Quorum: ${onPage('quorum_said_twice')}`,
    ],
  ])('shows %s beside its field, with what was entered', async (_what, fields, problem) => {
    const answer = await form(fields);

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(problem);
    for (const value of Object.values(fields).filter((text) => text !== 'own'))
      expect(answer.body).toMatch(new RegExp(`value="${value}"`));
  });

  test('of an election shows its rules, and proposes blank ballots for a new one', async () => {
    const majority = { share: 'two_thirds', of: 'yes_no' };
    const id = await addElection(service, { settings: { majority, quorum_share: { at_least: '1/3' } } });
    const of = async (under: string) => (await page(service, `/admin/elections/${id}/${under}`)).body;
    const shown = `${await of('rules')}${await of('checks')}`;

    expect(shown).toMatch(
      /<option value="gb_club_rules" selected>Change of the rules: two thirds of yes and no/,
    );
    expect(shown).toMatch(/<option value="at_least" selected>/);
    expect(shown).toMatch(/name="settings.quorum_share.fraction"[^>]* value="1\/3"/);
    expect(shown).not.toMatch(/name="settings.allow_blank"[^>]* checked/);
    expect((await page(service, '/admin/elections/new')).body).toMatch(
      /name="settings.allow_blank"[^>]* checked/,
    );
  });

  test('says what the ballots have fixed', async () => {
    const majority = { share: 'two_thirds', of: 'electors' };
    const id = await addElection(service, {
      settings: { majority, quorum_share: { more_than: '1/2' }, allow_blank: true },
    });
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, choice: 'yes' });

    expect((await page(service, `/admin/elections/${id}/rules`)).body).toContain(
      'Carried if two thirds of all electors vote yes.',
    );
  });
});

describe('the result', () => {
  const results = async (id: string) => (await service.get(`/e/${id}/results`)).json();

  test('says the rule on page, wall and in the log of hashes, and is counted again', async () => {
    const settings = { majority: { share: 'two_thirds', of: 'electors' }, allow_blank: true };
    const id = await addElection(service, { settings, title: 'New rules' });
    const tokens = await addTokens(service, id, 15);
    for (const [at, token] of tokens.slice(0, 12).entries())
      await cast(service, id, at === 0 ? { token, blank: true } : { token, choice: at < 10 ? 'yes' : 'no' });
    const ballot = await page(service, `/e/${id}/vote?t=${tokens.at(-1)}`);
    const open = await results(id);
    // Codes that were handed out since the opening are electors too.
    await addTokens(service, id, 3);
    await service.post(`/admin/elections/${id}/close`);
    const closed = await results(id);

    expect(ballot.body).toContain('Carried if two thirds of all electors vote yes.');
    expect(open).toMatchObject({ electors: 15, results: { base: 15, needed: 10, carried: false } });
    expect(closed).toMatchObject({
      electors: 18,
      result_matches: true,
      results: { yes: 9, base: 18, needed: 12, carried: false, valid: true, outcome: 'failed' },
    });
    const sentence = 'Not carried: 9 of 18 electors, 12 were needed (two thirds of the electors).';
    for (const path of [`/e/${id}`, `/e/${id}/results?wall=1`])
      expect((await page(service, path)).body).toContain(sentence);
    const file = (await service.get(`/e/${id}/ballots.json`)).json();
    expect([file.electors, file.election.settings.majority]).toEqual([18, settings.majority]);
    expect(listDifferences(countBallotTexts(file, spellBallots(file)).results, closed.results)).toEqual([]);
    expect(sha256(fileQuestion(file))).toBe(closed.question_sha256);
  });

  test('keeps its electors when codes are deleted after the close', async () => {
    const id = await addElection(service, {
      settings: { majority: { share: 'more_than_half', of: 'electors' } },
    });
    const [token] = await addTokens(service, id, 1);
    await addTokens(service, id, 4, 'spare');
    await cast(service, id, { token, choice: 'yes' });
    await service.post(`/admin/elections/${id}/close`);
    const before = await results(id);
    const deleted = await send(service, 'DELETE', `/admin/elections/${id}/batches`, { batch_name: 'spare' });

    expect([deleted.statusCode, deleted.json().deleted]).toEqual([200, 4]);
    expect(await results(id)).toMatchObject({ electors: 5, results: before.results, result_matches: true });
  });

  test('of a question on a ballot paper counts the paper’s codes as electors', async () => {
    const question = { title: 'Shall we?', ballot_type: 'SIMPLE_TRIPLE' };
    const settings = { majority: { share: 'all', of: 'electors' } };
    const { open_at, close_at } = openElection(service);
    const paper = await service.post('/admin/papers', {
      ...{ title: 'Meeting', open_at, close_at },
      questions: [{ ...question, settings }],
    });
    const [{ id }] = paper.json().questions;
    await service.post(`/admin/papers/${paper.json().id}/tokens`, { count: 7 });

    expect(await results(id)).toMatchObject({ electors: 7, results: { base: 7, needed: 7 } });
  });

  test('without its quorum is valid nowhere', async () => {
    const settings = { quorum_share: { more_than: '1/2' } };
    const id = await addElection(service, { settings });
    const tokens = await addTokens(service, id, 40);
    for (const token of tokens.slice(0, 20)) await cast(service, id, { token, choice: 'yes' });
    const live = await results(id);
    await service.post(`/admin/elections/${id}/close`);

    expect(live.results).toMatchObject({ quorum: 21, quorum_met: false, valid: false, carried: false });
    expect((await results(id)).results).toMatchObject({ outcome: 'passed', valid: false, carried: false });
    const shown = (await page(service, `/e/${id}`)).body;
    expect(shown).toContain('No valid result: 20 ballots cast, 21 needed. The count was: 20 yes to 0 no.');
    expect((await page(service, `/e/${id}/results?wall=1`)).body).not.toContain('wall-leads');
    expect((await page(service, `/e/${id}/vote?t=${tokens[30]}`)).statusCode).toBe(200);
  });

  test.each<[BallotType, object, (ids: string[]) => object, route: string]>([
    ['SIMPLE_TRIPLE', {}, () => ({ choice: 'yes' }), 'vote'],
    ['POLL', { seats: 1 }, ([first]) => ({ selected_option: first }), 'vote/poll'],
    ['RANKED_CONDORCET', { seats: 1 }, (ids) => ({ ranking: ids }), 'vote'],
    ['RANKED_STV', { seats: 1 }, (ids) => ({ ranking: ids }), 'vote'],
    ['YES_NO_EACH', {}, ([first]) => ({ answers: { [first!]: 'yes' } }), 'vote'],
  ])('of %s elects and carries nothing without its quorum', async (ballot_type, own, ballot, route) => {
    const names = ['Ann', 'Bob'];
    const id = await addElection(service, {
      ...{ ballot_type, options: names, candidates: names, settings: { quorum: 2, ...own } },
    });
    const { election } = (await service.get(`/e/${id}`)).json();
    const ids = (election.options ?? election.candidates ?? []).map((option: { id: string }) => option.id);
    const [token] = await addTokens(service, id, 2);
    expect((await cast(service, id, { token, ...ballot(ids) }, route)).statusCode).toBe(200);
    await service.post(`/admin/elections/${id}/close`);

    const shown = await results(id);
    expect([shown.results.valid, shown.results.elected ?? [], shown.results.carried ?? false]).toEqual([
      false,
      [],
      false,
    ]);
    expect(JSON.parse((await service.get(`/admin/elections/${id}/export?format=json`)).body).results).toEqual(
      shown.results,
    );
    expect((await page(service, `/e/${id}`)).body).toContain('No valid result: 1 ballot cast, 2 needed.');
    const wall = (await page(service, `/e/${id}/results?wall=1`)).body;
    expect([wall.includes('No valid result'), wall.includes('wall-leads')]).toEqual([true, false]);
  });
});
