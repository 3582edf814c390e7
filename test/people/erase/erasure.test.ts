import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { finishErasures } from '#people/erase/finish.ts';
import { ACTOR_COLUMNS, ERASED_TABLES, NOT_ERASED } from '#people/erase/tables.ts';
import { EXPORTED_TABLES } from '#people/export/own-tables.ts';
import { mintFeed } from '#test/calendar/fixtures.ts';
import { addElection, addTokens, cast, page } from '#test/support/factories.ts';
import { message, onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession } from '#test/support/people/people.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';
import { tempFolder } from '#test/support/process/process.ts';

const EMAILS = ['zeb@quux.example', 'zebedee@quux.example'];
const QUUX = /quux/i;

/** Every row of every table, as text. */
function dump(club: Club): Record<string, string> {
  const { db } = club.service.ctx;
  const tables = db.all(
    sql<{
      name: string;
    }>`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.compile(build),
  );
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      JSON.stringify(db.all(sql`SELECT * FROM ${sql.table(name)}`.compile(build))),
    ]),
  );
}

const holding = (club: Club) =>
  Object.entries(dump(club))
    .filter(([, text]) => QUUX.test(text))
    .map(([table]) => table)
    .sort();

function holdingFiles(club: Club): string[] {
  const file = club.service.ctx.config.DATABASE_URL.slice('file:'.length);
  return fs
    .readdirSync(path.dirname(file))
    .filter((name) => QUUX.test(fs.readFileSync(path.join(path.dirname(file), name), 'latin1')));
}

const onDisk = () =>
  openClub({ DATABASE_URL: `file:${tempFolder()}/service.db`, PUB_ADMIN_TOKEN: 'a token for the pub' });

/** Creates a person with data in every table, and the election in which they voted. */
async function addQuux(club: Club): Promise<{ id: string; election: string }> {
  const { service } = club;
  const { id, version } = await club.add({
    number: 'QUUX-7',
    name: 'Zebedee Quux',
    addresses: [{ email: EMAILS[0] }],
    groups: ['Board'],
    standing: { kind: 'full', first_day: '2020-03-01' },
  });
  const addresses = EMAILS.map((email) => ({ email }));
  await club.call('PATCH', `people/${id}`, { version, called: 'Quux', note: 'Quux has a key', addresses });
  const again = 'number,name\nQUUX-7,Zebedee X. Quux\n';
  const second = (await club.call('POST', 'people/import', { csv: again, dry_run: true })).body.check;
  await club.call('POST', 'people/import', { csv: again, dry_run: false, check: second });

  const olga = await appoint(service, 'olga@club.example', 'owner');
  const give = (email: string, roles: string[], who: object) =>
    service.request({
      method: 'PUT',
      url: '/api/admin/roles',
      payload: { email, roles },
      headers: { accept: 'application/json', ...who },
    });
  await give(EMAILS[0]!, ['owner'], olga);
  // Their own actions are recorded with their address.
  const own = {
    'edge-access-authenticated-user-email': EMAILS[0]!,
    'edge-connecting-ip': '198.51.100.77',
  };
  await give('dan@club.example', ['dj'], own);
  await club.call('POST', 'people', { name: 'Dee', addresses: [{ email: 'dee@home.example' }] }, own);
  await service.post('/api/admin/now-showing', { mode: 'generic', label: 'Quiz' }, own);
  await give(EMAILS[0]!, [], olga);

  const election = await addElection(service);
  const [token] = await addTokens(service, election, 1);
  const now = service.clock.now;
  await addSession(service, id, { credential_at: now, browser: 'Quux', network: 'quux' });
  await service.ctx.write((tx) => {
    const times = { created_at: now, expires_at: now + HOUR };
    tx.run(
      build.insertInto('passkeys').values({
        id: 'p',
        person_id: id,
        public_key: Buffer.alloc(8),
        counter: 0,
        transports: '[]',
        name: 'Quux phone',
        rp_id: 'club.example',
        backed_up: 0,
        created_at: now,
        used_at: null,
      }),
    );
    tx.run(
      build.insertInto('electors').values({
        election_id: election,
        person_id: id,
        name: 'Quux',
        email: EMAILS[0]!,
        standing: 'full',
        as_of: '2026-11-01',
        added_at: now,
        added_by: EMAILS[1]!,
      }),
    );
    tx.run(
      build.insertInto('sign_ins').values({
        id: 's',
        browser_hash: '',
        link_hash: '',
        code_mac: '',
        email: EMAILS[1]!,
        stay: 0,
        next: null,
        used_at: null,
        ...times,
      }),
    );
    tx.run(
      build.insertInto('invites').values({
        id: 'i',
        election_id: election,
        email: EMAILS[0]!,
        status: 'SENT',
        created_at: now,
        sent_at: now,
        token_hash: sha256(token!),
        token_plaintext: null,
        error: 'quux bounced',
      }),
    );
    tx.run(build.insertInto('magic_links').values({ token_hash: 'm', email: EMAILS[0]!, created_at: now }));
    tx.run(build.insertInto('magic_link_elections').values({ token_hash: 'm', election_id: election }));
    tx.run(
      build
        .insertInto('distribution_lists')
        .values({ id: 'l', name: 'L', description: null, created_at: now }),
    );
    tx.run(build.insertInto('distribution_list_emails').values({ id: 'e', list_id: 'l', email: EMAILS[1]! }));
    const subscriber = { calendar_id: 'programs', email: EMAILS[0]!, name: 'Quux' };
    tx.run(
      build.insertInto('subscribers').values({
        id: 'sub',
        ...subscriber,
        search: 'quux',
        created_at: now,
        verified_at: now,
        disabled_at: null,
        left_at: null,
        last_access_at: null,
        client: null,
      }),
    );
    tx.run(
      build.insertInto('feed_tokens').values({
        id: 't',
        subscriber_id: 'sub',
        token_hash: 'a'.repeat(64),
        last_four: 'aaaa',
        ...times,
        revoked_at: null,
        reminded_at: null,
      }),
    );
    tx.run(
      build
        .insertInto('feed_accesses')
        .values({ calendar_id: 'programs', token_id: 't', at: now, client: 'other', address: 'net of quux' }),
    );
    tx.run(
      build.insertInto('verifications').values({
        id: 'v',
        ...subscriber,
        code_hash: 'b'.repeat(64),
        kind: 'request',
        consumed_at: now,
        ...times,
      }),
    );
    tx.run(
      build.insertInto('feedback').values({
        id: 'f',
        created_at: now,
        message: 'Cold soup',
        rating: null,
        name: 'Quux',
        page: null,
        contact: 'Zeb@Quux.example',
        browser_hash: '',
        client_hash: '',
        assignee: EMAILS[1]!,
        internal_note: null,
        updated_at: now,
        resolved_at: null,
      }),
    );
  });
  await cast(service, election, { token, choice: 'yes' });
  await service.post(`/admin/elections/${election}/close`);
  return { id, election };
}

/** Creates a person with little data, and expects it in the file. @returns their id */
async function addZeb(club: Club): Promise<string> {
  const addresses = EMAILS.map((email) => ({ email }));
  const { id } = await club.add({ name: 'Zebedee Quux', note: 'Quux has a key', addresses });
  expect(holdingFiles(club)).not.toEqual([]);
  return id;
}

const erase = (club: Club, id: string, who?: Record<string, string>) =>
  club.call('POST', `people/${id}/erase`, undefined, who);

describe('erasing a person', () => {
  it('leaves nothing personal in any table, the log or a byte of the file', async () => {
    await using club = await onDisk();
    const { id, election } = await addQuux(club);
    const turnout = async () => (await club.service.get(`/admin/elections/${election}`)).json().turnout;
    const before = await turnout();
    expect(holding(club)).toEqual([
      ...[
        'addresses',
        'audit_log',
        'distribution_list_emails',
        'electors',
        'feed_accesses',
        'feedback',
        'import_changes',
      ],
      ...[
        'invites',
        'magic_links',
        'now_showing',
        'outbox',
        'passkeys',
        'person_roles',
        'persons',
        'sessions',
        'sign_ins',
      ],
      ...['subscribers', 'verifications'],
    ]);
    const entries = verifyAudit(club.service.ctx.db).entries;

    const { status, body } = await erase(club, id);

    expect([status, body]).toEqual([200, { ok: true, erased_at: expect.any(String), entries_kept: 0 }]);
    expect(holding(club)).toEqual([]);
    expect(holdingFiles(club)).toEqual([]);
    expect(await turnout()).toEqual(before);
    expect(verifyAudit(club.service.ctx.db)).toMatchObject({ entries: entries + 1 });
    expect(verifyAudit(club.service.ctx.db)).not.toHaveProperty('broken');
    expect((await club.service.get(`/e/${election}/results`)).json()).toMatchObject({ result_matches: true });
    expect((await club.call('GET', `people/${id}`)).status).toBe(404);
    expect(
      (await club.call('GET', 'people')).body.people.map(({ name }: { name: string }) => name),
    ).not.toContain('Erased person');
    expect((await erase(club, id)).status).toBe(404);
    expect(dump(club).erased_standings).toBe(
      JSON.stringify(
        [2020, 2021, 2022, 2023, 2024, 2025, 2026].map((year) => ({ year, kind: 'full', people: 1 })),
      ),
    );
    const { granted_by } = club.service.ctx.db.first(
      build.selectFrom('person_roles').select('granted_by').where('role', '=', 'dj'),
    )!;
    expect(granted_by).toBe(`person:${id}`);
  });

  it('overwrites the file only after the close while voting is open', async () => {
    await using club = await onDisk();
    const id = await addZeb(club);
    const open = await addElection(club.service);
    await addTokens(club.service, open, 1);

    expect((await erase(club, id)).status).toBe(200);
    expect(holding(club)).toEqual([]);
    await club.service.post(`/admin/elections/${open}/close`);
    await finishErasures(club.service.ctx);
    expect(holdingFiles(club)).toEqual([]);
  });

  it('overwrites the write-ahead log and the file once no reader holds them', async () => {
    await using club = await onDisk();
    const id = await addZeb(club);
    const reader = new Sqlite(club.service.ctx.config.DATABASE_URL.slice('file:'.length), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM persons').get();

    expect((await erase(club, id)).status).toBe(200);
    const whileRead = holdingFiles(club).length;
    await finishErasures(club.service.ctx);
    reader.close();
    await finishErasures(club.service.ctx);

    expect(whileRead).toBeGreaterThan(0);
    expect(holdingFiles(club)).toEqual([]);
    expect(club.service.logged.join()).toContain('overwritten later');
  });

  it('overwrites the file also when an earlier erasure is more than 90 days old', async () => {
    await using club = await onDisk();
    for (const name of ['Ann', 'Bob']) {
      expect((await erase(club, (await club.add({ name })).id)).status).toBe(200);
      club.service.clock.now += 50 * DAY;
    }
    // Of the three erasures two are within 90 days, as before the third.
    const id = await addZeb(club);
    expect((await erase(club, id)).status).toBe(200);
    expect(holdingFiles(club)).toEqual([]);
  });

  it('finds what is stored under addresses that were taken away, and in acts that a second person decided', async () => {
    await using club = await openClub({ PUB_ADMIN_TOKEN: 'a token for the pub' });
    const { id } = await addQuux(club);
    const { version } = (await club.call('GET', `people/${id}`)).body;
    const addresses = [{ email: 'someone.else@club.example' }];
    await club.call('PATCH', `people/${id}`, { version, addresses });
    const { kept } = (await club.call('GET', `people/${id}/export`)).body;
    expect(kept.former_addresses.map(({ email }: { email: string }) => email)).toEqual(EMAILS.toSorted());
    expect(kept.subscribers).toHaveLength(1);
    const asked = {
      permission: 'roles:write',
      method: 'PUT',
      url: '/api/admin/roles',
      hash: 'h',
      is_form: 0 as const,
    };
    await club.service.ctx.write((tx) => {
      for (const decided_at of [null, 1])
        tx.run(
          build.insertInto('approvals').values({
            details: JSON.stringify([{ label: 'Address', value: EMAILS[0] }]),
            id: `a${decided_at}`,
            act: `Make ${EMAILS[0]} an owner`,
            payload: null,
            ...asked,
            asked_by: 'person:x',
            asked_at: 1,
            decided_by: null,
            decided_at,
            decision: null,
          }),
        );
    });

    expect((await erase(club, id)).status).toBe(200);

    expect(holding(club)).toEqual([]);
    expect(JSON.stringify(dump(club))).not.toContain('someone.else');
    expect(dump(club).approvals).toContain('make an erased address an owner');
  });

  it('keeps data of an address that another person shares', async () => {
    await using club = await openClub({ PUB_ADMIN_TOKEN: 'a token for the pub' });
    const { id } = await addQuux(club);
    await club.add({ name: 'Zelda', addresses: [{ email: EMAILS[0] }] });

    await erase(club, id);

    expect(holding(club)).toContain('subscribers');
    const kept = JSON.stringify(dump(club));
    expect(kept).toContain(EMAILS[0]);
    expect(kept).not.toContain(EMAILS[1]);
    expect(dump(club).persons).not.toContain('Zebedee');
  });

  it('ends sessions and calendar links at once', async () => {
    await using club = await openClub();
    const { id } = await club.add({ name: 'Ann', addresses: [{ email: 'ann@home.example' }] });
    const feed = await mintFeed(club.service, 'ann@home.example');
    await addSession(club.service, id);
    const read = async () => (await club.service.get(feed)).statusCode;
    expect(await read()).toBe(200);

    await erase(club, id);

    expect(club.service.ctx.db.all(build.selectFrom('sessions').select('id'))).toEqual([]);
    expect(await read()).toBe(404);
  });
});

describe('erasing is refused', () => {
  const invite = (club: Club, election: string, token: string | undefined, email: string) =>
    club.service.ctx.write((tx) =>
      tx.run(
        build.insertInto('invites').values({
          id: `i ${election}`,
          election_id: election,
          email,
          status: 'SENT',
          created_at: 0,
          sent_at: 0,
          token_hash: token ? sha256(token) : null,
          token_plaintext: null,
          error: null,
        }),
      ),
    );

  it('while an election that is open or scheduled has invited them, whether they voted or not', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann', addresses: [{ email: 'ann@home.example' }] });
    const election = await addElection(club.service, { title: 'Piano' });
    const [token] = await addTokens(club.service, election, 1, 'Members');
    await invite(club, election, token, 'ann@home.example');
    const refused = [
      409,
      {
        error: message('in_open_election', { titles: '“Piano”' }),
        message: expect.stringContaining('“Piano”'),
        elections: [{ id: election, title: 'Piano' }],
      },
    ];
    const unused = await erase(club, ann.id);
    expect([unused.status, unused.body]).toMatchObject(refused);
    await cast(club.service, election, { token, choice: 'yes' });
    const used = await erase(club, ann.id);
    expect([used.status, used.body]).toMatchObject(refused);
    await club.service.post(`/admin/elections/${election}/close`);
    expect((await erase(club, ann.id)).status).toBe(200);
  });

  it('only until the unused code is deleted', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann', addresses: [{ email: 'ann@home.example' }] });
    const election = await addElection(club.service, {
      open_at: '2027-01-01T00:00',
      close_at: '2027-01-02T00:00',
    });
    const [token] = await addTokens(club.service, election, 1, 'Members');
    await invite(club, election, token, 'ann@home.example');
    expect((await erase(club, ann.id)).status).toBe(409);
    await club.service.request({
      method: 'DELETE',
      url: `/admin/elections/${election}/batches`,
      payload: { batch_name: 'Members' },
      headers: { accept: 'application/json' },
    });
    expect((await erase(club, ann.id)).status).toBe(200);
    expect(JSON.stringify(dump(club))).not.toContain('ann@home.example');
  });

  it('for the last owner, for staff without the permission to change roles, and without people:erase', async () => {
    await using club = await openClub();
    const olga = await appoint(club.service, 'olga@club.example', 'owner');
    const otto = await appoint(club.service, 'otto@club.example', 'officer');
    const idOf = async (q: string) => (await club.call('GET', `people?q=${q}`)).body.people[0].id;
    const [olgaId, ottoId, samId] = [await idOf('olga'), await idOf('otto'), await idOf('sam')];

    expect((await erase(club, olgaId, olga)).body).toMatchObject({
      error: message('last_owner_not_erased'),
    });
    expect((await erase(club, olgaId, olga)).status).toBe(409);
    expect((await erase(club, ottoId)).status).toBe(403);
    expect((await erase(club, ottoId, otto)).body.permission).toBe('people:erase');
    expect((await erase(club, ottoId, olga)).status).toBe(200);
    expect((await erase(club, samId)).status).toBe(200);
    const last = club.service.ctx.db.first(
      build.selectFrom('audit_log').selectAll().where('action', '=', 'person.erased').orderBy('seq', 'desc'),
    )!;
    expect(last).toMatchObject({ personal: null, client: null });
    expect(JSON.parse(last.metadata)).toMatchObject({ person: samId, by: `person:${samId}` });
  });
});

describe('the page of an erasure', () => {
  it('lists what is erased, what is kept and what backups contain, and requires fresh proof', async () => {
    await using club = await openClub();
    const ann = await club.add({ name: 'Ann <b>', addresses: [{ email: 'ann@home.example' }] });
    const url = `/admin/people/${ann.id}`;
    expect((await page(club.service, url, club.sam)).body).toContain(`href="${url}/erase"`);
    const asked = await page(club.service, `${url}/erase`, club.sam);
    expect(asked.statusCode).toBe(200);
    for (const text of ['What is deleted', 'What is kept', 'The newest 14 are kept', 'Erase Ann &lt;b&gt;'])
      expect(asked.body).toContain(text);

    const sam = club.service.ctx.db.first(
      build.selectFrom('addresses').select('person_id').where('email', '=', 'sam@club.example'),
    )!.person_id;
    const token = await addSession(club.service, sam);
    const session = { cookie: `publichouse=${token}`, 'sec-fetch-site': 'same-origin', host: 'club.example' };
    club.service.clock.now += 11 * MINUTE;
    expect((await erase(club, ann.id, session)).body).toMatchObject({
      error: message('identity_unconfirmed'),
      sudo: true,
    });
    club.service.clock.now -= 11 * MINUTE;
    const done = await club.service.submit(`${url}/erase`, {}, session);
    expect(done.headers.location).toBe('/admin/people?done=erased');
    expect((await page(club.service, '/admin/people?done=erased', club.sam)).body).toContain('was erased');
    expect((await page(club.service, `${url}/erase`, club.sam)).statusCode).toBe(404);
  });

  it('shows why it was refused', async () => {
    await using club = await openClub();
    const olga = await appoint(club.service, 'olga@club.example', 'owner');
    const [{ id }] = (await club.call('GET', 'people?q=olga')).body.people;
    const refused = await club.service.submit(`/admin/people/${id}/erase`, {}, olga);
    expect([refused.statusCode, refused.body.includes(onPage('last_owner_not_erased'))]).toEqual([409, true]);
  });
});

it('entries of earlier versions in the hash chain are counted, not erased', async () => {
  await using club = await openClub();
  const ann = await club.add({ name: 'Ann', addresses: [{ email: 'ann@home.example' }] });
  await club.service.ctx.write((tx) =>
    tx.run(
      build.insertInto('audit_log').values({
        id: 'old',
        action: 'roles.changed',
        ip_address: '198.51.100.4',
        election_id: null,
        timestamp: 0,
        metadata: '{"email":"ann@home.example"}',
        hash: '',
      }),
    ),
  );
  expect((await erase(club, ann.id)).body).toMatchObject({ entries_kept: 1 });
});

describe('every table of the schema', () => {
  const columns = (club: Club) =>
    club.service.ctx.db.all(
      sql<{ place: string; tab: string; col: string }>`
        SELECT tables.name AS tab, columns.name AS col, tables.name || '.' || columns.name AS place
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table'`.compile(build),
    );

  it('with a person or an address is erased, or listed with a reason', async () => {
    await using club = await openClub();
    const personal = columns(club).filter(({ col }) => ['person_id', 'email', 'contact'].includes(col));
    expect(personal.length).toBeGreaterThan(12);
    const known = [...ERASED_TABLES, ...Object.keys(NOT_ERASED)];
    expect(personal.map(({ tab }) => tab).filter((tab) => !known.includes(tab))).toEqual([]);
  });

  it('with data about people has only columns whose export and erasure were decided', async () => {
    await using club = await openClub();
    const known = [...ERASED_TABLES, ...EXPORTED_TABLES];
    const places = columns(club).flatMap(({ tab, place }) => (known.includes(tab) ? place : []));
    const hint =
      'A new column: decide in people/export/own-tables.ts and people/erase/tables.ts, then run vitest -u';
    await expect(places.toSorted().join('\n'), hint).toMatchFileSnapshot('personal-columns.txt');
  });

  it('with the actor of a change names them by their id after erasure', async () => {
    await using club = await openClub();
    const actors = columns(club)
      .filter(({ col }) => /_by$|^assignee$/.test(col))
      .map(({ place }) => place)
      // It names the run of the service that is sending a mail.
      .filter((place) => !place.endsWith('.claimed_by'));
    expect(actors.toSorted()).toEqual(ACTOR_COLUMNS.toSorted());
  });
});
