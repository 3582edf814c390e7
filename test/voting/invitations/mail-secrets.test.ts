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
  /** The body and the headers of every answer. */
  answers: string[];
}

/** A house that keeps every answer it gives. */
async function mailing(answer?: (address: string, attempt: number) => 'take' | 'drop'): Promise<Mailing> {
  const { url, mails } = await startMailServer(answer && { answer });
  const house = await testApp(mailTo(url), { delays: [0, 0] });
  const answers: string[] = [];
  const keep =
    <Given extends unknown[]>(ask: (...given: Given) => ReturnType<TestApp['get']>) =>
    async (...given: Given) => {
      const answer = await ask(...given);
      answers.push(`${given[0]} ${answer.statusCode} ${JSON.stringify(answer.headers)}\n${answer.body}`);
      return answer;
    };
  return Object.assign(house, {
    mails,
    answers,
    get: keep(house.get),
    post: keep(house.post),
    submit: keep(house.submit),
  });
}

const plainOf = (house: TestApp) =>
  house.ctx.db.all(
    build
      .selectFrom('invites')
      .select(['election_id', 'email', 'token_hash', 'token_plaintext'])
      .orderBy('election_id')
      .orderBy('email'),
  );

test('no answer, page or log line holds a voting link: the mails alone do', async () => {
  await using house = await mailing((address, attempt) =>
    address[0] === 'c' && attempt < 3 ? 'drop' : 'take',
  );
  const { id: poll } = await addPoll(house, ['Goose', 'Nuts'], {
    settings: { publish_results_to_home: true },
  });
  const piano = await addElection(house, { settings: { publish_results_to_home: true } });
  const later = await addElection(house, { open_at: isoTime(house.clock.now + HOUR) });
  const all = [poll, piano, later];
  const emails = ['ann@club.example', 'bob@club.example', 'cid@club.example', 'not an address'];
  const { id: list } = (await house.post('/admin/distribution-lists', { name: 'Members' })).json();
  await house.post(`/admin/distribution-lists/${list}/emails`, { emails });

  await house.post(`/admin/elections/${poll}/invite`, { emails });
  await house.submit(`/admin/elections/${piano}/invite`, { emails, invite_mode: 'individual' });
  await house.submit(`/admin/elections/${piano}/invite/check`, { emails: emails.join('\n') });
  await house.submit('/admin/bulk-invites/check', { emails: emails.join('\n'), election_ids: all });
  await house.submit('/admin/bulk-invites/preview', { election_ids: all });
  await house.post('/admin/bulk-invites', { election_ids: all, emails: ['dee@club.example'] });
  await house.submit('/admin/bulk-invites', {
    election_ids: all,
    emails: ['eve@club.example'],
    queue: 'true',
  });
  for (const id of all) {
    const { invites } = (await house.get(`/admin/elections/${id}/invites`)).json();
    for (const deed of ['resend', 'remind']) {
      await house.post(`/admin/elections/${id}/invites/${invites[0].id}/${deed}`);
      await house.submit(`/admin/elections/${id}/invites/${invites[0].id}/${deed}`, {});
    }
    await house.post(`/admin/elections/${id}/reminders/send`, { force: true });
    await house.submit(`/admin/elections/${id}/reminders/send`, { force: 'true' });
    for (const path of [
      '',
      '/invites',
      '/tokens',
      '/results-preview',
      '/export?format=json',
      '/published-status',
    ])
      for (const ask of [house.get, page]) await lookAt(house, ask, `/admin/elections/${id}${path}`);
    for (const path of ['', '/vote', '/results']) await lookAt(house, page, `/e/${id}${path}`);
  }
  for (const path of ['/', '/admin', '/admin/elections', '/admin/audit-logs', '/admin/bulk-invites'])
    for (const ask of [house.get, page]) await lookAt(house, ask, path);
  for (const path of [
    '/admin/distribution-lists',
    `/admin/distribution-lists/${list}`,
    '/openapi.json',
    '/health',
  ])
    await lookAt(house, page, path);
  // A voter's own pages carry the token that they were opened with; the log does not.
  const seen = house.answers.join('\n');
  for (const mail of house.mails) {
    const { pathname, search } = linkIn(mail);
    await page(house, pathname + search);
  }

  const logged = house.logged.join('\n');
  const secrets = new Set(house.mails.map(secretIn));
  expect(secrets.size).toBeGreaterThan(8);
  expect(house.answers.length).toBeGreaterThan(60);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{36,43}$/);
    expect(seen.includes(secret), 'in an answer').toBe(false);
    expect(logged.includes(secret), 'in the log').toBe(false);
  }
  for (const email of emails.slice(0, 3)) expect(logged.includes(email), `${email} in the log`).toBe(false);
  for (const { token_plaintext } of await plainOf(house)) expect(seen).not.toContain(token_plaintext);
});

