import { DAY, MINUTE } from '#kernel/clock.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, prepareInsert, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { ImportChangesTable } from '#kernel/db/schema.ts';
import type { ThreadDatabase } from '#kernel/in-thread.ts';
import { insertRollPeople } from '#people/roll/insert-rows.ts';
import { loadPeople, type RollPerson } from '#people/roll/records.ts';
import { updateRollPerson } from '#people/roll/write-person.ts';

/** How long an import can be undone. The data needed for that is personal, so it is deleted afterwards. */
const UNDONE_WITHIN = 30 * DAY;

/** A person whom an import creates (without `before`) or changes. */
export interface Change {
  before: RollPerson | undefined;
  after: RollPerson;
}

/**
 * Applies the changes of an import.
 * @param ended how many of them end the standing of a person who is missing in the file
 * @returns the number of the batch
 */
export function applyImport(tx: Tx, changes: readonly Change[], ended: number, actor: Actor): number {
  forgetOldImports(tx, actor.at);
  const created = changes.filter(({ before }) => before === undefined).length;
  const changed = changes.length - created;
  const { id: batch } = tx.first(
    build
      .insertInto('import_batches')
      .values({ at: actor.at, created, changed, ended, undone_at: null })
      .returning('id'),
  )!;
  const people = changes.flatMap(({ before, after }) => (before ? [] : [after]));
  insertRollPeople(tx, people, actor);
  for (const { before, after } of changes) if (before) updateRollPerson(tx, before, after, actor);
  const notes = changes.map(({ before, after }) => ({
    batch_id: batch,
    person_id: after.id,
    before: before ? JSON.stringify(before) : null,
    version: before ? before.version + 1 : 1,
  }));
  insertNotes(tx, notes);
  recordAudit(tx, actor, { action: 'people.imported', metadata: { batch, created, changed, ended } });
  return batch;
}

const insertNotes = prepareInsert((rows: ImportChangesTable[]) =>
  build
    .insertInto('import_changes')
    .values(
      rows.map(({ batch_id, person_id, before, version }) => ({ batch_id, person_id, before, version })),
    ),
);

/** Deletes the data for undoing imports that are too old to be undone. */
export function forgetOldImports(tx: Tx, now: number): void {
  tx.run(
    build.deleteFrom('import_changes').where(
      'batch_id',
      'in',
      build
        .selectFrom('import_batches')
        .select('id')
        .where('at', '<', now - UNDONE_WITHIN),
    ),
  );
}

/** An applied import. `undoable` until it is undone or too old; later edits of its people may still prevent it. */
export interface BatchRow {
  id: number;
  at: number;
  created: number;
  changed: number;
  ended: number;
  undone: boolean;
  undoable: boolean;
}

/** The last twenty imports, the newest first. */
export function listBatches(reader: Reader, now: number): BatchRow[] {
  const rows = reader.all(build.selectFrom('import_batches').selectAll().orderBy('id', 'desc').limit(20));
  return rows.map(({ undone_at, ...row }) => ({
    ...row,
    undone: undone_at !== null,
    undoable: undone_at === null && row.at >= now - UNDONE_WITHIN,
  }));
}

/** How many people were restored, or why none was: how many were edited since, or the reason of the refusal. */
export type Undone = { people: number } | { edited: number } | { refused: 'unknown' | 'undone' | 'too old' };

interface UndoInput {
  batch: number;
  actor: Actor;
}

/** Restores everybody whom an import changed, in one transaction, unless one of them was edited since. */
/** How long an import or its undoing may take; one runs at a time. */
export const IMPORT_LIMIT = MINUTE;

export const UNDO_IMPORT = {
  url: import.meta.url,
  name: 'undoImport',
  limit: IMPORT_LIMIT,
  alone: 'import',
  work: undoImport,
};

export function undoImport({ write }: ThreadDatabase, input: UndoInput): Promise<Undone> {
  return write((tx) => undo(tx, input));
}

function undo(tx: Tx, { batch, actor }: UndoInput): Undone {
  const stored = tx.first(
    build.selectFrom('import_batches').select(['at', 'undone_at']).where('id', '=', batch),
  );
  if (!stored) return { refused: 'unknown' };
  if (stored.undone_at !== null) return { refused: 'undone' };
  if (stored.at < actor.at - UNDONE_WITHIN) return { refused: 'too old' };
  const edited = tx.first(editedSince({ batch }))!.people;
  if (edited > 0) return { edited };
  const changes = tx.all(
    build.selectFrom('import_changes').select(['person_id', 'before']).where('batch_id', '=', batch),
  );
  for (const { person_id, before } of changes) {
    if (before === null) tx.run(deletePerson({ id: person_id }));
    else updateRollPerson(tx, loadPeople(tx, [person_id])[0]!, JSON.parse(before), actor);
  }
  tx.run(build.deleteFrom('import_changes').where('batch_id', '=', batch));
  tx.run(build.updateTable('import_batches').set({ undone_at: actor.at }).where('id', '=', batch));
  recordAudit(tx, actor, { action: 'people.import_undone', metadata: { batch, people: changes.length } });
  return { people: changes.length };
}

/** Counts people whose version has changed since the import, or whom it created and who have a role now. */
const editedSince = prepare((p: { batch: number }) =>
  build
    .selectFrom('import_changes')
    .innerJoin('persons', 'persons.id', 'person_id')
    .select((of) => of.fn.countAll<number>().as('people'))
    .where('batch_id', '=', p.batch)
    .where((is) =>
      is.or([
        is('persons.version', '!=', is.ref('import_changes.version')),
        is.and([
          is('before', 'is', null),
          is('persons.id', 'in', build.selectFrom('person_roles').select('person_roles.person_id')),
        ]),
      ]),
    ),
);

const deletePerson = prepare((p: { id: string }) => build.deleteFrom('persons').where('id', '=', p.id));
