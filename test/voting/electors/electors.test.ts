import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { addElection, cast } from '#test/support/factories.ts';
import { type Electorate, linkIn, openElectorate, person, tokenIn } from './electorate.ts';

const electorsOf = ({ service }: Electorate, id: string) =>
  service.ctx.db.all(
    build
      .selectFrom('electors')
      .select(['name', 'email', 'standing', 'as_of'])
      .where('election_id', '=', id)
      .orderBy('name'),
  );
const namesOf = (club: Electorate, id: string) => electorsOf(club, id).map(({ name }) => name);
const to = ({ mails }: Electorate) => mails.mails.flatMap(({ recipients }) => recipients).toSorted();

describe('inviting from the roll', () => {
  it('selects members with the kind of membership on a day, its first and last day included', async () => {
    await using club = await openElectorate();
    const standing = (first_day: string, last_day?: string, kind = 'full') => ({
      standing: { kind, first_day, ...(last_day && { last_day }) },
    });
    await club.add(person('First Day', 'a@club.example', standing('2026-05-01')));
    await club.add(person('Day After', 'b@club.example', standing('2026-05-02')));
    await club.add(person('Last Day', 'c@club.example', standing('2020-01-01', '2026-05-01')));
    await club.add(person('Day Before', 'd@club.example', standing('2020-01-01', '2026-04-30')));
    await club.add(person('Honorary', 'e@club.example', standing('2020-01-01', undefined, 'honorary')));
    const suspended = await club.add(person('Suspended', 'f@club.example'));
    await club.call('PATCH', `people/${suspended.id}`, {
      version: suspended.version,
      standing: { kind: 'suspended', first_day: '2026-04-01', last_day: '2026-06-01' },
    });
    const id = await club.election();

    const answer = await club.invite(id, { roll: { kinds: ['full'], on: '2026-05-01' } });

    expect(answer.json()).toMatchObject({ success: true, queued: 2, summary: { total: 2, queued: 2 } });
    expect(answer.json().results).toEqual([
      { email: 'a@club.example', name: 'First Day', success: true, queued: true },
      { email: 'c@club.example', name: 'Last Day', success: true, queued: true },
    ]);
    expect(electorsOf(club, id)).toEqual([
      { name: 'First Day', email: 'a@club.example', standing: 'full', as_of: '2026-05-01' },
      { name: 'Last Day', email: 'c@club.example', standing: 'full', as_of: '2026-05-01' },
    ]);
    await club.sendAll();
    expect(to(club)).toEqual(['a@club.example', 'c@club.example']);
  });

  it('selects everybody with a vote today if no kind is given; groups narrow that', async () => {
    await using club = await openElectorate();
    await club.add(
      person('Ann', 'ann@club.example', { ...person('', null), name: 'Ann', groups: ['Board'] }),
    );
    await club.add(person('Bob', 'bob@club.example'));
    await club.add({ name: 'Guest', addresses: [{ email: 'guest@club.example' }], groups: ['Board'] });
    const [all, board] = [await club.election(), await club.election()];
    const { body } = await club.call('GET', 'groups');
    const [{ id: boardId }] = body.groups.filter(({ name }: { name: string }) => name === 'Board');

    await club.invite(all, { roll: {} });
    await club.invite(board, { roll: { groups: [boardId] } });

    expect(namesOf(club, all)).toEqual(['Ann', 'Bob']);
    expect(namesOf(club, board)).toEqual(['Ann']);
  });

  it('refuses a selection of nobody, or with an unknown kind, group or day, and names the field', async () => {
    await using club = await openElectorate();
    await club.add(person('Ann', 'ann@club.example'));
    const id = await club.election();
    for (const [roll, path, message] of [
      [{ kinds: ['gold'] }, 'roll.kinds', /there is no kind “gold”/],
      [{ groups: ['Choir'] }, 'roll.groups', /there is no group “Choir”/],
      [{ kinds: ['suspended'] }, 'roll.kinds', /without a vote/],
      [{ on: '2026-02-30' }, 'roll.on', /must be a day/],
      [{ kinds: ['full'], on: '1999-01-01' }, 'roll', /nobody/],
    ] as const) {
      const answer = await club.invite(id, { roll });
      expect([roll, answer.statusCode, answer.json().errors[0].path]).toEqual([roll, 400, path]);
      expect(answer.json().error).toMatch(message);
    }
  });

  it('sends a couple with one address two mails, each with a name and a separate ballot', async () => {
    await using club = await openElectorate();
    await club.add(person('Ann Doe', 'doe@club.example'));
    await club.add(person('Bob Doe', 'doe@club.example'));
    const id = await addElection(club.service);

    await club.invite(id, { roll: {} });
    await club.sendAll();

    const mails = club.mails.mails;
    expect(mails.map(({ headers }) => headers.subject).toSorted()).toEqual([
      'Your vote: Shall we buy a piano? (Ann Doe)',
      'Your vote: Shall we buy a piano? (Bob Doe)',
    ]);
    for (const mail of mails) expect(mail.text).toMatch(/This is the ballot of (Ann|Bob) Doe\./);
    for (const mail of mails)
      expect((await cast(club.service, id, { token: tokenIn(mail), choice: 'yes' })).statusCode).toBe(200);
    expect(
      (await club.invite(id, { roll: {} })).json().results.map(({ error }: { error: string }) => error),
    ).toEqual(['Already invited', 'Already invited']);
  });

  it('gives a couple links to their elections that each open the ballots of one person', async () => {
    await using club = await openElectorate();
    await club.add(person('Ann Doe', 'doe@club.example'));
    await club.add(person('Bob Doe', 'doe@club.example'));
    const ids = [await addElection(club.service), await addElection(club.service, { title: 'A new roof?' })];

    await club.service.post(
      '/admin/bulk-invites',
      { election_ids: ids, roll: {}, invite_mode: 'batch' },
      club.olga,
    );
    await club.sendAll();

    expect(club.mails.mails).toHaveLength(2);
    const opened = await Promise.all(
      club.mails.mails.map(async (mail) => {
        const { pathname, search } = linkIn(mail);
        const page = await club.service.request({ url: pathname + search, headers: { accept: 'text/html' } });
        const [, name = 'nobody'] = /This is the ballot of (\w+ Doe)\./.exec(mail.text) ?? [];
        expect(page.body).toContain(`For <strong translate="no">${name}</strong> (doe@club.example).`);
        return [...page.body.matchAll(/\/e\/[\w-]+\/vote\?t=[\w-]+/g)].map(String);
      }),
    );
    expect(opened.map((links) => new Set(links).size)).toEqual([2, 2]);
    expect(new Set(opened.flat()).size).toBe(4);
  });

  it('makes a slip with the name of a person without an address, which can be printed again', async () => {
    await using club = await openElectorate();
    await club.add(person('Ann Doe', null));
    await club.add(person('Bob Doe', 'bob@club.example'));
    const id = await addElection(club.service, { settings: { hide_results_until_close: true } });

    const answer = await club.invite(id, { roll: {} });

    expect(answer.json().results[1]).toEqual({
      email: '',
      name: 'Ann Doe',
      success: false,
      slip: true,
      error: 'Has no address: print a slip',
    });
    expect(answer.json().summary).toEqual({ total: 2, sent: 0, failed: 0, queued: 1, slips: 1 });
    const print = () => club.service.submit(`/admin/elections/${id}/invites/slips`, {}, club.olga);
    const page = (await print()).body;
    expect(page).toContain('For Ann Doe.');
    expect(page).not.toContain('Bob');
    const [, token] = /slip-code">([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})</.exec(page)!;
    expect((await print()).body).toContain(token);
    expect((await cast(club.service, id, { token, choice: 'yes' })).statusCode).toBe(200);
    expect((await print()).body).not.toContain('For Ann Doe.');
    const log = await club.service.get('/admin/audit-logs?action=invite.slips_opened', club.olga);
    expect(log.json().logs.map(({ metadata }: { metadata: string }) => JSON.parse(metadata).count)).toEqual([
      0, 1, 1,
    ]);
  });

  it('is possible with an API key, which sees counts but no names or addresses', async () => {
    await using club = await openElectorate();
    await club.add(person('Ann Secret', 'ann.secret@club.example'));
    const id = await club.election();

    const answer = await club.invite(id, { roll: {}, emails: ['guest@club.example'] }, {});
    const listed = await club.service.get(`/admin/elections/${id}/invites`);
    const batches = await club.service.get(`/admin/elections/${id}/tokens`);
    const page = await club.service.get(`/admin/elections/${id}`, { accept: 'text/html' });

    expect(answer.json().summary).toMatchObject({ total: 2, queued: 2 });
    expect(answer.json().results).toEqual([{ email: 'guest@club.example', success: true, queued: true }]);
    for (const { body } of [answer, listed, batches, page]) expect(body).not.toMatch(/secret/i);
    expect(listed.json().invites).toHaveLength(2);
    const officers = await club.service.get(`/admin/elections/${id}/invites`, club.olga);
    expect(officers.body).toContain('Ann Secret');
  });
});

