import { expect, it } from 'vitest';
import { DAY, HOUR } from '#kernel/clock.ts';
import { recordAudit, verifyAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { createPerson } from '#people/persons.ts';
import { deleteOldPersonalData } from '#people/retention.ts';
import { testApp } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession } from '#test/support/people/people.ts';
import { openClub } from '#test/support/people/roll.ts';

it('sessions are deleted 30 days after their end', async () => {
  await using service = await testApp();
  await appoint(service, 'olga@club.example', 'owner');
  const olga = service.ctx.db.first(build.selectFrom('persons').select('id'))!.id;
  const ann = await service.ctx.write((tx) =>
    createPerson(tx, { name: 'Ann', email: 'ann@home.example' }, { ip: 'test', at: service.clock.now }),
  );
  await addSession(service, ann, { stay: false });
  await addSession(service, ann, { stay: true });
  await addSession(service, olga, { stay: true });
  const start = service.clock.now;
  const left = async (after: number) => {
    service.clock.now = start + after;
    await deleteOldPersonalData(service.ctx);
    return service.ctx.db
      .all(build.selectFrom('sessions').select(['person_id', 'stay']).orderBy('stay'))
      .map(({ person_id, stay }) => `${person_id === ann ? 'ann' : 'olga'} ${stay}`)
      .sort();
  };
  expect(await left(30 * DAY + 12 * HOUR)).toEqual(['ann 0', 'ann 1', 'olga 1']);
  expect(await left(30 * DAY + 12 * HOUR + 1)).toEqual(['ann 1', 'olga 1']);
  expect(await left(37 * DAY + 1)).toEqual(['ann 1']);
  expect(await left(60 * DAY)).toEqual(['ann 1']);
  expect(await left(60 * DAY + 1)).toEqual([]);
});

it('sessions of people whose roles have all ended are deleted as those of members', async () => {
  await using service = await testApp();
  await appoint(service, 'dora@club.example', 'dj');
  const dora = service.ctx.db.first(build.selectFrom('persons').select('id'))!.id;
  await addSession(service, dora);
  const until = service.clock.now + DAY;
  await service.ctx.write((tx) => tx.run(build.updateTable('person_roles').set({ until })));
  const start = service.clock.now;
  const left = async (after: number) => {
    service.clock.now = start + after;
    await deleteOldPersonalData(service.ctx);
    return service.ctx.db.all(build.selectFrom('sessions').select('id')).length;
  };
  expect(await left(60 * DAY)).toBe(1);
  expect(await left(60 * DAY + 1)).toBe(0);
});

it('client addresses of the audit log are deleted after 90 days, and other personal data is not', async () => {
  await using service = await testApp();
  await service.ctx.write((tx) => {
    const actor = { ip: '198.51.100.1', at: service.clock.now, by: 'ann@club.example' };
    for (let entry = 0; entry < 501; entry += 1) recordAudit(tx, actor, { action: 'play.hidden' });
  });
  service.clock.now += 90 * DAY - 1;
  const counts = async () => {
    await deleteOldPersonalData(service.ctx);
    return service.ctx.db.first(
      build
        .selectFrom('audit_log')
        .select((of) => [
          of.fn.count<number>('client').as('clients'),
          of.fn.count<number>('personal').as('personal'),
        ]),
    );
  };
  expect(await counts()).toEqual({ clients: 501, personal: 501 });
  service.clock.now += 1;
  expect(await counts()).toEqual({ clients: 0, personal: 501 });
  expect(verifyAudit(service.ctx.db)).not.toHaveProperty('broken');
});

it('an import that can no longer be undone keeps no data of the people whom it changed', async () => {
  await using club = await openClub();
  const csv = 'number,name\n1,Ann\n';
  const { check } = (await club.call('POST', 'people/import', { csv, dry_run: true })).body;
  await club.call('POST', 'people/import', { csv, dry_run: false, check });
  const kept = async () => {
    await deleteOldPersonalData(club.service.ctx);
    return club.service.ctx.db.all(build.selectFrom('import_changes').select('batch_id')).length;
  };
  club.service.clock.now += 30 * DAY;
  expect(await kept()).toBe(1);
  club.service.clock.now += 1;
  expect(await kept()).toBe(0);
});
