import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { GRAVE_ACTS } from '#people/approvals/grave-acts.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { recorded } from '#test/support/audit.ts';
import { addElection, addRanked, addTokens } from '#test/support/factories.ts';
import { expectForbidden, expectRefusal, message, refusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, openSession } from '#test/support/people/people.ts';

type Browser = ReturnType<typeof browserOf>;

const JSON_ONLY = { accept: 'application/json' };
const [OLGA, OTTO] = ['olga@club.example', 'otto@club.example'];

let mails: MailServer;
let service: TestApp;
let olga: Browser;
let otto: Browser;
beforeEach(async () => {
  mails = await startMailServer();
  service = await testApp({ ...mailTo(mails.url), ADMIN_API_KEY: 'a key of the officers' });
  await appoint(service, OLGA, 'owner');
  await appoint(service, OTTO, 'officer');
  [olga, otto] = [await signIn(OLGA), await signIn(OTTO)];
});
afterEach(() => service[Symbol.asyncDispose]());

async function signIn(email: string): Promise<Browser> {
  const browser = browserOf(service);
  await openSession(browser, service, email);
  return browser;
}

const letTwoDecide = async () =>
  expect((await olga.post('/admin/approvals/setting', { two_people: 'true' })).headers.location).toBe(
    '/admin/approvals?done=on',
  );
const waiting = async (browser = olga) => (await browser.get('/admin/approvals', JSON_ONLY)).json().approvals;
const confirm = async (browser: Browser, decision = 'confirmed') => {
  const [{ id, hash }] = await waiting(browser);
  return browser.post(`/admin/approvals/${id}`, { hash, decision }, JSON_ONLY);
};
const NEW_OFFICER = 'olga2@club.example';
const rolesOf = (email: string) =>
  service.ctx.db
    .all(
      build
        .selectFrom('person_roles')
        .innerJoin('addresses', 'addresses.person_id', 'person_roles.person_id')
        .select('role')
        .where('email', '=', email),
    )
    .map(({ role }) => role);
const statusOf = async (id: string) =>
  (await service.get(`/admin/elections/${id}`, { authorization: 'a key of the officers' })).json().election
    ?.status;
const subjectsTo = (address: string) =>
  mails.mails.filter(({ recipients }) => recipients.includes(address)).map(({ headers }) => headers.subject);

