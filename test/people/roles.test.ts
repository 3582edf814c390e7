import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { PERMISSIONS, ROLES } from '#kernel/access/roles.ts';
import { build } from '#kernel/db/queries.ts';
import { storeTwoPeople } from '#kernel/db/settings.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { formsOf } from '#test/support/forms.ts';
import { errorJson, expectBadField, expectForbidden, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { INHERITED, tempFolder } from '#test/support/process/process.ts';
import { runScript } from '#test/support/process/script-runner.ts';

const TOKEN = 'a long token of the pub';
const STAFF = { 'x-admin-token': TOKEN };
const open = () => testApp({ PUB_ADMIN_TOKEN: TOKEN });

const give = (service: TestApp, body: object, headers: Record<string, string> = STAFF) =>
  service.request({
    method: 'PUT',
    url: '/api/admin/roles',
    payload: body,
    headers: { accept: 'application/json', ...headers },
  });
const list = async (service: TestApp) => (await service.get('/api/admin/roles', STAFF)).json().assignments;

describe('/api/admin/roles', () => {
  it('lists the roles, their permissions, and who has them', async () => {
    await using service = await open();
    await appoint(service, 'olga@club.example', 'owner');
    await appoint(service, 'ann@club.example', 'viewer', 'dj');
    expect((await service.get('/api/admin/roles', STAFF)).json()).toEqual({
      roles: ROLES,
      permissions: Object.fromEntries(
        Object.entries(PERMISSIONS).map(([name, words]) => [name, words.for(ENGLISH)]),
      ),
      assignments: [
        { email: 'ann@club.example', roles: ['dj', 'viewer'] },
        { email: 'olga@club.example', roles: ['owner'] },
      ],
    });
  });

  it('replaces the roles of one person, at once, and audits it', async () => {
    await using service = await open();
    const olga = await appoint(service, 'olga@club.example', 'owner');
    const ann = { 'edge-access-authenticated-user-email': 'ann@club.example' };
    expectForbidden(await service.get('/api/admin/roles', ann), 'roles:read');

    const given = await give(service, { email: ' Ann@Club.example ', roles: ['viewer', 'dj', 'dj'] }, olga);
    expect([given.statusCode, given.json()]).toEqual([
      200,
      { ok: true, email: 'ann@club.example', roles: ['dj', 'viewer'] },
    ]);
    expect((await service.get('/api/admin/roles', ann)).statusCode).toBe(200);
    await give(service, { email: 'ann@club.example', roles: ['dj'] }, olga);
    expectForbidden(await service.get('/api/admin/roles', ann), 'roles:read');
    await give(service, { email: 'ann@club.example', roles: [] }, olga);
    expect(await list(service)).toEqual([{ email: 'olga@club.example', roles: ['owner'] }]);

    const { logs } = (await service.get('/api/admin/audit?action=roles.changed', STAFF)).json();
    const by = 'olga@club.example';
    expect(logs.map(({ metadata }: { metadata: string }) => JSON.parse(metadata)).toReversed()).toEqual([
      { email: 'ann@club.example', before: [], after: ['dj', 'viewer'], by },
      { email: 'ann@club.example', before: ['dj', 'viewer'], after: ['dj'], by },
      { email: 'ann@club.example', before: ['dj'], after: [], by },
    ]);
  });

  it('knows a person by either spelling of an international domain, in the table and at the edge', async () => {
    await using service = await open();
    const olga = await appoint(service, 'olga@club.example', 'owner');
    const [ascii, unicode] = ['ida@xn--mller-kva.example', 'Ida@Müller.example'];
    const header = 'edge-access-authenticated-user-email';

    await give(service, { email: unicode, roles: ['viewer'] }, olga);
    for (const email of [ascii, unicode])
      expect((await service.get('/api/admin/roles', { [header]: email })).statusCode).toBe(200);
    await give(service, { email: ascii, roles: [] }, olga);

    expectForbidden(await service.get('/api/admin/roles', { [header]: unicode }), 'roles:read');
    expect(await list(service)).toEqual([{ email: 'olga@club.example', roles: ['owner'] }]);
  });

  it('does not let PUB_ADMIN_TOKEN grant or take away more than roles of the pub, as JSON and by the form', async () => {
    await using service = await open();
    await appoint(service, 'olga@club.example', 'owner');
    await appoint(service, 'otto@club.example', 'officer', 'dj');
    const form = (body: { email: string; roles: string[] }) =>
      service.submit('/admin/pub/roles', body, STAFF);
    const cases: [email: string, roles: string[], status: number][] = [
      ['mallory@evil.example', ['owner'], 403],
      ['mallory@evil.example', ['dj', 'officer'], 403],
      ['mallory@evil.example', ['secretary'], 403],
      ['mallory@evil.example', ['auditor'], 403],
      ['olga@club.example', [], 403],
      ['otto@club.example', ['dj'], 403],
      ['otto@club.example', ['officer', 'tender'], 200],
      ['ann@club.example', ['manager', 'dj', 'tender', 'events', 'viewer'], 200],
      ['ann@club.example', [], 200],
    ];
    for (const [email, roles, status] of cases) {
      const statuses = [await form({ email, roles }), await give(service, { email, roles })];
      const asked = [email, roles, ...statuses.map(({ statusCode }) => statusCode)];
      expect(asked).toEqual([email, roles, status === 200 ? 303 : 403, status]);
    }
    expect(await list(service)).toEqual([
      { email: 'olga@club.example', roles: ['owner'] },
      { email: 'otto@club.example', roles: ['officer', 'tender'] },
    ]);
  });

  it('never removes the last owner, not even for two concurrent requests', async () => {
    await using service = await open();
    const olga = await appoint(service, 'olga@club.example', 'owner');
    const refused = await give(service, { email: 'olga@club.example', roles: ['viewer'] }, olga);
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      { ...errorJson('last_owner_stays'), message: expect.any(String) },
    ]);
    const otto = await appoint(service, 'otto@club.example', 'owner');
    const both = await Promise.all([
      give(service, { email: 'otto@club.example', roles: [] }, olga),
      give(service, { email: 'olga@club.example', roles: [] }, otto),
    ]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await list(service)).toHaveLength(1);
  });

  it('refuses invalid addresses and roles, and users without the permission', async () => {
    await using service = await open();
    const mona = await appoint(service, 'mona@club.example', 'manager');
    const cases: [object, string][] = [
      [{ roles: ['dj'] }, 'email'],
      [{ email: 'ann', roles: ['dj'] }, 'email'],
      [{ email: 'ann@club.example, eve@club.example', roles: ['dj'] }, 'email'],
      [{ email: 'mona@club.example' }, 'roles'],
      [{ email: 'mona@club.example', roles: null }, 'roles'],
      [{ email: 'ann@club.example', roles: ['king'] }, 'roles.0'],
      [{ email: 'ann@club.example', roles: ['constructor'] }, 'roles.0'],
    ];
    for (const [body, field] of cases) {
      const answer = await give(service, body);
      expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, field]);
    }
    expect(await list(service)).toEqual([{ email: 'mona@club.example', roles: ['manager'] }]);
    const refused = await give(service, { email: 'mona@club.example', roles: ['owner'] }, mona);
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'roles:write']);
  });

  it('does not let people give themselves roles, but lets them give up theirs', async () => {
    await using service = await open();
    const olga = await appoint(service, 'olga@club.example', 'owner');
    const refused = await give(service, { email: 'olga@club.example', roles: ['owner', 'dj'] }, olga);
    expect([refused.statusCode, refused.json().error]).toEqual([403, message('no_role_for_yourself')]);
    await appoint(service, 'otto@club.example', 'owner');
    expect((await give(service, { email: 'olga@club.example', roles: [] }, olga)).statusCode).toBe(200);
  });

  it('removes all roles if no box of the page is ticked', async () => {
    await using service = await open();
    await appoint(service, 'ann@club.example', 'dj');
    const answer = await service.submit('/admin/pub/roles', { email: 'ann@club.example' }, STAFF);
    expect(answer.statusCode).toBe(303);
    expect(await list(service)).toEqual([]);
  });

  it('removes unknown roles when the person is given others', async () => {
    await using service = await open();
    await appoint(service, 'ann@club.example', 'captain', 'dj');
    expect(await list(service)).toEqual([{ email: 'ann@club.example', roles: ['dj'] }]);
    const olga = await appoint(service, 'olga@club.example', 'owner');
    await give(service, { email: 'ann@club.example', roles: ['dj'] }, olga);
    const rows = service.ctx.db.all(build.selectFrom('person_roles').select('role'));
    expect(rows.map(({ role }) => role).sort()).toEqual(['dj', 'owner']);
  });
});

