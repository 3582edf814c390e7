import { expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { page, send } from '#test/support/factories.ts';
import { message, refusal } from '#test/support/messages.ts';
import { openRoom } from './a-meeting.ts';

async function openWithDraft(fields: object = {}) {
  const one = await openRoom({ classes: ['Members', 'Board'], ...fields });
  const { service } = one;
  const create = async (more: object = {}): Promise<string> => {
    const times = {
      open_at: isoTime(service.clock.now + HOUR),
      close_at: isoTime(service.clock.now + 3 * HOUR),
    };
    const poll = { title: 'Treasurer', ballot_type: 'POLL', options: ['Ivy', 'Hugh'], ...times, ...more };
    return (await service.post('/admin/elections', poll)).json().id;
  };
  const join = (election_id: string, more: object = {}) =>
    service.post(`${one.base}/items`, { election_id, ...more });
  return { ...one, create, join };
}

it('an election that was prepared joins an agenda, and is voted on with the cards of the meeting', async () => {
  await using one = await openWithDraft();
  const id = await one.create({ description: 'For two years', settings: { seats: 1 } });
  expect((await page(one.service, `${one.base}/items/new`)).body).toContain(
    `<option value="${id}">Treasurer`,
  );
  const joined = await one.join(id, { classes: ['members'] });
  expect(joined.json()).toEqual({ id: expect.any(String), election_id: id });
  expect((await page(one.service, `${one.base}/items/new`)).body).not.toContain(`<option value="${id}">`);
  const item = await one.item(joined.json().id);
  expect(item).toMatchObject({
    kind: 'election',
    title: 'Treasurer',
    text: 'For two years',
    classes: ['Members'],
  });
  const { election } = (await one.service.get(`/admin/elections/${id}`)).json();
  expect(election.settings).toMatchObject({
    seats: 1,
    announce: 'by_officer',
    hide_results_until_close: true,
  });
  one.service.clock.now += 2 * HOUR;
  expect((await one.item(item.id)).state).toBe('prepared');
  const [code] = await one.arrive(['Ann']);
  const [board] = await one.arrive(['Bob'], 'Board');
  await one.act(item.id, 'open');
  const ballot = { selected_option: election.options[0].id };
  expect([await one.vote(code!, id, ballot), await one.vote(board!, id, ballot)]).toEqual([200, 401]);
  await one.act(item.id, 'close');
  expect((await one.act(item.id, 'declare')).body.item.result.results.elected).toEqual([
    election.options[0].id,
  ]);
});

it('by a form, and a yes-or-no election as a motion with its mover', async () => {
  await using one = await openWithDraft();
  const id = await one.create({ title: 'Fees', ballot_type: 'SIMPLE_TRIPLE', options: undefined });
  const form = await one.service.submit(`${one.base}/items`, { election_id: id, mover: 'Ann' });
  expect(form.headers.location).toMatch(/done=added#item-/);
  expect((await one.read()).items).toMatchObject([
    { kind: 'motion', title: 'Fees', mover: 'Ann', election_id: id },
  ]);
});

it.each([
  [
    'has begun',
    'election_began',
    async (one: Room) => {
      one.service.clock.now += 2 * HOUR;
    },
  ],
  [
    'has codes',
    'election_has_codes',
    (one: Room, id: string) => one.service.post(`/admin/elections/${id}/tokens`, { count: 1 }),
  ],
  ['is on an agenda already', 'election_on_paper', (one: Room, id: string) => one.join(id)],
  ['is a trial', 'trial_not_on_paper', (one: Room) => one.create({ trial: true })],
] as const)('an election that %s is refused', async (_, code, happens) => {
  await using one = await openWithDraft();
  const id = await one.create();
  const made = await happens(one, id);
  const refused = await one.join(typeof made === 'string' ? made : id);
  expect([refusal(refused), refusal(await one.join('unknown'))]).toEqual([
    [409, message(code)],
    [404, message('election_not_found')],
  ]);
});

type Room = Awaited<ReturnType<typeof openWithDraft>>;

it('the questions of a meeting are those of its agenda: nothing else adds, orders or deletes them', async () => {
  await using one = await openWithDraft();
  const { election_id } = await one.add({ kind: 'motion', title: 'Lamps' });
  const paper = `/admin/papers/${await one.paper()}`;
  const answers = [
    await one.service.post(`${paper}/questions`, { title: 'Other', ballot_type: 'SIMPLE_TRIPLE' }),
    await one.service.post(`${paper}/questions`, { election_id: await one.create() }),
    await send(one.service, 'PUT', `${paper}/questions/order`, { order: [election_id] }),
    await send(one.service, 'DELETE', paper),
    await send(one.service, 'DELETE', `/admin/elections/${election_id}`),
  ];
  expect(answers.map(({ statusCode, json }) => [statusCode, json().error])).toEqual(
    answers.map(() => [409, message('on_agenda')]),
  );
});