describe('the two-person rule', () => {
  it('asks a second person to declare an election void, before the close and after it', async () => {
    await letTwoDecide();
    const soon = { close_at: isoTime(service.clock.now + MINUTE) };
    const [open, closed] = [await addElection(service), await addElection(service, soon)];
    const body = { reason: 'A candidate was missing', repeat: 'false' };
    const voided = async (id: string) =>
      (await service.get(`/e/${id}`, { accept: 'application/json' })).json().election.void?.reason;
    for (const [id, minutes] of [
      [open, 0],
      [closed, 1],
    ] as const) {
      service.clock.now += minutes * MINUTE;
      const key = { authorization: 'a key of the officers' };
      const byKey = await service.post(`/admin/elections/${id}/void`, body, key);
      expect([byKey.statusCode, byKey.json().needs]).toEqual([403, 'approval']);
      const asked = await otto.post(`/admin/elections/${id}/void`, body);
      expect([asked.statusCode, await voided(id)]).toEqual([202, undefined]);
      expect((await waiting())[0].details).toEqual([{ label: 'Reason', value: body.reason }]);
      await confirm(olga);
      expect(await voided(id)).toBe(body.reason);
    }
  });

  it('keeps the withdrawal of a candidate pending after the opening', async () => {
    await letTwoDecide();
    const { id, ids } = await addRanked(service, ['Ivy', 'Lee']);
    await addTokens(service, id, 1);
    const note = 'Moved away';
    const asked = await otto.post(`/admin/elections/${id}/candidates/${ids.Ivy}/withdraw`, { note });
    const ivy = async () => (await service.get(`/e/${id}`, JSON_ONLY)).json().election.candidates[0];
    expect([asked.statusCode, (await ivy()).withdrawn]).toEqual([202, undefined]);
    expect((await waiting())[0]).toMatchObject({ details: [{ label: 'Note', value: note }] });
    await confirm(olga);
    expect((await ivy()).withdrawn.note).toBe(note);
  });

  it('keeps an early close pending, and performs it as requested once somebody else confirms it', async () => {
    await letTwoDecide();
    const id = await addElection(service);
    const asked = await otto.post(`/admin/elections/${id}/close`);

    expect([asked.statusCode, await statusOf(id)]).toEqual([202, 'open']);
    expect(asked.body).toContain(message('second_person_must_be_other'));
    await expect
      .poll(() => subjectsTo(OLGA))
      .toContain('To confirm: Close “Shall we buy a piano?” before its time');
    expect(await waiting()).toMatchObject([
      { act: 'Close “Shall we buy a piano?” before its time', asked_by: 'otto@club.example' },
    ]);
    expect((await olga.get('/admin/approvals')).body).toContain('Confirm and do it');
    const done = await confirm(olga);

    expect([done.statusCode, done.json(), await statusOf(id)]).toEqual([
      200,
      { ok: true, decision: 'confirmed' },
      'closed',
    ]);
    expect(await waiting()).toEqual([]);
    const log = recorded(service.ctx).filter(({ action }) => /^approval|election.closed/.test(action));
    expect(log.map(({ action }) => action)).toEqual([
      'approval.asked',
      'approval.confirmed',
      'election.closed',
    ]);
    expect(log[2]!.metadata.by).toBe(log[0]!.metadata.by);
    expect(log[1]!.metadata.by).not.toBe(log[0]!.metadata.by);
  });

  it('lets nobody confirm their own request, and nobody without the permission any request', async () => {
    await letTwoDecide();
    await appoint(service, 'sam@club.example', 'secretary');
    const sam = await signIn('sam@club.example');
    const id = await addElection(service);
    await otto.post(`/admin/elections/${id}/close`);

    expectRefusal(await confirm(otto), 403, 'second_person_must_be_other');
    expectForbidden(await confirm(sam), 'elections:certify');
    const [{ id: approval, hash }] = await waiting();
    const byKey = await service.post(
      `/admin/approvals/${approval}`,
      { hash, decision: 'confirmed' },
      { authorization: 'a key of the officers' },
    );
    expect([...refusal(byKey), await statusOf(id)]).toEqual([403, message('person_confirms'), 'open']);
    expect((await confirm(otto, 'refused')).json()).toEqual({ ok: true, decision: 'refused' });
    expect([await waiting(), await statusOf(id)]).toEqual([[], 'open']);
  });

  it('refuses to perform a request that was changed afterwards', async () => {
    await letTwoDecide();
    const id = await addElection(service);
    await otto.post(`/admin/elections/${id}/close`);
    const [{ id: approval, hash }] = await waiting();
    const wrong = await olga.post(
      `/admin/approvals/${approval}`,
      { hash: 'f'.repeat(64), decision: 'confirmed' },
      JSON_ONLY,
    );
    const other = await addElection(service);
    await service.ctx.write((tx) =>
      tx.run(build.updateTable('approvals').set({ url: `/admin/elections/${other}/close` })),
    );
    const bent = await olga.post(`/admin/approvals/${approval}`, { hash, decision: 'confirmed' }, JSON_ONLY);

    const changed = [409, message('approval_changed')];
    expect([refusal(wrong), refusal(bent)]).toEqual([changed, changed]);
    expect([await statusOf(id), await statusOf(other)]).toEqual(['open', 'open']);
  });

  it('keeps a request pending for at most 24 hours', async () => {
    await letTwoDecide();
    const id = await addElection(service, { close_at: isoTime(service.clock.now + 3 * DAY) });
    await otto.post(`/admin/elections/${id}/close`);
    const [{ id: approval, hash }] = await waiting();

    service.clock.now += DAY;
    const again = await signIn(OLGA);
    const gone = await again.post(`/admin/approvals/${approval}`, { hash, decision: 'confirmed' }, JSON_ONLY);

    expect([...refusal(gone), await statusOf(id)]).toEqual([404, message('approval_over'), 'open']);
  });

  it('requires fresh proof for a confirmation', async () => {
    await letTwoDecide();
    const id = await addElection(service);
    await otto.post(`/admin/elections/${id}/close`);
    service.clock.now += 10 * MINUTE + SECOND;
    const asked = await confirm(olga);
    expect([asked.statusCode, asked.json().sudo, await statusOf(id)]).toEqual([403, true, 'open']);
  });

  it.each<
    [string, (id: string) => Promise<{ statusCode: number }>, (id: string) => Promise<unknown>, unknown]
  >([
    [
      'other dates of an open election',
      (id) =>
        otto.post(`/admin/elections/${id}/dates?_method=PATCH`, {
          open_at: isoTime(service.clock.now - HOUR),
          close_at: isoTime(service.clock.now + 5 * HOUR),
        }),
      async (id) =>
        (await service.get(`/admin/elections/${id}`)).json().election.close_at ===
        isoTime(service.clock.now + 5 * HOUR),
      true,
    ],
    [
      'deleting',
      (id) => otto.post(`/admin/elections/${id}?_method=DELETE`, { confirm: 'Shall we buy a piano?' }),
      async (id) => (await service.get(`/admin/elections/${id}`)).statusCode,
      404,
    ],
    [
      'late electors',
      (id) => otto.post(`/admin/elections/${id}/invite`, { emails: 'late@club.example' }),
      async (id) => (await service.get(`/admin/elections/${id}/invites`)).json().invites?.length,
      1,
    ],
    [
      'a new owner',
      () => olga.post('/admin/pub/roles', { email: 'new@club.example', roles: 'owner' }),
      async () =>
        (await service.get('/api/admin/roles', { 'edge-access-authenticated-user-email': OLGA })).json()
          .assignments.length,
      4,
    ],
  ])('covers %s as well, done once confirmed', async (_what, act, look, expected) => {
    await appoint(service, 'ada@club.example', 'owner');
    const ada = await signIn('ada@club.example');
    await letTwoDecide();
    const id = await addElection(service);
    // The election opens once it has codes.
    await addTokens(service, id, 1);

    const asked = await act(id);
    expect(asked.statusCode).toBe(202);
    expect(await look(id)).not.toBe(expected);
    expect((await confirm(ada)).statusCode).toBe(200);
    expect(await look(id)).toBe(expected);
  });

  it('tells a script what waits', async () => {
    await letTwoDecide();
    const id = await addElection(service);
    const asked = await otto.send('POST', `/admin/elections/${id}/close`, {});
    const act = 'Close “Shall we buy a piano?” before its time';
    const [{ id: approval }] = await waiting();

    expect([asked.statusCode, asked.headers['cache-control']]).toEqual([202, 'no-store']);
    expect(asked.json()).toEqual({
      waiting: true,
      what: act,
      approval: { id: approval, act, details: [], expires_at: isoTime(service.clock.now + DAY) },
      message: `Not done yet. ${act}: a second person must confirm it within 24 hours.`,
    });
  });

  it('is switched off only with a second person’s confirmation', async () => {
    await appoint(service, 'ada@club.example', 'owner');
    const ada = await signIn('ada@club.example');
    await letTwoDecide();

    expect((await olga.post('/admin/approvals/setting', { two_people: 'false' })).statusCode).toBe(202);
    expect((await olga.get('/admin/approvals', JSON_ONLY)).json().two_people).toBe(true);
    expect((await confirm(ada)).statusCode).toBe(200);
    expect((await olga.get('/admin/approvals', JSON_ONLY)).json().two_people).toBe(false);
  });

  it('refuses API keys with what they need, and lets a sole owner and the clock go on', async () => {
    await letTwoDecide();
    const alone = await olga.post('/admin/pub/roles', { email: 'ada@club.example', roles: 'owner' });
    expect(alone.headers.location).toBe('/admin/pub/roles?done');
    const [one, two] = [await addElection(service), await addElection(service)];
    const closed = await service.post(
      `/admin/elections/${one}/close`,
      {},
      { authorization: 'a key of the officers' },
    );
    expect([closed.statusCode, closed.json().needs, await statusOf(one)]).toEqual([403, 'approval', 'open']);
    service.clock.now += 3 * HOUR;
    expect(await statusOf(two)).toBe('closed');
  });
});

