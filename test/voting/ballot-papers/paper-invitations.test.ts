import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo, testApp } from '#test/support/app.ts';
import { addElection, page, send } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';
import { linkIn, openElectorate, person, tokenIn } from '#test/voting/electors/electorate.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { addPaper, castPaper, motion } from './a-paper.ts';

const ANN = 'ann@club.example';
const BOB = 'bob@club.example';
const QUESTIONS = [motion('The accounts'), motion('The fee'), motion('The rules')];

/** A service with a mail server and an open paper of three questions, to which these people were invited. */
async function paperMailing(emails: string[], more: object = {}, fields: object = {}) {
  const server = await startMailServer();
  const service = await testApp(mailTo(server.url), { delays: [0, 0] });
  const close_at = isoTime(service.clock.now + 7 * DAY);
  const { id, questions } = await addPaper(service, QUESTIONS, { title: 'AGM', close_at, ...fields });
  const path = (under: string) => `/admin/papers/${id}/${under}`;
  const invited =
    emails.length === 0 ? undefined : (await service.post(path('invite'), { emails, ...more })).json();
  const answer = (mail: ReceivedMail | undefined, answers: Record<string, object>) =>
    castPaper(service, id, { token: tokenIn(mail!), answers });
  const inviteOf = async (email: string) =>
    (await service.get(path('invites'))).json().invites.find((row: { email: string }) => row.email === email);
  return Object.assign(service, { mails: server.mails, id, questions, path, invited, answer, inviteOf });
}

const YES = { choice: 'yes' };

