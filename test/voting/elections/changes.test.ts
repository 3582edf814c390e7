import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  auditOf,
  cast,
  page,
  send,
} from '#test/support/factories.ts';
import { errorJson, expectRefusal, fieldJson, message, onPage } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
const patch = (service: TestApp, id: string, part: string, body: object) =>
  send(service, 'PATCH', `/admin/elections/${id}/${part}`, body);
const shown = async (service: TestApp, id: string) =>
  (await service.get(`/admin/elections/${id}`)).json().election;
const actions = async (service: TestApp, id: string) =>
  (await auditOf(service, id)).map(({ action }) => action);

describe('changing the dates', () => {
  it('records the turnout at that moment, for everybody to read', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 3);
    await cast(service, id, { token, choice: 'no' });
    const longer = { open_at: isoTime(service.clock.now - HOUR), close_at: isoTime(service.clock.now + DAY) };
    expect((await patch(service, id, 'dates', longer)).statusCode).toBe(200);

    const entry = (await auditOf(service, id)).find(({ action }) => action === 'election.dates_changed');
    expect(entry?.metadata.turnout).toEqual({ issued: 3, used: 1 });
    expect((await page(service, `/e/${id}`)).body).toContain('1 of 3 voting codes had been used by then');
  });

  it('reopens a closed election if that is requested, with a reason', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [first, token] = await addTokens(service, id, 2);
    await cast(service, id, { token: first, choice: 'no' });
    const old = await shown(service, id);
    await service.post(`/admin/elections/${id}/close`);
    const closed = await cast(service, id, { token, choice: 'yes' });
    const window = { open_at: isoTime(service.clock.now - DAY), close_at: isoTime(service.clock.now + DAY) };

    const plain = await patch(service, id, 'dates', window);
    const silent = await patch(service, id, 'dates', { ...window, reopen: true });
    const answer = await patch(service, id, 'dates', { ...window, reopen: true, reason: 'Too few knew.' });

    expect(closed.statusCode).toBe(403);
    expect([plain.statusCode, plain.json()]).toEqual([
      409,
      { ...errorJson('dates_open_again'), needs: 'reopen' },
    ]);
    expect([silent.statusCode, silent.json().errors]).toEqual([400, [fieldJson('reason', 'required')]]);
    expect(answer.statusCode).toBe(200);
    expect(await shown(service, id)).toMatchObject({ ...window, closed_at: null, status: 'open' });
    expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
    const reopened = (await auditOf(service, id)).find(({ action }) => action === 'election.reopened');
    expect(reopened?.metadata).toEqual({
      reason: 'Too few knew.',
      turnout: { issued: 2, used: 1 },
      from: { open_at: old.open_at, close_at: old.close_at, closed_at: isoTime(service.clock.now) },
      to: window,
      set_aside: {
        total_ballots: 1,
        ballot_set_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        figures: 'yes 0, no 1, abstain 0',
      },
    });
  });

  it('with a close in the past closes the election for the next ballot', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);

    const close_at = isoTime(service.clock.now - MINUTE);
    const answer = await patch(service, id, 'dates', {
      open_at: isoTime(service.clock.now - HOUR),
      close_at,
    });

    expect(answer.statusCode).toBe(200);
    expect(await shown(service, id)).toMatchObject({ status: 'closed', close_at, closed_at: close_at });
    expect((await cast(service, id, { token, choice: 'yes' })).json()).toEqual(
      errorJson('election_not_open'),
    );
  });

  it('opens a closed election without ballots again as a change of dates', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await addTokens(service, id, 1);
    await service.post(`/admin/elections/${id}/close`);
    const window = { open_at: isoTime(service.clock.now - DAY), close_at: isoTime(service.clock.now + DAY) };
    const answer = await patch(service, id, 'dates', window);

    expect([answer.statusCode, (await shown(service, id)).status]).toEqual([200, 'open']);
    expect(await actions(service, id)).not.toContain('election.reopened');
  });

  it('pauses an open election with ballots only if that is requested, and voters read it', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { publish_results_to_home: true } });
    const [token, unused] = await addTokens(service, id, 2);
    await cast(service, id, { token, choice: 'yes' });
    const window = {
      open_at: isoTime(service.clock.now + DAY),
      close_at: isoTime(service.clock.now + 2 * DAY),
    };
    const form = `/admin/elections/${id}/dates?_method=PATCH`;

    const plain = await patch(service, id, 'dates', window);
    const asked = await service.submit(form, window);
    const done = await service.submit(form, { ...window, pause: 'true' });

    expect([plain.statusCode, plain.json()]).toEqual([
      409,
      { ...errorJson('dates_pause_voting', { ballots: 1 }), needs: 'pause', ballots: 1 },
    ]);
    expect(asked.body).toContain('id="dates-pause"');
    expect(done.statusCode).toBe(303);
    const pages = [`/e/${id}`, `/e/${id}/vote?t=${unused}`, `/admin/elections/${id}`];
    const bodies = await Promise.all(pages.map(async (url) => (await page(service, url)).body));
    for (const body of bodies) expect(body).toContain('Voting is paused');
    const others = [
      (await page(service, '/')).body,
      (await page(service, `/e/${id}/results?wall=1`)).body,
      (await service.submit('/vote', { code: unused! })).body,
    ];
    for (const body of others) expect(body).toMatch(/paused and resumes/);
    expect(bodies[0]).toContain('1 ballot is in');
    expect(bodies[0]).toContain('Voting was paused with 1 ballot in it by an officer, from');
    service.clock.now += DAY;
    expect((await cast(service, id, { token: unused, choice: 'no' })).statusCode).toBe(200);
  });

  it('moves the opening of an open election without ballots without a question', async () => {
    const service = await shared();
    const id = await addElection(service);
    const window = {
      open_at: isoTime(service.clock.now + DAY),
      close_at: isoTime(service.clock.now + 2 * DAY),
    };
    expect((await patch(service, id, 'dates', window)).statusCode).toBe(200);
  });

  it('names old and new dates in public, and an early close as an officer’s', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await addTokens(service, id, 1);
    const open_at = isoTime(service.clock.now - HOUR);
    await patch(service, id, 'dates', { open_at, close_at: isoTime(service.clock.now + 5 * HOUR) });
    await patch(service, id, 'dates', { open_at, close_at: isoTime(service.clock.now - SECOND) });

    const { body } = await page(service, `/e/${id}`);
    const change = /The dates were changed by an officer, from (.*?) before to (.*?) since then/.exec(body);
    expect(change?.[1]).toBeDefined();
    expect(change?.[1]).not.toBe(change?.[2]);
    expect(body).toContain('An officer closed voting by changing the dates.');
    expect(body).not.toContain('Voting closed at its time');
  });

  it.each([
    ['no opening', 'open_at', { open_at: undefined }],
    ['no close', 'close_at', { close_at: undefined }],
    ['a garbled time', 'open_at', { open_at: 'next week' }],
    [
      'a close that is the opening',
      'close_at',
      { open_at: '2026-11-22T00:00Z', close_at: '2026-11-22T00:00Z' },
    ],
    [
      'a close before the opening',
      'close_at',
      { open_at: '2026-11-22T00:00Z', close_at: '2026-11-21T00:00Z' },
    ],
  ])('refuses %s and changes nothing', async (_what, path, fields) => {
    const service = await shared();
    const id = await addElection(service);
    const before = await shown(service, id);

    const answer = await patch(service, id, 'dates', {
      open_at: '2026-11-21T00:00Z',
      close_at: '2026-11-23T00:00Z',
      ...fields,
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe(path);
    expect(await shown(service, id)).toEqual(before);
    expect(await actions(service, id)).toEqual(['election.created']);
  });
});