/** `page` and `house.get` alike. */
async function lookAt(house: Mailing, ask: unknown, path: string): Promise<void> {
  const { statusCode } = await (ask === page ? page(house, path) : house.get(path));
  expect([200, 303, 403], `${path} ${statusCode}`).toContain(statusCode);
}

test('the database holds links sealed and hashed, and never in the clear', async () => {
  await using house = await mailing();
  const id = await addElection(house);
  await house.post(`/admin/elections/${id}/invite`, { emails: ['ann@club.example'] });
  await house.post('/admin/bulk-invites', {
    election_ids: [await addElection(house)],
    emails: ['bob@club.example'],
  });

  const token = secretIn(house.mails[0]!);
  const row = (await plainOf(house)).find(({ email }) => email === 'ann@club.example');
  expect(row).toMatchObject({
    token_hash: sha256(token),
    token_plaintext: expect.stringMatching(/^v1\.[\w-]+$/),
  });
  const tables = [
    'invites',
    'tokens',
    'magic_links',
    'magic_link_elections',
    'audit_log',
    'elections',
  ] as const;
  const stored = JSON.stringify(
    await Promise.all(tables.map((table) => house.ctx.db.all(build.selectFrom(table).selectAll()))),
  );
  for (const mail of house.mails) expect(stored.includes(secretIn(mail))).toBe(false);
  expect(stored).toContain(sha256(secretIn(house.mails[1]!)));
});

test('a kept link is erased when it is used, whether by the mail or by the page of a batch', async () => {
  await using house = await mailing();
  const id = await addElection(house);
  await house.post(`/admin/elections/${id}/invite`, { emails: ['ann@club.example', 'bob@club.example'] });
  const [first] = house.mails as [ReceivedMail];
  expect((await cast(house, id, { token: secretIn(first), choice: 'yes' })).statusCode).toBe(200);

  const kept = (await plainOf(house)).filter(({ token_plaintext }) => token_plaintext !== null);
  expect(kept.map(({ email }) => email)).toEqual(
    ['ann@club.example', 'bob@club.example'].filter((email) => email !== first.recipients[0]),
  );
});

test.each([
  ['by hand', (house: TestApp, id: string) => house.post(`/admin/elections/${id}/close`)],
  ['by the clock', (house: TestApp) => Object.assign(house.clock, { now: house.clock.now + 3 * HOUR })],
])('links of an election that closed %s are erased, and no others', async (_, close) => {
  await using house = await mailing();
  const id = await addElection(house);
  const other = await addElection(house, { close_at: isoTime(house.clock.now + DAY) });
  for (const one of [id, other])
    await house.post(`/admin/elections/${one}/invite`, { emails: ['ann@club.example'] });

  await close(house, id);
  await deleteClosedLinks(house.ctx);

  const kept = (await plainOf(house)).filter(({ token_plaintext }) => token_plaintext !== null);
  expect(kept.map(({ election_id }) => election_id)).toEqual([other]);
});
