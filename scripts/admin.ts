// npm run admin -- grant <email> <role> | revoke <email> <role> | list: changes or lists the roles of people.
// npm run admin -- sign-in-link <email>: prints a sign-in link for somebody whose mail does not arrive.
// npm run admin -- sign-out <email>: ends all sessions of the people with this address.
// Works while the service runs, and before its first start. Exit code 1: the message says what is wrong; 3: the database
// is of an earlier version, which only a start of the service migrates; 64: an unknown option.

import fs from 'node:fs';
import { z } from 'zod';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { ROLES } from '#kernel/access/roles.ts';
import { endSessions } from '#kernel/access/sessions.ts';
import { systemClock } from '#kernel/clock.ts';
import { ownAddress, readConfig } from '#kernel/config.ts';
import { ensureNotEarlier, migrate } from '#kernel/db/connection.ts';
import { openDatabase } from '#kernel/db/database.ts';
import { EarlierVersion } from '#kernel/db/database-error.ts';
import { findSettings } from '#kernel/db/settings.ts';
import { emailAddress, fieldErrors } from '#kernel/http/validation.ts';
import { grantRole, listAssignments, RoleName, revokeRole } from '#people/roles.ts';
import { makeSignInLink } from '#people/sign-in-links.ts';

const USAGE = `Usage: npm run admin -- grant <email> <role>
       npm run admin -- revoke <email> <role>
       npm run admin -- list
       npm run admin -- sign-in-link <email>
       npm run admin -- sign-out <email>
Roles: ${Object.keys(ROLES).join(', ')}`;

const Wish = z.union([
  z.tuple([z.literal('list')]),
  z.tuple([z.enum(['sign-in-link', 'sign-out']), z.string()]),
  z.tuple([z.enum(['grant', 'revoke']), z.string(), z.string()]),
]);

process.umask(0o077);
try {
  const wish = Wish.safeParse(process.argv.slice(2));
  if (!wish.success) throw new Error(USAGE);
  const [verb, address, name] = wish.data;
  const config = readConfig();
  const file = config.DATABASE_URL.slice('file:'.length);
  ensureNotEarlier(file);
  // If the service gets its DATABASE_URL from elsewhere, this would be a different database.
  if (!fs.existsSync(file)) console.error(`There was no database at ${file}: a new one is made.`);
  using database = openDatabase(file);
  const actor = { ip: 'shell', at: systemClock(), by: 'shell' };
  await migrate(database.sqlite);

  if (verb === 'list') {
    const people = listAssignments({ db: database.db, now: systemClock });
    if (people.length === 0) console.log('Nobody has a role yet: npm run admin -- grant <email> owner');
    for (const { email, roles } of people) console.log(`${email}: ${roles.join(', ')}`);
  } else if (verb === 'sign-in-link') {
    const path = await makeSignInLink(database, read(emailAddress, address ?? ''), actor);
    const known = config.BASE_URL ?? findSettings(database.db).base_url;
    console.log(`${known ?? ownAddress(config)}${path}`);
    if (!known) console.log('If the service was started with another PORT or HOST, put those in.');
    console.log('It works for 15 minutes, once, in any browser: hand it to nobody else.');
  } else if (verb === 'sign-out') {
    const people = listPeopleOf(database.db, read(emailAddress, address ?? ''));
    const ended = await database.write((tx) => people.map(({ id }) => endSessions(tx, id, {})));
    console.log(`${ended.reduce((sum, one) => sum + one, 0)} sessions ended.`);
  } else {
    const email = read(emailAddress, address ?? '');
    const role = read(RoleName, name ?? '');
    const [change, done, idle] =
      verb === 'grant'
        ? ([grantRole, `is ${role} now`, `is ${role} already`] as const)
        : ([revokeRole, `is no longer ${role}`, `is not ${role}`] as const);
    console.log(`${email} ${(await change(database, email, role, actor)) ? done : idle}.`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = error instanceof EarlierVersion ? EarlierVersion.exitCode : 1;
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  const answer = schema.safeParse(text);
  if (answer.success) return answer.data;
  throw new Error(`${text}: ${fieldErrors(answer.error)[0]?.message}\n${USAGE}`);
}
