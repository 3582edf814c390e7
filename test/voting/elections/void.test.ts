import { expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { testApp } from '#test/support/app.ts';
import { addPoll, cast, castAll, page as pageOf } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { type Electorate, openElectorate, person, tokenIn } from '../electors/electorate.ts';

const REASON = 'The name of a candidate was misspelt';

const page = async ({ service }: Electorate, url: string, who: object = {}) =>
  (await service.request({ url, headers: { accept: 'text/html', ...who } })).body;

/** An open election: three are mailed, one has a slip, and the code of one was withdrawn. */
async function running(club: Electorate) {
  for (const name of ['Ann', 'Bob', 'Dan'])
    await club.add(person(name, `${name.toLowerCase()}@club.example`));
  await club.add(person('Cid', null));
  const id = await club.election({ title: 'Chair', settings: { publish_results_to_home: true } });
  await club.invite(id, { roll: {}, emails: ['guest@club.example'] });
  club.service.clock.now += HOUR;
  await club.sendAll();
  const { invites } = (await club.service.get(`/admin/elections/${id}/invites`, club.olga)).json();
  const dan = invites.find(({ name }: { name: string }) => name === 'Dan');
  const path = `/admin/elections/${id}/invites/${dan.id}/withdraw`;
  await club.service.post(path, { reason: 'Left' }, club.olga);
  await cast(club.service, id, { token: tokenIn(club.mails.mails[0]!), choice: 'yes' });
  return id;
}

it('a void election says so everywhere, has no valid result, and is repeated with its electors', async () => {
  await using club = await openElectorate();
  const { service, olga } = club;
  const id = await running(club);
  const at = service.clock.now;
  const dates = { open_at: isoTime(at + HOUR), close_at: isoTime(at + 2 * HOUR) };
  const mailed = club.mails.mails.length;
  const act = (body: object) => service.post(`/admin/elections/${id}/void`, body, olga);

  expect((await act(dates)).json().errors).toMatchObject([{ path: 'reason', message: expect.any(String) }]);
  const answer = await act({ reason: REASON, ...dates });

  expect([answer.statusCode, answer.json().success]).toEqual([200, true]);
  const copy = answer.json().id;
  expect((await service.get(`/e/${id}`)).json().election).toMatchObject({
    status: 'closed',
    void: { reason: REASON },
  });
  const results = (await service.get(`/e/${id}/results`)).json();
  expect(results.void).toMatchObject({ reason: REASON, repeated_by: copy });
  // It became void before its close: nobody sees what is on the ballots.
  expectRefusal(await service.get(`/admin/elections/${id}/export?format=json`, olga), 403, 'results_void');
  const unused = tokenIn(club.mails.mails[1]!);
  for (const url of [`/e/${id}`, '/', `/e/${id}/vote?t=${unused}`])
    expect(await page(club, url)).toContain(REASON);
  for (const url of [`/e/${id}`, '/']) expect(await page(club, url)).not.toMatch(/Carried/);
  expectRefusal(await cast(service, id, { token: unused, choice: 'no' }), 403, 'election_not_open');
  expectRefusal(
    await service.post(`/admin/elections/${id}/results-email`, {}, olga),
    409,
    'election_void_no_result',
  );
  expectRefusal(await act({ reason: REASON, ...dates }), 409, 'election_void_already');
  const payload = { ...dates, reopen: true, reason: 'x' };
  const reopened = await service.request({
    method: 'PATCH',
    url: `/admin/elections/${id}/dates`,
    payload,
    headers: olga,
  });
  expect(reopened.statusCode).toBe(409);

  const listed = async () => (await service.get(`/admin/elections/${copy}/invites`, olga)).json().invites;
  expect((await listed()).map(({ status }: { status: string }) => status)).toEqual(Array(4).fill('PREPARED'));
  expect(club.mails.mails).toHaveLength(mailed);
  expect((await service.get(`/admin/elections/${copy}`, olga)).json().turnout.tokens).toBe(0);
  expect(await page(club, `/admin/elections/${copy}/mails`, olga)).toContain('Invite 4 people');
  const invite = () => service.post(`/admin/elections/${copy}/invite/prepared`, {}, olga);
  expect((await invite()).json()).toMatchObject({ success: true, queued: 4 });
  service.clock.now += HOUR;
  await club.sendAll();
  const fresh = club.mails.mails.slice(mailed).flatMap(({ recipients }) => recipients);
  expect(fresh.toSorted()).toEqual(['ann@club.example', 'bob@club.example', 'guest@club.example']);
  expect((await listed()).filter(({ slip }: { slip?: string }) => slip === 'to_print')).toHaveLength(1);
  const token = tokenIn(club.mails.mails.at(-1)!);
  expect((await cast(service, copy, { token, choice: 'yes' })).statusCode).toBe(200);
  expectRefusal(await invite(), 400, 'all_invited');
});

it('a closed election can be declared void by the form, which keeps what was entered', async () => {
  await using club = await openElectorate();
  const { service, olga } = club;
  const id = await running(club);
  await service.post(`/admin/elections/${id}/close`, {}, olga);
  expect(await page(club, `/admin/elections/${id}/void`, olga)).toContain('Declare it void');
  const fields = { title: 'Again', open_at: '2029-01-01T12:00', close_at: '2030-01-01T12:00', reason: '' };
  const refused = await service.submit(`/admin/elections/${id}/void`, fields, olga);
  expect([refused.statusCode, refused.body.includes('value="Again"')]).toEqual([400, true]);
  const done = await service.submit(`/admin/elections/${id}/void`, { ...fields, reason: 'Wrong roll' }, olga);
  expect(done.headers.location).toMatch(/^\/admin\/elections\/[\w-]+\/mails\?done=repeated#invitations$/);
  expect(await page(club, `/e/${id}`)).toContain('declared void');
});

it('a void election asks its officers for no lot and no follow-up of its seats', async () => {
  await using service = await testApp();
  const { id, ids } = await addPoll(service, ['Ivy', 'Lee'], { settings: { seats: 1, lot: 'drawn' } });
  const both = [{ selected_option: ids.Ivy }, { selected_option: ids.Lee }];
  await castAll(service, id, Array(5).fill(both).flat(), 'vote/poll');
  await service.post(`/admin/elections/${id}/close`);
  const asks = async () =>
    /Draw the lot|seats? (is|are) open/.test((await pageOf(service, `/admin/elections/${id}`)).body);
  expect(await asks()).toBe(true);
  const declared = await service.post(`/admin/elections/${id}/void`, { reason: REASON, repeat: false });
  expect([declared.statusCode, await asks()]).toEqual([200, false]);
  expect((await pageOf(service, `/e/${id}/recount`)).body).toContain(REASON);
});

it('nobody is told who voted on what is void: the list, its page, each elector, slips and batches', async () => {
  await using club = await openElectorate();
  const { service, olga } = club;
  const id = await running(club);
  const at = `/admin/elections/${id}`;
  const read = async (url: string) => (await service.get(url, olga)).json();
  const used = async () => (await read(`${at}/invites`)).invites.map((one: { used: unknown }) => one.used);
  expect((await used()).filter((one: unknown) => one === true)).toHaveLength(1);
  const { invites } = await read(`${at}/invites`);
  const voted = invites.find((one: { used: boolean }) => one.used);

  await service.post(`${at}/void`, { reason: REASON, repeat: false }, olga);
  expect(new Set(await used())).toEqual(new Set([null]));
  for (const batch of (await read(`${at}/tokens`)).batches)
    expect(batch).toMatchObject({ used_count: null, unused_count: null });
  const list = await page(club, `${at}/invitations`, olga);
  expect(list).toContain('nobody sees who voted');
  expect(list).not.toMatch(/>(Yes|No)</);
  expect(await page(club, `${at}/invitations?filter=not-voted`, olga)).toContain('No invitation matches');
  const elector = await page(club, `${at}/invites/${voted.id}`, olga);
  expect(elector).toContain('Not shown: the vote is void');
  expect(elector).not.toContain('A ballot was cast with it');
  // The history would say how many of a batch were used.
  const deleted = await service.request({
    method: 'DELETE',
    url: `${at}/batches`,
    payload: { batch_name: (await read(`${at}/tokens`)).batches[0].batch_name },
    headers: { accept: 'application/json', ...olga },
  });
  expect([deleted.statusCode, deleted.json().error]).toEqual([409, message('election_void_voters')]);
  // The turnout is public.
  expect((await read(`/e/${id}/results`)).turnout).toMatchObject({ used: 1 });
});

it('codes that were printed on paper are repeated as slips: as many, anew, and the old ones say why', async () => {
  await using club = await openElectorate();
  const { service, olga } = club;
  await club.add(person('Ann', 'ann@club.example'));
  const id = await club.election({ title: 'Chair' });
  await club.invite(id, { roll: {} });
  const { tokens: old } = (await service.post(`/admin/elections/${id}/tokens`, { count: 5 }, olga)).json();
  service.clock.now += HOUR;
  await club.sendAll();
  await cast(service, id, { token: old[0], choice: 'yes' });
  const form = await page(club, `/admin/elections/${id}/void`, olga);
  expect(form.replaceAll(/\s+/g, ' ')).toContain(
    '1 person gets a new code by mail; 5 codes are on slips to print.',
  );
  const dates = {
    open_at: isoTime(service.clock.now + HOUR),
    close_at: isoTime(service.clock.now + 3 * HOUR),
  };
  const made = await service.post(`/admin/elections/${id}/void`, { reason: REASON, ...dates }, olga);
  const copy = made.json().id;

  for (const code of old) {
    const typed = await service.submit('/vote', { code });
    expect(typed.statusCode).toBe(403);
    expect(typed.body).toContain(`was declared void: ${REASON}`);
    expect(typed.body).toContain('use your new slip or mail');
    expectRefusal(await cast(service, copy, { token: code, choice: 'yes' }), 401, 'invalid_token');
  }
  await service.post(`/admin/elections/${copy}/invite/prepared`, {}, olga);
  service.clock.now += 2 * HOUR;
  await club.sendAll();
  const { election, turnout } = (await service.get(`/admin/elections/${copy}`, olga)).json();
  expect([election.status, turnout.tokens]).toEqual(['open', 6]);
  const printed = (await service.submit(`/admin/elections/${copy}/invites/slips`, {}, olga)).body;
  const fresh = [...printed.matchAll(/class="slip-code">([^<]+)</g)].map(([, code = '']) => code);
  expect(fresh).toHaveLength(5);
  expect(fresh.filter((code) => old.includes(code))).toEqual([]);
  for (const token of fresh)
    expect((await cast(service, copy, { token, choice: 'yes' })).statusCode).toBe(200);
  expect(verifyAudit(service.ctx.db).broken).toBeUndefined();
});
