import { domainToASCII, domainToUnicode } from 'node:url';
import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

/**
 * International domains of addresses are stored in their ASCII form. Until now the spelling was kept, so that one mailbox
 * could be two addresses. Rows that become one are merged. The audit log keeps what was written.
 */
export async function up(db: Db): Promise<void> {
  await mergeAddresses(db);
  await mergeListEntries(db);
  await mergeSubscribers(db);
  await convertInvites(db);
  for (const table of ['electors', 'magic_links', 'mailing_mails', 'verifications', 'sign_ins', 'oidc_flows'])
    for (const { email } of await spelled(db, table))
      await sql`UPDATE ${sql.table(table)} SET email = ${ascii(email)} WHERE email = ${email}`.execute(db);
  await convertJson(db, 'import_changes', 'before');
  await convertJson(db, 'mailings', 'plan');
}

/** The address with its domain in ASCII; one that has no such form stays. */
function ascii(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = domainToASCII(email.slice(at));
  return domain === '' ? email : email.slice(0, at) + domain;
}

/** The stored addresses that change. */
async function spelled(db: Db, table: string): Promise<{ email: string }[]> {
  // Whoever compares bytes and characters finds the addresses that are not ASCII.
  const { rows } = await sql<{ email: string }>`
    SELECT DISTINCT email FROM ${sql.table(table)}
    WHERE email IS NOT NULL AND length(email) <> length(CAST(email AS BLOB))`.execute(db);
  return rows.filter(({ email }) => ascii(email) !== email);
}

/** Two spellings of one person: the primary one stays, and what was confirmed by one of them stays confirmed. */
async function mergeAddresses(db: Db): Promise<void> {
  for (const { email } of await spelled(db, 'addresses')) {
    const { rows } = await sql<{ own: string; other: string | null }>`
      SELECT own.id AS own, other.id AS other FROM addresses AS own
      LEFT JOIN addresses AS other ON other.person_id = own.person_id AND other.email = ${ascii(email)}
      WHERE own.email = ${email}`.execute(db);
    for (const { own, other } of rows) {
      if (other !== null) {
        await sql`
          UPDATE addresses SET
            verified_at = coalesce(min(verified_at, (SELECT verified_at FROM addresses WHERE id = ${other})),
              verified_at, (SELECT verified_at FROM addresses WHERE id = ${other})),
            added_at = max(added_at, (SELECT added_at FROM addresses WHERE id = ${other}))
          WHERE id = ${own}`.execute(db);
        await sql`UPDATE sessions SET address_id = ${own} WHERE address_id = ${other}`.execute(db);
        const { rows: primary } = await sql<{ is_primary: 0 | 1 }>`
          SELECT is_primary FROM addresses WHERE id = ${other}`.execute(db);
        await sql`DELETE FROM addresses WHERE id = ${other}`.execute(db);
        if (primary[0]?.is_primary === 1)
          await sql`UPDATE addresses SET is_primary = 1 WHERE id = ${own}`.execute(db);
      }
      await sql`UPDATE addresses SET email = ${ascii(email)} WHERE id = ${own}`.execute(db);
    }
  }
}

async function mergeListEntries(db: Db): Promise<void> {
  for (const { email } of await spelled(db, 'distribution_list_emails')) {
    await sql`
      UPDATE distribution_list_emails AS kept SET name = coalesce(name, (
        SELECT name FROM distribution_list_emails AS own WHERE own.list_id = kept.list_id AND own.email = ${email}))
      WHERE email = ${ascii(email)}`.execute(db);
    await sql`
      DELETE FROM distribution_list_emails AS own WHERE email = ${email} AND EXISTS (
        SELECT 1 FROM distribution_list_emails AS kept WHERE kept.list_id = own.list_id AND kept.email = ${ascii(email)})`.execute(
      db,
    );
    await sql`UPDATE distribution_list_emails SET email = ${ascii(email)} WHERE email = ${email}`.execute(db);
  }
}

