import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { getPerson } from '#people/roll/people.ts';

const time = (at: number | null): string | null => (at === null ? null : isoTime(at));

/**
 * What each table with a `person_id` holds about somebody. A test compares it with the schema: whoever adds such a
 * table adds what it holds here, or says in `NOT_EXPORTED` why not.
 */
const TABLES = {
  addresses: (reader: Reader, id: string) =>
    reader
      .all(build.selectFrom('addresses').selectAll().where('person_id', '=', id).orderBy('email'))
      .map(({ email, is_primary, verified_at, added_at }) => ({
        ...{ email, primary: is_primary === 1 },
        ...{ verified_at: time(verified_at), added_at: time(added_at) },
      })),
  standings: (reader: Reader, id: string) =>
    reader.all(
      build
        .selectFrom('standings')
        .innerJoin('kinds', 'kinds.id', 'kind_id')
        .select(['name as kind', 'votes', 'first_day', 'last_day'])
        .where('person_id', '=', id)
        .orderBy('first_day'),
    ),
  group_members: (reader: Reader, id: string) =>
    reader.all(
      build
        .selectFrom('group_members')
        .innerJoin('groups', 'groups.id', 'group_id')
        .select('name as group')
        .where('person_id', '=', id)
        .orderBy('name'),
    ),
  person_roles: (reader: Reader, id: string) =>
    reader
      .all(build.selectFrom('person_roles').selectAll().where('person_id', '=', id).orderBy('role'))
      .map(({ role, granted_at, until }) => ({ role, granted_at: time(granted_at), until: time(until) })),
  sessions: (reader: Reader, id: string) =>
    reader
      .all(build.selectFrom('sessions').selectAll().where('person_id', '=', id).orderBy('created_at'))
      .map(({ method, created_at, seen_at, browser, network }) => ({
        ...{ method, browser, network, created_at: time(created_at), seen_at: time(seen_at) },
      })),
  recovery_codes: (reader: Reader, id: string) =>
    reader
      .all(build.selectFrom('recovery_codes').selectAll().where('person_id', '=', id).orderBy('created_at'))
      .map(({ created_at, used_at }) => ({ created_at: time(created_at), used_at: time(used_at) })),
  passkeys: (reader: Reader, id: string) =>
    reader
      .all(build.selectFrom('passkeys').selectAll().where('person_id', '=', id).orderBy('created_at'))
      .map(({ name, rp_id, backed_up, created_at, used_at }) => ({
        ...{ name, made_for: rp_id, synced: backed_up === 1 },
        ...{ created_at: time(created_at), used_at: time(used_at) },
      })),
  club_setup: (reader: Reader, id: string) =>
    reader
      .all(build.selectFrom('club_setup').select('at').where('person_id', '=', id))
      .map(({ at }) => ({ set_up_the_club_at: time(at) })),
  electors: (reader: Reader, id: string) =>
    reader
      .all(
        build
          .selectFrom('electors')
          .innerJoin('elections', 'elections.id', 'election_id')
          .select(['title', 'name', 'email', 'standing', 'as_of', 'added_at'])
          .where('person_id', '=', id)
          .orderBy('added_at'),
      )
      .map(({ title, added_at, ...elector }) => ({ election: title, ...elector, added_at: time(added_at) })),
  invites: (reader: Reader, id: string) =>
    reader
      .all(
        build
          .selectFrom('invites')
          .innerJoin('elections', 'elections.id', 'invites.election_id')
          .leftJoin('tokens', (join) =>
            join
              .onRef('tokens.election_id', '=', 'invites.election_id')
              .onRef('tokens.token_hash', '=', 'invites.token_hash'),
          )
          .select(['title', 'email', 'mailed_at', 'used_at', 'closed_at'])
          .where('person_id', '=', id)
          .orderBy('invites.created_at'),
      )
      .map(({ title, email, mailed_at, used_at, closed_at }) => ({
        ...{ election: title, email, mailed_at: time(mailed_at) },
        // With live results nobody may learn who has voted, so it is told once voting is over.
        voted: closed_at === null ? null : used_at !== null,
      })),
  import_changes: (reader: Reader, id: string) =>
    reader
      .all(
        build
          .selectFrom('import_changes')
          .innerJoin('import_batches', 'import_batches.id', 'batch_id')
          .select(['batch_id', 'at', 'before'])
          .where('person_id', '=', id)
          .orderBy('batch_id'),
      )
      .map(({ batch_id, at, before }) => ({
        batch: batch_id,
        at: time(at),
        before: before === null ? null : JSON.parse(before),
      })),
} as const;

export const EXPORTED_TABLES = Object.keys(TABLES);

/** Tables with a `person_id` that hold nothing about the person that is theirs to have, and why. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  magic_links: 'hashes of links that were mailed',
  passkey_challenges: 'random numbers, for five minutes',
};

/** Everything that is kept under a person's id. Never a choice of theirs: none is kept under it. */
export interface OwnData {
  exported_at: string;
  person: object;
  /** By table. */
  kept: Record<string, readonly object[]>;
  /** What they did, as the audit log names them, and what was done to them. */
  audit: { action: string; at: string }[];
}

/** @throws 404. Audited */
export async function exportPerson(ctx: Context, id: string, actor: Actor): Promise<OwnData> {
  const { id: _id, ...person } = getPerson(ctx, id);
  const kept = Object.fromEntries(
    Object.entries(TABLES).map(([table, read]) => [table, read(ctx.db, id)] as const),
  );
  const names: ReadonlySet<unknown> = new Set([
    id,
    `person:${id}`,
    ...person.addresses.map(({ email }) => email),
  ]);
  const audit = await ctx.queue.inTurns(readAudit(ctx.db, names));
  await ctx.write((tx) => recordAudit(tx, actor, { action: 'person.exported', metadata: { person: id } }));
  return { exported_at: isoTime(ctx.now()), person: { id, ...person }, kept, audit };
}

/** Walks the whole log, giving way after each page. */
function* readAudit(reader: Reader, names: ReadonlySet<unknown>): Generator<void, OwnData['audit']> {
  const found: OwnData['audit'] = [];
  for (let after = 0; ; yield) {
    const page = reader.all(
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
