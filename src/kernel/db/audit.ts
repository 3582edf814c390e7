import type { Selectable } from 'kysely';
import { z } from 'zod';
import { pageSize, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { build, ONE, prepare, type Reader, type Tx } from './queries.ts';
import type { AuditLogTable } from './schema.ts';

/** Who asked for a change, and when: what a domain function needs to write its audit entry. */
export interface Actor {
  ip: string;
  at: number;
  /** The person, where one is known: goes into the entry's metadata. */
  by?: string;
}

/** The `ip_address` of what the service does by itself. */
export const SERVICE = 'service';

export interface AuditEntry {
  /** `noun.verb_past` */
  action: string;
  election_id?: string;
  /** Never a ballot choice, never a token. */
  metadata?: Record<string, unknown>;
}

const filter = z
  .string()
  .trim()
  .max(64)
  .optional()
  .transform((text) => text || undefined);

/** A page of the log, as every route asks for it. */
export const AuditQuery = z.object({
  limit: pageSize(50, 200),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  action: filter,
  election_id: filter,
});

/** What the first entry's hash builds on. */
export const CHAIN_START = '0'.repeat(64);

type Content = Pick<AuditLogTable, 'id' | 'action' | 'ip_address' | 'election_id' | 'timestamp' | 'metadata'>;

/** Appends an entry to the chain, in the transaction of the change that it records. */
export function recordAudit(tx: Tx, actor: Actor, entry: AuditEntry): void {
  const content: Content = {
    id: newId(actor.at),
    action: entry.action,
    ip_address: actor.ip,
    election_id: entry.election_id ?? null,
    timestamp: actor.at,
    metadata: JSON.stringify({ ...entry.metadata, ...(actor.by && { by: actor.by }) }),
  };
  const hash = chainHash(heads.get(tx) ?? chainHead(tx).head, content);
  tx.run(append({ ...content, hash }));
  heads.set(tx, hash);
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

/** The newest hash of the chain, as a transaction under way has made it: until its end nobody else can write. */
const heads = new WeakMap<Tx, string>();

/** Newest entries first, with the number of all that match. */
export function listAudit(db: Reader, { limit, offset, action, election_id }: z.output<typeof AuditQuery>) {
  let matching = build.selectFrom('audit_log');
  if (action) matching = matching.where('action', '=', action);
  if (election_id) matching = matching.where('election_id', '=', election_id);

  const logs = db.all(
    matching
      .select(['id', 'action', 'ip_address', 'election_id', 'timestamp', 'metadata'])
      .orderBy('seq', 'desc')
      .limit(limit)
      .offset(offset),
  );
  const { total } = db.first(matching.select((of) => of.fn.countAll<number>().as('total')))!;
  return { logs, total };
}

/** The actions that occur in the log, for a filter. */
export function listAuditActions(db: Reader): string[] {
  const rows = db.all(build.selectFrom('audit_log').select('action').distinct().orderBy('action'));
  return rows.map((row) => row.action);
}

/**
 * Walks the whole chain. `broken` is the first entry whose hash or place is wrong. Entries cut off
 * at the end can't be seen from here: compare `head` with one noted earlier.
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
      // The numbers have no gaps: writes share one connection, and what is undone gives its number back.
      if (row.seq !== after + 1 || row.hash !== chainHash(head, row)) {
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

const append = prepare((entry: Content & { hash: string }) =>
  build.insertInto('audit_log').values({
    id: entry.id,
    action: entry.action,
    ip_address: entry.ip_address,
    election_id: entry.election_id,
    timestamp: entry.timestamp,
    metadata: entry.metadata,
    hash: entry.hash,
  }),
);
