import { expect, test } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, cast, page, send } from '#test/support/factories.ts';
import { withoutSwitch } from '#test/support/forms.ts';
import { deleteOldMagicLinks } from '#voting/invitations/magic-links.ts';

const ANN = 'ann+votes@club.example';
const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);

interface Mailing extends TestApp {
  mails: ReceivedMail[];
}

async function mailing(): Promise<Mailing> {
  const { url, mails } = await startMailServer();
  return Object.assign(await testApp(mailTo(url), { delays: [0, 0] }), { mails });
}

/** Invites to several elections at once, and returns the path of each person's link. */
async function inviteTo(service: Mailing, election_ids: string[], emails = [ANN]): Promise<string[]> {
  service.mails.length = 0;
  const answer = await service.post('/admin/bulk-invites', { election_ids, emails });
  expect(answer.json().success).toBe(true);
  return emails.map((email) => {
    const mail = service.mails.find(({ recipients }) => recipients[0] === email);
    const { pathname, search } = linkIn(mail!);
    return pathname + search;
  });
}

/** The text of an election's card on the page, with the route and token of its voting link if it has one. */
async function cardOf(service: Mailing, path: string, title: string) {
  const { body } = await page(service, path);
  const card = body.split('<article').find((part) => part.includes(`<h2>${title}</h2>`)) ?? '';
  const [, route, token] = /href="(\/e\/[^"]*)\?t=([^"&]+)["&]/.exec(card) ?? [];
  return { words: card.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), route, token };
}

test('the page lists the person’s elections, each with its state and a link to their ballot', async () => {
  await using service = await mailing();
  const piano = await addElection(service, { title: 'The piano' });
  const { id: dinner } = await addPoll(service, ['Goose', 'Nuts'], { title: 'The dinner' });
  const roof = await addElection(service, { title: 'The roof', open_at: isoTime(service.clock.now + HOUR) });
  const dogs = await addElection(service, { title: 'The dogs' });
  const lamps = await addElection(service, { title: 'The lamps' });
  const hats = await addElection(service, { title: 'The hats' });
  await addElection(service, { title: 'Of others' });
  const [path = ''] = await inviteTo(service, [piano, dinner, roof, dogs, lamps, hats]);
  const { token } = await cardOf(service, path, 'The dogs');
  await cast(service, dogs, { token, choice: 'yes' });
  await service.post(`/admin/elections/${lamps}/close`);
  await send(service, 'DELETE', `/admin/elections/${hats}/batches`, { batch_name: 'Invited 2026-11-21' });

  const answer = await page(service, path);

  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(answer.body).not.toContain('Of others');
  expect(await cardOf(service, path, 'The piano')).toMatchObject({ route: `/e/${piano}/vote` });
  expect(await cardOf(service, path, 'The dinner')).toMatchObject({ route: `/e/${dinner}/vote/poll` });
  const noLink = { route: undefined, token: undefined };
  const says = (words: string) => ({ ...noLink, words: expect.stringContaining(words) });
  expect(await cardOf(service, path, 'The roof')).toEqual(says('Voting opens today, 1:00 PM'));
  expect(await cardOf(service, path, 'The dogs')).toEqual(says('You have voted'));
  expect(await cardOf(service, path, 'The lamps')).toEqual(says('Voting closed'));
  expect(await cardOf(service, path, 'The hats')).toEqual(says('withdrawn'));
  service.clock.now += HOUR;
  expect(await cardOf(service, path, 'The roof')).toMatchObject({ route: `/e/${roof}/vote` });
});

test('a wrong pair of address and token opens the same page that reveals nothing', async () => {
  await using service = await mailing();
  const id = await addElection(service, { title: 'The piano' });
  const [ann = '', bob = ''] = await inviteTo(service, [id], [ANN, 'bob@club.example']);
  const tokenOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('token')!;
  const pathOf = (email: string, token: string) =>
    `/vote/my-elections?${new URLSearchParams({ email, token })}`;

  const wrong = [
    pathOf('bob@club.example', tokenOf(ann)),
    pathOf(ANN, tokenOf(bob)),
    pathOf('eve@club.example', tokenOf(ann)),
    pathOf('', tokenOf(ann)),
    pathOf(ANN, ''),
    pathOf(ANN, tokenOf(ann).slice(1)),
    pathOf('%', '%'),
    `/vote/my-elections?token=${tokenOf(ann)}`,
    pathOf('x'.repeat(255), tokenOf(ann)),
    pathOf(ANN, 'x'.repeat(201)),
    `${ann}&token=${tokenOf(ann)}`,
    `${ann}&email=eve@club.example`,
  ];
  const answers = await Promise.all(wrong.map((path) => page(service, path)));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(wrong.map(() => 404));
  const bodies = answers.map(({ body, headers }) =>
    withoutSwitch(body).replaceAll(String(headers['x-request-id']), ''),
  );
  expect(new Set(bodies).size).toBe(1);
  for (const word of ['piano', 'club.example', '/e/', tokenOf(ann)]) expect(bodies[0]).not.toContain(word);
  for (const path of [pathOf(ANN.toUpperCase(), tokenOf(ann)), pathOf(` ${ANN} `, tokenOf(ann))])
    expect((await page(service, path)).headers.location).toMatch(/^\/e\/.*\?t=/);
});

