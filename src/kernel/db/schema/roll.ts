import type { Generated } from 'kysely';

/** The tables of the roll of members. Days are ISO dates in TIME_ZONE. */
export interface RollTables {
  kinds: KindsTable;
  standings: StandingsTable;
  erased_standings: ErasedStandingsTable;
  groups: GroupsTable;
  group_members: GroupMembersTable;
  roll_version: RollVersionTable;
  import_batches: ImportBatchesTable;
  import_changes: ImportChangesTable;
}

/** A kind of membership, as the club calls it. */
export interface KindsTable {
  id: string;
  name: string;
  votes: 0 | 1;
}

/** A membership of a person, of one kind and for some time. */
export interface StandingsTable {
  id: string;
  person_id: string;
  kind_id: string;
  first_day: string;
  /** Inclusive; null: no end is known. */
  last_day: string | null;
}

/** The number of erased people who had a standing of a kind in a year. */
export interface ErasedStandingsTable {
  year: number;
  /** Its name at that time. */
  kind: string;
  people: number;
}

export interface GroupsTable {
  id: string;
  name: string;
}

export interface GroupMembersTable {
  person_id: string;
  group_id: string;
}

/** One row; triggers increase its number with every change of the roll. */
export interface RollVersionTable {
  id: 1;
  version: number;
}

/** An import that was applied. */
export interface ImportBatchesTable {
  id: Generated<number>;
  at: number;
  created: number;
  changed: number;
  /** How many of the changed lost their standing because the file did not contain them. */
  ended: number;
  undone_at: number | null;
}

/** What an import did to a person; deleted when it can no longer be undone. */
export interface ImportChangesTable {
  batch_id: number;
  person_id: string;
  /** JSON of the person before; null: the import created them. */
  before: string | null;
  /** The person's version after the import. */
  version: number;
}
