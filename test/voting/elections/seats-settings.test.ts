import { beforeAll, expect, test } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import { addPoll, addRanked, addTokens, cast, openElection, page, send } from '#test/support/factories.ts';
import { message, onPage } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const serviceOf = sharedApp();
let service: TestApp;
beforeAll(async () => {
  service = await serviceOf();
});

const NAMES = ['Ivy', 'Hugh', 'Lee', 'Bo'];
const several = { poll_response_type: 'multiple' };
const patch = (id: string, settings: object) =>
  send(service, 'PATCH', `/admin/elections/${id}/settings`, { settings });
const create = (ballot_type: string, settings: object) =>
  service.post(
    '/admin/elections',
    openElection(service, {
      ballot_type,
      settings,
      options: NAMES,
      candidates: NAMES,
    }),
  );

test('seats and choices are stored as they were sent, and taken away again by null', async () => {
  const settings = {
    ...several,
    seats: 3,
    min_choices: 2,
    max_choices: 3,
    threshold: { share: 'two_thirds' },
  };
  const { id } = await addPoll(service, NAMES, { settings });

  const stored = { seats: 3, min_choices: 2, max_choices: 3, max_yes: null };
  const { election } = (await service.get(`/e/${id}`)).json();
  expect(election.settings).toMatchObject({
    ...stored,
    threshold: { share: 'two_thirds', of: 'valid' },
  });
  const none = { seats: null, min_choices: null, max_choices: null, threshold: null };
  expect((await patch(id, none)).json().election.settings).toMatchObject(none);
});

test.each<[string, string, object, string]>([
  ['no seat', 'POLL', { seats: 0 }, 'seats'],
  ['half a seat', 'POLL', { seats: 1.5 }, 'seats'],
  ['more seats than options', 'POLL', { seats: 5 }, 'seats'],
  ['more choices than options', 'POLL', { ...several, max_choices: 5 }, 'max_choices'],
  ['several choices where one is chosen', 'POLL', { max_choices: 2 }, 'max_choices'],
  ['a least number over the most', 'POLL', { ...several, min_choices: 3, max_choices: 2 }, 'min_choices'],
  ['a least number over the seats', 'POLL', { ...several, min_choices: 3, seats: 2 }, 'min_choices'],
  ['a least number over the options', 'POLL', { ...several, min_choices: 5 }, 'min_choices'],
  ['a threshold without a share', 'POLL', { threshold: { of: 'ballots' } }, 'threshold.share'],
  ['a threshold of those who say yes', 'POLL', { threshold: { share: 'all', of: 'yes_no' } }, 'threshold.of'],
  ['choices in a ranked election', 'RANKED_CONDORCET', { max_choices: 2 }, 'max_choices'],
  ['a threshold in a ranked election', 'RANKED_CONDORCET', { threshold: { share: 'all' } }, 'threshold'],
  ['seats of a motion', 'SIMPLE_TRIPLE', { seats: 1 }, 'seats'],
  ['more seats than names', 'YES_NO_EACH', { seats: 5 }, 'seats'],
  ['more Yes than names', 'YES_NO_EACH', { max_yes: 5 }, 'max_yes'],
  ['a threshold beside the majority of each', 'YES_NO_EACH', { threshold: { share: 'all' } }, 'threshold'],
  ['a most Yes in a poll', 'POLL', { max_yes: 2 }, 'max_yes'],
])('%s is a 400 that names it', async (_case, ballot_type, settings, path) => {
  const answer = await create(ballot_type, settings);

  expect([answer.statusCode, answer.json().errors?.map((error: { path: string }) => error.path)]).toEqual([
    400,
    [`settings.${path}`],
  ]);
});

test('the form of an election shows what is stored, saves it, and names the field that does not fit', async () => {
  const { id } = await addPoll(service, NAMES, { settings: { ...several, seats: 3, max_choices: 4 } });
  const form = (fields: Record<string, string>) =>
    service.submit(`/admin/elections/${id}/settings?_method=PATCH`, {
      'settings.poll_response_type': 'multiple',
      'settings.seats': '3',
      'settings.max_choices': '',
      'settings.min_choices': '',
      'settings.threshold.share.kind': 'at_least',
      'settings.threshold.share.fraction': '3/5',
      'settings.threshold.of': 'ballots',
      ...fields,
    });

  const refused = await form({ 'settings.min_choices': '4' });
  expect(refused.statusCode).toBe(400);
  expect(refused.body).toContain(onPage('more_than_max_choices', { max: 3 }));
  expect((await form({})).statusCode).toBe(303);
  const { election } = (await service.get(`/e/${id}`)).json();
  expect(election.settings).toMatchObject({
    seats: 3,
    max_choices: null,
    threshold: { share: { at_least: '3/5' }, of: 'ballots' },
  });
  const { body } = await page(service, `/admin/elections/${id}/rules`);
  expect(body).toMatch(/name="settings.seats"[^>]*value="3"/);
  expect(body).toMatch(/name="settings.threshold.share.fraction"[^>]*value="3\/5"/);
  expect(body).toContain('<option value="at_least" selected>');
  expect(body).toContain('<option value="ballots" selected>');
  expect((await form({ 'settings.threshold.share.kind': '' })).statusCode).toBe(303);
  expect((await service.get(`/e/${id}`)).json().election.settings.threshold).toBeNull();
});

test('a ranked election may get its candidates after its seats', async () => {
  await addRanked(service, ['Ivy'], { settings: { seats: 3 } });
});

test('an option stays while there would be fewer than seats', async () => {
  const { id, ids } = await addPoll(service, NAMES, { settings: { seats: 4 } });
  const remove = () => send(service, 'DELETE', `/admin/elections/${id}/options/${ids.Bo}`);

  expect((await remove()).json().errors).toMatchObject([{ path: 'settings.seats' }]);
  await patch(id, { seats: 3 });
  expect((await remove()).statusCode).toBe(200);
});

test('the first ballot fixes seats and choices', async () => {
  const { id, ids } = await addPoll(service, NAMES, { settings: { ...several, seats: 2 } });
  const [token] = await addTokens(service, id, 1);
  await cast(service, id, { token, selected_options: [ids.Ivy] }, 'vote/poll');

  const threshold = { share: 'more_than_half', of: 'valid' };
  for (const [setting, value] of Object.entries({ seats: 3, min_choices: 2, max_choices: 3, threshold }))
    expect((await patch(id, { [setting]: value })).json()).toMatchObject({
      error: message('ballots_exist'),
      errors: [{ path: `settings.${setting}` }],
    });
});
