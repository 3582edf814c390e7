import { describe, expect, it } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { cast } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { type Electorate, linkIn, openElectorate, person, tokenIn } from './electorate.ts';

const HIDDEN = { settings: { hide_results_until_close: true } };

/** An open election with invited people; `of` finds their invitations. */
async function opened(club: Electorate, people: [name: string, email: string | null][]) {
  const members = await Promise.all(people.map(([name, email]) => club.add(person(name, email))));
  const id = await club.election(HIDDEN);
  await club.invite(id, { roll: {} });
  club.service.clock.now += HOUR;
  await club.sendAll();
  const listed = async () =>
    (await club.service.get(`/admin/elections/${id}/invites`, club.olga)).json().invites as Invited[];
  const of = async (name: string) => (await listed()).find((invite) => invite.name === name)!;
  const act = async (name: string, deed: string, body: object = { reason: 'Wrong address' }) => {
    const invite = await of(name);
    return club.service.post(`/admin/elections/${id}/invites/${invite.id}/${deed}`, body, club.olga);
  };
  return { id, members, of, act };
}

interface Invited {
  id: string;
  name: string;
  email: string;
  status: string;
  slip?: string;
  withdrawn_at?: number;
  roll_email?: string;
}

const page = ({ service }: Electorate, url: string, who: object = {}) =>
  service.request({ url, headers: { accept: 'text/html', ...who } });

/** Changes the only address of a person. */
async function move(club: Electorate, { id, version }: { id: string; version: number }, email: string) {
  await club.call('PATCH', `people/${id}`, { version, addresses: [{ email, primary: true }] });
}

const books = async ({ service, olga }: Electorate, id: string) => {
  await service.post(`/admin/elections/${id}/close`, {}, olga);
  return (await service.get(`/e/${id}/results`)).json();
};

