import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeDueBackup, reasonOf } from '#kernel/backups.ts';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { backUp, verifyBackup } from '#kernel/db/backup.ts';
import { build } from '#kernel/db/queries.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection } from '#test/support/factories.ts';
import { formAt, press } from '#test/support/forms.ts';
import { expectForbidden, expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { BACKUP_RULES } from '../../../src/backup-rules.ts';

let folder: string;
let service: TestApp;
let owner: Record<string, string>;
let inThread: Context['inThread'];

beforeEach(async () => {
  folder = tempFolder();
  service = await testApp({ DATABASE_URL: `file:${folder}/service.db` });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { ctx } = service;
  inThread = ctx.inThread;
  // To start a thread takes longer than any of these backups.
  ctx.inThread = ({ work }, input) => work({ read: (read) => read(ctx.db), write: ctx.write }, input);
});

/** What the interval job does. */
const job = (on = service) => makeDueBackup(on.ctx, BACKUP_RULES);
const failingJob = () =>
  job().then(
    () => 'made',
    () => 'failed',
  );
const files = () => {
  const inside = fs.existsSync(`${folder}/backups`) ? fs.readdirSync(`${folder}/backups`) : [];
  return inside.filter((name) => name.startsWith('publichouse-')).sort();
};
const get = (url: string) => service.get(url, owner);
const page = (url: string) => service.get(url, { ...owner, accept: 'text/html' });
const submit = (fields: Record<string, string>) => service.submit('/admin/backups', fields, owner);
const list = async () => (await get('/api/admin/backups')).json();
const at = (time: string) => Temporal.Instant.from(time).epochMilliseconds;
const put = (payload: object) =>
  service.request({
    method: 'PUT',
    url: '/api/admin/settings',
    payload,
    headers: { ...owner, accept: 'application/json' },
  });
const set = (backups: object) => put({ backups });
/** Something to save: without an owner there is none. */
const begin = async (on = service) => {
  owner = await appoint(on, 'olga@club.example', 'owner');
  await on.ctx.write((tx) =>
    recordAudit(tx, { ip: 'the test', at: on.clock.now }, { action: 'person.created', metadata: {} }),
  );
};

describe('each night', () => {
  it('a backup is made after its time in the zone of the club, once, verified, without links', async () => {
    service.ctx.inThread = inThread;
    await begin();
    service.clock.now = at('2026-11-22T09:59:00Z');
    await job();
    expect(files()).toEqual([]);
    expect((await list()).next_at).toBe('2026-11-22T10:00:00.000Z');

    service.clock.now = at('2026-11-22T10:00:20Z');
    await job();
    await job();
    const [name = ''] = files();
    expect(files()).toEqual(['publichouse-2026-11-22T10-00-20Z.db']);
    verifyBackup(`${folder}/backups/${name}`);
    const bytes = fs.statSync(`${folder}/backups/${name}`).size;
    expect(await list()).toEqual({
      backups: [{ name, made_at: '2026-11-22T10:00:20.000Z', bytes, verified: true }],
      next_at: '2026-11-23T10:00:00.000Z',
      waits_until: null,
      running: false,
      failure: null,
    });
  });

  it.each([
    ['Europe/Dublin', '05:00', '2026-11-22T05:00:00.000Z'],
    ['Asia/Tokyo', '05:00', '2026-11-21T20:00:00.000Z'],
    ['America/Sao_Paulo', '23:30', '2026-11-22T02:30:00.000Z'],
    ['America/New_York', '12:00', '2026-11-22T17:00:00.000Z'],
  ])('in %s at %s, the next one is at %s', async (time_zone, time, next) => {
    await begin();
    await put({ time_zone, backups: { at: time } });
    expect((await list()).next_at).toBe(next);
  });

  it.each([
    ['a time that the clocks skip', '2026-03-08T06:00:00Z', '02:30', '2026-03-08T07:30:00.000Z'],
    ['a time that comes twice', '2026-11-01T04:00:00Z', '01:30', '2026-11-01T05:30:00.000Z'],
  ])('%s', async (_name, now, time, next) => {
    await begin();
    service.clock.now = at(now);
    await set({ at: time });
    expect((await list()).next_at).toBe(next);
  });

  it('a missed one is made after a start, but an empty service misses none', async () => {
    await job();
    service.clock.now += 3 * DAY;
    await job();
    expect(files()).toEqual([]);

    await begin();
    service.clock.now += 2 * DAY;
    await job();
    expect(files()).toHaveLength(1);
  });

  it('one made by hand after the time counts, one with a time in the future does not', async () => {
    await begin();
    service.clock.now += DAY;
    await backUp(`${folder}/service.db`, { folder: `${folder}/backups`, keep: 14, at: service.clock.now });
    await job();
    expect(files()).toHaveLength(1);

    await backUp(`${folder}/service.db`, {
      folder: `${folder}/backups`,
      keep: 14,
      at: at('2099-01-01T00:00:00Z'),
    });
    service.clock.now += DAY;
    await job();
    expect(files()).toHaveLength(3);
  });

  it('none is made where the club has switched them off, and a change takes effect at once', async () => {
    await begin();
    await set({ enabled: false });
    service.clock.now += 2 * DAY;
    await job();
    expect([files(), (await list()).next_at]).toEqual([[], null]);
    const off = await page('/admin/backups');
    expect(off.body).toContain('turn on nightly backups');

    await set({ enabled: true });
    await job();
    expect(files()).toHaveLength(1);
  });
});

describe('while voting is open', () => {
  it('the nightly one waits for the close, and the pages say so', async () => {
    await begin();
    const close_at = isoTime(at('2026-11-22T18:00:00Z'));
    await addElection(service, { close_at });
    service.clock.now = at('2026-11-22T10:01:00Z');
    await job();
    expect(files()).toEqual([]);
    expect(await list()).toMatchObject({ next_at: close_at, waits_until: close_at });
    expect((await page('/admin/backups')).body).toContain('it waits for the close');
    expect((await page('/admin/health')).body).toContain('waits until voting closes');

    service.clock.now = at(close_at);
    await job();
    expect(files()).toHaveLength(1);
    expect((await list()).waits_until).toBeNull();
  });

  it('one by hand is made only if that is asked for', async () => {
    await begin();
    await addElection(service);
    const refused = await service.post('/api/admin/backups', undefined, owner);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ needs: 'now', error: expect.stringContaining('Voting is open') });
    const form = await submit({});
    expect([form.statusCode, form.body.includes('name="now" value="true"')]).toEqual([409, true]);
    expect(files()).toEqual([]);

    const made = await submit({ now: 'true' });
    expect(made.headers.location).toBe('/admin/backups?done=made');
    expect(files()).toHaveLength(1);
  });
});

