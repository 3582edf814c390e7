import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { addElection, cast } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';
import { type Electorate, linkIn, openElectorate, person, tokenIn } from '../electors/electorate.ts';

const ANN = 'ann@club.example';
const JSON_ONLY = { accept: 'application/json' };

/** Signs in with a code mailed to an address; `nth` is the number of the mail there. */
async function signIn({ service, mails }: Electorate, email: string, nth: number) {
  const browser = browserOf(service);
  await browser.post('/sign-in', { email });
  await browser.post('/sign-in/code', { code: (await codeMailTo(mails, email, nth)).code });
  expect(await browser.isSignedIn()).toBe(true);
  return browser;
}

const own = async (browser: ReturnType<typeof browserOf>) =>
  (await browser.get('/me', JSON_ONLY)).json().elections;

it('the member’s page shows pending ballots, opens them, and says afterwards that the member has voted', async () => {
  await using club = await openElectorate();
  await club.add(person('Ann Doe', ANN));
  club.service.clock.now += MINUTE;
  const id = await club.election({ settings: { hide_results_until_close: true } });
  await club.invite(id, { roll: {}, queue: true });
  const ann = await signIn(club, ANN, 1);

  expect(await own(ann)).toMatchObject([{ id, title: 'Shall we buy a piano?', state: 'waiting' }]);
  expect((await ann.post(`/me/elections/${id}/vote`)).statusCode).toBe(404);
  club.service.clock.now += HOUR;
  const page = await ann.get('/me');
  expect(page.body).toContain(`action="/me/elections/${id}/vote"`);
  const opened = await ann.post(`/me/elections/${id}/vote`);
  expect(opened.statusCode).toBe(303);
  const link = String(opened.headers.location);
  expect(link).toMatch(new RegExp(`^/e/${id}/vote\\?t=`));
  expect((await own(ann))[0]).toEqual({
    id,
    title: 'Shall we buy a piano?',
    status: 'open',
    state: 'waiting',
    link,
    closes_at: expect.any(String),
  });
  const token = new URL(link, 'http://x').searchParams.get('t');
  expect((await cast(club.service, id, { token, choice: 'yes' })).statusCode).toBe(200);
  const [voted] = await own(ann);
  expect([voted.state, voted.link]).toEqual(['voted', undefined]);
  expect((await ann.get('/me')).body).toContain('You have voted.');

  club.service.clock.now += 3 * HOUR;
  expect((await own(ann))[0]).toMatchObject({ status: 'closed', state: 'voted' });
});

it('a session by an address added later cannot vote: the link is mailed to the old address', async () => {
  await using club = await openElectorate();
  const ann = await club.add(person('Ann Doe', ANN));
  club.service.clock.now += MINUTE;
  const id = await addElection(club.service);
  await club.invite(id, { roll: {} });
  club.service.clock.now += MINUTE;
  // A keeper of the roll adds their own address to a member.
  await club.call('PATCH', `people/${ann.id}`, {
    version: ann.version,
    addresses: [{ email: ANN, primary: true }, { email: 'mallory@evil.example' }],
  });
  club.service.clock.now += MINUTE;
  const mallory = await signIn(club, 'mallory@evil.example', 1);

  const [shown] = await own(mallory);
  const page = await mallory.get('/me');
  const refused = await mallory.post(`/me/elections/${id}/vote`);
  const mailed = await mallory.post(`/me/elections/${id}/link`);
  await expect.poll(() => club.mails.mails.length).toBe(2);

  expect([shown.state, shown.link]).toEqual(['waiting', undefined]);
  expect(page.body).not.toContain(`/me/elections/${id}/vote`);
  expect(page.body).toMatch(/>Mail me the link<span class="visually-hidden"> to a…@c…: /);
  expect(page.body).toContain('The ballot goes to a…@c…, by which you were invited');
  expect([refused.statusCode, refused.body.includes('?t=')]).toEqual([403, false]);
  expect([mailed.statusCode, mailed.headers.location]).toEqual([303, '/me?mailed=1']);
  expect(club.mails.mails.at(-1)!.recipients).toEqual([ANN]);
});

