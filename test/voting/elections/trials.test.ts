import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import {
  addElection,
  addRanked,
  addTokens,
  auditOf,
  cast,
  openElection,
  page,
  send,
} from '#test/support/factories.ts';
import { expectBadField, expectRefusal, message, onPage } from '#test/support/messages.ts';
import { recount } from '#test/support/process/recount.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import { deleteOldTrials } from '#voting/elections/trials.ts';

const BANNER = 'This is a trial';
const shared = sharedApp();
const TRIAL = { trial: true, settings: { hide_results_until_close: true, receipts: 'included' } };
const friends = (count: number) => Array.from({ length: count }, (_, at) => `friend${at}@club.example`);
const linkIn = ({ text }: ReceivedMail) => /https:\S+/.exec(text)![0];
const invite = (service: TestApp, id: string, emails: string[]) =>
  service.post(`/admin/elections/${id}/invite`, { emails });
const close = (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`);

async function mailing() {
  const server = await startMailServer();
  return Object.assign(await testApp(mailTo(server.url), { delays: [0, 0] }), { mails: server.mails });
}

/** Every value in every table but the audit log, as text. */
function everythingStored(service: TestApp): string {
  const read = (sql: string) => service.ctx.db.all<Record<string, unknown>>({ sql, parameters: [] } as never);
  const tables = read(
    "SELECT name FROM pragma_table_list WHERE type IN ('table', 'shadow') AND schema = 'main' AND name <> 'audit_log'",
  );
  return JSON.stringify(tables.map(({ name }) => read(`SELECT * FROM "${name}"`)));
}

describe('the limit of a trial', () => {
  it.each(['uuid', 'short'])('is 20 voting codes (%s), and the refusal names it', async (format) => {
    const service = await shared();
    const id = await addElection(service, TRIAL);
    const make = (count: number) => service.post(`/admin/elections/${id}/tokens`, { count, format });
    expect((await make(21)).json()).toMatchObject({
      errors: [{ path: 'count', message: message('trial_full', { max: 20 }) }],
    });
    expect((await make(20)).statusCode).toBe(200);
    expectBadField(await make(1), 'count', 'trial_full', { max: 20 });
    expect((await service.get(`/admin/elections/${id}`)).json().turnout.tokens).toBe(20);
  });

  it('counts mails and slips together, and a refused invitation sends nothing', async () => {
    await using service = await mailing();
    const id = await addElection(service, TRIAL);
    await addTokens(service, id, 3);

    const refused = await invite(service, id, friends(18));
    expect(refused.json()).toMatchObject({
      errors: [{ path: 'emails', message: message('trial_full', { max: 20 }) }],
    });
    const form = await service.submit(`/admin/elections/${id}/invite`, { emails: friends(21) });
    expect([form.statusCode, form.body.includes(message('trial_full', { max: 20 }))]).toEqual([400, true]);
    expect(service.mails).toHaveLength(0);

    expect((await invite(service, id, friends(17))).json().summary.sent).toBe(17);
    expectBadField(await invite(service, id, ['one.more@club.example']), 'emails', 'trial_full', { max: 20 });
    expect((await service.get(`/admin/elections/${id}`)).json().turnout).toMatchObject({
      tokens: 20,
      invited: 17,
    });
  });

  it('allows a withdrawn voter to be replaced, and not to come back as the twenty-first', async () => {
    await using service = await mailing();
    const id = await addElection(service, TRIAL);
    await invite(service, id, friends(20));
    const { invites } = (await service.get(`/admin/elections/${id}/invites`)).json();
    const one = `/admin/elections/${id}/invites/${invites[0].id}`;
    expect((await service.post(`${one}/withdraw`, { reason: 'By mistake' })).statusCode).toBe(200);
    expect((await invite(service, id, ['other@club.example'])).json().summary.sent).toBe(1);
    const back = await service.post(`${one}/replace`, { reason: 'After all' });
    expect(back.json()).toMatchObject({ errors: [{ message: message('trial_full', { max: 20 }) }] });
  });

  it('does not concern real elections', async () => {
    const service = await shared();
    const id = await addElection(service);
    expect(await addTokens(service, id, 21)).toHaveLength(21);
    const { election } = (await service.get(`/e/${id}`)).json();
    expect([election.trial, election.delete_at]).toEqual([undefined, undefined]);
  });
});

describe('a trial', () => {
  it('says on each of its pages that it is one, and when it is deleted', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob', 'Cid'], TRIAL);
    const real = await addElection(service);
    const codes = await addTokens(service, id, 5);
    const token = codes[0]!;
    const ballot = Object.fromEntries(Object.values(ids).map((one, at) => [`rank_${one}`, String(at + 1)]));
    const fields = { token, submission_id: crypto.randomUUID(), ...ballot };
    const e = `/e/${id}`;
    const admin = `/admin/elections/${id}`;
    const said = async (name: string, answer: Promise<{ body: string; statusCode: number }>) => {
      const { body, statusCode } = await answer;
      const words = [BANNER, 'deleted with all votes and addresses on Sat, Nov 28.'];
      expect([name, statusCode < 300, ...words.filter((one) => body.includes(one))]).toEqual([
        name,
        true,
        ...words,
      ]);
    };

    await said('election', page(service, e));
    await said('election with a code', page(service, `${e}?t=${token}`));
    await said('ballot', page(service, `${e}/vote?t=${token}`));
    await said('review', service.submit(`${e}/vote/review`, fields));
    for (const code of codes.slice(1, 4))
      await cast(service, id, { token: code, ranking: Object.values(ids) });
    await said('wall while open', page(service, `${e}/results?wall=1`));
    await said('chair', page(service, `${admin}/chair`));
    await said('officers’ page', page(service, admin));
    await said('list of invitations', page(service, `${admin}/invitations`));
    await said('copy', page(service, `${admin}/clone`));
    await said('new codes', service.submit(`${admin}/tokens`, { count: '2' }));
    await said('slips', service.submit(`${admin}/tokens/print`, { tokens: [codes[4]!] }));
    await close(service, id);
    await said('result', page(service, e));
    await said('matrix', page(service, `${e}/results/matrix`));
    await said('wall', page(service, `${e}/results?wall=1`));
    await said('check', page(service, `${e}/check`));
    await said('result for officers', page(service, `${admin}/results-preview`));
    expect((await page(service, `/e/${real}`)).body).not.toContain('trial');
  });

  it('says it on the confirmation, on refusals and in the recount', async () => {
    await using service = await testApp();
    const id = await addElection(service, TRIAL);
    const tokens = await addTokens(service, id, 10);
    const vote = (token: string) =>
      service.submit(`/e/${id}/vote`, { token, submission_id: crypto.randomUUID(), choice: 'yes' });
    const bodies = [await vote(tokens[0]!), await vote(tokens[0]!)].map(({ body }) => body);
    expect(bodies[0]).toContain('class="thanks"');
    for (const token of tokens.slice(1)) await cast(service, id, { token, choice: 'no' });
    await close(service, id);
    bodies.push((await page(service, `/e/${id}/recount`)).body);
    for (const body of bodies) expect(body).toContain(BANNER);
    expect((await service.get(`/e/${id}/results`)).json().total_ballots).toBe(10);
  });

  it('says it in every mail, and mails its result only to those who were invited', async () => {
    await using service = await mailing();
    const id = await addElection(service, TRIAL);
    await service.post('/admin/bulk-invites', { election_ids: [id], emails: ['ann@club.example'] });
    await invite(service, id, ['bob@club.example']);
    // A trial is not offered on the page for several elections, but a script may name it there.
    const body = { election_ids: [id], emails: ['cid@club.example'] };
    for (const path of ['', '/check', '/preview']) {
      const answer = await service.submit(`/admin/bulk-invites${path}`, body);
      expect([path, answer.statusCode, answer.body.includes(BANNER)]).toEqual([path, 200, true]);
    }
    const mine = await page(service, linkIn(service.mails[0]!).replace('https://votes.club.example', ''));
    expect(mine.statusCode).toBe(303);
    service.clock.now += 25 * MINUTE;
    const reminded = await service.post(`/admin/elections/${id}/reminders/send`);
    expect(reminded.statusCode).toBe(200);
    await close(service, id);
    expect(
      (await page(service, linkIn(service.mails[0]!).replace('https://votes.club.example', ''))).body,
    ).toContain(BANNER);

    const mailResult = (body: object) => service.post(`/admin/elections/${id}/results-email`, body);
    const others = await mailResult({ emails: ['ann@club.example', 'all@club.example'] });
    expect(others.json()).toMatchObject({
      errors: [{ message: message('trial_only_invited') }],
    });
    expect((await mailResult({})).json().summary.sent).toBe(3);
    expect(service.mails.length).toBeGreaterThanOrEqual(4);
    for (const { headers, text, html } of service.mails) {
      expect(headers.subject).toMatch(/^Trial: /);
      for (const part of [text, html]) expect(part).toContain(`${BANNER}.`);
    }
  });

  it('warns of few voters shortly, as a real one does', async () => {
    const service = await shared();
    const id = await addElection(service, TRIAL);
    const [token] = await addTokens(service, id, 3);
    const { body } = await page(service, `/e/${id}/vote?t=${token}`);
    expect(body.split('With fewer than five voters, votes can be guessed.')).toHaveLength(2);
  });

  it('is on no list and in no figure', async () => {
    await using service = await testApp();
    const id = await addElection(service, { ...TRIAL, title: 'Only a trial' });
    await addElection(service, { title: 'For real', settings: { publish_results_to_home: true } });
    const [token] = await addTokens(service, id, 6);
    await cast(service, id, { token, choice: 'yes' });
    await close(service, id);
    const [, metrics] = await Promise.all([page(service, '/'), service.get('/metrics')]);
    expect(metrics.body).not.toContain(id);
    for (const url of ['/', '/archive', '/admin/bulk-invites', '/tv'])
      expect([url, (await page(service, url)).body.includes('Only a trial')]).toEqual([url, false]);

    const { body } = await page(service, '/admin');
    expect(body).toContain('One election needs you.');
    const [elections, trials] = body.split('<h2>Trials</h2>');
    expect([elections!.includes('Only a trial'), trials!.includes('Only a trial')]).toEqual([false, true]);
    expect(body).not.toContain('Closed elections by year');
  });

  it.each([
    ['put on the home page', 'PATCH', 'settings', { settings: { publish_results_to_home: true } }, 400],
    ['void and repeated with its electors', 'POST', 'void', { reason: 'No' }, 409],
    [
      'certified',
      'PUT',
      'manual-results',
      { results: { contests: [{ label: 'A', items: [{ label: 'Yes', votes: 1 }] }] } },
      409,
    ],
    [
      'put off until after its deletion',
      'PATCH',
      'dates',
      { open_at: '2026-11-29T00:00:00Z', close_at: '2026-11-30T00:00:00Z' },
      400,
    ],
  ] as const)('is not %s', async (_, method, path, body, status) => {
    const service = await shared();
    const id = await addElection(service, { ...TRIAL, open_at: isoTime(service.clock.now + HOUR) });
    const answer = await service.request({
      method,
      url: `/admin/elections/${id}/${path}`,
      payload: body,
      headers: { accept: 'application/json' },
    });
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringMatching(/trial/i)]);
  });

  it('is not created for the home page, nor to open after its deletion; it closes with it at the latest', async () => {
    const service = await shared();
    const make = (fields: object) => service.post('/admin/elections', openElection(service, fields));
    expectBadField(
      await make({ trial: true, settings: { publish_results_to_home: true } }),
      'settings.publish_results_to_home',
      'trial_not_on_home',
    );
    const late = {
      open_at: isoTime(service.clock.now + 7 * DAY),
      close_at: isoTime(service.clock.now + 8 * DAY),
    };
    expect((await make({ trial: true, ...late })).statusCode).toBe(400);
    const { id } = (await make({ trial: true, close_at: isoTime(service.clock.now + 30 * DAY) })).json();
    const { election } = (await service.get(`/e/${id}`)).json();
    expect(election).toMatchObject({
      trial: true,
      delete_at: isoTime(service.clock.now + 7 * DAY),
      close_at: isoTime(service.clock.now + 7 * DAY),
    });
  });

  it('is copied as a real election, without codes and ballots', async () => {
    const service = await shared();
    const id = await addElection(service, TRIAL);
    const [token] = await addTokens(service, id, 5);
    await cast(service, id, { token, choice: 'yes' });
    const copy = (await service.post(`/admin/elections/${id}/clone`, {})).json().id;
    const { election, turnout } = (await service.get(`/admin/elections/${copy}`)).json();
    expect([election.trial, turnout.tokens, turnout.used, turnout.invited]).toEqual([undefined, 0, 0, 0]);
    expect(await addTokens(service, copy, 21)).toHaveLength(21);
  });
});

it('is exported, and its export is confirmed by a recount', async () => {
  await using service = await testApp();
  const { id, ids } = await addRanked(service, ['Ann', 'Bob'], TRIAL);
  for (const token of await addTokens(service, id, 4))
    await cast(service, id, { token, ranking: [ids.Bob, ids.Ann] });
  await close(service, id);
  const exported = await service.get(`/admin/elections/${id}/export?format=json`);
  const { code, out } = await recount(exported.body);
  expect([code, out]).toEqual([0, expect.stringContaining('Bob wins')]);
});

describe('after seven days', () => {
  it.each(['open', 'closed'])('a trial that is %s is deleted with everything', async (state) => {
    await using service = await mailing();
    const id = await addElection(service, {
      ...TRIAL,
      title: 'Bring a piano?',
      close_at: '2027-01-01T00:00:00Z',
    });
    const real = await addElection(service, { title: 'Stays', close_at: '2027-01-01T00:00:00Z' });
    const [token] = await addTokens(service, id, 4);
    await service.post('/admin/bulk-invites', { election_ids: [id], emails: ['ann@club.example'] });
    await invite(service, id, ['bob@club.example']);
    await cast(service, id, { token, choice: 'yes' });
    if (state === 'closed') await close(service, id);

    service.clock.now += 7 * DAY - MINUTE;
    await deleteOldTrials(service.ctx);
    expect((await service.get(`/e/${id}`)).statusCode).toBe(200);

    service.clock.now += MINUTE;
    await deleteOldTrials(service.ctx);
    await sealElections(service.ctx);

    // Nothing of a trial is published: its addresses answer like those of elections that never were.
    for (const path of ['', '/results', '/vote', '/check', `?t=${token}`])
      expect([path, (await service.get(`/e/${id}${path}`)).statusCode]).toEqual([path, 404]);
    expectRefusal(await service.get(`/admin/elections/${id}`), 404, 'election_not_found');
    const stored = everythingStored(service);
    for (const trace of [id, 'Bring a piano?', 'ann@club.example', 'bob@club.example'])
      expect([trace, stored.includes(trace)]).toEqual([trace, false]);
    expect(stored).toContain(real);

    const entries = await auditOf(service, id);
    expect(entries.map(({ action }) => action)).toContain('vote.submitted');
    expect(entries.at(-1)).toMatchObject({
      action: 'election.deleted',
      metadata: { title: 'Bring a piano?', trial: true },
    });
  });

  it('leaves nothing either where an officer deletes it before', async () => {
    await using service = await testApp();
    const id = await addElection(service, TRIAL);
    const [token] = await addTokens(service, id, 4);
    await cast(service, id, { token, choice: 'yes' });
    await close(service, id);
    expect((await send(service, 'DELETE', `/admin/elections/${id}`, { reason: 'Seen' })).statusCode).toBe(
      200,
    );
    expectRefusal(await service.get(`/e/${id}`), 404, 'election_not_found');
    expect(everythingStored(service)).not.toContain(id);
  });
});

describe('“Try it with five friends”', () => {
  it('proposes a question and needs one page', async () => {
    await using service = await mailing();
    expect((await page(service, '/admin')).body).toContain('/admin/elections/new?trial=1');
    expect((await page(service, '/admin/elections/new')).body).toContain('/admin/elections/new?trial=1');
    const { body } = await page(service, '/admin/elections/new?trial=1');
    expect(body).toContain('Shall we meet again next week?');

    const fields = { title: 'Pizza?', hand_out: 'mail', emails: 'ann@club.example\nBob <bob@club.example>' };
    const started = await service.submit('/admin/elections/trial', fields);
    expect(started.statusCode).toBe(303);
    const [, id] = /elections\/([^/?]+)/.exec(started.headers.location!)!;
    expect(service.mails.flatMap(({ recipients }) => recipients)).toEqual([
      'ann@club.example',
      'bob@club.example',
    ]);
    const { election, turnout } = (await service.get(`/admin/elections/${id}`)).json();
    expect(election).toMatchObject({ trial: true, status: 'open', title: 'Pizza?' });
    expect(turnout).toEqual({ tokens: 2, used: 0, invited: 2 });
  });

  it.each([
    [{ emails: '' }, onPage('no_recipients')],
    [{ emails: 'ann@club.example\nbob' }, 'bob'],
    [{ emails: friends(21).join('\n') }, 'at most 20 voters'],
    [{ emails: 'ann@club.example', title: '' }, 'Question'],
    [{ hand_out: 'paper', count: '21' }, '20'],
  ])('keeps what was entered and creates nothing: %o', async (fields, words) => {
    await using service = await mailing();
    const given = { title: 'Pizza?', hand_out: 'mail', ...fields };
    const refused = await service.submit('/admin/elections/trial', given);
    expect([refused.statusCode, refused.body.includes(words)]).toEqual([400, true]);
    expect((await service.get('/admin/elections')).json().elections).toEqual([]);
    expect(service.mails).toHaveLength(0);
  });

  it('makes codes on paper where no mail can be sent, by form and by script', async () => {
    await using service = await testApp();
    const form = await page(service, '/admin/elections/new?trial=1');
    expect(form.body).not.toContain('name="emails"');
    const made = await service.submit('/admin/elections/trial', {
      title: 'Pizza?',
      hand_out: 'paper',
      count: '',
    });
    expect([made.statusCode, made.body.includes('5 new voting codes')]).toEqual([200, true]);
    expect(made.body).toContain(BANNER);
    const { tokens, id } = (
      await service.post('/admin/elections/trial', { title: 'Pasta?', count: 3 })
    ).json();
    expect((await cast(service, id, { token: tokens[2], choice: 'no' })).statusCode).toBe(200);
  });
});