describe('one made now', () => {
  it('is made once by two presses of its form', async () => {
    await begin();
    const form = formAt((await page('/admin/backups')).body, '/admin/backups');
    const first = await press(service, form, form.fields, owner);
    await service.ctx.backups.running;
    service.clock.now += 5 * MINUTE;
    const second = await press(service, form, form.fields, owner);
    await service.ctx.backups.running;
    expect([first.statusCode, second.statusCode, second.headers.location]).toEqual([
      303,
      303,
      first.headers.location,
    ]);
    expect(files()).toHaveLength(1);
  });

  it('is answered with 202 before it is ready; two at once are one', async () => {
    await begin();
    const answers = await Promise.all([
      service.post('/api/admin/backups', undefined, owner),
      service.post('/api/admin/backups', {}, owner),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202]);
    await service.ctx.backups.running;
    expect(files()).toHaveLength(1);
    expect((await list()).backups).toHaveLength(1);
  });

  it('is listed on the page without script', async () => {
    await begin();
    await submit({});
    const body = (await page('/admin/backups?done=made')).body;
    expect(body).toContain('The backup was made and checked.');
    expect(body).toContain(`href="/api/admin/backups/${files()[0]}"`);
  });
});

describe('how many are kept', () => {
  it('the oldest go once a new one is ready; damaged ones count, the new one stays', async () => {
    await begin();
    fs.mkdirSync(`${folder}/backups`);
    for (const name of ['2025-01-01T00-00-00Z', '2026-01-01T00-00-00Z', '2098-01-01T00-00-00Z'])
      fs.writeFileSync(`${folder}/backups/publichouse-${name}.db`, 'cut off');
    await set({ keep: 2 });
    expect(files()).toHaveLength(3);
    expect((await list()).backups.map(({ verified }: { verified: boolean }) => verified)).toEqual([
      false,
      false,
      false,
    ]);

    await submit({});
    expect(files()).toEqual(['publichouse-2026-11-21T17-00-00Z.db', 'publichouse-2098-01-01T00-00-00Z.db']);
    expect((await page('/admin/backups')).body).toContain('Damaged');
  });

  it.each([
    [{ keep: 0 }, 'backups.keep'],
    [{ keep: 'many' }, 'backups.keep'],
    [{ keep: 2.5 }, 'backups.keep'],
    [{ at: '24:00' }, 'backups.at'],
    [{ at: '5' }, 'backups.at'],
    [{ enabled: 'perhaps' }, 'backups.enabled'],
  ])('%o is refused', async (backups, path) => {
    await begin();
    const refused = await set({ ...backups, keep: 3, ...backups });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, path]);
    expect((await get('/api/admin/settings')).json().settings.backups).toEqual({
      enabled: true,
      at: '05:00',
      keep: 14,
    });
  });
});

