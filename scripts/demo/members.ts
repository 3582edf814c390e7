// The roll of the club, brought in from a CSV file as a club would.
import type { DemoClub } from './clubs/club.ts';
import { addressOf, VOTERS } from './elections.ts';
import type { Service } from './service.ts';

/** As many members as vote in the big election. */
export async function fillTheRoll(service: Service, club: DemoClub): Promise<void> {
  for (const name of club.kinds) await service.post('/api/admin/kinds', { name });
  const csv = rollOf(club, service.ctx.now());
  const { check } = await service.post('/api/admin/people/import', { csv, dry_run: true });
  await service.post('/api/admin/people/import', { csv, check, dry_run: false });
}

function rollOf({ people, firstNames, lastNames, kinds }: DemoClub, now: number): string {
  const first = firstNames.split(' ');
  const last = lastNames.split(' ');
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate();
  const rows = ['number,name,email,kind,since'];
  for (const name of people) rows.push(`${rows.length},${name},${addressOf(name)},${kinds[0]},2014-01-01`);
  for (let who = 0; rows.length <= VOTERS; who++) {
    const name = `${first[who % first.length]} ${last[(who + Math.floor(who / first.length) * 7) % last.length]}`;
    const kind = kinds[who % 17 === 3 ? 1 : who % 41 === 7 ? 2 : 0];
    const since = today.subtract({ days: (who * 97) % 9_000 });
    rows.push(`${rows.length},${name},member${rows.length}@club.example,${kind},${since}`);
  }
  return rows.join('\n');
}