interface Subscriber {
  id: string;
  ended_at: number | null;
}

/** Of two subscriptions the one that goes on stays and gets the feeds of the other; a feed that had ended stays ended. */
async function mergeSubscribers(db: Db): Promise<void> {
  for (const { email } of await spelled(db, 'subscribers')) {
    const { rows } = await sql<{ own: string; other: string | null }>`
      SELECT own.id AS own, other.id AS other FROM subscribers AS own
      LEFT JOIN subscribers AS other ON other.calendar_id = own.calendar_id AND other.email = ${ascii(email)}
      WHERE own.email = ${email}`.execute(db);
    for (const { own, other } of rows) {
      const pair = [own, ...(other === null ? [] : [other])];
      const { rows: both } = await sql<Subscriber>`
        SELECT id, coalesce(disabled_at, left_at) AS ended_at FROM subscribers
        WHERE id IN (${sql.join(pair)})
        ORDER BY ended_at IS NOT NULL, created_at`.execute(db);
      const [kept, merged] = both;
      if (kept && merged) {
        await sql`
          UPDATE feed_tokens SET subscriber_id = ${kept.id}, revoked_at = coalesce(revoked_at, ${merged.ended_at})
          WHERE subscriber_id = ${merged.id}`.execute(db);
        await sql`
          UPDATE subscribers SET (created_at, last_access_at) = (
            SELECT min(created_at), max(last_access_at) FROM subscribers WHERE id IN (${sql.join(pair)}))
          WHERE id = ${kept.id}`.execute(db);
        await sql`DELETE FROM subscribers WHERE id = ${merged.id}`.execute(db);
      }
      await sql`UPDATE subscribers SET email = ${ascii(email)} WHERE id = ${kept!.id}`.execute(db);
    }
  }
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    SELECT id, name, email FROM subscribers WHERE email LIKE '%xn--%'`.execute(db);
  for (const { id, name, email } of rows) {
    const [local, domain = ''] = email.split('@');
    const search = `${name} ${email} ${local}@${domainToUnicode(domain)}`.toLowerCase();
    await sql`UPDATE subscribers SET search = ${search} WHERE id = ${id}`.execute(db);
  }
}

/**
 * Two invitations of one mailbox to one election both keep their codes, which may be with the voter: the second one is
 * kept under its old spelling.
 */
async function convertInvites(db: Db): Promise<void> {
  for (const { email } of await spelled(db, 'invites'))
    await sql`
      UPDATE invites AS own SET email = ${ascii(email)}
      WHERE email = ${email} AND (person_id IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM invites AS other
        WHERE other.election_id = own.election_id AND other.person_id IS NULL AND other.email = ${ascii(email)}))`.execute(
      db,
    );
}

/** Stored states of people and of invitations, which may still be written back. */
async function convertJson(db: Db, table: string, column: string): Promise<void> {
  const at = sql.ref(column);
  const { rows } = await sql<{ json: string }>`
    SELECT DISTINCT ${at} AS json FROM ${sql.table(table)}
    WHERE ${at} LIKE '%@%' AND length(${at}) <> length(CAST(${at} AS BLOB))`.execute(db);
  for (const { json } of rows) {
    const converted = JSON.stringify(convert(JSON.parse(json)));
    if (converted !== json)
      await sql`UPDATE ${sql.table(table)} SET ${at} = ${converted} WHERE ${at} = ${json}`.execute(db);
  }
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map(convert);
    // A person has each address once, the primary one first.
    const isAddress = (entry: unknown) => isRecord(entry) && 'primary' in entry && 'email' in entry;
    return entries.filter((entry, at) => {
      const first = entries.findIndex(
        (other) => isRecord(other) && isRecord(entry) && other.email === entry.email,
      );
      return !isAddress(entry) || first === at;
    });
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'email' && typeof inner === 'string' ? ascii(inner) : convert(inner),
    ]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
