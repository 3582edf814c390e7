import { expect, it } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, auditOf, castAll, cast as castOne } from '#test/support/factories.ts';
import { message, refusal } from '#test/support/messages.ts';
import { openElectorate, person, tokenIn } from '../electors/electorate.ts';

const dates = (service: TestApp) => ({
  open_at: isoTime(service.clock.now + HOUR),
  close_at: isoTime(service.clock.now + DAY),
});

it('repeats a question with the same electors and new codes, which are mailed when it opens', async () => {
  await using club = await openElectorate();
  const { service, olga, mails } = club;
  for (const name of ['Ann', 'Bob']) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  await club.add(person('Cid', null));
  const id = await club.election({ title: 'Chair', ballot_type: 'POLL', options: ['Ivy', 'Lee', 'Hugh'] });
  await club.invite(id, { roll: {}, emails: ['guest@club.example', 'gone@club.example'] });
  service.clock.now += HOUR;
  await club.sendAll();
  const [first] = mails.mails;
  const url = `/admin/elections/${id}/follow-up`;
  const body = { kind: 'repeat', options: ['Lee', 'Ivy', 'Mia'], ...dates(service) };
  const early = await service.post(url, body, olga);
  expect([early.statusCode, early.json().error]).toEqual([409, message('follow_up_after_close')]);
  expect((await service.get(url, { ...olga, accept: 'text/html' })).statusCode).toBe(409);
  const all = (await service.get(`/admin/elections/${id}/invites`, olga)).json().invites;
  const gone = all.find(({ email }: { email: string }) => email === 'gone@club.example');
  await service.post(`/admin/elections/${id}/invites/${gone.id}/withdraw`, { reason: 'Left' }, olga);
  await service.post(`/admin/elections/${id}/close`, {}, olga);
  const mailed = mails.mails.length;
  const form = await service.get(url, { ...olga, accept: 'text/html' });
  expect(form.body).toContain(
    '3 people get the new code by mail when voting opens; 1 code is on a slip to print.',
  );

  const answer = await service.post(url, body, olga);
  expect([answer.statusCode, Object.keys(answer.json())]).toEqual([200, ['id']]);
  const next = answer.json().id;
  const { election } = (await service.get(`/e/${next}`)).json();
  expect(election).toMatchObject({
    title: 'Chair (round 2)',
    ballot_type: 'POLL',
    follow_up_of: id,
    follow_up_kind: 'repeat',
    open_at: body.open_at,
  });
  // In the order of the ballot before; new ones come last.
  expect(election.options.map(({ name }: { name: string }) => name)).toEqual(['Ivy', 'Lee', 'Mia']);
  expect((await service.get(`/e/${id}`)).json().election.follow_ups).toEqual([next]);
  const html = async (path: string) => (await service.get(path, { accept: 'text/html' })).body;
  expect(await html(`/e/${id}`)).toContain(`<a href="/e/${next}">Chair (round 2)</a>`);
  expect(await html(`/e/${next}`)).toContain(`A repetition of <a href="/e/${id}">Chair</a>`);

  await club.sendAll();
  expect(mails.mails).toHaveLength(mailed);
  expect((await service.get(`/admin/elections/${next}`, olga)).json().turnout.tokens).toBe(4);
  service.clock.now += HOUR;
  await club.sendAll();
  const sent = mails.mails.slice(mailed);
  expect(sent.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
    'ann@club.example',
    'bob@club.example',
    'guest@club.example',
  ]);
  const { invites } = (await service.get(`/admin/elections/${next}/invites`, olga)).json();
  expect(invites.filter(({ slip }: { slip?: string }) => slip === 'to_print')).toHaveLength(1);
  const choice = { selected_option: election.options[2].id };
  const token = tokenIn(sent[0]!);
  expect((await castOne(service, next, { token, ...choice }, 'vote/poll')).statusCode).toBe(200);
  const old = await castOne(service, next, { token: tokenIn(first!), ...choice }, 'vote/poll');
  expect(old.statusCode).toBe(401);
  const entries = (await service.get(`/admin/audit-logs?election_id=${id}&limit=200`, olga)).json().logs;
  expect(entries.map(({ action }: { action: string }) => action)).toContain('election.followed_up');

  // A third round has the number of the first one's title.
  await service.post(`/admin/elections/${next}/close`, {}, olga);
  const third = { kind: 'repeat', ...dates(service) };
  const { id: last } = (await service.post(`/admin/elections/${next}/follow-up`, third, olga)).json();
  expect((await service.get(`/e/${last}`)).json().election.title).toBe('Chair (round 3)');
});

