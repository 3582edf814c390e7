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

/** That a person is a member of one kind. */
export interface StandingsTable {
  id: string;
  person_id: string;
  kind_id: string;
  first_day: string;
  /** Inclusive; null: no end is known. */
  last_day: string | null;
}

/** How many of those who were erased had a standing of a kind in a year. */
export interface ErasedStandingsTable {
  year: number;
  /** As the club called it then. */
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

/** One row, whose number triggers raise with every change of the roll. */
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
  /** Of the changed: whose standing was ended because the file did not have them. */
  ended: number;
  undone_at: number | null;
}

/** What an import did to a person; deleted when it can no longer be undone. */
export interface ImportChangesTable {
  batch_id: number;
  person_id: string;
  /** JSON of the person before; null: the import made them. */
  before: string | null;
  /** The person's version that the import left. */
  version: number;
}
