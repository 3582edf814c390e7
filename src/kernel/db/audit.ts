import type { Selectable } from 'kysely';
import { HOUR } from '#kernel/clock.ts';
import { newId, newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type Commitment, commit, fitsCommitments, isClient } from './audit-personal.ts';
import { build, ONE, prepareInsert, type Reader, type Tx } from './queries.ts';
import type { AuditLogTable } from './schema.ts';

/** Who asked for a change, and when: what a domain function needs to write its audit entry. */
export interface Actor {
  ip: string;
  at: number;
  /** The identity, if known: `person:<id>`, an e-mail address, or the name of a key. */
  by?: string;
  /** The id of the person whose address `by` is. */
  person?: string;
}

/** The `ip_address` for actions of the service itself. */
export const SERVICE = 'service';

export interface AuditEntry {
  /** `noun.verb_past` */
  action: string;
  election_id?: string;
  /** Never a ballot choice, never a token; nothing personal except ids of people. It is kept for ever. */
  metadata?: Record<string, unknown>;
  /** Names and addresses: shown with the metadata until they are erased. */
  personal?: Record<string, unknown>;
  /** The id of the person whom `personal` is about: erased with that person, whatever their addresses are then. */
  about?: string;
  /** Keeps only the hour of the time, and takes an id that tells no time. */
  hourOnly?: boolean;
}

/** The previous hash of the first entry. */
export const CHAIN_START = '0'.repeat(64);

type Content = Pick<AuditLogTable, 'id' | 'action' | 'ip_address' | 'election_id' | 'timestamp' | 'metadata'>;

/** Appends an entry to the chain, in the transaction of the change that it records. */
export function recordAudit(tx: Tx, actor: Actor, entry: AuditEntry): void {
  recordAudits(tx, actor, [entry]);
}

/** Appends several entries, in their order. */
export function recordAudits(tx: Tx, actor: Actor, entries: readonly AuditEntry[]): void {
  let head = heads.get(tx) ?? chainHead(tx).head;
  const rows = entries.map((entry): Row => {
    const row = rowOf(actor, entry);
    head = chainHash(head, row);
    return { ...row, hash: head };
  });
  tx.insertTogether(append, rows);
  heads.set(tx, head);
}

function rowOf(actor: Actor, entry: AuditEntry): Omit<Row, 'hash'> {
  const named = nameActor(actor);
  const own = { ...entry.personal, ...named.personal, ...(entry.about && { about: entry.about }) };
  const personal = Object.keys(own).length > 0 ? commit(own) : undefined;
  const client = isClient(actor.ip) ? commit({ ip: actor.ip }) : undefined;
  const metadata: Record<string, unknown> = { ...entry.metadata, ...named.open };
  if (personal) metadata.personal_sha256 = personal.sha256;
  if (client) metadata.client_sha256 = client.sha256;
  return {
    id: entry.hourOnly ? newRandomId() : newId(actor.at),
    action: entry.action,
    ip_address: client ? '' : actor.ip,
    election_id: entry.election_id ?? null,
    timestamp: entry.hourOnly ? startOfHour(actor.at) : actor.at,
    metadata: JSON.stringify(metadata),
    personal: textOf(personal),
    client: textOf(client),
  };
}

/** The time at which an hour of the clock began (UTC), for times that must not tell the moment. */
export const startOfHour = (at: number): number => at - (at % HOUR);

const textOf = (part: Commitment | undefined): string | null => part?.text ?? null;

/** Splits the actor: ids and names of keys are permanent; an address may be erased, which leaves its person's id. */
function nameActor({ by, person }: Actor): { open: object; personal: object } {
  if (by === undefined) return { open: {}, personal: {} };
  if (!by.includes('@')) return { open: { by }, personal: {} };
  return { open: person === undefined ? {} : { by: `person:${person}` }, personal: { by } };
}

/** The newest entry's hash, and how many entries there are. */
export function chainHead(reader: Reader): { head: string; entries: number } {
  const last = reader.first(lastEntry);
  return { head: last?.hash ?? CHAIN_START, entries: last?.seq ?? 0 };
}

/** The number of the entry with this hash; undefined where there is none. */
export function findByHash(reader: Reader, hash: string): number | undefined {
  return reader.first(build.selectFrom('audit_log').select('seq').where('hash', '=', hash))?.seq;
}

/** The newest hash of the chain within a running transaction: until its end nobody else can write. */
const heads = new WeakMap<Tx, string>();

/**
 * Verifies the whole chain. `broken` is the first entry whose hash or number is wrong, or whose personal parts do not
 * match their hashes; erased parts are valid. Entries removed from the end cannot be detected here: compare `head`
 * with one noted earlier.
 */
export function verifyAudit(db: Reader): {
  entries: number;
  head: string;
  broken?: Selectable<AuditLogTable>;
} {
  let head = CHAIN_START;
  let entries = 0;
  for (let after = 0; ; ) {
    const page = db.all(
      build.selectFrom('audit_log').selectAll().where('seq', '>', after).orderBy('seq').limit(1_000),
    );
    for (const row of page) {
      // The numbers have no gaps: writes share one connection, and a rollback frees its number.
      if (row.seq !== after + 1 || row.hash !== chainHash(head, row) || !fitsCommitments(row)) {
        return { entries, head, broken: row };
      }
      head = row.hash;
      after = row.seq;
      entries += 1;
    }
    if (page.length < 1_000) return { entries, head };
  }
}

/** SHA-256 of the previous entry's hash and this entry's canonical content (a JSON array in fixed order). */
function chainHash(previous: string, entry: Content): string {
  const { id, action, ip_address, election_id, timestamp, metadata } = entry;
  const canonical = JSON.stringify([id, action, ip_address, election_id, timestamp, metadata]);
  return sha256(previous + canonical);
}

const lastEntry = build
  .selectFrom('audit_log')
  .select(['seq', 'hash'])
  .orderBy('seq', 'desc')
  .limit(ONE)
  .compile();

type Row = Content & { hash: string; personal: string | null; client: string | null };

const append = prepareInsert((entries: Row[]) =>
  build.insertInto('audit_log').values(
    entries.map(({ id, action, ip_address, election_id, timestamp, metadata, hash, personal, client }) => ({
      id,
      action,
      ip_address,
      election_id,
      timestamp,
      metadata,
      hash,
      personal,
      client,
    })),
  ),
);