describe('invitations by mail', () => {
  it('one mail for all questions lists them, and its code answers each of them', async () => {
    await using club = await paperMailing([ANN, BOB]);
    expect(club.invited.summary).toEqual({ total: 2, sent: 2, failed: 0, queued: 0 });
    expect(club.mails).toHaveLength(2);
    const officers = await club.get(`/admin/papers/${club.id}/mails`, { accept: 'text/html' });
    expect(officers.body).toContain('One mail for all questions.');
    const [mail] = club.mails as [ReceivedMail];
    expect(mail.headers.subject).toBe('Your vote: AGM');
    for (const text of ['* The accounts', '* The fee', '* The rules', 'once for each question'])
      expect(mail.text).toContain(text);
    expect(linkIn(mail).href).toBe(`${BASE}/p/${club.id}/vote?t=${tokenIn(mail)}`);

    const [first, second, third] = club.questions as [string, string, string];
    const cast = await club.answer(mail, { [first]: YES, [third]: { choice: 'no' } });
    expect([cast.statusCode, cast.json().waiting]).toEqual([200, [second]]);
    expect((await club.inviteOf(ANN)).used).toBe(false);
    expect((await club.answer(mail, { [second]: YES })).statusCode).toBe(200);
    expect((await club.inviteOf(ANN)).used).toBe(true);
    // Inviting again makes nobody a second code, whatever they have answered.
    const again = await club.post(club.path('invite'), { emails: [ANN, BOB] });
    expect(again.json().results.map(({ error }: { error: string }) => error)).toEqual(
      Array(2).fill('Already invited'),
    );
    const { turnout } = (await club.get(`/admin/papers/${club.id}`)).json();
    expect(turnout).toMatchObject({ tokens: 2, used: 1 });
  });

  it('reminders go to whoever has not answered every open question, and name what waits', async () => {
    await using club = await paperMailing([ANN, BOB, 'cid@club.example']);
    const [first, second, third] = club.questions as [string, string, string];
    const [ann, bob] = club.mails;
    await club.answer(ann, { [first]: YES, [second]: YES, [third]: YES });
    await club.answer(bob, { [first]: YES });
    club.clock.now += 2 * DAY;
    club.mails.length = 0;
    const reminded = await club.post(club.path('reminders/send'));
    expect(reminded.json().summary).toEqual({ total: 3, sent: 2, failed: 0, skipped: 1 });
    const mail = club.mails.find(({ recipients }) => recipients.includes(BOB))!;
    expect(mail.text).toContain('These questions have not been answered yet:\n\n* The fee\n* The rules');
    expect(mail.text).not.toContain('The accounts');
    expect(tokenIn(mail)).toBe(tokenIn(bob!));

    // A question that is not open any more waits for nobody.
    for (const id of [second, third]) await club.post(`/admin/elections/${id}/close`);
    club.clock.now += 2 * DAY;
    expect((await club.post(club.path('reminders/send'))).json().summary).toMatchObject({
      total: 3,
      sent: 1,
    });
    // One that is added waits for everybody, and everybody gets a link to it.
    await club.post(club.path('questions'), motion('A new one'));
    club.clock.now += 2 * DAY;
    club.mails.length = 0;
    expect((await club.post(club.path('reminders/send'))).json().summary).toMatchObject({
      total: 3,
      sent: 3,
    });
    const { questions } = (await club.get(`/p/${club.id}`)).json();
    const last = questions.at(-1).id;
    for (const one of club.mails) expect((await club.answer(one, { [last]: YES })).statusCode).toBe(200);
  });

  it('waits for the opening, and follows it when the dates change', async () => {
    const opens = (at: number) => ({ open_at: isoTime(at), close_at: isoTime(at + DAY) });
    await using club = await paperMailing([], {});
    const { id } = await addPaper(club, QUESTIONS, { title: 'Later', ...opens(club.clock.now + DAY) });
    const invited = await club.post(`/admin/papers/${id}/invite`, { emails: [ANN], queue: true });
    expect(invited.json().summary).toMatchObject({ queued: 1, sent: 0 });
    await send(club, 'PATCH', `/admin/papers/${id}`, opens(club.clock.now + 2 * DAY));
    club.clock.now += DAY + MINUTE;
    await sendDueMails(club.ctx);
    expect(club.mails).toHaveLength(0);
    club.clock.now += DAY;
    await sendDueMails(club.ctx);
    expect(club.mails.map(({ headers }) => headers.subject)).toEqual(['Your vote: Later']);
    expect((await club.get(`/admin/papers/${id}/invites`)).json().invites[0]).toMatchObject({
      status: 'SENT',
    });
  });

  it('a code is withdrawn and replaced for all questions until it was used for one', async () => {
    await using club = await paperMailing([ANN, BOB]);
    const [first] = club.questions as [string];
    const [ann, bob] = club.mails as [ReceivedMail, ReceivedMail];
    const act = async (email: string, deed: string, body: object = { reason: 'A wrong address' }) =>
      club.post(club.path(`invites/${(await club.inviteOf(email)).id}/${deed}`), body);
    expect((await act(ANN, 'resend', {})).json()).toMatchObject({ success: true });
    expect(tokenIn(club.mails.at(-1)!)).toBe(tokenIn(ann));
    expect((await act(ANN, 'replace')).json()).toMatchObject({ success: true, status: 'SENT' });
    expectRefusal(await club.answer(ann, { [first]: YES }), 401, 'token_ended', { end: 'replaced' });
    expect((await club.answer(club.mails.at(-1), { [first]: YES })).statusCode).toBe(200);
    expectRefusal(await act(ANN, 'replace'), 409, 'voting_code_used');
    expect((await act(BOB, 'withdraw')).json()).toEqual({ success: true });
    for (const id of club.questions)
      expect(
        (await castPaper(club, club.id, { token: tokenIn(bob), answers: { [id]: YES } })).statusCode,
      ).toBe(401);
    // Each question counts the change of codes in public.
    const pageOf = await page(club, `/e/${first}`);
    expect(pageOf.body).toContain('1 code replaced, 1 withdrawn');
  });

  it('late electors need who may certify, and the history of each question says so', async () => {
    await using club = await openElectorate();
    const { service, olga } = club;
    const close_at = isoTime(service.clock.now + 3 * HOUR);
    const made = await service.post(
      '/admin/papers',
      { title: 'AGM', open_at: isoTime(service.clock.now - HOUR), close_at, questions: QUESTIONS },
      olga,
    );
    const { id, questions } = made.json();
    await club.add(person('Ann Doe', ANN));
    await club.add(person('Bob Roe', BOB));
    const invite = (body: object) => service.post(`/admin/papers/${id}/invite`, body, olga);
    expect((await invite({ emails: [ANN] })).statusCode).toBe(200);
    const late = await invite({ roll: { kinds: ['full'] } });
    expect(late.json().summary).toMatchObject({ total: 2 });
    const { body } = await page(service, `/e/${questions[1].id}`);
    expect(body).toContain('1 elector of the roll was added after opening');
  });
});