describe('/api/admin/audit', () => {
  it('returns entries like the officers’ log: newest first, filtered, in pages', async () => {
    await using service = await open();
    for (const name of ['ann', 'bob', 'cleo'])
      await give(service, { email: `${name}@club.example`, roles: ['dj'] });
    const ask = async (query: string) => (await service.get(`/api/admin/audit${query}`, STAFF)).json();
    expect((await ask('?limit=2&action=roles.changed')).logs).toHaveLength(2);
    expect(await ask('?limit=2&offset=2')).toMatchObject({
      total: 3,
      logs: [{ action: 'roles.changed', metadata: expect.stringContaining('ann@club.example') }],
    });
    expect(await ask('?action=nothing.done')).toEqual({ logs: [], total: 0 });
    expectBadField(await service.get('/api/admin/audit?limit=0', STAFF), 'limit', 'out_of_range', {
      min: 1,
      max: 200,
    });
  });
});

describe('npm run admin', () => {
  it('makes the first owner before the first start of the service, and keeps the last one', async () => {
    const folder = tempFolder();
    const script = path.join(import.meta.dirname, '../../scripts/admin.ts');
    const options = { cwd: folder, env: { ...INHERITED, DATABASE_URL: `file:${folder}/service.db` } };
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runScript({ script, args, ...options });
      return `${code} ${stdout}${stderr}`.trim();
    };
    const grant = [script, 'grant', 'Olga@club.example', 'owner'];
    expect(await promisify(execFile)(process.execPath, grant, options)).toEqual({
      stdout: 'olga@club.example is owner now.\n',
      // It warns those who meant a service with its database elsewhere.
      stderr: `There was no database at ${folder}/service.db: a new one is made.\n`,
    });
    expect(await run('grant', 'olga@club.example', 'king')).toMatch(/^1 king: must be one of owner/);
    expect(await run('revoke', 'olga@club.example', 'owner')).toBe('1 The last owner cannot be removed');
    expect(await run('list')).toBe('0 olga@club.example: owner');
    // Before there is an address, the script cannot know how the service was started.
    expect(await run('sign-in-link', 'olga@club.example')).toMatch(
      /^0 http:\/\/127\.0\.0\.1:3000\/sign-in\/link\?t=\S+\nIf the service was started with another PORT/,
    );
    // A link begins with the address that was confirmed in the browser.
    const database = new Sqlite(`${folder}/service.db`);
    database
      .prepare('INSERT INTO settings (name, value, sealed, set_at) VALUES (?, ?, 0, 0)')
      .run('base_url', '"https://pub.example"');
    database.close();
    expect(await run('sign-in-link', 'olga@club.example')).toMatch(
      /^0 https:\/\/pub\.example\/sign-in\/link\?t=/,
    );
  });
});