interface OpenSeats {
  settings: object;
  votes: string[][];
  kind: string;
  /** What the follow-up asks about and for how many seats. */
  options: string[];
  seats: number;
  /** Kinds that the result does not allow. */
  refused: string[];
}

const OPEN_SEATS: [name: string, OpenSeats][] = [
  [
    'the two best for one seat',
    {
      settings: { seats: 1, threshold: { share: 'more_than_half' } },
      votes: [['Ivy'], ['Ivy'], ['Lee'], ['Lee'], ['Hugh']],
      kind: 'two_best',
      options: ['Ivy', 'Lee'],
      seats: 1,
      refused: ['unelected', 'all'],
    },
  ],
  [
    'those who are not elected, for the seats that are open',
    {
      settings: { seats: 2, poll_response_type: 'multiple', max_choices: 3, min_choices: 2 },
      votes: [
        ['Ivy', 'Lee'],
        ['Ivy', 'Hugh'],
      ],
      kind: 'unelected',
      options: ['Lee', 'Hugh'],
      seats: 1,
      refused: ['two_best'],
    },
  ],
  [
    'everybody, for the seats that are open',
    {
      settings: { seats: 2 },
      votes: [['Ivy'], ['Ivy'], ['Lee'], ['Hugh']],
      kind: 'all',
      options: ['Ivy', 'Lee', 'Hugh'],
      seats: 1,
      refused: ['two_best'],
    },
  ],
];

it.each(OPEN_SEATS)('is about %s', async (_, { settings, votes, kind, options, seats, refused }) => {
  await using service = await testApp();
  const { id, ids } = await addPoll(service, ['Ivy', 'Lee', 'Hugh'], { settings });
  const multiple = 'poll_response_type' in settings;
  const bodyOf = (names: string[]) => {
    const chosen = names.map((name) => ids[name]);
    return multiple ? { selected_options: chosen } : { selected_option: chosen[0] };
  };
  await castAll(service, id, votes.map(bodyOf), 'vote/poll');
  await service.post(`/admin/elections/${id}/close`);
  const officer = (await service.get(`/admin/elections/${id}`, { accept: 'text/html' })).body;
  expect(officer).toContain('1 seat is open. Make a follow-up');
  const make = (of: string) =>
    service.post(`/admin/elections/${id}/follow-up`, { kind: of, ...dates(service) });
  for (const other of refused)
    expect([other, (await make(other)).json().errors?.[0]?.path]).toEqual([other, 'kind']);

  const form = (await service.get(`/admin/elections/${id}/follow-up`, { accept: 'text/html' })).body;
  expect(form).toMatch(new RegExp(`value="${kind === 'all' ? 'unelected' : kind}"[^>]*checked`));
  const { id: next } = (await make(kind)).json();
  const { election } = (await service.get(`/e/${next}`)).json();
  expect(election.options.map(({ name }: { name: string }) => name)).toEqual(options);
  expect(election.settings.seats).toBe(seats);
  expect(election.settings.max_choices ?? 0).toBeLessThanOrEqual(options.length);
  const body = bodyOf([options[0]!]);
  const own = election.options[0].id;
  const ballot = multiple ? { selected_options: [own] } : { ...body, selected_option: own };
  service.clock.now += HOUR;
  await castAll(service, next, [ballot], 'vote/poll');
});

it('is made by the form with what it proposes', async () => {
  await using service = await testApp();
  const { id } = await addPoll(service, ['Ivy', 'Lee']);
  await service.post(`/admin/elections/${id}/close`);
  const url = `/admin/elections/${id}/follow-up`;
  const form = (await service.get(url, { accept: 'text/html' })).body;
  const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(form)?.[1] ?? '';
  const fields = {
    kind: 'repeat',
    title: field('title'),
    open_at: field('open_at'),
    close_at: field('close_at'),
  };
  expect(fields.title).toBe('Shall we buy a piano? (round 2)');

  const refused = await service.submit(url, { ...fields, title: 'Again', close_at: fields.open_at });
  expect([refused.statusCode, refused.body.includes('value="Again"')]).toEqual([400, true]);
  const done = await service.submit(url, fields);
  const made = (await service.get(done.headers.location!, { accept: 'text/html' })).body;
  // Its electors had codes on paper.
  expect(made).toContain(
    'This is the follow-up. Nobody was invited by name: make a voting code for each elector.',
  );
});