describe('changing the settings', () => {
  it('merges them into the stored ones', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { hide_results_until_close: true, quorum: 5 } });

    const answer = await patch(service, id, 'settings', {
      settings: { publish_results_to_home: true, quorum: null, colour: 'red' },
    });

    expect(answer.statusCode).toBe(200);
    const { settings } = await shown(service, id);
    expect(settings).toMatchObject({
      hide_results_until_close: true,
      publish_results_to_home: true,
      poll_response_type: 'single',
      quorum: null,
    });
    expect(settings).not.toHaveProperty('colour');
    expect((await auditOf(service, id)).at(-1)).toMatchObject({
      action: 'election.settings_changed',
      metadata: { settings: { publish_results_to_home: true, quorum: null } },
    });
  });

  it.each([
    ['poll_response_type', { poll_response_type: 'multiple' }],
    ['inclusion_codes', { inclusion_codes: true }],
    ['quorum', { quorum: 1 }],
    ['hide_results_until_close', { hide_results_until_close: true }],
  ])('refuses another %s once there is a ballot, but accepts the same values', async (key, settings) => {
    const service = await shared();
    const { id, ids } = await addPoll(service, ['Tea', 'Milk']);
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, selected_option: ids.Tea }, 'vote/poll');
    const { settings: before } = await shown(service, id);

    const refused = await patch(service, id, 'settings', { settings });
    const same = await patch(service, id, 'settings', {
      settings: { poll_response_type: 'single', quorum: null, publish_results_to_home: true },
    });

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({
      ...errorJson('ballots_exist'),
      errors: [fieldJson(`settings.${key}`, 'fixed_since_first_ballot')],
    });
    expect(same.statusCode).toBe(200);
    expect((await shown(service, id)).settings).toEqual({ ...before, publish_results_to_home: true });
  });

  it.each([
    ['settings', {}],
    ['settings', { settings: null }],
    ['settings.poll_response_type', { settings: { poll_response_type: 'both' } }],
    ['settings.hide_results_until_close', { settings: { hide_results_until_close: 'sometimes' } }],
    ['settings.quorum', { settings: { quorum: 0 } }],
  ])('refuses a wrong %s', async (path, body) => {
    const service = await shared();
    const id = await addElection(service);

    const answer = await patch(service, id, 'settings', body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe(path);
  });
});