it('a session by a link that an officer made cannot vote, however old it is', async () => {
  await using club = await openElectorate();
  const ann = await club.add(person('Ann Doe', ANN));
  const made = await club.call('POST', `people/${ann.id}/sign-in-link`);
  const secretary = browserOf(club.service);
  await secretary.post('/sign-in/link', { t: new URL(made.body.link).searchParams.get('t') });
  expect(await secretary.isSignedIn()).toBe(true);
  club.service.clock.now += MINUTE;
  const id = await addElection(club.service);
  await club.invite(id, { roll: {} });

  expect((await own(secretary))[0].link).toBeUndefined();
  const refused = await secretary.post(`/me/elections/${id}/vote`, {}, JSON_ONLY);
  expect([refused.statusCode, refused.json().error]).toEqual([403, message('sign_in_too_new')]);
});

it('with live results the state of the ballot is shown as in a hidden election', async () => {
  await using club = await openElectorate();
  const ann = await club.add(person('Ann Doe', ANN));
  const id = await addElection(club.service, { settings: { hide_results_until_close: false } });
  await club.invite(id, { roll: {} });
  await club.sendAll();
  await cast(club.service, id, { token: tokenIn(club.mails.mails[0]!), choice: 'yes' });
  club.service.clock.now += MINUTE;
  await club.call('PATCH', `people/${ann.id}`, {
    version: ann.version,
    addresses: [{ email: ANN, primary: true }, { email: 'mallory@evil.example' }],
  });
  const mallory = await signIn(club, 'mallory@evil.example', 1);

  expect((await own(mallory))[0].state).toBe('voted');
  const answer = await mallory.post(`/me/elections/${id}/link`, {}, JSON_ONLY);
  expect(answer.json()).toEqual({
    ok: true,
    message: 'If you have an unused ballot, its link is on its way to a…@c….',
  });
});

it('the member’s link is mailed again, once in ten minutes, and opens the ballot', async () => {
  await using club = await openElectorate();
  await club.add(person('Ann Doe', ANN));
  club.service.clock.now += MINUTE;
  const id = await addElection(club.service);
  await club.invite(id, { roll: {} });
  const ann = await signIn(club, ANN, 1);

  for (let asked = 0; asked < 3; asked += 1)
    expect((await ann.post(`/me/elections/${id}/link`, {}, JSON_ONLY)).json().ok).toBe(true);
  await expect.poll(() => club.mails.mails.length).toBe(2);
  club.service.clock.now += 10 * MINUTE;
  await ann.post(`/me/elections/${id}/link`);
  await expect.poll(() => club.mails.mails.length).toBe(3);

  const { pathname, search } = linkIn(club.mails.mails.at(-1)!);
  const page = await club.service.request({ url: pathname + search, headers: { accept: 'text/html' } });
  expect(page.headers.location).toContain(`/e/${id}/vote?t=`);
});

it('voting from the page is refused without a session, for another’s election and from another site', async () => {
  await using club = await openElectorate();
  await club.add(person('Ann Doe', ANN));
  const bob = await club.add(person('Bob Doe', 'bob@club.example', {}));
  club.service.clock.now += MINUTE;
  const id = await addElection(club.service);
  await club.invite(id, { roll: {} });
  const [ann, other] = [await signIn(club, ANN, 1), await signIn(club, 'bob@club.example', 1)];

  expect(bob.standing).toBeNull();
  expect(await own(other)).toEqual([]);
  for (const act of ['vote', 'link']) {
    expectRefusal(
      await browserOf(club.service).post(`/me/elections/${id}/${act}`),
      401,
      'authentication_required',
    );
    const foreign = await other.post(`/me/elections/${id}/${act}`, {}, JSON_ONLY);
    expect([foreign.statusCode, foreign.json().error]).toEqual([404, message('own_ballot_not_open')]);
    const forged = await ann.post(`/me/elections/${id}/${act}`, {}, { 'sec-fetch-site': 'cross-site' });
    expect(forged.statusCode).toBe(403);
  }
});
