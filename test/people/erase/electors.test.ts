import { expect, it } from 'vitest';
import { DAY, HOUR } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteOldPersonalData } from '#people/retention.ts';
import { cast } from '#test/support/factories.ts';
import { type Electorate, openElectorate, person, tokenIn } from '#test/voting/electors/electorate.ts';
import { deleteOldTrials } from '#voting/elections/trials.ts';

const electorsOf = ({ service }: Electorate) =>
  service.ctx.db.all(build.selectFrom('electors').select(['name', 'email', 'standing']).orderBy('name'));
const erase = (club: Electorate, id: unknown) => club.call('POST', `people/${id}/erase`);

/** Creates a couple with one address and a member without one as electors; one of the couple has voted. */
async function openCouple() {
  const club = await openElectorate();
  const ann = await club.add(person('Ann Doe', 'does@home.example'));
  await club.add(person('Bob Doe', 'does@home.example'));
  const slip = await club.add(person('Cleo Quux', null));
  const id = await club.election();
  await club.invite(id, { roll: { kinds: ['full'], on: '2026-05-01' } });
  club.service.clock.now += HOUR;
  await club.sendAll();
  const mail = club.mails.mails.find(({ text }) => text.includes('Ann Doe'))!;
  expect((await cast(club.service, id, { token: tokenIn(mail), choice: 'yes' })).statusCode).toBe(200);
  return { club, ann, slip, id };
}

it('an elector is erased once the election is over, and the partner with the same address stays', async () => {
  const { club, ann, slip, id } = await openCouple();
  await using _ = club;
  for (const { id: elector } of [ann, slip])
    expect(await erase(club, elector)).toMatchObject({ status: 409, body: { elections: [{ id }] } });
  await club.service.post(`/admin/elections/${id}/close`, undefined, club.olga);
  const turnout = async () => (await club.service.get(`/admin/elections/${id}`, club.olga)).json().turnout;
  const before = await turnout();

  for (const { id: elector } of [ann, slip]) expect((await erase(club, elector)).status).toBe(200);

  expect(electorsOf(club)).toEqual([
    { name: '', email: null, standing: 'full' },
    { name: '', email: null, standing: 'full' },
    { name: 'Bob Doe', email: 'does@home.example', standing: 'full' },
  ]);
  const invites = club.service.ctx.db.all(build.selectFrom('invites').select('email').orderBy('email'));
  expect(invites.map(({ email }) => email)).toEqual(['', '', 'does@home.example']);
  expect(await turnout()).toEqual(before);
  const sent = await club.service.post(`/admin/elections/${id}/results-email`, {}, club.olga);
  expect(sent.json().summary).toMatchObject({ total: 1, sent: 1 });
});

it('an elector of a trial is erased once it is over, and is not in the way before it is deleted', async () => {
  await using club = await openElectorate();
  const { service } = club;
  const { id: ann } = await club.add(person('Ann Quux', 'ann@quux.example'));
  const id = await club.election({ trial: true });
  await club.invite(id, { roll: { kinds: ['full'], on: '2026-05-01' } });
  expect((await erase(club, ann)).status).toBe(409);
  await service.post(`/admin/elections/${id}/close`, undefined, club.olga);

  expect((await erase(club, ann)).status).toBe(200);
  expect(electorsOf(club)).toEqual([{ name: '', email: null, standing: 'full' }]);
  const invites = service.ctx.db.all(build.selectFrom('invites').select(['email', 'recipient_name']));
  expect(invites).toEqual([{ email: '', recipient_name: null }]);
  service.clock.now += 7 * DAY;
  await deleteOldTrials(service.ctx);
  expect(electorsOf(club)).toEqual([]);
});

it('names of electors are deleted a year after the close', async () => {
  const { club, id } = await openCouple();
  await using _ = club;
  await club.service.post(`/admin/elections/${id}/close`, undefined, club.olga);
  const names = async (after: number) => {
    club.service.clock.now += after;
    await deleteOldPersonalData(club.service.ctx);
    return electorsOf(club).map(({ name, email }) => `${name} ${email}`);
  };
  expect(await names(365 * DAY - 1)).toContain('Bob Doe does@home.example');
  expect(await names(1)).toEqual([' null', ' null', ' null']);
});

it('an elector whose code was deleted can be erased while voting is open', async () => {
  const { club, slip, id } = await openCouple();
  await using _ = club;
  await club.service.ctx.write((tx) =>
    tx.run(build.deleteFrom('tokens').where('election_id', '=', id).where('used_at', 'is', null)),
  );
  expect((await erase(club, slip.id)).status).toBe(200);
  expect(electorsOf(club).map(({ name }) => name)).toEqual(['', 'Ann Doe', 'Bob Doe']);
});