describe('the unused code of one elector', () => {
  it('is replaced by a new one to the address of the roll; the old link says so, and the books agree', async () => {
    await using club = await openElectorate();
    const { id, members, of, act } = await opened(club, [
      ['Ann', 'ann@old.example'],
      ['Bob', 'bob@club.example'],
    ]);
    const [old] = club.mails.mails.filter(({ recipients }) => recipients.includes('ann@old.example'));
    await move(club, members[0]!, 'ann@new.example');
    expect((await of('Ann')).roll_email).toBe('ann@new.example');

    const answer = await act('Ann', 'replace');

    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, status: 'SENT' }]);
    const newest = club.mails.mails.at(-1)!;
    expect(newest.recipients).toEqual(['ann@new.example']);
    expect(await of('Ann')).toMatchObject({ email: 'ann@new.example', status: 'SENT' });
    const dead = linkIn(old!);
    const dying = await page(club, dead.pathname + dead.search);
    expect(dying.body).toContain('This code was replaced');
    const refused = await cast(club.service, id, { token: tokenIn(old!), choice: 'yes' });
    expect([refused.statusCode, refused.json().error]).toEqual([401, message('invalid_token')]);
    expect(refused.json().message).toContain('was replaced');
    const shown = (await club.service.get(`/e/${id}?t=${tokenIn(old!)}`)).json();
    expect(shown.token).toEqual({ valid: false, used: false, replaced: true });
    expect((await cast(club.service, id, { token: tokenIn(newest), choice: 'yes' })).statusCode).toBe(200);

    const results = await books(club, id);
    expect(results.codes_changed).toEqual({ replaced: 1, withdrawn: 0 });
    expect(results.books).toMatchObject({
      ballots: 1,
      tokens_used: 1,
      tokens_made: 3,
      tokens_mailed: 3,
      tokens_deleted: 1,
      balanced: true,
    });
    expect(results.turnout).toEqual({ issued: 2, used: 1 });
    const publicPage = (await page(club, `/e/${id}`)).body;
    expect(publicPage).toContain('1 code replaced');
    expect(publicPage).toContain('The unused voting code of one elector was replaced');
    for (const secret of ['Wrong address', 'ann@']) expect(publicPage).not.toContain(secret);
  });

  it('is withdrawn: the link says whom to ask, and nobody is invited again by accident', async () => {
    await using club = await openElectorate();
    const { id, of, act } = await opened(club, [['Sid Social', 'sid@club.example']]);
    const [mail] = club.mails.mails;

    const answer = await act('Sid Social', 'withdraw', { reason: 'Not a member' });

    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    const { pathname, search } = linkIn(mail!);
    const { body } = await page(club, pathname + search);
    expect(body).toContain('This code was withdrawn');
    expect(body).toContain('ask an officer of the club');
    const typed = await club.service.post('/vote', { code: tokenIn(mail!) });
    expect([typed.statusCode, typed.json().message]).toEqual([401, expect.stringContaining('withdrawn')]);
    expect((await of('Sid Social')).withdrawn_at).toBe(club.service.clock.now);
    for (const deed of ['resend', 'remind'])
      expect((await act('Sid Social', deed, {})).json().error).toBe(message('its_code_withdrawn'));
    expectRefusal(await act('Sid Social', 'withdraw'), 409, 'voting_code_withdrawn');
    const again = await club.invite(id, { emails: ['sid@club.example'] });
    expect(again.json().results).toEqual([
      expect.objectContaining({ success: false, error: 'Already invited' }),
    ]);
    expect(club.mails.mails).toHaveLength(1);
    const results = await books(club, id);
    expect(results.codes_changed).toEqual({ replaced: 0, withdrawn: 1 });
    expect(results.books).toMatchObject({ tokens_made: 1, tokens_mailed: 1, balanced: true });
    expect((await page(club, `/e/${id}`)).body).toContain('1 code withdrawn');
  });

  it('can be given anew after it was withdrawn, and can move to a slip and back', async () => {
    await using club = await openElectorate();
    const { id, of, act } = await opened(club, [['Ann', 'ann@club.example']]);

    await act('Ann', 'withdraw');
    expect((await act('Ann', 'replace', { reason: 'A mistake', to: 'slip' })).json()).toEqual({
      success: true,
      status: 'SLIP',
    });
    expect(await of('Ann')).toMatchObject({ email: '', slip: 'to_print' });
    const slips = await club.service.submit(`/admin/elections/${id}/invites/slips`, {}, club.olga);
    const [, token = ''] = /slip-code">([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})</.exec(slips.body) ?? [];
    expect((await of('Ann')).slip).toBe('printed');
    expect((await act('Ann', 'replace', { reason: 'Lost the slip' })).json().status).toBe('SENT');
    expectRefusal(await cast(club.service, id, { token, choice: 'no' }), 401, 'token_ended', {
      end: 'replaced',
    });
    const mailed = tokenIn(club.mails.mails.at(-1)!);
    expect((await cast(club.service, id, { token: mailed, choice: 'no' })).statusCode).toBe(200);
    expect((await books(club, id)).books).toMatchObject({
      ballots: 1,
      tokens_made: 3,
      tokens_deleted: 2,
      balanced: true,
    });
  });

  it('is neither replaced nor withdrawn once it was used or voting has closed; a reason is required', async () => {
    await using club = await openElectorate();
    const { id, act } = await opened(club, [
      ['Ann', 'ann@club.example'],
      ['Bob', 'bob@club.example'],
    ]);
    const [mail] = club.mails.mails.filter(({ recipients }) => recipients.includes('ann@club.example'));
    await cast(club.service, id, { token: tokenIn(mail!), choice: 'yes' });
    for (const deed of ['withdraw', 'replace']) {
      expectRefusal(await act('Ann', deed), 409, 'voting_code_used');
      expect((await act('Bob', deed, {})).json().errors).toMatchObject([
        { path: 'reason', message: expect.any(String) },
      ]);
    }
    await club.service.post(`/admin/elections/${id}/close`, {}, club.olga);
    for (const deed of ['withdraw', 'replace']) expectRefusal(await act('Bob', deed), 400, 'election_closed');
  });

  it('is either used or withdrawn when both happen at the same moment', async () => {
    await using club = await openElectorate();
    const people = Array.from({ length: 12 }, (_, n): [string, string] => [`P${n}`, `p${n}@club.example`]);
    const { id, of, act } = await opened(club, people);
    const invites = await Promise.all(people.map(([name]) => of(name)));
    const codeOf = (email: string) =>
      tokenIn(club.mails.mails.find(({ recipients }) => recipients.includes(email))!);

    const races = await Promise.all(
      invites.map(async ({ name, email }, n) => {
        const vote = () => cast(club.service, id, { token: codeOf(email), choice: 'yes' });
        const end = () => act(name, n % 3 === 0 ? 'replace' : 'withdraw');
        const both = n % 2 === 0 ? [vote(), end()] : [end(), vote()].toReversed();
        return (await Promise.all(both)).map(({ statusCode }) => statusCode);
      }),
    );

    for (const race of races) expect([[200, 409].join(), [401, 200].join()]).toContain(race.join());
    const { books: counted, total_ballots } = await books(club, id);
    expect(total_ballots).toBe(races.filter(([vote]) => vote === 200).length);
    expect(counted).toMatchObject({ balanced: true, ballots: total_ballots });
  });

  it('is opened by one’s own page and list of elections only in its new form', async () => {
    await using club = await openElectorate();
    const { id, members, act } = await opened(club, [['Ann', 'ann@old.example']]);
    await move(club, members[0]!, 'ann@new.example');
    await act('Ann', 'replace');
    const fresh = tokenIn(club.mails.mails.at(-1)!);
    const before = club.mails.mails.length;
    for (const email of ['ann@old.example', 'ann@new.example'])
      await club.service.post('/vote/my-elections', { email });
    await expect.poll(() => club.mails.mails.length).toBe(before + 1);
    const mail = club.mails.mails.at(-1)!;
    expect(mail.recipients).toEqual(['ann@new.example']);
    const { pathname, search } = linkIn(mail);
    const led = await page(club, pathname + search);
    expect(led.headers.location).toBe(`/e/${id}/vote?t=${fresh}`);
  });
});