describe('the end of a role', () => {
  it.each([
    ['a day, to its end', '2026-12-05', '2026-12-06T05:00:00.000Z'],
    ['a time', '2026-12-05T23:30:00Z', '2026-12-05T23:30:00.000Z'],
  ])('is %s', async (_name, until, end) => {
    await using service = await testApp();
    const owner = await appoint(service, 'olga@club.example', 'owner');
    const put = (payload: object) =>
      service.request({
        method: 'PUT',
        url: '/api/admin/roles',
        payload,
        headers: { accept: 'application/json', ...owner },
      });
    const given = await put({ email: 'cleo@club.example', roles: ['chair'], until });
    expect(given.json()).toMatchObject({ ok: true, roles: ['chair'], until: end });
    const listed = async () =>
      (await service.get('/api/admin/roles', owner))
        .json()
        .assignments.filter(({ email }: { email: string }) => email === 'cleo@club.example');
    expect(await listed()).toEqual([{ email: 'cleo@club.example', roles: ['chair'], until: { chair: end } }]);
    service.clock.now = Temporal.Instant.from(end).epochMilliseconds - 1;
    expect(await listed()).toHaveLength(1);
    service.clock.now += 1;
    expect(await listed()).toEqual([]);
  });

  it('is moved by a later one, and only of roles that have one', async () => {
    await using service = await testApp();
    const owner = await appoint(service, 'olga@club.example', 'owner');
    const put = (payload: object) =>
      service.request({
        method: 'PUT',
        url: '/api/admin/roles',
        payload,
        headers: { accept: 'application/json', ...owner },
      });
    const email = 'cleo@club.example';
    await put({ email, roles: ['viewer'] });
    for (const until of ['2026-12-05', '2026-12-12']) await put({ email, roles: ['viewer', 'chair'], until });
    const { assignments } = (await service.get('/api/admin/roles', owner)).json();
    expect(assignments.find((one: { email: string }) => one.email === email).until).toEqual({
      chair: '2026-12-13T05:00:00.000Z',
    });
    for (const wrong of [
      { until: '2026-01-01' },
      { until: 'soon' },
      { until: '2026-12-05', roles: ['owner'] },
    ]) {
      const refused = await put({ email, roles: ['chair'], ...wrong });
      expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, 'until']);
    }
  });

  it('is given to a role that somebody has without one', async () => {
    await using service = await testApp();
    const owner = await appoint(service, 'olga@club.example', 'owner');
    await appoint(service, 'cleo@club.example', 'chair');
    const until = '2026-12-05T23:30:00.000Z';
    const given = await give(service, { email: 'cleo@club.example', roles: ['chair'], until }, owner);
    expect(given.json()).toMatchObject({ ok: true, until });
    const { assignments } = (await service.get('/api/admin/roles', owner)).json();
    expect(assignments).toContainEqual({
      email: 'cleo@club.example',
      roles: ['chair'],
      until: { chair: until },
    });
    service.clock.now = Temporal.Instant.from(until).epochMilliseconds;
    const later = (await service.get('/api/admin/roles', owner)).json().assignments;
    expect(later).not.toContainEqual(expect.objectContaining({ email: 'cleo@club.example' }));
  });

  it('is answered for each role, and the form keeps what was entered when it is refused', async () => {
    await using service = await testApp();
    const owner = await appoint(service, 'olga@club.example', 'owner');
    await appoint(service, 'cleo@club.example', 'viewer');
    const email = 'cleo@club.example';
    const until = '2026-12-05T23:30:00.000Z';
    const given = await give(service, { email, roles: ['viewer', 'chair'], until }, owner);
    expect(given.json()).toMatchObject({ until, ends: { chair: until } });
    expect(given.json().ends).not.toHaveProperty('viewer');

    const url = '/admin/pub/roles';
    const shown = (await service.get(url, { accept: 'text/html', ...owner })).body;
    expect(shown).toContain('Chair until');
    const fields = { email, roles: ['chair', 'dj'], until: '2026-01-01' };
    const refused = await service.submit(url, fields, owner);
    expect(refused.statusCode).toBe(400);
    expect(refused.body.replaceAll(/\s+/g, ' ')).toMatch(/Nothing was changed.*Until/);
    const form = formsOf(refused.body).find((one) => one.fields.email === email && 'until' in one.fields);
    expect(form?.fields).toMatchObject({ roles: ['chair', 'dj'], until: '2026-01-01' });
    const { assignments } = (await service.get('/api/admin/roles', owner)).json();
    expect(assignments).toContainEqual({ email, roles: ['chair', 'viewer'], until: { chair: until } });

    const kept = await service.submit(url, { ...fields, until: '2026-12-31' }, owner);
    expect(kept.statusCode).toBe(303);
    const after = (await service.get('/api/admin/roles', owner)).json().assignments;
    expect(after).toContainEqual({
      email,
      roles: ['chair', 'dj'],
      until: { chair: '2027-01-01T05:00:00.000Z', dj: '2027-01-01T05:00:00.000Z' },
    });
  });

  it('that cannot be stored is refused before a second person is asked', async () => {
    await using service = await testApp();
    const olga = await appoint(service, 'olga@club.example', 'owner');
    await appoint(service, 'otto@club.example', 'owner');
    await service.ctx.write((tx) => storeTwoPeople(tx, true, service.clock.now));
    const refused = [
      await give(service, { email: 'omar@club.example', roles: ['officer'], until: '2026-01-01' }, olga),
      await give(service, { email: 'omar@club.example', roles: ['owner'], until: '2026-12-05' }, olga),
      await give(service, { email: 'omar@club.example', roles: ['king'] }, olga),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect((await service.get('/admin/approvals', olga)).json().approvals ?? []).toEqual([]);
  });

  it('that comes earlier waits for a second person as a role that is taken away does', async () => {
    await using service = await testApp();
    const owners = [
      await appoint(service, 'olga@club.example', 'owner'),
      await appoint(service, 'otto@club.example', 'owner'),
    ] as const;
    await appoint(service, 'omar@club.example', 'officer');
    await service.ctx.write((tx) => storeTwoPeople(tx, true, service.clock.now));
    const body = { email: 'omar@club.example', roles: ['officer'], until: '2026-12-05' };

    const asked = await give(service, body, owners[0]);

    expect(asked.statusCode).toBe(202);
    expect(asked.json().approval).toMatchObject({ act: 'Take a role from omar@club.example' });
    const { assignments } = (await service.get('/api/admin/roles', owners[0])).json();
    expect(assignments).toContainEqual({ email: 'omar@club.example', roles: ['officer'] });
  });
});
