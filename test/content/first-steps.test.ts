import { expect, it } from 'vitest';
import { createPerson } from '#people/persons.ts';
import { makeSignInLink } from '#people/sign-in-links.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { addElection } from '#test/support/factories.ts';
import { expectBadField, expectForbidden, expectRefusal } from '#test/support/messages.ts';
import { appoint, heard } from '#test/support/people/patrons.ts';
import { browserOf } from '#test/support/people/people.ts';

const OLGA = 'olga@club.example';
const PAGE = '/admin/first-steps';
const BEAT = { screen: 'bar', page: 'tv', version: 'old', uptime_s: 90, viewport: '1920x1080' };
const STEPS = ['hours', 'tenders', 'event', 'menu', 'screen', 'music', 'mail', 'members', 'vote'];

async function newClub(env: Record<string, string> = {}) {
  const service = await testApp({ NOW_PLAYING_INGEST_TOKEN: '', ...env });
  const owner = await appoint(service, OLGA, 'owner');
  const states = async (): Promise<Record<string, string>> => {
    const { steps } = (await service.get(PAGE, owner)).json();
    return Object.fromEntries(steps.map(({ name, state }: { name: string; state: string }) => [name, state]));
  };
  const page = async () => (await service.get(PAGE, { ...owner, accept: 'text/html' })).body;
  return { service, owner, states, page, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

type Club = Awaited<ReturnType<typeof newClub>>;

const publish = (kind: string, body: object) => async (club: Club) => {
  const answer = await club.service.post(`/api/admin/content/${kind}`, { body, publish: true }, club.owner);
  expect(answer.statusCode, answer.body).toBe(200);
};

it.each<[step: string, does: (club: Club) => Promise<unknown>]>([
  ['hours', publish('hours', { from: '2026-11-21', week: { sat: [{ opens: '18:00', closes: '23:00' }] } })],
  ['tenders', publish('tender', { full_name: 'Ann Byrne' })],
  ['event', publish('event', { title: 'Quiz', date: '2026-11-21', time: '20:00', in_pub: true })],
  ['screen', ({ service }) => service.post('/api/screens/heartbeat', BEAT)],
  ['music', ({ service }) => heard(service, { artist: 'ABBA', title: 'SOS' })],
  [
    'members',
    ({ service }) =>
      service.ctx.write((tx) =>
        createPerson(tx, { name: 'Ann', email: 'ann@home.example' }, { ip: 'the test', at: 1 }),
      ),
  ],
  ['vote', ({ service }) => addElection(service)],
])('the step “%s” is done by what the club has', async (step, does) => {
  await using club = await newClub();
  expect(Object.entries(await club.states())).toEqual(STEPS.map((name) => [name, 'open']));

  await does(club);

  const states = await club.states();
  expect(Object.keys(states).filter((name) => states[name] === 'done')).toEqual([step]);
});

it('members count also where they run the club; an officer who is no member does not', async () => {
  await using club = await newClub();
  const { service, owner, states, page } = club;
  await appoint(service, 'mo@club.example', 'manager');
  expect((await states()).members).toBe('open');
  const { people } = (await service.get('/api/admin/people', owner)).json();
  expect(people).toHaveLength(2);
  await service.post('/api/admin/kinds', { name: 'Full', votes: true }, owner);
  for (const { id, version } of people) {
    const payload = { version, standing: { kind: 'Full', first_day: '2020-01-01' } };
    const url = `/api/admin/people/${id}`;
    const { statusCode, body } = await service.request({ method: 'PATCH', url, payload, headers: owner });
    expect(statusCode, body).toBe(200);
  }
  expect((await states()).members).toBe('done');
  expect(await page()).toContain('2 people are on the roll.');
});

it('a draft is no step', async () => {
  await using club = await newClub();
  await club.service.post('/api/admin/content/tender', { body: { full_name: 'Ann' } }, club.owner);
  expect((await club.states()).tenders).toBe('open');
});

it('mail is done once a mail left', async () => {
  const mails = await startMailServer();
  await using club = await newClub(mailTo(mails.url));
  expect((await club.states()).mail).toBe('open');
  await browserOf(club.service).post('/sign-in', { email: OLGA });
  await expect.poll(async () => (await club.states()).mail).toBe('done');
});

it('a step is skipped and taken up again, by form and by script; what is done stays done', async () => {
  await using club = await newClub();
  const { service, owner, states, page } = club;
  const skipped = await service.submit(`${PAGE}/music`, { skip: 'true' }, owner);
  expect([skipped.statusCode, skipped.headers.location]).toEqual([303, `${PAGE}#music`]);
  expect((await service.post(`${PAGE}/vote`, { skip: true }, owner)).json()).toEqual({ ok: true });
  expect(await states()).toMatchObject({ music: 'skipped', vote: 'skipped', hours: 'open' });
  expect(await page()).toContain('7 things are left');

  await service.post(`${PAGE}/music`, { skip: false }, owner);
  await addElection(service);
  expect(await states()).toMatchObject({ music: 'open', vote: 'done' });

  expectRefusal(await service.post(`${PAGE}/cleaning`, { skip: true }, owner), 404, 'not_found');
  expectBadField(await service.post(`${PAGE}/music`, {}, owner), 'skip', 'not_true_or_false');
});

it('what belongs to a part that is switched off is skipped', async () => {
  await using club = await newClub();
  await club.service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload: { parts: { music: false, screens: false } },
    headers: { ...club.owner, accept: 'application/json' },
  });
  expect(await club.states()).toMatchObject({ music: 'skipped', screen: 'skipped', members: 'open' });
});

