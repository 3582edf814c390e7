import { beforeAll, expect, test } from 'vitest';
import type { TestApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, cast, openElection, send } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

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

  expect((await patch(id, { quorum_share: 'two_thirds' })).statusCode).toBe(400);
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
      error: 'Ballots exist',
      errors: [{ path: `settings.${setting}` }],
    });
  // Sent again as it is, as a form does.
  expect((await patch(id, { majority, quorum_share: null, allow_blank: false })).statusCode).toBe(200);
});