test('a link works until seven days after its last election closed, and is not deleted before', async () => {
  await using service = await mailing();
  const early = await addElection(service);
  const late = await addElection(service, { close_at: isoTime(service.clock.now + 5 * DAY) });
  const [path = ''] = await inviteTo(service, [early, late]);
  const at = async (time: number) => {
    service.clock.now = time;
    const before = (await page(service, path)).statusCode;
    await deleteOldMagicLinks(service.ctx);
    return [before, (await page(service, path)).statusCode];
  };
  const start = service.clock.now;

  expect(await at(start + 12 * DAY - 1)).toEqual([200, 200]);
  expect(await at(start + 12 * DAY + 1)).toEqual([404, 404]);
  expect(service.ctx.db.all(build.selectFrom('magic_links').selectAll())).toEqual([]);
});

test('the seven days count from a close by hand too', async () => {
  await using service = await mailing();
  const id = await addElection(service, { close_at: isoTime(service.clock.now + 30 * DAY) });
  const [path = ''] = await inviteTo(service, [id]);
  await service.post(`/admin/elections/${id}/close`);
  service.clock.now += 7 * DAY - 1;
  expect((await page(service, path)).statusCode).toBe(200);
  service.clock.now += 2;
  expect((await page(service, path)).statusCode).toBe(404);
});

test('opening the page uses nothing, however often and with whatever method', async () => {
  await using service = await mailing();
  const id = await addElection(service, { title: 'The piano' });
  const [path = ''] = await inviteTo(service, [id, await addElection(service)]);
  const stored = async () =>
    JSON.stringify(service.ctx.db.all(build.selectFrom('magic_links').selectAll())) +
    JSON.stringify(service.ctx.db.all(build.selectFrom('tokens').selectAll()));
  const before = await stored();

  for (const method of ['HEAD', 'GET', 'HEAD', 'GET'] as const)
    expect((await service.request({ method, url: path, headers: { accept: '*/*' } })).statusCode).toBe(200);

  expect(await stored()).toBe(before);
  const { token } = await cardOf(service, path, 'The piano');
  expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
});

test('a link to a single ballot redirects to it, and back to the page after the vote', async () => {
  await using service = await mailing();
  const id = await addElection(service, { title: 'The piano' });
  const [path = ''] = await inviteTo(service, [id]);
  const [mail] = service.mails;
  const opened = await page(service, path);
  const ballot = String(opened.headers.location);
  const token = new URL(ballot, 'http://localhost').searchParams.get('t');

  expect(mail!.text).toContain('Vote now:');
  expect(mail!.text.split('The piano')).toHaveLength(2);
  expect([opened.statusCode, opened.headers['cache-control']]).toEqual([303, 'no-store']);
  expect((await page(service, ballot)).body).toContain('How do you vote?');
  expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
  expect((await cardOf(service, path, 'The piano')).words).toContain('You have voted.');
});

test('after each of several ballots the page leads to the next one, without a script', async () => {
  await using service = await mailing();
  const { id: dinner } = await addPoll(service, ['Goose', 'Nuts'], { title: 'The dinner' });
  const [piano, roof] = [await addElection(service), await addElection(service)];
  await addElection(service, { title: 'Of others' });
  const [list = ''] = await inviteTo(service, [piano, dinner, roof]);
  const unescaped = (text = '') => text.replaceAll('&amp;', '&');
  const hiddenOf = (body: string) =>
    Object.fromEntries(
      [...body.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
  const { options } = (await service.get(`/admin/elections/${dinner}/options`)).json();
  let next = unescaped(/href="(\/e\/[^"]*t=[^"]*)"/.exec((await page(service, list)).body)?.[1]);
  const said: string[] = [];
  for (let ballot = 0; ballot < 3; ballot += 1) {
    const form = (await page(service, next)).body;
    const id = next.split('/')[2]!;
    const choice = { choice: 'yes', selected_option: options[0].id };
    const review = (await service.submit(`/e/${id}/vote/review`, { ...hiddenOf(form), ...choice })).body;
    const fields = id === dinner ? { selected_option: options[0].id } : { choice: 'yes' };
    const action = `/e/${id}/vote${id === dinner ? '/poll' : ''}`;
    const done = (await service.submit(action, { ...hiddenOf(review), ...fields })).body;
    expect(done).toContain('This ballot is done.');
    expect(done).not.toContain('othing more');
    said.push(/(\d more ballots? waits? for you|No other ballot waits)/.exec(done)![0]);
    expect(unescaped(done)).toContain(`href="${list}"`);
    next = unescaped(/href="(\/e\/[^"]*t=[^"]*)">Next ballot/.exec(done)?.[1]);
  }
  expect(said).toEqual([
    '2 more ballots wait for you',
    '1 more ballot waits for you',
    'No other ballot waits',
  ]);
});

test.each([
  ['a link that came from nowhere', 'uuid', '', 'your link has been used'],
  ['a code from a slip', 'short', '', 'your code has been used'],
  ['a list that is not known', 'uuid', 'x'.repeat(43), 'your link has been used'],
  ['one’s own page', 'uuid', 'me', 'See what else waits for you'],
])(
  'the page after a ballot by %s says what was used, and invents no other ballots',
  async (_, format, list, words) => {
    await using service = await mailing();
    const id = await addElection(service);
    const { tokens } = (await service.post(`/admin/elections/${id}/tokens`, { count: 1, format })).json();
    const fields = { token: tokens[0], choice: 'yes', submission_id: 's', list };
    const { body } = await service.submit(`/e/${id}/vote`, fields);
    expect(body).toContain('This ballot is done.');
    expect(body).toContain(words);
    expect(body).not.toMatch(/more ballot|Next ballot|nothing more/);
  },
);

test('a link whose elections were all deleted is a 404', async () => {
  await using service = await mailing();
  const id = await addElection(service);
  const [path = ''] = await inviteTo(service, [id]);
  await send(service, 'DELETE', `/admin/elections/${id}`);
  expect((await page(service, path)).statusCode).toBe(404);
});