describe('the page of one elector', () => {
  it('names the addresses, replaces by a form, and the list says what was done', async () => {
    await using club = await openElectorate();
    const { id, members, of } = await opened(club, [['Käthe Shaw', 'm60@club.example']]);
    await move(club, members[0]!, 'new60@club.example');
    const { id: invite } = await of('Käthe Shaw');
    const list = await page(club, `/admin/elections/${id}/invitations`, club.olga);
    expect(list.body).toContain(
      'Send again<span class="visually-hidden"> to Käthe Shaw, m60@club.example</span>',
    );
    expect(list.body).toContain('new60@club.example');
    const sent = await club.service.submit(
      `/admin/elections/${id}/invites/${invite}/resend`,
      { after: '0' },
      club.olga,
    );
    expect(sent.statusCode).toBe(303);
    const again = await club.service.submit(`/admin/elections/${id}/invites/${invite}/resend`, {}, club.olga);
    const said = (await page(club, String(again.headers.location).split('#')[0]!, club.olga)).body;
    expect(said).toContain('The link was sent again to Käthe Shaw, m60@club.example.');
    expect(said).toContain('The roll has another address now, new60@club.example');

    const own = await page(club, `/admin/elections/${id}/invites/${invite}`, club.olga);
    expect(own.body).toContain('By mail to new60@club.example');
    const path = `/admin/elections/${id}/invites/${invite}`;
    const refused = await club.service.submit(`${path}/replace`, { to: 'address', reason: ' ' }, club.olga);
    expect([refused.statusCode, refused.body.includes('Voting code of Käthe Shaw')]).toEqual([400, true]);
    const fields = { to: 'address', reason: 'Misspelt' };
    const done = await club.service.submit(`${path}/replace`, fields, club.olga);
    const shown = (await page(club, String(done.headers.location).split('#')[0]!, club.olga)).body;
    expect(shown).toContain('A new link was made for Käthe Shaw, new60@club.example');
    expect(club.mails.mails.at(-1)!.recipients).toEqual(['new60@club.example']);
    const gone = await club.service.submit(`${path}/withdraw`, { reason: 'Left' }, club.olga);
    const after = (await page(club, String(gone.headers.location).split('#')[0]!, club.olga)).body;
    expect(after).toContain('The code of Käthe Shaw, new60@club.example was withdrawn.');
    expect(after).toContain('Withdrawn');
  });
});