describe('one code for one person', () => {
  it('a person invited by address is not invited again by the roll, and vice versa', async () => {
    await using club = await openElectorate();
    await club.add({
      ...person('Ann', null),
      addresses: [{ email: 'ann@club.example', primary: true }, { email: 'ann@work.example' }],
    });
    const [first, second] = [await club.election(), await club.election()];

    await club.invite(first, { emails: ['ann@work.example'] });
    const byRoll = await club.invite(first, { roll: {} });
    await club.invite(second, { roll: {} });
    const byAddress = await club.invite(second, { emails: ['ann@work.example'] });

    expect(byRoll.json().results).toMatchObject([{ name: 'Ann', error: 'Already invited' }]);
    expect(byAddress.json().results).toMatchObject([{ error: 'Already invited' }]);
    expect((await club.service.get(`/admin/elections/${first}`)).json().turnout.tokens).toBe(1);
  });

  it('an invitation to an address becomes that of a person added to the roll later', async () => {
    await using club = await openElectorate();
    const id = await club.election();
    await club.invite(id, { emails: ['doe@club.example'] });
    await club.add(person('Ann Doe', 'doe@club.example'));
    await club.add(person('Bob Doe', 'doe@club.example'));

    const answer = await club.invite(id, { roll: {} });

    expect(answer.json().results).toMatchObject([
      { name: 'Bob Doe', success: true },
      { name: 'Ann Doe', error: 'Already invited' },
    ]);
    expect((await club.service.get(`/admin/elections/${id}`)).json().turnout.tokens).toBe(2);
  });
});

