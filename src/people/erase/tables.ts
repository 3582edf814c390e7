import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { eraseFromAudit } from '#kernel/db/audit-personal.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { Database } from '#kernel/db/schema.ts';
import { listProposalsOf, listSpeakersNamed } from '#people/named-alone.ts';

/** A person who is being erased. */
export interface ErasedPerson {
  id: string;
  /** The addresses that no other person has. */
  emails: readonly string[];
  /** Time of the erasure in milliseconds. */
  at: number;
}

type EraseRows = (tx: Tx, person: ErasedPerson) => void;

/** The tables with this column. */
type TablesWith<Column extends string> = {
  [Name in keyof Database]: Column extends keyof Database[Name] ? Name : never;
}[keyof Database];

/** Deletes the rows with the `person_id`. */
const deleteByPerson =
  (table: TablesWith<'person_id'>): EraseRows =>
  (tx, { id }) =>
    tx.run(build.deleteFrom(table).where('person_id', '=', id));

/** Deletes the rows with one of the person's addresses. */
const deleteByEmail =
  (table: TablesWith<'email'>): EraseRows =>
  (tx, { emails }) =>
    tx.run(build.deleteFrom(table).where('email', 'in', emails));

/**
 * How each table with data about people is erased, in this order. A test compares it with the schema: every table with
 * a `person_id` or an `email` must have an entry here, or in `NOT_ERASED` the reason why it stays.
 */
const TABLES = {
  audit_log: (tx, person) => {
    const row = tx.first(build.selectFrom('persons').select('name').where('id', '=', person.id));
    eraseFromAudit(tx, { ...person, name: row?.name || undefined });
  },
  standings: (tx, person) => {
    countStandings(tx, person);
    deleteByPerson('standings')(tx, person);
  },
  group_members: deleteByPerson('group_members'),
  person_roles: deleteByPerson('person_roles'),
  recovery_codes: deleteByPerson('recovery_codes'),
  sessions: deleteByPerson('sessions'),
  passkeys: deleteByPerson('passkeys'),
  oidc_links: deleteByPerson('oidc_links'),
  oidc_flows: (tx, { id, emails }) =>
    tx.run(
      build
        .deleteFrom('oidc_flows')
        .where((is) => is.or([is('link_person_id', '=', id), is('email', 'in', emails)])),
    ),
  passkey_challenges: deleteByPerson('passkey_challenges'),
  import_changes: deleteByPerson('import_changes'),
  sign_ins: deleteByEmail('sign_ins'),
  magic_links: (tx, person) => {
    deleteByPerson('magic_links')(tx, person);
    deleteByEmail('magic_links')(tx, person);
  },
  distribution_list_emails: deleteByEmail('distribution_list_emails'),
  verifications: deleteByEmail('verifications'),
  feed_accesses: deleteFeedAccesses,
  subscribers: deleteByEmail('subscribers'),
  electors: (tx, { id }) =>
    tx.run(build.updateTable('electors').set({ name: '', email: null }).where('person_id', '=', id)),
  // Whoever was there stays in the number of those present.
  attendance: (tx, { id }) =>
    tx.run(
      build
        .updateTable('attendance')
        .set({ name: 'Erased person', person_id: null })
        .where('person_id', '=', id),
    ),
  door_numbers: deleteByPerson('door_numbers'),
  item_holders: deleteByPerson('item_holders'),
  proxies: (tx, { id }) => {
    tx.run(build.updateTable('proxies').set({ giver_id: null, document: null }).where('giver_id', '=', id));
    tx.run(build.updateTable('proxies').set({ holder_id: null, document: null }).where('holder_id', '=', id));
  },
  // Whoever chaired a meeting stays in its signed minutes, which are a record that others have signed too.
  meetings: (tx, { id }) => {
    for (const column of ['chair_id', 'secretary_id'] as const)
      tx.run(build.updateTable('meetings').set(column, null).where(column, '=', id));
  },
  meeting_minutes: (tx, { id }) => {
    for (const column of ['chair_asked', 'secretary_asked'] as const)
      tx.run(build.updateTable('meeting_minutes').set(column, null).where(column, '=', id));
  },
  minutes_signatures: eraseSignatures,
  speakers: (tx, { id }) => {
    for (const speaker of listSpeakersNamed(tx, id))
      tx.run(build.deleteFrom('speakers').where('id', '=', speaker.id));
  },
  // A candidate stays on the ballot; whoever was proposed stays nominated, by nobody.
  nominations: (tx, person) => {
    deleteByEmail('nominations')(tx, person);
    for (const { id } of listProposalsOf(tx, person.id))
      tx.run(build.updateTable('nominations').set({ proposer: null }).where('id', '=', id));
  },
  nomination_seconders: deleteByEmail('nomination_seconders'),
  // What is on the agenda stays; drafts of minutes do not name them.
  meeting_items: eraseFromItems,
  motions: deleteByEmail('motions'),
  motion_seconders: deleteByEmail('motion_seconders'),
  invites: eraseInvites,
  outbox: eraseMails,
  feedback: (tx, { emails }) =>
    tx.run(
      build
        .updateTable('feedback')
        .set({ name: null, contact: null })
        .where((is) => is.fn<string>('lower', ['contact']), 'in', emails),
    ),
  approvals: eraseApprovals,
  // Pages that were answered within the last minutes, which may name anybody.
  once_answers: (tx) => tx.run(build.deleteFrom('once_answers')),
  addresses: deleteByPerson('addresses'),
  former_addresses: deleteByPerson('former_addresses'),
  persons: erasePersonRow,
} satisfies Partial<Record<keyof Database, EraseRows>>;

