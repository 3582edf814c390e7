import { sql } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { withoutGuard } from '#kernel/csv.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { EXPORTED_TABLES, NOT_EXPORTED } from '#people/export/own-tables.ts';
import { mintFeed } from '#test/calendar/fixtures.ts';
import { addElection, addTokens, cast } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession } from '#test/support/people/people.ts';
import { openClub } from '#test/support/people/roll.ts';

describe('the roll as a file', () => {
  it('can be imported again, which changes nothing', async () => {
    await using club = await openClub();
    await club.add({
      name: '=SUM(A1)',
      called: '-Ann, "Nan"',
      number: '+49',
      note: 'Two\r\nlines; @home',
      addresses: [{ email: 'ann@home.example' }, { email: 'a@club.example', primary: true }],
      standings: [
        { kind: 'full', first_day: '2020-01-01' },
        { kind: 'suspended', first_day: '2026-11-01', last_day: '2026-12-01' },
      ],
      groups: ['Board', 'Cellar'],
    });
    await club.add({
      name: 'Bob',
      standing: { kind: 'honorary', first_day: '2020-01-01', last_day: '2027-01-01' },
    });
    const { answer, body: csv } = await club.call('GET', 'people/export.csv');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="members.csv"',
    });
    expect(csv).toContain(
      `,'+49,'=SUM(A1),"'-Ann, ""Nan""",a@club.example; ann@home.example`
        .replace('a@club', '"a@club')
        .replace('home.example', 'home.example"'),
    );
    const { body } = await club.call('POST', 'people/import', { csv, dry_run: true });
    expect(body.rows.map(({ state }: { state: string }) => state)).toEqual(['same', 'same', 'same']);
  });

  it('contains the matching people, needs its permission, and is audited', async () => {
    await using club = await openClub();
    await club.add({ name: 'Ann', groups: ['Board'] });
    const board = await club.call('GET', 'people/export.csv?group=board');
    expect(board.body.trim().split('\r\n')).toHaveLength(2);
    expect((await club.call('GET', 'people/export.csv?group=attic')).status).toBe(400);
    const otto = await appoint(club.service, 'otto@club.example', 'officer');
    for (const url of ['people/export.csv', 'people/x/export'])
      expect((await club.call('GET', url, undefined, otto)).body.permission).toBe('people:export');
    const { logs } = (await club.call('GET', 'audit?action=people.exported')).body;
    expect(logs.map(({ metadata }: { metadata: string }) => JSON.parse(metadata))).toEqual([
      { people: 1, by: 'sam@club.example' },
    ]);
  });
});