describe('the electors', () => {
  it('are not changed by changes of the roll after the opening', async () => {
    await using club = await openElectorate();
    const ann = await club.add(person('Ann', 'ann@club.example'));
    const bob = await club.add(person('Bob', 'bob@club.example'));
    const id = await club.election();
    await club.invite(id, { roll: {} });
    await club.sendAll();
    const before = electorsOf(club, id);

    club.service.clock.now += HOUR;
    await club.call('PATCH', `people/${ann.id}`, {
      version: ann.version,
      name: 'Ann Newname',
      addresses: [{ email: 'new@club.example' }],
      standing: { kind: 'suspended', first_day: '2026-11-01' },
    });
    await club.call('PATCH', `people/${bob.id}`, { version: bob.version, standings: [] });
    await club.add(person('Cid', 'cid@club.example'));

    expect(electorsOf(club, id)).toEqual(before);
    const [mail] = club.mails.mails;
    expect((await cast(club.service, id, { token: tokenIn(mail!), choice: 'yes' })).statusCode).toBe(200);
    expect(electorsOf(club, id)).toEqual(before);
  });

  it('are updated from the roll by another invitation before the opening', async () => {
    await using club = await openElectorate();
    const ann = await club.add(person('Ann', 'ann@club.example'));
    const id = await club.election();
    await club.invite(id, { roll: { on: '2026-05-01' } });
    await club.call('PATCH', `people/${ann.id}`, { version: ann.version, name: 'Ann Newname' });
    await club.invite(id, { roll: { on: '2026-06-01' } });
    expect(electorsOf(club, id)).toMatchObject([{ name: 'Ann Newname', as_of: '2026-06-01' }]);
  });

  it('added late are counted permanently on the election’s page, with the officer’s name', async () => {
    await using club = await openElectorate();
    await club.add(person('Ann', 'ann@club.example'));
    const id = await club.election();
    await club.invite(id, { roll: {}, queue: true });
    club.service.clock.now += HOUR;
    await club.add(person('Bob', 'bob@club.example'));

    await club.invite(id, { roll: {} });

    const page = (await club.service.request({ url: `/e/${id}`, headers: { accept: 'text/html' } })).body;
    expect(page).toContain('1 elector of the roll was invited.');
    expect(page).toContain('1 elector of the roll was added after opening, by an officer.');
    expect(page).not.toContain('Bob');
  });

  it('added late need elections:certify', async () => {
    await using club = await openElectorate();
    await club.add(person('Ann', 'ann@club.example'));
    const id = await club.election({ open_at: isoTime(club.service.clock.now + 1) });
    await club.invite(id, { emails: ['first@club.example'] });
    club.service.clock.now += HOUR;
    // A secretary can neither invite nor add late electors.
    const refused = await club.invite(id, { roll: {} }, club.sam);
    expect(refused.statusCode).toBe(403);
    expect(namesOf(club, id)).toEqual([]);
  });
});