export const ERASED_TABLES = Object.keys(TABLES);

/** Tables with a `person_id` or an `email` that are not changed, and why. */
export const NOT_ERASED: Readonly<Record<string, string>> = {
  club_setup: 'that the club was set up, by the id alone',
};

/** Columns that name an actor, by a mail address or as `person:<id>`: an address is replaced by `person:<id>`. */
export const ACTOR_COLUMNS = [
  'feedback.assignee',
  'hidden_names.hidden_by',
  'now_showing.set_by',
  'relay_commands.set_by',
  'screenings.reverted_by',
  'song_requests.decided_by',
  'addresses.added_by',
  'electors.added_by',
  'mailings.started_by',
  'person_roles.granted_by',
  'menu_stock.changed_by',
  'nominations.decided_by',
  'motions.decided_by',
  'meeting_documents.added_by',
  'paper_batches.teller_1_by',
  'paper_batches.teller_2_by',
  'paper_batches.control_asked_by',
  'approvals.asked_by',
  'approvals.decided_by',
  'pictures.added_by',
  'takeovers.started_by',
  'taps.changed_by',
  'takeovers.ended_by',
  'screens.paired_by',
] as const;

/** Takes the names of the author and of seconders off the items that their motions became. */
function eraseFromItems(tx: Tx, { emails }: ErasedPerson): void {
  const own = build
    .selectFrom('motions')
    .innerJoin('meeting_items as item', 'item.id', 'item_id')
    .select(['item.id', 'name', 'mover'])
    .where('email', 'in', emails);
  for (const { id, name, mover } of tx.all(own))
    if (mover === name)
      tx.run(build.updateTable('meeting_items').set({ mover: 'Erased person' }).where('id', '=', id));
  const seconded = build
    .selectFrom('motion_seconders as seconder')
    .innerJoin('motions', 'motions.id', 'motion_id')
    .innerJoin('meeting_items as item', 'item.id', 'item_id')
    .select(['item.id', 'seconder.name', 'seconders'])
    .where('seconder.email', 'in', emails)
    .where('seconded_at', 'is not', null);
  for (const { id, name, seconders } of tx.all(seconded)) {
    const names = (JSON.parse(seconders) as string[]).map((one) => (one === name ? 'Erased person' : one));
    const changed = build.updateTable('meeting_items').set({ seconders: JSON.stringify(names) });
    tx.run(changed.where('id', '=', id));
  }
}

/** Erases a person's data from every table, in one transaction. */
export function eraseRows(tx: Tx, person: ErasedPerson): void {
  for (const erase of Object.values(TABLES)) erase(tx, person);
  for (const place of ACTOR_COLUMNS) renameActor(tx, place, person);
}