it('what cannot be done is refused before a second person is asked', async () => {
  const trial = await addElection(service, { trial: true });
  const over = await addElection(service);
  expect(
    (await otto.send('POST', `/admin/elections/${over}/void`, { reason: 'A', repeat: false })).statusCode,
  ).toBe(200);
  await letTwoDecide();
  const held_at = isoTime(service.clock.now + DAY);
  const meeting = (await otto.send('POST', '/admin/meetings', { title: 'AGM', held_at })).json();
  const item = await otto.send('POST', `/admin/meetings/${meeting.id}/items`, {
    kind: 'motion',
    title: 'Lamps',
  });
  const question = `/admin/elections/${item.json().election_id}`;
  const paper = `/admin/papers/${item.json().paper_id ?? meeting.paper_id}`;
  const dates = { open_at: isoTime(service.clock.now - HOUR), close_at: isoTime(service.clock.now + HOUR) };
  const figures = { results: { contests: [{ label: 'Board', items: [{ label: 'Ann', votes: 5 }] }] } };
  const refused = [
    await otto.send('POST', `${question}/close`, {}),
    await otto.send('POST', `${question}/void`, { reason: 'Wrong', repeat: false }),
    await otto.send('PATCH', `${question}/dates`, dates),
    await otto.send('DELETE', question, { reason: 'Wrong' }),
    await otto.send('POST', `${paper}/close`, {}),
    await otto.send('DELETE', paper, { reason: 'Wrong' }),
    await otto.send('POST', `${paper}/tokens`, { count: 2 }),
    await otto.send('DELETE', `${paper}/batches`, { batch_name: null }),
    await otto.send('PUT', `/admin/elections/${trial}/manual-results`, figures),
    await otto.send('POST', `/admin/elections/${over}/void`, { reason: 'Again', repeat: false }),
  ];
  expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 409));
  expect(await waiting()).toEqual([]);
});