it('a copy proposes the kinds and groups from which the electors came, as the roll is now', async () => {
  await using club = await openElectorate();
  const { service, olga } = club;
  for (const name of ['Ann', 'Bob']) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  const id = await club.election({ title: 'Chair 2026' });
  const kindOf = (body: string) => /name="roll_kinds"[^>]*checked/.test(body);
  const pageOf = async (of: string) =>
    (await service.get(`/admin/elections/${of}/mails`, { ...olga, accept: 'text/html' })).body;
  expect(kindOf(await pageOf(id))).toBe(false);
  await club.invite(id, { roll: { kinds: ['full'] } });

  const copy = (await service.post(`/admin/elections/${id}/clone`, { title: 'Chair 2027' }, olga)).json().id;
  const { election, turnout } = (await service.get(`/admin/elections/${copy}`, olga)).json();
  expect([election.invited_from, turnout.invited]).toEqual([{ kinds: ['full'], groups: [] }, 0]);
  expect(kindOf(await pageOf(copy))).toBe(true);
  expect((await service.get(`/e/${copy}`)).json().election.invited_from).toBeUndefined();

  // An election of an earlier version has only its electors.
  await service.ctx.write((tx) =>
    tx.run(build.updateTable('elections').set({ invited_from: null }).where('id', '=', id)),
  );
  const older = (await service.post(`/admin/elections/${id}/clone`, { title: 'Again' }, olga)).json().id;
  expect(kindOf(await pageOf(older))).toBe(true);

  // A question that was added to a paper after its electors were invited.
  const window = { open_at: isoTime(service.clock.now + HOUR), close_at: isoTime(service.clock.now + DAY) };
  const made = await service.post('/admin/papers', { title: 'AGM', ...window, questions: [] }, olga);
  const paper = `/admin/papers/${made.json().id}`;
  const motion = { title: 'Fee', ballot_type: 'SIMPLE_TRIPLE', ...window };
  await service.post(`${paper}/questions`, motion, olga);
  await service.post(`${paper}/invite`, { roll: { kinds: ['full'] }, queue: true }, olga);
  const added = (await service.post(`${paper}/questions`, motion, olga)).json().id;
  const again = (await service.post(`/admin/elections/${added}/clone`, { title: 'Fee 2027' }, olga)).json()
    .id;
  expect(kindOf(await pageOf(again))).toBe(true);
});