describe('the attachment', () => {
  it('is set and cleared', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const seen = [];

    for (const attachment_url of ['https://club.example/a.pdf', null]) {
      const answer = await patch(service, id, 'attachments', { attachment_url });
      seen.push([answer.statusCode, (await shown(service, id)).attachment_url]);
    }

    expect(seen).toEqual([
      [200, 'https://club.example/a.pdf'],
      [200, null],
    ]);
    expect(await actions(service, id)).toEqual([
      'election.created',
      'election.attachment_changed',
      'election.attachment_changed',
    ]);
  });

  it('is changed with ballots too, which history, ballot and result say', async () => {
    await using service = await testApp();
    const [old, now] = ['https://club.example/v1.pdf', 'https://club.example/v2.pdf'];
    const id = await addElection(service, { attachment_url: old });
    const [token, unused] = await addTokens(service, id, 2);
    const before = (await page(service, `/e/${id}/vote?t=${unused}`)).body;
    await cast(service, id, { token, choice: 'yes' });
    const answer = await patch(service, id, 'attachments', { attachment_url: now });
    await patch(service, id, 'attachments', { attachment_url: now });
    const ballot = (await page(service, `/e/${id}/vote?t=${unused}`)).body;
    await service.post(`/admin/elections/${id}/close`);
    const result = (await page(service, `/e/${id}`)).body;

    expect(answer.statusCode).toBe(200);
    expect(before).not.toContain('The document was changed');
    for (const body of [ballot, result]) {
      expect(body).toMatch(/The document was changed on .* while voting was open\./);
      expect(body).toContain(`<code>${old}</code>`);
    }
    expect(result).toContain(`The document was changed by an officer. Before: <code>${old}</code>`);
    expect(
      (await actions(service, id)).filter((action) => action === 'election.attachment_changed'),
    ).toHaveLength(1);
  });

  it('that was changed before the first ballot stands in the history alone', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await addTokens(service, id, 1);
    await patch(service, id, 'attachments', { attachment_url: 'https://club.example/v1.pdf' });
    const { body } = await page(service, `/e/${id}`);
    expect(body).toContain('The document was changed by an officer. Before: none.');
    expect(body).not.toContain('Another document than before');
  });

  it.each([
    ['over http', { attachment_url: 'http://club.example/a.pdf' }],
    ['of 2,001 characters', { attachment_url: `https://club.example/${'a'.repeat(1_980)}` }],
    ['that is no text', { attachment_url: 5 }],
    ['under a misspelt key', { attachment: null }],
  ])('%s is refused and the old one stays', async (_what, body) => {
    const service = await shared();
    const id = await addElection(service, { attachment_url: 'https://club.example/a.pdf' });

    const answer = await patch(service, id, 'attachments', body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('attachment_url');
    expect((await shown(service, id)).attachment_url).toBe('https://club.example/a.pdf');
  });
});