it.each([
  ['seats that are filled, or none', { kind: 'two_best' }, 409, 'no_open_seats'],
  ['an unknown kind', { kind: 'runoff' }, 400, undefined],
  ['options of a yes-or-no question', { kind: 'repeat', options: ['A', 'B'] }, 400, undefined],
  [
    'a close that is over',
    { kind: 'repeat', close_at: '2020-01-02T00:00Z', open_at: '2020-01-01T00:00Z' },
    400,
    undefined,
  ],
])('refuses %s', async (_, fields, status, code) => {
  await using service = await testApp();
  const id = await addElection(service);
  await castAll(service, id, [{ choice: 'yes' }]);
  await service.post(`/admin/elections/${id}/close`);
  const body = { ...dates(service), ...fields };
  const answer = await service.post(`/admin/elections/${id}/follow-up`, body);
  expect([answer.statusCode, code && answer.json().error]).toEqual([
    status,
    code && message(code as 'no_open_seats'),
  ]);
  expect((await service.get('/admin/elections')).json().elections).toHaveLength(1);
});

it.each([
  ['of a trial', { trial: true }, 'repeat', [409, message('trial_not_repeated')]],
  [
    'about those who were not elected, while the result is not announced',
    { settings: { announce: 'by_officer' } },
    'all',
    [403, message('results_not_announced')],
  ],
  [
    'that repeats an election whose result is not announced',
    { settings: { announce: 'by_officer' } },
    'repeat',
    [200, undefined],
  ],
])('a follow-up %s', async (_, more, kind, expected) => {
  await using service = await testApp();
  const { id } = await addPoll(service, ['Ivy', 'Lee'], more);
  await service.post(`/admin/elections/${id}/close`);
  const answer = await service.post(`/admin/elections/${id}/follow-up`, { kind, ...dates(service) });
  expect(refusal(answer)).toEqual(expected);
});

it('of a void election only repeats it', async () => {
  await using service = await testApp();
  const { id } = await addPoll(service, ['Ivy', 'Lee']);
  await service.post(`/admin/elections/${id}/void`, { reason: 'Wrong roll', repeat: false });
  const make = (kind: string) =>
    service.post(`/admin/elections/${id}/follow-up`, { kind, ...dates(service) });
  expect((await make('all')).json().error).toBe(message('election_void_no_follow_up'));
  expect((await make('repeat')).statusCode).toBe(200);
  expect((await auditOf(service, id)).at(-1)).toMatchObject({ metadata: { kind: 'repeat' } });
});

it('makes codes for as many as had codes: mails for those with an address, slips for the others', async () => {
  await using club = await openElectorate();
  const { service, olga, mails } = club;
  for (const name of ['Ann', 'Bob', 'Dan'])
    await club.add(person(name, `${name.toLowerCase()}@club.example`));
  const id = await club.election({ ballot_type: 'POLL', options: ['Ivy', 'Lee'] });
  await club.invite(id, { roll: {} });
  await service.post(`/admin/elections/${id}/tokens`, { count: 4 }, olga);
  service.clock.now += HOUR;
  await club.sendAll();
  await service.post(`/admin/elections/${id}/close`, {}, olga);
  const url = `/admin/elections/${id}/follow-up`;
  const form = await service.get(url, { ...olga, accept: 'text/html' });
  expect(form.body).toContain(
    '3 people get the new code by mail when voting opens; 4 codes are on slips to print.',
  );
  const { id: next } = (await service.post(url, { kind: 'repeat', ...dates(service) }, olga)).json();
  const mailed = mails.mails.length;
  service.clock.now += HOUR;
  await club.sendAll();
  expect(mails.mails.length - mailed).toBe(3);
  const read = async (of: string) => (await service.get(`/admin/elections/${of}`, olga)).json();
  expect((await read(next)).turnout.tokens).toBe(7);
  const slips = await service.post(`/admin/elections/${next}/invites/slips`, {}, olga);
  expect(slips.statusCode).toBe(200);

  // As many again, of those on slips without a name too.
  await service.post(`/admin/elections/${next}/close`, {}, olga);
  const again = await service.post(
    `/admin/elections/${next}/follow-up`,
    { kind: 'repeat', ...dates(service) },
    olga,
  );
  service.clock.now += HOUR;
  await club.sendAll();
  expect((await read(again.json().id)).turnout.tokens).toBe(7);
  expect(verifyAudit(service.ctx.db).broken).toBeUndefined();
});
