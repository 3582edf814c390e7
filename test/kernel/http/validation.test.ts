import { describe, expect, it } from 'vitest';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  cast,
  openElection,
  send,
} from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';

const ADMIN = { 'x-admin-token': 'a token of the pub' };

async function withMail(): Promise<TestApp> {
  const server = await startMailServer();
  return testApp({ ...mailTo(server.url), PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] });
}

const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
const statusOf = async (answer: ReturnType<TestApp['post']>) => (await answer).statusCode;

it('an error tells a missing text from a value of another type', async () => {
  await using service = await testApp();
  const messageFor = async (title: unknown) =>
    (await service.post('/admin/elections', openElection(service, { title }))).json().error;

  expect(await messageFor(undefined)).toBe(`title: ${message('required')}`);
  expect(await messageFor(null)).toBe(`title: ${message('required')}`);
  expect(await messageFor(5)).toBe(`title: ${message('not_text')}`);
});

describe('a null in JSON', () => {
  it('counts as absent in every optional field of an election', async () => {
    await using service = await testApp();
    const fields = nulls(
      ...['description', 'allow_past_close', 'settings', 'options', 'candidates', 'none_of_the_above'],
      ...['attachment_url', 'invite_mode', 'workspace_link'],
    );
    const settings = nulls(
      ...['hide_results_until_close', 'publish_results_to_home', 'poll_response_type', 'quorum'],
      ...['inclusion_codes', 'randomize_order'],
    );

    const plain = await addElection(service);
    const made = await service.post('/admin/elections', openElection(service, fields));
    const set = await service.post('/admin/elections', openElection(service, { settings }));

    expect([made.statusCode, set.statusCode]).toEqual([200, 200]);
    const shown = async (id: string) => (await service.get(`/admin/elections/${id}`)).json().election;
    const { id: _, ...expected } = await shown(plain);
    expect(await shown(made.json().id)).toMatchObject(expected);
    expect(await shown(set.json().id)).toMatchObject(expected);
  });

  it('counts as absent in other requests about an election', async () => {
    await using service = await withMail();
    const { id } = await addRanked(service, ['Ann', 'Bob'], { settings: { quorum: 5 } });
    const url = `/admin/elections/${id}`;
    const list = await service.post('/admin/distribution-lists', { name: 'All', description: null });
    const lists = { distribution_list_ids: [list.json().id] };
    await service.post(`/admin/distribution-lists/${list.json().id}/emails`, {
      emails: ['ann@club.example'],
    });

    const answers = [
      statusOf(send(service, 'PATCH', `${url}/settings`, { settings: nulls('hide_results_until_close') })),
      statusOf(service.post(`${url}/candidates`, { name: 'Cid', ...nulls('display_order') })),
      statusOf(service.post(`${url}/tokens`, { count: 1, batch_name: null })),
      statusOf(service.post(`${url}/invite`, { ...lists, ...nulls('emails', 'invite_mode', 'queue') })),
      statusOf(
        service.post('/admin/bulk-invites', {
          election_ids: [id],
          emails: ['bob@club.example'],
          ...nulls('distribution_list_ids', 'queue', 'batch_name'),
        }),
      ),
      statusOf(service.post(`${url}/reminders/send`, { force: null })),
      statusOf(send(service, 'PUT', `/admin/distribution-lists/${list.json().id}`, { name: null })),
    ];

    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
    expect((await service.get(url)).json().election.settings.quorum).toBe(5);
  });

  it('counts as absent in a ballot', async () => {
    await using service = await testApp();
    const single = await addPoll(service, ['Tea', 'Milk']);
    const multiple = await addPoll(service, ['Tea', 'Milk'], {
      settings: { poll_response_type: 'multiple' },
    });
    const [token] = await addTokens(service, single.id, 1);
    const [other] = await addTokens(service, multiple.id, 1);

    const answers = [
      await cast(
        service,
        single.id,
        {
          token,
          selected_option: single.ids.Tea,
          ...nulls('selected_options', 'submission_id', 'inclusion_code'),
        },
        'vote/poll',
      ),
      await cast(
        service,
        multiple.id,
        { token: other, selected_options: [multiple.ids.Milk], ...nulls('selected_option') },
        'vote/poll',
      ),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  it('counts as absent for the pub and the calendar', async () => {
    await using service = await withMail();
    const pub = (path: string, body: object) => statusOf(service.post(`/api${path}`, body, ADMIN));

    const answers = [
      pub('/admin/now-playing/controls', {
        ...nulls('barRightDisplay', 'barRightLyrics'),
        projectorLyrics: true,
      }),
      pub('/admin/dmx/desired', { action: 'stop', ...nulls('name', 'params') }),
      pub('/admin/dmx/desired', { action: 'blackout', params: nulls('fadeMs') }),
      pub('/admin/qsys/desired', { mode: 'quiet', ...nulls('ramp_s') }),
      pub('/now-playing/ingest', { heartbeat: true, content: { kind: 'music', ...nulls('confidence') } }),
      pub('/subs/new?calendar_id=programs', {
        name: 'Jane',
        email: 'jane@club.example',
        ...nulls('turnstile_token', 'challenge_token'),
      }),
    ];

    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  });

  it('in a required field is refused like an absent one', async () => {
    await using service = await testApp();

    const { title: _, ...fields } = openElection(service);
    const absent = await service.post('/admin/elections', fields);
    const given = await service.post('/admin/elections', { ...fields, title: null });

    expect(given.statusCode).toBe(400);
    expect(given.json()).toEqual(absent.json());
  });

  it('in a list is refused', async () => {
    await using service = await testApp();

    const answer = await service.post(
      '/admin/elections',
      openElection(service, { ballot_type: 'POLL', options: ['Tea', 'Milk', null] }),
    );

    expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, 'options.2']);
  });

  it('still clears the fields for which null means that', async () => {
    await using service = await testApp();
    const id = await addElection(service, {
      attachment_url: 'https://club.example/a.pdf',
      settings: { quorum: 5 },
    });
    const url = `/admin/elections/${id}`;
    const list = (
      await service.post('/admin/distribution-lists', { name: 'All', description: 'Everyone' })
    ).json();
    await addTokens(service, id, 1);

    await send(service, 'PATCH', `${url}/attachments`, { attachment_url: null });
    await send(service, 'PATCH', `${url}/settings`, { settings: { quorum: null } });
    const deleted = await send(service, 'DELETE', `${url}/batches`, { batch_name: null });
    const changed = await send(service, 'PUT', `/admin/distribution-lists/${list.id}`, { description: null });

    const { election } = (await service.get(url)).json();
    expect([election.attachment_url, election.settings.quorum]).toEqual([null, null]);
    expect(deleted.json()).toMatchObject({ success: true, deleted: 1 });
    expect(changed.json().description).toBeNull();
  });
});

describe('a list', () => {
  it('sent as a text in JSON gets a 400 that names the field', async () => {
    await using service = await withMail();
    const { id } = await addRanked(service, ['Ann', 'Bob']);
    const poll = await addPoll(service, ['Tea', 'Milk'], { settings: { poll_response_type: 'multiple' } });
    const [token] = await addTokens(service, poll.id, 1);
    const [ranked] = await addTokens(service, id, 1);
    const list = (await service.post('/admin/distribution-lists', { name: 'All' })).json();
    const url = `/admin/elections/${id}`;
    const text = 'ann@club.example';

    const cases: [field: string, answer: ReturnType<TestApp['post']>][] = [
      ['selected_options', cast(service, poll.id, { token, selected_options: poll.ids.Tea }, 'vote/poll')],
      ['ranking', cast(service, id, { token: ranked, ranking: 'Ann' })],
      ['emails', service.post(`${url}/invite`, { emails: text })],
      ['emails', service.post(`/admin/distribution-lists/${list.id}/emails`, { emails: text })],
      ['emails', service.post(`${url}/results-email`, { emails: text })],
      ['distribution_list_ids', service.post(`${url}/invite`, { distribution_list_ids: list.id })],
      ['election_ids', service.post('/admin/bulk-invites', { election_ids: id, emails: [text] })],
      ['tokens', service.post(`${url}/tokens/print`, { tokens: ranked })],
      ['templates', service.post('/admin/test-emails', { to: text, templates: 'invite' })],
      [
        'options',
        service.post('/admin/elections', openElection(service, { ballot_type: 'POLL', options: 'a\nb' })),
      ],
      [
        'roles',
        service.request({
          method: 'PUT',
          url: '/api/admin/roles',
          payload: { email: text, roles: 'dj' },
          headers: ADMIN,
        }),
      ],
    ];

    for (const [field, answering] of cases) {
      const answer = await answering;
      expect([answer.statusCode, answer.json().errors?.[0].path]).toEqual([400, field]);
    }
  });

  it('of one item can be sent as a single text in a form', async () => {
    await using service = await withMail();
    const poll = await addPoll(service, ['Tea', 'Milk'], { settings: { poll_response_type: 'multiple' } });
    const [token = ''] = await addTokens(service, poll.id, 1);
    const roles = { email: 'ann@club.example', roles: 'dj' };

    const ballot = await service.submit(`/e/${poll.id}/vote/poll`, {
      token,
      selected_options: poll.ids.Tea ?? '',
    });
    const invited = await service.submit(`/admin/elections/${poll.id}/invite`, {
      emails: 'ann@club.example',
      invite_mode: 'individual',
    });
    const made = await service.submit('/admin/elections', {
      ...(openElection(service) as Record<string, string>),
      ballot_type: 'POLL',
      options: 'Tea\r\nMilk\r\n',
    });
    const appointed = await service.submit('/admin/pub/roles', roles, ADMIN);

    expect([ballot.statusCode, invited.statusCode]).toEqual([200, 200]);
    expect([made.statusCode, appointed.statusCode]).toEqual([303, 303]);
    expect((await service.get('/api/admin/roles', ADMIN)).json().assignments).toEqual([
      { email: 'ann@club.example', roles: ['dj'] },
    ]);
  });

  it('of one item can be sent as a single value in a query', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const one = await service.get(`/admin/bulk-invites?election_ids=${id}`, { accept: 'text/html' });
    const none = await service.get('/admin/bulk-invites?election_ids=', { accept: 'text/html' });

    expect([one.statusCode, none.statusCode]).toEqual([200, 200]);
  });
});

