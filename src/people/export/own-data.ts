import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build } from '#kernel/db/queries.ts';
import { listOwnEmails } from '#people/persons.ts';
import { getPerson } from '#people/roll/people.ts';
import { OWN_TABLES } from './own-tables.ts';

/** All data stored under a person's id and addresses. It has no ballot choices: they are not stored with the person. */
export interface OwnData {
  exported_at: string;
  person: object;
  /** Rows by table. */
  kept: Record<string, readonly object[]>;
  /** Audit log entries by or about the person, under their id or an address that no other person has. */
  audit: { action: string; at: string }[];
}

/** Exports a person's data. Audited. @throws 404 */
export async function exportPerson(ctx: Context, id: string, actor: Actor): Promise<OwnData> {
  const { id: _id, ...person } = getPerson(ctx, id);
  const owner = { id, emails: listOwnEmails(ctx.db, id), now: ctx.now() };
  const kept = Object.fromEntries(
    Object.entries(OWN_TABLES).map(([table, read]) => [table, read(ctx.db, owner)] as const),
  );
  const names: ReadonlySet<unknown> = new Set([id, `person:${id}`, ...owner.emails]);
  const audit = await readAudit(ctx, names);
  await ctx.write((tx) => recordAudit(tx, actor, { action: 'person.exported', metadata: { person: id } }));
  const columns = build.selectFrom('persons').select(['family_name', 'language']).where('id', '=', id);
  const known = Object.entries(ctx.db.first(columns) ?? {}).filter(([, value]) => value !== null);
  return {
    exported_at: isoTime(ctx.now()),
    person: { id, ...person, ...Object.fromEntries(known) },
    kept,
    audit,
  };
}

/** Reads the whole log, each page in a turn of its own. */
async function readAudit(ctx: Context, names: ReadonlySet<unknown>): Promise<OwnData['audit']> {
  const found: OwnData['audit'] = [];
  for (let after = 0; ; ) {
    await ctx.queue.turn();
    const page = ctx.db.all(
      build
        .selectFrom('audit_log')
        .select(['seq', 'action', 'timestamp', 'metadata', 'personal'])
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(500),
    );
    for (const { seq, action, timestamp, ...row } of page) {
      after = seq;
      const { by, person, email } = shownMetadata(row);
      if ([by, person, email, JSON.parse(row.metadata).by].some((name) => names.has(name)))
        found.push({ action, at: isoTime(timestamp) });
    }
    if (page.length < 500) return found;
  }
}
