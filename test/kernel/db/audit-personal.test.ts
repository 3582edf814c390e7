import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { AUDIT_NOUNS } from '#kernel/access/audit-listing.ts';
import { DAY } from '#kernel/clock.ts';
import { recordAudit, verifyAudit } from '#kernel/db/audit.ts';
import { countErased, eraseFromAudit } from '#kernel/db/audit-personal.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';

const TOKEN = 'a token for the whole pub';
const STAFF = { 'x-admin-token': TOKEN };
const open = () => testApp({ PUB_ADMIN_TOKEN: TOKEN });
const rowsOf = (service: TestApp) =>
  service.ctx.db.all(build.selectFrom('audit_log').selectAll().orderBy('seq'));

/** Lets an owner give a role to Ann. */
async function somethingHappens(service: TestApp) {
  const olga = await appoint(service, 'olga@club.example', 'owner');
  await service.request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: { email: 'ann@club.example', roles: ['dj'] },
    headers: { ...olga, 'edge-connecting-ip': '198.51.100.1' },
  });
}

const newest = async (service: TestApp) => {
  const { logs } = (await service.get('/api/admin/audit', STAFF)).json();
  return { ...logs[0], metadata: JSON.parse(logs[0].metadata) };
};

describe('the personal part of an audit entry', () => {
  it('is stored outside the hash chain, and is shown with the rest', async () => {
    await using service = await open();
    await somethingHappens(service);
    const [row] = rowsOf(service);

    expect(row).toMatchObject({ action: 'roles.changed', ip_address: '' });
    expect(JSON.parse(row!.metadata)).toEqual({
      before: [],
      after: ['dj'],
      by: expect.stringMatching(/^person:/),
      personal_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      client_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.parse(row!.client!)).toEqual({
      ip: '198.51.100.1',
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await newest(service)).toMatchObject({
      ip_address: '198.51.100.1',
      metadata: { email: 'ann@club.example', before: [], after: ['dj'], by: 'olga@club.example' },
    });
    expect(Object.keys((await newest(service)).metadata)).toHaveLength(4);
  });

  it('can only be changed to null, and the chain still verifies', async () => {
    await using service = await open();
    await somethingHappens(service);
    const run = (statement: ReturnType<typeof sql>) =>
      service.ctx.write((tx) => tx.run(statement.compile(build)));
    const other = JSON.stringify({ by: 'eve@club.example' });
    for (const statement of [
      sql`UPDATE audit_log SET personal = ${other}`,
      sql`UPDATE audit_log SET client = ${other}`,
      sql`UPDATE audit_log SET personal = NULL, timestamp = 1`,
      sql`UPDATE audit_log SET personal = NULL, seq = 9`,
    ])
      await expect(run(statement)).rejects.toThrow('append-only');
    expect(countErased(service.ctx.db, service.clock.now)).toEqual({ erased: 0, unerasable: 0 });

    await run(sql`UPDATE audit_log SET personal = NULL, client = NULL`);
    await expect(run(sql`UPDATE audit_log SET personal = ${other}`)).rejects.toThrow('append-only');
    expect(verifyAudit(service.ctx.db)).toMatchObject({ entries: 1 });
    expect(verifyAudit(service.ctx.db)).not.toHaveProperty('broken');
    expect(countErased(service.ctx.db, service.clock.now)).toEqual({ erased: 1, unerasable: 0 });
    expect(await newest(service)).toMatchObject({
      ip_address: null,
      metadata: { before: [], after: ['dj'], by: expect.stringMatching(/^person:/) },
    });
  });

  it.each(['personal', 'client'] as const)('breaks the chain when %s was changed', async (column) => {
    await using service = await open();
    await somethingHappens(service);
    const forged = sql`UPDATE audit_log SET ${sql.ref(column)} = replace(${sql.ref(column)}, '1', '2')`;
    await service.ctx.write((tx) => {
      tx.run(sql`DROP TRIGGER audit_log_no_update`.compile(build));
      tx.run(sql`UPDATE audit_log SET ${sql.ref(column)} = '{"by":"x","ip":"1"}'`.compile(build));
      tx.run(forged.compile(build));
    });
    expect(verifyAudit(service.ctx.db).broken).toMatchObject({ seq: 1 });
  });

  it('is erased with the person whom it names, and not with others', async () => {
    await using service = await open();
    await somethingHappens(service);
    const olga = service.ctx.db.first(
      build.selectFrom('addresses').select('person_id').where('email', '=', 'olga@club.example'),
    )!.person_id;
    const ann = service.ctx.db.first(
      build.selectFrom('addresses').select('person_id').where('email', '=', 'ann@club.example'),
    )!.person_id;
    const at = service.clock.now;
    await service.ctx.write((tx) => {
      const own = { ip: '198.51.100.7', at, by: `person:${ann}` };
      recordAudit(tx, own, { action: 'session.opened' });
      recordAudit(tx, { ip: '198.51.100.9', at }, { action: 'sign_in.link_made', metadata: { person: ann } });
      recordAudit(
        tx,
        { ip: '198.51.100.8', at, by: 'olga@club.example', person: olga },
        { action: 'person.changed', metadata: { person: ann } },
      );
    });

    await service.ctx.write((tx) => eraseFromAudit(tx, { id: ann, emails: [] }));
    const rows = rowsOf(service);
    expect(rows.map(({ personal, client }) => [personal !== null, client !== null])).toEqual([
      // Ann's address is in it, but the client is Olga's.
      [false, true],
      [false, false],
      [false, false],
      [true, true],
    ]);
    await service.ctx.write((tx) => eraseFromAudit(tx, { id: olga, emails: ['olga@club.example'] }));
    expect(rowsOf(service).map(({ personal, client }) => personal ?? client)).toEqual(rows.map(() => null));
    expect(verifyAudit(service.ctx.db)).not.toHaveProperty('broken');
  });
});

describe('the address of a client', () => {
  it('is shown for 90 days, also in entries of earlier versions, which keep it', async () => {
    await using service = await open();
    await somethingHappens(service);
    // An entry as an earlier version wrote it.
    await service.ctx.write((tx) =>
      tx.run(
        build.insertInto('audit_log').values({
          id: 'old',
          action: 'roles.changed',
          ip_address: '198.51.100.4',
          election_id: null,
          timestamp: service.clock.now,
          metadata: '{"by":"olga@club.example"}',
          hash: '',
        }),
      ),
    );
    const shown = async () =>
      (await service.get('/api/admin/audit', STAFF))
        .json()
        .logs.map(({ ip_address }: { ip_address: string }) => ip_address);
    service.clock.now += 90 * DAY - 1;
    expect(await shown()).toEqual(['198.51.100.4', '198.51.100.1']);
    service.clock.now += 1;
    expect(await shown()).toEqual([null, null]);
    expect(countErased(service.ctx.db, service.clock.now)).toEqual({ erased: 0, unerasable: 1 });
  });
});

describe('the visible part of the audit log', () => {
  const happen = (service: TestApp) =>
    service.ctx.write((tx) => {
      const actor = { ip: 'service', at: service.clock.now };
      for (const action of [
        ...['election.created', 'person.created', 'play.hidden', 'subscriber.disabled', 'roles.changed'],
        'unheard.of',
      ])
        recordAudit(tx, actor, { action });
    });
  const actionsOf = async (service: TestApp, url: string, headers: Record<string, string>) => {
    const { logs, total } = (await service.get(url, headers)).json();
    expect(total).toBe(logs.length);
    return logs.map(({ action }: { action: string }) => action).sort();
  };
  const ALL = ['election.created', 'person.created', 'play.hidden', 'roles.changed', 'subscriber.disabled'];

  it.each([
    ['owner', ALL],
    ['officer', ALL],
    ['secretary', ALL],
    ['auditor', ALL],
    ['manager', ['play.hidden', 'roles.changed', 'subscriber.disabled']],
  ])('%s', async (role, seen) => {
    await using service = await testApp({ LOCAL_BYPASS: 'off' });
    const who = { ...(await appoint(service, 'ann@club.example', role)), host: 'club.example' };
    await happen(service);
    expect(await actionsOf(service, '/api/admin/audit', who)).toEqual(seen);
    const page = await service.get('/admin/pub/audit', { ...who, accept: 'text/html' });
    expect(page.body.includes('election.created')).toBe(seen.includes('election.created'));
  });

  it('excludes the roll for the officers’ API key, and elections for the token of the pub', async () => {
    await using service = await testApp({ ADMIN_API_KEY: 'a key for officers', PUB_ADMIN_TOKEN: TOKEN });
    await happen(service);
    const key = { host: 'club.example', authorization: 'Bearer a key for officers' };
    const withoutRoll = ALL.filter((action) => action !== 'person.created');
    expect(await actionsOf(service, '/admin/audit-logs', key)).toEqual(withoutRoll);
    expect(await actionsOf(service, '/api/admin/audit', STAFF)).toEqual([
      ...['play.hidden', 'roles.changed', 'subscriber.disabled'],
    ]);
  });

  it('is defined for the noun of every action that the service records', () => {
    const root = path.join(import.meta.dirname, '../../../src');
    const nouns = fs
      .readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...fs.readFileSync(path.join(root, name), 'utf8').matchAll(/\baction: '(\w+)\.\w+'/g),
      ])
      .map(([, noun]) => noun!);
    expect(nouns.length).toBeGreaterThan(50);
    const known = new Set<string>(Object.values(AUDIT_NOUNS).flat());
    expect([...new Set(nouns)].filter((noun) => !known.has(noun))).toEqual([]);
  });
});
