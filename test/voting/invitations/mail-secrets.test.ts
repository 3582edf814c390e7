import { expect, test } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, cast, page } from '#test/support/factories.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';

const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
const secretIn = (mail: ReceivedMail) => {
  const { searchParams } = linkIn(mail);
  return searchParams.get('t') ?? searchParams.get('token') ?? '';
};

interface Mailing extends TestApp {
  mails: ReceivedMail[];
  /** The body and the headers of every response. */
  answers: string[];
}

/** A service whose responses are all recorded. */
async function mailing(answer?: (address: string, attempt: number) => 'take' | 'drop'): Promise<Mailing> {
  const { url, mails } = await startMailServer(answer && { answer });
  const service = await testApp(mailTo(url), { delays: [0, 0] });
  const answers: string[] = [];
  const keep =
    <Given extends unknown[]>(ask: (...given: Given) => ReturnType<TestApp['get']>) =>
    async (...given: Given) => {
      const answer = await ask(...given);
      answers.push(`${given[0]} ${answer.statusCode} ${JSON.stringify(answer.headers)}\n${answer.body}`);
      return answer;
    };
  return Object.assign(service, {
    mails,
    answers,
    get: keep(service.get),
    post: keep(service.post),
    submit: keep(service.submit),
  });
}

const plainOf = (service: TestApp) =>
  service.ctx.db.all(
    build
      .selectFrom('invites')
      .select(['election_id', 'email', 'token_hash', 'token_plaintext'])
      .orderBy('election_id')
      .orderBy('email'),
  );

test('no response, page or log line contains a voting link: only the mails do', async () => {
  await using service = await mailing((address, attempt) =>
    address[0] === 'c' && attempt < 3 ? 'drop' : 'take',
  );
  const { id: poll } = await addPoll(service, ['Goose', 'Nuts'], {
    settings: { publish_results_to_home: true },
  });
  const piano = await addElection(service, { settings: { publish_results_to_home: true } });
  const later = await addElection(service, { open_at: isoTime(service.clock.now + HOUR) });
  const all = [poll, piano, later];
  const emails = ['ann@club.example', 'bob@club.example', 'cid@club.example', 'not an address'];
  const { id: list } = (await service.post('/admin/distribution-lists', { name: 'Members' })).json();
  await service.post(`/admin/distribution-lists/${list}/emails`, { emails });

  await service.post(`/admin/elections/${poll}/invite`, { emails });
  await service.submit(`/admin/elections/${piano}/invite`, { emails, invite_mode: 'individual' });
  await service.submit(`/admin/elections/${piano}/invite/check`, { emails: emails.join('\n') });
  await service.submit('/admin/bulk-invites/check', { emails: emails.join('\n'), election_ids: all });
  await service.submit('/admin/bulk-invites/preview', { election_ids: all });
  await service.post('/admin/bulk-invites', { election_ids: all, emails: ['dee@club.example'] });
  await service.submit('/admin/bulk-invites', {
    election_ids: all,
    emails: ['eve@club.example'],
    queue: 'true',
  });
  for (const id of all) {
    const { invites } = (await service.get(`/admin/elections/${id}/invites`)).json();
    for (const deed of ['resend', 'remind']) {
      await service.post(`/admin/elections/${id}/invites/${invites[0].id}/${deed}`);
      await service.submit(`/admin/elections/${id}/invites/${invites[0].id}/${deed}`, {});
    }
    await service.post(`/admin/elections/${id}/reminders/send`, { force: true });
    await service.submit(`/admin/elections/${id}/reminders/send`, { force: 'true' });
    for (const path of [
      '',
      '/invites',
      '/tokens',
      '/results-preview',
      '/export?format=json',
      '/published-status',
    ])
      for (const ask of [service.get, page]) await lookAt(service, ask, `/admin/elections/${id}${path}`);
    for (const path of ['', '/vote', '/results']) await lookAt(service, page, `/e/${id}${path}`);
  }
  for (const path of ['/', '/admin', '/admin/elections', '/admin/audit-logs', '/admin/bulk-invites'])
    for (const ask of [service.get, page]) await lookAt(service, ask, path);
  for (const path of [
    '/admin/distribution-lists',
    `/admin/distribution-lists/${list}`,
    '/openapi.json',
    '/health',
  ])
    await lookAt(service, page, path);
  // A voter's own pages contain the token that they were opened with; the log does not.
  const seen = service.answers.join('\n');
  for (const mail of service.mails) {
    const { pathname, search } = linkIn(mail);
    await page(service, pathname + search);
  }

  const logged = service.logged.join('\n');
  const secrets = new Set(service.mails.map(secretIn));
  expect(secrets.size).toBeGreaterThan(8);
  expect(service.answers.length).toBeGreaterThan(60);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{36,43}$/);
    expect(seen.includes(secret), 'in an answer').toBe(false);
    expect(logged.includes(secret), 'in the log').toBe(false);
  }
  for (const email of emails.slice(0, 3)) expect(logged.includes(email), `${email} in the log`).toBe(false);
  for (const { token_plaintext } of await plainOf(service)) expect(seen).not.toContain(token_plaintext);
});