function renameActor(tx: Tx, place: (typeof ACTOR_COLUMNS)[number], { id, emails }: ErasedPerson): void {
  const [table = '', column = ''] = place.split('.');
  tx.run(
    sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${`person:${id}`}
      WHERE ${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(emails)}))`.compile(build),
  );
}

function erasePersonRow(tx: Tx, { id, at }: ErasedPerson): void {
  tx.run(
    build
      .updateTable('persons')
      .set((of) => ({
        name: 'Erased person',
        sort_name: '',
        family_name: null,
        called: null,
        number: null,
        note: null,
        welcomed_at: null,
        language: null,
        // A new id, because authenticators have stored the old one.
        webauthn_id: randomBytes(32),
        version: of('version', '+', 1),
        erased_at: at,
      }))
      .where('id', '=', id),
  );
}

/** Keeps, for each year and kind of the person's standings, only a count of people. */
function countStandings(tx: Tx, { id, at }: ErasedPerson): void {
  const standings = tx.all(
    build
      .selectFrom('standings')
      .innerJoin('kinds', 'kinds.id', 'kind_id')
      .select(['name as kind', 'first_day', 'last_day'])
      .where('person_id', '=', id),
  );
  const today = isoTime(at).slice(0, 10);
  const years = new Set(
    standings.flatMap(({ kind, first_day, last_day }) => {
      const first = Number(first_day.slice(0, 4));
      const end = last_day !== null && last_day < today ? last_day : today;
      const count = Math.max(0, Number(end.slice(0, 4)) - first + 1);
      return Array.from({ length: count }, (_, index) => JSON.stringify([first + index, kind]));
    }),
  );
  for (const one of years) {
    const [year, kind] = JSON.parse(one);
    tx.run(
      build
        .insertInto('erased_standings')
        .values({ year, kind, people: 1 })
        .onConflict((conflict) =>
          conflict.doUpdateSet((of) => ({ people: of('erased_standings.people', '+', 1) })),
        ),
    );
  }
}

/** Deletes the accesses (with their networks) to the feed, by the tokens of the person's subscriptions. */
function deleteFeedAccesses(tx: Tx, { emails }: ErasedPerson): void {
  const own = build
    .selectFrom('feed_tokens')
    .innerJoin('subscribers', 'subscribers.id', 'subscriber_id')
    .select('feed_tokens.id')
    .where('email', 'in', emails);
  tx.run(build.deleteFrom('feed_accesses').where('token_id', 'in', own));
}

/** Removes the person's addresses from acts that were decided; those that still wait are withdrawn. */
function eraseApprovals(tx: Tx, { emails }: ErasedPerson): void {
  for (const email of emails) {
    const named = sql<boolean>`(instr(lower(act), ${email}) > 0 OR instr(lower(coalesce(payload, '')), ${email}) > 0
      OR instr(lower(details), ${email}) > 0)`;
    tx.run(build.deleteFrom('approvals').where('decided_at', 'is', null).where(named));
    const act = sql<string>`replace(lower(act), ${email}, 'an erased address')`;
    tx.run(
      build.updateTable('approvals').set({ act, details: '[]', payload: null, body: null }).where(named),
    );
  }
}

/** Deletes the mails to a person, and those to others whose words name them by an address. */
function eraseMails(tx: Tx, person: ErasedPerson): void {
  deleteByEmail('outbox')(tx, person);
  for (const email of person.emails)
    tx.run(build.deleteFrom('outbox').where(sql<boolean>`instr(lower(facts), ${email}) > 0`));
}

/** Erases the invited person from invitations; the rows and whether the code was used stay, to keep the turnout. */
function eraseInvites(tx: Tx, { id, emails }: ErasedPerson): void {
  const erased = { token_plaintext: null, error: null, recipient_name: null };
  tx.run(
    build
      .updateTable('invites')
      .set({ email: '', ...erased })
      .where('person_id', '=', id),
  );
  // Without a person id, addresses must be unique within an election, so each row gets its own placeholder.
  tx.run(
    build
      .updateTable('invites')
      .set({ email: sql<string>`'erased:' || id`, ...erased })
      .where('person_id', 'is', null)
      .where('email', 'in', emails),
  );
}

/** Removes the signatures of drafts; under signed minutes the name stays. */
function eraseSignatures(tx: Tx, { id }: ErasedPerson): void {
  const own = build.selectFrom('minutes_signatures').selectAll().where('person_id', '=', id);
  for (const { meeting_id, version, role } of tx.all(own)) {
    const signed = tx.first(
      build
        .selectFrom('meeting_minutes')
        .select('signed_at')
        .where('meeting_id', '=', meeting_id)
        .where('version', '=', version),
    );
    const at = { meeting_id, version, role };
    tx.run(
      signed?.signed_at == null
        ? build.deleteFrom('minutes_signatures').where((is) => is.and(at))
        : build
            .updateTable('minutes_signatures')
            .set('person_id', null)
            .where((is) => is.and(at)),
    );
  }
}
