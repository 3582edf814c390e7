// Imports the roll of the club from a CSV text, as a club would.
import { ACCOUNTS } from './accounts.ts';
import type { DemoClub } from './clubs/club.ts';
import { addressOf, VOTERS } from './elections.ts';
import type { Service } from './service.ts';

/** Imports as many members as there are voters in the big election. */
export async function fillTheRoll(service: Service, club: DemoClub, count = VOTERS): Promise<void> {
  for (const name of club.kinds) await service.post('/api/admin/kinds', { name });
  const csv = rollOf(club, service.ctx.now(), count);
  await service.post('/api/admin/groups', { name: club.group });
  const { check } = await service.post('/api/admin/people/import', { csv, dry_run: true });
  await service.post('/api/admin/people/import', { csv, check, dry_run: false });
}

function rollOf(
  { people, firstNames, lastNames, kinds, group }: DemoClub,
  now: number,
  count: number,
): string {
  const first = firstNames.split(' ');
  const last = lastNames.split(' ');
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate();
  const rows = ['number,name,email,kind,since,groups'];
  const known = [...ACCOUNTS, ...people.map((name) => ({ name, email: addressOf(name) }))];
  for (const { name, email } of known)
    rows.push(`${rows.length},${name},${email},${kinds[0]},2014-01-01,${group}`);
  for (let who = 0; rows.length <= count; who++) {
    const round = Math.floor(who / first.length);
    const surname = last[(who + round * 7) % last.length];
    // Each pair of first and last name occurs once; after that a middle initial is added.
    const initial = round < last.length ? '' : ` ${String.fromCharCode(65 + (who % 12))}.`;
    const kind = kinds[who % 17 === 3 ? 1 : who % 41 === 7 ? 2 : 0];
    const since = today.subtract({ days: (who * 97) % 9_000 });
    const name = `${first[who % first.length]}${initial} ${surname}`;
    rows.push(`${rows.length},${name},member${rows.length}@club.example,${kind},${since},`);
  }
  return rows.join('\n');
}
