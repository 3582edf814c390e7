import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#kernel/db/database.ts';
import { build } from '#kernel/db/queries.ts';
import { type PictureHost, startPictureHost } from '#test/stand-ins/picture-host.ts';
import {
  DATABASES,
  event,
  file,
  onTv,
  type PubPages,
  pubDatabases,
  record,
  tick,
} from '#test/stand-ins/pub-workspace.ts';
import { KEY, startWorkspace } from '#test/stand-ins/workspace-server.ts';
import { INHERITED, startHere, tempFolder } from '#test/support/process/process.ts';
import { runScript } from '#test/support/process/script-runner.ts';

const SCRIPT = path.join(import.meta.dirname, '../../scripts/workspace-import.ts');
const NAMES = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];

const SETTINGS: Partial<Record<keyof PubPages, string>> = {
  announcements: 'WORKSPACE_ANNOUNCEMENTS_DATABASE_ID',
  events: 'WORKSPACE_EVENTS_DATABASE_ID',
  tenders: 'WORKSPACE_PUB_TENDERS_DATABASE_ID',
};

const pagesOf = ({ urlOf }: PictureHost): PubPages => ({
  tenders: [record('Ann Lee', { Active: tick() })],
  announcements: NAMES.map((name) => record(name, { ...onTv, Image: file(urlOf(name)) })),
  events: [event('Quiz', new Date(Date.now() + 3_600_000).toISOString())],
});

/** Between two calls to the workspace a third of a second passes, so only what a test looks at is imported. */
async function startClub(...imported: (keyof PubPages)[]) {
  const folder = tempFolder();
  const pictures = await startPictureHost();
  const workspace = await startWorkspace(pubDatabases(pagesOf(pictures)));
  onTestFinished(async () => {
    await workspace[Symbol.asyncDispose]();
    await pictures[Symbol.asyncDispose]();
  });
  const env = {
    DATABASE_URL: `file:${folder}/service.db`,
    WORKSPACE_API_KEY: KEY,
    WORKSPACE_API_URL: workspace.url,
    ...Object.fromEntries(imported.map((name) => [SETTINGS[name], DATABASES[name][0]])),
  };
  const spawnImport = (...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [SCRIPT, ...args], {
      cwd: folder,
      env: { ...INHERITED, ...env },
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  return {
    folder,
    pictures,
    env,
    spawnImport,
    run: (...args: string[]) =>
      runScript({ script: SCRIPT, args, cwd: folder, env: { ...INHERITED, ...env } }),
    /** Titles of the stored records. */
    stored() {
      using database = openDatabase(`${folder}/service.db`);
      const rows = database.db.all(
        build
          .selectFrom('content_records as record')
          .innerJoin('content_revisions as revision', 'revision.record_id', 'record.id')
          .select('revision.body'),
      );
      return rows.map(({ body }) => JSON.parse(body)).map(({ title, full_name }) => title ?? full_name);
    },
  };
}

test('an import that is killed is completed by the next one, with nothing imported twice', async () => {
  const club = await startClub('tenders', 'announcements', 'events');
  const reached = Promise.withResolvers<void>();
  club.pictures.faults.set('Four', () => reached.resolve());
  const child = club.spawnImport();
  await reached.promise;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(club.stored().sort()).toEqual(['Ann Lee', 'One', 'Three', 'Two']);

  club.pictures.faults.clear();
  const { code, stdout } = await club.run();
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    '4 new, 0 changed, 4 as before, 0 kept as they are here, 0 left out.',
  ]);
  expect(club.stored().sort()).toEqual(['Ann Lee', 'Quiz', ...NAMES].sort());

  const service = await startHere(club.folder, club.env);
  const feed = await fetch(`${service.url}/api/events`).then((answer) => answer.json());
  expect(feed.announcements.map(({ title }: { title: string }) => title).sort()).toEqual(NAMES.toSorted());
  for (const { imageUrl } of feed.announcements)
    expect((await fetch(service.url + imageUrl)).status).toBe(200);
});

test('a dry run stores nothing; while the service runs, both refer to the page for it', async () => {
  const club = await startClub('announcements');
  club.pictures.faults.set('Two', (response) => void response.writeHead(404).end());

  const dry = await club.run('--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.stdout).toMatch(/^note: announcement “Two” \w{32}: its picture did not come: it answered 404$/m);
  expect(dry.stdout).toContain('It would be: 6 new,');
  expect(club.stored()).toEqual([]);

  await startHere(club.folder, club.env);
  for (const args of [[], ['--dry-run']]) {
    const { code, stderr } = await club.run(...args);
    expect([code, stderr]).toEqual([
      1,
      'The service is running. Import at http://127.0.0.1:3000/admin/content/import, or stop it first.\n',
    ]);
  }
  expect((await club.run('--all')).code).toBe(1);
  expect(club.stored()).toEqual([]);
});