it('codes of a question are those of its paper: nothing is made or invited for it alone', async () => {
  await using club = await paperMailing([ANN]);
  const [first] = club.questions as [string];
  for (const [under, body] of [
    ['tokens', { count: 1 }],
    ['invite', { emails: [BOB] }],
    ['reminders/send', {}],
  ] as const) {
    const answer = await club.post(`/admin/elections/${first}/${under}`, body);
    expect([answer.statusCode, answer.json().paper_id]).toEqual([409, club.id]);
  }
  const { body } = await page(club, `/admin/elections/${first}/codes`);
  expect(body).toContain('This is question 1 of 3 on');
  expect(body).toContain(`/admin/papers/${club.id}/codes#tokens`);
  // The address of an election does not serve papers, nor the other way round.
  const other = await addElection(club);
  expectRefusal(await club.get(`/admin/papers/${other}/invites`), 404, 'paper_not_found');
  expectRefusal(await club.get(`/admin/elections/${club.id}/invites`), 404, 'election_not_found');
});

it('one slip for all questions lists them, and /vote leads its code to the paper in any spelling', async () => {
  await using club = await paperMailing([]);
  const made = await club.post(club.path('tokens'), { count: 2, batch_name: 'Door', format: 'short' });
  const { tokens } = made.json();
  const printed = await club.submit(club.path('tokens/print'), { tokens });
  expect(printed.body).toContain('1. The accounts 2. The fee 3. The rules');
  expect(printed.body).toContain('once for each question');
  const typed = await club.submit('/vote', { code: ` ${tokens[0].toLowerCase().replaceAll('-', ' ')} ` });
  expect([typed.statusCode, typed.headers.location]).toEqual([303, `/p/${club.id}/vote?t=${tokens[0]}`]);
  const { batches } = (await club.get(club.path('tokens'))).json();
  expect(batches).toMatchObject([{ batch_name: 'Door', count: 2, used_count: 0 }]);
  await castPaper(club, club.id, {
    token: tokens[0],
    answers: Object.fromEntries(club.questions.map((id) => [id, YES])),
  });
  const used = await club.submit('/vote', { code: tokens[0] });
  expect(used.statusCode).toBe(403);
  expect(used.body).toContain('Every question that is open was already answered with this code');
  const deleted = await send(club, 'DELETE', club.path('batches'), { batch_name: 'Door' });
  expect(deleted.json()).toMatchObject({ deleted: 2, deleted_used: 1 });
  expect((await club.submit('/vote', { code: tokens[1] })).statusCode).toBe(401);
});