it('a change of a person of the staff that cannot be stored is refused before a second person is asked', async () => {
  await appoint(service, 'ada@club.example', 'owner');
  await letTwoDecide();
  const add = async (body: object) => (await olga.send('POST', '/api/admin/people', body)).json();
  await add({ name: 'Ann', number: '7' });
  const { people } = (await olga.get('/api/admin/people?q=otto', JSON_ONLY)).json();
  const at = `/api/admin/people/${people[0].id}`;
  const { version } = (await olga.get(at, JSON_ONLY)).json();
  const addresses = [{ email: OTTO, primary: true }, { email: 'otto@new.example' }];
  const taken = await olga.send('PATCH', at, { version, number: '7', addresses });
  expect([taken.statusCode, taken.json().errors[0].path]).toEqual([400, 'number']);
  const stale = await olga.send('PATCH', at, { version: version + 1, addresses });
  expect(stale.statusCode).toBe(409);
  expect(await waiting()).toEqual([]);
  expect((await olga.send('PATCH', at, { version, addresses })).statusCode).toBe(202);
});

it('the README and the page name every grave act', async () => {
  const page = (await olga.get('/admin/approvals')).body;
  const readme = fs.readFileSync('README.md', 'utf8').replace(/\s+/g, ' ');
  for (const { words } of Object.values(GRAVE_ACTS)) {
    expect(page).toContain(words.for(ENGLISH));
    expect(readme).toContain(words.for(ENGLISH));
  }
});

