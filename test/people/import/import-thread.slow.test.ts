import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifyAudit } from '#kernel/db/audit.ts';
import { openClub } from '#test/support/people/roll.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { apply, check, counts } from './import-steps.ts';

test('an import into a database on disk runs in its own thread, and the audit log stays valid', async () => {
  const file = path.join(tempFolder(), 'service.db');
  await using club = await openClub({ DATABASE_URL: `file:${file}`, LOCALE: 'de-DE' });
  const rows = Array.from(
    { length: 120 },
    (_, index) => `${index + 1},Person ${index},p${index}@club.example`,
  );
  const done = await apply(club, `number,name,email\n${rows.join('\n')}\n`);
  expect(done.counts).toEqual(counts({ new: 120 }));
  expect((await club.call('GET', 'people?q=p119@')).body.total).toBe(1);
  const nameless = await check(club, 'when,where\n1,2\n');
  expect([nameless.status, nameless.columns.length]).toEqual([400, 2]);
  const long = await check(club, `name${'\nAnn Doe'.repeat(20_001)}`);
  expect(long.error).toContain('20,000');
  const stale = await Promise.all([1, 2].map((n) => apply(club, `number,name\n${n},Other ${n}\n`)));
  expect(stale.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  await club.add({ name: 'Zoe' });
  const logs = (await club.call('GET', 'audit?action=people.imported')).body;
  expect(logs.total).toBeGreaterThan(0);
  expect(verifyAudit(club.service.ctx.db).broken).toBeUndefined();
  expect((await club.call('POST', `people/import/${done.batch}/undo`)).status).toBe(409);
  expect(fs.existsSync(file)).toBe(true);
});