describe('a member', () => {
  it('finds the paper on /me with its waiting questions, opens it, and prints a slip without an address', async () => {
    await using club = await openElectorate();
    const { service, olga } = club;
    await club.add(person('Ann Doe', ANN));
    await club.add(person('Cid Slip', null));
    service.clock.now += MINUTE;
    const { id, questions } = await addPaper(service, QUESTIONS, { title: 'AGM' });
    const invited = await service.post(`/admin/papers/${id}/invite`, { roll: {} }, olga);
    expect(invited.json().summary).toMatchObject({ slips: 1 });
    const slips = await service.submit(`/admin/papers/${id}/invites/slips`, {}, olga);
    expect(slips.body).toContain('For Cid Slip. 1. The accounts');

    service.clock.now += MINUTE;
    const browser = browserOf(service);
    await browser.post('/sign-in', { email: ANN });
    await browser.post('/sign-in/code', { code: (await codeMailTo(club.mails, ANN, 1)).code });
    const own = async () => (await browser.get('/me', { accept: 'application/json' })).json().elections;
    expect(await own()).toMatchObject([
      { id, title: 'AGM', state: 'waiting', waiting: ['The accounts', 'The fee', 'The rules'] },
    ]);
    const opened = await browser.post(`/me/elections/${id}/vote`);
    const link = new URL(String(opened.headers.location), BASE);
    expect(link.pathname).toBe(`/p/${id}/vote`);
    const token = link.searchParams.get('t');
    await castPaper(service, id, { token, answers: { [questions[0]!]: YES } });
    expect((await own())[0]).toMatchObject({ state: 'waiting', waiting: ['The fee', 'The rules'] });
    const answers = { [questions[1]!]: YES, [questions[2]!]: YES };
    await castPaper(service, id, { token, answers });
    expect((await own())[0]).toMatchObject({ state: 'voted', waiting: [] });
    expect((await browser.get('/me')).body).toContain('You have voted on every question.');
  });

  it('the list of own elections has a paper once, with its waiting questions', async () => {
    await using club = await paperMailing([], {});
    const election = await addElection(club, { title: 'The piano' });
    await club.post('/admin/bulk-invites', { election_ids: [election, club.id], emails: [ANN] });
    const [mail] = club.mails as [ReceivedMail];
    expect(mail.headers.subject).toBe('Your vote in 2 elections');
    expect(mail.text).toContain('* AGM\n  The accounts, The fee and The rules. Voting is open');
    const list = await page(club, linkIn(mail).href.replace(BASE, ''));
    expect(list.body.match(/<h2>AGM<\/h2>/g)).toHaveLength(1);
    expect(list.body).toContain('3 questions wait for you');
    const [, token] = new RegExp(`/p/${club.id}/vote\\?t=([^&"]+)`).exec(list.body)!;
    await castPaper(club, club.id, { token, answers: { [club.questions[0]!]: YES } });
    const after = await page(club, linkIn(mail).href.replace(BASE, ''));
    expect(after.body).toContain('2 questions wait for you');
  });
});

