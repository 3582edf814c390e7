import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { keyWarning } from '#kernel/db/key-check.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { tempFolder } from '#test/support/process/process.ts';

const LOUD = 'The key is not the one with which this database was used';

const owner = { 'edge-access-authenticated-user-email': 'olga@club.example' };

const isLoud = ({ logged }: TestApp) => logged.some((line) => line.includes(LOUD));

const ofKey = async (service: TestApp) => {
  const page = await service.get('/admin/health', { accept: 'text/html', ...owner });
  const text = page.body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  return {
    page: /Key (Fine|Look at it|Not working) [^.]*\./.exec(text)?.[0],
    logged: isLoud(service),
  };
};

test('a lost key is reported loudly until the earlier one is back, or for thirty days', async () => {
  const folder = tempFolder();
  const [file, key] = [path.join(folder, 'service.db'), path.join(folder, 'service.key')];
  const open = (env: Record<string, string> = {}) => testApp({ DATABASE_URL: `file:${file}`, ...env });
  const fine = { page: 'Key Fine It is the one of this database.', logged: false };
  {
    await using service = await open();
    await appoint(service, 'olga@club.example', 'owner');
    expect(await ofKey(service)).toEqual(fine);
  }
  fs.renameSync(key, `${key}.copy`);
  expect(keyWarning(file, { SECRET_KEY: undefined })).toContain(`There is no key file at ${key}`);
  {
    await using service = await open();
    expect(await ofKey(service)).toEqual({ page: 'Key Not working Another one since noon.', logged: true });
    service.clock.now += 31 * DAY;
    expect((await ofKey(service)).page).toBe(fine.page);
  }
  {
    await using service = await open();
    expect((await ofKey(service)).page).toBe('Key Not working Another one since noon.');
  }
  fs.renameSync(`${key}.copy`, key);
  expect(keyWarning(file, { SECRET_KEY: undefined })).toContain(`${key} is not the key of this database`);
  {
    await using service = await open();
    expect(await ofKey(service)).toEqual(fine);
  }
  expect(keyWarning(file, { SECRET_KEY: undefined })).toBeUndefined();
  expect(keyWarning(file, { SECRET_KEY: 'x'.repeat(32) })).toContain('SECRET_KEY is not the key');
  {
    await using service = await open({ SECRET_KEY: 'x'.repeat(32) });
    expect(isLoud(service)).toBe(true);
  }
});

test('a new key is reported for a database that recorded no key, if it has calendar subscribers', async () => {
  const folder = tempFolder();
  const DATABASE_URL = `file:${path.join(folder, 'service.db')}`;
  const logged: boolean[] = [];
  for (const subscribed of [false, true]) {
    await using service = await testApp({ DATABASE_URL });
    logged.push(isLoud(service));
    const { ctx } = service;
    await ctx.write((tx) => tx.run(build.deleteFrom('settings').where('name', '=', 'key')));
    if (!subscribed)
      await ctx.write((tx) =>
        tx.run(
          build.insertInto('subscribers').values({
            id: 's',
            calendar_id: 'programs',
            email: 'ann@club.example',
            name: 'Ann',
            search: 'ann',
            created_at: 1,
            verified_at: 1,
          }),
        ),
      );
    fs.rmSync(path.join(folder, 'service.key'));
  }
  expect(logged).toEqual([false, true]);
});