describe('with the two-person rule', () => {
  const key = { authorization: 'a key of the officers' };
  const openWithCodes = async () => {
    const id = await addElection(service);
    await addTokens(service, id, 1);
    return id;
  };
  const hour = (hours: number) => isoTime(service.clock.now + hours * HOUR);

  it.each<[string, (id: string) => Promise<{ statusCode: number }>, string[]]>([
    [
      'figures',
      (id) =>
        otto.send('PUT', `/admin/elections/${id}/manual-results`, {
          certified_by: 'The chair',
          results: { contests: [{ label: 'Board', items: [{ label: 'Ann', votes: 512 }] }] },
        }),
      ['Ann 512', 'The chair'],
    ],
    [
      'dates',
      (id) => otto.send('PATCH', `/admin/elections/${id}/dates`, { open_at: hour(-1), close_at: hour(5) }),
      ['Dates now', 'New dates'],
    ],
    [
      'late electors',
      (id) => otto.send('POST', `/admin/elections/${id}/invite`, { emails: ['late@club.example'] }),
      ['late@club.example'],
    ],
    ['late codes', (id) => otto.send('POST', `/admin/elections/${id}/tokens`, { count: 417 }), ['417']],
    [
      'a deleted election',
      (id) => otto.send('DELETE', `/admin/elections/${id}`, { reason: 'The wrong motion' }),
      ['Ballots', 'The wrong motion'],
    ],
    [
      'a deleted batch',
      (id) => otto.send('DELETE', `/admin/elections/${id}/batches`, { batch_name: null }),
      ['without a name'],
    ],
  ])('shows %s on the page, as JSON and in the mail before they are confirmed', async (_what, act, words) => {
    await letTwoDecide();
    const id = await openWithCodes();
    expect((await act(id)).statusCode).toBe(202);
    const page = (await olga.get('/admin/approvals')).body;
    const json = JSON.stringify(await waiting());
    await expect.poll(() => subjectsTo(OLGA).length).toBeGreaterThan(0);
    const mail = mails.mails.findLast(({ recipients }) => recipients.includes(OLGA));
    for (const word of words) {
      expect(page).toContain(word);
      expect(json).toContain(word);
      expect(JSON.stringify(mail)).toContain(word);
    }
  });

  it('gives new voting codes of an open election to the person who confirms them', async () => {
    await letTwoDecide();
    const id = await openWithCodes();
    await otto.send('POST', `/admin/elections/${id}/tokens`, { count: 2 });
    const confirmed = (await confirm(olga)).json();
    expect(confirmed.answer.tokens).toHaveLength(2);
    expect((await service.post(`/admin/elections/${id}/tokens`, { count: 1 }, key)).json().needs).toBe(
      'approval',
    );
  });

  it.each([
    ['takes a role away', { email: OTTO, roles: [] }],
    ['makes an officer', { email: NEW_OFFICER, roles: ['officer'] }],
  ])('waits when an owner %s', async (_what, body) => {
    await appoint(service, 'ada@club.example', 'owner');
    await letTwoDecide();
    expect((await olga.send('PUT', '/api/admin/roles', body)).statusCode).toBe(202);
    expect(await waiting()).toHaveLength(1);
    expect(rolesOf(OTTO)).toEqual(['officer']);
    expect(rolesOf(NEW_OFFICER)).toEqual([]);
  });

  it('lets the only owner not remove the officer who would have to confirm', async () => {
    await letTwoDecide();
    expect((await olga.send('PUT', '/api/admin/roles', { email: OTTO, roles: [] })).statusCode).toBe(202);
    expect(rolesOf(OTTO)).toEqual(['officer']);
  });

  it('waits when somebody with a role gets another address or a sign-in link from somebody else', async () => {
    await appoint(service, 'ada@club.example', 'owner');
    await letTwoDecide();
    const { people } = (await olga.get('/api/admin/people?q=otto', JSON_ONLY)).json();
    const [{ id, version }] = people;
    const addresses = [{ email: OTTO, primary: true }, { email: 'olga3@club.example' }];
    const changed = await olga.send('PATCH', `/api/admin/people/${id}`, { version, addresses });
    const linked = await olga.send('POST', `/api/admin/people/${id}/sign-in-link`, {});
    expect([changed.json().waiting, linked.json().waiting]).toEqual([true, true]);
    expect((await olga.get('/api/admin/people?q=otto', JSON_ONLY)).json().people).toEqual(people);
  });

  it('the mail about new roles names who asked for them', async () => {
    await appoint(service, 'ada@club.example', 'owner');
    await letTwoDecide();
    await olga.send('PUT', '/api/admin/roles', { email: OTTO, roles: [] });
    await confirm(await signIn('ada@club.example'));
    await expect
      .poll(() => JSON.stringify(mails.mails))
      .toMatch(/olga@club\.example decided at [^.]* that you have no role at/);
  });

  it('accepts no confirmation by somebody with a role of less than seven days from the person who asks', async () => {
    await letTwoDecide();
    const id = await openWithCodes();
    const { person_id } = service.ctx.db.first(
      build.selectFrom('person_roles').select('person_id').where('role', '=', 'owner'),
    )!;
    await appoint(service, 'olga2@club.example', 'officer');
    await service.ctx.write((tx) =>
      tx.run(
        build
          .updateTable('person_roles')
          .set({ granted_by: `person:${person_id}` })
          .where('role', '=', 'officer')
          .where('granted_at', '=', service.clock.now),
      ),
    );
    const second = await signIn('olga2@club.example');
    await olga.post(`/admin/elections/${id}/close`);
    const refused = await confirm(second);
    expect([...refusal(refused), await statusOf(id)]).toEqual([403, message('role_too_new'), 'open']);
  });
});

it('without the two-person rule an act is done at once, and others who may do it are notified', async () => {
  const id = await addElection(service);
  const done = await otto.post(`/admin/elections/${id}/close`);

  expect([done.statusCode, await statusOf(id)]).toEqual([303, 'closed']);
  await expect.poll(() => subjectsTo(OLGA)).toContain('Done: Close “Shall we buy a piano?” before its time');
  expect(subjectsTo(OTTO).filter((subject) => subject?.startsWith('Done'))).toEqual([]);
});

it('a forged approval header confirms nothing', async () => {
  const answer = await service.post(
    '/api/admin/people',
    { name: 'X' },
    { 'x-approved-act': 'person', host: 'x.example' },
  );
  expectRefusal(answer, 401, 'staff_key_required');
  expect(service.ctx.db.all(build.selectFrom('persons').select('id').where('name', '=', 'X'))).toEqual([]);
});