describe('an empty value in a query', () => {
  it('counts as absent where it would be invalid', async () => {
    await using service = await testApp({ PUB_ADMIN_TOKEN: ADMIN['x-admin-token'] });

    const answers = [
      '/admin/audit-logs?limit=&offset=',
      '/api/admin/audit?limit=&offset=',
      '/api/admin/subs/list?limit=&offset=',
      '/api/admin/plays?limit=&before=',
      '/api/admin/share-clicks?days=',
      '/api/admin/feedback?limit=&format=',
    ].map((url) => statusOf(service.get(url, ADMIN)));

    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  });
});

it('a body that anybody may send has at most 64 KB; those of officers have more', async () => {
  await using service = await testApp();
  const pad = (kilobytes: number) => ({ email: 'ann@club.example', pad: 'x'.repeat(kilobytes * 1024) });
  const whole = ['/sign-out', '/e/none/vote', '/e/none/vote/review'];
  // These have a lower limit of their own.
  const lower = ['/sign-in', '/sign-in/passkey', '/sign-in/recovery', '/api/subs/new', '/vote', '/set-up'];
  for (const url of [...whole, ...lower]) {
    expect([url, (await service.post(url, pad(65))).statusCode]).toEqual([url, 413]);
    expect([url, (await service.submit(url, pad(65))).statusCode]).toEqual([url, 413]);
  }
  for (const url of whole) expect((await service.post(url, pad(60))).statusCode, url).not.toBe(413);
  for (const url of ['/admin/elections', '/api/admin/people'])
    expect((await service.post(url, pad(200))).statusCode, url).not.toBe(413);
  const long = openElection(service, { description: ' '.repeat(200 * 1024) });
  expect((await service.post('/admin/elections', long)).statusCode).toBe(200);
});