/** Requests a path with either `page` or `service.get`. */
async function lookAt(service: Mailing, ask: unknown, path: string): Promise<void> {
  const { statusCode } = await (ask === page ? page(service, path) : service.get(path));
  expect([200, 303, 403], `${path} ${statusCode}`).toContain(statusCode);
}

test('the database has links sealed and hashed, never in plain text', async () => {
  await using service = await mailing();
  const id = await addElection(service);
  await service.post(`/admin/elections/${id}/invite`, { emails: ['ann@club.example'] });
  await service.post('/admin/bulk-invites', {
    election_ids: [await addElection(service)],
    emails: ['bob@club.example'],
  });

  const token = secretIn(service.mails[0]!);
  const row = (await plainOf(service)).find(({ email }) => email === 'ann@club.example');
  expect(row).toMatchObject({
    token_hash: sha256(token),
    token_plaintext: expect.stringMatching(/^v1\.[\w-]+$/),
  });
  const tables = [
    'invites',
    'outbox',
    'tokens',
    'magic_links',
    'magic_link_elections',
    'audit_log',
    'elections',
  ] as const;
  const stored = JSON.stringify(
    await Promise.all(tables.map((table) => service.ctx.db.all(build.selectFrom(table).selectAll()))),
  );
  for (const mail of service.mails) expect(stored.includes(secretIn(mail))).toBe(false);
  expect(stored).toContain(sha256(secretIn(service.mails[1]!)));
});

test('a stored link is erased when it is used, whether from the mail or from the page of a batch', async () => {
  await using service = await mailing();
  const id = await addElection(service);
  await service.post(`/admin/elections/${id}/invite`, { emails: ['ann@club.example', 'bob@club.example'] });
  const [first] = service.mails as [ReceivedMail];
  expect((await cast(service, id, { token: secretIn(first), choice: 'yes' })).statusCode).toBe(200);

  const kept = (await plainOf(service)).filter(({ token_plaintext }) => token_plaintext !== null);
  expect(kept.map(({ email }) => email)).toEqual(
    ['ann@club.example', 'bob@club.example'].filter((email) => email !== first.recipients[0]),
  );
});

test.each([
  ['by hand', (service: TestApp, id: string) => service.post(`/admin/elections/${id}/close`)],
  ['by the clock', (service: TestApp) => Object.assign(service.clock, { now: service.clock.now + 3 * HOUR })],
])('links of an election that closed %s are erased, and no others', async (_, close) => {
  await using service = await mailing();
  const id = await addElection(service);
  const other = await addElection(service, { close_at: isoTime(service.clock.now + DAY) });
  for (const one of [id, other])
    await service.post(`/admin/elections/${one}/invite`, { emails: ['ann@club.example'] });

  await close(service, id);
  await deleteClosedLinks(service.ctx);

  const kept = (await plainOf(service)).filter(({ token_plaintext }) => token_plaintext !== null);
  expect(kept.map(({ election_id }) => election_id)).toEqual([other]);
});