describe('a failure', () => {
  it('is told, leaves nothing behind, deletes nothing, and is tried again later', async () => {
    await begin();
    fs.writeFileSync(`${folder}/backups`, 'not a folder');
    service.clock.now += DAY;
    expect(await failingJob()).toBe('failed');
    const { failure, next_at } = await list();
    expect(failure.error).toBe('There is something else in place of the folder of the backups.');
    expect(next_at).toBe(isoTime(service.clock.now + 5 * MINUTE));
    const told = await page('/admin/backups');
    expect(told.body).toContain('The last backup could not be made');
    expect((await page('/admin/health')).body).toContain('It could not be made');
    expect((await service.get('/metrics')).body).toContain('publichouse_check_severity{check="backup"} 2');
    const byHand = await submit({});
    expect(byHand.headers.location).toBe('/admin/backups');

    // Not in each interval: each try copies the whole database.
    expect(await failingJob()).toBe('made');
    fs.rmSync(`${folder}/backups`);
    service.clock.now += HOUR;
    await job();
    expect(files()).toHaveLength(1);
    expect((await list()).failure).toBeNull();
    expect((await service.get('/metrics')).body).toContain('publichouse_check_severity{check="backup"} 0');
  });

  it.each([
    // It says that it has no room, as a full disk does.
    ['a disk without room', '/sys', / has too little room for a backup: 0 MB are free, \d+ MB are needed\.$/],
    ['a disk that is not there', '/nowhere/at/all', /^The folder of the backups is missing\. If it is on/],
  ])('is told where the folder is on %s', async (_what, place, reason) => {
    await begin();
    fs.symlinkSync(place, `${folder}/backups`);
    service.clock.now += DAY;
    expect(await failingJob()).toBe('failed');
    expect((await list()).failure.error).toMatch(reason);
    expect((await page('/admin/backups')).body).toContain('The last backup could not be made');
  });

  it.each([
    ['ENOSPC', 'The disk is full.'],
    ['SQLITE_FULL', 'The disk is full.'],
    ['EROFS', 'The folder of the backups cannot be written.'],
    ['EACCES', 'The folder of the backups cannot be written.'],
    ['SQLITE_CANTOPEN', 'The folder of the backups cannot be written.'],
  ])('is told in words: %s', (code, sentence) => {
    expect(reasonOf(Object.assign(new Error(`${code}: raw text`), { code })).for(ENGLISH)).toBe(sentence);
  });

  it('a copy that would fill the disk is not begun, and what an interrupted one left is deleted', async () => {
    const at = Date.now();
    const file = `${folder}/large.db`;
    fs.writeFileSync(file, '');
    fs.truncateSync(file, 2 ** 43);
    fs.mkdirSync(`${folder}/backups`);
    const [old, recent] = ['2026-01-01', '2026-01-02'].map(
      (day) => `${folder}/backups/publichouse-${day}T00-00-00Z.db.unfinished`,
    );
    for (const left of [old!, recent!]) fs.writeFileSync(left, 'half');
    fs.utimesSync(old!, new Date(at - 2 * HOUR), new Date(at - 2 * HOUR));

    await expect(backUp(file, { folder: `${folder}/backups`, keep: 1, at })).rejects.toThrow(
      'too little room',
    );
    expect(files()).toEqual([path.basename(recent!)]);
  });
});