it('the page is linked from the elections and from one’s own page until it is put away', async () => {
  await using club = await newClub();
  const { service, owner, page } = club;
  const dashboard = async (who: Record<string, string>) =>
    (await service.get('/admin', { ...who, accept: 'text/html' })).body;
  expect(await dashboard(owner)).toMatch(/href="\/admin\/first-steps">First evening<\/a>: 0 of 9/);
  expect(await dashboard(await appoint(service, 'otto@club.example', 'officer'))).not.toContain(PAGE);
  expect((await service.get('/me/first-steps')).headers.location).toBe(PAGE);

  const away = await service.submit(PAGE, { dismiss: 'true' }, owner);
  expect([away.statusCode, away.headers.location]).toEqual([303, '/admin']);
  expect(await dashboard(owner)).not.toContain(PAGE);
  expect(await page()).toContain('Show this page under Elections again');

  expect((await service.post(PAGE, { dismiss: false }, owner)).json()).toEqual({ ok: true });
  expect(await dashboard(owner)).toContain(PAGE);
});

it('hours and an event are published from the page itself, and lead back to it', async () => {
  await using club = await newClub();
  const { service, owner, states } = club;
  const hours = {
    next: PAGE,
    from: '2026-11-21',
    'same.opens': '5 pm',
    'same.closes': '23:30',
    publish: 'true',
  };
  const days = ['tue', 'wed', 'sat'];
  const sent = await service.submit('/admin/content/hours', { ...hours, 'same.days': days }, owner);
  expect([sent.statusCode, sent.headers.location]).toEqual([303, PAGE]);
  const { items } = (await service.get('/api/admin/content/hours', owner)).json();
  const range = [expect.objectContaining({ opens: '17:00', closes: '23:30' })];
  expect(items[0].body.week).toMatchObject({ mon: [], tue: range, wed: range, thu: [], sat: range });

  // Chosen days without times would be published as closed.
  for (const times of [
    { 'same.opens': '', 'same.closes': '' },
    { 'same.opens': '5 pm', 'same.closes': '' },
  ]) {
    const empty = await service.submit(
      '/admin/content/hours',
      { ...hours, ...times, 'same.days': days },
      owner,
    );
    expect([times, empty.statusCode]).toEqual([times, 400]);
    expect(empty.body).toMatch(/<a class="error-link" href="#same\.(opens|closes)">/);
    expect(empty.body).toContain(`name="next" value="${PAGE}"`);
  }

  const event = {
    next: PAGE,
    title: 'Quiz',
    date: '2026-11-21',
    time: '20:00',
    in_pub: 'true',
    publish: 'true',
  };
  expect((await service.submit('/admin/content/event', event, owner)).headers.location).toBe(PAGE);
  expect(await states()).toMatchObject({ hours: 'done', event: 'done' });
  expect((await service.get('/api/events')).body).toContain('Quiz');

  // The editor shows what is wrong, keeps what was entered, and leads back all the same.
  const refused = await service.submit('/admin/content/event', { ...event, title: '' }, owner);
  expect([refused.statusCode, refused.body.includes(`name="next" value="${PAGE}"`)]).toEqual([400, true]);
  const elsewhere = await service.submit('/admin/content/event', { ...event, next: '//evil.example' }, owner);
  expect(elsewhere.headers.location).toBe('/me');
});

it('an owner is led to a passkey and to recovery codes', async () => {
  await using service = await testApp({ LOCAL_BYPASS: 'off', BASE_URL: 'https://club.example' });
  await appoint(service, OLGA, 'owner');
  const link = await makeSignInLink(service.ctx, OLGA, { ip: 'the test', at: service.clock.now });
  const olga = browserOf(service);
  await olga.post('/sign-in/link', { t: link.split('t=')[1] });
  const { body } = await olga.get(PAGE);
  for (const part of [
    `href="/me/passkeys/new?next=${PAGE}"`,
    'action="/me/recovery-codes"',
    'club.example/s',
  ])
    expect(body).toContain(part);
  expect((await olga.get('/me')).body).toContain('href="/me/first-steps"');
  await olga.post('/me/recovery-codes');
  expect((await olga.get(PAGE)).body).toContain('You have 8 recovery codes left');
});

it.each(['officer', 'manager', 'viewer'])('the page is closed for a %s', async (role) => {
  await using club = await newClub();
  const other = await appoint(club.service, 'other@club.example', role);
  for (const answer of [
    await club.service.get(PAGE, other),
    await club.service.post(PAGE, { dismiss: true }, other),
    await club.service.post(`${PAGE}/music`, { skip: true }, other),
  ])
    expectForbidden(answer, 'settings:write');
});

it('leads from the first vote to a meeting, too', async () => {
  await using club = await newClub();
  const [, step = ''] = /<li class="card first-step" id="vote">(.*?)<\/li>/s.exec(await club.page()) ?? [];
  expect(step).toContain('<a class="link-alone" href="/admin/meetings/new">Prepare a meeting</a>');
});