describe('closing', () => {
  it('takes effect with the next ballot, and repeating it changes nothing', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [first, second] = await addTokens(service, id, 2);
    await cast(service, id, { token: first, choice: 'yes' });
    const closedAt = isoTime(service.clock.now);

    const closed = await service.post(`/admin/elections/${id}/close`);
    const next = await cast(service, id, { token: second, choice: 'yes' });
    service.clock.now += SECOND;
    const again = await service.post(`/admin/elections/${id}/close`);

    expect(closed.json()).toEqual({ success: true });
    expect(next.statusCode).toBe(403);
    expect(again.json()).toEqual({ success: true });
    expect(await shown(service, id)).toMatchObject({ status: 'closed', closed_at: closedAt });
    expect((await actions(service, id)).filter((action) => action === 'election.closed')).toHaveLength(1);
  });

  it('also ends an election that has not opened', async () => {
    await using service = await testApp();
    const id = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });

    const closed = await service.post(`/admin/elections/${id}/close`);
    service.clock.now += HOUR;

    expect(closed.statusCode).toBe(200);
    expect((await shown(service, id)).status).toBe('closed');
  });
});

describe('deleting', () => {
  it('deletes tokens, ballots, options and results too, and keeps the audit log', async () => {
    await using service = await testApp();
    const { id, ids } = await addPoll(service, ['Tea', 'Milk']);
    const other = await addElection(service);
    await addTokens(service, other, 1);
    const [token] = await addTokens(service, id, 2);
    await cast(service, id, { token, selected_option: ids.Tea }, 'vote/poll');
    await service.post(`/admin/elections/${id}/close`);
    const before = await actions(service, id);

    const answer = await send(service, 'DELETE', `/admin/elections/${id}`);

    expect(answer.json()).toEqual({ success: true });
    for (const table of ['tokens', 'ballots', 'options', 'results'] as const) {
      const rows = service.ctx.db.all(build.selectFrom(table).select('election_id'));
      expect(
        rows.filter(({ election_id }) => election_id === id),
        table,
      ).toEqual([]);
    }
    expect(service.ctx.db.all(build.selectFrom('tokens').selectAll())).toHaveLength(1);
    expect(await actions(service, id)).toEqual([...before, 'election.deleted']);
    expectRefusal(await service.get(`/e/${id}`), 410, 'election_deleted');
    expectRefusal(
      await cast(service, id, { token, selected_option: ids.Tea }, 'vote/poll'),
      410,
      'election_deleted',
    );
    expectRefusal(await send(service, 'DELETE', `/admin/elections/${id}`), 404, 'election_not_found');
  });
});