describe('the files', () => {
  it('are for owners with a fresh proof, and each download is audited', async () => {
    await begin();
    const olga = await signedIn(service, 'owner');
    const manager = await signedIn(service, 'manager');
    await submit({});
    const [name = ''] = files();
    const url = `/api/admin/backups/${name}`;

    const file = await service.request({ url, headers: olga });
    expect(file.headers).toMatchObject({
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': String(file.rawPayload.length),
      'cache-control': 'no-store',
    });
    const copy = `${folder}/downloaded.db`;
    fs.writeFileSync(copy, file.rawPayload);
    verifyBackup(copy);
    const downloads = build
      .selectFrom('audit_log')
      .select('metadata')
      .where('action', '=', 'backup.downloaded');
    const log = service.ctx.db.all(downloads);
    expect(JSON.stringify(log)).toContain(name);

    expectForbidden(await service.request({ url, headers: manager }), 'settings:write');
    service.clock.now += 11 * MINUTE;
    expect((await service.request({ url, headers: olga })).json()).toMatchObject({ sudo: true });
  });

  it.each([
    '../service.db',
    '..%2Fservice.db',
    'service.db',
    'publichouse-2026-01-01T00-00-00Z.db',
    '.',
    'erasures.log',
  ])('%s is not found', async (name) => {
    await begin();
    await submit({});
    expectRefusal(await get(`/api/admin/backups/${name}`), 404, 'not_found');
  });

  it('hold no sealed secret of a setting; a service restored from one asks for it in words', async () => {
    await begin();
    const mail = {
      host: 'mail.club.example',
      user: 'votes',
      password: 'secret of mail',
      from_email: 'v@club.example',
    };
    expect((await put({ mail, base_url: 'https://club.example' })).statusCode).toBe(200);
    expect((await page('/admin/settings')).body).not.toContain('No mail can be sent');
    await submit({});
    const restored = `${folder}/restored.db`;
    fs.copyFileSync(`${folder}/backups/${files()[0]}`, restored);
    const copy = new Sqlite(restored);
    expect(copy.prepare('SELECT count(*) FROM settings WHERE sealed = 1').pluck().get()).toBe(0);
    copy.close();
    fs.copyFileSync(`${folder}/service.key`, `${folder}/restored.key`);

    await using later = await testApp({ DATABASE_URL: `file:${restored}` });
    const asked = await later.get('/admin/settings', { ...owner, accept: 'text/html' });
    expect(asked.body).toContain('Enter the password of the mail server');
    const health = await later.get('/admin/health', { ...owner, accept: 'text/html' });
    expect(health.body).toContain('Enter the password of the mail server in the settings.');
    expect((await page('/admin/backups')).body).toContain('npm run admin -- sign-in-link');
  });
});

it('a database in memory has no backups', async () => {
  await using other = await testApp();
  await begin(other);
  other.clock.now += 2 * DAY;
  await job(other);
  expect((await other.get('/api/admin/backups', owner)).json()).toMatchObject({ backups: [], next_at: null });
  expectRefusal(await other.post('/api/admin/backups', undefined, owner), 409, 'nothing_to_back_up');
  expect((await other.get('/admin/backups', { ...owner, accept: 'text/html' })).statusCode).toBe(200);
});
