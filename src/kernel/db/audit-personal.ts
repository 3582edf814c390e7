import { type SqlBool, sql } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import { newCode } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { build, type Reader, type Tx } from './queries.ts';

/** How long audit entries show the address of a client. */
const CLIENT_KEPT = 90 * DAY;

/** Values of an entry's `ip_address` that are not the address of a client. */
const NO_CLIENTS = ['service', 'shell', 'unknown', ''];

export const isClient = (ip: string): boolean => !NO_CLIENTS.includes(ip);

/** A part of an entry that may be erased, and the hash that represents it in the chain. */
export interface Commitment {
  text: string;
  sha256: string;
}

/** Makes a commitment with a salt of 128 random bits: erased values cannot be found by hashing guesses. */
export function commit(values: Record<string, unknown>): Commitment {
  const text = JSON.stringify({ ...values, salt: newCode() });
  return { text, sha256: sha256(text) };
}

/** The parts of an entry that may have been erased, as they are stored. */
interface Parts {
  metadata: string;
  personal?: string | null;
  client?: string | null;
}

/** Whether the remaining personal parts of an entry match the hashes in its metadata. */
export function fitsCommitments({ metadata, personal, client }: Parts): boolean {
  if (!personal && !client) return true;
  const { personal_sha256, client_sha256 } = JSON.parse(metadata);
  const fits = (text: string | null | undefined, hash: unknown) => !text || sha256(text) === hash;
  return fits(personal, personal_sha256) && fits(client, client_sha256);
}

/** The metadata of an entry with its remaining personal part; without salt and hashes. */
export function shownMetadata({ metadata, personal }: Omit<Parts, 'client'>): Record<string, unknown> {
  const { personal_sha256: _personal, client_sha256: _client, ...open } = JSON.parse(metadata);
  if (!personal) return open;
  const { salt: _salt, about: _about, ...own } = JSON.parse(personal);
  return { ...open, ...own };
}

/** The client of an entry; null once it was erased or is 90 days old. */
export function shownClient(
  { ip_address, client, timestamp }: { ip_address: string; client: string | null; timestamp: number },
  now: number,
): string | null {
  if (client === null && ip_address !== '' && !isClient(ip_address)) return ip_address;
  if (timestamp <= now - CLIENT_KEPT) return null;
  return client === null ? ip_address || null : JSON.parse(client).ip;
}

const holds = (column: 'metadata' | 'personal', text: string) =>
  sql<SqlBool>`instr(${sql.ref(column)}, ${text}) > 0`;

/** A person as named in entries. */
export interface NamedPerson {
  id: string;
  /** Addresses that nobody else shares. */
  emails: readonly string[];
  /** As candidates of elections are called. */
  name?: string | undefined;
}

/**
 * Erases a person from the audit log: personal parts with their id or an address of theirs, and the client addresses of
 * entries that they caused, or that are about them without another actor.
 */
export function eraseFromAudit(tx: Tx, person: NamedPerson): void {
  const { id, emails, name } = person;
  const rows = tx.all(
    build
      .selectFrom('audit_log')
      .select(['seq', 'metadata', 'personal'])
      .where((is) => is.or([is('personal', 'is not', null), is('client', 'is not', null)]))
      .where((is) =>
        is.or([
          holds('metadata', id),
          holds('personal', id),
          ...[...emails, ...(name ? [name] : [])].map((text) => holds('personal', JSON.stringify(text))),
        ]),
      ),
  );
  const naming = rows.map((row) => ({ seq: row.seq, ...namingOf(row, person) }));
  setNull(
    tx,
    'personal',
    naming.filter(({ personal }) => personal),
  );
  setNull(
    tx,
    'client',
    naming.filter(({ client }) => client),
  );
}

/** Which parts of an entry must be erased for a person. */
function namingOf({ metadata, personal }: Parts, { id, emails, name }: NamedPerson) {
  const { by, person } = JSON.parse(metadata);
  const own = JSON.parse(personal ?? '{}');
  const isDeed = by === `person:${id}` || emails.includes(own.by);
  const isNamed = own.about === id || Object.values(own).some((value) => emails.includes(String(value)));
  const isCandidate = name !== undefined && [own, own.from, own.to].some((part) => part?.name === name);
  const byNobodyElse = by === undefined && own.by === undefined;
  return { personal: isDeed || isNamed || isCandidate, client: isDeed || (person === id && byNobodyElse) };
}

function setNull(tx: Tx, column: 'personal' | 'client', entries: readonly { seq: number }[]): void {
  const numbers = JSON.stringify(entries.map(({ seq }) => seq));
  tx.run(
    build
      .updateTable('audit_log')
      .set({ [column]: null })
      .where('seq', 'in', sql<number>`(SELECT value FROM json_each(${numbers}))`),
  );
}

/** Counts entries of earlier versions that name a person: their personal data is part of the chain. */
export function countFixedEntries(reader: Reader, { id, emails }: NamedPerson): number {
  const named = reader.first(
    build
      .selectFrom('audit_log')
      .select((of) => of.fn.countAll<number>().as('entries'))
      .where((is) =>
        is.or([
          ...emails.map((email) => holds('metadata', JSON.stringify(email))),
          is.and([holds('metadata', `person:${id}"`), is('ip_address', 'not in', NO_CLIENTS)]),
        ]),
      ),
  );
  return named?.entries ?? 0;
}

/** Most entries that are changed in one transaction. */
const PAGE = 500;

/** Erases the client addresses of entries that are 90 days old. @returns whether there may be more */
export function eraseOldClients(tx: Tx, now: number): boolean {
  const old = tx.all(
    build
      .selectFrom('audit_log')
      .select('seq')
      .where('client', 'is not', null)
      .where('timestamp', '<=', now - CLIENT_KEPT)
      .orderBy('seq')
      .limit(PAGE),
  );
  setNull(tx, 'client', old);
  return old.length === PAGE;
}

/**
 * Counts the entries from which something personal was erased (other than by age and the clients of votes), and the
 * entries of earlier versions that contain the address of a client or a person as a permanent part of the chain.
 */
export function countErased(reader: Reader, now: number): { erased: number; unerasable: number } {
  return reader.first(
    build.selectFrom('audit_log').select([
      sql<number>`count(*) FILTER (WHERE
        personal IS NULL AND metadata ->> 'personal_sha256' IS NOT NULL
        OR client IS NULL AND metadata ->> 'client_sha256' IS NOT NULL AND timestamp > ${now - CLIENT_KEPT}
          AND action != 'vote.submitted')`.as('erased'),
      sql<number>`count(*) FILTER (WHERE
        ip_address NOT IN (${sql.join(NO_CLIENTS)})
        OR metadata ->> 'by' LIKE '%@%' OR metadata ->> 'email' IS NOT NULL)`.as('unerasable'),
    ]),
  )!;
}