describe('officers’ lists and people’s data', () => {
  it('the dashboard and the home page have a paper once, with its questions', async () => {
    const settings = { publish_results_to_home: true };
    await using club = await paperMailing([ANN], {}, { settings });
    await addElection(club, { title: 'The piano', settings });
    const dashboard = (await page(club, '/admin')).body;
    expect(dashboard.match(new RegExp(`/admin/papers/${club.id}"`, 'g'))).toHaveLength(1);
    expect(dashboard).toContain('Ballot paper, 3 questions');
    for (const id of club.questions) expect(dashboard).not.toContain(`/admin/elections/${id}"`);
    expect((await page(club, '/admin?q=the+fee')).body).toContain(`/admin/papers/${club.id}"`);

    const open = (await page(club, '/')).body;
    expect(open.match(/<article class="open-row">/g)).toHaveLength(2);
    const listed = [...open.matchAll(/<li><a href="\/e\/([^"]*)"/g)].map(([, id]) => id);
    expect(listed).toEqual(club.questions);
    const [first] = club.questions as [string];
    await club.answer(club.mails[0], { [first]: YES });
    const last = club.questions.at(-1);
    await club.post(`/admin/elections/${last}/close`);
    club.clock.now += 8 * DAY;
    const home = (await page(club, '/')).body;
    expect(home).toContain(`<h3><a href="/p/${club.id}">AGM</a></h3>`);
    expect(home).toContain(`<a href="/e/${first}">The accounts</a>: `);
    expect([...home.matchAll(/<li><a href="\/e\/([^"]*)"/g)].map(([, id]) => id)).toEqual(club.questions);
  });

  it('books and public turnout of a question count the mailed codes of its paper', async () => {
    await using club = await paperMailing([ANN, BOB]);
    const [first] = club.questions as [string];
    await club.answer(club.mails[0], { [first]: YES });
    club.clock.now += 8 * DAY;
    const { books, turnout } = (await club.get(`/e/${first}/results`)).json();
    expect(books).toMatchObject({ tokens_mailed: 2, tokens_made: 2, tokens_used: 1, balanced: true });
    expect(turnout).toEqual({ issued: 2, used: 1 });
  });

  it('erasure waits for the close of the paper, empties the invitation, and no row names person and ballot', async () => {
    await using club = await openElectorate();
    const { service, olga } = club;
    const ann = await club.add(person('Ann Doe', ANN));
    const { id, questions } = await addPaper(service, QUESTIONS, { title: 'AGM' });
    await service.post(`/admin/papers/${id}/invite`, { emails: [ANN] }, olga);
    const token = tokenIn(club.mails.mails.at(-1)!);
    await castPaper(service, id, { token, answers: { [questions[0]!]: { choice: 'no' } } });
    const data = (await club.call('GET', `people/${ann.id}/export`)).body;
    expect(JSON.stringify(data)).toContain('"election":"AGM"');
    expect(JSON.stringify(data)).toContain('"voted":null');

    const early = await club.call('POST', `people/${ann.id}/erase`);
    expect(early.status).toBe(409);
    service.clock.now += 3 * HOUR;
    expect((await page(service, `/e/${questions[0]}`)).statusCode).toBe(200);
    expect((await club.call('POST', `people/${ann.id}/erase`)).status).toBe(200);
    const { invites } = (await service.get(`/admin/papers/${id}/invites`, olga)).json();
    expect(invites).toMatchObject([{ email: '' }]);
    const tables = ['ballots', 'tokens'].map((table) =>
      JSON.stringify(service.ctx.db.all(sql`SELECT * FROM ${sql.table(table)}`.compile(build))),
    );
    for (const rows of tables) expect(rows).not.toMatch(new RegExp(`${ann.id}|${ANN}|${token}`));
    // A ballot holds neither the code nor anything that it shares with another ballot of the paper.
    expect(tables[0]).not.toContain(hashToken(token));
  });
});

describe('the result', () => {
  it('is one mail for all questions, once every one is closed and announced', async () => {
    await using club = await paperMailing([ANN, BOB], {}, { settings: { announce: 'by_officer' } });
    const [first, second, third] = club.questions as [string, string, string];
    await club.answer(club.mails[0], { [first]: YES, [second]: { choice: 'no' }, [third]: YES });
    const send = () => club.post(club.path('results-email'));
    expectRefusal(await send(), 409, 'paper_not_closed');
    await club.post(club.path('close'));
    const closed = (await club.get(`/admin/papers/${club.id}`)).json();
    expect(closed.questions.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('closed'));
    expect([(await send()).statusCode, (await send()).json().error]).toEqual([
      403,
      message('results_not_announced'),
    ]);
    for (const id of [first, second]) await club.post(`/admin/elections/${id}/announce`);
    expectRefusal(await send(), 403, 'results_not_announced');
    await club.post(`/admin/elections/${third}/announce`);

    club.mails.length = 0;
    expect((await send()).json().summary).toEqual({ total: 2, sent: 2, failed: 0, skipped: 0 });
    const [mail] = club.mails as [ReceivedMail];
    expect(mail.headers.subject).toBe('Results: AGM');
    expect(mail.text).toMatch(/\* The accounts\n {2}Carried: 1 yes to 0 no.*\n\* The fee\n {2}Not carried/);
    expect(linkIn(mail).href).toBe(`${BASE}/p/${club.id}`);
    for (const id of club.questions) {
      const { ballot_set_sha256 } = (await club.get(`/e/${id}/results`)).json();
      expect(mail.text).toContain(ballot_set_sha256);
    }
    expect((await send()).json().summary).toMatchObject({ sent: 0, skipped: 2 });
  });
});
