import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { finishErasures } from '#people/erase/finish.ts';
import { addToJournal, readJournal } from '#people/erase/journal.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openClub } from '#test/support/people/roll.ts';
import { INHERITED, tempFolder } from '#test/support/process/process.ts';
import { runScript } from '#test/support/process/script-runner.ts';

const script = (name: string) => path.join(import.meta.dirname, `../../../scripts/${name}.ts`);

/** Runs a script on the database in a folder. @returns what it printed */
async function run(folder: string, name: string, ...args: string[]): Promise<string> {
  const env = { ...INHERITED, DATABASE_URL: `file:${folder}/service.db` };
  const { code, stdout, stderr } = await runScript({ script: script(name), args, cwd: folder, env });
  expect(code, stderr).toBe(0);
  return stdout;
}

const at = (folder: string) => openClub({ DATABASE_URL: `file:${folder}/service.db` });
const ids = async (club: Awaited<ReturnType<typeof at>>) =>
  (await club.call('GET', 'people?q=home.example')).body.people.map(({ id }: { id: string }) => id);

it('an erased person is erased again when an older backup is restored, also on another machine', async () => {
  const folder = tempFolder();
  const elsewhere = tempFolder();
  const older = 'publichouse-2026-01-01T00-00-00Z.db';
  let ann: string;
  {
    await using club = await at(folder);
    await appoint(club.service, 'olga@club.example', 'owner');
    ann = (await club.add({ name: 'Ann Doe', addresses: [{ email: 'ann@home.example' }] })).id;
    await club.add({ name: 'Bob', addresses: [{ email: 'bob@home.example' }] });
    await run(folder, 'backup');
    const [made = ''] = fs.readdirSync(`${folder}/backups`);
    fs.renameSync(`${folder}/backups/${made}`, `${folder}/backups/${older}`);
    expect((await club.call('POST', `people/${ann}/erase`)).status).toBe(200);
    const journal = fs.readFileSync(`${folder}/erasures.log`, 'utf8');
    expect(journal).toBe(`2026-11-21T17:00:00.000Z ${ann}\n`);
    expect((fs.statSync(`${folder}/erasures.log`).mode & 0o777).toString(8)).toBe('600');
  }
  expect(fs.readFileSync(`${folder}/backups/${older}`, 'latin1')).toContain('ann@home.example');
  await run(folder, 'backup', `${folder}/backups`, '--keep', '3');
  fs.cpSync(`${folder}/backups`, `${elsewhere}/backups`, { recursive: true });

  for (const place of [folder, elsewhere]) {
    const said = await run(place, 'restore', `${place}/backups/${older}`);
    expect(said).toContain('erased again: 1');
    const bytes = ['service.db', 'service.db-wal']
      .filter((name) => fs.existsSync(`${place}/${name}`))
      .map((name) => fs.readFileSync(`${place}/${name}`, 'latin1'));
    expect(bytes.join()).not.toMatch(/ann@home|Ann Doe/);
    expect(bytes.join()).toContain('bob@home.example');
  }
});

it('a service erases people in the journal again, and adds those who are missing there', async () => {
  const folder = tempFolder();
  await using club = await at(folder);
  const ann = await club.add({ name: 'Ann', addresses: [{ email: 'ann@home.example' }] });
  const bob = await club.add({ name: 'Bob', addresses: [{ email: 'bob@home.example' }] });
  addToJournal(`${folder}/erasures.log`, [[ann.id, 0]]);
  await finishErasures(club.service.ctx);
  expect(await ids(club)).toEqual([bob.id]);

  fs.rmSync(`${folder}/erasures.log`);
  await finishErasures(club.service.ctx);
  expect([...readJournal(`${folder}/erasures.log`).keys()]).toEqual([ann.id]);
});

it('an incomplete or invalid line does not affect other lines', () => {
  const file = `${tempFolder()}/erasures.log`;
  fs.writeFileSync(file, '1970-01-01T00:00:00.001Z ann\nnonsense\n1970-01-01T00:00:0');
  addToJournal(file, [
    ['ann', 5],
    ['bob', 2],
  ]);
  expect([...readJournal(file)]).toEqual([
    ['ann', 1],
    ['bob', 2],
  ]);
});