describe('the export of a person', () => {
  it('contains what each table stores under their id', async () => {
    await using club = await openClub();
    const csv = 'number,name,email,kind,since,groups\n1,Ann,ann@home.example,full,2020-01-01,Board\n';
    const { check } = (await club.call('POST', 'people/import', { csv, dry_run: true })).body;
    await club.call('POST', 'people/import', { csv, dry_run: false, check });
    await appoint(club.service, 'ann@home.example', 'secretary');
    const ann = { 'edge-access-authenticated-user-email': 'ann@home.example' };
    const [{ id }] = (await club.call('GET', 'people?q=ann')).body.people;
    await club.call('POST', 'groups', { name: 'Attic' }, ann);
    await club.call('PATCH', `people/${id}`, { version: 1, note: 'Key' });

    const { answer, body } = await club.call('GET', `people/${id}/export`);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="person.json"');
    expect(body).toMatchObject({
      person: { id, name: 'Ann', number: '1', note: 'Key' },
      kept: {
        addresses: [{ email: 'ann@home.example', primary: true, verified_at: null }],
        standings: [{ kind: 'full', first_day: '2020-01-01', last_day: null }],
        group_members: [{ group: 'Board' }],
        person_roles: [{ role: 'secretary', until: null }],
        import_changes: [{ batch: 1, before: null }],
      },
    });
    const actions = body.audit.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['group.created', 'person.changed']);
    expect((await club.call('GET', 'people/nobody/export')).status).toBe(404);
  });

  it('contains data under their own addresses, and not under addresses shared with others', async () => {
    await using club = await openClub();
    const { service } = club;
    const addresses = [{ email: 'ann@home.example' }, { email: 'does@home.example' }];
    const ann = await club.add({ name: 'Ann Doe', addresses });
    await club.add({ name: 'Bob Doe', addresses: [{ email: 'does@home.example' }] });
    await mintFeed(service, 'ann@home.example');
    await mintFeed(service, 'does@home.example');
    const [past, open] = [await addElection(service, { title: 'Past' }), await addElection(service)];
    for (const election of [past, open]) {
      const [token] = await addTokens(service, election, 1);
      await service.ctx.write((tx) =>
        tx.run(
          build.insertInto('invites').values({
            id: election,
            election_id: election,
            email: 'ann@home.example',
            status: 'SENT',
            created_at: 0,
            sent_at: 0,
            token_hash: sha256(token!),
            token_plaintext: null,
            error: null,
          }),
        ),
      );
      await cast(service, election, { token, choice: 'yes' });
    }
    await service.post(`/admin/elections/${past}/close`);

    const { kept } = (await club.call('GET', `people/${ann.id}/export`)).body;

    expect(kept.invites).toMatchObject([
      { election: 'Past', email: 'ann@home.example', voted: true },
      { election: 'Shall we buy a piano?', voted: null },
    ]);
    expect(JSON.stringify(kept.invites)).not.toMatch(/yes|used_at|token/);
    expect(kept.subscribers).toMatchObject([{ email: 'ann@home.example', links: [{ revoked_at: null }] }]);
    expect(kept.verifications).toHaveLength(1);
  });

  it('contains no audit entry by or about an address shared with others', async () => {
    await using club = await openClub();
    const addresses = [{ email: 'ann@home.example' }, { email: 'does@home.example' }];
    const ann = await club.add({ name: 'Ann Doe', addresses });
    const bob = await club.add({ name: 'Bob Doe', addresses: [{ email: 'does@home.example' }] });
    const record = (by: string, email: string) =>
      club.service.ctx.write((tx) => {
        const actor = { ip: '203.0.113.7', at: club.service.clock.now, by };
        recordAudit(tx, actor, { action: 'by address', metadata: {} });
        const about = { ip: 'service', at: club.service.clock.now };
        recordAudit(tx, about, { action: 'about address', metadata: { email } });
      });
    const exportedActions = async (id: string) => {
      const { audit } = (await club.call('GET', `people/${id}/export`)).body;
      return audit.map(({ action }: { action: string }) => action);
    };

    await record('does@home.example', 'does@home.example');
    expect(await exportedActions(ann.id)).toEqual(['person.created']);
    expect(await exportedActions(bob.id)).toEqual(['person.created']);

    await record('ann@home.example', 'ann@home.example');
    expect(await exportedActions(ann.id)).toEqual([
      ...['person.created', 'person.exported', 'by address', 'about address'],
    ]);
  });

  it('is available to every member about themselves, with fresh proof', async () => {
    await using club = await openClub();
    const { service } = club;
    const ann = await club.add({ name: 'Ann', addresses: [{ email: 'ann@home.example' }] });
    expectRefusal(await service.get('/me/export', { host: 'club.example' }), 401, 'authentication_required');
    const session = { cookie: `publichouse=${await addSession(service, ann.id)}`, host: 'club.example' };
    const { headers, json } = await service.get('/me/export', session);
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename="person.json"',
      'cache-control': 'no-store',
    });
    expect(json()).toMatchObject({
      person: { name: 'Ann' },
      kept: { sessions: [{ browser: 'Firefox, Linux' }] },
    });
    service.clock.now += 11 * MINUTE;
    expect((await service.get('/me/export', session)).json()).toMatchObject({ sudo: true });
    const again = (await club.call('GET', `people/${ann.id}/export`)).body;
    expect(again.audit.map(({ action }: { action: string }) => action)).toEqual([
      ...['person.created', 'person.exported'],
    ]);
  });

  it('leaves out no table with a person_id or an address', async () => {
    await using club = await openClub();
    const rows = club.service.ctx.db.all(
      build
        .selectFrom(sql<{ name: string }>`sqlite_schema`.as('tables'))
        .select('tables.name')
        .where(sql<boolean>`EXISTS (SELECT 1 FROM pragma_table_info(tables.name)
          WHERE name IN ('person_id', 'email', 'contact'))`)
        .where(sql<boolean>`tables.type = 'table'`),
    );
    const known = [...EXPORTED_TABLES, ...Object.keys(NOT_EXPORTED)];
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    expect(rows.length).toBeGreaterThan(12);
  });
});

test.each(['plain', "'=x", '=x', '+1;-2', "O'Hara", '\t=1', '@a\n@b', "'quoted'"])(
  'the guard of %j is removed',
  async (text) => {
    const { csvText } = await import('#kernel/csv.ts');
    const { readCsv } = await import('#kernel/lists/read-csv.ts');
    const [record] = readCsv(csvText([['x', text]]).slice(0, -2));
    expect(withoutGuard(record?.cells[1] ?? '')).toBe(text);
  },
);