describe('cloning', () => {
  it.each([
    ['Committee 2026', 'Committee'],
    ['Annual meeting (2026): chair', 'Annual meeting: chair'],
    ['Budget 2026/27', 'Budget 2026/27'],
    ['Room 20261', 'Room 20261'],
    ['2026', '2026'],
  ])('proposes full hours for a copy of %s, and a title without its year', async (title, proposed) => {
    await using service = await testApp();
    const id = await addElection(service, { title });
    service.clock.now += 17 * MINUTE;

    const { body } = await page(service, `/admin/elections/${id}/clone`);

    const values = [...body.matchAll(/<input[^>]* name="(title|open_at|close_at)"[^>]*>/g)];
    const [shown, ...times] = values.map(([input]) => / value="([^"]*)"/.exec(input)?.[1]);
    expect(shown).toBe(proposed);
    expect(times.map((time) => time?.slice(-3))).toEqual([':00', ':00']);
  });

  it('says nothing of a draft and a schedule of an election that was to open at once', async () => {
    await using service = await testApp();
    const at = (hours: number) => isoTime(service.clock.now + hours * HOUR);
    const atOnce = await addElection(service, { open_at: at(0), close_at: at(5) });
    const planned = await addElection(service, { open_at: at(1), close_at: at(5) });
    service.clock.now += 2 * HOUR;
    const stages = async (id: string) =>
      (await page(service, `/admin/elections/${id}`)).body.split('class="stages"')[1]?.split('</ol>')[0] ??
      '';

    expect(await stages(atOnce)).not.toMatch(/Draft|Scheduled/);
    expect(await stages(atOnce)).toContain('Open');
    expect(await stages(planned)).toMatch(/Draft.*Scheduled.*Open/s);
  });

  it('copies the question without tokens, ballots and results, to open tomorrow', async () => {
    await using service = await testApp();
    const fields = { none_of_the_above: true, settings: { quorum: 4 }, description: 'Every year.' };
    const { id, ids } = await addRanked(service, ['Ann', 'Bob'], fields);
    const [token] = await addTokens(service, id, 3);
    const ranking = [ids.Bob, ids.Ann, ids['None of the above']];
    await cast(service, id, { token, ranking });
    await service.post(`/admin/elections/${id}/close`);

    const answer = await service.post(`/admin/elections/${id}/clone`);

    const copy = answer.json().id;
    expect(copy).not.toBe(id);
    const { election, turnout } = (await service.get(`/admin/elections/${copy}`)).json();
    expect(election).toMatchObject({
      title: 'Copy of Shall we buy a piano?',
      description: 'Every year.',
      status: 'scheduled',
      closed_at: null,
      open_at: isoTime(service.clock.now + DAY),
      close_at: isoTime(service.clock.now + DAY + 3 * HOUR),
      settings: { quorum: 4 },
    });
    expect(election.candidates).toMatchObject([
      { name: 'Ann' },
      { name: 'Bob' },
      { name: 'None of the above', is_none_of_the_above: true },
    ]);
    expect(turnout).toEqual({ tokens: 0, used: 0, invited: 0 });
    expect(await actions(service, copy)).toEqual(['election.created']);
  });

  it('does not copy dismissed hints', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await service.post(`/admin/elections/${id}/hints`, { hint: 'not_on_home' });
    const copy = (await service.post(`/admin/elections/${id}/clone`)).json().id;

    service.clock.now += DAY;
    await service.post(`/admin/elections/${copy}/close`);
    const { body } = await service.get('/admin', { accept: 'text/html' });

    expect(body).toContain(`action="/admin/elections/${copy}/hints"`);
    expect(body).not.toContain(`action="/admin/elections/${id}/hints"`);
  });

  it('without a title does not publish the copy on the home page', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { publish_results_to_home: true } });

    const untitled = (await service.post(`/admin/elections/${id}/clone`)).json().id;
    const titled = (await service.post(`/admin/elections/${id}/clone`, { title: 'A second piano' })).json()
      .id;

    expect((await shown(service, untitled)).settings.publish_results_to_home).toBe(false);
    expect((await shown(service, titled)).settings.publish_results_to_home).toBe(true);
  });

  it('has a form that asks officers for title and dates', async () => {
    await using service = await testApp();
    const id = await addElection(service, { title: 'Committee 2026' });
    const url = `/admin/elections/${id}/clone`;
    const window = { open_at: '2027-11-20T09:00', close_at: '2027-11-20T21:00' };

    const form = (await service.get(url, { accept: 'text/html' })).body;
    const refused = await service.submit(url, { title: ' ', ...window });
    const late = await service.submit(url, {
      title: 'Committee 2027',
      open_at: window.close_at,
      close_at: window.open_at,
    });
    const made = await service.submit(url, { title: 'Committee 2027', ...window });

    expect(form).toContain('value="Committee"');
    expect(form).toContain('value="2026-11-22T12:00"');
    expect([refused.statusCode, late.statusCode, made.statusCode]).toEqual([400, 400, 303]);
    expect(refused.body).toContain(`Title: ${onPage('required')}`);
    expect(refused.body).toContain('value="2027-11-20T09:00"');
    expect(late.body).toContain(`Closes: ${onPage('close_before_open')}`);
    const copy = /elections\/([^?]+)/.exec(String(made.headers.location))?.[1] ?? '';
    expect(await shown(service, copy)).toMatchObject({
      title: 'Committee 2027',
      open_at: '2027-11-20T14:00:00.000Z',
      close_at: '2027-11-21T02:00:00.000Z',
    });
  });

  it('keeps a title of 500 characters within its limit', async () => {
    await using service = await testApp();
    const id = await addElection(service, { title: 'x'.repeat(500) });

    const copy = await service.post(`/admin/elections/${id}/clone`);

    expect((await shown(service, copy.json().id)).title).toHaveLength(500);
  });
});

it.each([
  ['four candidates', ['A', 'B', 'C', 'D'], 20, true],
  ['three candidates', ['A', 'B', 'C'], 20, false],
  ['a hundred voters', ['A', 'B', 'C', 'D'], 100, false],
])(
  'an officer who publishes the ballots of %s reads why that can show votes',
  async (_, names, codes, warns) => {
    await using service = await testApp();
    const { id } = await addRanked(service, names);
    await addTokens(service, id, codes);
    const answer = await patch(service, id, 'settings', { settings: { publish_ballots: true } });
    expect(answer.json().warning).toBe(warns ? message('long_rankings_listed') : undefined);
    const { body } = await page(service, `/admin/elections/${id}/checks`);
    expect(body.includes(message('long_rankings_listed'))).toBe(warns);
    const off = await patch(service, id, 'settings', { settings: { publish_ballots: null } });
    expect(off.json().warning).toBeUndefined();
  },
);
