// npm run admin -- grant <email> <role> | revoke <email> <role> | list: who may do what in the pub and the calendar.
// It works beside the running service, and before its first start.
import { z } from 'zod';
import { ROLES } from '#kernel/access/roles.ts';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { migrate } from '#kernel/db/connection.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { emailAddress } from '#kernel/http/validation.ts';
import { grantRole, listAssignments, RoleName, revokeRole } from '#people/roles.ts';

const USAGE = `Usage: npm run admin -- grant <email> <role>
       npm run admin -- revoke <email> <role>
       npm run admin -- list
Roles: ${Object.keys(ROLES).join(', ')}`;

const Wish = z.union([
  z.tuple([z.literal('list')]),
  z.tuple([z.enum(['grant', 'revoke']), z.string(), z.string()]),
]);

process.umask(0o077);
try {
  const wish = Wish.safeParse(process.argv.slice(2));
  if (!wish.success) throw new Error(USAGE);
  const [verb, address, name] = wish.data;
  using database = openDatabase(readConfig().DATABASE_URL.slice('file:'.length));
  await migrate(database.sqlite);

  if (verb === 'list') {
    const people = await listAssignments(database);
    if (people.length === 0) console.log('Nobody has a role yet: npm run admin -- grant <email> owner');
    for (const { email, roles } of people) console.log(`${email}: ${roles.join(', ')}`);
  } else {
    const email = read(emailAddress, address);
    const role = read(RoleName, name);
    const actor = { ip: 'shell', at: systemClock(), by: 'shell' };
    const [change, done, idle] =
      verb === 'grant'
        ? ([grantRole, `is ${role} now`, `is ${role} already`] as const)
        : ([revokeRole, `is no longer ${role}`, `is not ${role}`] as const);
    console.log(`${email} ${(await change(database, email, role, actor)) ? done : idle}.`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  const answer = schema.safeParse(text);
  if (answer.success) return answer.data;
  throw new Error(`${text}: ${answer.error.issues[0]?.message}\n${USAGE}`);
}
